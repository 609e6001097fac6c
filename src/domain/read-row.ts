import type { TObject, TSchema } from '@sinclair/typebox';
import type { CampusSystem } from './errors.ts';
import type { Item, NewsPart, ReadEvents } from './events/ports.ts';
import { LONGEST_FRESH_SECONDS, type ReadRow } from './reads/types.ts';
import { completeStored, type RecordOf, shapeOf } from './record.ts';

/** The row of a read, with what its readings tell. */
export interface TellingRow<V> extends ReadRow<V> {
  /** Left out: it makes none. */
  readonly events?: ReadEvents<V>;
  /** Its events depend on thresholds of hooks. */
  readonly usesThresholds?: boolean;
  /** Read once a day for the students whose hooks ask for it; left out: the service never reads it on its own. */
  readonly daily?: true;
}

/** The events of a read whose items are all compared together. */
export const onePart = <I extends Item>(part: Omit<NewsPart<I>, 'source'>): readonly NewsPart<I>[] => [
  { ...part, source: '' },
];

/** Names every method of a port: the compiler asks for one that is forgotten. */
export type MethodsOf<Port> = Readonly<Record<keyof Port, true>>;

/** The campus computes and names these seldom. */
export const SELDOM_SECONDS = 300;
/** Students change their class or campus once in years. */
export const HOUR_SECONDS = LONGEST_FRESH_SECONDS;
/** The freshness of reads that students act on at once: always asked for, unless the caller says otherwise. */
export const NEVER = 0;

/** A read whose value is declared as a type alone: `shape` is counted by hand. */
export const row = <V>(name: string, application: CampusSystem, more: Partial<TellingRow<V>> = {}): TellingRow<V> => ({
  name,
  application,
  shape: 1,
  fresh: 'usual',
  ...more,
});

/** The row of a read whose value is declared as a schema. */
export interface ReadOfRecord<T extends TSchema> extends TellingRow<RecordOf<T>> {
  readonly record: T;
}

/** A read whose value is a record: its shape follows from the record, and from `rule` where a parser has changed. */
export const ofRecord = <T extends TSchema>(
  record: T,
  name: string,
  application: CampusSystem,
  { rule, ...more }: Partial<TellingRow<RecordOf<T>>> & { readonly rule?: number } = {},
): ReadOfRecord<T> => ({
  ...row(name, application, {
    shape: shapeOf(record, rule),
    // Under another rule the same members mean something else, and a shape does not say which rule it had.
    ...(rule === undefined && { complete: (stored: unknown) => completeStored(record, stored) }),
    ...more,
  }),
  record,
});

/** A value that an earlier version has stored under other names. */
export type FormerValue = Readonly<Record<string, unknown>>;

/**
 * Makes a record of a value that an earlier version has stored under other names: each member with the name it had.
 * A member that may be null and had none is null; any other that is forgotten does not compile.
 */
export const rename = <T extends TObject, R extends RecordOf<T> = RecordOf<T>>(
  record: T,
  names: { readonly [K in keyof R as null extends R[K] ? never : K]: string } & { readonly [K in keyof R]?: string },
) => {
  const former: Readonly<Record<string, string | undefined>> = names;
  const members = Object.keys(record.properties).map((name) => ({ name, was: former[name] }));
  return (stored: FormerValue): R =>
    // The names are those of the record, and the values were written as such by an earlier version.
    Object.fromEntries(members.map(({ name, was }) => [name, was === undefined ? null : stored[was]])) as R;
};

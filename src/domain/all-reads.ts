import { academicReads } from './academics/reads.ts';
import { activityScoreReads } from './activity-score/records.ts';
import { cardReads } from './card/records.ts';
import { competitionReads } from './competitions/records.ts';
import { electricityReads } from './electricity/reads.ts';
import { laborClubReads } from './labor-club/reads.ts';
import type { TellingRow } from './read-row.ts';
import { storedValue } from './reads/copies.ts';
import type { ReadRow } from './reads/types.ts';

type Prefixed<P extends string, Rows> = {
  readonly [M in keyof Rows & string as `${P}${Capitalize<M>}`]: Rows[M];
};

/** The rows of an area whose methods have names as in any other. */
const withPrefix = <P extends string, Rows extends object>(prefix: P, rows: Rows) =>
  Object.fromEntries(
    Object.entries(rows).map(([name, row]) => [`${prefix}${name.charAt(0).toUpperCase()}${name.slice(1)}`, row]),
  ) as Prefixed<P, Rows>;

/** Every read of a student. */
export const allReads = {
  ...academicReads,
  ...withPrefix('activity', activityScoreReads),
  competitions: competitionReads.record,
  ...laborClubReads,
  ...withPrefix('card', cardReads),
  ...electricityReads,
} as const;

export const rowsByName: ReadonlyMap<string, Omit<TellingRow<never>, 'earlierShapes' | 'complete'>> = new Map(
  Object.values(allReads).map((row) => [row.name, row]),
);

/** The row by which a copy makes events; null: it makes none, or its shape is of another version. */
export const findTellingRow = ({ read, shape }: { readonly read: string; readonly shape: number }) => {
  const row = rowsByName.get(read);
  return row?.events !== undefined && row.shape === shape ? { ...row, events: row.events } : null;
};

/** The text of a stored copy in the shape that its read has now; null: it does not fit, or the row has another shape. */
export const textInShape = (read: string, shape: number, copy: { readonly shape: number; readonly text: string }) => {
  if (copy.shape === shape) return copy.text;
  const row: Pick<ReadRow<unknown>, 'shape' | 'earlierShapes' | 'complete'> | undefined = Object.values(allReads).find(
    ({ name }) => name === read,
  );
  const value = row?.shape === shape ? storedValue(row, copy) : undefined;
  return value === undefined ? null : JSON.stringify(value);
};

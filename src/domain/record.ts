import { createHash } from 'node:crypto';
import {
  type IntegerOptions,
  type NumberOptions,
  type SchemaOptions,
  type Static,
  type StringOptions,
  type TObject,
  type TOptional,
  type TProperties,
  type TSchema,
  Type,
} from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { Value } from '@sinclair/typebox/value';

// A record is declared once, as a schema with descriptions: its type, its shape in storage and what clients are told of
// it follow from there.

const describe = (description: string, example: unknown, limits: object = {}) =>
  example === undefined ? { ...limits, description } : { ...limits, description, examples: [example] };

/**
 * The documents show `example` in answers, and where a client has to fill in such a value; `limits` are what the schema
 * says besides, such as a length or a default.
 */
export const text = (description: string, example?: string, limits?: StringOptions) =>
  Type.String(describe(description, example, limits));
export const integer = (description: string, example?: number, limits?: IntegerOptions) =>
  Type.Integer(describe(description, example, limits));
export const decimal = (description: string, example?: number, limits?: NumberOptions) =>
  Type.Number(describe(description, example, limits));
export const flag = (description: string, example?: boolean, limits?: SchemaOptions) =>
  Type.Boolean(describe(description, example, limits));
export const listOf = <T extends TSchema>(items: T, description: string) => Type.Array(items, { description });
export const orNull = <T extends TSchema>(schema: T, description: string, example?: Static<T> | null) =>
  Type.Union([schema, Type.Null()], describe(description, example));
export const textOrNull = (description: string, example?: string | null) => orNull(Type.String(), description, example);

/** One of some words, or null, where no document describes them. Null stands first: an empty row begins with it. */
export const literals = <const T extends string>(words: readonly T[], options: SchemaOptions = {}) =>
  Type.Union(
    words.map((word) => Type.Literal(word)),
    options,
  );
export const nullable = <T extends TSchema>(schema: T) => Type.Union([Type.Null(), schema]);

/** One of some words, and a plain text to the serializer, which would look at every word of a union. */
export const enumOf = <T extends string>(words: readonly T[], options: StringOptions) =>
  Type.Unsafe<T>(Type.String({ enum: [...words], ...options }));

/** One of some words. */
export const oneOf = <T extends string>(words: readonly T[], description: string, example?: T) =>
  literals(words, describe(description, example));

/** A named object schema; surfaces may make them in their own way. */
export type NamedObject = <T extends TProperties>(name: string, description: string, members: T) => TObject<T>;

export const object: NamedObject = (title, description, members) => Type.Object(members, { title, description });

type Frozen<V> = V extends (infer E)[]
  ? readonly Frozen<E>[]
  : V extends object
    ? { readonly [K in keyof V]: Frozen<V[K]> }
    : V;

/** The value of a schema, down to its last member only to be read. */
export type RecordOf<T extends TSchema> = Frozen<Static<T>>;

type Unsaid<T extends TObject> = { readonly [K in keyof Static<T> as null extends Static<T>[K] ? K : never]: null };

/** Null for every nullable member, so that a source states only the members it has. */
export const unsaidOf = <T extends TObject>({ properties }: T): Unsaid<T> =>
  // The schema alone decides: a nullable member is a union with null.
  Object.fromEntries(
    Object.entries<TSchema>(properties).flatMap(([name, { anyOf = [] }]) =>
      anyOf.some(({ type }: TSchema) => type === 'null') ? [[name, null]] : [],
    ),
  ) as Unsaid<T>;

/** A member that takes this value where it is missing. */
export const withDefault = <T extends TSchema>(schema: T, value: Static<T>): T & { readonly default: Static<T> } => ({
  ...schema,
  default: value,
});

type LaterOptional<P extends TProperties, First extends string> = {
  readonly [K in Exclude<keyof P, First>]: null extends Static<P[K]>
    ? TSchema
    : P[K] extends TOptional<TSchema>
      ? TSchema
      : { readonly default: unknown };
};

/**
 * An object that is stored as it is: `First` names the members of its first version. Every later one needs a default, or
 * may be null or missing; or it does not compile, because what was stored before lacks it.
 */
export const storedRecord =
  <First extends string>() =>
  <P extends TProperties>(members: P & LaterOptional<P, First>): TObject<P> =>
    Type.Object<P>(members);

const isNull = ({ type }: TSchema): boolean => type === 'null';

/** What stands for a member that an earlier version did not know: its default, or null; undefined: nothing does. */
const missingValue = ({ default: usual, anyOf = [] }: TSchema): unknown =>
  usual ?? (anyOf.some(isNull) ? null : undefined);

type Others = 'dropped' | 'kept';

/** Fills in what is missing below, as far as that can be done. `others`: what becomes of members that the schema lacks. */
const fillIn = (schema: TSchema, value: unknown, others: Others): unknown => {
  const { anyOf, items, properties, patternProperties } = schema;
  if (Array.isArray(value)) return items === undefined ? value : value.map((item) => fillIn(items, item, others));
  if (typeof value !== 'object' || value === null) return value;
  if (anyOf !== undefined) {
    const options = anyOf.map((option: TSchema) => [option, fillIn(option, value, others)] as const);
    return options.find(([option, made]: readonly [TSchema, unknown]) => Value.Check(option, made))?.[1] ?? value;
  }
  const own: Readonly<Record<string, unknown>> = { ...value };
  const [each] = Object.values<TSchema>(patternProperties ?? {});
  if (each !== undefined)
    return Object.fromEntries(Object.entries(own).map(([name, one]) => [name, fillIn(each, one, others)]));
  if (properties === undefined) return value;
  const isRequired = new Set<string>(schema.required);
  const members = Object.entries<TSchema>(properties).map(([name, member]) => {
    if (Object.hasOwn(own, name)) return [name, fillIn(member, own[name], others)];
    return [name, isRequired.has(name) ? missingValue(member) : undefined];
  });
  const known = Object.fromEntries(members.filter(([, made]) => made !== undefined));
  return others === 'kept' ? { ...own, ...known } : known;
};

/**
 * A value that a version without some members has stored, with their defaults, or null where they may be. Undefined: it
 * does not fit even so.
 */
export const completeStored = <T extends TSchema>(schema: T, stored: unknown): RecordOf<T> | undefined => {
  const value = fillIn(schema, stored, 'dropped');
  return Value.Check(schema, value) ? (value as RecordOf<T>) : undefined;
};

/**
 * Reads the texts of a state that the service stores for itself and writes back: completed in the same way, and with what
 * only a later version knows left in it, which may run beside this one. Null for a text that does not fit even so, of
 * which `onMisfit` learns the member.
 */
export const stateReader = <T extends TSchema>(schema: T) => {
  const check = TypeCompiler.Compile(schema);
  return (text: string, onMisfit: (member: string) => void = () => {}): RecordOf<T> | null => {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      onMisfit('not JSON');
      return null;
    }
    if (!check.Check(value)) value = fillIn(schema, value, 'kept');
    if (check.Check(value)) return value as RecordOf<T>;
    onMisfit(check.Errors(value).First()?.path ?? '');
    return null;
  };
};

/** A value made of what the members of a schema show. @throws Error for a member that shows nothing */
export function exampleOf<T extends TSchema>(schema: T): RecordOf<T>;
export function exampleOf(schema: TSchema): unknown {
  const { examples, const: only, properties, items, anyOf } = schema;
  if (Array.isArray(examples)) return examples[0];
  if (only !== undefined) return only;
  if (properties) {
    const members = Object.entries<TSchema>(properties).map(([name, member]) => [name, exampleOf(member)]);
    return Object.fromEntries(members);
  }
  if (items) return [exampleOf(items)];
  if (anyOf) return exampleOf(anyOf[0]);
  throw new Error(`nothing is shown for ${JSON.stringify(schema)}`);
}

/** A schema without what only people read; a member may bear any name, also one of these. */
const dropWords = (key: string, value: unknown): unknown =>
  (typeof value === 'string' && (key === 'description' || key === 'title')) ||
  (key === 'examples' && Array.isArray(value))
    ? undefined
    : value;

/**
 * Names the members of a stored value, in 31 bits: values of another shape are absent. `rule` grows where a parser makes
 * something else of the same members.
 */
export const shapeOf = (schema: TSchema, rule = 1): number =>
  createHash('sha256')
    .update(JSON.stringify([schema, rule], dropWords))
    .digest()
    .readUInt32BE() >>> 1;

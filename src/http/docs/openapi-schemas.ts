import { isRecord } from '../../lib/text.ts';

/**
 * Not every generator of clients understands what the checker and the serializer need, so the document says the same in
 * words that all of them know.
 */

type Schema = Record<string, unknown>;

export const mapValues = (node: unknown, change: (value: unknown) => unknown): Schema =>
  Object.fromEntries(Object.entries(Object(node)).map(([key, value]) => [key, change(value)]));

const isNull = (schema: unknown): boolean => isRecord(schema) && schema.type === 'null';

/** A value that is always null. Generators have no name for a type that is nothing else. */
const onlyNull = ({ type: _, ...rest }: Schema): Schema => ({ type: ['object', 'null'], maxProperties: 0, ...rest });

const literalsOf = (variants: readonly unknown[]): Schema | null => {
  const types = new Set<unknown>();
  const values = variants.flatMap((variant) => {
    if (!isRecord(variant) || !('const' in variant)) return [];
    types.add(variant.type);
    return [variant.const];
  });
  return values.length === variants.length && types.size === 1 ? { type: [...types][0], enum: values } : null;
};

/** `T or null` as one type with two names. What is referred to has no type to add to: null stands beside it. */
const withNull = (schema: unknown): Schema | null =>
  isRecord(schema) && typeof schema.type === 'string' && schema.title === undefined
    ? {
        ...schema,
        type: [schema.type, 'null'],
        ...(Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {}),
      }
    : null;

const union = ({ anyOf, ...rest }: Schema, variants: readonly unknown[]): Schema => {
  const literals = literalsOf(variants);
  if (literals) return { ...literals, ...rest };
  const others = variants.filter((variant) => !isNull(variant));
  if (others.length === variants.length) return { anyOf: variants, ...rest };
  const last = withNull(others.at(-1));
  if (last === null) return { anyOf: [...others, { type: 'null' }], ...rest };
  return others.length === 1 ? { ...last, ...rest } : { anyOf: [...others.slice(0, -1), last], ...rest };
};

/** A language whose numbers with and without a fraction are two types must be ready for both. */
const mayBeWhole = 'May come without a fraction: `1` for `1.0`.';

const number = (schema: Schema): Schema => ({
  ...schema,
  description: schema.description === undefined ? mayBeWhole : `${schema.description} ${mayBeWhole}`,
});

const types = (schema: Schema): readonly unknown[] => [schema.type].flat();

/** A set of an enumeration becomes Java that does not compile; the description says that each may be there once. */
const asList = ({ uniqueItems: _, ...rest }: Schema): Schema => rest;

/** Several languages have no type of one truth value, and make classes of it that do not compile. */
const withoutTruth = ({ const: _, ...rest }: Schema): Schema => rest;

const plain = ({ examples: _, ...schema }: Schema): Schema => {
  if (isNull(schema)) return onlyNull(schema);
  if (typeof schema.const === 'boolean') return withoutTruth(schema);
  if (schema.uniqueItems === true) return asList(schema);
  const made = Array.isArray(schema.anyOf) ? union(schema, schema.anyOf) : schema;
  // A variant has the remark already, unless the whole has its own description.
  const isRemarked = made !== schema && schema.description === undefined;
  return types(made).includes('number') && !isRemarked ? number(made) : made;
};

const eachWithin = (schema: unknown, change: (schema: Schema) => Schema): unknown => {
  if (!isRecord(schema)) return schema;
  const inner = (value: unknown) => eachWithin(value, change);
  const result: Schema = { ...schema };
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'properties') result[key] = mapValues(value, inner);
    else if (key === 'items' || key === 'additionalProperties') result[key] = inner(value);
    else if (key === 'anyOf' && Array.isArray(value))
      result[key] = value.map((each) => (isNull(each) ? each : inner(each)));
    // It says only that the member may be left out, which `required` says already.
    else if (key === 'default' && value === null) delete result[key];
  }
  return change(result);
};

/**
 * Go has one name space for the values of all enumerations: a second enumeration with the same values gets names with
 * the prefix of its surface.
 */
const withOwnNames = (schemas: ReadonlyArray<[string, Schema]>): Schema => {
  const taken = new Set<unknown>();
  const entries = schemas.map(([title, schema]): [string, Schema] => {
    const values: readonly unknown[] = Array.isArray(schema.enum) ? schema.enum : [];
    const isTaken = values.some((value) => taken.has(value));
    for (const value of values) taken.add(value);
    if (!isTaken) return [title, schema];
    return [title, { ...schema, 'x-enum-varnames': values.map((value) => `V1_${String(value).toUpperCase()}`) }];
  });
  return Object.fromEntries(entries);
};

/**
 * One with a `title` becomes a component, which is referred to from everywhere.
 * @throws Error when two different schemas have one title: they would silently describe each other
 */
export const createSchemas = (): { readonly use: (schema: unknown) => unknown; readonly components: () => Schema } => {
  const components = new Map<string, Schema>();
  const nameSchema = (schema: Schema): Schema => {
    const { title } = schema;
    if (typeof title !== 'string') return schema;
    const namesake = components.get(title);
    if (namesake !== undefined && JSON.stringify(namesake) !== JSON.stringify(schema)) {
      throw new Error(`two different schemas are called ${title}`);
    }
    components.set(title, schema);
    return { $ref: `#/components/schemas/${title}` };
  };
  return {
    use: (schema) => eachWithin(schema, (each) => nameSchema(plain(each))),
    components: () => withOwnNames([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
};

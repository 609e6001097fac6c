import { Kind, KindGuard, type Static, type TObject, type TSchema, Type, TypeRegistry } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { isRecord } from '../../lib/records.ts';
import { isSmallJson } from '../limits/json-structure.ts';
import { integerText, type Mode, numberText } from './findings.ts';

/** Checks the value by its schema once a text has been read as JSON; null passes. */
TypeRegistry.Set<TSchema>('ObjectOrJson', ({ object }, value) => value === null || Value.Check(object, value));

/** A nullable object that may also come as its JSON text; the checked value is the object. */
export const objectOrJson = <T extends TObject>(schema: T, options: { default: null; description: string }) =>
  Type.Unsafe<Static<T> | null>({
    ...Type.Union([schema, Type.String({ pattern: '^[ \\t\\n\\r]*\\{' }), Type.Null()], options),
    [Kind]: 'ObjectOrJson',
  });

const parts = Symbol('parts');
export const isOfParts = (schema: TSchema): boolean => Object.hasOwn(schema, parts);

/**
 * Marks the schema of a body whose members are separate bodies: each one is looked for by itself, also in what is
 * no object at all, and null is the same as left out.
 */
export const bodyOfParts = <T extends TObject>(schema: T): T => Object.assign(schema, { [parts]: true });

/** Stands for a body of another content type than JSON, which was not read. */
export const unreadBody = Symbol('unread body');

/** The parts of a body, with null for what was not sent. */
export const partsOf = (names: readonly string[], body: unknown): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, isRecord(body) && Object.hasOwn(body, name) ? body[name] : null]));

/** The value of a JSON text that may be parsed, or undefined: JSON knows no such value. */
export const parsed = (json: string): unknown => {
  if (!isSmallJson(json)) return undefined;
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
};

/**
 * A value of a lax body as the schema wants it, as far as the lax forms allow; the rest stays as it is and fails the
 * check. Objects are rebuilt from their declared members, and only own ones are looked at, so `__proto__` or
 * `constructor` in a body mean nothing. A missing member is there and undefined, so that it fails in its turn.
 */
const fromLax = (schema: TSchema, value: unknown): unknown => {
  const kind = schema[Kind];
  if (kind === 'ObjectOrJson') {
    if (typeof value !== 'string') return fromLax(schema.object, value);
    const object = fromLax(schema.object, parsed(value));
    return Value.Check(schema.object, object) ? object : value;
  }
  if (KindGuard.IsObject(schema)) {
    if (!isRecord(value)) return value;
    const nothing = isOfParts(schema) ? null : undefined;
    const result: Record<string, unknown> = {};
    for (const [name, member] of Object.entries(schema.properties)) {
      const sent = Object.hasOwn(value, name) ? value[name] : member.default;
      result[name] = sent === undefined || sent === nothing ? undefined : fromLax(member, sent);
    }
    return result;
  }
  if (KindGuard.IsUnion(schema)) {
    const [first = schema] = value === null ? [] : schema.anyOf;
    return first === schema ? value : fromLax(first, value);
  }
  const form = kind === 'Integer' ? integerText : kind === 'Number' ? numberText : null;
  if (form === null) return value;
  if (typeof value === 'boolean') return Number(value);
  const text = typeof value === 'string' ? value.trim() : '';
  return form.test(text) ? Number(text.replaceAll('_', '')) : value;
};

const textForms: Readonly<Record<string, readonly [form: RegExp, convert: (text: string) => unknown]>> = {
  integer: [/^[+-]?\d+$/, Number],
  number: [/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/, Number],
  boolean: [/^(?:true|false)$/, (text) => text === 'true'],
};

/** The form of a member, or of the first variant that has one. */
const textFormOf = (member: TSchema): (typeof textForms)[string] | undefined =>
  KindGuard.IsUnion(member)
    ? member.anyOf.map(textFormOf).find((form) => form !== undefined)
    : textForms[String(member.type)];

/**
 * Members that stand as text in an address, as the schema wants them; absent ones get their default. What is not
 * wholly of the wanted form stays as it is and fails the check: `1.5` is no integer, and neither is `true`.
 */
const fromText = (schema: TSchema, input: unknown): unknown => {
  const value: unknown = Value.Default(schema, Value.Clone(input));
  if (typeof value !== 'object' || value === null || !KindGuard.IsObject(schema)) return value;
  for (const [name, member] of Object.entries(schema.properties)) {
    const given: unknown = Reflect.get(value, name);
    const form = textFormOf(member);
    if (form && typeof given === 'string' && form[0].test(given)) Reflect.set(value, name, form[1](given));
  }
  return value;
};

export const readers: Readonly<Record<Mode, (schema: TSchema, value: unknown) => unknown>> = {
  strict: (_schema, value) => value,
  lax: fromLax,
  text: fromText,
};

import { Kind, KindGuard, type TSchema } from '@sinclair/typebox';

/**
 * How a part of a request is read. `strict`: as it is. `lax`: numbers may also come as text or as booleans. `text`: the
 * parts that only know text (path, query, headers).
 */
export type Mode = 'strict' | 'lax' | 'text';

type Loc = ReadonlyArray<string | number>;

/** What is wrong with one value. */
export interface Wrong {
  readonly type: string;
  readonly msg: string;
  /** The limit that was broken. */
  readonly ctx?: Readonly<Record<string, unknown>>;
}

/** What is wrong, and where. */
export interface Finding extends Wrong {
  /** Source (`body`, `query`, `path`, `header`), then member names and array indexes. */
  readonly loc: Loc;
  /** What was sent there; for a missing member what should hold it. It may be a secret: never send or log it as it is. */
  readonly value?: unknown;
}

/** A request that does not fit its schemas, with all its findings. Neither the message nor the stack repeats a value. */
export class RequestInvalid extends Error {
  readonly findings: readonly Finding[];

  constructor(findings: readonly Finding[]) {
    super('request does not fit its schema');
    this.name = 'RequestInvalid';
    this.findings = findings;
  }
}

/** The forms of text that are read as numbers in lax bodies. */
export const integerText = /^[+-]?\d+(?:_\d+)*(?:\.0*)?$/;
export const numberText = /^[+-]?(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+)?$/i;

/** Whether a text has more than so many characters, counted in code points as clients count them. */
const isLonger = (text: string, characters: number): boolean =>
  text.length > characters && (text.length > 2 * characters || Array.from(text).length > characters);

/** Marks a text that counts without blanks at its ends. */
export const trimmed = 'x-trimmed';

/** What is wrong with a value that should be a text, or null: lengths count characters, not UTF-16 units. */
export const wrongText = (schema: TSchema, sent: unknown): Wrong | null => {
  if (typeof sent !== 'string') return { type: 'string_type', msg: 'Input should be a valid string' };
  const { minLength, maxLength, pattern } = schema;
  const value = schema[trimmed] === true ? sent.trim() : sent;
  if (typeof minLength === 'number' && minLength > 0 && !isLonger(value, minLength - 1)) {
    return { type: 'string_too_short', msg: `String should have at least ${minLength} characters` };
  }
  if (typeof maxLength === 'number' && isLonger(value, maxLength)) {
    return { type: 'string_too_long', msg: `String should have at most ${maxLength} characters` };
  }
  if (typeof pattern === 'string' && !new RegExp(pattern).test(value)) {
    return { type: 'string_pattern_mismatch', msg: `String should match pattern '${pattern}'` };
  }
  return null;
};

const beyondLimits = ({ minimum, maximum }: TSchema, number: number): Wrong | null => {
  if (typeof minimum === 'number' && number < minimum) {
    const msg = `Input should be greater than or equal to ${minimum}`;
    return { type: 'greater_than_equal', msg, ctx: { ge: minimum } };
  }
  if (typeof maximum === 'number' && number > maximum) {
    const msg = `Input should be less than or equal to ${maximum}`;
    return { type: 'less_than_equal', msg, ctx: { le: maximum } };
  }
  return null;
};

const notFinite: Wrong = { type: 'finite_number', msg: 'Input should be a finite number' };

const wrongInteger = (schema: TSchema, sent: unknown, read: unknown, mode: Mode): Wrong => {
  const msg = 'Input should be a valid integer';
  if (Number.isInteger(read)) return beyondLimits(schema, Number(read)) ?? { type: 'int_type', msg };
  if (mode !== 'lax') return { type: 'int_parsing', msg };
  if (typeof sent === 'number') {
    return Number.isFinite(sent)
      ? { type: 'int_from_float', msg: `${msg}, got a number with a fractional part` }
      : notFinite;
  }
  // Digits without end read as infinite.
  if (typeof read === 'number') return beyondLimits(schema, read) ?? notFinite;
  if (typeof sent !== 'string') return { type: 'int_type', msg };
  return { type: 'int_parsing', msg: `${msg}, unable to parse string as an integer` };
};

const wrongNumber = (schema: TSchema, sent: unknown, read: unknown, mode: Mode): Wrong => {
  const msg = 'Input should be a valid number';
  const beyond = typeof read === 'number' ? beyondLimits(schema, read) : null;
  if (beyond !== null && (mode === 'lax' || Number.isFinite(read))) return beyond;
  if (mode === 'lax' && typeof read === 'number') return notFinite;
  if (mode === 'lax' && typeof sent === 'string') {
    return { type: 'float_parsing', msg: `${msg}, unable to parse string as a number` };
  }
  return { type: 'float_type', msg };
};

const notListed: Wrong = { type: 'enum', msg: 'Input should be one of the listed values' };

/** `reason` is for people; the shape is the one that the clients of lax bodies know. */
export const wrongValue = (reason: string): Wrong => ({
  type: 'value_error',
  msg: `Value error, ${reason}`,
  ctx: { error: {} },
});

/** A nullable member is wrong as its other variant is; a choice of literals is a list. */
const wrongUnion = (schema: TSchema, sent: unknown, read: unknown, mode: Mode): Wrong => {
  const variants: readonly TSchema[] = KindGuard.IsUnion(schema) ? schema.anyOf : [];
  const [first, ...others] = variants.filter((variant) => !KindGuard.IsNull(variant));
  if (first === undefined) return notListed;
  if (!KindGuard.IsLiteral(first)) return wrongAt(first, sent, read, mode);
  if (mode !== 'lax') return notListed;
  if (typeof sent !== 'string') return { type: 'string_type', msg: 'Input should be a valid string' };
  return wrongValue(`must be one of ${[first, ...others].map(({ const: value }) => value).join(', ')}`);
};

const notAnObject: Wrong = {
  type: 'model_attributes_type',
  msg: 'Input should be a valid dictionary or object to extract fields from',
};

const wrongList = ({ maxItems }: TSchema, sent: unknown): Wrong =>
  Array.isArray(sent) && sent.length > Number(maxItems)
    ? { type: 'too_long', msg: `List should have at most ${maxItems} items` }
    : { type: 'list_type', msg: 'Input should be a valid list' };

const missing: Wrong = { type: 'missing', msg: 'Field required' };

/** For each kind of schema, what is wrong with a value that does not fit it: as it was sent, and as the mode reads it. */
const table: Readonly<Record<string, (schema: TSchema, sent: unknown, read: unknown, mode: Mode) => Wrong>> = {
  String: (schema, sent) => wrongText(schema, sent) ?? notAnObject,
  Text: (schema, sent) => wrongText(schema, sent) ?? notAnObject,
  Integer: wrongInteger,
  Number: wrongNumber,
  Boolean: () => ({ type: 'bool_type', msg: 'Input should be a valid boolean' }),
  Literal: () => notListed,
  Union: wrongUnion,
  Object: () => notAnObject,
  Array: wrongList,
};

/** Whether there are words for schemas of this kind. */
export const isDescribed = (kind: string): boolean => Object.hasOwn(table, kind);

/** What is wrong with a value that does not fit `schema`. What was not sent at all is missing, whatever is wanted. */
export const wrongAt = (schema: TSchema, sent: unknown, read: unknown, mode: Mode): Wrong =>
  sent === undefined ? missing : (table[schema[Kind]]?.(schema, sent, read, mode) ?? notAnObject);

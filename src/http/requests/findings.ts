import { Kind, KindGuard, type StringOptions, type TSchema, type TString, Type } from '@sinclair/typebox';
import type { Words } from '../languages.ts';

/** `lax`: numbers may also come as text or as booleans. `text`: path, query and headers, which only know text. */
export type Mode = 'strict' | 'lax' | 'text';

type Loc = ReadonlyArray<string | number>;

/** The limit that was broken, by the name that clients of lax bodies know. */
export type LimitDetail = Readonly<Record<string, unknown>>;

export interface Wrong {
  readonly type: string;
  readonly msg: Words;
  readonly ctx?: LimitDetail;
}

export interface RequestFinding extends Wrong {
  /** Source (`body`, `query`, `path`, `header`), then member names and array indexes. */
  readonly loc: Loc;
  /** The value at that place; for a missing member the value that should hold it. It may be a secret: never send or log it. */
  readonly value?: unknown;
}

/** Neither the message nor the stack repeats a value. */
export class RequestInvalid extends Error {
  readonly findings: readonly RequestFinding[];

  constructor(findings: readonly RequestFinding[]) {
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

const words = Symbol('words');

/** A text with a pattern. `looks` says for people what it looks like: a regular expression tells them nothing. */
export const withPattern = (options: StringOptions & { readonly pattern: string }, looks: Words): TString =>
  Object.assign(Type.String(options), { [words]: looks });

const notText: Wrong = { type: 'string_type', msg: { en: 'Input should be a valid string', zh: '应为字符串' } };

/** Null: nothing is wrong. Lengths count characters, not UTF-16 units. */
export const wrongText = (schema: TSchema, sent: unknown): Wrong | null => {
  if (typeof sent !== 'string') return notText;
  const { minLength, maxLength, pattern } = schema;
  const value = schema[trimmed] === true ? sent.trim() : sent;
  if (typeof minLength === 'number' && minLength > 0 && !isLonger(value, minLength - 1)) {
    const msg = { en: `String should have at least ${minLength} characters`, zh: `至少需要 ${minLength} 个字符` };
    return { type: 'string_too_short', msg, ctx: { min_length: minLength } };
  }
  if (typeof maxLength === 'number' && isLonger(value, maxLength)) {
    const msg = { en: `String should have at most ${maxLength} characters`, zh: `最多 ${maxLength} 个字符` };
    return { type: 'string_too_long', msg, ctx: { max_length: maxLength } };
  }
  if (typeof pattern === 'string' && !new RegExp(pattern).test(value)) {
    return { type: 'string_pattern_mismatch', msg: Object(schema)[words], ctx: { pattern } };
  }
  return null;
};

const beyondLimits = ({ minimum, maximum }: TSchema, number: number): Wrong | null => {
  if (typeof minimum === 'number' && number < minimum) {
    const msg = { en: `Input should be greater than or equal to ${minimum}`, zh: `应大于或等于 ${minimum}` };
    return { type: 'greater_than_equal', msg, ctx: { ge: minimum } };
  }
  if (typeof maximum === 'number' && number > maximum) {
    const msg = { en: `Input should be less than or equal to ${maximum}`, zh: `应小于或等于 ${maximum}` };
    return { type: 'less_than_equal', msg, ctx: { le: maximum } };
  }
  return null;
};

const notFinite: Wrong = { type: 'finite_number', msg: { en: 'Input should be a finite number', zh: '应为有限的数' } };

const wrongInteger = (schema: TSchema, sent: unknown, read: unknown, mode: Mode): Wrong => {
  const msg = { en: 'Input should be a valid integer', zh: '应为整数' };
  if (Number.isInteger(read)) return beyondLimits(schema, Number(read)) ?? { type: 'int_type', msg };
  if (mode !== 'lax') return { type: 'int_parsing', msg };
  if (typeof sent === 'number') {
    return Number.isFinite(sent)
      ? {
          type: 'int_from_float',
          msg: { en: `${msg.en}, got a number with a fractional part`, zh: `${msg.zh}，收到的数带有小数部分` },
        }
      : notFinite;
  }
  // Digits without end read as infinite.
  if (typeof read === 'number') return beyondLimits(schema, read) ?? notFinite;
  if (typeof sent !== 'string') return { type: 'int_type', msg };
  const unread = { en: `${msg.en}, unable to parse string as an integer`, zh: `${msg.zh}，无法将文本解析为整数` };
  return { type: 'int_parsing', msg: unread };
};

const wrongNumber = (schema: TSchema, sent: unknown, read: unknown, mode: Mode): Wrong => {
  const msg = { en: 'Input should be a valid number', zh: '应为数字' };
  const beyond = typeof read === 'number' ? beyondLimits(schema, read) : null;
  if (beyond !== null && (mode === 'lax' || Number.isFinite(read))) return beyond;
  if (mode === 'lax' && typeof read === 'number') return notFinite;
  if (mode === 'lax' && typeof sent === 'string') {
    const unread = { en: `${msg.en}, unable to parse string as a number`, zh: `${msg.zh}，无法将文本解析为数字` };
    return { type: 'float_parsing', msg: unread };
  }
  return { type: 'float_type', msg };
};

export const notListed = (expected: readonly string[]): Wrong => ({
  type: 'enum',
  msg: { en: `Input should be one of ${expected.join(', ')}`, zh: `应为以下之一：${expected.join('、')}` },
  ctx: { expected },
});

/** `reason` is for people; the shape is the one that the clients of lax bodies know. */
export const wrongValue = (reason: Words): Wrong => ({
  type: 'value_error',
  msg: { en: `Value error, ${reason.en}`, zh: `值有误，${reason.zh}` },
  ctx: { error: {} },
});

/** A nullable member is wrong as its other variant is; a choice of literals is a list. */
const wrongUnion = (schema: TSchema, sent: unknown, read: unknown, mode: Mode): Wrong => {
  const variants: readonly TSchema[] = KindGuard.IsUnion(schema) ? schema.anyOf : [];
  const [first, ...others] = variants.filter((variant) => !KindGuard.IsNull(variant));
  if (first !== undefined && !KindGuard.IsLiteral(first)) return wrongAt(first, sent, read, mode);
  const values = first === undefined ? [] : [first, ...others].map(({ const: value }) => String(value));
  if (mode !== 'lax') return notListed(values);
  if (typeof sent !== 'string') return notText;
  return wrongValue({ en: `must be one of ${values.join(', ')}`, zh: `应为以下之一：${values.join('、')}` });
};

export const notAnObject: Wrong = {
  type: 'model_attributes_type',
  msg: { en: 'Input should be a valid dictionary or object to extract fields from', zh: '应为对象' },
};
export const unknownName: Wrong = {
  type: 'extra_forbidden',
  msg: { en: 'Extra inputs are not permitted', zh: '不支持此参数' },
};
export const missing: Wrong = { type: 'missing', msg: { en: 'Field required', zh: '缺少必填字段' } };
/** The decoder's words are fixed: the runtime's own quote the body. */
export const malformedJson: Wrong = {
  type: 'json_invalid',
  msg: { en: 'JSON decode error', zh: '请求体不是有效的 JSON' },
};

const wrongList = ({ minItems, maxItems }: TSchema, sent: unknown): Wrong => {
  if (!Array.isArray(sent)) return { type: 'list_type', msg: { en: 'Input should be a valid list', zh: '应为列表' } };
  const items = (count: number): string => `${count} ${count === 1 ? 'item' : 'items'}`;
  if (sent.length > Number(maxItems)) {
    const en = `List should have at most ${items(Number(maxItems))}`;
    return { type: 'too_long', msg: { en, zh: `最多 ${maxItems} 项` }, ctx: { max_length: Number(maxItems) } };
  }
  if (sent.length < Number(minItems)) {
    const en = `List should have at least ${items(Number(minItems))}`;
    return { type: 'too_short', msg: { en, zh: `至少 ${minItems} 项` }, ctx: { min_length: Number(minItems) } };
  }
  return { type: 'not_unique', msg: { en: 'List should not have an item twice', zh: '各项不应重复' } };
};

/** By kind of schema. `sent`: the value as it came; `read`: as the mode reads it. */
const table: Readonly<Record<string, (schema: TSchema, sent: unknown, read: unknown, mode: Mode) => Wrong>> = {
  String: (schema, sent) => wrongText(schema, sent) ?? notAnObject,
  Text: (schema, sent) => wrongText(schema, sent) ?? notAnObject,
  Integer: wrongInteger,
  Number: wrongNumber,
  Boolean: () => ({ type: 'bool_type', msg: { en: 'Input should be a valid boolean', zh: '应为布尔值' } }),
  Literal: ({ const: value }) => notListed([String(value)]),
  Union: wrongUnion,
  Object: () => notAnObject,
  Array: wrongList,
};

export const isDescribed = (schema: TSchema): boolean =>
  Object.hasOwn(table, schema[Kind]) && (schema.pattern === undefined || words in schema);

/** Names the fault of a value that does not fit `schema`. A value that was not sent is missing, for any schema. */
export const wrongAt = (schema: TSchema, sent: unknown, read: unknown, mode: Mode): Wrong =>
  sent === undefined ? missing : (table[schema[Kind]]?.(schema, sent, read, mode) ?? notAnObject);

import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { Kind, KindGuard, type Static, type TObject, type TSchema, Type, TypeRegistry } from '@sinclair/typebox';
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler';
import type { ValueError } from '@sinclair/typebox/errors';
import { Value } from '@sinclair/typebox/value';
import type {
  FastifyRequest,
  FastifySchemaCompiler,
  FastifyTypeProvider,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteGenericInterface,
} from 'fastify';
import { isRecord, pointerNames } from '../../lib/text.ts';
import { isSmallJson } from '../limits/json-structure.ts';
import {
  integerText,
  isDescribed,
  type Mode,
  numberText,
  type RequestFinding,
  RequestInvalid,
  wrongAt,
  wrongText,
  wrongValue,
} from './findings.ts';

/** The checker knows no other place for kinds of schemas than its registry. */
const registerKinds = (): void => {
  // The checker's own texts count UTF-16 units, and clients count characters.
  TypeRegistry.Set<TSchema>('Text', (schema, value) => wrongText(schema, value) === null);
  // Checks the value by its schema once a text has been read as JSON; null passes.
  TypeRegistry.Set<TSchema>('ObjectOrJson', ({ object }, value) => value === null || Value.Check(object, value));
};

/** The schema as it is checked. @throws Error at start for one whose findings have no words */
const prepare = <S extends TSchema>(schema: S): S => {
  const kind = schema[Kind];
  if (kind === 'ObjectOrJson') {
    const [object] = schema.anyOf;
    return { ...schema, object: prepare(object) };
  }
  if (KindGuard.IsObject(schema)) {
    const members = Object.entries(schema.properties).map(([name, member]) => [name, prepare(member)]);
    return { ...schema, properties: Object.fromEntries(members) };
  }
  if (KindGuard.IsArray(schema)) return { ...schema, items: prepare(schema.items) };
  if (KindGuard.IsUnion(schema)) return { ...schema, anyOf: schema.anyOf.map(prepare) };
  if (!KindGuard.IsNull(schema) && !isDescribed(schema)) {
    throw new Error(`requests can not be checked against the schema ${JSON.stringify(schema)}`);
  }
  const limited = KindGuard.IsString(schema) && ('minLength' in schema || 'maxLength' in schema);
  return limited ? { ...schema, [Kind]: 'Text' } : schema;
};

const maxFindings = 50;

const follow = (root: unknown, names: readonly string[]) => {
  const loc: Array<string | number> = [];
  let sent = root;
  let holder: unknown;
  for (const name of names) {
    loc.push(Array.isArray(sent) ? Number(name) : name);
    holder = sent;
    sent = typeof sent === 'object' && sent !== null && Object.hasOwn(sent, name) ? Reflect.get(sent, name) : undefined;
  }
  return { loc, sent, holder };
};

interface ValidatedPlace {
  readonly root: unknown;
  readonly loc: ReadonlyArray<string | number>;
  readonly mode: Mode;
}

/** An object is reported below the name of its schema, with a last finding that it is no text either. */
const objectOrJsonFindings = (
  { object }: TSchema,
  sent: unknown,
  read: unknown,
  at: ValidatedPlace['loc'],
): RequestFinding[] => {
  if (typeof sent === 'string') {
    const unread = isSmallJson(sent)
      ? { en: 'not a JSON text', zh: '不是有效的 JSON 文本' }
      : { en: 'the JSON text is too large', zh: 'JSON 文本过大' };
    const misfit = { en: 'the JSON text does not fit the schema', zh: 'JSON 文本不符合要求的结构' };
    const reason = parseSmallJson(sent) === undefined ? unread : misfit;
    return [{ ...wrongValue(reason), loc: at, value: sent }];
  }
  // Without the prefix that tells the schemas of the two surfaces apart in the document.
  const name = String(object.title).replace(/^V\d+/, '');
  const place: ValidatedPlace = { root: sent, loc: [...at, name], mode: 'lax' };
  const notText = { ...wrongAt(Type.String(), sent, sent, 'lax'), loc: [...at, 'str'], value: sent };
  return [...findingsOf(Value.Errors(object, read), place), notText];
};

/** The findings in the order of the checker, one for each place: it reports a missing member twice. */
const findingsOf = (errors: Iterable<ValueError>, place: ValidatedPlace): RequestFinding[] => {
  const byPath = new Map<string, readonly RequestFinding[]>();
  for (const { path, schema, value: read } of errors) {
    if (byPath.size >= maxFindings) break;
    const { loc, sent, holder } = follow(place.root, pointerNames(path));
    const at = [...place.loc, ...loc];
    if (schema[Kind] === 'ObjectOrJson') byPath.set(path, objectOrJsonFindings(schema, sent, read, at));
    else {
      const found = wrongAt(schema, read === undefined ? undefined : sent, read, place.mode);
      byPath.set(path, [{ ...found, loc: at, value: sent === undefined ? holder : sent }]);
    }
  }
  return [...byPath.values()].flat();
};

type TypeOf<S> = (TypeBoxTypeProvider & { readonly schema: S })['validator'];

/** The framework's type provider, for routes that may leave out a part: it has no schema then, and may be anything. */
export interface RequestTypes extends FastifyTypeProvider {
  readonly validator: TypeOf<NonNullable<this['schema']>>;
}

/** The type of a part of a request that was checked against its schema, as the framework's type provider tells it. */
export type Validated<S extends TSchema> = FastifyRequest<
  RouteGenericInterface,
  RawServerDefault,
  RawRequestDefaultExpression,
  { readonly body: S },
  TypeBoxTypeProvider
>['body'];

export type ValidationResult<T> = { readonly value: T } | { readonly error: RequestInvalid };
export type Check<T> = (value: unknown) => ValidationResult<T>;

/** Where a checked value came from; the first item of every `loc`. */
export type RequestSource = 'body' | 'query' | 'path' | 'header';

const sources: Readonly<Record<string, RequestSource>> = {
  body: 'body',
  querystring: 'query',
  params: 'path',
  headers: 'header',
};

/** The findings come all at once. */
export const compileCheck = <S extends TSchema>(schema: S, source: RequestSource, mode: Mode): Check<Static<S>> => {
  registerKinds();
  const own = prepare(schema);
  // Compiled when the first value comes by: a start waits for none of them.
  let made: TypeCheck<TSchema> | null = null;
  const partNames = isOfParts(own) ? Object.keys(own.properties) : null;
  return (input) => {
    // The reader of the bodies of a surface may have found the fault already.
    if (input instanceof RequestInvalid) return { error: input };
    const root = partNames === null ? input : bodyPartsOf(partNames, input);
    const value: unknown = valueReaders[mode](own, root);
    made ??= TypeCompiler.Compile(own);
    const compiled = made;
    if (compiled.Check(value)) return { value };
    const isAbsent = root === undefined || root === null;
    const findings = isAbsent
      ? [{ ...wrongAt(own, undefined, undefined, mode), loc: [source], value: null }]
      : findingsOf(compiled.Errors(value), { root, loc: [source], mode });
    return { error: new RequestInvalid(findings) };
  };
};

/** Bodies are read in the mode of the surface; an address or a header is text everywhere. */
export const createValidator =
  (bodies: 'strict' | 'lax'): FastifySchemaCompiler<TSchema> =>
  ({ schema, httpPart }) => {
    const source = sources[httpPart ?? 'body'];
    if (source === undefined) throw new Error(`requests have no part ${httpPart}`);
    return compileCheck(schema, source, source === 'body' ? bodies : 'text');
  };

/** For routes whose schema only documents: forms, which have their own parser, and addresses that were signed. */
export const uncheckedRoute: FastifySchemaCompiler<unknown> = () => () => true;

/** A nullable object that may also come as its JSON text; the checked value is the object. */
export const objectOrJson = <T extends TObject>(schema: T, options: { default: null; description: string }) =>
  Type.Unsafe<Static<T> | null>({
    ...Type.Union([schema, Type.String({ pattern: '^[ \\t\\n\\r]*\\{' }), Type.Null()], options),
    [Kind]: 'ObjectOrJson',
  });

const parts = Symbol('parts');
export const isOfParts = (schema: TSchema): boolean => Object.hasOwn(schema, parts);

/** Reads each member as a separate body: it is looked for also in what is no object, and null is the same as left out. */
export const bodyOfParts = <T extends TObject>(schema: T): T => Object.assign(schema, { [parts]: true });

/** Stands for a body of another content type than JSON, which was not read. */
export const unreadBody = Symbol('unread body');

/** The parts of a body, with null for what was not sent. */
export const bodyPartsOf = (names: readonly string[], body: unknown): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, isRecord(body) && Object.hasOwn(body, name) ? body[name] : null]));

/** The value of a JSON text that may be parsed, or undefined: JSON knows no such value. */
export const parseSmallJson = (json: string): unknown => {
  if (!isSmallJson(json)) return undefined;
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
};

/**
 * Reads a value of a lax body as far as the lax forms allow; the rest stays and fails the check. Only own members that
 * are declared are looked at, so `__proto__` or `constructor` in a body mean nothing. A missing member is there and
 * undefined, so that it fails in its turn.
 */
const fromLax = (schema: TSchema, value: unknown): unknown => {
  const kind = schema[Kind];
  if (kind === 'ObjectOrJson') {
    if (typeof value !== 'string') return fromLax(schema.object, value);
    const object = fromLax(schema.object, parseSmallJson(value));
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

const textFormOf = (member: TSchema): (typeof textForms)[string] | undefined =>
  KindGuard.IsUnion(member)
    ? member.anyOf.map(textFormOf).find((form) => form !== undefined)
    : textForms[String(member.type)];

/**
 * Absent members get their default. What is not wholly of the wanted form stays and fails the check: `1.5` is no
 * integer, and neither is `true`.
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

export const valueReaders: Readonly<Record<Mode, (schema: TSchema, value: unknown) => unknown>> = {
  strict: (_schema, value) => value,
  lax: fromLax,
  text: fromText,
};

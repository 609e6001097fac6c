import { KindGuard, type Static, type TSchema } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors';
import { Value } from '@sinclair/typebox/value';

/** Where a checked value came from; the first item of every `loc`. */
export type Source = 'body' | 'query' | 'path' | 'header';

export interface Finding {
  readonly loc: ReadonlyArray<string | number>;
  readonly msg: string;
  readonly type: string;
}

/** A request that does not fit its model. The findings name members and kinds and never repeat a value. */
export class RequestInvalid extends Error {
  readonly findings: readonly Finding[];

  constructor(findings: readonly Finding[]) {
    super('request does not fit its model');
    this.name = 'RequestInvalid';
    this.findings = findings;
  }
}

const maxFindings = 50;

const locOf = (pointer: string, root: unknown, source: Source): Array<string | number> => {
  const loc: Array<string | number> = [source];
  let at = root;
  for (const raw of pointer.split('/').slice(1)) {
    const name = raw.replaceAll('~1', '/').replaceAll('~0', '~');
    const isIndex = Array.isArray(at);
    loc.push(isIndex ? Number(name) : name);
    at = typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined;
  }
  return loc;
};

/** Lengths are counted in characters, not in UTF-16 units as the checker counts them. */
const isShortEnough = (error: ValueError): boolean =>
  error.type === ValueErrorType.StringMaxLength &&
  typeof error.value === 'string' &&
  Array.from(error.value).length <= Number(error.schema.maxLength);

const describe = (error: ValueError): { type: string; msg: string } => {
  const { schema } = error;
  switch (error.type) {
    case ValueErrorType.ObjectRequiredProperty:
      return { type: 'missing', msg: 'Field required' };
    case ValueErrorType.String:
      return { type: 'string_type', msg: 'Input should be a valid string' };
    case ValueErrorType.StringMinLength:
      return { type: 'string_too_short', msg: `String should have at least ${schema.minLength} characters` };
    case ValueErrorType.StringMaxLength:
      return { type: 'string_too_long', msg: `String should have at most ${schema.maxLength} characters` };
    case ValueErrorType.StringPattern:
      return { type: 'string_pattern_mismatch', msg: `String should match pattern '${schema.pattern}'` };
    case ValueErrorType.Integer:
      return { type: 'int_parsing', msg: 'Input should be a valid integer' };
    case ValueErrorType.Number:
      return { type: 'float_type', msg: 'Input should be a valid number' };
    case ValueErrorType.Boolean:
      return { type: 'bool_type', msg: 'Input should be a valid boolean' };
    case ValueErrorType.IntegerMinimum:
    case ValueErrorType.NumberMinimum:
      return { type: 'greater_than_equal', msg: `Input should be greater than or equal to ${schema.minimum}` };
    case ValueErrorType.IntegerMaximum:
    case ValueErrorType.NumberMaximum:
      return { type: 'less_than_equal', msg: `Input should be less than or equal to ${schema.maximum}` };
    case ValueErrorType.Literal:
      return { type: 'enum', msg: 'Input should be one of the listed values' };
    default:
      return {
        type: 'model_attributes_type',
        msg: 'Input should be a valid dictionary or object to extract fields from',
      };
  }
};

/** A nullable member fails as its non-null variant does; a choice of literals is an enumeration. */
const describeUnion = (variants: readonly ValueError[][]): { type: string; msg: string } => {
  const telling = variants.flatMap(([first]) => (first && first.type !== ValueErrorType.Null ? [first] : []));
  const [first] = telling;
  if (first === undefined || telling.some(({ type }) => type === ValueErrorType.Literal)) {
    return { type: 'enum', msg: 'Input should be one of the listed values' };
  }
  return describe(first);
};

/** What is wrong at the place of this error, or null when only the unit of length was. */
const verdict = (error: ValueError): { type: string; msg: string } | null => {
  if (error.type !== ValueErrorType.Union) return isShortEnough(error) ? null : describe(error);
  const variants = error.errors.map((iterator) => [...iterator]);
  return variants.some((errors) => errors.every(isShortEnough)) ? null : describeUnion(variants);
};

const findingsOf = (errors: Iterable<ValueError>, value: unknown, source: Source): Finding[] => {
  if (source === 'body' && (value === undefined || value === null)) {
    return [{ loc: ['body'], msg: 'Field required', type: 'missing' }];
  }
  const byPath = new Map<string, Finding>();
  for (const error of errors) {
    if (byPath.size >= maxFindings) break;
    // The checker reports a missing member twice: as missing, and as of the wrong type.
    if (byPath.has(error.path)) continue;
    const found = verdict(error);
    if (found) byPath.set(error.path, { loc: locOf(error.path, value, source), ...found });
  }
  return [...byPath.values()];
};

const textForms: Readonly<Record<string, readonly [form: RegExp, convert: (text: string) => unknown]>> = {
  integer: [/^[+-]?\d+$/, Number],
  number: [/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/, Number],
  boolean: [/^(?:true|false|1|0)$/i, (text) => /^(?:true|1)$/i.test(text)],
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

/**
 * Compiles the check of one part of a request. Bodies are taken strictly: nothing is coerced and unknown members are
 * left alone. The parts that arrive as text (query, path, headers) are converted first.
 * The check returns the typed value; it throws RequestInvalid with all findings at once.
 */
export const compileCheck = <S extends TSchema>(schema: S, source: Source): ((value: unknown) => Static<S>) => {
  const compiled = TypeCompiler.Compile(schema);
  const accepts = (value: unknown): value is Static<S> => {
    if (compiled.Check(value)) return true;
    const findings = findingsOf(compiled.Errors(value), value, source);
    if (findings.length > 0) throw new RequestInvalid(findings);
    return true;
  };
  return (input) => {
    const value = source === 'body' ? input : fromText(schema, input);
    if (!accepts(value)) throw new RequestInvalid([]);
    return value;
  };
};

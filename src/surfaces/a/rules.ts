import { KindGuard, type TSchema } from '@sinclair/typebox';
import { isSmallJson } from '../../platform/json-structure.ts';
import { echo } from './echo.ts';
import { notAnObject, type ValidationItem } from './invalid-body.ts';

export type Loc = readonly (string | number)[];

/**
 * Reads one value: appends an item per defect to `items` and returns the converted value. What it returns after a
 * defect is not used.
 */
export type Rule = (value: unknown, loc: Loc, items: ValidationItem[]) => unknown;

interface Bounds {
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const nameOf = (loc: Loc): string => {
  const last = loc[loc.length - 1];
  return typeof last === 'string' ? last : '';
};

const defect = (type: string, msg: string, value: unknown, loc: Loc): ValidationItem => ({
  type,
  loc,
  msg,
  ...echo(value, nameOf(loc)),
});

const wrongValue = (reason: string, value: unknown, loc: Loc): ValidationItem => ({
  ...defect('value_error', `Value error, ${reason}`, value, loc),
  ctx: { error: {} },
});

const within = (number: number, { minimum, maximum }: Bounds, value: unknown, loc: Loc, items: ValidationItem[]) => {
  if (minimum !== undefined && number < minimum) {
    const msg = `Input should be greater than or equal to ${minimum}`;
    items.push({ ...defect('greater_than_equal', msg, value, loc), ctx: { ge: minimum } });
  } else if (maximum !== undefined && number > maximum) {
    const msg = `Input should be less than or equal to ${maximum}`;
    items.push({ ...defect('less_than_equal', msg, value, loc), ctx: { le: maximum } });
  }
  return number;
};

/** Numbers and booleans never become strings: `2023000001` as a number is a client error that must be seen. */
const text: Rule = (value, loc, items) => {
  if (typeof value !== 'string') items.push(defect('string_type', 'Input should be a valid string', value, loc));
  return value;
};

const integerText = /^[+-]?\d+(?:_\d+)*(?:\.0*)?$/;
const numberText = /^[+-]?(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+)?$/i;

const integer =
  (bounds: Bounds): Rule =>
  (value, loc, items) => {
    const msg = 'Input should be a valid integer';
    if (typeof value === 'boolean') return within(Number(value), bounds, value, loc, items);
    if (typeof value === 'number') {
      if (Number.isInteger(value)) return within(value, bounds, value, loc, items);
      // `1e400` is valid JSON and reads as infinite: finite it is not, and a fractional part it has not.
      if (!Number.isFinite(value)) {
        items.push(defect('finite_number', 'Input should be a finite number', value, loc));
      } else {
        items.push(defect('int_from_float', `${msg}, got a number with a fractional part`, value, loc));
      }
      return value;
    }
    if (typeof value === 'string') {
      const trimmed = value.trim();
      if (integerText.test(trimmed)) return within(Number(trimmed.replaceAll('_', '')), bounds, value, loc, items);
      items.push(defect('int_parsing', `${msg}, unable to parse string as an integer`, value, loc));
      return value;
    }
    items.push(defect('int_type', msg, value, loc));
    return value;
  };

const number =
  (bounds: Bounds): Rule =>
  (value, loc, items) => {
    const msg = 'Input should be a valid number';
    if (typeof value === 'boolean' || typeof value === 'number') {
      return within(Number(value), bounds, value, loc, items);
    }
    if (typeof value === 'string') {
      const trimmed = value.trim();
      if (numberText.test(trimmed)) return within(Number(trimmed.replaceAll('_', '')), bounds, value, loc, items);
      items.push(defect('float_parsing', `${msg}, unable to parse string as a number`, value, loc));
      return value;
    }
    items.push(defect('float_type', msg, value, loc));
    return value;
  };

/** One of a few texts; the choice is made in code, so a wrong one is a wrong value and not a wrong type. */
const choice =
  (allowed: readonly string[]): Rule =>
  (value, loc, items) => {
    if (typeof value !== 'string') return text(value, loc, items);
    if (!allowed.includes(value)) items.push(wrongValue(`must be one of ${allowed.join(', ')}`, value, loc));
    return value;
  };

const nullable =
  (rule: Rule): Rule =>
  (value, loc, items) =>
    value === null ? null : rule(value, loc, items);

interface Member {
  readonly name: string;
  readonly rule: Rule;
  /** A member with a default may be left out. */
  readonly fallback: { readonly value: unknown } | null;
}

/** Only declared members are looked at, and only own ones, so `__proto__` or `constructor` in a body mean nothing. */
const object =
  (members: readonly Member[]): Rule =>
  (value, loc, items) => {
    if (!isRecord(value)) {
      items.push(defect('model_attributes_type', notAnObject, value, loc));
      return value;
    }
    const result: Record<string, unknown> = {};
    for (const { name, rule, fallback } of members) {
      if (Object.hasOwn(value, name)) {
        result[name] = rule(value[name], [...loc, name], items);
      } else if (fallback !== null) {
        result[name] = fallback.value;
      } else {
        items.push({ type: 'missing', loc: [...loc, name], msg: 'Field required', ...echo(value) });
      }
    }
    return result;
  };

/** The value of a JSON text that may be parsed, or undefined: JSON knows no such value. */
const parsed = (json: string): unknown => {
  if (!isSmallJson(json)) return undefined;
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
};

/**
 * An object, or a text that holds it as JSON. Every reading that was tried reports its defects: those of the object
 * below its name, and that it is no text; a text only says that it is the wrong one.
 */
const objectOrJson = (name: string, rule: Rule): Rule => {
  return (value, loc, items) => {
    if (typeof value !== 'string') {
      const before = items.length;
      const result = rule(value, [...loc, name], items);
      if (items.length > before) text(value, [...loc, 'str'], items);
      return result;
    }
    const content = parsed(value);
    const defects: ValidationItem[] = [];
    const result = content === undefined ? undefined : rule(content, loc, defects);
    if (content === undefined)
      items.push(wrongValue(isSmallJson(value) ? 'not a JSON text' : 'the JSON text is too large', value, loc));
    else if (defects.length > 0) items.push(wrongValue('the JSON text does not fit the schema', value, loc));
    return result;
  };
};

/** The name of a schema without the prefix that only tells the surfaces' documents apart. */
const plainName = (schema: TSchema): string => (schema.title ?? '').replace(/^V1/, '');

const unionRule = (variants: readonly TSchema[]): Rule | null => {
  const literals = variants.flatMap((each) =>
    KindGuard.IsLiteral(each) && typeof each.const === 'string' ? [each.const] : [],
  );
  if (literals.length === variants.length) return choice(literals);
  const last = variants.at(-1);
  if (last && KindGuard.IsNull(last) && variants.length > 1) {
    const [only, ...more] = variants.slice(0, -1);
    const rule = more.length === 0 && only ? ruleOf(only) : unionRule(variants.slice(0, -1));
    return rule && nullable(rule);
  }
  const [first, second, ...others] = variants;
  if (first && second && others.length === 0 && KindGuard.IsObject(first) && KindGuard.IsString(second)) {
    return objectOrJson(plainName(first), ruleOf(first));
  }
  return null;
};

/**
 * The rule that a request schema describes, so that what is documented and what is checked cannot differ.
 * @throws Error at start for a schema that no rule fits
 */
export const ruleOf = (schema: TSchema): Rule => {
  if (KindGuard.IsString(schema)) return text;
  if (KindGuard.IsInteger(schema)) return integer(schema);
  if (KindGuard.IsNumber(schema)) return number(schema);
  if (KindGuard.IsObject(schema)) {
    return object(
      Object.entries(schema.properties).map(([name, member]) => ({
        name,
        rule: ruleOf(member),
        fallback: Object.hasOwn(member, 'default') ? { value: member.default } : null,
      })),
    );
  }
  if (KindGuard.IsUnion(schema)) {
    const rule = unionRule(schema.anyOf);
    if (rule) return rule;
  }
  throw new Error(`no validation rule for the schema ${JSON.stringify(schema)}`);
};

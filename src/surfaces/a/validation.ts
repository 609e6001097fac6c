import type { Static, TObject } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import type { ReceivedBody } from './body.ts';
import { echo } from './echo.ts';
import { InvalidBody, malformedJson, notAnObject, type ValidationItem } from './invalid-body.ts';
import { ruleOf } from './rules.ts';

/** `plain`: the body is the object. `wrapped`: it holds one object per member, each with its own location prefix. */
export type BodyForm = 'plain' | 'wrapped';

/** @throws InvalidBody with every defect of the body, in schema order */
export type BodyReader<T> = (body: ReceivedBody) => T;

const missing = (loc: readonly string[]): ValidationItem => ({
  type: 'missing',
  loc,
  msg: 'Field required',
  input: null,
});

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const objectOf = (body: ReceivedBody): unknown => {
  if (body.kind === 'malformed') throw new InvalidBody([malformedJson(body.offset)]);
  if (body.kind === 'absent' || (body.kind === 'json' && body.value === null))
    throw new InvalidBody([missing(['body'])]);
  if (body.kind === 'text') {
    throw new InvalidBody([{ type: 'model_attributes_type', loc: ['body'], msg: notAnObject }]);
  }
  if (!isRecord(body.value)) {
    throw new InvalidBody([{ type: 'model_attributes_type', loc: ['body'], msg: notAnObject, ...echo(body.value) }]);
  }
  return body.value;
};

/** Members of a wrapped body that are missing or null are both simply missing; anything but an object has neither. */
const membersOf = (body: ReceivedBody): Record<string, unknown> => {
  if (body.kind === 'malformed') throw new InvalidBody([malformedJson(body.offset)]);
  return body.kind === 'json' && isRecord(body.value) ? body.value : {};
};

const plainReader = (schema: TObject): ((body: ReceivedBody) => unknown) => {
  const rule = ruleOf(schema);
  return (body) => {
    const items: ValidationItem[] = [];
    const value = rule(objectOf(body), ['body'], items);
    if (items.length > 0) throw new InvalidBody(items);
    return value;
  };
};

const wrappedReader = (schema: TObject): ((body: ReceivedBody) => unknown) => {
  const rules = Object.entries(schema.properties).map(([name, member]) => ({ name, rule: ruleOf(member) }));
  return (body) => {
    const members = membersOf(body);
    const items: ValidationItem[] = [];
    const result: Record<string, unknown> = {};
    for (const { name, rule } of rules) {
      const value = Object.hasOwn(members, name) ? members[name] : null;
      if (value === null) items.push(missing(['body', name]));
      else result[name] = rule(value, ['body', name], items);
    }
    if (items.length > 0) throw new InvalidBody(items);
    return result;
  };
};

/**
 * Validation of one operation's body: lax where the clients rely on it (an integer may come as `"2"`), complete in
 * what it reports, and typed by the schema that is also documented.
 */
export const bodyReader = <T extends TObject>(schema: T, form: BodyForm): BodyReader<Static<T>> => {
  const read = form === 'plain' ? plainReader(schema) : wrappedReader(schema);
  const documented = TypeCompiler.Compile(schema);
  return (body) => {
    const value = read(body);
    if (!documented.Check(value)) throw new Error('a converted body does not fit its schema');
    return value;
  };
};

import type { DocumentedOperation } from '../support/openapi-operations.ts';

/** Literal JSON that stands in for each member of a body in turn. */
const jsonTexts: readonly string[] = [
  'null',
  'true',
  'false',
  '0',
  '1',
  '-1',
  '2.0',
  '1.5',
  '101',
  '1e400',
  '9007199254740993',
  '""',
  '" "',
  '"1"',
  '" 2 "',
  '"2."',
  '"1_0"',
  '"+3"',
  '"-1"',
  '"1.5"',
  '"1e2"',
  '".5"',
  '"0x1"',
  '"１"',
  '"true"',
  '"{}"',
  '"{\\"theme\\":1}"',
  '"a\\u0000b"',
  '"😀😀"',
  '"\\ud800"',
  `"${'x'.repeat(51)}"`,
  `"${'字'.repeat(101)}"`,
  `"${'x'.repeat(300)}"`,
  '[]',
  '[1]',
  '{}',
  '{"a":1}',
];

/** As they stand in an address. */
const pathTexts: readonly string[] = [
  '',
  '%20',
  '0',
  '1',
  '-1',
  '1.5',
  '101',
  '1e1',
  '+1',
  '%D9%A3',
  'x',
  'light',
  '2024-2025-2',
  '2024-2025-2-1',
  '%E5%AD%97',
  '%F0%9F%98%80',
  '..',
  '%2e%2e',
  'a%2Fb',
  'a;b',
  '%00',
  '%ff',
  '%',
  'x'.repeat(100),
  'x'.repeat(101),
  'x'.repeat(300),
];

/** A token is no text to be read further, and stands in nearly every body. */
const tokenTexts: readonly string[] = ['null', '0', 'true', '""', '"x"', '[]', '{}'];

/** Any text may be a password; what is tried goes to the campus, and costs its student a try. */
const passwordTexts: readonly string[] = [
  'null',
  'true',
  '1',
  '""',
  '" "',
  '"1"',
  '"a\\u0000b"',
  '"😀😀"',
  '"\\ud800"',
  `"${'x'.repeat(300)}"`,
  '[]',
  '{}',
];

/** For a member or parameter that asks the same as one that an earlier operation has met all texts with. */
const fewJsonTexts: ReadonlySet<string> = new Set(['null', '1.5', '""', '[]']);
const fewPathTexts: ReadonlySet<string> = new Set(['', 'x', '..', '%00', 'x'.repeat(300)]);

// biome-ignore lint/suspicious/noExplicitAny: a generic document, walked by its own structure
type Json = any;

/** The type and the names of the constraints; at the bounds themselves `test/socket/fuzz.test.ts` asks everywhere. */
const asks = ({ description: _d, title: _t, example: _e, examples: _s, ...constraints }: Json): Json => [
  constraints.type,
  Object.keys(constraints).sort(),
];

/** A text, and whether it is tried. */
type Choice = readonly [text: string, isTried: boolean];

const everyOne = (texts: readonly string[]): Choice[] => texts.map((text) => [text, true]);
const chosen = (texts: readonly string[], few: ReadonlySet<string>): Choice[] =>
  texts.map((text) => [text, few.has(text)]);

/** All texts for the first member of its kind on a surface, a few for the others. */
export class OddTexts {
  readonly #document: Json;
  readonly #firsts = new Map<string, string>();

  constructor(document: Json) {
    this.#document = document;
  }

  /** @param at the names on the way to the member of the body */
  ofMember({ method, path, bodySchema }: DocumentedOperation, at: readonly string[]): readonly Choice[] {
    const schema = at.reduce((around, each) => this.#resolved(around)?.properties?.[each], bodySchema);
    const name = at.at(-1);
    const isToken = name === 'token';
    const isPassword = name === 'password' || name === 'vpn_password';
    const all = isToken ? tokenTexts : isPassword ? passwordTexts : jsonTexts;
    const kind = isToken || isPassword ? `body ${name}` : 'body';
    return this.#isFirst(kind, schema, `${method} ${path} ${at.join('.')}`) ? everyOne(all) : chosen(all, fewJsonTexts);
  }

  ofParameter({ method, path, parameters }: DocumentedOperation, name: string): readonly Choice[] {
    const parameter = parameters.find((each) => each.name === name);
    const isFirst = this.#isFirst(parameter?.in ?? '', parameter?.schema, `${method} ${path} ${name}`);
    return isFirst ? everyOne(pathTexts) : chosen(pathTexts, fewPathTexts);
  }

  /** Whether no earlier operation has met everything that can be wrong with this part of a request. */
  isFirstWith(part: string, { method, path, needsToken, multipart, bodyExample }: DocumentedOperation): boolean {
    const takes = [needsToken && 'a token', multipart ? 'a form' : bodyExample !== null && 'a body'];
    return this.#isFirst(part, takes, `${method} ${path}`);
  }

  #isFirst(place: string, schema: Json, owner: string): boolean {
    if (schema === undefined) return true;
    const kind = `${place} ${JSON.stringify(asks(this.#resolved(schema)))}`;
    const first = this.#firsts.get(kind) ?? owner;
    this.#firsts.set(kind, first);
    return first === owner;
  }

  #resolved(schema: Json): Json {
    if (schema?.allOf?.length === 1) return this.#resolved(schema.allOf[0]);
    if (schema?.$ref === undefined) return schema;
    return this.#resolved(this.#document.components.schemas[schema.$ref.split('/').pop()]);
  }
}

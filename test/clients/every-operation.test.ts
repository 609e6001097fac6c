import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, operations } from '../../clients/typescript/src/index.ts';
import { appUnderTest } from '../support/app.ts';
import { compiler, hasTools, needsTools } from '../support/tools.ts';

type Json = Record<string, unknown>;
interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly example?: unknown;
  readonly $ref?: string;
}
interface Described {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Record<string, { readonly examples?: { request?: { value: Json } } }> };
  readonly responses: Record<string, { readonly content?: object; readonly headers?: object }>;
}

const { app } = await appUnderTest();
const document = (await app.inject('/openapi.json')).json();
const described = Object.entries<Record<string, Described>>(document.paths).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([, { responses }]) => Object.hasOwn(responses['200']?.content ?? {}, 'application/json'))
    // An answer that suggests the name of a file is one, and the client has no method for it.
    .filter(([, { responses }]) => !Object.hasOwn(responses['200']?.headers ?? {}, 'Content-Disposition'))
    .map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
);

const tokenMembers = ['token', 'AuthmeRequest'];
const given = (parameters: readonly Parameter[], place: string): Json =>
  Object.fromEntries(parameters.filter((each) => each.in === place).map(({ name, example }) => [name, example ?? 'x']));

/** The example of a call in the description, as input of the client. */
const inputOf = ({ parameters = [], requestBody }: Described): Json => {
  const all: Parameter[] = parameters.map(({ $ref, ...own }) =>
    $ref === undefined ? own : document.components.parameters[$ref.split('/').at(-1) ?? ''],
  );
  const { 'application/json': json } = requestBody?.content ?? {};
  const { 'If-None-Match': _, ...headers } = given(all, 'header');
  const body = Object.entries(json?.examples?.request?.value ?? {}).filter(([name]) => !tokenMembers.includes(name));
  const parts = { path: given(all, 'path'), query: given(all, 'query'), headers, body: Object.fromEntries(body) };
  return Object.fromEntries(Object.entries(parts).filter(([, values]) => Object.keys(values).length > 0));
};
const isUpload = ({ requestBody }: Described): boolean => 'multipart/form-data' in (requestBody?.content ?? {});

it('the client has every operation that answers JSON, and no other', () => {
  expect(Object.keys(operations).toSorted()).toEqual(described.map(({ operationId }) => operationId).toSorted());
});

it.each(described)('$operationId sends what the description shows', async (operation) => {
  const sent: Array<{ url: string; init: RequestInit }> = [];
  const client: unknown = createClient({
    baseUrl: 'https://campus.example',
    token: 'T',
    fetch: async (url, init = {}) => {
      sent.push({ url: String(url), init });
      return Response.json({ success: true, code: 200, data: {}, message: '' });
    },
  });
  const file = { file: new Blob(['x']) };
  const input = isUpload(operation) ? file : inputOf(operation);
  const answer = await Object(client)[operation.operationId](input);
  expect(answer).toMatchObject({ accepted: true });
  const [{ url, init } = { url: '', init: {} }] = sent;
  const { path = {}, query = {}, headers = {}, body } = inputOf(operation);
  const filled = operation.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(Object(path)[name]));
  expect([init.method, new URL(url).pathname]).toEqual([operation.method, filled]);
  const asked = Object.fromEntries(new URL(url).searchParams);
  expect(asked).toEqual(
    Object.fromEntries(Object.entries(Object(query)).map(([name, value]) => [name, String(value)])),
  );
  expect(init.headers).toMatchObject(Object(headers));
  if (isUpload(operation)) {
    expect([...(init.body instanceof FormData ? init.body.keys() : [])]).toHaveLength(1);
    return;
  }
  const json = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
  const shown = operation.requestBody?.content['application/json']?.examples?.request?.value ?? {};
  const token = 'token' in shown ? { token: 'T' } : 'AuthmeRequest' in shown ? { AuthmeRequest: { token: 'T' } } : {};
  const whole = body === undefined && Object.keys(token).length === 0 ? undefined : { ...Object(body), ...token };
  expect(json).toEqual(whole);
});

describe.skipIf(!hasTools)(`the types of the client (${needsTools})`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'campus-every-'));
  beforeAll(() => writeFileSync(join(folder, 'package.json'), '{"type":"module"}'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const options =
    '--ignoreConfig --strict --noEmit --exactOptionalPropertyTypes --noUncheckedIndexedAccess --allowImportingTsExtensions --module nodenext --target es2022 --lib es2022,dom --types';
  const compiled = (lines: readonly string[]): string => {
    const source = JSON.stringify(join(import.meta.dirname, '../../clients/typescript/src/index.ts'));
    const head = [
      `import type { CampusClient, Data, OperationId } from ${source};`,
      'declare const campus: CampusClient;',
    ];
    writeFileSync(join(folder, 'program.ts'), [...head, ...lines].join('\n'));
    try {
      return execFileSync(process.execPath, [compiler, ...options.split(' '), '', join(folder, 'program.ts')], {
        encoding: 'utf8',
        timeout: 120_000,
      });
    } catch (error) {
      return String(Object(error).stdout);
    }
  };

  it('take every example of the description, and give every success a type', () => {
    const calls = described.map((operation) => {
      const input = isUpload(operation) ? '{ file: new Blob([]) }' : JSON.stringify(inputOf(operation));
      return `campus.${operation.operationId}(${input === '{}' ? '' : input});`;
    });
    const types = [
      'type Untyped<Id extends OperationId> = [Data<Id>] extends [never] ? Id : unknown extends Data<Id> ? Id : never;',
      'export const none: [{ [Id in OperationId]: Untyped<Id> }[OperationId]] extends [never] ? true : false = true;',
    ];
    expect(compiled([...calls, ...types])).toBe('');
  }, 150_000);

  it('refuse a call without what its path needs, and a member that is not described', () => {
    const needy = described.filter(({ path }) => path.includes('{')).map(({ operationId }) => operationId);
    const calls = [
      ...needy.map((id) => `campus.${id}();`),
      ...described.filter((each) => !isUpload(each)).map(({ operationId: id }) => `campus.${id}({ nothing: 1 });`),
    ];
    const refused = new Set([...compiled(calls).matchAll(/program\.ts\((\d+),/g)].map(([, line]) => Number(line) - 3));
    expect(calls.filter((_, at) => !refused.has(at))).toEqual([]);
  }, 150_000);
});

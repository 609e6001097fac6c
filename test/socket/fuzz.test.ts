import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AnswerSchemas, answerSchemas } from '../support/answer-schemas.ts';
import { second } from '../support/campus-rig.ts';
import { type Answer, type Gateway, startGateway } from '../support/gateway-rig.ts';
import { type DocumentedOperation, withToken } from '../support/openapi-operations.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape are made here
type Json = any;

const ROUNDS = 6;

/** A small seeded generator: a failure can be run again. */
const generator = (seed: number) => {
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  return { random, pick };
};

const strange: readonly Json[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e21,
  -0,
  Number.MAX_SAFE_INTEGER,
  '',
  ' ',
  '0',
  'NaN',
  '../../etc/passwd',
  "'; drop table users; --",
  '%00%ff',
  '\u0000\u0007',
  '𝔘𝔫𝔦𝔠𝔬𝔡𝔢 ‮ right-to-left',
  '\ud800',
  'x'.repeat(5_000),
  [],
  [[[[]]]],
  {},
  { $ref: '#' },
  { constructor: { prototype: { admin: true } } },
  { toString: 1, valueOf: null, hasOwnProperty: 'x' },
];

const texts = strange.filter((value): value is string => typeof value === 'string');

/** Values at, just inside and just outside the limits that a schema states. */
const edgesOf = (schema: Json): Json[] => {
  const variants: Json[] = schema?.anyOf ?? schema?.allOf ?? [];
  if (variants.length > 0) return variants.flatMap(edgesOf);
  const around = (limit: unknown, made: (size: number) => Json): Json[] =>
    typeof limit === 'number' ? [limit - 1, limit, limit + 1].map(made) : [];
  const text = (size: number) => '文'.repeat(Math.min(Math.max(size, 0), 20_000));
  if (schema?.type === 'string')
    return ['', null, ...around(schema.minLength, text), ...around(schema.maxLength, text)];
  if (schema?.type === 'integer' || schema?.type === 'number') {
    return [0, -1, 0.5, null, ...around(schema.minimum, Number), ...around(schema.maximum, Number)];
  }
  return schema?.type === 'boolean' ? ['true', 0, null] : [null, [], {}];
};

const withPart = (name: string, value: string | Blob): FormData => {
  const form = new FormData();
  if (typeof value === 'string') form.set(name, value);
  else form.set(name, value, 'x.png');
  return form;
};

describe('every operation under arbitrary input', () => {
  let gateway: Gateway;
  let token: string;
  let schemas: AnswerSchemas;
  let answered = 0;

  beforeAll(async () => {
    const generous = { anonymousPerMinute: 1e9, knownPerMinute: 1e9 };
    gateway = await startGateway({ app: { limits: generous } });
    token = await gateway.register(second);
    schemas = answerSchemas(gateway.app);
  });
  afterAll(() => gateway.close());

  const check = async (operation: DocumentedOperation, response: Response, sent: string): Promise<void> => {
    answered += 1;
    const text = await response.text();
    const where = `${operation.method} ${operation.path} ← ${sent.slice(0, 300)} → ${response.status} ${text.slice(0, 300)}`;
    expect(response.status, where).not.toBe(500);
    expect(response.headers.get('x-trace-id'), where).toMatch(/^[0-9a-f]{32}$/);
    if (response.status === 204 || response.status === 307) return;
    const type = response.headers.get('content-type') ?? '';
    if (!type.includes('json')) {
      expect(operation.answers.get(String(response.status)), where).toBeUndefined();
      return;
    }
    const body = JSON.parse(text);
    const findings = schemas.findings(operation, response.status, body);
    if (findings !== null) {
      expect(findings, where).toBe('');
      return;
    }
    // Answers of no operation: 404 and 405 of the router, 413 of the reader.
    expect([404, 405, 413], where).toContain(response.status);
    if (operation.surface === 'a') expect(Object.keys(body), where).toEqual(['detail']);
    else expect(Object.keys(body), where).toEqual(['success', 'message', 'data', 'error', 'timestamp']);
  };

  const pathOf = (operation: DocumentedOperation, value: (name: string, example: Json) => string): string => {
    const query = operation.parameters
      .filter((parameter) => parameter.in === 'query')
      .map(({ name, example }) => `${name}=${encodeURIComponent(value(name, example ?? '1'))}`)
      .join('&');
    const path = operation.path.replaceAll(/\{([^}]+)\}/g, (_all, name) => {
      const parameter = operation.parameters.find((one) => one.name === name);
      return encodeURIComponent(value(name, parameter?.example ?? 'x'));
    });
    return query === '' ? path : `${path}?${query}`;
  };

  const mutate = (example: Json, next: ReturnType<typeof generator>): Json => {
    const copy = structuredClone(example);
    const holders: Json[] = [copy];
    const walk = (value: Json) => {
      if (typeof value !== 'object' || value === null) return;
      holders.push(value);
      for (const member of Object.values(value)) walk(member);
    };
    walk(copy);
    for (let i = 0; i < 1 + Math.floor(next.random() * 3); i += 1) {
      const holder = next.pick(holders.filter((one) => typeof one === 'object' && one !== null));
      const keys = Object.keys(holder ?? {});
      if (!holder || keys.length === 0) continue;
      const key = next.pick(keys);
      if (key === 'token' && next.random() < 0.7) continue;
      if (next.random() < 0.25) delete holder[key];
      else holder[key] = next.pick(strange);
      if (next.random() < 0.2) holder[next.pick(['extra', 'constructor', '__proto__x', 'data'])] = next.pick(strange);
    }
    return copy;
  };

  const wellFormed = (text: string): string => text.toWellFormed();

  it('answers in its documented shape and never with an internal error', async () => {
    const next = generator(20_261_121);
    const { operations } = schemas;
    for (const operation of operations) {
      // Ending the own account or token in mid-run would leave nothing to fuzz with.
      if (/logout|account/.test(operation.path)) continue;
      for (let round = 0; round < ROUNDS; round += 1) {
        const path = wellFormed(
          pathOf(operation, (_name, example) =>
            round % 3 === 0
              ? String(example)
              : wellFormed(next.random() < 0.5 ? next.pick(texts).slice(0, 200) : String(example)),
          ),
        );
        const headers: Record<string, string> = {};
        if (operation.surface === 'b' && operation.needsToken) {
          headers.authorization = next.pick([
            `Bearer ${token}`,
            `Bearer ${token}`,
            `bearer ${token}`,
            'Basic x',
            'Bearer ',
          ]);
        }
        let body: string | undefined;
        if (operation.bodyExample !== null && operation.method !== 'GET') {
          headers['content-type'] = next.pick([
            'application/json',
            'application/json',
            'application/json; charset=utf-8',
            'text/plain',
          ]);
          const own = withToken(operation.bodyExample, token);
          body = next.pick([
            () => JSON.stringify(mutate(own, next)),
            () => JSON.stringify(mutate(own, next)),
            () => JSON.stringify(next.pick(strange)),
            () => JSON.stringify(own).slice(0, Math.floor(next.random() * 60)),
            () => `{"__proto__":${JSON.stringify(own)},"token":"x"}`,
          ])();
        } else if (operation.method !== 'GET' && next.random() < 0.5) {
          headers['content-type'] = 'application/json';
          body = next.pick(['', '{', '[]', 'x']);
        }
        const response = await fetch(gateway.url + path, {
          method: operation.method,
          redirect: 'manual',
          headers,
          ...(body === undefined || operation.method === 'GET' ? {} : { body }),
        });
        await check(operation, response, `${path} ${body ?? ''}`);
      }
    }
    expect(answered).toBeGreaterThan(operations.length * ROUNDS * 0.7);
    expect(gateway.log()).not.toContain('"level":"fatal"');
  }, 300_000);

  const isSafe = ({ path }: DocumentedOperation) => !/logout|account/.test(path);

  const checkAnswer = (operation: DocumentedOperation, answer: Answer, sent: string): void => {
    const where = `${operation.method} ${operation.path} ← ${sent.slice(0, 200)} → ${answer.status} ${answer.text.slice(0, 300)}`;
    expect(answer.status, where).not.toBe(500);
    if (operation.surface === 'a') expect(answer.body.code, where).not.toBe(500);
    // 404 and 413 belong to the router and the reader, not to one operation.
    expect(['', ...([404, 413].includes(answer.status) ? [null] : [])], where).toContain(
      schemas.findings(operation, answer.status, answer.body),
    );
  };

  it('every member at the limits of its schema is taken or refused in the documented shape', async () => {
    let tried = 0;
    for (const operation of schemas.operations.filter((each) => isSafe(each) && each.bodyExample !== null)) {
      const body = withToken(operation.bodyExample, token);
      for (const [name, schema] of Object.entries<Json>(operation.bodySchema?.properties ?? {})) {
        if (name === 'token' || name === 'AuthmeRequest') continue;
        for (const edge of edgesOf(schema)) {
          const sent = { ...body, [name]: edge };
          const path = operation.path.replaceAll(/\{[^}]+\}/g, 'x');
          const answer =
            operation.surface === 'a'
              ? await gateway.a(path.slice('/api/v1'.length), sent)
              : await gateway.b(operation.method, path, { token, body: sent });
          checkAnswer(operation, answer, JSON.stringify(sent));
          tried += 1;
        }
      }
    }
    expect(tried).toBeGreaterThan(50);
  });

  it('every form is taken or refused in the documented shape', async () => {
    const forms: ReadonlyArray<[name: string, make: () => FormData]> = [
      ['empty', () => new FormData()],
      ['a text where a file is due', () => withPart('avatar_update_request', 'text')],
      ['an unknown part', () => withPart('__proto__', new Blob(['x'], { type: 'image/png' }))],
      ['a file that is no image', () => withPart('avatar_update_request', new Blob(['x'], { type: 'image/png' }))],
      ['an empty file', () => withPart('background_image_upload', new Blob([], { type: 'image/png' }))],
    ];
    for (const operation of schemas.operations.filter(({ multipart }) => multipart)) {
      for (const [name, make] of forms) {
        checkAnswer(operation, await gateway.form(operation.method, operation.path, token, make()), name);
      }
    }
  });

  it('and writes no token, password or student id into the log', () => {
    const log = gateway.log();
    expect(log).toContain('"msg":"request"');
    for (const secret of [token, second.password, second.vpnPassword, second.userid]) expect(log).not.toContain(secret);
  });
});

import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AnswerSchemas, answerSchemas } from '../support/answer-schemas.ts';
import { second } from '../support/campus-rig.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { type DocumentedOperation, withToken } from '../support/openapi-operations.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape are made here
type Json = any;

const ROUNDS = 9;

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
    // What belongs to no operation: 404 and 405 of the router, 413 of the reader.
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

  const raw = (bytes: string | Buffer): Promise<string> =>
    new Promise((resolve) => {
      const { hostname, port } = new URL(gateway.url);
      const socket = connect(Number(port), hostname);
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1');
      });
      socket.on('close', () => resolve(text));
      socket.on('error', () => resolve(text));
      socket.end(bytes);
    });

  it('survives what is hardly HTTP, and goes on serving', async () => {
    const get = 'GET /alive HTTP/1.1\r\nHost: x\r\n';
    const inputs = [
      'nonsense\r\n\r\n',
      'GET /alive HTTP/1.1\r\n\r\n',
      `${get}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello`,
      `${get}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n`,
      `${get}Authorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n`,
      `${get}X: ${'y'.repeat(70_000)}\r\n\r\n`,
      `${get}\r\n${get}\r\n${get}Connection: close\r\n\r\n`,
      'POST /api/v1/user/authme HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"token":',
      Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01]),
    ];
    const answers = await Promise.all(inputs.map(raw));
    for (const answer of answers) expect(answer).not.toContain('HTTP/1.1 500');
    expect(answers[6]?.match(/HTTP\/1\.1 200/g)).toHaveLength(3);
    expect((await gateway.b('GET', '/alive')).status).toBe(200);
  });
});

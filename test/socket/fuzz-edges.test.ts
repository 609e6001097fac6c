import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AnswerSchemas, answerSchemas } from '../support/answer-schemas.ts';
import { first } from '../support/campus-rig.ts';
import { type Answer, type Gateway, startGateway } from '../support/gateway-rig.ts';
import { type DocumentedOperation, withToken } from '../support/openapi-operations.ts';
import { RawConnection } from '../support/raw-connection.ts';

// biome-ignore lint/suspicious/noExplicitAny: schemas and bodies of every shape are walked here
type Json = any;

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

describe('every operation at the edges of its own schema', () => {
  let gateway: Gateway;
  let schemas: AnswerSchemas;
  let token: string;

  beforeAll(async () => {
    const most = Number.MAX_SAFE_INTEGER;
    const limits = { anonymousPerMinute: most, knownPerMinute: most };
    gateway = await startGateway({ app: { limits } });
    schemas = answerSchemas(gateway.app);
    token = await gateway.register(first);
  });
  afterAll(() => gateway.close());

  const isSafe = ({ path }: DocumentedOperation) => !/logout|account/.test(path);

  const check = (operation: DocumentedOperation, answer: Answer, sent: string): void => {
    const where = `${operation.method} ${operation.path} ← ${sent.slice(0, 200)} → ${answer.status} ${answer.text.slice(0, 300)}`;
    expect(answer.status, where).not.toBe(500);
    if (operation.surface === 'a') expect(answer.body.code, where).not.toBe(500);
    // 404 and 413 belong to the router and the reader, not to one operation.
    expect(['', ...([404, 413].includes(answer.status) ? [null] : [])], where).toContain(
      schemas.findings(operation, answer.status, answer.body),
    );
  };

  it('takes or refuses each member in its documented shape', async () => {
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
          check(operation, answer, JSON.stringify(sent));
          tried += 1;
        }
      }
    }
    expect(tried).toBeGreaterThan(50);
  });

  it('takes or refuses each form', async () => {
    const forms: ReadonlyArray<[name: string, make: () => FormData]> = [
      ['empty', () => new FormData()],
      ['a text where a file is due', () => withPart('avatar_update_request', 'text')],
      ['an unknown part', () => withPart('__proto__', new Blob(['x'], { type: 'image/png' }))],
      ['a file that is no image', () => withPart('avatar_update_request', new Blob(['x'], { type: 'image/png' }))],
      ['an empty file', () => withPart('background_image_upload', new Blob([], { type: 'image/png' }))],
    ];
    for (const operation of schemas.operations.filter(({ multipart }) => multipart)) {
      for (const [name, make] of forms) {
        check(operation, await gateway.form(operation.method, operation.path, token, make()), name);
      }
    }
  });

  it('answers pipelined calls of both surfaces in order, and a doubled header once', async () => {
    const body = JSON.stringify({ token });
    const a = `POST /api/v1/user/authme HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const b = `GET /auth/authme/token HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nAuthorization: Bearer other\r\n`;
    const connection = await RawConnection.open(Number(new URL(gateway.url).port));
    connection.send(`${a}${a}${b}Connection: close\r\n\r\n`);
    const received = await connection.untilClosed();
    expect(received.match(/HTTP\/1\.1 \d+/g)).toHaveLength(3);
    expect(received.match(/"is_logged_in":true/g)).toHaveLength(2);
    expect(received).not.toContain('HTTP/1.1 500');
    expect(received.lastIndexOf('"timestamp"')).toBeGreaterThan(received.lastIndexOf('"is_logged_in"'));
  });

  it('lets half-open connections go without harm to others', async () => {
    const port = Number(new URL(gateway.url).port);
    const open = await Promise.all(Array.from({ length: 50 }, () => RawConnection.open(port)));
    for (const connection of open) {
      connection.send(
        'POST /api/v1/user/authme HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{',
      );
    }
    expect((await gateway.a('/user/authme', { token })).body.data.is_logged_in).toBe(true);
    for (const connection of open) connection.drop();
    expect((await gateway.b('GET', '/auth/authme/token', { token })).status).toBe(200);
  });
});

const withPart = (name: string, value: string | Blob): FormData => {
  const form = new FormData();
  if (typeof value === 'string') form.set(name, value);
  else form.set(name, value, 'x.png');
  return form;
};

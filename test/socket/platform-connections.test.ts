import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import type { AppConfig, AppOptions } from '../../src/app.ts';
import type { CallContext } from '../../src/domain/context.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { type AppUnderTest, appUnderTest, portOf } from '../support/app.ts';
import { exampleTerms, exampleToken } from '../support/fake-services.ts';
import { RawConnection } from '../support/raw-connection.ts';

const open: AppUnderTest[] = [];

const listening = async (options: AppOptions = {}, server: Partial<AppConfig['server']> = {}) => {
  const made = await appUnderTest(options, server);
  open.push(made);
  await made.app.listen({ host: '127.0.0.1', port: 0 });
  const port = portOf(made.app);
  return { ...made, port, base: `http://127.0.0.1:${port}` };
};

afterEach(async () => {
  for (const { app } of open.splice(0)) {
    app.server.closeAllConnections();
    await app.close();
  }
});

const authorization = `Bearer ${exampleToken}`;
const loginBody = JSON.stringify({ userid: 'a1', password: 'p', vpn_password: 'v' });
const head = (lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`;
const getTerms = head(['GET /jwc/term/all HTTP/1.1', 'Host: x', `Authorization: ${authorization}`]);

const aborted = async (signal: AbortSignal): Promise<unknown> => {
  if (!signal.aborted) await once(signal, 'abort');
  return signal.reason;
};

describe('a client that leaves', () => {
  it('ends the work of its GET', async () => {
    const { services, port } = await listening();
    const { promise: started, resolve: start } = Promise.withResolvers<CallContext>();
    services.academics.terms.does((_student, context) => {
      start(context);
      return new Promise(() => {});
    });
    const connection = await RawConnection.open(port);
    connection.send(getTerms);
    const { signal } = await started;
    expect(signal.aborted).toBe(false);
    connection.drop();
    expect(await aborted(signal)).toMatchObject({ kind: 'client-gone' });
  });

  it('ends the work of its POST, whose body was read long before', async () => {
    const { services, port } = await listening();
    const { promise: started, resolve: start } = Promise.withResolvers<CallContext>();
    services.accounts.login.does((_entry, context) => {
      start(context);
      return new Promise(() => {});
    });
    const connection = await RawConnection.open(port);
    const lines = ['POST /auth/login/next HTTP/1.1', 'Host: x', 'Content-Type: application/json'];
    connection.send(head([...lines, `Content-Length: ${loginBody.length}`]) + loginBody);
    const { signal } = await started;
    // The body has been taken in; only then would a signal of the request itself have ended already.
    await new Promise((resolve) => setImmediate(resolve));
    expect(signal.aborted).toBe(false);
    connection.drop();
    expect(await aborted(signal)).toMatchObject({ kind: 'client-gone' });
  });

  it('leaves one line in the log', async () => {
    const { promise: logged, resolve } = Promise.withResolvers<string>();
    const write = (line: string) => {
      if (line.includes('"msg":"request"')) resolve(line);
    };
    const { services, port } = await listening({ logger: createLogger('info', { write }) });
    const { promise: started, resolve: start } = Promise.withResolvers<void>();
    services.academics.terms.does(() => {
      start();
      return new Promise(() => {});
    });
    const connection = await RawConnection.open(port);
    connection.send(getTerms);
    await started;
    connection.drop();
    expect(JSON.parse(await logged)).toMatchObject({ route: '/jwc/term/all', status: 499 });
  });

  it('is not mistaken for one that was answered', async () => {
    const { services, port, base } = await listening();
    const answer = await fetch(`${base}/jwc/term/all`, { headers: { authorization } });
    await answer.json();
    const connection = await RawConnection.open(port);
    connection.send(getTerms);
    await connection.until('"timestamp"');
    connection.drop();
    await fetch(`${base}/alive`).then((response) => response.text());
    expect(services.academics.terms.calls.map(([, context]) => context.signal.aborted)).toEqual([false, false]);
  });
});

describe('bodies on the wire', () => {
  const post = (length: number, more: string[] = []) =>
    head([
      'POST /auth/login/next HTTP/1.1',
      'Host: x',
      'Content-Type: application/json',
      `Content-Length: ${length}`,
      ...more,
    ]);

  it('that announce too much are refused before they are sent', async () => {
    const { port } = await listening();
    const connection = await RawConnection.open(port);
    connection.send(post(65_537));
    const answer = await connection.untilClosed();
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer.toLowerCase()).toContain('connection: close');
    expect(answer).toContain('"BODY_TOO_LARGE"');
  });

  it('that are too large and sent all the same do not cost the client its answer', async () => {
    const { port } = await listening();
    const large = 'x'.repeat(3_000_000);
    for (let round = 0; round < 10; round += 1) {
      const connection = await RawConnection.open(port);
      connection.send(post(large.length) + large);
      expect(await connection.untilClosed()).toMatch(/^HTTP\/1\.1 413 [\s\S]*"BODY_TOO_LARGE"/);
    }
  });

  it('that nobody reads do not cost a client its answer that wants the connection for this request only', async () => {
    const { port } = await listening();
    const large = 'x'.repeat(6_000_000);
    for (let round = 0; round < 10; round += 1) {
      const connection = await RawConnection.open(port);
      const lines = ['PUT /nowhere HTTP/1.1', 'Host: x', 'Connection: close', `Content-Length: ${large.length}`];
      connection.send(head(lines) + large);
      expect(await connection.untilClosed()).toMatch(/^HTTP\/1\.1 404 [\s\S]*"NOT_FOUND"/);
    }
  });

  it('that grow too large without saying so are refused on the way', async () => {
    const { port } = await listening();
    const connection = await RawConnection.open(port);
    connection.send(
      head([
        'POST /auth/login/next HTTP/1.1',
        'Host: x',
        'Content-Type: application/json',
        'Transfer-Encoding: chunked',
      ]),
    );
    const chunk = 'x'.repeat(0x10000);
    for (let sent = 0; sent < 2; sent += 1) connection.send(`10000\r\n${chunk}\r\n`);
    expect(await connection.until('"timestamp"')).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('nobody asked for do not spoil the connection', async () => {
    const { services, port } = await listening();
    const connection = await RawConnection.open(port);
    const logout = (type: string, body: string) =>
      head([
        'POST /auth/logout HTTP/1.1',
        'Host: x',
        `Authorization: ${authorization}`,
        `Content-Type: ${type}`,
        `Content-Length: ${body.length}`,
      ]) + body;
    const bodies: Array<[string, string]> = [
      ['application/json', ''],
      ['application/json', '{broken'],
      ['nonsense', 'anything'],
    ];
    for (const [at, [type, body]] of bodies.entries()) {
      connection.send(logout(type, body));
      const seen = await connection.until('HTTP/1.1 200');
      expect(seen).not.toContain('HTTP/1.1 4');
      while (services.accounts.logout.calls.length <= at) await new Promise((resolve) => setImmediate(resolve));
    }
    connection.send(head(['GET /alive HTTP/1.1', 'Host: x', 'Connection: close']));
    const all = await connection.untilClosed();
    expect(all.match(/HTTP\/1\.1 200 /g)).toHaveLength(4);
    expect(services.accounts.logout.calls).toHaveLength(3);
  });

  it('are not waited for when the token is not good', async () => {
    const { port } = await listening();
    const connection = await RawConnection.open(port);
    const lines = ['POST /auth/account/delete HTTP/1.1', 'Host: x', 'Authorization: Bearer unknown'];
    connection.send(head([...lines, 'Content-Type: application/json', 'Content-Length: 500000']));
    expect(await connection.until('"timestamp"')).toMatch(/^HTTP\/1\.1 401 /);
    connection.drop();
  });
});

describe('what is hardly HTTP', () => {
  it.each([
    ['nonsense\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
  ])('gets a bare status with a trace id', async (text, status) => {
    const { port } = await listening();
    const connection = await RawConnection.open(port);
    connection.send(text);
    const answer = await connection.untilClosed();
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toMatch(/\r\nX-Trace-Id: [0-9a-f]{32}\r\n/);
  });

  it.each(['/%ff', '/jwc/score/%C3%28/list', '/%', '/auth/%c0%ae/x'])(
    '%s is a path that does not exist',
    async (url) => {
      const { port } = await listening();
      const connection = await RawConnection.open(port);
      connection.send(head([`GET ${url} HTTP/1.1`, 'Host: x', 'Connection: close']));
      const answer = await connection.untilClosed();
      expect(answer).toMatch(/^HTTP\/1\.1 404 /);
      expect(answer).toContain('"NOT_FOUND"');
    },
  );
});

describe('the server', () => {
  it('waits for nobody without end, and longer for answers than a call may take', async () => {
    const { app } = await listening({}, { requestTimeoutMs: 30_000 });
    const { headersTimeout, requestTimeout, keepAliveTimeout, timeout } = app.server;
    for (const limit of [headersTimeout, requestTimeout, keepAliveTimeout]) {
      expect(limit).toBeGreaterThan(0);
      expect(limit).toBeLessThan(120_000);
    }
    expect(headersTimeout).toBeLessThan(requestTimeout);
    expect(timeout).toBeGreaterThan(30_000);
  });
});

describe('addresses behind proxies', () => {
  const addressSeen = async (server: Partial<AppConfig['server']>) => {
    const { services, base } = await listening({}, server);
    services.academics.terms.returns(exampleTerms);
    const answer = await fetch(`${base}/jwc/term/all`, {
      headers: { authorization, 'x-forwarded-for': '198.51.100.7, 203.0.113.9' },
    });
    await answer.text();
    return services.academics.terms.calls[0]?.[1].address;
  };

  it('are believed from listed proxies only', async () => {
    expect(await addressSeen({ trustedProxies: [] })).toBe('127.0.0.1');
    expect(await addressSeen({ trustedProxies: ['10.0.0.0/8'] })).toBe('127.0.0.1');
    expect(await addressSeen({ trustedProxies: ['127.0.0.0/8'] })).toBe('203.0.113.9');
    expect(await addressSeen({ trustedProxies: ['127.0.0.0/8', '203.0.113.0/24'] })).toBe('198.51.100.7');
  });
});

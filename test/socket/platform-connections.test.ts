import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import type { AppConfig, AppOptions } from '../../src/composition/app.ts';
import type { CallContext } from '../../src/domain/context.ts';
import { createLogger } from '../../src/http/logs/logger.ts';
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

  it('that are not read do not cost a client its answer that wants the connection for this request only', async () => {
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

  it('that were not requested do not spoil the connection', async () => {
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
});

describe('the server', () => {
  it('waits for a limited time, longer for answers than a call may take', async () => {
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
  const addressSeen = async (
    server: Partial<AppConfig['server']>,
    forwardedFor = '198.51.100.7, 203.0.113.9',
  ): Promise<string | undefined> => {
    const { services, base } = await listening({}, server);
    services.academics.terms.returns(exampleTerms);
    const answer = await fetch(`${base}/jwc/term/all`, {
      headers: { authorization, 'x-forwarded-for': forwardedFor },
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

  it.each([
    [
      'from a proxy that is not listed',
      [],
      '203.0.113.9',
      'X-Forwarded-For ignored, because the connection is not from TRUSTED_PROXIES',
    ],
    ['that holds no address', ['127.0.0.0/8'], 'unknown', 'X-Forwarded-For ignored, because it holds no address'],
    ['from a listed proxy', ['127.0.0.0/8'], '203.0.113.9', null],
    ['of a caller on the machine of a listed proxy', ['127.0.0.0/8'], '127.0.0.1', null],
  ])('%s are warned of once, if at all', async (_, trustedProxies, forwardedFor, warning) => {
    const lines: string[] = [];
    const logger = createLogger('info', { write: (line: string) => void lines.push(line) });
    const { base } = await listening({ logger }, { trustedProxies });
    for (let call = 0; call < 2; call += 1)
      await fetch(`${base}/nowhere`, { headers: { 'x-forwarded-for': forwardedFor } });
    const warnings = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'warn');
    expect(warnings.map(({ msg }) => msg)).toEqual(warning === null ? [] : [warning]);
  });
});

describe('a request that a proxy might read otherwise', () => {
  const body = '{"userid":"1","password":"p","vpn_password":"v"}';
  const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  const next = 'GET /alive HTTP/1.1\r\nHost: x\r\n\r\n';
  const json = 'Content-Type: application/json';

  it.each([
    ['two hosts', `GET /alive HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n${next}`],
    ['two hosts on surface A', `POST /api/v1/user/login HTTP/1.1\r\nHost: a\r\nhOST: a\r\nContent-Length: 2\r\n\r\n{}`],
    ['two hosts and a path that cannot be decoded', `GET /a/%ff HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n${next}`],
    [
      'a coding before chunked',
      `POST /auth/login/next HTTP/1.1\r\nHost: x\r\n${json}\r\nTransfer-Encoding: gzip, chunked\r\n\r\n${chunked}${next}`,
    ],
    [
      'chunked twice',
      `POST /auth/login/next HTTP/1.1\r\nHost: x\r\n${json}\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n${chunked}${next}`,
    ],
    [
      'an unknown coding',
      `POST /auth/login/next HTTP/1.1\r\nHost: x\r\n${json}\r\nTransfer-Encoding: identity\r\n\r\n${body}`,
    ],
  ])('%s: is 400 and ends the connection', async (_name, text) => {
    const { port, services } = await listening();
    const connection = await RawConnection.open(port);
    connection.send(text);
    const answer = await connection.untilClosed();
    expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*connection: close/i);
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(services.accounts.login.calls).toEqual([]);
  });

  it('chunked in capitals is read', async () => {
    const { port, services } = await listening();
    const connection = await RawConnection.open(port);
    connection.send(
      `POST /auth/login/next HTTP/1.1\r\nHost: x\r\n${json}\r\nConnection: close\r\nTransfer-Encoding: Chunked\r\n\r\n${chunked}`,
    );
    expect(await connection.untilClosed()).toMatch(/^HTTP\/1\.1 200 /);
    expect(services.accounts.login.calls).toHaveLength(1);
  });
});

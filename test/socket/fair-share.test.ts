import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { AppOptions } from '../../src/composition/app.ts';
import { appUnderTest, portOf } from '../support/app.ts';
import { RawConnection } from '../support/raw-connection.ts';

const most = Number.MAX_SAFE_INTEGER;
const limits = { anonymousPerMinute: most, knownPerMinute: most };

/** A listening service whose reads of terms last until they are let go; students are the first letters of their tokens. */
const start = async (options: AppOptions = {}) => {
  const { app, services } = await appUnderTest({ limits, ...options });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const held: Array<() => void> = [];
  const leaving = new AbortController();
  onTestFinished(async () => {
    leaving.abort();
    for (const release of held) release();
    app.server.closeAllConnections();
    await app.close();
  });
  services.accounts.authenticate.does(async (token) => ({ userid: token.slice(0, 1) }));
  const hold = () => new Promise<void>((resolve) => void held.push(resolve));
  services.academics.terms.does(async () => {
    await hold();
    return [];
  });
  const port = portOf(app);
  const base = `http://127.0.0.1:${port}`;
  const seen = async (asking: Promise<Response>) => {
    const response = await asking;
    const { code, error } = JSON.parse((await response.text()) || '{}');
    return { status: response.status, code: error?.code ?? code, retryAfter: response.headers.get('retry-after') };
  };
  const own = { signal: leaving.signal };
  const b = (path: string, token: string) =>
    seen(fetch(base + path, { ...own, headers: { authorization: `Bearer ${token}` } }));
  const a = (path: string, token: string) =>
    seen(
      fetch(`${base}/api/v1${path}`, {
        ...own,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token }),
      }),
    );
  const checkB = (token: string) => b('/auth/authme/token', token);
  const checkA = (token: string) => a('/user/authme', token);
  const readB = (token: string) => b('/jwc/term/all', token);
  const readA = (token: string) => a('/jwc/fetch_all_terms', token);
  /** Waits until so many reads are at work. */
  const atWork = (many: number) => vi.waitFor(() => expect(services.academics.terms.calls).toHaveLength(many));
  const known = (many: number) => vi.waitFor(() => expect(services.accounts.authenticate.calls).toHaveLength(many));
  const connections = promisify<number>(app.server.getConnections.bind(app.server));
  const login = () => a('/user/login', 'x1');
  const poll = () => seen(fetch(`${base}/calendar/secret.ics`, own));
  return { services, held, hold, checkA, checkB, readA, readB, login, poll, atWork, known, connections, port };
};

const quietly = (calls: ReadonlyArray<Promise<unknown>>): void => {
  for (const call of calls) call.catch(() => {});
};

describe('a student who sends many calls at once', () => {
  it('has sixteen of one token at work and 64 in line, over both surfaces; the next is told to come again', async () => {
    const { readA, readB, checkA, checkB, held, atWork, known } = await start();
    const crowd = Array.from({ length: 80 }, (_, at) => (at % 2 ? readA : readB)('x1'));
    quietly(crowd);
    await atWork(16);
    await known(80);
    expect(await checkB('x1')).toEqual({ status: 429, code: 'COOLDOWN', retryAfter: '1' });
    expect(await checkA('x1')).toEqual({ status: 200, code: 429, retryAfter: '1' });
    expect([await checkB('y1'), await checkA('y1')]).toMatchObject([{ status: 200 }, { status: 200, code: 200 }]);
    held.shift()?.();
    expect((await Promise.race(crowd)).status).toBe(200);
    await atWork(17);
    while (held.length > 0) {
      for (const release of held.splice(0)) release();
      await new Promise((resolve) => setImmediate(resolve));
    }
  });

  it('waits with a token check while all sixteen are held, and leaves the line when its client leaves', async () => {
    const { readB, checkB, held, atWork, known, connections, port } = await start();
    quietly(Array.from({ length: 16 }, () => readB('x1')));
    await atWork(16);
    const left = await RawConnection.open(port);
    left.send('GET /jwc/term/all HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer x1\r\n\r\n');
    await known(17);
    const check = checkB('x1');
    await known(18);
    const before = await connections();
    left.drop();
    await vi.waitFor(async () => expect(await connections()).toBe(before - 1));
    held.shift()?.();
    expect((await check).status).toBe(200);
    await atWork(16);
  });
});

it('while the event loop lags, the caller with most calls at work is refused, and a single call is served', async () => {
  let lags = false;
  // The first step lasts.
  const pressure = { graceMs: 0, narrowEveryMs: 1e9, lagging: () => lags };
  const { services, checkA, checkB, readB, login, atWork } = await start({ pressure });
  quietly([...Array.from({ length: 8 }, () => readB('x1')), readB('y1'), readB('y1'), readB('y1')]);
  await atWork(11);
  lags = true;
  const turnedAway = { status: 503, retryAfter: '10' };
  expect(await checkB('x1')).toEqual({ ...turnedAway, code: 'SERVICE_UNAVAILABLE' });
  expect(await checkA('x2')).toEqual({ ...turnedAway, code: 503 });
  for (const token of ['y1', 'z1']) {
    expect([await checkB(token), await checkA(token)]).toMatchObject([{ status: 200 }, { status: 200, code: 200 }]);
  }
  expect((await login()).status).toBe(503);
  expect(services.accounts.login.calls).toEqual([]);
  lags = false;
  expect((await checkB('x1')).status).toBe(200);
});

import { once } from 'node:events';
import { type IncomingHttpHeaders, request } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { appUnderTest } from '../support/app.ts';
import { exampleToken } from '../support/fake-services.ts';

interface Asked {
  readonly method: 'GET' | 'POST' | 'OPTIONS' | 'HEAD';
  readonly url: string;
  readonly headers?: Record<string, string>;
}

const calls: readonly Asked[] = [
  { method: 'GET', url: '/alive' },
  { method: 'HEAD', url: '/alive' },
  { method: 'GET', url: '/nowhere' },
  { method: 'GET', url: '/nowhere/%ff' },
  { method: 'POST', url: '/alive' },
  { method: 'GET', url: '/docs' },
  { method: 'GET', url: '/' },
  { method: 'GET', url: '/auth/authme/token' },
  { method: 'GET', url: '/jwc/term/all', headers: { authorization: `Bearer ${exampleToken}` } },
  { method: 'POST', url: '/api/v1/user/authme', headers: { origin: 'https://app.example' } },
  { method: 'OPTIONS', url: '/jwc/term/all' },
  {
    method: 'OPTIONS',
    url: '/jwc/term/all',
    headers: {
      origin: 'https://app.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization',
    },
  },
];

/** Headers that depend on the connection and the moment, not on the application. */
const own = new Set(['connection', 'keep-alive', 'date', 'x-trace-id', 'x-process-time']);
const told = (headers: object): object =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !own.has(name))
      .map(([name, value]) => [name, String(value)]),
  );

it('every answer over a socket has the headers that an injected call gets, and none of them twice', async () => {
  const { app } = await appUnderTest({});
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  const overSocket = async (asked: Asked): Promise<[IncomingHttpHeaders, string[]]> => {
    const sent = request(url + asked.url, { method: asked.method, headers: asked.headers ?? {} });
    sent.end();
    const [answer] = await once(sent, 'response');
    answer.resume();
    await once(answer, 'end');
    return [answer.headers, answer.rawHeaders.filter((_: string, at: number) => at % 2 === 0)];
  };
  for (const asked of calls) {
    const [headers, names] = await overSocket(asked);
    const injected = await app.inject({ ...asked, headers: asked.headers ?? {} });
    expect(told(headers), `${asked.method} ${asked.url}`).toEqual(told(injected.headers));
    expect(names.toSorted(), `${asked.method} ${asked.url}`).toEqual([...new Set(names)].toSorted());
    expect(headers['x-trace-id']).toMatch(/^[0-9a-f]{32}$/);
    expect(headers['x-process-time']).toMatch(/^\d+\.\d{4}$/);
    expect(headers['x-content-type-options']).toBe('nosniff');
  }
});

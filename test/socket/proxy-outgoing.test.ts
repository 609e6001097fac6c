import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CampusHttp } from '../../src/campus/transport/http.ts';
import type { OutgoingProxy } from '../../src/campus/transport/http-proxy.ts';
import { reach } from '../../src/cli/reach.ts';
import { systemClock } from '../../src/lib/time.ts';
import { freePort } from '../support/nginx.ts';
import { needsProxy, proxyPrograms, startProxy } from '../support/outgoing-proxies.ts';
import { testCertificate } from '../support/test-certificate.ts';

/** A campus system, and the ports from which it was called. */
const startUpstream = async (scheme: 'http' | 'https' = 'http') => {
  let connections = 0;
  const server =
    scheme === 'https'
      ? createTlsServer(testCertificate, (_, reply) => reply.end('hello'))
      : createServer((request, reply) => reply.end(`${request.url} ${request.headers.via ?? 'direct'}`));
  server.on('connection', () => {
    connections += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, origin: `${scheme}://127.0.0.1:${port}`, connections: () => connections };
};

const ask = async (origin: string, url: string, authorization: string | null = null, insecure = false) => {
  const proxy: OutgoingProxy = { url, authorization };
  const options = { clock: systemClock, origins: [origin], connections: 4, mostWaiting: 4 };
  const http = new CampusHttp({ ...options, proxy, insecureOrigin: insecure ? origin : null });
  onTestFinished(() => http.close());
  const { signal } = new AbortController();
  const plain = { method: 'GET', headers: {}, owner: '', sizeCeiling: 10_000, attemptMs: 12_000 } as const;
  return http.send({ ...plain, url: new URL('/page', origin), signal });
};

const notThrough = { kind: 'no-answer', fault: 'not-sent', broke: 'proxy' };

describe.each(proxyPrograms)('%s', (program) => {
  it('opens a tunnel for http: too, so that it reads no page and adds nothing', async (context) => {
    needsProxy(program, context);
    const [upstream, proxy] = [await startUpstream(), await startProxy(program)];
    expect(await ask(upstream.origin, proxy)).toMatchObject({ status: 200, text: '/page direct' });
  });

  it('carries https:, whose certificate is still checked', async (context) => {
    needsProxy(program, context);
    const [upstream, proxy] = [await startUpstream('https'), await startProxy(program)];
    expect(await ask(upstream.origin, proxy, null, true)).toMatchObject({ status: 200, text: 'hello' });
    expect(await ask(upstream.origin, proxy)).toMatchObject({ kind: 'no-answer', fault: 'broken' });
  });

  it('resolves the names', async (context) => {
    needsProxy(program, context);
    // No test may ask for a name outside: one that cannot be is not resolved by us, so the proxy has to say so.
    const answer = await ask('http://nowhere.invalid', await startProxy(program));
    expect(answer).toMatchObject(notThrough);
    expect(String((answer as { cause?: unknown }).cause)).toMatch(/Proxy response|SOCKS5/);
  });

  it('is given its name and password', async (context) => {
    needsProxy(program, context);
    const authorization = 'vpn:pass-1';
    const [upstream, proxy] = [await startUpstream(), await startProxy(program, { authorization })];
    expect(await ask(upstream.origin, proxy, authorization)).toMatchObject({ text: '/page direct' });
    for (const wrong of ['vpn:pass-2', null]) {
      expect(await ask(upstream.origin, proxy, wrong)).toMatchObject(notThrough);
    }
  });

  it('that refuses the way, or is gone, is told as the proxy, and nothing goes past it', async (context) => {
    needsProxy(program, context);
    const upstream = await startUpstream();
    const gone = `${program === 'tinyproxy' ? 'http' : 'socks5'}://127.0.0.1:${await freePort()}`;
    expect(await ask(upstream.origin, gone)).toMatchObject(notThrough);
    const closed = `http://127.0.0.1:${await freePort()}`;
    expect(await ask(closed, await startProxy(program))).toMatchObject(notThrough);
    expect(upstream.connections()).toBe(0);
  });

  it('is asked by the doctor, who names it where it fails', async (context) => {
    needsProxy(program, context);
    const [{ origin, connections }, url] = [await startUpstream(), await startProxy(program)];
    const asked = { name: 'portal', url: origin };
    expect(await reach({ ...asked, proxy: { url, authorization: null } })).toMatchObject({ status: 200 });
    const before = connections();
    const gone = `${new URL(url).protocol}//127.0.0.1:${await freePort()}`;
    expect(await reach({ ...asked, proxy: { url: gone, authorization: null } })).toMatchObject({
      status: null,
      detail: expect.stringMatching(/^through the proxy: .*ECONNREFUSED/),
    });
    expect(connections()).toBe(before);
  });
});

it('an HTTP proxy that may not open a way to that port answers 403, which is no answer of the campus', async (context) => {
  needsProxy('tinyproxy', context);
  const upstream = await startUpstream();
  const answer = await ask(upstream.origin, await startProxy('tinyproxy', { tunnels: upstream.port + 1 }));
  expect(answer).toMatchObject({ ...notThrough, cause: { message: expect.stringContaining('Proxy response (403)') } });
  expect(upstream.connections()).toBe(0);
});

import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CampusHttp, type CampusHttpOptions } from '../../src/campus/transport/http.ts';
import { systemClock } from '../../src/lib/time.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { testCertificate } from '../support/test-certificate.ts';

const portOf = (server: Server): number => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen');
  return address.port;
};

const listen = async (server: Server, scheme: 'http' | 'https'): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `${scheme}://127.0.0.1:${portOf(server)}`;
};
const upstream = (answer: RequestListener) => listen(createServer(answer), 'http');
const tlsUpstream = () =>
  listen(
    createTlsServer(testCertificate, (_, reply) => reply.end('hello')),
    'https',
  );

const client = (origins: readonly string[], options: Partial<CampusHttpOptions> = {}): CampusHttp => {
  const http = new CampusHttp({
    clock: systemClock,
    origins,
    insecureOrigin: null,
    connections: 4,
    mostWaiting: 4,
    ...options,
  });
  onTestFinished(() => http.close());
  return http;
};

const ask = (http: CampusHttp, origin: string, signal = new AbortController().signal, sizeCeiling = 10_000) =>
  http.send({
    method: 'GET',
    url: new URL('/page', origin),
    headers: {},
    attemptMs: 12_000,
    owner: '',
    sizeCeiling,
    signal,
  });

const textOf = async (asking: ReturnType<typeof ask>): Promise<string> => {
  const answer = await asking;
  if (answer.kind === 'no-answer') throw new Error(answer.fault);
  return answer.text;
};

describe('certificates', () => {
  it('are checked, but for the one origin that the operator has excepted', async () => {
    const [portal, other] = [await tlsUpstream(), await tlsUpstream()];
    const http = client([portal, other], { insecureOrigin: portal });
    expect(await textOf(ask(http, portal))).toBe('hello');
    expect(await ask(http, other)).toMatchObject({ kind: 'no-answer', fault: 'broken' });
    expect(await ask(client([portal]), portal)).toMatchObject({ kind: 'no-answer', fault: 'broken' });
  });
});

describe('bodies', () => {
  const text = '学年'.repeat(50);
  const sends = (encoding: string, bytes: Buffer) =>
    upstream((_, reply) => reply.setHeader('content-encoding', encoding).end(bytes));

  it.each([
    ['gzip', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['identity', Buffer.from(text)],
  ])('in %s are unpacked', async (encoding, bytes) => {
    const origin = await sends(encoding, bytes);
    expect(await textOf(ask(client([origin]), origin))).toBe(text);
  });

  it.each([
    ['as they are', 'identity', Buffer.alloc(20_000, 'x')],
    ['unpacked from gzip', 'gzip', gzipSync(Buffer.alloc(2_000_000, 'x'))],
    ['unpacked from deflate', 'deflate', deflateSync(Buffer.alloc(2_000_000, 'x'))],
    ['unpacked from deflate without a frame', 'deflate', deflateRawSync(Buffer.alloc(2_000_000, 'x'))],
  ])('over the ceiling are refused %s', async (_, encoding, bytes) => {
    const origin = await sends(encoding, bytes);
    expect(await ask(client([origin]), origin)).toMatchObject({ kind: 'no-answer', fault: 'too-large' });
  });

  it.each([
    ['as they are', 'identity', (bytes: Buffer) => bytes],
    ['unpacked', 'gzip', gzipSync],
  ] as const)('have their own ceiling in each request, %s', async (_, encoding, packed) => {
    const origin = await sends(encoding, packed(Buffer.alloc(600, 'x')));
    const http = client([origin]);
    const { signal } = new AbortController();
    expect(await ask(http, origin, signal, 599)).toMatchObject({ kind: 'no-answer', fault: 'too-large' });
    expect(await textOf(ask(http, origin, signal, 600))).toHaveLength(600);
  });

  it.each([
    ['a charset on a plain body', 'UTF-8', Buffer.from(text)],
    ['a word that is no coding on a packed body', 'binary', gzipSync(text)],
    ['a word that is no coding on a framed body', 'none', deflateSync(text)],
    ['line ends behind a gzip member', 'gzip', Buffer.concat([gzipSync(text), Buffer.from('\r\n\n')])],
    ['zeros behind a gzip member', 'gzip', Buffer.concat([gzipSync(text), Buffer.alloc(8)])],
  ])('are read with %s', async (_, encoding, bytes) => {
    const origin = await sends(encoding, bytes);
    expect(await textOf(ask(client([origin]), origin))).toBe(text);
  });

  it('are read from several gzip members with line ends behind them', async () => {
    const bytes = Buffer.concat([gzipSync(text), gzipSync(text), Buffer.from('\n')]);
    const origin = await sends('gzip', bytes);
    expect(await textOf(ask(client([origin]), origin))).toBe(text + text);
  });

  it('of more gzip members than any server sends are no answer, long before the last of them', async () => {
    const origin = await sends('gzip', Buffer.concat([...Array<Buffer>(101).fill(gzipSync('')), Buffer.from('\n')]));
    expect(await ask(client([origin]), origin)).toMatchObject({ fault: 'broken', broke: 'coding' });
  });

  it.each([
    ['brotli', 'br'],
    ['zstd', 'zstd'],
    ['compress', 'compress'],
    ['packed twice', 'gzip, deflate'],
  ])('in a coding that we did not ask for are no answer: %s', async (_, encoding) => {
    const origin = await sends(encoding, gzipSync(text));
    expect(await ask(client([origin]), origin)).toMatchObject({ fault: 'broken', broke: 'coding' });
  });

  it('that were cut in their gzip are no answer, nor are damaged ones', async () => {
    const packed = gzipSync(text);
    const damaged = Buffer.concat([packed.subarray(0, -8), Buffer.alloc(8, 7), Buffer.from('\n')]);
    for (const bytes of [packed.subarray(0, -3), damaged]) {
      const origin = await sends('gzip', bytes);
      expect(await ask(client([origin]), origin)).toMatchObject({ fault: 'broken', broke: 'coding' });
    }
  });

  it('of no charset are no text', async () => {
    const origin = await upstream((_, reply) => reply.end(Buffer.from('ff2cff2cff2cff2c', 'hex')));
    expect(await ask(client([origin]), origin)).toMatchObject({ kind: 'no-answer', fault: 'garbled' });
  });

  it('that end before their length, and headers that are none, name what broke', async () => {
    const short = await upstream((_, reply) => {
      reply.writeHead(200, { 'content-length': 100 });
      reply.write('x');
      setImmediate(() => reply.destroy());
    });
    expect(await ask(client([short]), short)).toMatchObject({ fault: 'broken', broke: 'length' });
    const strange = await upstream((request) => request.socket.end('HTTP/1.1 200 OK\r\nbad header\r\n\r\n'));
    expect(await ask(client([strange]), strange)).toMatchObject({ fault: 'broken', broke: 'header' });
  });

  it('in an encoding that was not requested are no answer', async () => {
    const origin = await sends('br', Buffer.from('x'));
    expect(await ask(client([origin]), origin)).toMatchObject({ kind: 'no-answer', fault: 'broken' });
  });
});

describe('the way out', () => {
  it('leads to configured origins only', async () => {
    const origin = await upstream((_, reply) => reply.end());
    await expect(ask(client(['http://127.0.0.1:1']), origin)).rejects.toThrow('not configured');
  });

  it('hands out redirects and every cookie instead of acting on them', async () => {
    const cookies = ['a=1; Path=/', 'b=2; Path=/'];
    const origin = await upstream((_, reply) =>
      reply.writeHead(302, { location: 'https://vpn.example.edu:443/?x', 'set-cookie': cookies }).end(),
    );
    const answer = await ask(client([origin]), origin);
    expect(answer).toMatchObject({ status: 302, location: 'https://vpn.example.edu:443/?x', setCookies: cookies });
  });

  it.each([
    ['UTF-8', Buffer.from('/登录'), '/%E7%99%BB%E5%BD%95'],
    ['GBK', Buffer.from('2fd5c5', 'hex'), '/%D5%C5'],
  ])('leads where a redirect in %s does', async (_, location, expected) => {
    const head = Buffer.from('HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: ');
    const origin = await upstream((request) =>
      request.socket.end(Buffer.concat([head, location, Buffer.from('\r\n\r\n')])),
    );
    expect(await ask(client([origin]), origin)).toMatchObject({ status: 302, location: expected });
  });

  it('tells what never left from what may have arrived', async () => {
    const closed = createServer();
    const origin = await listen(closed, 'http');
    await new Promise((resolve) => closed.close(resolve));
    expect(await ask(client([origin]), origin)).toMatchObject({ kind: 'no-answer', fault: 'not-sent' });
    const rude = await upstream((request) => request.socket.destroy());
    expect(await ask(client([rude]), rude)).toMatchObject({ kind: 'no-answer', fault: 'broken' });
  });

  it('refuses a request when the connections are busy and the queue is full', async () => {
    const held: Array<() => void> = [];
    const origin = await upstream((_, reply) => held.push(() => reply.end('late')));
    const http = client([origin], { connections: 1, mostWaiting: 1 });
    const first = ask(http, origin);
    const second = ask(http, origin);
    expect(await ask(http, origin)).toMatchObject({ kind: 'no-answer', fault: 'line-full' });
    const answer = async () => {
      await expect.poll(() => held.length).toBe(1);
      held.pop()?.();
    };
    await answer();
    expect(await textOf(first)).toBe('late');
    await answer();
    expect(await textOf(second)).toBe('late');
  });

  it('ends an attempt at its own limit, and at once when the caller leaves', async () => {
    const origin = await upstream(() => {});
    const clock = new ManualClock();
    const http = client([origin], { clock });
    const attempt = ask(http, origin);
    await expect.poll(() => clock.timers, { timeout: 20_000 }).toBe(1);
    clock.advance(11_999);
    clock.advance(1);
    expect(await attempt).toMatchObject({ kind: 'no-answer', fault: 'timed-out' });
    const caller = new AbortController();
    const asking = ask(http, origin, caller.signal);
    caller.abort(new Error('gone'));
    await expect(asking).rejects.toThrow('gone');
    expect(clock.timers).toBe(0);
  });
});

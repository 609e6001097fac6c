import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { AppConfig, AppOptions } from '../../src/composition/app.ts';
import { type AppUnderTest, appUnderTest, portOf } from '../support/app.ts';
import { exampleToken } from '../support/fake-services.ts';

const mebibyte = 1_048_576;
const impatient = { headersMs: 300, requestMs: 300, checkMs: 50, closeDelayMs: 100 };

let open: AppUnderTest[] = [];
let sockets: Socket[] = [];

const listening = async (options: AppOptions = {}, server: Partial<AppConfig['server']> = {}) => {
  const made = await appUnderTest(options, server);
  open.push(made);
  await made.app.listen({ host: '127.0.0.1', port: 0 });
  const port = portOf(made.app);
  const count = promisify(made.app.server.getConnections.bind(made.app.server));
  return { ...made, port, base: `http://127.0.0.1:${port}`, connections: () => count() };
};

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  for (const { app } of open) {
    app.server.closeAllConnections();
    await app.close();
  }
  open = [];
  sockets = [];
  vi.restoreAllMocks();
});

/** A peer that never closes its side. */
const stubborn = async (port: number, text: string): Promise<Socket> => {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  sockets.push(socket);
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(text);
  return socket;
};

const answerOf = async (socket: Socket): Promise<string> => {
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  await once(socket, 'end');
  return received;
};

const head = (path: string, length: number): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

const distinctKeys = (size: number): string => {
  const members: string[] = [];
  for (let at = 0, length = 1; length < size; at += 1) {
    members.push(`"k${at}":1`);
    length += `"k${at}":1,`.length;
  }
  return `{${members.join(',')}}`;
};

const json = { 'content-type': 'application/json' };
const update = '/api/v1/user/profile/update';
const tooLargeA = { code: 413, message: '请求体过大', data: null };

/** Counts texts given to the parser that are larger than any body it should parse. */
const watchParser = () => {
  const parse = vi.spyOn(JSON, 'parse');
  return () => parse.mock.calls.filter(([text]) => String(text).length > 65_536).length;
};

describe('JSON bodies made to be slow', () => {
  it.each([
    ['sixteen of 1 MB without a token', 1_000_000, 16],
    ['sixteen of 60 kB, within the limit of bytes', 60_000, 16],
  ])('%s are refused without being parsed', async (_name, size, many) => {
    const { base } = await listening();
    const body = distinctKeys(size);
    const send = async (path: string) => {
      const answer = await fetch(base + path, { method: 'POST', headers: json, body });
      return { status: answer.status, body: JSON.parse(await answer.text()) };
    };
    const parse = vi.spyOn(JSON, 'parse');
    const answers = await Promise.all(
      Array.from({ length: many }, (_, at) => send(at % 2 ? '/api/v1/user/login' : '/auth/login/next')),
    );
    expect(parse.mock.calls.filter(([text]) => String(text).startsWith('{"k0"'))).toEqual([]);
    for (const [at, answer] of answers.entries()) {
      if (at % 2) expect(answer).toEqual({ status: 200, body: tooLargeA });
      else expect([answer.status, answer.body.error.code]).toEqual([413, 'BODY_TOO_LARGE']);
    }
  });

  it('one of 15 MB to the profile update is refused without being parsed', async () => {
    const { base } = await listening();
    const parsed = watchParser();
    const answer = await fetch(base + update, { method: 'POST', headers: json, body: distinctKeys(15_000_000) });
    expect(await answer.json()).toEqual({ ...tooLargeA, message: '图片过大' });
    expect(parsed()).toBe(0);
  });
});

describe('large bodies of one address on surface A', () => {
  const large = JSON.stringify({ token: exampleToken, avatar: 'A'.repeat(200_000) });
  const sendLarge = async (base: string, path = update) => {
    const answer = await fetch(base + path, { method: 'POST', headers: json, body: large });
    const { code } = JSON.parse(await answer.text());
    return [answer.status, code, answer.headers.get('retry-after')];
  };

  it('are eight at once; the ninth is told when to come again, a small one is served', async () => {
    const { port, base } = await listening();
    const begun = await Promise.all(
      Array.from({ length: 8 }, () => stubborn(port, head(update, 16 * mebibyte) + 'x'.repeat(200_000))),
    );
    await vi.waitFor(async () => expect(await sendLarge(base)).toEqual([200, 429, '10']));
    const small = await fetch(base + update, {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ token: exampleToken }),
    });
    expect(await small.json()).toMatchObject({ code: 200 });
    begun[0]?.destroy();
    await vi.waitFor(async () => expect(await sendLarge(base)).toEqual([200, 200, null]));
  });

  it('that come too slowly are 200 with the code 408, and the connection ends', async () => {
    const { port, services } = await listening();
    const answer = answerOf(await stubborn(port, head(update, mebibyte) + 'x'.repeat(100_000)));
    const slowly = setInterval(() => services.clock.advance(10_000), 10);
    const [top = '', body = ''] = (await answer.finally(() => clearInterval(slowly))).split('\r\n\r\n');
    expect(top).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: close/i);
    expect(JSON.parse(body)).toEqual({ code: 408, message: '请求体接收超时', data: null });
    expect(services.profiles.updateAppProfile.calls).toEqual([]);
  });

  it('may also start an evaluation, up to 512 KiB', async () => {
    const { base, services } = await listening();
    services.evaluation.start.returns({ accepted: true, status: 'running' });
    expect(await sendLarge(base, '/api/v1/jwc/evaluation/start')).toEqual([200, 200, null]);
  });
});

describe('a connection that was refused', () => {
  it('is gone soon after its 408, though three hundred peers neither close nor stop sending', async () => {
    const { port, connections } = await listening({ connections: impatient });
    const starts = [
      'GET /alive HTTP/1.1\r\nHost: x\r\n',
      `${head('/auth/login/next', 60_000)}{`,
      `${head(update, 16 * mebibyte)}${'x'.repeat(60_000)}`,
    ];
    const peers = await Promise.all(
      Array.from({ length: 300 }, (_, at) => stubborn(port, starts[at % starts.length] ?? '')),
    );
    const answers = await Promise.all(peers.map(answerOf));
    expect(new Set(answers.map((answer) => answer.slice(0, 12)))).toEqual(new Set(['HTTP/1.1 408']));
    const writing = setInterval(() => {
      for (const peer of peers) peer.write('x');
    }, 20);
    await vi.waitFor(async () => expect(await connections()).toBe(0), { timeout: 5_000 });
    clearInterval(writing);
  });

  it('is gone soon after its 413, whether announced, complete or pipelined', async () => {
    const { port, connections } = await listening({
      connections: { ...impatient, requestMs: 60_000, headersMs: 60_000 },
    });
    const heavy = '['.repeat(3_000);
    for (const text of [
      head('/auth/login/next', 1_000_000),
      head('/api/v1/user/login', 1_000_000) + 'x'.repeat(100_000),
      head('/auth/login/next', heavy.length) + heavy,
      `GET /alive HTTP/1.1\r\nHost: x\r\n\r\n${head('/auth/login/next', 1_000_000)}`,
    ]) {
      // The peer does not read, either.
      (await stubborn(port, text)).pause();
    }
    await vi.waitFor(async () => expect(await connections()).toBe(0), { timeout: 5_000 });
  });

  it('does nothing more, even when the rest of the call comes', async () => {
    const { port, services, connections } = await listening({ connections: { ...impatient, closeDelayMs: 500 } });
    const body = JSON.stringify({ userid: 'a1', password: 'p', vpn_password: 'v' });
    for (const path of ['/auth/login/next', '/api/v1/user/login']) {
      const peer = await stubborn(port, head(path, body.length) + body.slice(0, 10));
      expect(await answerOf(peer)).toMatch(/^HTTP\/1\.1 408 /);
      peer.write(body.slice(10));
      await vi.waitFor(async () => expect(await connections()).toBe(0), { timeout: 5_000 });
    }
    expect(services.accounts.login.calls).toEqual([]);
  });
});

describe('connections', () => {
  it('beyond MAX_CONNECTIONS are closed, and the next one is taken when there is room', async () => {
    const { port, connections } = await listening({}, { maxConnections: 3 });
    const first = await stubborn(port, '');
    await stubborn(port, '');
    await stubborn(port, '');
    await vi.waitFor(async () => expect(await connections()).toBe(3));
    const ask = async (): Promise<string> => {
      const socket = await stubborn(port, 'GET /alive HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      let received = '';
      socket.setEncoding('utf8').on('data', (text: string) => {
        received += text;
      });
      socket.on('end', () => socket.destroy());
      await once(socket, 'close');
      return received.slice(0, 12);
    };
    expect(await ask()).toBe('');
    first.destroy();
    await vi.waitFor(async () => expect(await connections()).toBe(2));
    expect(await ask()).toBe('HTTP/1.1 200');
  });

  /** Connects from an address of this machine, says something or nothing, and tells how it went. */
  const from = async (localAddress: string, port: number, text = ''): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    sockets.push(socket);
    socket.on('error', () => {});
    await once(socket, 'connect');
    if (text !== '') {
      socket.write(text);
      await once(socket, 'data');
    }
    return socket;
  };
  const alive = 'GET /alive HTTP/1.1\r\nHost: x\r\n\r\n';
  const own = { sharedAddresses: [] };
  const goneOf = (many: readonly Socket[]) => many.filter((socket) => socket.closed || socket.readableEnded).length;
  const gone = (many: readonly Socket[], expected: number) =>
    vi.waitFor(() => expect(goneOf(many)).toBe(expected), { timeout: 5_000 });

  it('of one address that are idle cut off no other address: it has a quarter of them, and its oldest idle ones end', async () => {
    const { port, connections } = await listening(own, { maxConnections: 40 });
    const attackers: Socket[] = [];
    for (let n = 0; n < 60; n += 1) attackers.push(await from('127.0.0.66', port, alive));
    await vi.waitFor(async () => expect(await connections()).toBe(10));
    await gone(attackers, 50);
    expect(goneOf(attackers.slice(-9))).toBe(0);
    await from('127.0.0.7', port, alive);
  });

  it('that are idle end when four fifths of all are taken, the longest unused first', async () => {
    const { port } = await listening(own, { maxConnections: 40 });
    const used = await from('127.0.0.7', port, alive);
    const attackers: Socket[] = [];
    for (let n = 0; n < 31; n += 1) attackers.push(await from(`127.0.1.${n}`, port));
    expect(goneOf([used, ...attackers])).toBe(0);
    for (let n = 0; n < 8; n += 1) await from(`127.0.2.${n}`, port, alive);
    await gone(attackers, 8);
    used.write(alive);
    await once(used, 'data');
  });

  it('on which a call is under way do not end, nor those of proxies and of this machine', async () => {
    const { port, services } = await listening(
      { sharedAddresses: ['127.0.0.1'] },
      { maxConnections: 20, trustedProxies: ['127.0.0.2'] },
    );
    const held = Promise.withResolvers<[]>();
    services.academics.terms.does(() => held.promise);
    const token = `Authorization: Bearer ${exampleToken}`;
    const busy = await from('127.0.0.9', port);
    busy.write(`GET /jwc/term/all HTTP/1.1\r\nHost: x\r\n${token}\r\n\r\n`);
    await vi.waitFor(() => expect(services.academics.terms.calls).toHaveLength(1));
    const spared = [busy];
    for (let n = 0; n < 12; n += 1) spared.push(await from(n % 2 ? '127.0.0.1' : '127.0.0.2', port, alive));
    const idle: Socket[] = [];
    for (let n = 0; n < 9; n += 1) idle.push(await from(`127.0.1.${n}`, port, alive));
    await gone(idle, 6);
    held.resolve([]);
    const [answer] = await once(busy, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
    expect(goneOf(spared)).toBe(0);
  });
});

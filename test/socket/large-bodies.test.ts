import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { addCallContext } from '../../src/http/call/call-context.ts';
import { addBodyMeter, BodyTooSlow, LargeBodies, type Meter } from '../../src/http/limits/large-bodies.ts';
import { addDelayedClose, defaultTimes, serverOptions } from '../../src/http/server/connections.ts';
import { portOf } from '../support/app.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { RawConnection } from '../support/raw-connection.ts';

const limit = 1_048_576;
const part = 'x'.repeat(100_000);
const most = 3_000_000;
const places = 8;

let clock: ManualClock;
let bodies: LargeBodies;
let app: FastifyInstance;
let port: number;
let open: RawConnection[];
/** Bodies that have become large so far. */
let begunSoFar: number;
/** Ends the handlers of `/held`. */
let release: () => void;

class ObservedBodies extends LargeBodies {
  override enter(meter: Meter): boolean {
    begunSoFar += 1;
    return super.enter(meter);
  }
}

/** One operation that takes large bodies, on a server like the service's, whose books a test can see. */
beforeEach(async () => {
  clock = new ManualClock();
  bodies = new ObservedBodies(clock, most);
  open = [];
  begunSoFar = 0;
  const held = Promise.withResolvers<void>();
  release = () => held.resolve();
  const times = { ...defaultTimes, requestMs: 400, checkMs: 50, headersMs: 300, closeDelayMs: 100 };
  app = fastify(serverOptions({ requestTimeoutMs: 60_000 }, times));
  addCallContext(app, 60_000);
  addDelayedClose(app, times.closeDelayMs);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  const senderOf = ({ headers }: FastifyRequest) => ({
    key: String(headers['x-sender'] ?? ''),
    places,
    verified: headers['x-unproven'] === undefined,
    mostBytes: Number(headers['x-unproven'] ?? most),
  });
  addBodyMeter(app, bodies, senderOf);
  app.setErrorHandler((error, _request, reply) => {
    const kind = error instanceof BodyTooSlow ? 'too-slow' : Object(error).kind;
    return reply.code(Number(Object(error).statusCode ?? 500)).send({ kind: kind ?? Object(error).code });
  });
  app.post('/large', { bodyLimit: limit }, async () => ({ done: true }));
  app.post('/held', { bodyLimit: limit }, async () => {
    await held.promise;
    return { done: true };
  });
  app.post('/broken', { bodyLimit: limit }, async () => {
    throw new Error('broken');
  });
  const refused = { bodyLimit: limit, preValidation: async () => Promise.reject(new Error('refused')) };
  app.post('/refused', refused, async () => ({ done: true }));
  await app.listen({ host: '127.0.0.1', port: 0 });
  port = portOf(app);
});

afterEach(async () => {
  release();
  for (const connection of open) connection.drop();
  app.server.closeAllConnections();
  await app.close();
});

const connected = async (): Promise<RawConnection> => {
  const connection = await RawConnection.open(port);
  open.push(connection);
  return connection;
};

const head = (path: string, length: number | 'chunked', more: readonly string[] = []) =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: x',
    'Content-Type: application/json',
    length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`,
    ...more,
    '',
    '',
  ].join('\r\n');

const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

/** A body that has begun to be large, of which `length` bytes were promised. */
const begun = async (
  path = '/large',
  length: number | 'chunked' = 500_000,
  more: readonly string[] = [],
): Promise<RawConnection> => {
  const before = begunSoFar;
  const connection = await connected();
  connection.send(head(path, length, more) + (length === 'chunked' ? chunk(part) : part));
  await vi.waitFor(() => expect(begunSoFar).toBe(before + 1));
  return connection;
};

/** Sends a large body in two halves and waits for the failure that it gets. */
const whole = (path: string) => async () => {
  const connection = await begun(path, 2 * part.length);
  connection.send(part);
  expect(await connection.until('HTTP/1.1 500')).toContain('HTTP/1.1 500');
};

const nothing = { bodies: 0, bytes: 0 };
const empty = () => vi.waitFor(() => expect(bodies.held).toEqual(nothing), { timeout: 5_000 });

const ends: ReadonlyArray<readonly [string, () => Promise<unknown>]> = [
  ['the client leaves in the middle', async () => (await begun()).drop()],
  ['the client resets the connection', async () => (await begun()).reset()],
  ['the client closes its side in the middle', async () => (await begun()).finish()],
  [
    'it is answered, and the connection stays',
    async () => {
      const connection = await begun('/large', 2 * part.length);
      connection.send(part);
      expect(await connection.until('"done":true')).toContain('HTTP/1.1 200');
    },
  ],
  [
    'the client leaves while its call is worked on',
    async () => {
      const connection = await begun('/held', part.length);
      connection.drop();
    },
  ],
  [
    'its answer waits behind another one and the connection goes',
    async () => {
      const before = begunSoFar;
      const connection = await connected();
      connection.send(`${head('/held', 2)}{}`);
      connection.send(head('/large', part.length) + part);
      await vi.waitFor(() => expect(begunSoFar).toBe(before + 1));
      connection.drop();
    },
  ],
  ['its operation fails', whole('/broken')],
  ['a hook refuses it before the operation', whole('/refused')],
  [
    'it grows larger than it may',
    async () => {
      const connection = await begun('/large', 'chunked');
      for (let sent = 0; sent < limit; sent += part.length) connection.send(chunk(part));
      expect(await connection.untilClosed()).toContain('FST_ERR_CTP_BODY_TOO_LARGE');
    },
  ],
  [
    'it stops being HTTP',
    async () => {
      const connection = await begun('/large', 'chunked');
      connection.send('nonsense\r\n');
      expect(await connection.untilClosed()).toContain('HTTP/1.1 400');
    },
  ],
  ['the time to send it is over', async () => expect(await (await begun()).untilClosed()).toMatch(/^HTTP\/1\.1 408 /)],
  [
    'it comes with an upgrade that is not offered',
    async () => {
      const connection = await begun('/large', 2 * part.length, ['Connection: upgrade', 'Upgrade: websocket']);
      connection.send(part);
      expect(await connection.until('\r\n\r\n')).toContain('HTTP/1.1 ');
    },
  ],
  [
    'the server cuts the connection',
    async () => {
      await begun('/held', part.length);
      app.server.closeAllConnections();
    },
  ],
];

describe('a large body gives back what it holds', () => {
  it.each(ends)('when %s', async (_name, end) => {
    await end();
    await empty();
  });

  it('when many of them end in every way, and every place can be taken again', async () => {
    for (const [name, end] of ends) if (!name.startsWith('the server')) await end();
    await empty();
    for (let taken = 0; taken < places; taken += 1) await begun('/held', part.length);
    expect(bodies.held).toEqual({ bodies: places, bytes: places * part.length });
    release();
    await empty();
  });
});

describe('large bodies of one sender', () => {
  it('are so many at once and not more; another sender and small bodies are not concerned', async () => {
    for (let taken = 0; taken < places; taken += 1) await begun('/held', part.length);
    const further = await connected();
    further.send(head('/large', 500_000) + part);
    expect(await further.untilClosed()).toContain('"kind":"rate-limited"');
    const small = await connected();
    small.send(`${head('/large', 2)}{}`);
    expect(await small.until('"done":true')).toContain('HTTP/1.1 200');
    const other = await connected();
    other.send(head('/large', part.length, ['X-Sender: other']) + part);
    expect(await other.until('"done":true')).toContain('HTTP/1.1 200');
    expect(bodies.held.bodies).toBe(places);
  });

  it('that only announce, or send no more than a small body, hold nothing', async () => {
    for (let silent = 0; silent < 2 * places; silent += 1) {
      (await connected()).send(head('/large', limit) + (silent % 2 ? '' : 'x'.repeat(65_536)));
    }
    for (let taken = 0; taken < places; taken += 1) await begun('/held', part.length);
    expect(bodies.held.bodies).toBe(places);
  });

  it('hold together what has come of them, and one too much is refused', async () => {
    let sent = 0;
    for (let n = 0; sent + 400_000 <= most; n += 1) {
      const connection = await connected();
      connection.send(head('/held', 400_000, [`X-Sender: ${n}`]) + 'x'.repeat(400_000));
      sent += 400_000;
      await vi.waitFor(() => expect(bodies.held.bytes).toBe(sent));
    }
    const further = await connected();
    further.send(head('/large', 400_000, ['X-Sender: further']) + 'x'.repeat(400_000));
    expect(await further.untilClosed()).toContain('"kind":"overloaded"');
    await vi.waitFor(() => expect(bodies.held.bytes).toBe(sent));
  });
});

describe('half-sent bodies of unknown callers', () => {
  const quarter = most / 4;
  /** Sends a quarter of all that there is, and waits until it is counted. */
  const sent = async (path: string, length: number, sender: string, ...more: string[]): Promise<RawConnection> => {
    const before = bodies.held.bytes;
    const connection = await connected();
    connection.send(head(path, length, [`X-Sender: ${sender}`, ...more]) + 'x'.repeat(quarter));
    await vi.waitFor(() => expect(bodies.held.bytes).toBe(before + quarter));
    return connection;
  };
  const half = (sender: string, share = most) => sent('/large', limit, sender, `X-Unproven: ${share}`);
  const late = async (...more: string[]): Promise<RawConnection> => {
    const connection = await connected();
    connection.send(head('/large', quarter, ['X-Sender: late', ...more]) + 'x'.repeat(quarter));
    return connection;
  };

  it('make room: the oldest one ends when all together hold too much, and the newest is received', async () => {
    const [first] = [await half('one'), await half('two'), await half('one'), await half('two')];
    expect(bodies.held).toEqual({ bodies: 4, bytes: most });
    expect(await (await late(`X-Unproven: ${most}`)).until('"done":true')).toContain('HTTP/1.1 200');
    expect(await first?.untilClosed()).toContain('"kind":"overloaded"');
  });

  it('have a share of each sender: beyond it that sender’s oldest one ends, and no other’s', async () => {
    const other = await half('other');
    const [first] = [await half('one', 2 * quarter), await half('one', 2 * quarter)];
    const third = await connected();
    third.send(head('/large', quarter, ['X-Sender: one', `X-Unproven: ${2 * quarter}`]) + 'x'.repeat(quarter));
    expect(await third.until('"done":true')).toContain('HTTP/1.1 200');
    expect(await first?.untilClosed()).toContain('"kind":"rate-limited"');
    other.send('x'.repeat(limit - quarter));
    expect(await other.until('"done":true')).toContain('HTTP/1.1 200');
  });

  it('end before a verified one is refused, and never once all of a body has come', async () => {
    const complete = await sent('/held', quarter, 'complete', `X-Unproven: ${most}`);
    const unproven = await half('half');
    await sent('/held', quarter, 'proven');
    await sent('/held', quarter, 'proven');
    expect(await (await late()).until('"done":true')).toContain('HTTP/1.1 200');
    expect(await unproven.untilClosed()).toContain('"kind":"overloaded"');
    await sent('/held', quarter, 'proven');
    expect(await (await late()).untilClosed()).toContain('"kind":"overloaded"');
    release();
    expect(await complete.until('"done":true')).toContain('HTTP/1.1 200');
  });
});

describe('the pace of a large body', () => {
  it.each([
    ['nothing came', 0],
    ['a little came', 70_000],
  ])('is asked after ten seconds: %s', async (_name, bytes) => {
    const connection = await connected();
    connection.send(head('/large', limit) + 'x'.repeat(bytes));
    await vi.waitFor(() => expect(clock.waiting).toBe(1));
    if (bytes > 0) await vi.waitFor(() => expect(bodies.held.bytes).toBe(bytes));
    clock.advance(9_999);
    await new Promise((resolve) => setImmediate(resolve));
    expect(clock.waiting).toBe(1);
    clock.advance(1);
    expect(await connection.untilClosed()).toContain('"kind":"too-slow"');
    await empty();
    expect(clock.waiting).toBe(0);
  });

  it('may be 32 KiB a second, and is asked again', async () => {
    const connection = await connected();
    connection.send(head('/large', limit) + 'x'.repeat(12 * 32_768));
    await vi.waitFor(() => expect(bodies.held.bytes).toBe(12 * 32_768));
    clock.advance(10_000);
    await vi.waitFor(() => expect(clock.waiting).toBe(1));
    expect(bodies.held.bodies).toBe(1);
    clock.advance(2_000);
    expect(await connection.untilClosed()).toContain('"kind":"too-slow"');
  });

  it('no longer counts once all of it has come', async () => {
    await begun('/held', part.length);
    await vi.waitFor(() => expect(clock.waiting).toBe(0));
  });
});

import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { CampusError, type ChangeEvent, createClient } from '../../clients/typescript/src/index.ts';
import type { NewEvent } from '../../src/domain/events/ports.ts';
import { first, second } from '../support/campus-rig.ts';
import { type Gateway, type GatewayOptions, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { freshPostgresUrl } from '../support/postgres.ts';

const MINUTE = 60_000;

let clock: ManualClock;
let gateways: Gateway[] = [];
const start = async (options: GatewayOptions = {}): Promise<Gateway> => {
  const gateway = await startGateway({ clock, ...options });
  gateways.push(gateway);
  return gateway;
};
const begin = async (options: GatewayOptions = {}) => {
  clock = new ManualClock();
  const gateway = await start(options);
  return { gateway, token: await gateway.register() };
};
afterEach(async () => {
  for (const gateway of gateways.reverse()) await gateway.close();
  gateways = [];
});

/** Seconds, one by one, since a timer may count them. */
const seconds = async (count: number): Promise<void> => {
  for (let each = 0; each < count; each += 1) {
    clock.advance(1_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
};

interface Listening {
  readonly status: number;
  readonly headers: Headers;
  text(): string;
  /** The events so far: type and seq. */
  events(): string[];
  readonly ended: Promise<void>;
  leave(): void;
}

const listen = async (gateway: Gateway, token: string, lastEventId?: number): Promise<Listening> => {
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const response = await fetch(`${gateway.url}/events/stream`, {
    headers: {
      authorization: `Bearer ${token}`,
      ...(lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) }),
    },
    signal: controller.signal,
  });
  let text = '';
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
  };
  return {
    status: response.status,
    headers: response.headers,
    text: () => text,
    events: () => [...text.matchAll(/^id: (\d+)\nevent: (\S+)$/gm)].map(([, seq, type]) => `${seq} ${type}`),
    ended: read().catch(() => {}),
    leave: () => controller.abort(),
  };
};

const told = async (listening: Listening, ...events: string[]): Promise<void> => {
  await vi.waitFor(() => expect(listening.events()).toEqual(events));
};
const ping: NewEvent = { type: 'test.ping', readAt: null, about: {}, ask: null, detail: { mark: 'MARKER-MARK' } };
const append = (gateway: Gateway, userid = first.userid, ...events: NewEvent[]) =>
  gateway.services.journal.append(userid, events.length === 0 ? [ping] : events);
const scores = (gateway: Gateway, token: string) => gateway.b('GET', '/jwc/score/current/list', { token });
const list = (gateway: Gateway, token: string, query = '') => gateway.b('GET', `/events${query}`, { token });

describe('a change', () => {
  it('is told on the stream and in the list as soon as it is read, and costs the campus nothing', async () => {
    const { gateway, token } = await begin();
    gateway.demo.switches.markEveryMinutes = 3;
    expect((await scores(gateway, token)).status).toBe(200);
    await gateway.services.reads.close();
    const listening = await listen(gateway, token);
    expect(listening.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(listening.headers.get('x-accel-buffering')).toBe('no');
    await vi.waitFor(() => expect(listening.text()).toContain('id: 0\n\n'));
    const requests = await gateway.wireOf(() => scores(gateway, token));
    clock.advance(3 * MINUTE);
    expect(await gateway.wireOf(() => scores(gateway, token))).toEqual(requests);
    await told(listening, '1 score.published');

    gateway.demo.resetRequests();
    const { body } = await list(gateway, token);
    const [event] = body.data.events;
    expect(body.data).toMatchObject({
      events: [{ seq: 1, type: 'score.published', title: '成绩公布' }],
      next: 1,
      gap: false,
    });
    expect(event).toMatchObject({
      ask: '/jwc/score/current/list',
      about: { course_name: expect.stringContaining('演示课程') },
    });
    expect(event.read_at).toBe(event.occurred_at);
    expect(listening.text()).toContain(`data: ${JSON.stringify(event)}\n\n`);
    expect(JSON.stringify(event)).not.toContain('detail');
    expect((await list(gateway, token, '?after=1')).body.data).toEqual({ events: [], next: 1, gap: false });
    await seconds(130);
    expect(gateway.wire()).toEqual([]);
  });

  it('of one student is heard by no other', async () => {
    const { gateway, token } = await begin();
    const other = await gateway.register(second);
    const [mine, theirs] = [await listen(gateway, token), await listen(gateway, other)];
    await append(gateway);
    await append(gateway, second.userid);
    await append(gateway);
    await told(mine, '1 test.ping', '2 test.ping');
    await told(theirs, '1 test.ping');
    expect(mine.text() + theirs.text() + gateway.log()).not.toContain('MARKER-MARK');
  });
});

describe('a stream', () => {
  it('continues after the last event, says what is missing, and where it begins', async () => {
    const { gateway, token } = await begin();
    await append(gateway, first.userid, ping, ping, ping);
    await told(await listen(gateway, token, 1), '2 test.ping', '3 test.ping');
    const fresh = await listen(gateway, token);
    await append(gateway);
    await told(fresh, '4 test.ping');
    expect(fresh.text()).toMatch(/^retry: 3000\n\nid: 3\n\nid: 4\n/);
    fresh.leave();
    await append(gateway, first.userid, ...Array.from({ length: 250 }, () => ping));
    const late = await listen(gateway, token, 2);
    await vi.waitFor(() => expect(late.events()).toHaveLength(200));
    expect(late.text()).toMatch(/^retry: 3000\n\nevent: gap\ndata: {}\n\nid: 55\n/);
    expect(late.events().at(-1)).toBe('254 test.ping');
  });

  it('has a comment every 25 seconds, ends with its token, and has no deadline', async () => {
    const { gateway, token } = await begin();
    const listening = await listen(gateway, token);
    await seconds(100);
    await vi.waitFor(() => expect(listening.text().split('\n:\n')).toHaveLength(5));
    await gateway.b('POST', '/auth/logout', { token });
    await listening.ended;
    expect(listening.text()).toMatch(/event: goodbye\ndata: {"reason":"token"}\n\n$/);
  });

  it('hears nothing of the account that is registered later under its id', async () => {
    const { gateway, token } = await begin();
    const listening = await listen(gateway, token);
    // As another replica erases and registers it.
    const { accounts, tokens } = gateway.services.storage;
    const before = await tokens.list(first.userid, clock.now());
    await accounts.deleteUser(first.userid);
    clock.advance(1);
    await gateway.register();
    await append(gateway);
    await listening.ended;
    expect([before.length, listening.events()]).toEqual([1, []]);
  });

  it('needs the scope, is one of three, and one of half of all connections; a page of it is no HEAD', async () => {
    const { gateway, token } = await begin({ env: { MAX_CONNECTIONS: '10' }, app: {} });
    const made = async (scopes: readonly string[]): Promise<string> => {
      const body = { name: 'x', scopes, days: 7 };
      return (await gateway.b('POST', '/auth/tokens', { token, body })).body.data.token;
    };
    const without = await listen(gateway, await made(['scores:read']));
    expect([without.status, without.text()]).toEqual([403, '']);
    await without.ended;
    const open = [await listen(gateway, token), await listen(gateway, await made(['events']))];
    open.push(await listen(gateway, token));
    const fourth = await listen(gateway, token);
    expect([fourth.status, fourth.headers.get('retry-after')]).toEqual([429, '60']);
    const other = await gateway.register(second);
    open.push(await listen(gateway, other), await listen(gateway, other));
    const sixth = await listen(gateway, other);
    expect([sixth.status, sixth.headers.get('retry-after')]).toEqual([503, '60']);
    open[0]?.leave();
    await vi.waitFor(async () => expect((await listen(gateway, other)).status).toBe(200));
    const head = await fetch(`${gateway.url}/events/stream`, { method: 'HEAD' });
    expect([head.status, head.headers.get('allow')]).toEqual([405, 'GET']);
  });

  it('says goodbye when the service closes', async () => {
    const { gateway, token } = await begin({ app: { shutdown: { graceMs: 60_000 } } });
    const listening = await listen(gateway, token);
    await gateway.app.close();
    await listening.ended;
    expect(listening.text()).toMatch(/event: goodbye\ndata: {"reason":"closing"}\n\n$/);
  });

  it('is not offered where no copies are kept', async () => {
    const { gateway, token } = await begin({ env: { KEEP_COPIES: 'off' } });
    expect((await list(gateway, token)).status).toBe(503);
    const listening = await listen(gateway, token);
    expect([listening.status, listening.headers.get('retry-after')]).toEqual([503, '3600']);
  });
});

describe.each(['sqlite', 'postgres'] as const)('two replicas (%s)', (kind) => {
  it('hear of each other within three seconds, in order, with one statement for all who listen', async () => {
    clock = new ManualClock();
    const one = await start({ env: kind === 'postgres' ? { DATABASE_URL: await freshPostgresUrl() } : {} });
    const two = await one.replica();
    gateways.push(two);
    const tokens = [await one.register(first), await one.register(second)];
    const listening = await Promise.all(tokens.map((token) => listen(one, token)));
    const looks = vi.spyOn(one.services.storage.events, 'lastByToken');
    await append(two);
    await append(two, second.userid);
    await append(one);
    await append(two, second.userid, ping, ping);
    await seconds(3);
    await told(listening[0]!, '1 test.ping', '2 test.ping');
    await told(listening[1]!, '1 test.ping', '2 test.ping', '3 test.ping');
    expect(looks.mock.calls.length).toBeLessThanOrEqual(2);
    // Nor is the journal read by itself for who has heard all that came before.
    const pages = vi.spyOn(one.services.storage.events, 'page');
    await append(two, second.userid);
    await seconds(2);
    await told(listening[1]!, '1 test.ping', '2 test.ping', '3 test.ping', '4 test.ping');
    expect(pages).not.toHaveBeenCalled();
    // A token that ends here ends its streams at once; elsewhere they end within three seconds.
    const [token = ''] = tokens;
    const there = await listen(two, token);
    await one.b('POST', '/auth/logout', { token });
    await listening[0]!.ended;
    expect(listening[0]!.text()).toMatch(/goodbye\ndata: {"reason":"token"}\n\n$/);
    await seconds(3);
    await there.ended;
    for (const each of listening) each.leave();
    await vi.waitFor(() => expect(clock.timers).toBe(0));
  });
});

describe('the client', () => {
  it('tells every event once, over connections that end, and stops where the token ends', async () => {
    const { gateway, token } = await begin();
    let broken = 0;
    const client = createClient({
      baseUrl: gateway.url,
      token,
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        broken += 1;
        if (broken > 2 || response.body === null) return response;
        // Ends in the middle of the second event.
        let left = 300;
        const cut = new TransformStream<Uint8Array, Uint8Array>({
          transform(chunk, out) {
            out.enqueue(chunk.slice(0, left));
            left -= chunk.length;
            if (left <= 0) out.terminate();
          },
        });
        return new Response(response.body.pipeThrough(cut), response);
      },
    });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    await append(gateway, first.userid, ping, ping, ping, ping);
    const events: ChangeEvent[] = [];
    const following = client
      .followEvents({ after: 0, onEvent: (event) => events.push(event) })
      .catch((e: unknown) => e);
    await vi.waitFor(() => {
      vi.advanceTimersByTime(500);
      expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    }, 10_000);
    expect(broken).toBe(3);
    await gateway.b('POST', '/auth/logout', { token });
    await seconds(60);
    const pass = setInterval(() => vi.advanceTimersByTime(500), 20);
    onTestFinished(() => clearInterval(pass));
    const error = await following;
    expect(error).toBeInstanceOf(CampusError);
    expect(error).toMatchObject({ code: 'INVALID_AUTHENTICATION' });
    expect(client.token.get().ended).toBe(true);
  }, 30_000);
});

import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { silentLog } from '../../src/domain/context.ts';
import type { NewEvent } from '../../src/domain/events/ports.ts';
import { Deliveries } from '../../src/domain/hooks/deliveries.ts';
import type { HookCallResult, HookRequest, HookWish } from '../../src/domain/hooks/ports.ts';
import { Targets } from '../../src/domain/hooks/targets.ts';
import { waitForAbort } from '../../src/lib/time.ts';
import { WebhookSender } from '../../src/webhooks/sender.ts';
import { keyA, registered } from '../storage/databases.ts';
import { entryOf, first } from '../support/campus-rig.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { keptIn } from '../support/kept.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { createStorage } from '../support/storage.ts';
import { testCertificate } from '../support/test-certificate.ts';

const HOUR = 3_600_000;

const opened: Array<() => unknown> = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

interface Call {
  readonly name: unknown;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Receivers of any name on one port of loopback. */
const startReceivers = async (answer: (call: Call, response: ServerResponse) => void) => {
  const calls: Call[] = [];
  const server: Server = createServer(testCertificate, async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { servername } = request.socket as TLSSocket;
    const call = { name: servername, path: request.url ?? '', headers: request.headers, body };
    calls.push(call);
    answer(call, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { calls, port, url: (name: string, path = '/hook?key=of-the-receiver') => `https://${name}:${port}${path}` };
};

/** The certificate is for no name. */
const tls = { ca: testCertificate.cert, checkServerIdentity: () => undefined };
const score: NewEvent = {
  type: 'score.published',
  readAt: null,
  about: { course_name: '示例课程' },
  ask: null,
  detail: { score: '95.5' },
};
const ok = (_call: Call, response: ServerResponse): unknown => response.writeHead(204).end();

describe('the sender', () => {
  const send = async (
    answer: Parameters<typeof startReceivers>[0],
    { names = {}, own = [], more = {} }: { names?: Record<string, string[][]>; own?: string[]; more?: object } = {},
  ) => {
    const clock = new ManualClock();
    const receivers = await startReceivers(answer);
    const targets = new Targets({ allow: [{ network: '127.0.0.1', port: receivers.port }], deny: [], own });
    const asked: string[] = [];
    const resolve = async (name: string): Promise<string[]> => {
      asked.push(name);
      const [next = ['127.0.0.1'], ...rest] = names[name] ?? [];
      names[name] = rest;
      if (next.length === 0) throw new Error('no such name');
      return next;
    };
    const sender = new WebhookSender({ targets, resolve, clock, tls, ...more });
    const to = (name: string, path?: string): Promise<HookCallResult> => {
      const target = targets.check(receivers.url(name, path), 'standard');
      if (typeof target === 'string') throw new Error(target);
      const request: HookRequest = { target, headers: { 'content-type': 'application/json' }, body: '{}', attempt: 1 };
      return sender.send(request, new AbortController().signal);
    };
    return { ...receivers, to, clock, asked };
  };

  it('connects to the address that it has looked at, under the name, and looks each time', async () => {
    const names = { 'a.example': [['127.0.0.1'], ['10.0.0.1'], ['169.254.169.254'], []] };
    const { to, calls, asked } = await send(ok, { names });
    expect(await to('a.example')).toMatchObject({ kind: 'answer', status: 204 });
    expect(asked).toEqual(['a.example']);
    expect(calls).toMatchObject([{ name: 'a.example', path: '/hook?key=of-the-receiver', body: '{}' }]);
    for (const fault of ['private', 'private', 'unresolved']) {
      expect(await to('a.example')).toEqual({ kind: 'no-answer', fault });
    }
    expect(calls).toHaveLength(1);
  });

  it('never calls what has an address of the campus, allowed or not, also while the campus does not resolve', async () => {
    const names = { 'campus.example': [['127.0.0.1'], []] };
    const { to, calls, clock } = await send(ok, { names, own: ['campus.example'] });
    for (let at = 0; at < 2; at += 1) {
      expect(await to('a.example')).toEqual({ kind: 'no-answer', fault: 'private' });
      clock.advance(10 * 60_000);
    }
    expect(calls).toEqual([]);
  });

  it('follows no redirect, keeps no cookie, and cuts off a reply that never ends', async () => {
    const endless = Buffer.alloc(1_024, 'x');
    const { to, calls } = await send(({ path }, response) => {
      if (path === '/redirect') response.writeHead(302, { location: '/elsewhere', 'set-cookie': 'a=b' }).end();
      else {
        response.writeHead(200);
        const pour = (): void => void (response.destroyed || response.write(endless, () => setImmediate(pour)));
        pour();
      }
    });
    expect(await to('a.example', '/redirect')).toMatchObject({ status: 302 });
    const sent = await to('a.example', '/endless');
    expect(sent.kind === 'answer' && [sent.status, sent.reply.length]).toEqual([200, 4_096]);
    expect(calls.map(({ path, headers }) => [path, headers.cookie])).toEqual([
      ['/redirect', undefined],
      ['/endless', undefined],
    ]);
  });

  it('gives up after fifteen seconds, whether nothing comes or never enough', async () => {
    for (const path of ['/silent', '/dripping']) {
      const { to, calls, clock } = await send((call, response) => {
        if (call.path === '/dripping') response.writeHead(200).write('{');
      });
      const sent = to('a.example', path);
      await vi.waitFor(() => expect(calls).toHaveLength(1));
      // Lets everything sent so far arrive.
      await new Promise((resolve) => setTimeout(resolve, 100));
      clock.advance(14_999);
      expect(await Promise.race([sent, new Promise((resolve) => setTimeout(resolve, 20, 'waits'))])).toBe('waits');
      clock.advance(1);
      expect(await sent).toEqual(
        path === '/silent'
          ? { kind: 'no-answer', fault: 'timed-out' }
          : { kind: 'answer', status: 200, retryAfter: null, reply: '{' },
      );
    }
  });

  it('believes no certificate of another name', async () => {
    const { to, calls } = await send(ok, { more: { tls: { ca: testCertificate.cert } } });
    expect(await to('a.example')).toEqual({ kind: 'no-answer', fault: 'not-connected' });
    expect(calls).toEqual([]);
  });
});

describe('deliveries', () => {
  /** The outbox of a real storage before receivers that a test speaks for. */
  const start = async (answer: (host: string) => HookCallResult | Promise<HookCallResult>) => {
    const clock = new ManualClock(Date.now());
    const storage = await createStorage({ url: 'sqlite::memory:', keys: [keyA], log: silentLog, clock });
    opened.push(() => storage.close());
    const { userid } = await registered(storage);
    let made = 0;
    const hook = async (url: string): Promise<string> => {
      made += 1;
      const wish: HookWish = {
        url,
        types: ['score.published'],
        detail: 'thin',
        format: 'standard',
        lowKwh: null,
        refresh: 'none',
      };
      const entry = { ...wish, id: `h${made}`, now: clock.now(), secret: 'whsec_c2VjcmV0', madeBy: '' };
      await storage.hooks.make(userid, entry, 20);
      return entry.id;
    };
    const sent: Array<{ readonly host: string; readonly at: number; readonly id: string }> = [];
    const outcomes: string[] = [];
    const lines: string[] = [];
    const run = () => {
      const note = (fields: object, message: string): void => void lines.push(JSON.stringify([fields, message]));
      const deliveries = new Deliveries({
        store: storage.hookDeliveries,
        targets: new Targets({ allow: [], deny: [], own: [] }),
        sender: {
          send: ({ target, headers }, signal) => {
            sent.push({ host: target.host, at: clock.now(), id: headers['webhook-id'] ?? '' });
            const cut = waitForAbort(signal).then((): HookCallResult => ({ kind: 'no-answer', fault: 'timed-out' }));
            return Promise.race([answer(target.host), cut]);
          },
        },
        clock,
        random: () => 0.5,
        log: { ...silentLog, info: note, warn: note },
        tagOf: () => 'tag',
        observer: { hookCalled: (outcome) => void outcomes.push(outcome) },
      });
      opened.push(() => deliveries.close());
      return deliveries;
    };
    const append = (): Promise<unknown> => keptIn(storage, clock).journal.append(userid, [score]);
    const stateOf = async (id: string) => (await storage.hooks.list(userid)).find((one) => one.id === id);
    return { clock, storage, userid, hook, sent, outcomes, lines, run, append, stateOf };
  };
  const status = (code: number): HookCallResult => ({ kind: 'answer', status: code, retryAfter: null, reply: '' });

  it('receivers that never answer take at most two places each and half of all, and the others wait for none', async () => {
    const hanging: Array<(sent: HookCallResult) => void> = [];
    const { hook, sent, run, append } = await start((host) =>
      host.startsWith('dead') ? new Promise((resolve) => hanging.push(resolve)) : status(204),
    );
    const well = () => sent.filter(({ host }) => host === 'well.example').length;
    const deliveries = run();
    await hook('https://well.example/');
    await append();
    deliveries.wake();
    await vi.waitFor(() => expect([well(), deliveries.active]).toEqual([1, 0]));
    for (let at = 0; at < 9; at += 1) await hook(`https://dead-${at}.example/`);
    for (let at = 0; at < 29; at += 1) await append();
    deliveries.wake();
    await vi.waitFor(() => expect(well()).toBe(30), { timeout: 5_000 });
    expect([hanging.length, deliveries.active]).toEqual([8, 8]);
    for (const answer of hanging.splice(0)) answer({ kind: 'no-answer', fault: 'timed-out' });
    // Hooks that have failed take no more than half of the places.
    await vi.waitFor(() => expect([hanging.length, deliveries.active]).toEqual([8, 8]), { timeout: 5_000 });
    await append();
    deliveries.wake();
    await vi.waitFor(() => expect(well()).toBe(31), { timeout: 5_000 });
    for (const answer of hanging.splice(0)) answer(status(204));
    await deliveries.close();
  });

  it('sixteen are under way at once, however many receivers there are', async () => {
    const hanging: Array<(sent: HookCallResult) => void> = [];
    let hangs = false;
    const { hook, sent, run, append } = await start(() =>
      hangs ? new Promise((resolve) => hanging.push(resolve)) : status(204),
    );
    for (let at = 0; at < 9; at += 1) await hook(`https://receiver-${at}.example/`);
    await append();
    const deliveries = run();
    await vi.waitFor(() => expect([sent.length, deliveries.active]).toEqual([9, 0]), { timeout: 5_000 });
    hangs = true;
    for (let at = 0; at < 2; at += 1) await append();
    deliveries.wake();
    await vi.waitFor(() => expect(hanging).toHaveLength(16), { timeout: 5_000 });
    deliveries.wake();
    await append();
    expect([hanging.length, deliveries.active]).toEqual([16, 16]);
    for (const answer of hanging.splice(0)) answer(status(204));
    await deliveries.close();
  });

  it('410 ends a hook, 429 and 503 are obeyed, a redirect is a failure, and no line of the log holds an address or a mark', async () => {
    let answer = status(301);
    const { clock, hook, sent, outcomes, lines, run, append, stateOf } = await start(() => answer);
    const id = await hook('https://a.example/hook?key=of-the-receiver');
    const deliveries = run();
    await append();
    deliveries.wake();
    await vi.waitFor(() => expect([sent.length, deliveries.active]).toEqual([1, 0]));
    answer = { kind: 'answer', status: 429, retryAfter: '3600', reply: 'of-the-reply' };
    clock.advance(5_000);
    deliveries.wake();
    await vi.waitFor(() => expect([sent.length, deliveries.active]).toEqual([2, 0]));
    clock.advance(HOUR - 1);
    deliveries.wake();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(sent).toHaveLength(2);
    answer = status(410);
    clock.advance(1);
    deliveries.wake();
    await vi.waitFor(() => expect([sent.length, deliveries.active]).toEqual([3, 0]));
    await vi.waitFor(async () => expect(await stateOf(id)).toMatchObject({ state: 'gone' }));
    expect(new Set(sent.map((one) => one.id)).size).toBe(1);
    expect(outcomes).toEqual(['failed', 'failed', 'gone', 'ended']);
    for (const secret of ['a.example', 'of-the-receiver', 'of-the-reply', '95.5', 'whsec', '示例课程']) {
      expect(lines.join('\n')).not.toContain(secret);
    }
    expect(lines.length).toBeGreaterThan(3);
  });
});

describe('hooks of a student', () => {
  let gateway: Gateway;
  let token: string;
  let receivers: Awaited<ReturnType<typeof startReceivers>>;
  let answer: Parameters<typeof startReceivers>[0];

  beforeEach(async () => {
    answer = ok;
    receivers = await startReceivers((...args) => answer(...args));
    gateway = await startGateway({
      env: { WEBHOOK_ALLOW: `127.0.0.1:${receivers.port}` },
      receivers: { resolve: async () => ['127.0.0.1'], tls },
    });
    opened.push(() => gateway.close());
    token = await gateway.register();
  });
  const b = (method: string, path: string, body?: object, headers = {}) =>
    gateway.b(method, `/events/hooks${path}`, { token, headers, ...(body === undefined ? {} : { body }) });
  const make = async (more: object = {}) => {
    const made = await b('POST', '', { url: receivers.url('a.example'), types: ['score.published'], ...more });
    if (made.status !== 200) throw new Error(made.text);
    return made.body.data;
  };
  const delivered = (count: number) =>
    vi.waitFor(() => expect(receivers.calls).toHaveLength(count), { timeout: 5_000 });

  it('tells of an event at once, signed, with both secrets after a rotation, and the owner sees what came of it', async () => {
    const { id, secret, ...hook } = await make({ detail: 'full' });
    expect(hook).toMatchObject({ state: 'on', detail: 'full', format: 'standard', low_kwh: null, delivered_at: null });
    await gateway.services.journal.append(first.userid, [
      score,
      { type: 'exam.moved', readAt: null, about: {}, ask: null, detail: {} },
    ]);
    await delivered(1);
    const [call] = receivers.calls;
    const headers = Object.fromEntries(
      Object.entries(call?.headers ?? {}).map(([name, value]) => [name, String(value)]),
    );
    const told = { type: 'score.published', data: { about: { course_name: '示例课程' }, detail: { score: '95.5' } } };
    expect(new Webhook(secret).verify(call?.body ?? '', headers)).toMatchObject(told);

    await vi.waitFor(async () => expect((await b('GET', '')).body.data.hooks[0].delivered_at).not.toBeNull());
    const [first20] = (await b('GET', `/${id}/deliveries`)).body.data.deliveries;
    expect(first20).toMatchObject({ event_id: headers['webhook-id'], state: 'delivered', status: 204, attempts: 1 });
    const { text } = await b('GET', '');
    expect(text).not.toContain(secret);
    const bytes = gateway.databaseBytes();
    for (const hidden of ['of-the-receiver', 'a.example', secret, '95.5']) {
      expect([hidden, bytes.includes(hidden), gateway.log().includes(hidden)]).toEqual([hidden, false, false]);
    }
  });

  it('tests a hook in any state, once each, and at most ten times an hour over all of them', async () => {
    answer = (_call, response) => response.writeHead(500).end();
    // One that is gone costs none.
    const gone = (await make()).id;
    await b('DELETE', `/${gone}`);
    for (let at = 0; at < 10; at += 1) expect((await b('POST', `/${gone}/test`)).status).toBe(404);
    for (let at = 1; at <= 10; at += 1) {
      const { id } = await make();
      if (at === 1) await b('PATCH', `/${id}`, { active: false });
      expect((await b('POST', `/${id}/test`)).status).toBe(200);
      await delivered(at);
      await vi.waitFor(async () => {
        const [ping] = (await b('GET', `/${id}/deliveries`)).body.data.deliveries;
        expect(ping).toMatchObject({ type: 'test.ping', state: 'given-up', status: 500, attempts: 1, next_at: null });
      });
      await b('DELETE', `/${id}`);
    }
    const { id } = await make();
    const limited = await b('POST', `/${id}/test`);
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '3600']);
    expect(receivers.calls).toHaveLength(10);
  });

  it('ends with the session that set its address last, no matter who changed anything else of it', async () => {
    const login = async (): Promise<string> => {
      return (await gateway.b('POST', '/auth/login/next', { body: entryOf(first) })).body.data.token;
    };
    const endedWith = async (as: string) => {
      const { sessions } = (await gateway.b('GET', '/auth/sessions', { token: as })).body.data;
      const { id } = sessions.find(({ current }: { current: boolean }) => current);
      return (await gateway.b('DELETE', `/auth/sessions/${id}`, { token })).headers.get('x-ended');
    };
    const { id } = await make();
    const thief = await login();
    const change = (body: object) => gateway.b('PATCH', `/events/hooks/${id}`, { token: thief, body });
    for (const body of [{ active: true }, { url: receivers.url('a.example') }, { detail: 'full' }]) await change(body);
    const idle = await login();
    expect(await endedWith(idle)).toBeNull();
    expect((await change({ url: receivers.url('thief.example') })).body.data.secret).toBeUndefined();
    expect((await b('PATCH', `/${id}`, { detail: 'thin' })).status).toBe(200);
    expect(await endedWith(thief)).toBe('hooks=1');
    expect((await b('GET', '')).body.data.hooks).toEqual([]);
  });

  it('ends a delivery under way with its hook, its account, or when it is switched off', async () => {
    let cut = 0;
    answer = (_call, response) =>
      response.on('close', () => {
        cut += 1;
      });
    const ends = [
      (id: string) => b('DELETE', `/${id}`),
      (id: string) => b('PATCH', `/${id}`, { active: false }),
      () => gateway.services.storage.accounts.deleteUser(first.userid),
    ];
    for (const [at, end] of ends.entries()) {
      const { id } = await make();
      await gateway.services.journal.append(first.userid, [score]);
      await delivered(at + 1);
      expect(cut).toBe(at);
      await end(id);
      // The next look notices that another process has ended it.
      await vi.waitFor(() => expect(cut).toBe(at + 1), { timeout: 5_000 });
    }
    expect(gateway.log()).not.toContain('"hook called"');
  });
});

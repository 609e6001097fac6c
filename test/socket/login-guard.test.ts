import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { entryOf, first } from '../support/campus-rig.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { readGuard } from '../support/guard-rows.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { freshPostgresUrl } from '../support/postgres.ts';

type Student = typeof first;

/** The connection is the proxy's; from where a call comes is what the proxy says. */
const behindProxy = { TRUSTED_PROXIES: '127.0.0.1' };

let gateway: Gateway;
let clock: ManualClock;
beforeEach(async () => {
  clock = new ManualClock();
  gateway = await startGateway({ clock, env: { ...behindProxy, TRUSTED_CALLERS: '192.0.2.200' } });
});
afterEach(() => gateway.close());

const post = async (
  path: string,
  payload: unknown,
  { from, token, agent, at = gateway }: { from: string; token?: string; agent?: string; at?: Gateway },
) => {
  const response = await fetch(at.url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': from,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(agent === undefined ? {} : { 'user-agent': agent }),
    },
    body: JSON.stringify(payload),
  });
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
};

const login = (student: Student, options: Parameters<typeof post>[2]) =>
  post('/auth/login/next', entryOf(student), options);
const passwordsSent = (at = gateway) =>
  at.demo.requests().filter(({ method, system }) => method === 'POST' && (system === 'vpn' || system === 'cas')).length;
let guesses = 0;
const guess = (): Student => {
  guesses += 1;
  return { ...first, vpnPassword: `guess-${guesses}` };
};
const inviteToken = async (from: string): Promise<string> =>
  (await post('/auth/register/invite', { invite_code: 'DEMO-2026' }, { from })).body.data.invite_token;
const register = async (student: Student, from: string): Promise<string> =>
  (await post('/auth/register/next', { ...entryOf(student), invite_token: await inviteToken(from) }, { from })).body
    .data.token;

describe('a stranger who guesses', () => {
  it('from rotating networks gets no answer about the right pair once his budget is spent', async () => {
    await register(first, '198.51.100.1');
    gateway.demo.resetRequests();
    for (let at = 0; at < 40; at += 1) await login(guess(), { from: `2001:db8:${at.toString(16)}::1` });
    const right = await login(first, { from: '2001:db8:ffff::1' });
    expect([right.status, right.body.error.code]).toEqual([429, 'COOLDOWN']);
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(60);
    expect(passwordsSent()).toBeLessThanOrEqual(2);
    // The owner, at home or with his last token elsewhere, notices nothing.
    const home = await login(first, { from: '198.51.100.77' });
    expect(home.status).toBe(200);
    expect((await login(first, { from: '2001:db8:fffe::1', token: home.body.data.token })).status).toBe(200);
  });
});

describe('sessions', () => {
  it('are listed with their networks, and ended one by one', async () => {
    const phone = await register(first, '198.51.100.1');
    const laptop = (await login(first, { from: '2001:db8:7:7::1' })).body.data.token;
    const list = await gateway.b('GET', '/auth/sessions', { token: laptop });
    expect(list.body.data.sessions).toEqual([
      expect.objectContaining({ network: '2001:db8:7:7::/64', current: true, last_used_at: '2026-03-18 10:00:00' }),
      expect.objectContaining({ network: '198.51.100.0/24', current: false }),
    ]);
    expect(gateway.databaseBytes().includes('198.51.100')).toBe(false);
    const path = `/auth/sessions/${list.body.data.sessions[1].id}`;
    expect((await gateway.b('DELETE', path, { token: laptop })).status).toBe(200);
    expect((await gateway.b('GET', '/auth/authme/token', { token: phone })).status).toBe(401);
    const gone = await gateway.b('DELETE', path, { token: laptop });
    expect([gone.status, gone.body.error.code]).toEqual([404, 'NOT_FOUND']);
  });

  it('tell which program logged in, over either surface, and were never used before they were made', async () => {
    await register(first, '198.51.100.1');
    clock.advance(47 * 60_000);
    const from = '198.51.100.1';
    const agent = 'CampusApp/2.3 (Android 14; Pixel of Lin)';
    const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:121.0) Gecko/20100101 Firefox/121.0';
    await login(first, { from, agent });
    const { authme_token: token } = (await post('/api/v1/user/login', entryOf(first), { from, agent: browser })).body
      .data;
    const sessions = async () => (await gateway.b('GET', '/auth/sessions', { token })).body.data.sessions;
    const made = { created_at: '2026-03-18 10:47:00', last_used_at: '2026-03-18 10:47:00' };
    expect(await sessions()).toMatchObject([
      { ...made, client: 'Firefox', current: true },
      { ...made, client: 'CampusApp', current: false },
      { created_at: '2026-03-18 10:00:00', last_used_at: '2026-03-18 10:00:00' },
    ]);
    for (const word of ['CampusApp', 'Firefox', 'Pixel of Lin']) {
      expect(gateway.databaseBytes().includes(word)).toBe(false);
      expect(gateway.log()).not.toContain(word);
    }
    clock.advance(2 * 3_600_000);
    expect((await sessions())[0]).toMatchObject({ client: 'Firefox', last_used_at: '2026-03-18 12:00:00' });
  });
});

describe('an address over its limit of calls', () => {
  it('is still served with valid tokens, on both surfaces', async () => {
    const small = await startGateway({ app: { limits: { anonymousPerMinute: 20 } } });
    onTestFinished(() => small.close());
    const token = await small.register();
    for (let at = 0; at < 30; at += 1) await small.a('/user/authme', { nothing: at });
    expect((await small.a('/user/authme', { token: 'x' })).body.code).toBe(429);
    expect((await small.a('/user/authme', { token })).body.code).toBe(200);
    expect((await small.b('GET', '/auth/authme/token', { token })).status).toBe(200);
    const many = await Promise.all(Array.from({ length: 40 }, () => small.a('/user/authme', { token })));
    expect(many.map((answer) => answer.body.code)).toEqual(Array(40).fill(200));
    // A larger body is not even read, since anyone may have sent it.
    const large = await small.a('/user/profile/update', { token, avatar: 'x'.repeat(70_000) });
    expect([large.body.code, Number(large.headers.get('retry-after')) > 0]).toEqual([429, true]);
  });
});

describe('two replicas on PostgreSQL', () => {
  it('hold the budgets together', async () => {
    const one = await startGateway({ env: { ...behindProxy, DATABASE_URL: await freshPostgresUrl() } });
    onTestFinished(() => one.close());
    const two = await one.replica();
    onTestFinished(() => two.close());
    const { demo } = one;
    const invite = await post('/auth/register/invite', { invite_code: 'DEMO-2026' }, { from: '198.51.100.1', at: one });
    const entry = { ...entryOf(first), invite_token: invite.body.data.invite_token };
    expect((await post('/auth/register/next', entry, { from: '198.51.100.1', at: one })).status).toBe(200);
    demo.resetRequests();
    const attempts = Array.from({ length: 30 }, (_, at) =>
      login(guess(), { from: `203.0.${at}.1`, at: at % 2 ? one : two }),
    );
    const answers = (await Promise.all(attempts)).map(({ status }) => status);
    expect(answers.filter((status) => status === 403)).toHaveLength(1);
    expect(answers.filter((status) => status === 429).length).toBeGreaterThanOrEqual(20);
    expect(passwordsSent(one)).toBe(1);
    const { student } = await readGuard(two.services.storage, first.userid);
    expect(student.guesses).toHaveLength(10);
    await vi.waitFor(() => expect(student.asks).toHaveLength(1));
  });
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Guard, unlocks } from '../../src/domain/accounts/guard/guard.ts';
import { first } from '../support/campus-rig.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { freshPostgresUrl } from '../support/postgres.ts';

type Pair = Pick<typeof first, 'password' | 'vpnPassword'>;

const HOME = '198.51.100.1';
const DAY = 86_400_000;

describe.each(['sqlite', 'postgres'] as const)('a token in the wrong hands, on %s', (kind) => {
  let clock: ManualClock;
  let gateway: Gateway;
  /** The owner's last token, from his registration at home; the thief has a copy of it. */
  let token: string;
  let guesses = 0;
  beforeEach(async () => {
    clock = new ManualClock();
    const env = {
      TRUSTED_PROXIES: '127.0.0.1',
      ...(kind === 'postgres' ? { DATABASE_URL: await freshPostgresUrl() } : {}),
    };
    gateway = await startGateway({ clock, env });
    const invite = await call('POST', '/auth/register/invite', { body: { invite_code: 'DEMO-2026' } });
    const { invite_token } = invite.body.data;
    const entry = { userid: first.userid, password: first.password, vpn_password: first.vpnPassword, invite_token };
    token = (await call('POST', '/auth/register/next', { body: entry })).body.data.token;
    gateway.demo.resetRequests();
  });
  afterEach(() => gateway.close());

  const call = async (
    method: string,
    path: string,
    options: { from?: string; token?: string; body?: unknown; keep?: string } = {},
  ) => {
    const response = await fetch(gateway.url + path, {
      method,
      headers: {
        'x-forwarded-for': options.from ?? HOME,
        ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
        ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(options.keep === undefined ? {} : { 'x-keep': options.keep }),
      },
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  };
  const login = (pair: Pair, options: { from?: string; token?: string; keep?: string } = {}) => {
    const body = { userid: first.userid, password: pair.password, vpn_password: pair.vpnPassword };
    return call('POST', '/auth/login/next', { ...options, body });
  };
  const guess = (): Pair => {
    guesses += 1;
    return { ...first, vpnPassword: `guess-${guesses}` };
  };
  const isValid = async (held: string): Promise<boolean> =>
    (await call('GET', '/auth/authme/token', { token: held, from: '203.0.113.1' })).status === 200;
  const passwordsSent = (): number =>
    gateway.demo.requests().filter(({ method, system }) => method === 'POST' && system === 'vpn').length;
  const thiefAt = (at: number): string => `203.0.${at}.5`;

  /** From nine networks: uses the token, guesses with it in the owner's name, and tries to erase the account. */
  const harass = async (stolen = token): Promise<void> => {
    for (let at = 0; at < 9; at += 1) {
      const from = thiefAt(at);
      await call('GET', '/auth/authme/token', { from, token: stolen });
      for (let tries = 0; tries < 3; tries += 1) await login(guess(), { from, token: stolen });
      const { password, vpnPassword } = guess();
      await call('POST', '/auth/account/delete', {
        from,
        token: stolen,
        body: { password, vpn_password: vpnPassword },
      });
    }
  };

  it('the owner at home with the right passwords gets in, hour after hour, with that token and without', async () => {
    for (let hour = 0; hour < 3; hour += 1) {
      await harass();
      expect((await login(first, { token })).status).toBe(200);
      expect((await login(first)).status).toBe(200);
      clock.advance(3_600_000);
    }
    // Of the thief; the owner’s own pair is signed in again where its session has aged.
    expect(passwordsSent()).toBeLessThanOrEqual(2 + 3);
  });

  it('five taps with a new, right pair: five tokens, one sign-in, and the next login passes', async () => {
    const changed = { ...first, password: 'changed-password' };
    gateway.demo.student(first.userid).changePasswords(changed);
    const answers = await Promise.all(Array.from({ length: 5 }, () => login(changed)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    for (const { body } of answers) expect(await isValid(body.data.token)).toBe(true);
    expect(passwordsSent()).toBe(1);
    clock.advance(1_800_000);
    expect((await login(changed, { from: '198.51.100.9' })).status).toBe(200);
  });

  // What follows is the guard's to decide, whose store has a suite over both databases.
  if (kind === 'postgres') return;

  it('a token that the thief ended still proves the owner for 30 days, and its network longer', async () => {
    const laptop = (await login(first)).body.data.token;
    await call('POST', '/auth/logout/all', { token, from: thiefAt(1) });
    for (const held of [token, laptop]) expect(await isValid(held)).toBe(false);
    // Thirty guesses of strangers: who is nobody special waits.
    for (let at = 0; at < 12; at += 1) await login(guess(), { from: `192.0.${at}.1` });
    const elsewhere = '100.64.0.1';
    expect((await login(first, { from: elsewhere })).status).toBe(429);
    expect((await login(first, { from: elsewhere, token: laptop })).status).toBe(200);
    clock.advance(30 * DAY);
    for (let at = 0; at < 12; at += 1) await login(guess(), { from: `192.1.${at}.1` });
    expect((await login(first, { from: '100.65.0.1', token: laptop })).status).toBe(429);
    expect((await login(first, { token: laptop })).status).toBe(200);
  });

  it('the owner ends all tokens and goes on; the thief’s use makes no network a home', async () => {
    await harass();
    for (let at = 9; at < 30; at += 1) await call('GET', '/auth/authme/token', { from: thiefAt(at), token });
    const fresh = (await login(first, { token })).body.data.token;
    expect((await call('POST', '/auth/logout/all', { token: fresh })).status).toBe(200);
    expect(await isValid(token)).toBe(false);
    await harass();
    expect((await login(first, { token: fresh })).status).toBe(200);
  });

  it('a changed password is taken from home with the last token within the hour, though the thief keeps guessing', async () => {
    const changed = { ...first, password: 'changed-password' };
    gateway.demo.student(first.userid).changePasswords(changed);
    const begun = clock.now();
    let answer: Awaited<ReturnType<typeof login>>;
    do {
      await harass();
      answer = await login(changed, { token });
      clock.advance(1000 * Number(answer.headers.get('retry-after') ?? 0));
    } while (answer.status === 429);
    expect(answer.status).toBe(200);
    expect(clock.now() - begun).toBeLessThanOrEqual(3_600_000);
    expect(await isValid(token)).toBe(false);
    expect(await isValid(answer.body.data.token)).toBe(true);
  });

  it('the operator lets the owner in from a new network where every budget is spent', async () => {
    for (let at = 0; at < 12; at += 1) await login(guess(), { from: `192.0.${at}.1` });
    expect((await login(first, { from: '100.64.0.1' })).status).toBe(429);
    const { guards } = gateway.services.storage;
    await new Guard({ guards, clock, perDay: 4 }).decide(first.userid, unlocks);
    expect((await login(first, { from: '100.64.0.1' })).status).toBe(200);
  });

  /** A feed that the thief may have made; how many requests to its address are answered. */
  const feed = async (): Promise<() => Promise<number>> => {
    const made = await call('POST', '/calendar/feeds', { token, body: { name: 'x', include: ['exams'] } });
    const path = new URL(made.body.data.url, gateway.url).pathname;
    return async () => (await call('GET', path)).status;
  };

  it('feeds go on after a logout everywhere that says nothing, and are named; told so, it ends them', async () => {
    const poll = await feed();
    const kept = await call('POST', '/auth/logout/all', { token });
    expect([kept.headers.get('x-kept'), kept.headers.get('x-ended')]).toEqual(['feeds=1', null]);
    expect(kept.headers.get('access-control-expose-headers')).toContain('X-Kept, X-Ended');
    expect(await poll()).not.toBe(404);
    token = (await login(first)).body.data.token;
    const ended = await call('POST', '/auth/logout/all', { token, body: { keep: [] } });
    expect([ended.headers.get('x-kept'), ended.headers.get('x-ended')]).toEqual([null, 'feeds=1']);
    expect(await poll()).toBe(404);
  });

  it.each([
    ['nothing', undefined, 'feeds=1', null],
    ['another kind', 'hooks', null, 'feeds=1'],
  ])(
    'a login that replaces the pair and is told to keep %s says what became of the feeds',
    async (_what, keep, kept, ended) => {
      const poll = await feed();
      const same = await login(first, keep === undefined ? {} : { keep });
      expect([same.status, same.headers.get('x-kept'), same.headers.get('x-ended')]).toEqual([200, null, null]);
      const changed = { ...first, password: 'changed-password' };
      gateway.demo.student(first.userid).changePasswords(changed);
      const answer = await login(changed, { token, ...(keep === undefined ? {} : { keep }) });
      expect([answer.status, answer.headers.get('x-kept'), answer.headers.get('x-ended')]).toEqual([200, kept, ended]);
      expect((await poll()) === 404).toBe(ended !== null);
    },
  );
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { entryOf, first } from '../support/campus-rig.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { freshPostgresUrl } from '../support/postgres.ts';

type Pair = Pick<typeof first, 'password' | 'vpnPassword'>;

const HOME = '198.51.100.1';

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
    const entry = { ...entryOf(first), invite_token };
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
    const body = entryOf({ ...first, ...pair });
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

  // The guard decides the rest, and its store has a suite over both databases.
  if (kind === 'postgres') return;

  it('the owner ends all tokens and continues; the thief’s use makes no network a home', async () => {
    await harass();
    for (let at = 9; at < 30; at += 1) await call('GET', '/auth/authme/token', { from: thiefAt(at), token });
    const fresh = (await login(first, { token })).body.data.token;
    expect((await call('POST', '/auth/logout/all', { token: fresh })).status).toBe(200);
    expect(await isValid(token)).toBe(false);
    await harass();
    expect((await login(first, { token: fresh })).status).toBe(200);
  });
});

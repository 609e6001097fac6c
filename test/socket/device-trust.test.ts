import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Seaside } from '../../src/demo/seaside/campus.ts';
import type { DemoMessage } from '../../src/demo/types.ts';
import { campusCommand } from '../support/campus-command.ts';
import { type Answer, type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { freshPostgresUrl } from '../support/postgres.ts';

/** A login that wants a code by SMS, and not again of the browser that has sent one. */
let gateway: Gateway;
let campus: Seaside;
let clock: ManualClock;
let shown: DemoMessage[];

const student = { userid: 'S2026001', password: 'seaside-password' };
const other = { userid: 'S2026002', password: 'seaside-password-2' };

const start = async (env: Record<string, string> = {}) => {
  clock = new ManualClock();
  shown = [];
  gateway = await startGateway({
    clock,
    env: { CAMPUS: 'demo-seaside', STALE_IF_PERSON_SECONDS: '0', ...env },
    onMessage: (message) => void shown.push(message),
  });
  const model = gateway.services.simulated?.model;
  if (!(model instanceof Seaside)) throw new Error('no simulator');
  campus = model;
  campus.switches.datesMove = false;
  Object.assign(campus.login.switches, { reauth: '3', trust: true });
};
beforeEach(() => start());
afterEach(() => gateway.close());

const post = (path: string, body: object = {}, token?: string) =>
  gateway.b('POST', path, { body, ...(token !== undefined && { token }) });

/** Takes the code from the phone. */
const pass = async ({ body }: Answer): Promise<Answer> => {
  expect(body.data?.challenge, JSON.stringify(body)).toMatchObject({ kind: 'sms' });
  const { id } = body.data.challenge;
  await post(`/auth/challenges/${id}/send`);
  const passed = await post(`/auth/challenges/${id}/answer`, { answer: shown.at(-1)?.text.replace(/\D+ /, '') });
  expect([passed.status, passed.body.message]).toEqual([200, expect.anything()]);
  return passed;
};

const beginRegistration = async (who = student): Promise<Answer> => {
  const invite = await post('/auth/register/invite', { invite_code: 'DEMO-2026' });
  return post('/auth/register/next', { ...who, invite_token: invite.body.data.invite_token });
};
const register = async (who = student): Promise<string> => (await pass(await beginRegistration(who))).body.data.token;
const login = (pair = student, token?: string) => post('/auth/login/next', pair, token);

/** All sessions at the campus end, and the service's own leaves memory. */
const endSessions = (): void => {
  clock.advance(10 * 60_000);
  campus.expireSessions();
  campus.expireLogins();
  gateway.services.simulated?.resetRequests();
  campus.login.recognized.splice(0);
  campus.login.codes.splice(0);
};

const read = (token: string) => gateway.b('GET', '/jwc/term/all', { token });
const passwords = (): number =>
  (gateway.services.simulated?.requests() ?? []).filter(
    ({ method, path }) => method === 'POST' && path === '/authserver/login',
  ).length;
const sentWith = () => campus.login.recognized.map(({ request }) => request);
const stored = async (userid = student.userid): Promise<string[]> =>
  ((await gateway.services.storage.sessions.load(userid))?.entries ?? []).flatMap(({ trust }) => trust ?? []);

describe.each(['sqlite', 'postgres'] as const)('on %s', (kind) => {
  it('renewals pass unattended with the trust that the first login earned, one after the other', async () => {
    if (kind === 'postgres') {
      await gateway.close();
      await start({ DATABASE_URL: await freshPostgresUrl() });
    }
    const token = await register();
    expect(campus.login.recognized).toEqual([]);
    for (let time = 0; time < 3; time += 1) {
      endSessions();
      expect((await read(token)).status).toBe(200);
      expect([passwords(), campus.login.codes]).toEqual([1, []]);
      expect(sentWith()).toEqual(['GET /login', 'GET /checkNeedCaptcha.htl', 'POST /login']);
      expect(new Set(campus.login.recognized.map(({ cookie }) => cookie)).size).toBe(1);
    }
  });
});

it('lies sealed in a separate column, apart from the cookies of the session, and in no log', async () => {
  const token = await register();
  const [text = ''] = await stored();
  const { entries = [] } = (await gateway.services.storage.sessions.load(student.userid)) ?? {};
  expect(text).toContain('MULTIFACTOR_BROWSER_FINGERPRINT');
  expect(entries.map(({ state }) => state).join()).not.toContain('MULTIFACTOR_BROWSER_FINGERPRINT');
  endSessions();
  await read(token);
  const [{ cookie } = { cookie: '' }] = campus.login.recognized;
  expect(text).toContain(cookie);
  for (const place of [gateway.log(), gateway.databaseBytes().toString('latin1')]) {
    expect(place.includes(cookie)).toBe(false);
    expect(place.includes('MULTIFACTOR_BROWSER_FINGERPRINT')).toBe(false);
  }
  const exported = await gateway.b('GET', '/account/export', { token });
  expect(exported.text.includes(cookie)).toBe(false);
  expect(exported.body.not_included).toContainEqual({
    what: 'upstream_sessions.sealed_trust',
    why: expect.stringContaining('device trust'),
  });
});

describe('is never sent while a submitted pair is verified', () => {
  it.each([
    ['a login with the stored pair', () => login()],
    ['a login with a token', (token: string) => login(student, token)],
    ['a renewal by hand', (token: string) => post('/auth/challenges', {}, token)],
    ['a login with another pair', () => login({ ...student, password: 'wrong' })],
  ])('%s', async (_what, ask) => {
    const token = await register();
    endSessions();
    const { status } = await ask(token);
    expect([200, 403, 428]).toContain(status);
    expect([passwords(), sentWith()]).toEqual([1, []]);
  });

  it('nor in the sign-in that earns it, nor for another student', async () => {
    const token = await register();
    const others = await register(other);
    expect(sentWith()).toEqual([]);
    endSessions();
    expect((await read(others)).status).toBe(200);
    const [own] = campus.login.recognized;
    campus.login.recognized.splice(0);
    expect((await read(token)).status).toBe(200);
    expect(campus.login.recognized.map(({ cookie }) => cookie)).not.toContain(own?.cookie);
  });

  it('and the step that it asks for earns another, with which renewals go on', async () => {
    await register();
    const [before] = await stored();
    endSessions();
    const { token } = (await pass(await login())).body.data;
    expect(await stored()).toHaveLength(1);
    expect(await stored()).not.toEqual([before]);
    endSessions();
    expect((await read(token)).status).toBe(200);
    expect([passwords(), sentWith().at(-1), campus.login.codes]).toEqual([1, 'POST /login', []]);
  });

  it.each([
    ['a login', (token: string) => login(student, token)],
    ['a renewal by hand', (token: string) => post('/auth/challenges', {}, token)],
  ])('%s that met no step leaves it with the stored pair', async (_what, ask) => {
    const token = await register();
    const before = await stored();
    endSessions();
    campus.login.switches.reauth = 'none';
    expect((await ask(token)).status).toBe(200);
    expect([await stored(), sentWith()]).toEqual([before, []]);
    campus.login.switches.reauth = '3';
    endSessions();
    expect((await read(token)).status).toBe(200);
    expect([sentWith().at(-1), campus.login.codes]).toEqual(['POST /login', []]);
  });
});

describe('ends with', () => {
  const changed = { ...student, password: 'another-password' };
  /** Without a step, so that no other trust is earned. */
  const withoutStep = async (pair: typeof student): Promise<string> => {
    campus.login.switches.reauth = 'none';
    const { status, body } = await login(pair);
    expect(status).toBe(200);
    return body.data.token;
  };
  const expectNone = async (token: string) => {
    campus.login.switches.reauth = '3';
    endSessions();
    const { status, body } = await read(token);
    expect([status, body.error.code, sentWith()]).toEqual([403, 'PERSON_NEEDED', []]);
  };

  it('a pair that is replaced', async () => {
    await register();
    expect(await stored()).toHaveLength(1);
    endSessions();
    campus.login.switches.password = changed.password;
    const token = await withoutStep(changed);
    expect(await stored()).toEqual([]);
    await expectNone(token);
  });

  it('a pair that is replaced while a renewal with it waits for its code, which comes to nothing', async () => {
    const before = await register();
    endSessions();
    const renewal = await post('/auth/challenges', {}, before);
    const { id } = renewal.body.data.challenge;
    await post(`/auth/challenges/${id}/send`);
    const [code = ''] = campus.login.codes;
    campus.login.switches.password = changed.password;
    await withoutStep(changed);
    expect((await post(`/auth/challenges/${id}/answer`, { answer: code })).status).toBe(404);
    expect(await stored()).toEqual([]);
  });

  it('a stored pair that is refused, also where it is right again later', async () => {
    const token = await register();
    endSessions();
    campus.login.switches.password = changed.password;
    expect((await read(token)).status).toBe(403);
    expect([passwords(), await stored()]).toEqual([1, []]);
    campus.login.switches.password = null;
    endSessions();
    await expectNone(await withoutStep(student));
  });

  it('a logout everywhere, also one that keeps personal tokens', async () => {
    const token = await register();
    const made = await post('/auth/tokens', { name: 'w', scopes: ['academics:read'], days: 7 }, token);
    expect((await post('/auth/logout/all', { keep: ['tokens'] }, token)).status).toBe(200);
    expect(await stored()).toEqual([]);
    campus.login.switches.reauth = '3';
    endSessions();
    expect((await read(made.body.data.token)).status).toBe(403);
    expect(sentWith()).toEqual([]);
  });

  it('the last token, ended or expired', async () => {
    const first = await register();
    const second = (await login(student, first)).body.data.token;
    await post('/auth/logout', {}, first);
    expect(await stored()).toHaveLength(1);
    await post('/auth/logout', {}, second);
    expect(await stored()).toEqual([]);
    await register(other);
    expect(await stored(other.userid)).toHaveLength(1);
    const { storage } = gateway.services;
    const generation = (await storage.sessions.generation(other.userid)) ?? 0;
    const later = clock.now() + 200 * 86_400_000;
    // What a daily reading has just left is no reason to keep it.
    await storage.sessions.save(other.userid, generation, [{ system: 'unified-login', state: 'jar' }], later);
    expect(await stored(other.userid)).toHaveLength(1);
    await storage.sweep(later);
    expect(await stored(other.userid)).toEqual([]);
    expect((await storage.sessions.load(other.userid))?.entries).toHaveLength(1);
  });

  it('user revoke, which keeps the account', async () => {
    await register();
    const { storage } = gateway.services;
    const env = { CAMPUS: 'demo-seaside', SECRET_KEY: Buffer.alloc(32, 9).toString('base64') };
    const { storage: place } = gateway.config;
    const DATABASE_URL = place.kind === 'sqlite' ? `sqlite:${place.path}` : place.url;
    const { code, err } = await campusCommand(['user', 'revoke', student.userid], { ...env, DATABASE_URL });
    expect([code, err]).toEqual([0, '']);
    expect([await stored(), (await storage.sessions.load(student.userid)) !== null]).toEqual([[], true]);
  });

  it('the account', async () => {
    const token = await register();
    const erased = await gateway.b('DELETE', '/auth/account', { token, body: student });
    expect(erased.status).toBe(200);
    expect(await stored()).toEqual([]);
    expect((await beginRegistration()).status).toBe(428);
    expect(sentWith()).toEqual([]);
  });
});

it('a login right after the step was passed is trusted as after any other sign-in', async () => {
  const token = await register();
  expect((await login(student, token)).status).toBe(200);
  expect([passwords(), campus.login.codes.length]).toEqual([1, 1]);
});

it('a renewal that meets a step in spite of it leaves the student to a person, and asks for no code', async () => {
  const token = await register();
  endSessions();
  campus.login.forgetTrust();
  for (let time = 0; time < 5; time += 1) expect((await read(token)).status).toBe(403);
  expect([passwords(), campus.login.codes]).toEqual([1, []]);
});

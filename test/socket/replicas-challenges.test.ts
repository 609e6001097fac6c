import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startDemoCampus } from '../../src/demo/demo-campus.ts';
import type { DemoCampus, DemoMessage } from '../../src/demo/types.ts';
import { publicUrl, WalkingStudent, walkedKinds } from '../support/challenge-walks.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { freshPostgresUrl } from '../support/postgres.ts';
import { newcomer } from '../support/replicas.ts';
import { TEST_KEY_PEM } from '../unit/demo/test-key.ts';

const SECOND = 1_000;
const keys = [Buffer.alloc(32, 9), Buffer.alloc(32, 10)].map((key) => key.toString('base64'));

const clock = new ManualClock();
const shown: DemoMessage[] = [];
let demo: DemoCampus;
let env: Record<string, string>;
let replicas: Gateway[];
let calls = 0;
/** The students are new to each test. */
let ann: WalkingStudent;
let bea: WalkingStudent;
/** Each call goes to another replica than the one before. */
const next = (): Gateway => {
  calls += 1;
  const replica = replicas[calls % replicas.length];
  if (!replica) throw new Error('no replica');
  return replica;
};
const replicaWith = (secrets: readonly (string | undefined)[]): Promise<Gateway> =>
  startGateway({ clock, demo, env: { ...env, SECRET_KEY: secrets.join(',') } });

beforeAll(async () => {
  demo = await startDemoCampus({ clock, portalKeyPem: TEST_KEY_PEM, onMessage: (message) => void shown.push(message) });
  env = { DATABASE_URL: await freshPostgresUrl(), PUBLIC_URL: publicUrl, TRUSTED_PROXIES: '127.0.0.1' };
  replicas = [];
  for (let at = 0; at < 3; at += 1) replicas.push(await replicaWith(keys.slice(0, 1)));
});
afterAll(async () => {
  for (const replica of replicas) await replica.close();
  await demo.close();
});

beforeEach(async () => {
  demo.switches.captcha = 'off';
  const admitted = () => new WalkingStudent(newcomer(demo), { demo, shown, next });
  [ann, bea] = [admitted(), admitted()];
  for (const one of [ann, bea]) expect((await one.register()).status).toBe(200);
  // The campus is not asked again for a pair that it accepted minutes ago.
  clock.advance(300 * SECOND);
  demo.resetRequests();
});

const posted = (path: string): number => demo.requests({ path: `/por/${path}.csp` }).length;

describe('each call at another replica', () => {
  const reads = async (token: string): Promise<void> => {
    for (let at = 0; at < 3; at += 1) expect((await ann.read(token)).status).toBe(200);
    expect(posted('login_psw')).toBe(1);
  };

  it.each(walkedKinds)('%s is walked on surface B', async (kind) => {
    ann.meets(kind);
    const met = await ann.login();
    expect([met.status, met.body.error.code]).toEqual([428, 'LOGIN_CHALLENGE']);
    const done = await ann.walk(met.body.data.challenge.id);
    expect([done.status, done.body.message]).toEqual([200, '登录成功']);
    await reads(done.body.data.token);
  });
});

it('a session that one replica has just found dead is renewed by another one, however lately it answered', async () => {
  const { token } = (await ann.login()).body.data;
  for (let at = 0; at < replicas.length; at += 1) expect((await ann.read(token)).status).toBe(200);
  clock.advance(10 * SECOND);
  ann.meets('totp');
  expect((await ann.read(token)).body.error.code).toBe('PERSON_NEEDED');
  const begun = await next().b('POST', '/auth/challenges', { token });
  expect([begun.status, begun.body.data.challenge?.kind]).toEqual([200, 'totp']);
  expect((await ann.walk(begun.body.data.challenge.id)).body.data).toEqual({ token: null });
  expect((await next().b('POST', '/auth/challenges', { token })).body.error.code).toBe('CHALLENGE_NEEDLESS');
});

describe('between two steps at different replicas', () => {
  it('the account is erased elsewhere while the answer is at the portal: nothing of it comes back', async () => {
    const { token } = (await ann.login()).body.data;
    clock.advance(300 * SECOND);
    ann.meets('totp');
    const { id } = (await ann.login()).body.data.challenge;
    demo.fault({ system: 'vpn', path: '/por/login_token.csp', times: 1, fault: { kind: 'delay', ms: 5 * SECOND } });
    const answering = ann.post(`/auth/challenges/${id}/answer`, { answer: ann.sees('totp') });
    await vi.waitFor(() => expect(posted('login_token')).toBe(1));
    const { userid: _, ...passwords } = ann.pair;
    const erasing = next().b('POST', '/auth/account/delete', { token, body: passwords });
    await vi.waitFor(() => expect(clock.waiting).toBeGreaterThan(0));
    clock.advance(5 * SECOND);
    const [answered, erased] = await Promise.all([answering, erasing]);
    expect(erased.status).toBe(200);
    for (const held of [token, answered.body.data?.token]) {
      if (typeof held === 'string') expect((await ann.read(held)).status).toBe(401);
    }
    for (const { services } of replicas) {
      expect(await services.storage.accounts.findUser(ann.student.userid)).toBeNull();
      expect(await services.storage.challenges.of(ann.student.userid, clock.now())).toBeNull();
    }
    expect((await ann.ask('GET', `/auth/challenges/${id}`)).status).toBe(404);
  });

  it('keys are rotated: the code goes where the new key alone is known', async () => {
    ann.meets('sms');
    const { id } = (await ann.login()).body.data.challenge;
    const before = replicas;
    const both = await replicaWith(keys.toReversed());
    expect((await both.services.storage.rotate()).resealed).toBeGreaterThan(0);
    const after = await replicaWith(keys.slice(1));
    replicas = [both, after];
    try {
      const done = await ann.walk(id);
      expect([done.status, done.body.message]).toEqual([200, '登录成功']);
      expect((await ann.read(done.body.data.token)).status).toBe(200);
    } finally {
      for (const replica of replicas) await replica.close();
      replicas = before;
    }
  });
});

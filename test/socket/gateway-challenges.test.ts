import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startDemoCampus } from '../../src/demo/demo-campus.ts';
import type { DemoCampus, DemoMessage } from '../../src/demo/types.ts';
import { first } from '../support/campus-rig.ts';
import { HOME, publicUrl, type WalkedKind, WalkingStudent } from '../support/challenge-walks.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { TEST_KEY_PEM } from '../unit/demo/test-key.ts';

const { userid, password, vpnPassword } = first;
const pair = { userid, password, vpn_password: vpnPassword };

let clock: ManualClock;
let shown: DemoMessage[];
let demo: DemoCampus;
let gateway: Gateway;
let student: WalkingStudent;
beforeEach(async () => {
  clock = new ManualClock();
  shown = [];
  demo = await startDemoCampus({
    clock,
    portalKeyPem: TEST_KEY_PEM,
    onMessage: (message) => shown.push(message),
  });
  gateway = await startGateway({ clock, demo, env: { PUBLIC_URL: publicUrl, TRUSTED_PROXIES: '127.0.0.1' } });
  student = new WalkingStudent(first, { demo, shown, next: () => gateway });
  expect((await student.register()).status).toBe(200);
});
afterEach(async () => {
  await gateway.close();
  await demo.close();
});

const post: WalkingStudent['post'] = (...call) => student.post(...call);
const ask: WalkingStudent['ask'] = (...call) => student.ask(...call);
const walk = (id: string) => student.walk(id);
const arm = (kind: WalkedKind): void => {
  clock.advance(5 * 60_000);
  student.meets(kind);
};

describe('a session that ended within minutes of its last answer', () => {
  it.each(['captcha', 'sms', 'totp'] as const)('is none that lives, once a read was told of %s', async (kind) => {
    const token = (await post('/auth/login/next', pair)).body.data.token;
    expect((await student.read(token)).status).toBe(200);
    clock.advance(10_000);
    student.meets(kind);
    expect((await student.read(token)).body.error.code).toBe('PERSON_NEEDED');
    const begun = await gateway.b('POST', '/auth/challenges', { token, headers: { 'x-forwarded-for': HOME } });
    expect(begun.body.data.challenge.kind).toBe(kind);
    expect((await walk(begun.body.data.challenge.id)).body.data).toEqual({ token: null });
    expect((await student.read(token)).status).toBe(200);
    expect((await gateway.b('POST', '/auth/challenges', { token })).body.error.code).toBe('CHALLENGE_NEEDLESS');
  });
});

describe('a challenge', () => {
  it('ends with the third wrong answer, with DELETE and with its time: 404 alike', async () => {
    arm('sms');
    const begin = async () => {
      // While the session of a marked student may live, a login of the owner needs no step.
      clock.advance(31 * 60_000);
      return `/auth/challenges/${(await post('/auth/login/next', pair)).body.data.challenge.id}`;
    };
    const wrong = await begin();
    await ask('POST', `${wrong}/send`);
    const seenStatus = [];
    for (let at = 0; at < 3; at += 1) seenStatus.push((await post(`${wrong}/answer`, { answer: '0000' })).status);
    expect(seenStatus).toEqual([428, 428, 404]);
    const given = await begin();
    expect((await ask('DELETE', given)).status).toBe(200);
    clock.advance(61_000);
    const old = await begin();
    clock.advance(5 * 60_000 + 1_000);
    for (const path of [wrong, given, old, `/auth/challenges/${'x'.repeat(43)}`]) {
      const answer = await ask('GET', path);
      expect([answer.status, answer.body.error.code, answer.body.data]).toEqual([404, 'NOT_FOUND', null]);
    }
  });

  it('no code, image, id or phone is in the log', async () => {
    arm('sms-two-phones');
    const met = await post('/auth/login/next', pair);
    const { id } = met.body.data.challenge;
    await walk(id);
    const log = gateway.log();
    expect(log).toContain('/auth/challenges/:id/answer');
    for (const secret of [id, shown.at(-1)?.text ?? '-', '138****', '15912341111']) {
      expect(log).not.toContain(secret);
    }
  });
});

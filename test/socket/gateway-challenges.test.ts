import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startDemoCampus } from '../../src/demo/demo-campus.ts';
import type { DemoCampus, DemoMessage } from '../../src/demo/types.ts';
import { first, second } from '../support/campus-rig.ts';
import { AWAY, codeIn, HOME, publicUrl, type WalkedKind, WalkingStudent } from '../support/challenge-walks.ts';
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
const page: WalkingStudent['page'] = (...call) => student.page(...call);
const seen = (kind: string): string => student.sees(kind);
const read = (token: string) => gateway.b('GET', '/jwc/academic/info', { token });
const walk = (id: string) => student.walk(id);
const arm = (kind: WalkedKind): void => {
  clock.advance(5 * 60_000);
  student.meets(kind);
};

describe('a renewal', () => {
  it('is begun with a token, and the token goes on', async () => {
    arm('captcha');
    demo.switches.captcha = 'off';
    const token = (await post('/auth/login/next', pair)).body.data.token;
    arm('sms');
    const met = await read(token);
    expect([met.status, met.body.data.challenge.id, met.body.data.challenge.kind]).toEqual([403, null, 'sms']);
    const begun = await gateway.b('POST', '/auth/challenges', { token });
    expect(begun.status).toBe(200);
    const done = await walk(begun.body.data.challenge.id);
    expect([done.status, done.body.data]).toEqual([200, { token: null }]);
    expect((await read(token)).status).toBe(200);
    expect((await gateway.b('POST', '/auth/challenges', { token })).body.error.code).toBe('CHALLENGE_NEEDLESS');
  });
});

describe('a session that ended within minutes of its last answer', () => {
  it.each(['captcha', 'sms', 'totp'] as const)('is none that lives, once a read was told of %s', async (kind) => {
    const token = (await post('/auth/login/next', pair)).body.data.token;
    expect((await read(token)).status).toBe(200);
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

describe('a registration', () => {
  it('that waits for a code ends in an account', async () => {
    const other = new WalkingStudent(second, { demo, shown, next: () => gateway });
    demo.student(second.userid).setSecondFactor('sms');
    const met = await other.register();
    const done = await other.walk(met.body.data.challenge.id);
    expect([done.status, done.body.message]).toEqual([200, '注册成功']);
    expect((await gateway.b('GET', '/auth/authme/token', { token: done.body.data.token })).body.data.userid).toBe(
      second.userid,
    );
  });
});

describe('a challenge', () => {
  it('ends with the third wrong answer, with DELETE and with its time: 404 alike', async () => {
    arm('sms');
    const begin = async () => `/auth/challenges/${(await post('/auth/login/next', pair)).body.data.challenge.id}`;
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
    const { id, page_code } = met.body.data.challenge;
    await walk(id);
    const log = gateway.log();
    expect(log).toContain('/auth/challenges/:id/answer');
    for (const secret of [
      id,
      page_code,
      page_code.replace('-', ''),
      shown.at(-1)?.text ?? '-',
      '138****',
      '15912341111',
    ]) {
      expect(log).not.toContain(secret);
    }
  });
});

describe('a relay that sends somebody the code of a login of its own', () => {
  it.each(['owner', 'relay'])(
    'is named, needs a second confirmation, and gets nothing of the answer; first comes the %s',
    async (order) => {
      // The owner logs in from home, so that this network is the student's.
      clock.advance(5 * 60_000);
      await post('/auth/login/next', pair);
      arm('sms');
      const met = await post('/auth/login/next', pair, AWAY, { 'user-agent': 'Relay/1.0' });
      const code = codeIn(met.body.message);
      const opened = await page({ code });
      for (const told of ['Relay', '198.51.100.0/24', '2023****01', 'another network'])
        expect(opened.html).toContain(told);
      await page({ code, action: 'send' });
      const answer = { code, action: 'answer', answer: seen('sms') };
      const posted = gateway.wire().length;
      expect((await page(answer)).html).toContain('Stop: is this really your login?');
      // Nothing has left before it was confirmed.
      expect(gateway.wire()).toHaveLength(posted);
      expect((await page({ ...answer, confirmed: 'yes' })).html).toContain('<h1>Done<');
      // With the id of its own challenge, and with the passwords.
      const { id } = met.body.data.challenge;
      const byId = await post(`/auth/challenges/${id}/answer`, { answer: 'passed' }, AWAY);
      expect([byId.status, byId.body.data]).toEqual([404, null]);
      const relay = async () => {
        const { status, body } = await post('/auth/login/next', pair, AWAY);
        expect([status, typeof body.data?.token]).not.toEqual([200, 'string']);
      };
      if (order === 'relay') {
        await relay();
        return;
      }
      const owner = await post('/auth/login/next', pair);
      expect((await read(owner.body.data.token)).status).toBe(200);
      // A live session is no secret to whoever has both passwords: nobody is asked for a step again.
      demo.student(userid).expirePortal();
      clock.advance(5 * 60_000);
      await relay();
      expect((await ask('GET', `/auth/challenges/${id}`, AWAY)).status).toBe(404);
    },
  );

  it('gets nothing either where the process that put the answer to the campus died', async () => {
    clock.advance(5 * 60_000);
    await post('/auth/login/next', pair);
    arm('totp');
    const met = await post('/auth/login/next', pair, AWAY);
    const { id, page_code: code } = met.body.data.challenge;
    const { challenges: store } = gateway.services.storage;
    const change = store.change;
    // Nothing is stored any more once the answer is on its way.
    let stored = 0;
    store.change = (row) => {
      stored += 1;
      return stored === 1 ? change(row) : Promise.reject(new Error('the process is gone'));
    };
    await page({ code, action: 'answer', answer: demo.totp(userid), confirmed: 'yes' });
    store.change = change;
    expect(demo.requests({ path: '/por/login_token.csp' })).toHaveLength(1);
    const answer = () => post(`/auth/challenges/${id}/answer`, { answer: '123456' }, AWAY);
    const tries = [await answer(), await ask('GET', `/auth/challenges/${id}`, AWAY), await answer()];
    expect(tries.map(({ status, body }) => [status, body.data])).toEqual([
      [404, null],
      [200, { challenge: null }],
      [404, null],
    ]);
    // Whoever answered is let in.
    expect((await post('/auth/login/next', pair)).status).toBe(200);
  });
});

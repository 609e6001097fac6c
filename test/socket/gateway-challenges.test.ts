import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startDemoCampus } from '../../src/demo/demo-campus.ts';
import type { DemoCampus, DemoMessage, DemoSecondFactor } from '../../src/demo/types.ts';
import { first } from '../support/campus-rig.ts';
import { type Answer, type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { TEST_KEY_PEM } from '../unit/demo/test-key.ts';

const HOME = '203.0.113.7';
const AWAY = '198.51.100.9';
const kinds = ['captcha', 'sms', 'sms-two-phones', 'totp', 'sms-then-totp'] as const;
type Kind = (typeof kinds)[number];
const forms = ['result-1', 'error-code-only'] as const;
const everyWalk = kinds.flatMap((kind) => forms.map((form) => [kind, form] as const));

const { userid, password, vpnPassword } = first;
const pair = { userid, password, vpn_password: vpnPassword };

let clock: ManualClock;
let shown: DemoMessage[];
let demo: DemoCampus;
let gateway: Gateway;
beforeEach(async () => {
  clock = new ManualClock();
  shown = [];
  demo = await startDemoCampus({
    clock,
    portalKeyPem: TEST_KEY_PEM,
    onMessage: (message) => shown.push(message),
  });
  const env = { PUBLIC_URL: 'https://campus.example.edu', TRUSTED_PROXIES: '127.0.0.1' };
  gateway = await startGateway({ clock, demo, env });
  expect((await register()).status).toBe(200);
});
afterEach(async () => {
  await gateway.close();
  await demo.close();
});

const post = (path: string, body: object, from = HOME, more: Record<string, string> = {}): Promise<Answer> =>
  gateway.b('POST', path, { body, headers: { 'x-forwarded-for': from, ...more } });
const ask = (method: string, path: string, from = HOME): Promise<Answer> =>
  gateway.b(method, path, { headers: { 'x-forwarded-for': from } });

const register = async (): Promise<Answer> => {
  const invite = await post('/auth/register/invite', { invite_code: 'DEMO-2026' });
  return post('/auth/register/next', { ...pair, invite_token: invite.body.data.invite_token });
};

/** From now on the portal wants it, and nothing of the student's is live. */
const arm = (kind: Kind, form: (typeof forms)[number] = 'result-1'): void => {
  clock.advance(5 * 60_000);
  demo.switches.secondFactorForm = form;
  if (kind === 'captcha') demo.switches.captcha = 'always';
  else demo.student(userid).setSecondFactor(kind satisfies DemoSecondFactor);
  demo.student(userid).expirePortal();
  demo.student(userid).expireUnifiedLogin();
  demo.student(userid).expireService('jwc');
};

const seen = (kind: string): string => (kind === 'totp' ? demo.totp(userid) : (shown.at(-1)?.text ?? ''));
const read = (token: string) => gateway.b('GET', '/jwc/academic/info', { token });

/** Takes every step with the id, as an app does, and gives the last answer. */
const walk = async (id: string): Promise<Answer> => {
  const path = `/auth/challenges/${id}`;
  for (let steps = 1; ; steps += 1) {
    const { challenge } = (await ask('GET', path)).body.data;
    if (challenge.kind === 'sms') {
      expect([challenge.sent, demo.messages().length]).toEqual(['unknown', 0]);
      const { targets } = (await ask('POST', `${path}/send`)).body.data.challenge;
      if (targets.length > 1) {
        expect(demo.messages()).toEqual([]);
        expect((await post(`${path}/send`, { target: 1 })).status).toBe(200);
        expect(demo.messages().at(-1)?.phone).toBe('15912341111');
      }
    }
    const answer = await post(`${path}/answer`, { answer: seen(challenge.kind) });
    if (answer.status !== 428 || steps === 4) return answer;
  }
};

const codeIn = (message: string): string => / 输入 (\S{4}-\S{4}) /.exec(message)?.[1] ?? '';

/** Posts the form of the page. */
const page = async (members: Record<string, string>, from = HOME) => {
  const answer = await fetch(`${gateway.url}/challenge`, {
    method: 'POST',
    headers: { 'x-forwarded-for': from },
    body: new URLSearchParams(members),
  });
  return { status: answer.status, html: await answer.text() };
};
const fieldOf = (html: string): string =>
  /Characters in the image|text message|authenticator/.exec(/<label for="answer">([^<]*)/.exec(html)?.[1] ?? '')?.[0] ??
  '';

/** Takes every step on the page, and gives its last one. */
const walkPage = async (code: string, from = HOME): Promise<string> => {
  let { html } = await page({ code }, from);
  for (let steps = 0; steps < 4; steps += 1) {
    const field = fieldOf(html);
    if (field === '') return html;
    if (field === 'text message') {
      html = (await page({ code, action: 'send' }, from)).html;
      if (html.includes('name="target"')) await page({ code, action: 'send', target: '1' }, from);
    }
    const members = { code, action: 'answer', answer: seen(field === 'authenticator' ? 'totp' : '') };
    html = (await page(members, from)).html;
    if (html.includes('name="confirmed"')) html = (await page({ ...members, confirmed: 'yes' }, from)).html;
  }
  return html;
};

describe.each(everyWalk)('%s in the form %s', (kind, form) => {
  it('is walked on surface B', async () => {
    arm(kind, form);
    const met = await post('/auth/login/next', pair);
    expect([met.status, met.body.error.code]).toEqual([428, 'LOGIN_CHALLENGE']);
    const done = await walk(met.body.data.challenge.id);
    expect([done.status, done.body.message]).toEqual([200, '登录成功']);
    expect((await read(done.body.data.token)).status).toBe(200);
  });

  it('is walked from surface A', async () => {
    arm(kind, form);
    const met = await gateway.a('/user/login', pair);
    expect([met.status, met.body.code, met.body.data]).toEqual([200, 428, null]);
    const done = await walk(met.headers.get('x-challenge') ?? '');
    const token = done.body.data.token;
    expect((await gateway.a('/jwc/fetch_academic_info', { token })).body.code).toBe(200);
  });

  it('is walked on the page, and the next login with the same passwords goes through, once', async () => {
    arm(kind, form);
    const met = await post('/api/v1/user/login', pair);
    expect(met.body.code).toBe(428);
    expect(await walkPage(codeIn(met.body.message))).toContain('<h1>Done<');
    const done = await post('/api/v1/user/login', pair);
    expect(done.body.code).toBe(200);
    expect((await read(done.body.data.authme_token)).status).toBe(200);
  });
});

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

describe('a registration', () => {
  it('that waits for a code ends in an account', async () => {
    const other = { userid: '2023000002', password: 'demo-password-2', vpn_password: 'demo-vpn-2' };
    demo.student(other.userid).setSecondFactor('sms');
    const invite = await post('/auth/register/invite', { invite_code: 'DEMO-2026' });
    const met = await post('/auth/register/next', { ...other, invite_token: invite.body.data.invite_token });
    const done = await walk(met.body.data.challenge.id);
    expect([done.status, done.body.message]).toEqual([200, '注册成功']);
    expect((await gateway.b('GET', '/auth/authme/token', { token: done.body.data.token })).body.data.userid).toBe(
      other.userid,
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

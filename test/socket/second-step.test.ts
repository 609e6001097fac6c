import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DemoMessage, DemoSecondFactor, DemoSecondFactorForm } from '../../src/demo/types.ts';
import { entryOf, first } from '../support/campus-rig.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const READ = '/jwc/academic/info';

let gateway: Gateway;
let images: DemoMessage[];
let clock: ManualClock;
let token: string;
beforeEach(async () => {
  clock = new ManualClock();
  images = [];
  gateway = await startGateway({ clock, onMessage: (message) => void images.push(message) });
  token = await gateway.register();
  gateway.demo.resetRequests();
});
afterEach(() => gateway.close());

const student = () => gateway.demo.student(first.userid);
/** From now on the portal wants the step, and no session is left. */
const begin = (kind: DemoSecondFactor = 'sms', form: DemoSecondFactorForm = 'result-1'): void => {
  // The campus is not asked again for a pair that it accepted minutes ago.
  clock.advance(5 * MINUTE);
  gateway.demo.switches.secondFactorForm = form;
  student().setSecondFactor(kind);
  student().expirePortal();
  student().expireUnifiedLogin();
  student().expireService('jwc');
};
const portalPosts = (): number => gateway.wire().filter((line) => line === 'vpn POST /por/login_psw.csp').length;
const read = (path = READ) => gateway.b('GET', path, { token });
const readMany = async (times: number) => {
  const answers = [];
  for (let at = 0; at < times; at += 1) answers.push(await read());
  return answers;
};
const pair = entryOf(first);
const login = (body: object = pair) => gateway.b('POST', '/auth/login/next', { body, token });

describe('a second step', () => {
  // Each form that a portal has for it, and each kind; which form tells which kind is the reader's part.
  it.each([
    ['sms', 'sms', 'result-1', []],
    ['sms', 'sms', 'error-code-only', []],
    ['sms', 'sms', 'result-2', []],
    ['totp', 'totp', 'service-only', []],
    ['unknown-service', 'elsewhere', 'result-1', []],
    // Its number alone does not tell a certificate from a portal that writes 0 on every success: it is looked at.
    ['certificate', 'elsewhere', 'number-only', ['vpn GET /por/conf.csp']],
  ] as const)(
    '%s (%s) in the form %s: reads post one password, and only the first makes a request',
    async (factor, wire, form, looks) => {
      begin(factor, form);
      const [met, ...later] = await readMany(20);
      expect([met?.status, met?.body.error.code, met?.headers.get('retry-after')]).toEqual([
        403,
        'PERSON_NEEDED',
        null,
      ]);
      const { message } = met?.body ?? {};
      expect(met?.body.data.challenge).toMatchObject({ id: null, step: 'portal', kind: wire, message });
      expect(met?.body.message).toContain('门户');
      expect(gateway.wire()).toEqual([
        'jwc POST /main/academicInfo',
        'vpn GET /por/login_auth.csp',
        'vpn POST /por/login_psw.csp',
        ...looks,
      ]);
      for (const answer of later) {
        expect([answer.status, answer.body.error.code, answer.body.data]).toEqual([
          403,
          'PERSON_NEEDED',
          met?.body.data,
        ]);
      }
    },
  );

  it('a login is not answered with a token, and its session is neither kept nor used', async () => {
    begin();
    const { status, body, headers } = await login();
    expect([status, body.error.code, headers.get('retry-after')]).toEqual([428, 'LOGIN_CHALLENGE', null]);
    const [one] = await readMany(5);
    expect(one?.body.error.code).toBe('PERSON_NEEDED');
    expect(portalPosts()).toBe(1);
  });
});

describe('a student whose portal wants a second step', () => {
  it('no background work sends the password: rooms, feeds, evaluation', async () => {
    begin();
    await read();
    gateway.demo.resetRequests();
    for (const path of ['/isim/room/list', '/ldjlb/labor/joined/clubs', '/jwc/exam/info', '/aac/credit/info']) {
      expect((await read(path)).body.error.code, path).toBe('PERSON_NEEDED');
    }
    const feed = { name: 'mine', include: ['classes', 'exams', 'activities'] };
    expect((await gateway.b('POST', '/calendar/feeds', { token, body: feed })).status).toBe(200);
    expect((await gateway.b('POST', '/jwc/evaluation/initialize', { token })).body.error.code).toBe('PERSON_NEEDED');
    expect(portalPosts()).toBe(0);
  });

  it('a login that went through without a step lets reads sign in again', async () => {
    begin();
    await read();
    student().setSecondFactor('none');
    // Nothing tries unattended whether it is over.
    expect((await read()).body.error.code).toBe('PERSON_NEEDED');
    expect(portalPosts()).toBe(1);
    clock.advance(31 * MINUTE);
    expect((await login()).status).toBe(200);
    clock.advance(25 * HOUR);
    expect((await read()).status).toBe(200);
    expect(portalPosts()).toBe(3);
  });
});

describe('a step that the unified login wants', () => {
  const loginPosts = () => gateway.wire().filter((line) => line === 'cas POST /cas/login').length;
  const wanted = { id: null, step: 'unified-login', kind: 'elsewhere' };
  beforeEach(() => {
    begin('none');
    gateway.demo.switches.unifiedLoginStep = true;
  });

  it('is named by reads, and met by one of them', async () => {
    for (const { status, body } of await readMany(20)) {
      expect([status, body.error.code]).toEqual([403, 'PERSON_NEEDED']);
      expect(body.data.challenge).toMatchObject(wanted);
      expect(body.message).toContain('统一身份认证');
    }
    expect([portalPosts(), loginPosts()]).toEqual([1, 1]);
    expect((await gateway.a('/user/authme', { token })).body.code).toBe(200);
  });

  it('is no wrong password, neither of a login nor of the stored pair, and no challenge', async () => {
    clock.advance(31 * MINUTE);
    for (let at = 0; at < 3; at += 1) {
      const { status, body } = await login();
      expect([status, body.error.code]).toEqual([403, 'PERSON_NEEDED']);
      expect(body.data.challenge).toMatchObject(wanted);
    }
    expect(loginPosts()).toBe(3);
    gateway.demo.switches.unifiedLoginStep = false;
    clock.advance(HOUR);
    expect((await login()).status).toBe(200);
    expect((await read()).status).toBe(200);
  });

  it('after a code of the portal ends the challenge, and says so', async () => {
    student().setSecondFactor('totp');
    const { id } = (await login()).body.data.challenge;
    const body = { answer: gateway.demo.totp(first.userid) };
    const answered = await gateway.b('POST', `/auth/challenges/${id}/answer`, { body });
    expect([answered.status, answered.body.error.code]).toEqual([403, 'PERSON_NEEDED']);
    expect(answered.body.data.challenge).toMatchObject(wanted);
    expect((await gateway.b('GET', `/auth/challenges/${id}`)).status).toBe(404);
  });
});

describe('an image at the unified login', () => {
  const wire = () => gateway.wire().filter((line) => line.startsWith('cas '));
  const shown = () => images.at(-1)?.text ?? '';
  beforeEach(() => {
    begin('none');
    gateway.demo.switches.unifiedLoginCaptcha = true;
  });
  const begun = async () => (await login()).body.data.challenge;
  const answer = (id: string, text: string) =>
    gateway.b('POST', `/auth/challenges/${id}/answer`, { body: { answer: text } });

  it('is shown to the student, and his password is sent once, with what he has read off', async () => {
    const challenge = await begun();
    expect(challenge).toMatchObject({ step: 'unified-login', kind: 'captcha', answers_left: 3 });
    expect(challenge.image_png_base64).toMatch(/^iVBOR/);
    expect(challenge.message).toContain('统一身份认证要求图形验证码');
    const done = await answer(challenge.id, shown());
    expect([done.status, done.body.data.token.length]).toEqual([200, 43]);
    expect(wire()).toEqual(['cas GET /cas/login', 'cas GET /cas/captcha', 'cas POST /cas/login']);
    expect(portalPosts()).toBe(1);
    gateway.demo.switches.unifiedLoginCaptcha = false;
    expect((await gateway.b('GET', '/jwc/academic/info', { token: done.body.data.token })).status).toBe(200);
  });

  it('that is misread is replaced, and a refused password ends it', async () => {
    const { id } = await begun();
    const misread = await answer(id, 'zzzz');
    expect([misread.status, misread.body.data.challenge.answers_left]).toEqual([428, 2]);
    expect(misread.body.message).toContain('输入不正确');
    gateway.demo.student(first.userid).changePasswords({ password: 'changed-meanwhile' });
    const refused = await answer(id, shown());
    expect([refused.status, refused.body.error.code]).toEqual([403, 'REMOTE_CREDENTIALS_INVALID']);
    expect((await gateway.b('GET', `/auth/challenges/${id}`)).status).toBe(404);
    expect(wire().filter((line) => line.includes('POST'))).toHaveLength(2);
  });

  it('keeps a read from sending that password', async () => {
    for (let at = 0; at < 3; at += 1) expect((await read()).status).not.toBe(200);
    expect(wire().filter((line) => line.includes('POST') || line.includes('captcha'))).toEqual([]);
  });
});

describe('a registration', () => {
  it('that meets a step creates no account, leaves the invite token usable and costs no ask', async () => {
    const other = { userid: '2023000002', password: 'demo-password-2', vpn_password: 'demo-vpn-2' };
    gateway.demo.student(other.userid).setSecondFactor('certificate');
    const invite = await gateway.b('POST', '/auth/register/invite', { body: { invite_code: 'DEMO-2026' } });
    const entry = { ...other, invite_token: invite.body.data.invite_token };
    const register = () => gateway.b('POST', '/auth/register/next', { body: entry });
    for (let at = 0; at < 2; at += 1) {
      const { status, body } = await register();
      expect([status, body.error.code, body.data.challenge.kind]).toEqual([403, 'PERSON_NEEDED', 'elsewhere']);
    }
    expect((await gateway.b('POST', '/auth/login/next', { body: other })).body.error.code).toBe('CREDENTIALS_INVALID');
    gateway.demo.student(other.userid).setSecondFactor('none');
    expect((await register()).status).toBe(200);
  });
});

describe('a portal that accepts and whose session does not hold', () => {
  beforeEach(() => {
    begin('none');
    gateway.demo.switches.portalHolds = false;
  });

  it('60 reads send three passwords; then the student rests, each time longer', async () => {
    const answers = await readMany(60);
    expect(answers.map(({ status }) => status)).toEqual(Array(60).fill(502));
    expect(portalPosts()).toBe(3);
    expect(answers.slice(2).map(({ headers }) => headers.get('retry-after'))).toEqual(Array(58).fill('60'));
    clock.advance(61_000);
    expect((await read()).headers.get('retry-after')).toBe('300');
    expect(portalPosts()).toBe(4);
    clock.advance(5 * MINUTE);
    expect((await read()).headers.get('retry-after')).toBe('1800');
    gateway.demo.switches.portalHolds = true;
    clock.advance(30 * MINUTE);
    expect((await read()).status).toBe(200);
  });
});

describe('a host behind the portal that always shows its login', () => {
  it('costs three passwords and then one per rest, and keeps no other system waiting', async () => {
    await read();
    gateway.demo.fault({ system: 'competition', fault: { kind: 'portal-redirect' } });
    gateway.demo.resetRequests();
    for (let at = 0; at < 30; at += 1) {
      const { status, headers } = await read('/jwc/competition/info');
      expect([status, at < 2 || headers.get('retry-after') !== null]).toEqual([502, true]);
      expect((await read()).status).toBe(200);
    }
    expect(portalPosts()).toBe(3);
    // While no password may be sent, the site is not asked either.
    expect(gateway.wire().filter((line) => line.startsWith('competition'))).toHaveLength(4);
    clock.advance(2 * MINUTE);
    for (let at = 0; at < 3; at += 1) expect((await read('/jwc/competition/info')).status).toBe(502);
    expect(portalPosts()).toBe(4);
  });
});

describe('what a plain success says beside itself', () => {
  const portalLines = () => gateway.wire().filter((line) => line.startsWith('vpn '));
  const plain = ['vpn GET /por/login_auth.csp', 'vpn POST /por/login_psw.csp'];

  it.each([
    ['-1', plain],
    ['absent', plain],
    ['0 whole', [...plain, 'vpn GET /por/conf.csp']],
  ] as const)('NextAuth %s: accepted', async (value, lines) => {
    begin('none');
    gateway.demo.switches.plainNextAuth = value;
    expect((await login()).status).toBe(200);
    expect(portalLines()).toEqual(lines);
    expect((await read()).status).toBe(200);
  });

  it('NextAuth 0 beside a half session is a step of the portal page', async () => {
    begin('none');
    gateway.demo.switches.plainNextAuth = '0 half';
    const { status, body } = await login();
    expect([status, body.data.challenge.kind]).toEqual([403, 'elsewhere']);
    expect(portalLines()).toEqual([...plain, 'vpn GET /por/conf.csp']);
  });
});

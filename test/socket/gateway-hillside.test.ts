import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Hillside } from '../../src/demo/hillside/campus.ts';
import type { DemoMessage } from '../../src/demo/types.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';

/** The academic system of the first campus, with its own login, which shows an image every time. */
let gateway: Gateway;
let campus: Hillside;
let clock: ManualClock;
let shown: DemoMessage[];

const student = { userid: 'H2026001', password: 'hillside-password' };

const startWith = async (manifest?: object): Promise<void> => {
  const own = manifest === undefined ? {} : { manifest: () => manifest };
  const onMessage = (message: DemoMessage) => void shown.push(message);
  const env = { CAMPUS: 'demo-hillside', STALE_IF_PERSON_SECONDS: '0' };
  gateway = await startGateway({ clock, env, onMessage, ...own });
  const model = gateway.services.simulated?.model;
  if (!(model instanceof Hillside)) throw new Error('no simulator');
  campus = model;
  campus.switches.datesMove = false;
};

beforeEach(async () => {
  clock = new ManualClock();
  shown = [];
  await startWith();
});
afterEach(() => gateway.close());

const wire = (): string[] =>
  (gateway.services.simulated?.requests() ?? []).map(({ method, path }) => `${method} ${path}`);
const passwords = (): number => wire().filter((line) => line === 'POST /j_spring_security_check').length;

const beginRegistration = async (password = student.password) => {
  const invite = await gateway.b('POST', '/auth/register/invite', { body: { invite_code: 'DEMO-2026' } });
  const { invite_token } = invite.body.data;
  return gateway.b('POST', '/auth/register/next', { body: { ...student, password, invite_token } });
};
const answer = (id: string, text = shown.at(-1)?.text ?? '') =>
  gateway.b('POST', `/auth/challenges/${id}/answer`, { body: { answer: text } });
const registered = async (): Promise<string> => {
  const { body } = await beginRegistration();
  const passed = await answer(body.data.challenge.id);
  return passed.body.data.token;
};
const login = (password = student.password, headers: Record<string, string> = {}) =>
  gateway.b('POST', '/auth/login/next', { body: { userid: student.userid, password }, headers });

describe('a student', () => {
  it('is registered with an image and one password, and read for on both surfaces', async () => {
    const met = await beginRegistration();
    expect([met.status, met.body.error.code]).toEqual([428, 'LOGIN_CHALLENGE']);
    expect(met.body.data.challenge).toMatchObject({ step: 'unified-login', kind: 'captcha' });
    // What comes before the image costs no password.
    expect(wire()).toEqual(['GET /login', 'GET /img/captcha.jpg']);
    const { token } = (await answer(met.body.data.challenge.id)).body.data;
    expect(wire()).toEqual(['GET /login', 'GET /img/captcha.jpg', 'POST /j_spring_security_check']);
    for (const path of ['/jwc/academic/info', '/jwc/term/all', '/jwc/exam/info', '/jwc/score/all'])
      expect([path, (await gateway.b('GET', path, { token })).status]).toEqual([path, 200]);
    const { body } = await gateway.a('/jwc/fetch_academic_info', { token });
    expect([body.code, JSON.stringify(body.data).length > 20]).toEqual([200, true]);
    expect(passwords()).toBe(1);
  });

  it('signs in again by hand once the session has ended, which costs no request and no password before', async () => {
    const token = await registered();
    expect((await gateway.b('GET', '/jwc/term/all', { token })).status).toBe(200);
    clock.advance(10 * 60_000);
    campus.expireSessions();
    gateway.services.simulated?.resetRequests();
    for (let time = 0; time < 5; time += 1) {
      const read = await gateway.b('GET', '/jwc/term/all', { token });
      expect([read.status, read.body.error.code]).toEqual([403, 'PERSON_NEEDED']);
      const { body } = await gateway.a('/jwc/fetch_all_terms', { token });
      expect([body.code, body.message]).toEqual([400, expect.stringContaining('验证码')]);
    }
    // The first read finds it dead.
    expect([passwords(), wire().length]).toEqual([0, 1]);
    const renewal = await gateway.b('POST', '/auth/challenges', { token });
    expect([renewal.status, renewal.body.data.challenge.kind]).toEqual([200, 'captcha']);
    expect((await answer(renewal.body.data.challenge.id)).status).toBe(200);
    expect((await gateway.b('GET', '/jwc/term/all', { token })).status).toBe(200);
    expect(passwords()).toBe(1);
  });

  it('is told before registering that a person signs in here', async () => {
    const { data } = (await gateway.b('GET', '/campus')).body;
    expect(data).toMatchObject({ id: 'demo-hillside', sign_in: 'attended', login: { challenges: ['captcha'] } });
    expect(data.login.fields.map(({ name }: { name: string }) => name)).toEqual(['userid', 'password']);
  });
});

describe('an image', () => {
  it('that was read wrong is replaced by one of a new page, and the password counts as none', async () => {
    const { body } = await beginRegistration();
    gateway.services.simulated?.resetRequests();
    const wrong = await answer(body.data.challenge.id, 'XXXX');
    expect([wrong.status, wrong.body.data.challenge.kind]).toEqual([428, 'captcha']);
    expect(wrong.body.data.challenge.answers_left).toBe(body.data.challenge.answers_left - 1);
    expect(wire()).toEqual(['POST /j_spring_security_check', 'GET /login', 'GET /img/captcha.jpg']);
    expect((await answer(body.data.challenge.id)).status).toBe(200);
  });

  it('that the campus does not show sends no password', async () => {
    campus.login.switches.images = false;
    const { status, body } = await beginRegistration();
    expect([status, body.data]).toEqual([502, null]);
    expect(passwords()).toBe(0);
  });
});

describe('what the login answers to a password', () => {
  it('is a refusal where it says so, once', async () => {
    const met = await beginRegistration('wrong');
    const refused = await answer(met.body.data.challenge.id);
    expect([refused.status, refused.body.error.code]).toEqual([403, 'REMOTE_CREDENTIALS_INVALID']);
    // There is no other password.
    expect(refused.body.message).not.toContain('VPN');
    expect(passwords()).toBe(1);
    // The same password is not asked again.
    expect((await beginRegistration('wrong')).body.error.code).toBe('UAAP_PASSWORD_ERROR');
    expect(passwords()).toBe(1);
  });

  it.each([
    ['another session', { errorCode: 'concurrentSessionExpired' }],
    ['an unknown error', { errorCode: 'somethingElse' }],
    ['its page again', { errorCode: '' }],
    ['a page', { status: 200 }],
    ['a firewall', { status: 412 }],
    ['a fault', { status: 500 }],
    ['a way out of it', { landing: 'http://elsewhere.test/' }],
    ['a page that is not its start', { landing: '/somewhere' }],
  ])('is unreadable for %s: neither a token nor a wrong password', async (_what, switches) => {
    const met = await beginRegistration();
    Object.assign(campus.login.switches, switches);
    const { status, body } = await answer(met.body.data.challenge.id);
    expect([status, body.error.code, body.data]).toEqual([502, 'REMOTE_SERVICE_ERROR', null]);
    expect(passwords()).toBe(1);
  });

  it('is told as a block where a firewall answers, to anybody', async () => {
    const met = await beginRegistration();
    campus.login.switches.status = 412;
    expect((await answer(met.body.data.challenge.id)).body.error.reason).toBe('campus_blocked');
  });

  it.each(['/', '/index.jsp;jsessionid=AB12', 'https://127.0.0.1/index.jsp'])(
    'is a session where it leads to %s',
    async (landing) => {
      campus.login.switches.landing = landing;
      const token = await registered();
      expect((await gateway.b('GET', '/jwc/term/all', { token })).status).toBe(200);
    },
  );

  it('names the application that has the login', async () => {
    const token = await registered();
    const { body } = await login('another', { authorization: `Bearer ${token}` });
    const { body: refused } = await answer(body.data.challenge.id);
    expect(refused.error).toMatchObject({ system: 'academics' });
  });
});

describe('a page', () => {
  it.each(['plain', 'md5-pair', 'md5-twice'] as const)('that wants %s is told by its button', async (password) => {
    Object.assign(campus.login.switches, { password, token: password !== 'plain' });
    expect(await registered()).toMatch(/^\S{20,}$/);
  });

  it.each([
    ['a button of an older script', { password: 'md5' }],
    ['an older pair', { password: 'older md5-pair' }],
    ['another order', { button: "$('#input_password').val(hex_md5(hex_md5($('#input_password').val())))" }],
    ['a script in a file', { button: 'login()' }],
    ['no button', { button: '' }],
  ] as const)('with %s gets no password', async (_what, switches) => {
    Object.assign(campus.login.switches, switches);
    const { status, body } = await beginRegistration();
    expect([status, body.data]).toEqual([502, null]);
    expect(wire()).toEqual(['GET /login']);
  });
});

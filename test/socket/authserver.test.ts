import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect } from '../../src/campus/connect.ts';
import { Addresses } from '../../src/campus/contract/addresses.ts';
import { drivers } from '../../src/campus/drivers.ts';
import { unlimitedBudget } from '../../src/campus/session/campus-requests.ts';
import type { StudentSession } from '../../src/campus/session/session-cache.ts';
import { SignIns } from '../../src/campus/session/sign-ins.ts';
import { CampusHttp } from '../../src/campus/transport/http.ts';
import { startSeaside } from '../../src/demo/seaside/campus.ts';
import type { DemoMessage } from '../../src/demo/types.ts';
import type { HalfSignIn } from '../../src/domain/challenge.ts';
import { type Failure, type FailureMembers, halfSignInOf, isFailure } from '../../src/domain/errors.ts';
import { asStranger, callContext, recordingLog } from '../support/campus-rig.ts';
import { inTurn } from '../support/in-turn.ts';
import { inlinePages } from '../support/inline-pages.ts';
import { ManualClock } from '../support/manual-clock.ts';

/** Each outcome of the unified login, from its simulator on the wire up to what the core makes of it. */
const student = { userid: 'S2026001', password: 'seaside-password' };
const pairOf = (password: string) => ({ password, vpnPassword: '' });

const start = async () => {
  const clock = new ManualClock();
  const shown: DemoMessage[] = [];
  const campus = await startSeaside({ clock, onMessage: (message) => void shown.push(message) });
  const [login = '', academics = ''] = ['http://login.seaside.test', 'http://academics.seaside.test'].map(
    (host) => campus.origins[host],
  );
  const service = 'http://academics.seaside.test/j_spring_cas_security_check';
  const connection = connect(
    {
      id: 'seaside',
      name: { zh: '海滨大学', en: 'Seaside' },
      timeZone: 'Asia/Shanghai',
      portal: null,
      login: { driver: 'authserver', options: { url: `${login}/authserver` } },
      applications: [{ driver: 'jwc', options: { url: academics, service } }],
      notes: [],
    },
    drivers,
  );
  const addresses = new Addresses(connection);
  const http = new CampusHttp({
    clock,
    origins: addresses.origins,
    insecureOrigin: null,
    connections: 8,
    mostWaiting: 8,
  });
  const signIns = new SignIns({
    campus: {
      http,
      addresses,
      clock,
      attemptMs: 10_000,
      slowAttemptMs: 10_000,
      pages: inlinePages,
      oddities: { isNew: () => true },
      log: recordingLog(),
      tagOf: String,
    },
    breakers: new Map(),
    signInMs: 20_000,
  });
  const { model } = campus;
  const caught = async <T>(work: Promise<T>): Promise<T | Failure> => {
    try {
      return await work;
    } catch (error) {
      if (isFailure(error)) return error;
      throw error;
    }
  };
  const requests = (): string[] =>
    campus.requests().map(({ method, path }) => `${method} ${path.replace(/^\/authserver/, '')}`);
  return {
    campus,
    clock,
    shown,
    switches: model.login.switches,
    login: model.login,
    requests,
    passwords: () => requests().filter((line) => line === 'POST /login').length,
    verify: (password = student.password) =>
      caught(inTurn(signIns, [student.userid, pairOf(password), callContext(), asStranger], (signIn) => signIn())),
    send: (half: HalfSignIn) => caught(signIns.send(student.userid, half, null, callContext())),
    answer: (half: HalfSignIn, text: string, password = student.password) =>
      caught(signIns.answer(student.userid, pairOf(password), half, text, callContext())),
    /** Opens the application again, unattended. */
    renew: (session: StudentSession, password = student.password) =>
      caught(
        signIns.run(
          {
            session,
            portal: false,
            application: 'jwc',
            pairs: { pair: () => Promise.resolve(pairOf(password)) },
            renews: true,
            verifies: false,
          },
          unlimitedBudget,
          signIns.deadline(),
        ),
      ),
    async close() {
      await http.close();
      await campus.close();
    },
  };
};

let rig: Awaited<ReturnType<typeof start>>;
beforeEach(async () => {
  rig = await start();
});
afterEach(() => rig.close());

/** What a failure says, as far as it differs. */
const said = (outcome: unknown) => {
  if (!isFailure(outcome)) return { kind: 'signed-in' };
  const { kind, passwords, wanted, half, reason, upstreamMessage }: FailureMembers & { kind: string } = outcome;
  const more = { passwords, wanted, asked: half?.asked.kind, last: half?.last, reason, upstreamMessage };
  return { kind, ...Object.fromEntries(Object.entries(more).filter(([, value]) => value !== undefined)) };
};

const halfOf = (outcome: unknown): HalfSignIn => {
  const half = isFailure(outcome) ? halfSignInOf(outcome) : outcome;
  if (typeof half !== 'object' || half === null || !('asked' in half)) {
    throw new Error(`no half sign-in: ${JSON.stringify(said(outcome))}`);
  }
  return half as HalfSignIn;
};

const page = 'GET /login';
const question = 'GET /checkNeedCaptcha.htl';
const image = 'GET /getCaptcha.htl';
const post = 'POST /login';
const ticket = 'GET /j_spring_cas_security_check';
const step = 'GET /reAuthCheck/reAuthLoginView.do';
const sendCode = 'POST /dynamicCode/getDynamicCodeByReauth.do';
const submit = 'POST /reAuthCheck/reAuthSubmit.do';
const change = 'POST /reAuthCheck/changeReAuthType.do';

describe('a right pair', () => {
  it('costs four requests, and a ticket afterwards one and its redemption', async () => {
    const session = await rig.verify();
    expect(said(session)).toEqual({ kind: 'signed-in' });
    expect(rig.requests()).toEqual([page, question, post, ticket]);
    rig.campus.resetRequests();
    rig.campus.expireSessions();
    if (isFailure(session)) throw session;
    expect(await rig.renew(session)).toMatchObject({ kind: 'signed-in', passwordSent: false });
    expect(rig.requests()).toEqual([page, ticket]);
  });

  it.each([16, 24, 32, 0] as const)('is taken with a salt of %i characters', async (saltLength) => {
    for (const generation of ['new', 'old'] as const) {
      Object.assign(rig.switches, { saltLength, generation });
      expect([generation, said(await rig.verify())]).toEqual([generation, { kind: 'signed-in' }]);
    }
  });

  it.each(['as text', 'missing'] as const)('is taken where the question about the image is %s', async (how) => {
    rig.switches.question = how;
    expect(said(await rig.verify())).toEqual({ kind: 'signed-in' });
  });

  it('is asked for by the questions of the old page', async () => {
    rig.switches.generation = 'old';
    await rig.verify();
    expect(rig.requests()).toEqual([page, 'GET /needCaptcha.html', post, ticket]);
  });

  it('is not proven by a login that knows the student anyway, which renews a session all the same', async () => {
    const session = await rig.verify();
    if (isFailure(session)) throw session;
    rig.campus.resetRequests();
    rig.switches.knows = student.userid;
    expect(said(await rig.verify('wrong'))).toEqual({
      kind: 'sign-in-unavailable',
      reason: 'ticket without a password',
      passwords: 'unsent',
    });
    expect(rig.requests()).toEqual([page]);
    expect(await rig.renew(session)).toMatchObject({ kind: 'signed-in', passwordSent: false });
    expect(rig.passwords()).toBe(0);
  });
});

describe('an answer to the password', () => {
  const refused = { kind: 'credentials-refused', reason: 'refused', upstreamMessage: '您提供的用户名或者密码有误' };
  it.each([
    [200, 'new'],
    [401, 'new'],
    [200, 'old'],
    [401, 'old'],
  ] as const)('with status %i on the %s page refuses it', async (refusal, generation) => {
    Object.assign(rig.switches, { refusal, generation });
    expect(said(await rig.verify('wrong'))).toEqual(refused);
    expect(rig.passwords()).toBe(1);
  });

  it.each([
    ['该账号已被冻结，请联系管理员', 'sign-in-guarded', 'locked', 'locked'],
    ['Your account has been blocked', 'sign-in-guarded', 'locked', 'locked'],
    ['IP freeze', 'sign-in-guarded', 'address', undefined],
    ['系统异常', 'sign-in-unavailable', 'unknown answer', 'unread'],
  ])('that says %s is %s', async (words, kind, reason, passwords) => {
    rig.switches.words = words;
    expect(said(await rig.verify())).toEqual({
      kind,
      reason,
      upstreamMessage: words,
      ...(passwords && { passwords }),
    });
    expect(rig.passwords()).toBe(1);
  });

  it.each([202, 403, 412, 502, 503])('of a firewall, with status %i, is unread', async (status) => {
    Object.assign(rig.switches, { passwordStatus: status, passwordText: '密码错误' });
    expect(said(await rig.verify())).toMatchObject({ kind: 'sign-in-unavailable', passwords: 'unread' });
    expect(rig.passwords()).toBe(1);
  });

  it('with status 401 and no tip is unread, because a script may have been suspected', async () => {
    rig.switches.passwordStatus = 401;
    rig.switches.passwordText = '401 Unauthorized';
    expect(said(await rig.verify('wrong'))).toMatchObject({ kind: 'sign-in-unavailable', passwords: 'unread' });
  });

  it('that wants particulars has accepted it, and the student goes to the campus', async () => {
    rig.switches.profile = true;
    expect(said(await rig.verify())).toEqual({ kind: 'person-needed', wanted: 'unknown' });
    expect(rig.passwords()).toBe(1);
  });
});

describe('no password goes out', () => {
  it('under a salt of another length', async () => {
    rig.switches.saltLength = 20;
    expect(said(await rig.verify())).toMatchObject({ kind: 'sign-in-unavailable', passwords: 'unsent' });
    expect(rig.requests()).toEqual([page]);
  });

  it.each([403, 412, 202, 503])('where the page has status %i', async (status) => {
    rig.campus.fault('cas', { kind: 'status', status });
    expect(said(await rig.verify())).toMatchObject({ kind: 'sign-in-unavailable', passwords: 'unsent' });
    expect(rig.passwords()).toBe(0);
  });

  it.each([
    '<form id="pwdFromId"><input name="username"><input type="password" name="passwordText"></form>',
    '<form id="other"><input name="username"><input name="execution" value="e1s1"></form>',
  ])('where the page is another one', async (body) => {
    rig.campus.fault('cas', { kind: 'body', body });
    expect(said(await rig.verify())).toMatchObject({ kind: 'sign-in-unavailable', passwords: 'unsent' });
    expect(rig.passwords()).toBe(0);
  });

  it('gets no password where the page after a misread image wants it under a key that nobody knows', async () => {
    rig.switches.image = 'always';
    const met = halfOf(await rig.verify());
    rig.switches.saltLength = 20;
    const wrong = await rig.answer(met, '!!!!');
    expect(said(wrong)).toEqual({ kind: 'person-needed', wanted: 'captcha' });
    expect(rig.passwords()).toBe(1);
  });

  it('while an image is wanted: the person reads it, beside the password', async () => {
    rig.switches.image = 'always';
    const met = await rig.verify();
    expect(said(met)).toEqual({
      kind: 'person-needed',
      wanted: 'captcha',
      passwords: 'unsent',
      asked: 'captcha',
      last: 'none',
    });
    expect(rig.requests()).toEqual([page, question, image]);
    const wrong = await rig.answer(halfOf(met), '!!!!');
    expect(said(wrong)).toMatchObject({ kind: 'person-needed', asked: 'captcha', last: 'wrong' });
    const again = halfOf(await rig.send(halfOf(wrong)));
    const done = await rig.answer(again, rig.shown.at(-1)?.text ?? '');
    expect(said(done)).toEqual({ kind: 'signed-in' });
    expect(rig.requests()).toEqual([page, question, image, post, image, post, ticket]);
  });

  it('after two refusals, which make the login want an image of this account', async () => {
    for (const generation of ['new', 'old'] as const) {
      rig.switches.generation = generation;
      await rig.verify('wrong');
      await rig.verify('wrong');
      const sent = rig.passwords();
      const met = await rig.verify();
      expect([generation, said(met).kind, rig.passwords()]).toEqual([generation, 'person-needed', sent]);
      // An image that is read wrong says nothing of the password.
      const refused = await rig.answer(halfOf(met), rig.shown.at(-1)?.text ?? '', 'wrong');
      expect(said(refused).kind).toBe('credentials-refused');
      const next = await rig.verify();
      expect(said(await rig.answer(halfOf(next), rig.shown.at(-1)?.text ?? ''))).toEqual({ kind: 'signed-in' });
    }
  });

  it('beside a slider, which nobody can move here', async () => {
    Object.assign(rig.switches, { image: 'always', imageKind: 'slider' });
    expect(said(await rig.verify())).toEqual({ kind: 'person-needed', wanted: 'unknown', passwords: 'unsent' });
    expect(rig.requests()).toEqual([page, question]);
  });

  it('where there is no image to read', async () => {
    Object.assign(rig.switches, { image: 'always', imageKind: 'none' });
    expect(said(await rig.verify())).toEqual({ kind: 'person-needed', wanted: 'unknown', passwords: 'unsent' });
    expect(rig.passwords()).toBe(0);
  });
});

describe('a second step', () => {
  it('by SMS: a page, a code for each send, and two requests', async () => {
    rig.switches.reauth = '3';
    const met = await rig.verify();
    expect(said(met)).toEqual({ kind: 'person-needed', wanted: 'sms', asked: 'sms', last: 'none' });
    expect(halfOf(met).asked).toMatchObject({ sent: 'unknown', targets: [] });
    expect(rig.login.codes).toEqual([]);
    const sent = halfOf(await rig.send(halfOf(met)));
    expect(sent.asked).toEqual({
      kind: 'sms',
      targets: ['138****0000'],
      sent: 'yes',
      stillValid: false,
      resendAfter: 120,
    });
    rig.clock.advance(76_000);
    const tooSoon = halfOf(await rig.send(sent));
    expect([tooSoon.last, tooSoon.asked]).toMatchObject(['send-refused', { sent: 'perhaps', resendAfter: 44 }]);
    const wrong = await rig.answer(tooSoon, '000000');
    expect(said(wrong)).toMatchObject({ kind: 'person-needed', asked: 'sms', last: 'wrong' });
    expect(said(await rig.answer(halfOf(wrong), rig.login.codes[0] ?? ''))).toEqual({ kind: 'signed-in' });
    expect(rig.login.codes).toHaveLength(1);
    const codes = [sendCode, sendCode, submit, submit, page, ticket];
    expect(rig.requests()).toEqual([page, question, post, step, ...codes]);
  });

  it.each([
    ['10', 'totp', []],
    ['3+10', 'sms', []],
    ['10+3', 'sms', [change]],
    ['8+10', 'totp', [change]],
  ] as const)('of the kinds %s is taken as %s', async (reauth, kind, more) => {
    rig.switches.reauth = reauth;
    const met = await rig.verify();
    expect(said(met)).toMatchObject({ kind: 'person-needed', asked: kind });
    if (kind === 'sms') await rig.send(halfOf(met));
    const code = kind === 'sms' ? rig.login.codes[0] : rig.login.totp({ id: student.userid });
    expect(said(await rig.answer(halfOf(met), code ?? ''))).toEqual({ kind: 'signed-in' });
    const sends = kind === 'sms' ? [sendCode] : [];
    expect(rig.requests()).toEqual([page, question, post, step, ...more, ...sends, submit, page, ticket]);
  });

  it.each([
    ['4', 'wechat'],
    ['8', 'unknown'],
  ] as const)('of the kind %s is taken at the campus', async (reauth, wanted) => {
    rig.switches.reauth = reauth;
    expect(said(await rig.verify())).toEqual({ kind: 'person-needed', wanted });
    expect(rig.requests()).toEqual([page, question, post, step]);
  });

  it('whose half session is gone begins again', async () => {
    rig.switches.reauth = '3';
    const half = halfOf(await rig.verify());
    rig.login.expireHalves();
    for (const ended of [await rig.send(half), await rig.answer(half, '123456')]) {
      expect(said(ended)).toMatchObject({ kind: 'challenge-unknown', passwords: 'accepted' });
    }
    expect(rig.passwords()).toBe(1);
  });

  it('that is asked for again after it was passed does not hold', async () => {
    Object.assign(rig.switches, { reauth: '10', reauthHolds: false });
    const half = halfOf(await rig.verify());
    const outcome = await rig.answer(half, rig.login.totp({ id: student.userid }));
    expect(said(outcome)).toMatchObject({ kind: 'sign-in-unavailable', passwords: 'unstable' });
  });

  it('for another service is not taken', async () => {
    Object.assign(rig.switches, { reauth: '3', reauthService: 'http://other.seaside.test/' });
    expect(said(await rig.verify())).toMatchObject({ kind: 'sign-in-unavailable' });
    expect(rig.login.codes).toEqual([]);
  });

  it('that the browser is trusted to skip is skipped by the session that passed it, and by no other', async () => {
    Object.assign(rig.switches, { reauth: '10', trust: true });
    const passed = await rig.answer(halfOf(await rig.verify()), rig.login.totp({ id: student.userid }));
    if (isFailure(passed)) throw passed;
    expect(said(await rig.verify())).toMatchObject({ kind: 'person-needed', asked: 'totp' });
    if (!('state' in passed)) throw new Error('no session');
    rig.campus.expireSessions();
    rig.campus.expireLogins();
    rig.clock.advance(600_000);
    expect(await rig.renew(passed)).toMatchObject({ kind: 'signed-in', passwordSent: true });
  });

  it('met unattended sends no code', async () => {
    const session = await rig.verify();
    if (isFailure(session)) throw session;
    rig.switches.reauth = '3';
    rig.campus.expireSessions();
    rig.campus.expireLogins();
    rig.clock.advance(600_000);
    expect(await rig.renew(session)).toMatchObject({ failure: { kind: 'person-needed', half: undefined } });
    expect(rig.login.codes).toEqual([]);
  });
});

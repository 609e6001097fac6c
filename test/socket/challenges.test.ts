import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SignInQueues } from '../../src/campus/session/sign-ins.ts';
import type { DemoCampus, DemoMessage, DemoSecondFactor } from '../../src/demo/types.ts';
import type { ChallengeResult } from '../../src/domain/accounts/sign-in/challenge-answer.ts';
import type { Challenge } from '../../src/domain/challenge.ts';
import type { CallContext } from '../../src/domain/context.ts';
import { type Failure, failures, isFailure } from '../../src/domain/errors.ts';
import { QueueFull } from '../../src/lib/queues.ts';
import { first } from '../support/campus-rig.ts';
import { appCall } from '../support/challenge-walks.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { readGuard } from '../support/guard-rows.ts';
import { ManualClock } from '../support/manual-clock.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const READ = '/jwc/academic/info';
const HOME = '198.51.100.7';
const context = (address = HOME, bearer?: string): CallContext => appCall(address, bearer);

let clock: ManualClock;
let demo: DemoCampus;
let gateway: Gateway;
let token: string;
let images: DemoMessage[];
beforeEach(async () => {
  clock = new ManualClock();
  images = [];
  gateway = await startGateway({ clock, onMessage: (message) => void images.push(message) });
  ({ demo } = gateway);
  token = await gateway.register();
  demo.resetRequests();
});
afterEach(() => gateway.close());

const { userid, password, vpnPassword } = first;
const pair = { password, vpnPassword };
const student = () => demo.student(userid);
/** From now on the portal wants the step, and no session is left. */
const begin = (kind: DemoSecondFactor): void => {
  clock.advance(5 * MINUTE);
  student().setSecondFactor(kind);
  expire();
};
const expire = (): void => {
  student().expirePortal();
  student().expireUnifiedLogin();
  student().expireService('jwc');
};
const failureOf = async (call: Promise<unknown>): Promise<Failure> => {
  const ended = await call.then(
    () => null,
    (error: unknown) => error,
  );
  if (!isFailure(ended)) throw ended ?? new Error('it succeeded');
  return ended;
};
const challengeOf = async (call: Promise<unknown>): Promise<Challenge> => {
  const failure = await failureOf(call);
  if (failure.kind !== 'login-challenge') throw failure;
  return failure.challenge;
};
const login = (from = context(HOME, token), submitted = pair, services = gateway.services) =>
  services.accounts.login({ userid, pair: submitted }, from);
const desk = () => gateway.services.challenges;
const answer = (id: string, text: string, from = context()): Promise<ChallengeResult> => desk().answer(id, text, from);
const lastCode = (): string => demo.messages().at(-1)?.text ?? '';
const lastImage = (): string => images.filter(({ phone }) => phone === 'image').at(-1)?.text ?? '';
const portal = (): string[] =>
  gateway
    .wire()
    .filter((line) => line.startsWith('vpn '))
    .map((line) => line.replace('/por/', '').replace('.csp', ''));
const read = (of = token) => gateway.b('GET', READ, { token: of });

it('a challenge that an app has opened at home with its token gives way to the page there, which has none', async () => {
  await login();
  begin('totp');
  const opened = await challengeOf(login());
  const page = await challengeOf(login(context(HOME)));
  expect(page.id).not.toBe(opened.id);
  expect((await failureOf(answer(opened.id, demo.totp(userid)))).kind).toBe('challenge-unknown');
  expect((await answer(page.id, demo.totp(userid))).kind).toBe('logged-in');
});

describe('every kind, from the login to the first read', () => {
  const plain = ['vpn GET login_auth', 'vpn POST login_psw'];

  it.each([
    ['login_sms', 'envelope'],
    ['login_psw', 'bare text'],
    ['login_sms', 'new TwfID'],
    ['login_sms', '20021'],
  ] as const)('a code that %s sends, answered as %s', async (sender, success) => {
    demo.switches.smsSender = sender;
    demo.switches.smsSuccess = success;
    begin('sms');
    const { id, asked, answersLeft } = await challengeOf(login());
    expect([asked, answersLeft]).toMatchObject([{ kind: 'sms', sent: 'unknown' }, 3]);
    const shown = await desk().send(id, undefined, context());
    expect(shown.asked).toMatchObject({ sent: 'perhaps' });
    const passed = await answer(id, ` ${lastCode()} `);
    expect(passed).toMatchObject({ kind: 'logged-in', purpose: 'login' });
    const look = success === '20021' ? ['vpn GET conf'] : [];
    expect(portal()).toEqual([...plain, 'vpn POST login_sms', 'vpn POST login_sms1', ...look]);
    expect(demo.messages()).toHaveLength(1);
    const fresh = passed.kind === 'logged-in' ? passed.token : '';
    expect((await read(fresh)).status).toBe(200);
    expect((await failureOf(desk().look(id))).kind).toBe('challenge-unknown');
  });

  it('one of two phones', async () => {
    begin('sms-two-phones');
    const { id } = await challengeOf(login());
    const shown = await desk().send(id, undefined, context());
    expect(shown.asked).toMatchObject({ targets: ['138****0000', '159****1111'] });
    expect((await failureOf(desk().send(id, undefined, context()))).kind).toBe('challenge-target');
    expect((await failureOf(desk().send(id, 2, context()))).kind).toBe('challenge-target');
    expect((await desk().send(id, 1, context())).asked).toMatchObject({ sent: 'yes' });
    expect(demo.messages().at(-1)?.phone).toBe('15912341111');
    expect((await answer(id, lastCode())).kind).toBe('logged-in');
    expect(portal()).toEqual([...plain, 'vpn POST login_sms', 'vpn POST get_sms', 'vpn POST login_sms2']);
  });

  it.each(['envelope', 'without TwfID'] as const)('a one-time password, answered as %s', async (success) => {
    demo.switches.totpSuccess = success;
    begin('totp');
    const { id, asked } = await challengeOf(login());
    expect(asked.kind).toBe('totp');
    expect((await answer(id, demo.totp(userid))).kind).toBe('logged-in');
    expect(portal()).toEqual([...plain, 'vpn POST login_token']);
  });

  it('two steps after each other continue under one id', async () => {
    begin('sms-then-totp');
    const { id } = await challengeOf(login());
    await desk().send(id, undefined, context());
    const next = await challengeOf(answer(id, lastCode()));
    expect(next).toMatchObject({ id, asked: { kind: 'totp' }, last: 'passed-step', answersLeft: 3 });
    expect((await answer(id, demo.totp(userid))).kind).toBe('logged-in');
  });

  it.each([
    ['announced', 'always', ['vpn GET login_auth', 'vpn GET rand_code', 'vpn POST login_psw']],
    ['not announced', 'unannounced', [...plain, 'vpn GET login_auth', 'vpn GET rand_code', 'vpn POST login_psw']],
  ] as const)('an image that is %s', async (_how, captcha, lines) => {
    begin('none');
    demo.switches.captcha = captcha;
    const { id, asked } = await challengeOf(login());
    expect(asked).toMatchObject({ kind: 'captcha', image: { type: 'image/png' } });
    expect((await answer(id, lastImage())).kind).toBe('logged-in');
    expect(portal()).toEqual(lines);
  });

  it('changed passwords replace the stored ones once the step is passed', async () => {
    begin('totp');
    const other = { ...pair, password: 'new-password' };
    student().changePasswords({ password: other.password });
    const { id } = await challengeOf(login(context('203.0.113.9'), other));
    expect((await answer(id, demo.totp(userid), context('203.0.113.9'))).kind).toBe('logged-in');
    expect((await gateway.services.storage.accounts.readPair(userid))?.pair).toEqual(other);
  });

  it('a certificate is none that anybody walks here: no challenge, as before', async () => {
    begin('certificate');
    const failure = await failureOf(login());
    expect(failure).toMatchObject({ kind: 'person-needed', wanted: 'certificate' });
  });
});

/** As where the process dies just before the account is told of a token. */
const storageFailsOnce = (): void => {
  const { accounts } = gateway.services.storage;
  vi.spyOn(accounts, 'recordLogin').mockRejectedValueOnce(failures.storageFailed());
};

describe('a registration', () => {
  const other = { userid: '2023000002', pair: { password: 'demo-password-2', vpnPassword: 'demo-vpn-2' } };
  const register = async () => {
    const { inviteToken } = await gateway.services.accounts.verifyInviteCode('DEMO-2026', context());
    return gateway.services.accounts.register({ ...other, inviteToken }, context());
  };

  it('goes through with a code, and creates the account then', async () => {
    demo.student(other.userid).setSecondFactor('totp');
    const { id, purpose } = await challengeOf(register());
    expect(purpose).toBe('registration');
    expect(await gateway.services.storage.accounts.findUser(other.userid)).toBeNull();
    expect(await answer(id, demo.totp(other.userid))).toMatchObject({ kind: 'logged-in', purpose: 'registration' });
    expect(await gateway.services.storage.accounts.findUser(other.userid)).not.toBeNull();
  });

  it('with a wrong password behind an image is refused, and its image is not offered again', async () => {
    demo.switches.captcha = 'always';
    other.pair.password = 'wrong';
    const { id } = await challengeOf(register());
    const failure = await failureOf(answer(id, lastImage()));
    expect([failure.kind, failure.step]).toEqual(['credentials-refused', 'unified-login']);
    expect((await failureOf(desk().look(id))).kind).toBe('challenge-unknown');
    expect(await gateway.services.storage.accounts.findUser(other.userid)).toBeNull();
    other.pair.password = 'demo-password-2';
  });
});

describe('answers', () => {
  const challenge = async (kind: DemoSecondFactor = 'totp') => {
    begin(kind);
    return challengeOf(login());
  };

  it('that are wrong come back with the challenge, the third one ends it, and no password counts as wrong', async () => {
    const { id } = await challenge();
    for (const answersLeft of [2, 1]) {
      expect(await challengeOf(answer(id, '000000'))).toMatchObject({ id, last: 'wrong', answersLeft });
    }
    expect((await failureOf(answer(id, '000000'))).kind).toBe('challenge-unknown');
    const { id: second } = await challengeOf(login());
    expect((await answer(second, demo.totp(userid))).kind).toBe('logged-in');
  });

  it('two at once: one is put to the campus', async () => {
    const { id } = await challenge();
    const ends = await Promise.all(
      [demo.totp(userid), demo.totp(userid)].map((text) =>
        answer(id, text).then(
          ({ kind }) => kind,
          (error: unknown) => (isFailure(error) ? error.kind : 'broken'),
        ),
      ),
    );
    expect(ends.filter((kind) => kind === 'logged-in')).toHaveLength(1);
    expect(['challenge-busy', 'challenge-unknown']).toContain(ends.find((kind) => kind !== 'logged-in'));
    expect(portal().filter((line) => line.includes('login_token'))).toHaveLength(1);
  });

  it('whose token our storage did not take end it, and are not sent again', async () => {
    const { id } = await challenge();
    storageFailsOnce();
    const code = demo.totp(userid);
    expect((await failureOf(answer(id, code))).kind).toBe('storage-failed');
    expect((await failureOf(answer(id, code))).kind).toBe('challenge-unknown');
    expect(portal().slice(2)).toEqual(['vpn POST login_token']);
  });

  it('whose answer is lost are settled by one look at the session, and sent once', async () => {
    const { id } = await challenge();
    demo.fault({ system: 'vpn', path: '/por/login_token.csp', times: 1, fault: { kind: 'reset-after' } });
    expect((await answer(id, demo.totp(userid))).kind).toBe('logged-in');
    expect(portal().slice(2)).toEqual(['vpn POST login_token', 'vpn GET conf']);
  });

  it('that the portal leaves hanging are given up in time, looked at, and count', async () => {
    const { id } = await challenge();
    demo.fault({ system: 'vpn', path: '/por/login_token.csp', fault: { kind: 'hang' } });
    const hanging = challengeOf(answer(id, demo.totp(userid)));
    await vi.waitFor(() => expect(portal()).toContain('vpn POST login_token'));
    clock.advance(12 * SECOND);
    expect(await hanging).toMatchObject({ last: 'wrong', answersLeft: 2 });
    expect(portal().slice(2)).toEqual(['vpn POST login_token', 'vpn GET conf']);
  });

  it('that no person can settle end the challenge', async () => {
    const { id } = await challenge();
    demo.fault({ system: 'vpn', path: '/por/login_token.csp', fault: { kind: 'reset' } });
    demo.fault({ system: 'vpn', path: '/por/conf.csp', fault: { kind: 'html' } });
    expect((await failureOf(answer(id, demo.totp(userid)))).kind).toBe('sign-in-unavailable');
    expect((await failureOf(answer(id, demo.totp(userid)))).kind).toBe('challenge-unknown');
  });

  it('a step that is taken while the unified login is down ends it: nothing half stays behind', async () => {
    const { id } = await challenge();
    const fault = demo.fault({ system: 'cas', fault: { kind: 'status', status: 503 } });
    expect((await failureOf(answer(id, demo.totp(userid)))).kind).toBe('sign-in-unavailable');
    fault.remove();
    expect((await failureOf(desk().look(id))).kind).toBe('challenge-unknown');
  });

  it('a misread image is replaced, with all that belongs to it; the third ends it', async () => {
    begin('none');
    demo.switches.captcha = 'always';
    const { id } = await challengeOf(login());
    for (let at = 0; at < 2; at += 1) {
      expect(await challengeOf(answer(id, 'zzzz'))).toMatchObject({
        asked: { kind: 'captcha', image: { type: 'image/png' } },
        last: 'wrong',
      });
    }
    expect((await failureOf(answer(id, 'zzzz'))).kind).toBe('challenge-unknown');
    // None is fetched that no person can answer.
    for (const path of ['login_psw', 'rand_code', 'login_auth']) {
      expect(portal().filter((line) => line.includes(path))).toHaveLength(3);
    }
    // Nothing of it was a sign of alarm, so no login waits.
    expect((await challengeOf(login())).asked.kind).toBe('captcha');
  });
});

describe('sending', () => {
  it('a lost answer is "perhaps", and nothing is sent again before its time', async () => {
    begin('sms');
    const { id } = await challengeOf(login());
    demo.fault({ system: 'vpn', path: '/por/login_sms.csp', times: 1, fault: { kind: 'reset-after' } });
    expect(await desk().send(id, undefined, context())).toMatchObject({ asked: { sent: 'perhaps' }, resendAfter: 60 });
    expect((await answer(id, lastCode())).kind).toBe('logged-in');
  });
});

describe('what our own full line keeps back', () => {
  const full = () => vi.spyOn(SignInQueues.prototype, 'enter').mockRejectedValueOnce(new QueueFull());
  const kept = async (call: Promise<unknown>) => expect((await failureOf(call)).reason).toBe('line-full');

  it('is no code that was sent, neither of the challenge nor of the day, and can be asked for at once', async () => {
    begin('sms');
    const { id } = await challengeOf(login());
    const shown = await desk().send(id, undefined, context());
    clock.advance(shown.resendAfter * SECOND);
    const before = await desk().look(id);
    const guards = () => readGuard(gateway.services.storage, userid);
    const booked = async () => (await guards()).student.codes.length;
    full();
    await kept(desk().send(id, undefined, context()));
    expect(await desk().look(id)).toEqual(before);
    expect(await booked()).toBe(1);
    expect((await desk().send(id, undefined, context())).asked).toMatchObject({ sent: 'yes' });
    expect(await booked()).toBe(2);
    expect(portal().slice(-2)).toEqual(['vpn POST login_sms', 'vpn POST post_sms']);
    expect((await answer(id, lastCode())).kind).toBe('logged-in');
  });
});

describe('one open challenge per student', () => {
  it('a newer one of the same token or network takes its place, others wait for its end', async () => {
    begin('totp');
    const { id } = await challengeOf(login());
    const other = await failureOf(login(context('203.0.113.9')));
    expect([other.kind, (other.retryAfterSeconds ?? 0) <= 300]).toEqual(['challenge-busy', true]);
    const { id: newer } = await challengeOf(login(context('203.0.113.9', token)));
    expect((await failureOf(desk().look(id))).kind).toBe('challenge-unknown');
    await desk().end(newer);
    expect((await failureOf(desk().end(newer))).kind).toBe('challenge-unknown');
    expect((await challengeOf(login(context('203.0.113.9')))).asked.kind).toBe('totp');
    clock.advance(5 * MINUTE);
    expect((await challengeOf(login())).asked.kind).toBe('totp');
  });

  it('the last one of a day can be answered', async () => {
    begin('totp');
    const away = context('203.0.113.9');
    await desk().end((await challengeOf(login(away))).id);
    const { id } = await challengeOf(login(away));
    expect((await failureOf(login(away))).kind).toBe('login-cool-down');
    expect((await answer(id, demo.totp(userid), away)).kind).toBe('logged-in');
  });
});

describe('a renewal', () => {
  const me = async () => gateway.services.accounts.authenticate(token, HOME);

  it('opens the session again, and reads send no password; one unclear answer does not end it', async () => {
    expect((await failureOf(desk().begin(await me(), context()))).kind).toBe('challenge-needless');
    begin('totp');
    const opened = await desk().begin(await me(), context());
    expect(opened).toMatchObject({ purpose: 'renewal', asked: { kind: 'totp' } });
    expect(await answer(opened?.id ?? '', demo.totp(userid))).toEqual({ kind: 'renewed' });
    demo.resetRequests();
    for (let at = 0; at < 50; at += 1) expect((await read()).status).toBe(200);
    const fault = { kind: 'portal-page', marker: 'g_lines' } as const;
    demo.fault({ system: 'jwc', times: 1, fault });
    expect((await read()).headers.get('cache-status')).not.toContain('stale');
    expect(portal()).toEqual([]);
    demo.fault({ system: 'jwc', fault });
    expect((await gateway.b('GET', READ, { token, headers: { 'cache-control': 'no-cache' } })).status).toBe(403);
    expect(portal()).toEqual([]);
  });

  it('that needs no step is over at once, and lifts the mark', async () => {
    begin('totp');
    expect((await read()).body.error.code).toBe('PERSON_NEEDED');
    student().setSecondFactor('none');
    expect(await desk().begin(await me(), context())).toBeNull();
    expect((await read()).status).toBe(200);
    expire();
    expect((await read()).status).toBe(200);
  });
});

describe('without a person', () => {
  it('an announced image: no password and no image, and one look before the student rests', async () => {
    begin('none');
    demo.switches.captcha = 'always';
    const me = await gateway.services.accounts.authenticate(token, HOME);
    const ask = async () => (await failureOf(gateway.services.academics.summary(me, context()))).kind;
    expect(await ask()).toBe('person-needed');
    for (let at = 0; at < 50; at += 1) expect(await ask()).toBe('sign-in-guarded');
    expect(portal()).toEqual(['vpn GET login_auth']);
    clock.advance(MINUTE);
    for (let at = 0; at < 50; at += 1) await ask();
    expect(portal()).toEqual(['vpn GET login_auth', 'vpn GET login_auth']);
    demo.switches.captcha = 'off';
    clock.advance(5 * MINUTE);
    expect((await read()).status).toBe(200);
  });

  it('copies stand in for a week, with their date and what to do; a call that wants it new is told', async () => {
    expect((await read()).status).toBe(200);
    begin('totp');
    const stood = await read();
    expect([stood.status, stood.body.message]).toEqual([200, expect.stringMatching(/数据更新于 .*重新登录/)]);
    expect((await gateway.b('GET', READ, { token, headers: { 'cache-control': 'no-cache' } })).status).toBe(403);
    clock.advance(7 * 24 * 60 * MINUTE);
    expect((await read()).status).toBe(403);
  });
});

it('a half that a former release wrote is ended: it costs nothing, and the next login opens another', async () => {
  await login();
  begin('totp');
  const { id } = await challengeOf(login());
  const { storage } = gateway.services;
  const { challenges } = storage;
  const row = await challenges.of(userid, clock.now());
  if (row === null) throw new Error('no challenge');
  await challenges.open(Object.assign({ ...row }, { resume: JSON.stringify(row.resume) }));
  const before = [await readGuard(storage, userid), portal()];
  expect((await failureOf(answer(id, demo.totp(userid)))).kind).toBe('challenge-unknown');
  expect((await failureOf(desk().look(id))).kind).toBe('challenge-unknown');
  expect([await readGuard(storage, userid), portal()]).toEqual(before);
  const next = await challengeOf(login());
  expect(next.answersLeft).toBe(3);
  expect((await answer(next.id, demo.totp(userid))).kind).toBe('logged-in');
});

it('nothing of a challenge is written down in clear: code, passwords, phone, id', async () => {
  begin('sms-two-phones');
  const { id } = await challengeOf(login());
  await desk().send(id, undefined, context());
  await desk().send(id, 0, context());
  const code = lastCode();
  await challengeOf(answer(id, code === '000000' ? '111111' : '000000'));
  const bytes = gateway.databaseBytes().toString('latin1');
  for (const secret of [id, password, vpnPassword, '0000;159', '138****0000', code]) {
    expect(bytes.includes(secret), secret).toBe(false);
    expect(gateway.log().includes(secret), secret).toBe(false);
  }
});

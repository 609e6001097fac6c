import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SignInLines } from '../../src/campus/session/sign-in-lines.ts';
import { startDemoCampus } from '../../src/demo/demo-campus.ts';
import type { DemoCampus, DemoMessage, DemoSecondFactor } from '../../src/demo/types.ts';
import type { Answered, Challenge, ChallengeKey } from '../../src/domain/accounts/challenges/ports.ts';
import { readPageCode } from '../../src/domain/accounts/challenges/ports.ts';
import type { CallContext } from '../../src/domain/context.ts';
import { Failure } from '../../src/domain/errors.ts';
import { LineFull } from '../../src/lib/semaphore.ts';
import { first } from '../support/campus-rig.ts';
import { appCall } from '../support/challenge-walks.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { TEST_KEY_PEM } from '../unit/demo/test-key.ts';

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
  demo = await startDemoCampus({
    clock,
    portalKeyPem: TEST_KEY_PEM,
    onMessage: (message) => void images.push(message),
  });
  gateway = await startGateway({ clock, demo });
  token = await gateway.register();
  demo.resetRequests();
});
afterEach(async () => {
  await gateway.close();
  await demo.close();
});

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
  if (!(ended instanceof Failure)) throw ended ?? new Error('it succeeded');
  return ended;
};
const challengeOf = async (call: Promise<unknown>): Promise<Challenge> => {
  const failure = await failureOf(call);
  if (!failure.challenge) throw failure;
  return failure.challenge;
};
const login = (from = context(HOME, token), submitted = pair, services = gateway.services) =>
  services.accounts.login({ userid, pair: submitted }, from);
const desk = () => gateway.services.challenges;
const answer = (key: ChallengeKey, text: string, from = context()): Promise<Answered> => desk().answer(key, text, from);
const lastCode = (): string => demo.messages().at(-1)?.text ?? '';
const lastImage = (): string => images.filter(({ phone }) => phone === 'image').at(-1)?.text ?? '';
const portal = (): string[] =>
  gateway
    .wire()
    .filter((line) => line.startsWith('vpn '))
    .map((line) => line.replace('/por/', '').replace('.csp', ''));
const read = (of = token) => gateway.b('GET', READ, { token: of });

describe('every kind, from the login to the first read', () => {
  const plain = ['vpn GET login_auth', 'vpn POST login_psw'];

  it.each([
    ['login_sms', 'envelope'],
    ['login_psw', 'bare text'],
    ['login_psw', 'without TwfID'],
    ['login_sms', 'new TwfID'],
    ['login_sms', '20021'],
  ] as const)('a code that %s sends, answered as %s', async (sender, success) => {
    demo.switches.smsSender = sender;
    demo.switches.smsSuccess = success;
    begin('sms');
    const { id, kind, sent, answersLeft, sendsLeft } = await challengeOf(login());
    expect({ kind, sent, answersLeft, sendsLeft }).toEqual({
      kind: 'sms',
      sent: 'unknown',
      answersLeft: 3,
      sendsLeft: 2,
    });
    const shown = await desk().send({ id }, undefined, context());
    expect(shown).toMatchObject({ sent: 'perhaps', sendsLeft: 1 });
    const passed = await answer({ id }, ` ${lastCode()} `);
    expect(passed).toMatchObject({ kind: 'logged-in', purpose: 'login' });
    const look = success === '20021' ? ['vpn GET conf'] : [];
    expect(portal()).toEqual([...plain, 'vpn POST login_sms', 'vpn POST login_sms1', ...look]);
    expect(demo.messages()).toHaveLength(1);
    const fresh = passed.kind === 'logged-in' ? passed.token : '';
    expect((await read(fresh)).status).toBe(200);
    expect((await failureOf(desk().look({ id }, context()))).kind).toBe('challenge-unknown');
  });

  it('one of two phones', async () => {
    begin('sms-two-phones');
    const { id } = await challengeOf(login());
    const shown = await desk().send({ id }, undefined, context());
    expect(shown.targets).toEqual([
      { index: 0, label: '138****0000' },
      { index: 1, label: '159****1111' },
    ]);
    expect((await failureOf(desk().send({ id }, undefined, context()))).kind).toBe('challenge-target');
    expect((await failureOf(desk().send({ id }, 2, context()))).kind).toBe('challenge-target');
    expect((await desk().send({ id }, 1, context())).sent).toBe('yes');
    expect(demo.messages().at(-1)?.phone).toBe('15912341111');
    expect((await answer({ id }, lastCode())).kind).toBe('logged-in');
    expect(portal()).toEqual([...plain, 'vpn POST login_sms', 'vpn POST get_sms', 'vpn POST login_sms2']);
  });

  it.each(['envelope', 'bare text', 'without TwfID'] as const)(
    'a one-time password, answered as %s',
    async (success) => {
      demo.switches.totpSuccess = success;
      begin('totp');
      const { id, kind } = await challengeOf(login());
      expect(kind).toBe('totp');
      expect((await answer({ id }, demo.totp(userid))).kind).toBe('logged-in');
      expect(portal()).toEqual([...plain, 'vpn POST login_token']);
    },
  );

  it('two steps after each other go on under one id', async () => {
    begin('sms-then-totp');
    const { id } = await challengeOf(login());
    await desk().send({ id }, undefined, context());
    const next = await challengeOf(answer({ id }, lastCode()));
    expect(next).toMatchObject({ id, kind: 'totp', last: 'passed-step', answersLeft: 3 });
    expect((await answer({ id }, demo.totp(userid))).kind).toBe('logged-in');
  });

  it.each([
    ['announced', 'always', ['vpn GET login_auth', 'vpn GET rand_code', 'vpn POST login_psw']],
    ['not announced', 'unannounced', [...plain, 'vpn GET login_auth', 'vpn GET rand_code', 'vpn POST login_psw']],
  ] as const)('an image that is %s', async (_how, captcha, lines) => {
    begin('none');
    demo.switches.captcha = captcha;
    const { id, kind, image } = await challengeOf(login());
    expect([kind, image?.type]).toEqual(['captcha', 'image/png']);
    expect((await answer({ id }, lastImage())).kind).toBe('logged-in');
    expect(portal()).toEqual(lines);
  });

  it('an image before a code: the code follows under the same id', async () => {
    begin('totp');
    demo.switches.captcha = 'always';
    const { id } = await challengeOf(login());
    const next = await challengeOf(answer({ id }, lastImage()));
    expect(next).toMatchObject({ id, kind: 'totp', image: null });
    expect((await answer({ id }, demo.totp(userid))).kind).toBe('logged-in');
  });

  it('changed passwords replace the stored ones once the step is passed', async () => {
    begin('totp');
    const other = { ...pair, password: 'new-password' };
    student().changePasswords({ password: other.password });
    const { id } = await challengeOf(login(context('203.0.113.9'), other));
    expect((await answer({ id }, demo.totp(userid), context('203.0.113.9'))).kind).toBe('logged-in');
    expect((await gateway.services.storage.accounts.readPair(userid))?.pair).toEqual(other);
  });

  it('a certificate is none that anybody walks here: no challenge, as before', async () => {
    begin('certificate');
    const failure = await failureOf(login());
    expect([failure.kind, failure.wanted, failure.challenge]).toEqual(['person-needed', 'certificate', undefined]);
  });
});

/** As where the process dies just before the account is told of a token. */
const storageFailsOnce = (): void => {
  const { accounts } = gateway.services.storage;
  vi.spyOn(accounts, 'recordLogin').mockRejectedValueOnce(new Failure('storage-failed'));
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
    expect(await answer({ id }, demo.totp(other.userid))).toMatchObject({ kind: 'logged-in', purpose: 'registration' });
    expect(await gateway.services.storage.accounts.findUser(other.userid)).not.toBeNull();
  });

  it('whose account was created and not told of is a login then', async () => {
    demo.student(other.userid).setSecondFactor('totp');
    const { id } = await challengeOf(register());
    const { accounts } = gateway.services.storage;
    const create = accounts.register.bind(accounts);
    vi.spyOn(accounts, 'register').mockImplementationOnce(async (entry) => {
      await create(entry);
      throw new Failure('storage-failed');
    });
    const code = demo.totp(other.userid);
    expect((await failureOf(answer({ id }, code))).kind).toBe('storage-failed');
    const done = await answer({ id }, code);
    expect(done).toMatchObject({ kind: 'logged-in', purpose: 'registration' });
    expect(portal().filter((line) => line.includes('login_token'))).toHaveLength(1);
    if (done.kind === 'logged-in') expect((await read(done.token)).status).toBe(200);
  });

  it('that meets an announced image is told so; nothing is booked, and no password has left', async () => {
    demo.switches.captcha = 'always';
    for (let at = 0; at < 6; at += 1) {
      const failure = await failureOf(register());
      expect([failure.kind, failure.wanted, failure.challenge]).toEqual(['person-needed', 'captcha', undefined]);
    }
    expect(portal().filter((line) => line.includes('POST'))).toEqual([]);
  });
});

/** Whoever put an answer to the campus has died before it was answered. */
const diesAnswering = async (): Promise<void> => {
  const { challenges: store } = gateway.services.storage;
  const row = await store.of(userid, clock.now());
  if (row === null) throw new Error('no challenge');
  const state = { ...row.state, phase: 'answering', answersLeft: 2 } as const;
  await store.change({ ...row, state, revision: row.revision + 1 });
  demo.resetRequests();
};

describe('answers', () => {
  const challenge = async (kind: DemoSecondFactor = 'totp') => {
    begin(kind);
    return challengeOf(login());
  };

  it('that are wrong come back with the challenge, the third one ends it, and no password counts as wrong', async () => {
    const { id } = await challenge();
    for (const answersLeft of [2, 1]) {
      expect(await challengeOf(answer({ id }, '000000'))).toMatchObject({ id, last: 'wrong', answersLeft });
    }
    expect((await failureOf(answer({ id }, '000000'))).kind).toBe('challenge-unknown');
    const { id: second } = await challengeOf(login());
    expect((await answer({ id: second }, demo.totp(userid))).kind).toBe('logged-in');
  });

  it.each(['9'.repeat(10_000), '', '12ab56', '１２３４５６', '12345'])(
    'that are no code are not sent (%#)',
    async (text) => {
      const { id } = await challenge();
      demo.resetRequests();
      expect((await failureOf(answer({ id }, text))).kind).toBe('challenge-answer');
      expect(gateway.wire()).toEqual([]);
      expect(await desk().look({ id }, context())).toMatchObject({ answersLeft: 3 });
    },
  );

  it('two at once: one is put to the campus', async () => {
    const { id } = await challenge();
    const ends = await Promise.all(
      [demo.totp(userid), demo.totp(userid)].map((text) =>
        answer({ id }, text).then(
          ({ kind }) => kind,
          (error: unknown) => (error instanceof Failure ? error.kind : 'broken'),
        ),
      ),
    );
    expect(ends.filter((kind) => kind === 'logged-in')).toHaveLength(1);
    expect(['challenge-busy', 'challenge-unknown']).toContain(ends.find((kind) => kind !== 'logged-in'));
    expect(portal().filter((line) => line.includes('login_token'))).toHaveLength(1);
  });

  it('whose token our storage did not take are right all the same, and not sent again', async () => {
    const { id } = await challenge();
    const code = demo.totp(userid);
    storageFailsOnce();
    expect((await failureOf(answer({ id }, code))).kind).toBe('storage-failed');
    expect((await answer({ id }, code)).kind).toBe('logged-in');
    expect(portal().slice(2)).toEqual(['vpn POST login_token', 'vpn GET conf']);
  });

  it('of another student open nothing', async () => {
    const { id } = await challenge();
    expect(await challengeOf(answer({ id }, demo.totp('2023000002')))).toMatchObject({ last: 'wrong' });
    const foreign = `${id.slice(0, -1)}${id.endsWith('A') ? 'B' : 'A'}`;
    expect((await failureOf(answer({ id: foreign }, demo.totp(userid)))).kind).toBe('challenge-unknown');
  });

  it('whose answer is lost are settled by one look at the session, and sent once', async () => {
    const { id } = await challenge();
    demo.fault({ system: 'vpn', path: '/por/login_token.csp', times: 1, fault: { kind: 'reset-after' } });
    expect((await answer({ id }, demo.totp(userid))).kind).toBe('logged-in');
    expect(portal().slice(2)).toEqual(['vpn POST login_token', 'vpn GET conf']);
  });

  it('that the portal leaves hanging are given up in time, looked at, and count', async () => {
    const { id } = await challenge();
    demo.fault({ system: 'vpn', path: '/por/login_token.csp', fault: { kind: 'hang' } });
    const hanging = challengeOf(answer({ id }, demo.totp(userid)));
    await vi.waitFor(() => expect(portal()).toContain('vpn POST login_token'));
    clock.advance(12 * SECOND);
    expect(await hanging).toMatchObject({ last: 'wrong', answersLeft: 2 });
    expect(portal().slice(2)).toEqual(['vpn POST login_token', 'vpn GET conf']);
  });

  it('that nobody can settle end the challenge', async () => {
    const { id } = await challenge();
    demo.fault({ system: 'vpn', path: '/por/login_token.csp', fault: { kind: 'reset' } });
    demo.fault({ system: 'vpn', path: '/por/conf.csp', fault: { kind: 'html' } });
    expect((await failureOf(answer({ id }, demo.totp(userid)))).kind).toBe('sign-in-unavailable');
    expect((await failureOf(answer({ id }, demo.totp(userid)))).kind).toBe('challenge-unknown');
  });

  it('a step that is taken while the unified login is down counts when that works again', async () => {
    const { id } = await challenge();
    const fault = demo.fault({ system: 'cas', fault: { kind: 'status', status: 503 } });
    expect((await failureOf(answer({ id }, demo.totp(userid)))).kind).toBe('sign-in-unavailable');
    fault.remove();
    demo.resetRequests();
    expect((await answer({ id }, '000000')).kind).toBe('logged-in');
    expect(portal()).toEqual(['vpn GET conf']);
  });

  it('by a process that died: the next one looks at the session, once', async () => {
    const { id } = await challenge();
    await diesAnswering();
    expect(await desk().look({ id }, context())).toMatchObject({ last: 'wrong', answersLeft: 2 });
    expect(portal()).toEqual(['vpn GET conf']);
    expect((await answer({ id }, demo.totp(userid))).kind).toBe('logged-in');
  });

  it('by a process that died: no code is asked for, and no image shown, before the session has told of them', async () => {
    const { id } = await challenge('sms');
    await diesAnswering();
    expect(await desk().send({ id }, undefined, context())).toMatchObject({ sent: 'perhaps', answersLeft: 2 });
    expect(portal()).toEqual(['vpn GET conf', 'vpn POST login_sms']);
    await desk().end({ id });
    begin('none');
    demo.switches.captcha = 'always';
    const { id: image } = await challengeOf(login());
    await diesAnswering();
    expect(await desk().look({ id: image }, context())).toMatchObject({
      kind: 'captcha',
      answersLeft: 2,
      sendsLeft: 1,
    });
    expect(portal()).toEqual(['vpn GET conf', 'vpn GET login_auth', 'vpn GET rand_code']);
    demo.switches.captchaImage = 'html';
    await diesAnswering();
    expect((await failureOf(desk().look({ id: image }, context()))).kind).toBe('sign-in-unavailable');
    expect((await failureOf(desk().look({ id: image }, context()))).kind).toBe('challenge-unknown');
  });

  it('a misread image is replaced, with all that belongs to it; the third ends it', async () => {
    begin('none');
    demo.switches.captcha = 'always';
    const { id } = await challengeOf(login());
    for (let at = 0; at < 2; at += 1) {
      expect(await challengeOf(answer({ id }, 'zzzz'))).toMatchObject({ kind: 'captcha', last: 'wrong' });
    }
    expect((await failureOf(answer({ id }, 'zzzz'))).kind).toBe('challenge-unknown');
    // None is fetched that nobody can answer.
    for (const path of ['login_psw', 'rand_code', 'login_auth']) {
      expect(portal().filter((line) => line.includes(path))).toHaveLength(3);
    }
    // Nothing of it was a sign of alarm: nobody waits.
    expect((await challengeOf(login())).kind).toBe('captcha');
  });

  it.each(['html', 'huge'] as const)('an image that is none (%s) ends in 502', async (captchaImage) => {
    begin('none');
    Object.assign(demo.switches, { captcha: 'always', captchaImage });
    expect((await failureOf(login())).kind).toBe('sign-in-unavailable');
  });

  it('another image that is none ends it: there is nothing left to answer', async () => {
    begin('none');
    demo.switches.captcha = 'always';
    const { id } = await challengeOf(login());
    demo.switches.captchaImage = 'html';
    expect((await failureOf(desk().send({ id }, undefined, context()))).kind).toBe('sign-in-unavailable');
    expect((await failureOf(desk().look({ id }, context()))).kind).toBe('challenge-unknown');
  });

  it('an image of four minutes ago is not answered with: a new one is shown', async () => {
    begin('none');
    demo.switches.captcha = 'always';
    const { id } = await challengeOf(login());
    const old = lastImage();
    clock.advance(4 * MINUTE);
    demo.resetRequests();
    expect(await challengeOf(answer({ id }, old))).toMatchObject({ answersLeft: 3 });
    expect(portal()).toEqual(['vpn GET login_auth', 'vpn GET rand_code']);
    expect((await answer({ id }, lastImage())).kind).toBe('logged-in');
  });
});

describe('sending', () => {
  it('waits for the time that the portal names, and ends after two', async () => {
    demo.switches.smsCooldownSeconds = 40;
    begin('sms');
    const { id } = await challengeOf(login());
    const shown = await desk().send({ id }, undefined, context());
    const early = await failureOf(desk().send({ id }, undefined, context()));
    expect([early.kind, early.retryAfterSeconds]).toEqual(['rate-limited', shown.resendAfter]);
    clock.advance(shown.resendAfter * SECOND);
    expect(await desk().send({ id }, undefined, context())).toMatchObject({ sent: 'yes', sendsLeft: 0 });
    clock.advance(2 * MINUTE);
    expect((await failureOf(desk().send({ id }, undefined, context()))).kind).toBe('rate-limited');
    expect(demo.messages()).toHaveLength(2);
  });

  it('a lost answer is "perhaps", and nothing is sent again before its time', async () => {
    begin('sms');
    const { id } = await challengeOf(login());
    demo.fault({ system: 'vpn', path: '/por/login_sms.csp', times: 1, fault: { kind: 'reset-after' } });
    expect(await desk().send({ id }, undefined, context())).toMatchObject({ sent: 'perhaps', resendAfter: 60 });
    expect((await answer({ id }, lastCode())).kind).toBe('logged-in');
  });
});

describe('what our own full line keeps back', () => {
  const full = () => vi.spyOn(SignInLines.prototype, 'run').mockRejectedValueOnce(new LineFull());
  const kept = async (call: Promise<unknown>) => expect((await failureOf(call)).reason).toBe('line-full');

  it('is no code that was sent, neither of the challenge nor of the day, and can be asked for at once', async () => {
    begin('sms');
    const { id } = await challengeOf(login());
    const shown = await desk().send({ id }, undefined, context());
    clock.advance(shown.resendAfter * SECOND);
    const before = await desk().look({ id }, context());
    const guards = () => gateway.services.storage.guards.read({ userid, code: null });
    const booked = async () => (await guards()).student.challenges.map(({ sends }) => sends);
    full();
    await kept(desk().send({ id }, undefined, context()));
    expect(await desk().look({ id }, context())).toEqual(before);
    expect(await booked()).toEqual([1]);
    expect(await desk().send({ id }, undefined, context())).toMatchObject({ sent: 'yes', sendsLeft: 0 });
    expect(await booked()).toEqual([2]);
  });

  it('is no image that was shown: the one before can still be answered', async () => {
    begin('none');
    demo.switches.captcha = 'always';
    const { id, sendsLeft } = await challengeOf(login());
    full();
    await kept(desk().send({ id }, undefined, context()));
    expect(await desk().look({ id }, context())).toMatchObject({ sendsLeft });
    expect((await answer({ id }, lastImage())).kind).toBe('logged-in');
  });

  it('is no answer that was given; but the look for one that got lost gives none back', async () => {
    begin('totp');
    const { id } = await challengeOf(login());
    full();
    await kept(answer({ id }, demo.totp(userid)));
    expect(await desk().look({ id }, context())).toMatchObject({ answersLeft: 3, last: 'none' });
    await diesAnswering();
    full();
    await kept(desk().look({ id }, context()));
    expect(await desk().look({ id }, context())).toMatchObject({ answersLeft: 2, last: 'wrong' });
    expect(portal()).toEqual(['vpn GET conf']);
  });
});

describe('one open challenge per student', () => {
  it('a newer one of the same token or network takes its place, others wait for its end', async () => {
    begin('totp');
    const { id } = await challengeOf(login());
    const other = await failureOf(login(context('203.0.113.9')));
    expect([other.kind, (other.retryAfterSeconds ?? 0) <= 300]).toEqual(['challenge-busy', true]);
    const { id: newer } = await challengeOf(login(context('203.0.113.9', token)));
    expect((await failureOf(desk().look({ id }, context()))).kind).toBe('challenge-unknown');
    await desk().end({ id: newer });
    expect((await failureOf(desk().end({ id: newer }))).kind).toBe('challenge-unknown');
    expect((await challengeOf(login(context('203.0.113.9')))).kind).toBe('totp');
    clock.advance(5 * MINUTE);
    expect((await challengeOf(login())).kind).toBe('totp');
  });
});

describe('a renewal', () => {
  const me = async () => gateway.services.accounts.authenticate(token, HOME);

  it('opens the session again, and reads send no password; one unclear answer does not end it', async () => {
    expect((await failureOf(desk().begin(await me(), context()))).kind).toBe('challenge-needless');
    begin('totp');
    const opened = await desk().begin(await me(), context());
    expect(opened).toMatchObject({ purpose: 'renewal', kind: 'totp', asker: { client: 'CampusApp', isHere: true } });
    expect(await answer({ id: opened?.id ?? '' }, demo.totp(userid))).toEqual({ kind: 'renewed' });
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

  it('under way is named to data calls of its own token, on both surfaces, without image and begun by none of them', async () => {
    const { token: other } = await login();
    begin('none');
    demo.switches.captcha = 'always';
    const opened = await desk().begin(await me(), context());
    expect(opened).toMatchObject({ kind: 'captcha', image: { type: 'image/png' } });
    demo.resetRequests();
    const headers = { 'cache-control': 'no-cache' };
    const data = async (of: string) => (await gateway.b('GET', READ, { token: of, headers })).body;
    const own = await data(token);
    expect([own.error.code, own.message]).toEqual(['PERSON_NEEDED', expect.stringContaining('应用中完成')]);
    expect(own.data.challenge).toMatchObject({
      id: opened?.id,
      kind: 'captcha',
      answers_left: 3,
      image_png_base64: null,
    });
    expect((await data(other)).data.challenge).toMatchObject({ id: null, answers_left: 0 });
    const v1 = (of: string) => gateway.a('/jwc/fetch_academic_info', { token: of });
    const [named, unnamed] = [await v1(token), await v1(other)];
    expect([named.body, named.headers.get('x-challenge')]).toEqual([
      { code: 400, message: own.message, data: null },
      opened?.id,
    ]);
    expect([unnamed.body.code, unnamed.headers.get('x-challenge')]).toEqual([400, null]);
    expect(portal().filter((line) => line !== 'vpn GET login_auth')).toEqual([]);
    expect(await answer({ id: own.data.challenge.id }, lastImage())).toEqual({ kind: 'renewed' });
    expect((await v1(token)).headers.get('x-challenge')).toBeNull();
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

it('where the campus asks only now and then, a passed step lets data calls sign in for a while, until one meets a step', async () => {
  const DAY = 24 * 60 * MINUTE;
  const others = [2, 3].map((at) => ({
    userid: `202300000${at}`,
    pair: { password: `demo-password-${at}`, vpnPassword: `demo-vpn-${at}` },
  }));
  const all = [{ userid, pair }, ...others];
  const { accounts } = gateway.services;
  for (const entry of others) {
    const { inviteToken } = await accounts.verifyInviteCode('DEMO-2026', context());
    await accounts.register({ ...entry, inviteToken }, context());
  }
  const wants = (kind: DemoSecondFactor): void => {
    for (const { userid: id } of all) {
      demo.student(id).setSecondFactor(kind);
      demo.student(id).expirePortal();
      demo.student(id).expireUnifiedLogin();
      demo.student(id).expireService('jwc');
    }
  };
  const tokens: string[] = [];
  const pass = async (): Promise<void> => {
    wants('totp');
    tokens.length = 0;
    for (const entry of all) {
      const { id } = await challengeOf(accounts.login(entry, context()));
      const done = await answer({ id }, demo.totp(entry.userid));
      if (done.kind === 'logged-in') tokens.push(done.token);
    }
  };
  clock.advance(5 * MINUTE);
  await pass();
  clock.advance(3 * DAY);
  wants('none');
  for (const entry of all) await accounts.login(entry, context());
  clock.advance(2 * DAY);
  await pass();
  clock.advance(2 * DAY);
  wants('none');
  demo.resetRequests();
  expect(await Promise.all(tokens.map(async (of) => (await read(of)).status))).toEqual([200, 200, 200]);
  expect(portal().filter((line) => line.includes('login_psw'))).toHaveLength(3);
  wants('totp');
  clock.advance(11 * 60 * MINUTE);
  demo.resetRequests();
  const asks = (of = '') => gateway.b('GET', READ, { token: of, headers: { 'cache-control': 'no-cache' } });
  for (const of of tokens) expect((await asks(of)).body.error.code).toBe('PERSON_NEEDED');
  // The first of them showed it, for all.
  expect(portal().filter((line) => line.includes('login_psw'))).toHaveLength(1);
});

describe('on the page', () => {
  it('a passed step frees the next login with the same passwords, once, from where the answer came', async () => {
    begin('totp');
    const away = '203.0.113.9';
    const { pageCode, id } = await challengeOf(login(context(away)));
    expect(readPageCode(` ${pageCode.toLowerCase().slice(0, 4)}-${pageCode.slice(4)}`)).toBe(pageCode);
    const here = context('192.0.2.1');
    expect(await desk().look({ pageCode }, here)).toMatchObject({ id: '', asker: { isHere: false } });
    expect(await answer({ pageCode }, demo.totp(userid), here)).toEqual({ kind: 'freed' });
    expect(await desk().look({ id }, here)).toBe('passed');
    demo.resetRequests();
    expect((await login(here)).token).toHaveLength(43);
    expect(gateway.wire()).toEqual([]);
    expect(await gateway.services.storage.challenges.passed(userid, clock.now())).toEqual([]);
  });

  it('a step that a stranger made somebody take is of no use to him, and he cannot take it from the student', async () => {
    begin('totp');
    const [thief, victim] = [context('198.18.0.1'), context('192.0.2.1')];
    const { pageCode, id } = await challengeOf(login(thief));
    expect(await answer({ pageCode }, demo.totp(userid), victim)).toEqual({ kind: 'freed' });
    expect((await failureOf(answer({ id }, '000000', thief))).kind).toBe('challenge-unknown');
    expect((await failureOf(desk().end({ id }))).kind).toBe('challenge-unknown');
    // The passwords are as unproven to him as before; the student at home is kept from nothing.
    expect((await challengeOf(login(thief))).kind).toBe('totp');
    demo.resetRequests();
    expect((await login(victim)).token).toHaveLength(43);
    expect(gateway.wire()).toEqual([]);
  });

  it('a step taken elsewhere keeps nobody from beginning a login at home', async () => {
    begin('totp');
    const { pageCode } = await challengeOf(login(context('198.18.0.1')));
    await answer({ pageCode }, demo.totp(userid), context('192.0.2.1'));
    expect((await challengeOf(login())).kind).toBe('totp');
  });

  it('is not lost where the login that takes it comes to nothing here', async () => {
    begin('totp');
    const { pageCode } = await challengeOf(login());
    await answer({ pageCode }, demo.totp(userid));
    demo.resetRequests();
    storageFailsOnce();
    expect((await failureOf(login())).kind).toBe('storage-failed');
    expect((await login()).token).toHaveLength(43);
    expect(gateway.wire()).toEqual([]);
  });

  it('from the network that asked and answered, the login goes through and asks the campus nothing', async () => {
    begin('totp');
    const { pageCode } = await challengeOf(login());
    expect(await answer({ pageCode }, demo.totp(userid))).toEqual({ kind: 'freed' });
    demo.resetRequests();
    expect((await failureOf(login(context(HOME), { ...pair, vpnPassword: 'other' }))).kind).toBe('credentials-refused');
    demo.resetRequests();
    expect((await login()).token).toHaveLength(43);
    expect(gateway.wire()).toEqual([]);
    expect((await read()).status).toBe(200);
  });
});

describe('between any two steps', () => {
  const databaseUrl = (): string => {
    const { storage } = gateway.config;
    return storage.kind === 'sqlite' ? `sqlite:${storage.path}` : storage.url;
  };
  const replica = (secrets = [Buffer.alloc(32, 9)]): Promise<Gateway> =>
    startGateway({
      clock,
      demo,
      env: {
        DATABASE_URL: databaseUrl(),
        SECRET_KEY: secrets.map((key) => key.toString('base64')).join(','),
      },
    });

  it('another replica goes on, and one with a new key after a rotation', async () => {
    begin('sms');
    const { id } = await challengeOf(login());
    const second = await replica();
    await second.services.challenges.send({ id }, undefined, context());
    const rotated = await replica([Buffer.alloc(32, 10), Buffer.alloc(32, 9)]);
    expect((await rotated.services.storage.rotate()).resealed).toBeGreaterThan(0);
    const passed = await rotated.services.challenges.answer({ id }, lastCode(), context());
    expect(passed.kind).toBe('logged-in');
    await second.close();
    await rotated.close();
  });

  it('the account may be deleted: the challenge goes with it', async () => {
    begin('totp');
    const { id } = await challengeOf(login());
    await gateway.services.storage.accounts.deleteUser(userid);
    expect((await failureOf(answer({ id }, demo.totp(userid)))).kind).toBe('challenge-unknown');
  });
});

describe('nobody there', () => {
  it('five hundred calls of a marked student: one password, no code', async () => {
    demo.switches.smsSender = 'login_sms';
    begin('sms');
    const me = await gateway.services.accounts.authenticate(token, HOME);
    const kinds = new Set<string>();
    for (let at = 0; at < 500; at += 1) {
      kinds.add((await failureOf(gateway.services.academics.summary(me, context()))).kind);
    }
    expect([...kinds]).toEqual(['person-needed']);
    expect(portal()).toEqual(['vpn GET login_auth', 'vpn POST login_psw']);
    expect(demo.messages()).toEqual([]);
  });

  it('an announced image: no password and no image, and one look in five minutes', async () => {
    begin('none');
    demo.switches.captcha = 'always';
    const me = await gateway.services.accounts.authenticate(token, HOME);
    const ask = async () => (await failureOf(gateway.services.academics.summary(me, context()))).wanted;
    for (let at = 0; at < 50; at += 1) expect(await ask()).toBe('captcha');
    expect(portal()).toEqual(['vpn GET login_auth']);
    clock.advance(5 * MINUTE);
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

  it('an evaluation waits for its student, says why, and goes on', async () => {
    student().setEvaluation(1);
    await gateway.b('POST', '/jwc/evaluation/initialize', { token });
    begin('totp');
    await gateway.b('POST', '/jwc/evaluation/start', { token });
    const status = () => gateway.b('GET', '/jwc/evaluation/status', { token });
    await vi.waitFor(async () => expect((await status()).text).toContain('本人验证'));
    expect(gateway.services.evaluation.running).toBe(0);
    const { id } = await challengeOf(login());
    await answer({ id }, demo.totp(userid));
    await vi.waitFor(
      async () => {
        clock.advance(5 * SECOND);
        expect((await status()).body.data.status).toBe('completed');
      },
      { timeout: 20_000 },
    );
    expect(
      student()
        .evaluations()
        .filter(({ done }) => done),
    ).toHaveLength(1);
  }, 30_000);

  it('and fails with words after half an hour', async () => {
    student().setEvaluation(1);
    await gateway.b('POST', '/jwc/evaluation/initialize', { token });
    begin('totp');
    await gateway.b('POST', '/jwc/evaluation/start', { token });
    const status = () => gateway.b('GET', '/jwc/evaluation/status', { token });
    await vi.waitFor(async () => expect((await status()).text).toContain('本人验证'));
    clock.advance(30 * MINUTE);
    await vi.waitFor(async () => expect((await status()).body.data.status).toBe('failed'));
    expect(portal().filter((line) => line.includes('POST'))).toHaveLength(1);
  });
});

it('nothing of a challenge is written down in clear: code, passwords, phone, page code, id', async () => {
  begin('sms-two-phones');
  const { id, pageCode } = await challengeOf(login());
  await desk().send({ id }, undefined, context());
  await desk().send({ id }, 0, context());
  const code = lastCode();
  await challengeOf(answer({ id }, code === '000000' ? '111111' : '000000'));
  const bytes = gateway.databaseBytes().toString('latin1');
  for (const secret of [id, pageCode, password, vpnPassword, '0000;159', '138****0000', code]) {
    expect(bytes.includes(secret), secret).toBe(false);
    expect(gateway.log().includes(secret), secret).toBe(false);
  }
});

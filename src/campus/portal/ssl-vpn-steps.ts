import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { Failure, type PersonalStep } from '../../domain/errors.ts';
import type { RecordOf } from '../../domain/record.ts';
import type { HttpAnswer } from '../http.ts';
import { type Failed, failed, type Unanswered } from '../session/verdict.ts';
import {
  beforeCredentials,
  mayHaveArrived,
  signInFailed,
  signInUnanswered,
  signInUnread,
  withPasswords,
} from '../sign-in-failures.ts';
import { encryptForPortal } from './password-cipher.ts';
import type { AskPortal, NeedsPerson, PortalAnswered, PortalLogin, PortalSent, PortalSteps } from './portal.ts';
import { imageOf, parseSent, parseSmsChecked, parseTokenChecked } from './second-step-pages.ts';
import { isWholeSession, type PortalChallenge, parseChallenge, parsePortalAnswer } from './ssl-vpn-pages.ts';

const STEP = 'portal' as const;

/** What any process can continue with. */
const Half = Type.Union([
  Type.Object({
    kind: Type.Literal('captcha'),
    challenge: Type.Object({
      kind: Type.Literal('challenge'),
      session: Type.String(),
      modulusHex: Type.String(),
      exponent: Type.String(),
      code: Type.String(),
      captcha: Type.Boolean(),
    }),
  }),
  Type.Object({ kind: Type.Literal('totp'), session: Type.String(), taken: Type.Number() }),
  Type.Object({
    kind: Type.Literal('sms'),
    session: Type.String(),
    /** Steps that were taken before this one. */
    taken: Type.Number(),
    /** What was sent so far; `chosen`: to one of several phones. */
    sent: Type.Union([Type.Literal('nothing'), Type.Literal('page'), Type.Literal('chosen')]),
    phones: Type.Array(Type.String()),
  }),
]);
type Half = RecordOf<typeof Half>;

/** A portal that goes on asking is not supported here. */
const MOST_STEPS = 4;

/** Null: written by another version, or for another portal. */
const halfIn = (resume: string): Half | null => {
  try {
    const value: unknown = JSON.parse(resume);
    return Value.Check(Half, value) ? value : null;
  } catch {
    return null;
  }
};

const resumed = (half: Half): string => JSON.stringify(half);

/** The portal has accepted the password, and wants this. */
export const stepNeeded = (wanted: PersonalStep, session: string, taken = 0): NeedsPerson => {
  const half: Half | null =
    taken >= MOST_STEPS
      ? null
      : wanted === 'sms'
        ? { kind: 'sms', session, taken, sent: 'nothing', phones: [] }
        : wanted === 'totp'
          ? { kind: 'totp', session, taken }
          : null;
  const told = taken >= MOST_STEPS ? 'unknown' : wanted;
  return { kind: 'needs-person', wanted: told, image: null, resume: half && resumed(half), password: 'accepted' };
};

/**
 * No one is there to read the image, so none is fetched. A password sent all the same meets the
 * guard, and makes it block our address for longer.
 */
export const captchaNeeded: NeedsPerson = {
  kind: 'needs-person',
  wanted: 'captcha',
  image: null,
  resume: null,
  password: 'unsent',
};

export const newChallenge = (ask: AskPortal): Promise<PortalChallenge | Failed> =>
  beforeCredentials(
    STEP,
    () => ask({ method: 'GET', path: '/por/login_auth.csp?apiversion=1', session: null }),
    ({ status, text }) => (status === 200 ? parseChallenge(text) : null),
  );

/** The image of this challenge; asking again retires the one before. */
export const imageNeeded = async (
  ask: AskPortal,
  challenge: PortalChallenge,
  password: NeedsPerson['password'],
): Promise<NeedsPerson | Failed> => {
  const path = '/por/rand_code.csp?apiversion=1';
  const answer = await ask({ method: 'GET', path, session: challenge.session, image: true });
  if (answer.kind === 'no-answer') return signInUnanswered(STEP, answer);
  const image = answer.status === 200 ? imageOf(answer.bytes ?? new Uint8Array()) : null;
  if (image === null) return signInFailed(STEP, 'no image');
  return { kind: 'needs-person', wanted: 'captcha', image, resume: resumed({ kind: 'captcha', challenge }), password };
};

/** A new challenge with its image, instead of one that is spent. */
export const anotherImage = async (
  ask: AskPortal,
  password: NeedsPerson['password'],
): Promise<NeedsPerson | Failed> => {
  const challenge = await newChallenge(ask);
  return challenge.kind === 'failed' ? challenge : imageNeeded(ask, challenge, password);
};

/** The credentials of one challenge, with the text of its image where it has one. */
export const postCredentials = async (
  ask: AskPortal,
  challenge: PortalChallenge,
  { userid, password, image }: { readonly userid: string; readonly password: string; readonly image: string },
): Promise<HttpAnswer | Unanswered | Failed> => {
  const encrypted = encryptForPortal(password, challenge.code, challenge);
  if (encrypted.kind === 'unusable-key') return signInFailed(STEP, encrypted.reason);
  const form = [
    ['svpn_rand_code', image],
    ['mitm', ''],
    ['svpn_req_randcode', challenge.code],
    ['svpn_name', userid],
    ['svpn_password', encrypted.hex],
  ] as const;
  const path = '/por/login_psw.csp?anti_replay=1&encrypt=1&type=cs';
  return ask({ method: 'POST', path, form, session: challenge.session });
};

/** Whether the session is complete; null: unknown. */
export const lookAt = async (ask: AskPortal, session: string): Promise<boolean | null> => {
  const look = await ask({ method: 'GET', path: '/por/conf.csp?apiversion=1', session });
  return look.kind === 'answer' && look.status === 200 ? isWholeSession(look.text) : null;
};

const post = (ask: AskPortal, session: string, path: string, form: ReadonlyArray<readonly [string, string]> = []) =>
  ask({ method: 'POST', path, form, session });

/** No answer to a request that may have sent a code. */
const perhaps = (half: Half): PortalSent => ({
  kind: 'sent',
  resume: resumed(half),
  sent: 'perhaps',
  targets: [],
  stillValid: false,
  resendAfter: 60,
});

const sendCode = async (
  ask: AskPortal,
  half: Extract<Half, { kind: 'sms' }>,
  target: number | null,
): Promise<PortalSent> => {
  const { session, phones } = half;
  const phone = target === null ? undefined : phones[target];
  const chosen = phones.length > 1 && phone !== undefined;
  const isFirst = half.sent === 'nothing';
  const answer = chosen
    ? await post(ask, session, '/por/get_sms.csp?apiversion=1', [
        ['phone_number', phone],
        ['phone_index', String(target)],
      ])
    : isFirst
      ? await post(ask, session, '/por/login_sms.csp?apiversion=1')
      : await post(ask, session, '/por/post_sms.csp?apiversion=1', [
          ['phone_number', ''],
          ['phone_index', '0'],
        ]);
  const next: Half = { ...half, sent: chosen ? 'chosen' : half.sent === 'nothing' ? 'page' : half.sent };
  if (answer.kind === 'no-answer') {
    return mayHaveArrived(answer) ? perhaps(next) : signInUnanswered(STEP, answer);
  }
  if (answer.status !== 200)
    return answer.status >= 500 ? signInFailed(STEP, `status ${answer.status}`) : perhaps(next);
  const sent = parseSent(answer.text);
  if (sent.kind === 'gone') return sent;
  if (sent.kind === 'refused') return { kind: 'refused', resendAfter: sent.resendAfter };
  const { stillValid, resendAfter, labels } = sent;
  const askedPhones = isFirst && !chosen ? sent.phones : phones;
  const targets = isFirst && !chosen && labels.length > 1 ? labels : [];
  const said = sent.done && !isFirst ? 'yes' : 'perhaps';
  return {
    kind: 'sent',
    resume: resumed({ ...next, phones: askedPhones }),
    sent: said,
    targets,
    stillValid,
    // Nothing has been sent where the person has to choose first.
    resendAfter: targets.length > 1 ? 0 : resendAfter,
  };
};

const settled = async (ask: AskPortal, session: string): Promise<PortalAnswered> => {
  const whole = await lookAt(ask, session);
  if (whole === null) return signInUnread(STEP);
  return whole ? { kind: 'logged-in', session } : { kind: 'wrong-code' };
};

const checkCode = async (ask: AskPortal, half: Exclude<Half, { kind: 'captcha' }>, code: string) => {
  const { session, taken } = half;
  const answer =
    half.kind === 'totp'
      ? await post(ask, session, '/por/login_token.csp', [['svpn_inputtoken', code]])
      : await post(ask, session, `/por/login_sms${half.sent === 'chosen' ? 2 : 1}.csp?apiversion=1`, [
          ['svpn_inputsms', code],
        ]);
  if (answer.kind === 'no-answer' && !mayHaveArrived(answer)) {
    return withPasswords(signInUnanswered(STEP, answer), 'unsent');
  }
  if (answer.kind === 'no-answer' || answer.status !== 200) return settled(ask, session);
  const checked = half.kind === 'totp' ? parseTokenChecked(answer.text) : parseSmsChecked(answer.text);
  switch (checked.kind) {
    case 'passed':
      return { kind: 'logged-in', session: checked.session ?? session } as const;
    case 'next':
      return {
        kind: 'next',
        needs: stepNeeded(checked.answer.wanted, checked.answer.session ?? session, taken + 1),
      } as const;
    case 'unknown':
      return settled(ask, checked.session ?? session);
    case 'wrong':
      return { kind: 'wrong-code' } as const;
    default:
      return { kind: checked.kind } as const;
  }
};

/** How the portal's own page about credentials is read; `sighted` hears of numbers that no plain success has. */
export type ReadLogin = (ask: AskPortal, answer: HttpAnswer, challenge: PortalChallenge) => Promise<PortalLogin>;

const checkImage = async (
  ask: AskPortal,
  challenge: PortalChallenge,
  image: string,
  who: { readonly userid: string; readonly password: string; readonly isLast: boolean },
  readLogin: ReadLogin,
): Promise<PortalAnswered> => {
  const answer = await postCredentials(ask, challenge, { ...who, image });
  if (answer.kind === 'failed') return answer;
  if (answer.kind === 'no-answer') {
    if (!mayHaveArrived(answer)) return withPasswords(signInUnanswered(STEP, answer), 'unsent');
    const whole = await lookAt(ask, challenge.session);
    return whole ? { kind: 'logged-in', session: challenge.session } : signInUnanswered(STEP, answer);
  }
  const parsed = answer.status === 200 ? parsePortalAnswer(answer.text) : null;
  const misread = answer.text.includes('校验码错误') || (parsed?.kind === 'guarded' && parsed.captcha);
  if (misread && who.isLast) return { kind: 'wrong-code' };
  if (misread) {
    const needs = await anotherImage(ask, 'unsent');
    return needs.kind === 'failed' ? needs : { kind: 'wrong', needs };
  }
  const login = await readLogin(ask, answer, challenge);
  return login.kind === 'needs-person' ? { kind: 'next', needs: login } : login;
};

const lost = (): Failed => failed(new Failure('sign-in-unavailable', { step: STEP, reason: 'resume of another kind' }));

/** The steps that a person takes at this portal: an image to read, a code by SMS, a one-time password. */
export const createSteps = (readLogin: ReadLogin): PortalSteps => ({
  async send(ask, resume, { target, renew }) {
    const half = halfIn(resume);
    if (half === null || half.kind === 'totp') return lost();
    if (half.kind === 'sms') return sendCode(ask, half, target);
    return renew ? anotherImage(ask, 'unsent') : imageNeeded(ask, half.challenge, 'unsent');
  },
  async answer(ask, resume, answer, who) {
    const half = halfIn(resume);
    if (half === null) return lost();
    return half.kind === 'captcha'
      ? checkImage(ask, half.challenge, answer, who, readLogin)
      : checkCode(ask, half, answer);
  },
  async look(ask, resume) {
    const half = halfIn(resume);
    if (half === null) return null;
    const session = half.kind === 'captcha' ? half.challenge.session : half.session;
    const whole = await lookAt(ask, session);
    if (whole === null) return null;
    return whole ? { kind: 'logged-in', session } : 'half';
  },
});

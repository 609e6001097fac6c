import { Type } from '@sinclair/typebox';
import { failures, type PersonalStep } from '../../../domain/errors.ts';
import { literals, nullable, type RecordOf } from '../../../domain/record.ts';
import {
  type Fields,
  type NeedsPerson,
  needsPerson,
  type SignInAnswer,
  type SignInCall,
  type SignInRequest,
} from '../../contract/sign-in.ts';
import {
  type Failed,
  fail,
  mayHaveArrived,
  signInFailed,
  signInUnanswered,
  signInUnread,
  withPasswords,
} from '../../contract/sign-in-failures.ts';
import { signInOutcomeOf } from '../../contract/told.ts';
import { isWholeSession, PortalChallenge } from './pages.ts';
import { maskPhone, parseCodeChecked, parseSent } from './second-step-pages.ts';

const STEP = 'portal' as const;
const MOST_STEPS = 4;

/** The half of a login that waits for a person. `taken`: how many steps came before. */
export const SslVpnHalf = Type.Union([
  Type.Object({
    kind: Type.Literal('captcha'),
    at: Type.Number(),
    /** Null: it is spent. */
    challenge: nullable(PortalChallenge),
  }),
  Type.Object({ kind: Type.Literal('totp'), session: Type.String(), taken: Type.Number() }),
  Type.Object({
    kind: Type.Literal('sms'),
    session: Type.String(),
    taken: Type.Number(),
    /** `page`: we asked for the phones; `chosen`: for a code to one of several. */
    sent: literals(['nothing', 'page', 'chosen']),
    phones: Type.Array(Type.String()),
  }),
]);
export type SslVpnHalf = RecordOf<typeof SslVpnHalf>;
type Code = Exclude<SslVpnHalf, { kind: 'captcha' }>;
type Sms = Extract<SslVpnHalf, { kind: 'sms' }>;

/** The portal has forgotten the half session, whose password it had accepted. */
const failGone = (): Failed =>
  fail(failures.challengeUnknown('half session gone', { step: STEP, passwords: 'accepted' }));

const asked = {
  totp: { kind: 'totp' },
  sms: { kind: 'sms', targets: [], sent: 'unknown', stillValid: false, resendAfter: 0 },
} as const;

/** The portal has accepted the password, and wants this step. */
export const codeNeeded = (wanted: PersonalStep, session: string, taken = 0): NeedsPerson => {
  const asks = (question: NeedsPerson['asked'], half: Code | null): NeedsPerson =>
    needsPerson(question, half, 'accepted', taken > 0 ? 'passed-step' : 'none');
  if (taken >= MOST_STEPS) return asks({ kind: 'elsewhere', hint: 'unknown' }, null);
  if (wanted === 'totp') return asks(asked.totp, { kind: 'totp', session, taken });
  if (wanted === 'sms') return asks(asked.sms, { kind: 'sms', session, taken, sent: 'nothing', phones: [] });
  return asks({ kind: 'elsewhere', hint: wanted }, null);
};

/** Asks for a code again, with the same half session. */
const codeAgain = (half: Code, last: NeedsPerson['last']): NeedsPerson =>
  needsPerson(asked[half.kind], half, 'accepted', last);

/** Looks whether the session is complete; null: unknown. */
export const lookAt = async (call: SignInCall, session: string): Promise<boolean | null | Failed> => {
  const look = await call.ask({ method: 'GET', path: '/por/conf.csp?apiversion=1', session });
  // A server that is away is no answer that cannot be read.
  if (look.kind === 'no-answer') return signInUnanswered(STEP, look);
  if (look.status >= 500) return signInFailed(STEP, `status ${look.status}`);
  const isWhole = look.status === 200 ? isWholeSession(look.text) : null;
  call.saw('session', isWhole !== null);
  return isWhole;
};

/** Asks for the phones first, then for a code to one of several, or to the only one again. */
const sendRequest = ({ session, phones, sent }: Sms, target: number | null): SignInRequest => {
  const phone = target === null ? undefined : phones[target];
  const post = (path: string, form: Fields): SignInRequest => ({
    method: 'POST',
    path: `/por/${path}.csp?apiversion=1`,
    form,
    session,
  });
  if (phones.length > 1 && phone !== undefined) {
    return post('get_sms', [
      ['phone_number', phone],
      ['phone_index', String(target)],
    ]);
  }
  if (sent === 'nothing') return post('login_sms', []);
  return post('post_sms', [
    ['phone_number', ''],
    ['phone_index', '0'],
  ]);
};

export const sendCode = async (call: SignInCall, half: Sms, target: number | null): Promise<NeedsPerson | Failed> => {
  const isFirst = half.sent === 'nothing';
  const chooses = target !== null && half.phones.length > 1;
  const answer = await call.ask(sendRequest(half, target));
  const next: Sms = { ...half, sent: chooses ? 'chosen' : isFirst ? 'page' : half.sent };
  const asks = (more: Partial<Extract<NeedsPerson['asked'], { kind: 'sms' }>>, of = next): NeedsPerson => {
    const targets = of.phones.length > 1 ? of.phones.map(maskPhone) : [];
    const question = { ...asked.sms, targets, sent: 'perhaps', resendAfter: 60, ...more } as const;
    return needsPerson(question, of, 'accepted');
  };
  // An answer that is lost or unreadable may have sent a code.
  if (answer.kind === 'no-answer') return mayHaveArrived(answer) ? asks({}) : signInUnanswered(STEP, answer);
  if (answer.status >= 500) return signInFailed(STEP, `status ${answer.status}`);
  if (answer.status !== 200) return asks({});
  const sent = parseSent(answer.text);
  if (sent.kind === 'gone') return failGone();
  const { resendAfter } = sent;
  if (sent.kind === 'refused') {
    return { ...asks({ sent: isFirst ? 'unknown' : 'perhaps', resendAfter }, half), last: 'send-refused' };
  }
  const { stillValid, phones, done } = sent;
  if (!isFirst) return asks({ sent: done ? 'yes' : 'perhaps', stillValid, resendAfter });
  // With several phones nothing has been sent yet: the person has to choose one first.
  return asks({ stillValid, resendAfter: phones.length > 1 ? 0 : resendAfter }, { ...next, phones });
};

export const checkCode = async (call: SignInCall, half: Code, code: string): Promise<SignInAnswer> => {
  const { session, taken, kind } = half;
  const settle = async (at: string): Promise<SignInAnswer> => {
    const whole = await lookAt(call, at);
    if (whole === null) return signInUnread(STEP);
    if (typeof whole === 'object') return whole;
    return whole ? { kind: 'signed-in', session: at } : codeAgain(half, 'wrong');
  };
  const [path, field] =
    kind === 'totp'
      ? ['/por/login_token.csp', 'svpn_inputtoken']
      : [`/por/login_sms${half.sent === 'chosen' ? 2 : 1}.csp?apiversion=1`, 'svpn_inputsms'];
  const answer = await call.ask({ method: 'POST', path, form: [[field, code]], session });
  if (answer.kind === 'no-answer' && !mayHaveArrived(answer)) {
    return withPasswords(signInUnanswered(STEP, answer), 'unsent');
  }
  if (answer.kind === 'no-answer' || answer.status !== 200) return settle(session);
  const checked = parseCodeChecked(kind, answer.text);
  call.saw('code', checked.kind !== 'unknown');
  switch (checked.kind) {
    case 'passed':
      return { kind: 'signed-in', session: checked.session ?? session };
    case 'next':
      return codeNeeded(checked.wanted, checked.session ?? session, taken + 1);
    case 'unknown':
      return settle(checked.session ?? session);
    case 'gone':
      return failGone();
    case 'told': {
      const told = signInOutcomeOf(STEP, checked.meaning, checked.words);
      return told === null || told === 'image' ? codeAgain(half, 'wrong') : told;
    }
    case 'wrong':
    case 'expired':
      return codeAgain(half, checked.kind);
  }
};

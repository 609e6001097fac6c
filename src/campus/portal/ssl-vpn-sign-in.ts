import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { Failure, type PersonalStep } from '../../domain/errors.ts';
import type { RecordOf } from '../../domain/record.ts';
import type { Credentials, LoginCall, LoginRequest, NeedsPerson, Resume } from '../conversation.ts';
import type { HttpAnswer } from '../http.ts';
import { imageOf } from '../parsing/captcha.ts';
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
import type { PortalAnswer } from './portal.ts';
import { masked, parseCodeChecked, parseSent } from './second-step-pages.ts';
import { isWholeSession, oddities, type PortalChallenge, parseChallenge, parsePortalAnswer } from './ssl-vpn-pages.ts';

const STEP = 'portal' as const;
/** No password is sent for a challenge older than this: its code may have ended. */
const CHALLENGE_MS = 240_000;
/** A portal that goes on asking is not supported. */
const MOST_STEPS = 4;
/** Each oddity is logged once. */
const MOST_ODDITIES = 64;
const IMAGE_PATH = '/por/rand_code.csp?apiversion=1';

const text = Type.String();

/** Any process can continue with it. `taken`: how many steps came before. */
const Half = Type.Union([
  Type.Object({
    kind: Type.Literal('captcha'),
    at: Type.Number(),
    /** Null: it is spent. */
    challenge: Type.Union([
      Type.Null(),
      Type.Object({
        kind: Type.Literal('challenge'),
        session: text,
        modulusHex: text,
        exponent: text,
        code: text,
        captcha: Type.Boolean(),
      }),
    ]),
  }),
  Type.Object({ kind: Type.Literal('totp'), session: text, taken: Type.Number() }),
  Type.Object({
    kind: Type.Literal('sms'),
    session: text,
    taken: Type.Number(),
    /** `page`: the portal was asked for the phones; `chosen`: for a code to one of several. */
    sent: Type.Union([Type.Literal('nothing'), Type.Literal('page'), Type.Literal('chosen')]),
    phones: Type.Array(text),
  }),
]);
type Half = RecordOf<typeof Half>;
type Captcha = Extract<Half, { kind: 'captcha' }>;
type Code = Exclude<Half, Captcha>;
type Sms = Extract<Half, { kind: 'sms' }>;

/** Null: another version has written it, or another portal. */
const halfIn = (resume: string): Half | null => {
  try {
    const value: unknown = JSON.parse(resume);
    return Value.Check(Half, value) ? value : null;
  } catch {
    return null;
  }
};

const lost = (): Failed => signInFailed(STEP, 'resume of another kind');
const gone = (): Failed => failed(new Failure('challenge-unknown', { step: STEP, reason: 'half session gone' }));
const refused = (kind: 'credentials-refused' | 'sign-in-guarded', reason: string): Failed =>
  failed(new Failure(kind, { step: STEP, reason }));

/** The portal has accepted the password, and asks for this. */
const codeNeeded = (wanted: PersonalStep, session: string, taken = 0): NeedsPerson => {
  const asks = (asked: NeedsPerson['asked'], half?: Half): NeedsPerson => ({
    kind: 'needs-person',
    asked,
    resume: half === undefined ? '' : JSON.stringify(half),
    last: taken > 0 ? 'passed-step' : 'none',
    password: 'accepted',
  });
  if (taken >= MOST_STEPS) return asks({ kind: 'elsewhere', hint: 'unknown' });
  if (wanted === 'totp') return asks({ kind: 'totp' }, { kind: 'totp', session, taken });
  if (wanted !== 'sms') return asks({ kind: 'elsewhere', hint: wanted });
  return asks(
    { kind: 'sms', targets: [], sent: 'unknown', stillValid: false, resendAfter: 0 },
    { kind: 'sms', session, taken, sent: 'nothing', phones: [] },
  );
};

/** Continues with a code again, with the same half session. */
const codeAgain = (half: Code, last: NeedsPerson['last']): NeedsPerson => ({
  ...codeNeeded(half.kind, half.session),
  resume: JSON.stringify(half),
  last,
});

/** An image is wanted, and not fetched before a person is there to read it. `challenge` null: a new one has to be asked for. */
const imageNeeded = (
  challenge: PortalChallenge | null,
  at: number,
  last: NeedsPerson['last'],
  password: NeedsPerson['password'] = 'unsent',
): NeedsPerson => ({
  kind: 'needs-person',
  asked: { kind: 'captcha', image: null },
  resume: JSON.stringify({ kind: 'captcha', at, challenge } satisfies Half),
  last,
  password,
});

const newChallenge = ({ ask }: LoginCall): Promise<PortalChallenge | Failed> =>
  beforeCredentials(
    STEP,
    () => ask({ method: 'GET', path: '/por/login_auth.csp?apiversion=1', session: null }),
    ({ status, text: page }) => (status === 200 ? parseChallenge(page) : null),
  );

/** Whether the session is complete; null: unknown. */
const lookAt = async ({ ask }: LoginCall, session: string): Promise<boolean | null> => {
  const look = await ask({ method: 'GET', path: '/por/conf.csp?apiversion=1', session });
  return look.kind === 'answer' && look.status === 200 ? isWholeSession(look.text) : null;
};

/** PKCS#1 v1.5 takes 11 bytes; the code goes with the password, behind a separator. */
const roomFor = ({ modulusHex, code }: PortalChallenge): number =>
  modulusHex.replace(/^(?:00)+/, '').length / 2 - 11 - (code === '' ? 0 : Buffer.byteLength(code) + 1);

/** The credentials of one challenge, with the text of its image where it has one. */
const postCredentials = (
  { ask }: LoginCall,
  challenge: PortalChallenge,
  { userid, password }: Credentials,
  image = '',
): Promise<HttpAnswer | Unanswered | Failed> => {
  const encrypted = encryptForPortal(password, challenge.code, challenge);
  if (encrypted.kind === 'unusable-key') return Promise.resolve(signInFailed(STEP, encrypted.reason));
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

/** What asks for a code: the page of the phones first, then one of several phones, or the only one again. */
const sendRequest = ({ session, phones, sent }: Sms, target: number | null): LoginRequest => {
  const phone = target === null ? undefined : phones[target];
  const post = (path: string, form: LoginRequest['form']): LoginRequest => ({
    method: 'POST',
    path: `/por/${path}.csp?apiversion=1`,
    ...(form && { form }),
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

const sendCode = async (call: LoginCall, half: Sms, target: number | null): Promise<NeedsPerson | Failed> => {
  const isFirst = half.sent === 'nothing';
  const chooses = target !== null && half.phones.length > 1;
  const answer = await call.ask(sendRequest(half, target));
  const next: Sms = { ...half, sent: chooses ? 'chosen' : isFirst ? 'page' : half.sent };
  const asks = (more: Partial<Extract<NeedsPerson['asked'], { kind: 'sms' }>>, kept = next): NeedsPerson => {
    const targets = kept.phones.length > 1 ? kept.phones.map(masked) : [];
    return {
      ...codeAgain(kept, 'none'),
      asked: { kind: 'sms', targets, sent: 'perhaps', stillValid: false, resendAfter: 60, ...more },
    };
  };
  // An answer that is lost or unreadable may have sent a code.
  if (answer.kind === 'no-answer') return mayHaveArrived(answer) ? asks({}) : signInUnanswered(STEP, answer);
  if (answer.status >= 500) return signInFailed(STEP, `status ${answer.status}`);
  if (answer.status !== 200) return asks({});
  const sent = parseSent(answer.text);
  if (sent.kind === 'gone') return gone();
  const { resendAfter } = sent;
  if (sent.kind === 'refused') {
    return { ...asks({ sent: isFirst ? 'unknown' : 'perhaps', resendAfter }, half), last: 'send-refused' };
  }
  const { stillValid, phones, done } = sent;
  if (!isFirst) return asks({ sent: done ? 'yes' : 'perhaps', stillValid, resendAfter });
  // Nothing has been sent where the person has to choose first.
  return asks({ stillValid, resendAfter: phones.length > 1 ? 0 : resendAfter }, { ...next, phones });
};

const checkCode = async (call: LoginCall, half: Code, code: string): Promise<PortalAnswer> => {
  const { session, taken, kind } = half;
  const settled = async (at: string): Promise<PortalAnswer> => {
    const whole = await lookAt(call, at);
    if (whole === null) return signInUnread(STEP);
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
  if (answer.kind === 'no-answer' || answer.status !== 200) return settled(session);
  const checked = parseCodeChecked(kind, answer.text);
  switch (checked.kind) {
    case 'passed':
      return { kind: 'signed-in', session: checked.session ?? session };
    case 'next':
      return codeNeeded(checked.wanted, checked.session ?? session, taken + 1);
    case 'unknown':
      return settled(checked.session ?? session);
    case 'gone':
      return gone();
    case 'wrong':
    case 'expired':
      return codeAgain(half, checked.kind);
  }
};

/** How the SSL VPN signs in: a challenge, an encrypted password, and what a person may have to add. */
export class SslVpnSignIn implements Resume<Extract<PortalAnswer, { kind: 'signed-in' }>> {
  readonly #onOddity: (oddity: string) => void;
  readonly #seen = new Set<string>();
  /** Until a key was seen: the most we take. */
  #longestPassword = 256;

  /** @param onOddity told of numbers in answers that were never seen before, each once */
  constructor(onOddity: (oddity: string) => void) {
    this.#onOddity = onOddity;
  }

  get longestPassword(): number {
    return this.#longestPassword;
  }

  async signIn(call: LoginCall, credentials: Credentials): Promise<PortalAnswer> {
    const challenge = await newChallenge(call);
    if (challenge.kind === 'failed') return challenge;
    this.#longestPassword = roomFor(challenge);
    // A password sent without the image would meet the guard, and make it block our address for longer.
    if (challenge.captcha) return imageNeeded(challenge, call.now, 'none');
    const answer = await postCredentials(call, challenge, credentials);
    if (answer.kind === 'failed') return answer;
    if (answer.kind === 'no-answer') return signInUnanswered(STEP, answer);
    return this.#read(call, answer, challenge, 'none');
  }

  async send(call: LoginCall, resume: string, target: number | null): Promise<NeedsPerson | Failed> {
    const half = halfIn(resume);
    if (half === null || half.kind === 'totp') return lost();
    return half.kind === 'sms' ? sendCode(call, half, target) : this.#showImage(call, half);
  }

  async answer(call: LoginCall, resume: string, typed: string, credentials: Credentials): Promise<PortalAnswer> {
    const half = halfIn(resume);
    if (half === null) return lost();
    if (half.kind !== 'captcha') return checkCode(call, half, typed);
    const { challenge, at } = half;
    if (challenge === null || call.now - at >= CHALLENGE_MS) return imageNeeded(null, call.now, 'expired');
    const answer = await postCredentials(call, challenge, credentials, typed);
    if (answer.kind === 'failed') return answer;
    if (answer.kind === 'no-answer') {
      if (!mayHaveArrived(answer)) return withPasswords(signInUnanswered(STEP, answer), 'unsent');
      const whole = await lookAt(call, challenge.session);
      return whole ? { kind: 'signed-in', session: challenge.session } : signInUnanswered(STEP, answer);
    }
    return this.#read(call, answer, challenge, 'wrong');
  }

  /** The image of this challenge, or of a new one where it is spent or old; asking again retires the one before. */
  async #showImage(call: LoginCall, { challenge: kept, at: since }: Captcha): Promise<NeedsPerson | Failed> {
    const isGood = kept !== null && call.now - since < CHALLENGE_MS;
    const challenge = isGood ? kept : await newChallenge(call);
    if (challenge.kind === 'failed') return challenge;
    const answer = await call.ask({ method: 'GET', path: IMAGE_PATH, session: challenge.session, image: true });
    if (answer.kind === 'no-answer') return signInUnanswered(STEP, answer);
    const image = answer.status === 200 ? imageOf(answer.bytes ?? new Uint8Array()) : null;
    if (image === null) return signInFailed(STEP, 'no image');
    return { ...imageNeeded(challenge, isGood ? since : call.now, 'none'), asked: { kind: 'captcha', image } };
  }

  /** What the portal says of a password. `ofImage`: what it says of the image where it wants another one. */
  async #read(
    call: LoginCall,
    { status, text: page }: HttpAnswer,
    challenge: PortalChallenge,
    ofImage: 'none' | 'wrong',
  ): Promise<PortalAnswer> {
    if (status !== 200) return status >= 500 ? signInFailed(STEP, `status ${status}`) : signInUnread(STEP);
    for (const oddity of oddities(page)) this.#sighted(oddity);
    const parsed = parsePortalAnswer(page);
    const isMisread = ofImage === 'wrong' && page.includes('校验码错误');
    if (isMisread || (parsed.kind === 'guarded' && parsed.captcha)) {
      return imageNeeded(null, call.now, ofImage, ofImage === 'wrong' ? 'unsent' : 'guarded');
    }
    const afterImage = (needs: NeedsPerson): NeedsPerson =>
      ofImage === 'wrong' ? { ...needs, last: 'passed-step' } : needs;
    const session = ('session' in parsed ? parsed.session : null) ?? challenge.session;
    switch (parsed.kind) {
      case 'accepted':
        return { kind: 'signed-in', session };
      case 'refused':
        return refused('credentials-refused', 'refused');
      case 'guarded':
        return refused('sign-in-guarded', 'guarded');
      case 'second-step':
        return afterImage(codeNeeded(parsed.wanted, session));
      case 'looked-at': {
        const whole = await lookAt(call, session);
        if (whole) return { kind: 'signed-in', session };
        return whole === false && parsed.otherwise !== null
          ? afterImage(codeNeeded(parsed.otherwise, session))
          : signInUnread(STEP);
      }
      case 'unknown':
        return signInUnread(STEP);
    }
  }

  #sighted(oddity: string): void {
    if (this.#seen.has(oddity) || this.#seen.size >= MOST_ODDITIES) return;
    this.#seen.add(oddity);
    this.#onOddity(oddity);
  }
}

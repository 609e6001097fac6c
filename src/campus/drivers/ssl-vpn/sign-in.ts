import { constants, createPublicKey, publicEncrypt } from 'node:crypto';
import { Failure } from '../../../domain/errors.ts';
import type { HttpAnswer, Unanswered } from '../../http.ts';
import { imageOf } from '../../parsing/captcha.ts';
import type { Credentials, LoginCall, NeedsPerson, PortalAnswer, Resume } from '../../portal/portal.ts';
import {
  beforeCredentials,
  type Failed,
  failed,
  mayHaveArrived,
  signInFailed,
  signInUnanswered,
  signInUnread,
  withPasswords,
} from '../../sign-in-failures.ts';
import { oddities, type PortalChallenge, parseChallenge, parsePortalAnswer } from './pages.ts';
import { checkCode, codeNeeded, type Half, halfIn, lookAt, sendCode } from './second-step.ts';

const STEP = 'portal' as const;
/** No password is sent for a challenge older than this: its code may have ended. */
const CHALLENGE_MS = 240_000;
/** Each oddity is logged once. */
const MOST_ODDITIES = 64;
const IMAGE_PATH = '/por/rand_code.csp?apiversion=1';

const lost = (): Failed => signInFailed(STEP, 'resume of another kind');
const refused = (kind: 'credentials-refused' | 'sign-in-guarded', reason: string): Failed =>
  failed(new Failure(kind, { step: STEP, reason }));

type Captcha = Extract<Half, { kind: 'captcha' }>;

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

const newChallenge = (call: LoginCall): Promise<PortalChallenge | Failed> =>
  beforeCredentials(
    STEP,
    () => call.ask({ method: 'GET', path: '/por/login_auth.csp?apiversion=1', session: null }),
    ({ status, text: page }) => (status === 200 ? parseChallenge(page) : null),
    (isKnown) => call.saw('challenge', isKnown),
  );

/** PKCS#1 v1.5 takes 11 bytes; the code goes with the password, behind a separator. */
const roomFor = ({ modulusHex, code }: PortalChallenge): number =>
  modulusHex.replace(/^(?:00)+/, '').length / 2 - 11 - (code === '' ? 0 : Buffer.byteLength(code) + 1);

/** The credentials of one challenge, with the text of its image where it has one. */
const postCredentials = (
  call: LoginCall,
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
  return call.ask({ method: 'POST', path, form, session: challenge.session });
};

/** How the SSL VPN signs in: a challenge, an encrypted password, and what a person may have to add. */
export class SslVpnSignIn implements Resume<Extract<PortalAnswer, { kind: 'signed-in' }>> {
  readonly #onOddity: (oddity: string) => void;
  readonly #seen = new Set<string>();
  /** Until a key was seen: the most we take. */
  #longestPassword = 256;

  /** @param onOddity called once for each number in an answer that was never seen before */
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
  async #showImage(call: LoginCall, { challenge: former, at: since }: Captcha): Promise<NeedsPerson | Failed> {
    const isGood = former !== null && call.now - since < CHALLENGE_MS;
    const challenge = isGood ? former : await newChallenge(call);
    if (challenge.kind === 'failed') return challenge;
    const answer = await call.ask({ method: 'GET', path: IMAGE_PATH, session: challenge.session, image: true });
    if (answer.kind === 'no-answer') return signInUnanswered(STEP, answer);
    const image = answer.status === 200 ? imageOf(answer.bytes ?? new Uint8Array()) : null;
    if (image === null) return signInFailed(STEP, 'no image');
    return { ...imageNeeded(challenge, isGood ? since : call.now, 'none'), asked: { kind: 'captcha', image } };
  }

  /** Reads the portal's verdict on a password. `ofImage`: its verdict on the image, where it wants another one. */
  async #read(
    call: LoginCall,
    { status, text: page }: HttpAnswer,
    challenge: PortalChallenge,
    ofImage: 'none' | 'wrong',
  ): Promise<PortalAnswer> {
    if (status >= 500) return signInFailed(STEP, `status ${status}`);
    const parsed = status === 200 ? parsePortalAnswer(page) : ({ kind: 'unknown' } as const);
    const isMisread = ofImage === 'wrong' && page.includes('校验码错误');
    call.saw('password', parsed.kind !== 'unknown' || isMisread);
    if (status !== 200) return signInUnread(STEP);
    for (const oddity of oddities(page)) this.#sighted(oddity);
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

export interface PortalKey {
  /** Big-endian hex, upper or lower case. */
  readonly modulusHex: string;
  /** Decimal text. */
  readonly exponent: string;
}

type Encrypted =
  | { readonly kind: 'encrypted'; readonly hex: string }
  /** The portal's key cannot take the password, or is not a key at all. */
  | { readonly kind: 'unusable-key'; readonly reason: string };

const unusable = (reason: string): Encrypted => ({ kind: 'unusable-key', reason });

/** An exponent of one would send the password in clear. */
const isKey = ({ modulusHex, exponent }: PortalKey): boolean =>
  /^(?:[0-9a-fA-F]{2}){64,1024}$/.test(modulusHex) &&
  /^\d{1,10}$/.test(exponent) &&
  BigInt(exponent) >= 3n &&
  BigInt(exponent) % 2n === 1n;

/** The portal's password field: RSA PKCS#1 v1.5 of `<password>_<code>`, lower-case hex, two digits per modulus byte. */
export const encryptForPortal = (vpnPassword: string, code: string, key: PortalKey): Encrypted => {
  if (!isKey(key)) return unusable('portal key is malformed');
  const modulus = Buffer.from(key.modulusHex.replace(/^(?:00)+/, ''), 'hex');
  const exponentHex = BigInt(key.exponent).toString(16);
  const exponent = Buffer.from(exponentHex.padStart(exponentHex.length + (exponentHex.length % 2), '0'), 'hex');
  const message = Buffer.from(code === '' ? vpnPassword : `${vpnPassword}_${code}`, 'utf8');
  if (message.length > modulus.length - 11) return unusable('password too long for portal key');
  try {
    const publicKey = createPublicKey({
      key: { kty: 'RSA', n: modulus.toString('base64url'), e: exponent.toString('base64url') },
      format: 'jwk',
    });
    const encrypted = publicEncrypt({ key: publicKey, padding: constants.RSA_PKCS1_PADDING }, message);
    return { kind: 'encrypted', hex: encrypted.toString('hex') };
  } catch {
    // The library's own message may quote key material.
    return unusable('portal key is not usable');
  }
};

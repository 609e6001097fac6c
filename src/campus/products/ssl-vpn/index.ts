import { Type } from '@sinclair/typebox';
import type { Log } from '../../../domain/context.ts';
import { address, domain, type PortalDriver } from '../../contract/driver.ts';
import type { Portal } from '../../contract/portal.ts';
import { encryptRsa, type RsaKey, rsaKeyFault } from '../../contract/rsa-password.ts';
import {
  type AskCredentials,
  type Credentials,
  halfOf,
  imageAsked,
  type NeedsPerson,
  needsPerson,
  type SignInAnswer,
  type SignInCall,
  unknownResume,
} from '../../contract/sign-in.ts';
import {
  beforeCredentials,
  type Failed,
  mayHaveArrived,
  signInFailed,
  signInUnanswered,
  signInUnread,
  withPasswords,
  withWords,
} from '../../contract/sign-in-failures.ts';
import { signInOutcomeOf } from '../../contract/told.ts';
import { plainMessage } from '../../parsing/text.ts';
import type { HttpAnswer, Unanswered } from '../../transport/http.ts';
import { isPortalPage, oddities, type PortalChallenge, parseChallenge, parsePortalAnswer } from './pages.ts';
import { checkCode, codeNeeded, lookAt, SslVpnHalf, sendCode } from './second-step.ts';

const STEP = 'portal' as const;
const COOKIE = 'TWFID';
/** Most mapped hosts listen here; a few have the usual port. */
const MAPPED_PORT = '8118';
/** No password is sent for an older challenge, whose code may have ended. */
const CHALLENGE_MS = 240_000;
const MOST_ODDITIES = 64;
const IMAGE_PATH = '/por/rand_code.csp?apiversion=1';

type Captcha = Extract<SslVpnHalf, { kind: 'captcha' }>;

/** Fetches no image yet: a person has to be there to read it. */
const imageNeeded = (
  half: Omit<Captcha, 'kind'>,
  last: NeedsPerson['last'],
  password: NeedsPerson['password'] = 'unsent',
): NeedsPerson => needsPerson({ kind: 'captcha', image: null }, { kind: 'captcha', ...half }, password, last);

/** A challenge whose key no password may be trusted to ends the sign-in before one leaves. */
const newChallenge = async (call: SignInCall): Promise<PortalChallenge | Failed> => {
  const challenge = await beforeCredentials(
    STEP,
    () => call.ask({ method: 'GET', path: '/por/login_auth.csp?apiversion=1', session: null }),
    ({ status, text: page }) => (status === 200 ? parseChallenge(page) : null),
    (isKnown) => call.saw('challenge', isKnown),
  );
  return challenge.kind === 'failed' ? challenge : (keyFault(challenge) ?? challenge);
};

const encryptUnpadded = (modulusHex: string): string => modulusHex.replace(/^(?:00)+/, '');

/** PKCS#1 v1.5 takes 11 bytes; the code goes with the password, behind a separator. */
const roomFor = ({ modulusHex, code }: PortalChallenge): number =>
  encryptUnpadded(modulusHex).length / 2 - 11 - (code === '' ? 0 : Buffer.byteLength(code) + 1);

/** `image`: the text of the challenge's image, where it has one. */
const postCredentials = (
  call: SignInCall,
  challenge: PortalChallenge,
  { userid, password }: Credentials,
  image = '',
): Promise<HttpAnswer | Unanswered | Failed> => {
  const encrypted = encryptForPortal(password, challenge.code, challenge);
  if (encrypted.kind === 'failed') return Promise.resolve(encrypted);
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

/** A challenge, an encrypted password, and a session id that every mapped host expects as a cookie. */
export class SslVpn implements Portal {
  readonly sealedAs = 'twfid';
  readonly #base: URL;
  readonly #domain: string;
  readonly #log: Pick<Log, 'info'> | undefined;
  /** Each is logged once. */
  readonly #oddities = new Set<string>();
  /** In bytes. Starts at the most we accept, until the portal's key shows its own limit. */
  #longestPassword = 256;

  constructor(options: { readonly url: string; readonly domain: string }, log?: Pick<Log, 'info'>) {
    this.#base = new URL(options.url);
    this.#domain = options.domain.toLowerCase();
    this.#log = log;
  }

  async signIn(call: SignInCall, credentials: AskCredentials): Promise<SignInAnswer> {
    const challenge = await newChallenge(call);
    if (challenge.kind === 'failed') return challenge;
    this.#longestPassword = roomFor(challenge);
    // A password without the image would meet the guard, which would block our address for longer.
    if (challenge.captcha) return imageNeeded({ challenge, at: call.now }, 'none');
    const pair = await credentials();
    if ('kind' in pair) return pair;
    const answer = await postCredentials(call, challenge, pair);
    if (answer.kind === 'failed') return answer;
    if (answer.kind === 'no-answer') return signInUnanswered(STEP, answer);
    return this.#read(call, answer, challenge, 'none');
  }

  async send(call: SignInCall, resume: object, target: number | null): Promise<NeedsPerson | Failed> {
    const half = halfOf(SslVpnHalf, resume);
    if (half === null || half.kind === 'totp') return unknownResume(STEP);
    return half.kind === 'sms' ? sendCode(call, half, target) : this.#showImage(call, half);
  }

  async answer(call: SignInCall, resume: object, typed: string, credentials: Credentials): Promise<SignInAnswer> {
    const half = halfOf(SslVpnHalf, resume);
    if (half === null) return unknownResume(STEP);
    if (half.kind !== 'captcha') return checkCode(call, half, typed);
    const { challenge, at } = half;
    if (challenge === null || call.now - at >= CHALLENGE_MS) {
      return imageNeeded({ challenge: null, at: call.now }, 'expired');
    }
    const answer = await postCredentials(call, challenge, credentials, typed);
    if (answer.kind === 'failed') return answer;
    if (answer.kind === 'no-answer') {
      if (!mayHaveArrived(answer)) return withPasswords(signInUnanswered(STEP, answer), 'unsent');
      const whole = await lookAt(call, challenge.session);
      return whole === true ? { kind: 'signed-in', session: challenge.session } : signInUnanswered(STEP, answer);
    }
    return this.#read(call, answer, challenge, 'wrong');
  }

  longestPassword(): number {
    return this.#longestPassword;
  }

  cookie(session: string): string {
    return `${COOKIE}=${session}`;
  }

  ownsCookie(line: string): boolean {
    return /^\s*TWFID\s*=/i.test(line);
  }

  isLoginRedirect(location: string, target: URL | null, configured: boolean): boolean {
    return this.#isNamedIn(location) || this.#isLedToBy(target, configured);
  }

  isLoginPage(text: string): boolean {
    return isPortalPage(text);
  }

  /** `a.b.c` → `a-b-c.<domain>:8118` (`-s` for https); also without the port, as the electricity host. */
  mapAddress({ protocol, hostname, port }: URL): string[] {
    if (port !== '' || !/^https?:$/.test(protocol)) return [];
    const label = hostname.replaceAll('.', '-') + (protocol === 'https:' ? '-s' : '');
    return [`:${MAPPED_PORT}`, ''].flatMap((at) => URL.parse(`http://${label}.${this.#domain}${at}`)?.origin ?? []);
  }

  /** Searches the raw header of the portal's redirect, because URL parsers drop the default port. */
  #isNamedIn(location: string): boolean {
    if (!location.includes('redirect_uri=')) return false;
    const host = this.#base.hostname.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return new RegExp(`${host}:443(?!\\d)`).test(location);
  }

  /**
   * True for the portal's origin. Its bare host or domain counts too unless a setting names the target's origin,
   * because upstreams may share a host.
   */
  #isLedToBy(target: URL | null, configured: boolean): boolean {
    if (target === null) return false;
    if (target.origin === this.#base.origin) return true;
    return !configured && (target.hostname === this.#base.hostname || target.hostname === this.#domain);
  }

  /** Shows the image of this challenge, or of a new one where it is spent or old. */
  async #showImage(call: SignInCall, { challenge: former, at: since }: Captcha): Promise<NeedsPerson | Failed> {
    const isGood = former !== null && call.now - since < CHALLENGE_MS;
    const challenge = isGood ? former : await newChallenge(call);
    if (challenge.kind === 'failed') return challenge;
    const answer = await call.ask({ method: 'GET', path: IMAGE_PATH, session: challenge.session, image: true });
    const asked = imageAsked(STEP, answer);
    if (asked.kind === 'failed') return asked;
    const half: Captcha = { kind: 'captcha', challenge, at: isGood ? since : call.now };
    return needsPerson(asked, half, 'unsent');
  }

  /** Reads the portal's verdict on a password. `ofImage`: its verdict on the image, where it wants another. */
  async #read(
    call: SignInCall,
    { status, text: page }: HttpAnswer,
    challenge: PortalChallenge,
    ofImage: 'none' | 'wrong',
  ): Promise<SignInAnswer> {
    if (status >= 500) return signInFailed(STEP, `status ${status}`);
    const parsed = status === 200 ? parsePortalAnswer(page) : ({ kind: 'unknown', words: '' } as const);
    call.saw('password', parsed.kind !== 'unknown');
    if (status !== 200) return signInUnread(STEP);
    for (const oddity of oddities(page)) this.#noteSighting(oddity);
    const told = parsed.kind === 'told' ? signInOutcomeOf(STEP, parsed.meaning, page) : null;
    if (told === 'image') {
      return imageNeeded({ challenge: null, at: call.now }, ofImage, ofImage === 'wrong' ? 'unsent' : 'guarded');
    }
    const afterImage = (needs: NeedsPerson): NeedsPerson =>
      ofImage === 'wrong' ? { ...needs, last: 'passed-step' } : needs;
    const session = ('session' in parsed ? parsed.session : null) ?? challenge.session;
    switch (parsed.kind) {
      case 'accepted':
        return { kind: 'signed-in', session };
      case 'told':
        return told ?? signInUnread(STEP);
      case 'second-step':
        return afterImage(codeNeeded(parsed.wanted, session));
      case 'unproven': {
        const whole = await lookAt(call, session);
        if (whole !== null && typeof whole === 'object') return whole;
        if (whole) return { kind: 'signed-in', session };
        return whole === false && parsed.otherwise !== null
          ? afterImage(codeNeeded(parsed.otherwise, session))
          : signInUnread(STEP);
      }
      case 'unknown':
        return withWords(signInUnread(STEP), plainMessage(parsed.words));
    }
  }

  #noteSighting(oddity: string): void {
    if (this.#oddities.has(oddity) || this.#oddities.size >= MOST_ODDITIES) return;
    this.#oddities.add(oddity);
    this.#log?.info({ oddity }, 'the portal answered a login with a number that was not seen before');
  }
}

export type PortalKey = Pick<PortalChallenge, 'modulusHex' | 'exponent'>;

const keepBack = (reason: string): Failed => withPasswords(signInFailed(STEP, reason), 'unsent');

/** Null: it is malformed. */
const rsaKeyOf = ({ modulusHex, exponent }: PortalKey): RsaKey | null =>
  /^(?:[0-9a-fA-F]{2}){1,1024}$/.test(modulusHex) && /^\d{1,10}$/.test(exponent)
    ? { modulus: Buffer.from(modulusHex, 'hex'), exponent: BigInt(exponent) }
    : null;

/** Null: a password may be encrypted with it. */
const keyFault = (portalKey: PortalKey): Failed | null => {
  const key = rsaKeyOf(portalKey);
  const fault = key === null ? 'key is malformed' : rsaKeyFault(key);
  return fault === null ? null : keepBack(`portal ${fault}`);
};

/** The portal's password field: RSA PKCS#1 v1.5 of `<password>_<code>`, lower-case hex, two digits per modulus byte. */
export const encryptForPortal = (
  vpnPassword: string,
  code: string,
  portalKey: PortalKey,
): Failed | { readonly kind: 'encrypted'; readonly hex: string } => {
  const key = rsaKeyOf(portalKey);
  const message = Buffer.from(code === '' ? vpnPassword : `${vpnPassword}_${code}`, 'utf8');
  const encrypted = key === null ? 'key is malformed' : encryptRsa(message, key);
  return typeof encrypted === 'string'
    ? keepBack(`portal ${encrypted}`)
    : { kind: 'encrypted', hex: encrypted.toString('hex') };
};

const options = Type.Object({ url: address, domain });

/** It shows every inner host under its own domain. */
export const sslVpn: PortalDriver<typeof options> = {
  kind: 'portal',
  options,
  challenges: ['captcha', 'sms', 'totp', 'elsewhere'],
  create: (given, log) => new SslVpn(given, log),
};

import type { ChallengeImage } from '../../domain/accounts/challenges/ports.ts';
import { memberOf, parsePortalAnswer, plainWord } from './ssl-vpn-pages.ts';

// What the portal says between an accepted password and a complete session.

const isGone = (text: string): boolean =>
  /^200(?:26|35)$/.test(memberOf(text, 'ErrorCode')) || text.includes('session timedout');

/** Whole seconds that an element states; 0: it states none. */
const secondsIn = (text: string, ...names: readonly string[]): number => {
  for (const name of names) {
    const value = memberOf(text, name);
    if (/^\d{1,6}$/.test(value)) return Number(value);
  }
  return 0;
};

const MOST_PHONES = 8;
const DEFAULT_WAIT = 60;
const REFUSED_WAIT = 180;
const LONGEST_WAIT = 3_600;

/** Three first and four last digits, unless the portal has masked it. */
const masked = (phone: string): string =>
  phone.includes('*') || phone.replace(/\D/g, '').length < 7 ? phone : `${phone.slice(0, 3)}****${phone.slice(-4)}`;

export interface SmsPage {
  /** As delivered: the chosen one is sent back. */
  readonly phones: readonly string[];
  readonly labels: readonly string[];
  /** The portal says that it has done it. */
  readonly done: boolean;
  readonly stillValid: boolean;
  readonly resendAfter: number;
}

type Sent = ({ readonly kind: 'sent' } & SmsPage) | { readonly kind: 'refused'; readonly resendAfter: number };

/** The answer to each of the three requests that may send a code. One that says nothing may have sent one. */
export const parseSent = (text: string): Sent | { readonly kind: 'gone' } => {
  if (isGone(text)) return { kind: 'gone' };
  const code = memberOf(text, 'ErrorCode');
  const interval = secondsIn(text, 'SmsSendInterval', 'disableTime');
  if ((code !== '' && code !== '1') || /频繁|too many/i.test(text)) {
    return { kind: 'refused', resendAfter: Math.min(interval > 1 ? interval : REFUSED_WAIT, LONGEST_WAIT) };
  }
  const valid = secondsIn(text, 'SmsIsStillValid');
  const resendAfter = [interval, valid].find((seconds) => seconds > 1) ?? DEFAULT_WAIT;
  const phones = (memberOf(text, 'USER_PHONE') || memberOf(text, 'Phone'))
    .split(';')
    .map((phone) => phone.trim())
    .filter((phone) => phone !== '' && phone.length <= 40)
    .slice(0, MOST_PHONES);
  return {
    kind: 'sent',
    phones,
    labels: phones.map(masked),
    done: code === '1',
    stillValid: valid > 1,
    resendAfter: Math.min(resendAfter, LONGEST_WAIT),
  };
};

type Checked =
  | { readonly kind: 'passed'; readonly session: string | null }
  | { readonly kind: 'next'; readonly answer: Extract<ReturnType<typeof parsePortalAnswer>, { kind: 'second-step' }> }
  | { readonly kind: 'wrong' | 'expired' | 'gone' }
  /** Only checking the session tells. */
  | { readonly kind: 'unknown'; readonly session: string | null };

/** The next step that an answer names, or that it leaves open. */
const nextIn = (text: string): Checked | null => {
  const answer = parsePortalAnswer(text);
  if (answer.kind === 'second-step') return { kind: 'next', answer };
  return answer.kind === 'looked-at' ? { kind: 'unknown', session: answer.session } : null;
};

/** The answer to a code by SMS. */
export const parseSmsChecked = (text: string): Checked => {
  const code = memberOf(text, 'ErrorCode');
  const result = memberOf(text, 'Result');
  const session = plainWord(memberOf(text, 'TwfID'));
  if (isGone(text)) return { kind: 'gone' };
  const next = nextIn(text);
  if (next !== null) return next;
  if (code === '20012' || /错误|nvalid/.test(text)) return { kind: 'wrong' };
  if (/过期|expire/i.test(text)) return { kind: 'expired' };
  const passes = text.includes('Auth sms suc') || text.includes('欢迎访问') || code === '1';
  return passes || (result === '1' && code === '') ? { kind: 'passed', session } : { kind: 'unknown', session };
};

/** The answer to a one-time password. "Contains suc" fits a refusal that says "not successful". */
export const parseTokenChecked = (text: string): Checked => {
  const code = memberOf(text, 'ErrorCode');
  const result = memberOf(text, 'Result');
  const session = plainWord(memberOf(text, 'TwfID'));
  if (isGone(text)) return { kind: 'gone' };
  const next = nextIn(text);
  if (next !== null) return next;
  if (text.includes('Totp auth succ') || (result === '1' && (code === '1' || code === ''))) {
    return { kind: 'passed', session };
  }
  return result === '0' || (code !== '' && code !== '1') ? { kind: 'wrong' } : { kind: 'unknown', session };
};

/** By its first bytes; null: not a picture. */
export const imageOf = (bytes: Uint8Array): ChallengeImage | null => {
  const starts = (...head: readonly number[]): boolean => head.every((byte, at) => bytes[at] === byte);
  if (starts(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return { type: 'image/png', bytes };
  if (starts(0xff, 0xd8, 0xff)) return { type: 'image/jpeg', bytes };
  return starts(0x47, 0x49, 0x46, 0x38) ? { type: 'image/gif', bytes } : null;
};

import type { PersonalStep } from '../../../domain/errors.ts';
import { affirms } from '../../../lib/negation.ts';
import { judgeCodeText, judgeText, type TextMeaning } from '../../parsing/login-texts.ts';
import { isGone, memberOf, parsePortalAnswer, plainWord, wordsIn } from './pages.ts';

/** Reads whole seconds from the first of these elements that states them; 0 if none does. */
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

/** Keeps the first three and last four digits, unless the portal has already masked the phone. */
export const maskPhone = (phone: string): string =>
  phone.includes('*') || phone.replace(/\D/g, '').length < 7 ? phone : `${phone.slice(0, 3)}****${phone.slice(-4)}`;

type CodeSending =
  | {
      readonly kind: 'sent';
      /** Unchanged, because the chosen one is sent back to the portal. */
      readonly phones: string[];
      /** The portal confirms that it sent a code. */
      readonly done: boolean;
      /** An earlier code still holds. */
      readonly stillValid: boolean;
      /** In seconds. */
      readonly resendAfter: number;
    }
  | { readonly kind: 'refused'; readonly resendAfter: number };

/** Parses the answer to any request that may send a code. An answer that does not say may have sent one. */
export const parseSent = (text: string): CodeSending | { readonly kind: 'gone' } => {
  if (isGone(text)) return { kind: 'gone' };
  const code = memberOf(text, 'ErrorCode');
  const interval = secondsIn(text, 'SmsSendInterval', 'disableTime');
  if ((code !== '' && code !== '1') || judgeText(wordsIn(text)) === 'too-often') {
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
    done: code === '1' && memberOf(text, 'Result') !== '0',
    stillValid: valid > 1,
    resendAfter: Math.min(resendAfter, LONGEST_WAIT),
  };
};

type CodeCheck =
  | { readonly kind: 'passed'; readonly session: string | null }
  | { readonly kind: 'next'; readonly wanted: PersonalStep; readonly session: string | null }
  | { readonly kind: 'wrong' | 'expired' | 'gone' }
  /** The code is not the reason. */
  | { readonly kind: 'told'; readonly meaning: TextMeaning; readonly words: string }
  /** The answer does not say; only a check of the session shows it. */
  | { readonly kind: 'unknown'; readonly session: string | null };

type CodeVerdict = 'passed' | 'wrong' | 'expired' | 'unknown';

/** A refusal may say "not successful", so words of success count only where nothing negates them. */
const totpPassed = /totp auth succ|(?:令牌|动态口令|动态密码|口令)?(?:认证|验证|校验)(?:成功|通过)/i;
const smsPassed = /auth sms suc|欢迎访问|\bwelcome\b|(?:短信|验证码)?(?:认证|验证|校验)(?:成功|通过)/i;

const judgeTotpCode = (words: string, code: string, result: string): CodeVerdict => {
  if (result === '0') return 'wrong';
  if (affirms(words, totpPassed) || (result === '1' && (code === '1' || code === ''))) return 'passed';
  return (code !== '' && code !== '1') || judgeCodeText(words) !== null ? 'wrong' : 'unknown';
};

const judgeSmsCode = (words: string, code: string, result: string): CodeVerdict => {
  if (code === '20012') return 'wrong';
  const said = judgeCodeText(words);
  if (said !== null) return said;
  // The portal contradicts itself where it says 0 beside a success: only the session tells.
  if (result === '0') return 'unknown';
  const passes = affirms(words, smsPassed) || code === '1';
  return passes || (result === '1' && code === '') ? 'passed' : 'unknown';
};

/** What keeps a code back, whether it is right or not. */
const beforeCode: ReadonlySet<TextMeaning | null> = new Set(['locked', 'no-access', 'address', 'attacked', 'closed']);

export const parseCodeChecked = (kind: 'sms' | 'totp', page: string): CodeCheck => {
  if (isGone(page)) return { kind: 'gone' };
  const said = wordsIn(page);
  const meaning = judgeText(said);
  if (meaning !== null && beforeCode.has(meaning) && memberOf(page, 'Result') !== '1') {
    return { kind: 'told', meaning, words: said };
  }
  const answer = parsePortalAnswer(page);
  if (answer.kind === 'second-step') return { kind: 'next', wanted: answer.wanted, session: answer.session };
  if (answer.kind === 'unproven') return { kind: 'unknown', session: answer.session };
  const read = kind === 'totp' ? judgeTotpCode : judgeSmsCode;
  const verdict = read(said, memberOf(page, 'ErrorCode'), memberOf(page, 'Result'));
  if (verdict === 'wrong' || verdict === 'expired') return { kind: verdict };
  return { kind: verdict, session: plainWord(memberOf(page, 'TwfID')) };
};

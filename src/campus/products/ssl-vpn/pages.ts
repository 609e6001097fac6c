import { Type } from '@sinclair/typebox';
import type { PersonalStep } from '../../../domain/errors.ts';
import type { RecordOf } from '../../../domain/record.ts';
import { judgeText, saysSessionGone, type TextMeaning } from '../../parsing/login-texts.ts';
import { readShown } from '../../parsing/page-messages.ts';
import { textBetween } from '../../parsing/text.ts';

/** The portal hands this out before it takes the password. */
export const PortalChallenge = Type.Object({
  kind: Type.Literal('challenge'),
  session: Type.String(),
  /** Big-endian hex, upper or lower case. */
  modulusHex: Type.String(),
  /** Decimal text. */
  exponent: Type.String(),
  /** Single use; empty when the portal sent none. */
  code: Type.String(),
  /** The portal takes the password only with the text of an image. */
  captcha: Type.Boolean(),
});
export type PortalChallenge = RecordOf<typeof PortalChallenge>;

/** Without comments, which hold no element. Those within CDATA are text. */
const withoutXmlComments = (text: string): string => {
  if (!text.includes('<!--')) return text;
  let kept = '';
  let at = 0;
  const begin = /<!--|<!\[CDATA\[/g;
  for (let found = begin.exec(text); found !== null; found = begin.exec(text)) {
    const isComment = found[0] === '<!--';
    const end = text.indexOf(isComment ? '-->' : ']]>', begin.lastIndex);
    if (isComment) kept += text.slice(at, found.index);
    if (end < 0) return isComment ? kept : kept + text.slice(at);
    begin.lastIndex = end + 3;
    if (isComment) at = end + 3;
  }
  return kept + text.slice(at);
};

/** Every text that an answer shows, one a line; nothing of scripts. */
export const wordsIn = (page: string): string => {
  const { messages, rest } = readShown(withoutXmlComments(page).replaceAll('<![CDATA[', '\n').replaceAll(']]>', '\n'));
  return [...messages, ...rest].join('\n');
};

const element = (text: string, name: string): string => textBetween(text, `<${name}>`, `</${name}>`)?.trim() ?? '';

/** The session id goes into a cookie header: only a plain word is one. */
export const plainWord = (found: string): string | null => (/^[A-Za-z0-9_-]{1,128}$/.test(found) ? found : null);

/** Null when the session id or the key is missing. A missing exponent means 65537, a missing code a bare password. */
export const parseChallenge = (page: string): PortalChallenge | null => {
  const text = withoutXmlComments(page);
  const session = plainWord(element(text, 'TwfID'));
  const modulusHex = element(text, 'RSA_ENCRYPT_KEY');
  if (session === null || modulusHex === '') return null;
  return {
    kind: 'challenge',
    session,
    modulusHex,
    exponent: element(text, 'RSA_ENCRYPT_EXP') || '65537',
    code: element(text, 'CSRF_RAND_CODE'),
    // In any spelling: a password must not go out beside an image that is wanted.
    captcha: !/^(?:|0|-1|false|no)$/i.test(memberOf(text, 'RndImg')),
  };
};

/** The text of the first element of that name, in any case, without CDATA; empty where there is none. */
export const memberOf = (page: string, name: string): string => {
  const text = withoutXmlComments(page);
  const opened = new RegExp(`<${name}(?:\\s[^<>]*)?>\\s*(<!\\[CDATA\\[)?`, 'i').exec(text);
  if (opened === null) return '';
  const start = opened.index + opened[0].length;
  const end = text.indexOf(opened[1] === undefined ? '<' : ']]>', start);
  return (end < 0 ? '' : text.slice(start, end)).trim();
};

const tell = (meaning: TextMeaning): PortalAnswer => ({ kind: 'told', meaning });

type PortalAnswer =
  | { readonly kind: 'accepted'; readonly session: string | null }
  /** Only a check of the session shows whether it was accepted. `otherwise`: what the answer means if it was not. */
  | { readonly kind: 'unproven'; readonly session: string | null; readonly otherwise: PersonalStep | null }
  | { readonly kind: 'second-step'; readonly wanted: PersonalStep; readonly session: string | null }
  /** By its text or its number. `image`: the portal would take the text of an image. */
  | { readonly kind: 'told'; readonly meaning: TextMeaning }
  | { readonly kind: 'unknown'; readonly words: string };

/** The portal's own guard against guessing, or its demand for an image. */
const GUARD_CODES: ReadonlySet<string> = new Set(['20023', '20041', '20042', '20043', '20053', '20268']);
/** The codes that demand an image. */
const IMAGE_CODES: ReadonlySet<string> = new Set(['20023', '20043', '20268']);
const BAD_CREDENTIALS = '20004';
/** A time plan, a quota, a policy. */
const NOT_ALLOWED: ReadonlySet<string> = new Set(['20113', '20048']);
const SMS_WANTED = '20011';
const LOGGED_IN_ALREADY = '20021';
const LOGGED_IN_TEXT = /user (?:had|has|is) (?:already )?logged in|用户?已经?登[录陆]|已在.{0,8}登[录陆]/i;
const isNextPage = (code: string): boolean => /^4\d{4}$/.test(code) && code !== '40000';

/** Marks in the name of the next step; the first row that fits decides. */
const services: ReadonlyArray<readonly [RegExp, PersonalStep]> = [
  [/sms/i, 'sms'],
  [/token|totp/i, 'totp'],
  [/cert/i, 'certificate'],
  [/hid/i, 'hardware'],
  [/radius|challenge/i, 'challenge-response'],
  [/wechat/i, 'wechat'],
];
const nextAuths: Readonly<Record<string, PersonalStep>> = { 0: 'certificate', 2: 'sms', 7: 'totp' };

/** These numbers name a step; all others may also stand beside a plain success. */
const STEPS_FOR_SURE: ReadonlySet<string> = new Set(['2', '7']);

interface PortalWords {
  readonly result: string;
  readonly code: string;
  readonly nextAuth: string;
  readonly service: string;
  readonly subType: string;
}

/** The step that an answer names beside the password that it has accepted; null: none. */
const stepIn = ({ result, code, nextAuth, service, subType }: PortalWords): PersonalStep | null => {
  const isStep = nextAuth !== '' && nextAuth !== '-1';
  const named = services.find(([pattern]) => pattern.test(service))?.[1];
  if (named === 'sms') return named;
  if (/totp/i.test(subType)) return 'totp';
  if (service !== '') return named ?? 'unknown';
  if (isStep) return nextAuths[nextAuth] ?? 'unknown';
  if (code === SMS_WANTED) return 'sms';
  if (isNextPage(code)) return 'unknown';
  return result === '2' ? 'sms' : null;
};

/**
 * The guard comes before the refusal, so that a right password is never called wrong; the next step before every
 * success, because the portal accepts the password and opens half a session. Texts come before numbers.
 */
export const parsePortalAnswer = (page: string): PortalAnswer => {
  const text = withoutXmlComments(page);
  const code = memberOf(text, 'ErrorCode');
  const result = memberOf(text, 'Result');
  const nextAuth = memberOf(text, 'NextAuth');
  const service = memberOf(text, 'NextService');
  const subType = memberOf(text, 'NextServiceSubType');
  const succeeds = result === '1' || (result === '' && code === '1');
  const words = wordsIn(text);
  if (GUARD_CODES.has(code) || /maybe attacked|CAPTCHA required/.test(words)) {
    return tell(words.includes('CAPTCHA required') || IMAGE_CODES.has(code) ? 'image' : 'attacked');
  }
  if (words.includes('Invalid username or password!')) return tell('refused');
  // A text beside a success is a remark: of a password that expires soon, of a code that was sent.
  const accepts = succeeds || result === '2' || code === SMS_WANTED || isNextPage(code) || code === LOGGED_IN_ALREADY;
  const meaning = accepts ? null : judgeText(words);
  const isStep = meaning === 'sms' || meaning === 'code';
  const isWeak = meaning === 'no-access' || meaning === 'unknown-user';
  if (meaning !== null && !isStep && !isWeak) return tell(meaning);
  if (code === BAD_CREDENTIALS && !succeeds) return tell('refused');
  if (NOT_ALLOWED.has(code) || words.includes('not allow to login now')) return tell('no-access');
  if (isWeak) return tell(meaning);
  const session = plainWord(memberOf(text, 'TwfID'));
  const wanted = stepIn({ result, code, nextAuth, service, subType });
  if (wanted !== null) {
    const others = service !== '' || subType !== '' || code === SMS_WANTED || isNextPage(code);
    // No known client reads this number, so a portal may send it with every success: the session itself is looked at.
    const mayBeWhole = result === '1' && !others && !STEPS_FOR_SURE.has(nextAuth);
    return mayBeWhole ? { kind: 'unproven', session, otherwise: wanted } : { kind: 'second-step', wanted, session };
  }
  if (code === LOGGED_IN_ALREADY || LOGGED_IN_TEXT.test(words)) return { kind: 'unproven', session, otherwise: null };
  if (succeeds) return { kind: 'accepted', session };
  if (isStep) return tell(meaning);
  return {
    kind: 'unknown',
    words: ['Message', 'Note', 'ErrorMsg'].map((name) => memberOf(text, name)).find(Boolean) ?? '',
  };
};

/** The numbers whose meaning is known. */
const knownNumbers: ReadonlyArray<readonly [name: string, values: ReadonlySet<string>]> = [
  ['ErrorCode', new Set(['1', BAD_CREDENTIALS, ...NOT_ALLOWED, SMS_WANTED, LOGGED_IN_ALREADY, ...GUARD_CODES])],
  ['NextAuth', new Set(['-1', ...STEPS_FOR_SURE])],
  ['pwpErrorCode', new Set(['0'])],
];

/** The numbers of an answer whose meaning is unknown, with their names: we know this portal from its clients alone. */
export const oddities = (text: string): string[] =>
  knownNumbers.flatMap(([name, values]) => {
    const value = memberOf(text, name);
    return !values.has(value) && /^-?\d{1,6}$/.test(value) ? [`${name} ${value}`] : [];
  });

/** The portal has forgotten the session, no matter what was sent with it. */
export const isGone = (text: string): boolean =>
  /^200(?:26|35)$/.test(memberOf(text, 'ErrorCode')) || saysSessionGone(wordsIn(text));

/** Whether the session is complete; null: the answer does not say. */
export const isWholeSession = (text: string): boolean | null => {
  if (/<conf[\s>]/i.test(text)) return true;
  return isGone(text) ? false : null;
};

const HEAD_LENGTH = 512;

/** The marks that tell the portal's pages from those of the applications behind it. */
export const isPortalPage = (text: string): boolean => {
  if (text.includes('<title>302 Found</title>') || text.includes('Sangine')) return true;
  if (text.includes('<html>') && text.includes('302 Found')) return true;
  if (text.includes('class="sangfor-main"')) return true;
  const trimmed = text.trimStart().replace(/^\uFEFF/, '');
  if (/^(?:<!DOCTYPE|<html)/i.test(trimmed)) {
    const head = trimmed.slice(0, HEAD_LENGTH);
    if (head.includes('login_auth.csp') || head.includes('TWFID') || head.includes('svpn_name')) return true;
  }
  if (text.includes('var g_lines = []') || text.includes('selectline_timeout')) return true;
  return text.length < 10_000 && text.includes('<script>') && text.includes('Your browser does not support JavaScript');
};

import type { PersonalStep } from '../../../domain/errors.ts';
import { scriptsIn } from '../../parsing/elements.ts';
import { attributeOf, htmlTokens } from '../../parsing/html-tokens.ts';
import { judgeCodeText, judgeText, type TextMeaning } from '../../parsing/login-texts.ts';
import { isMembers, type Literal, readLiteralAt, withoutComments } from '../../parsing/script-values.ts';
import { clean, decodeEntities, plainMessage } from '../../parsing/text.ts';
import { membersIn } from './pages.ts';

/** No other code would help. */
const ofMore: ReadonlySet<TextMeaning> = new Set(['attacked', 'address', 'locked', 'too-often', 'closed']);

type Members = ReadonlyMap<string, Literal>;

const textOf = (members: Members, name: string): string => {
  const value = members.get(name);
  return typeof value === 'string' ? decodeEntities(value.slice(0, 2_000)) : '';
};

const known = ['isSleepAccount', 'service', 'reAuthType', 'isMultifactor', 'reAuthUserId', 'pwdEncryptSalt'];
const mostBlocks = 20;

/** The page has several blocks of that name; the one with most of the members counts. */
const parametersIn = (page: string): Members => {
  const blocks = scriptsIn(page)
    .flatMap((script) => {
      const text = script.includes('reAuthParams') ? withoutComments(script) : '';
      const marks = text.matchAll(/reAuthParams\s{0,10}=\s{0,10}(?=\{)/g).take(mostBlocks);
      return [...marks.map((mark) => readLiteralAt(text, mark.index + mark[0].length))];
    })
    .slice(0, mostBlocks)
    .filter(isMembers);
  const count = (block: Members): number => known.filter((name) => block.has(name)).length;
  return blocks.toSorted((one, other) => count(other) - count(one))[0] ?? new Map();
};

/** The numbers of the steps that the page offers. */
const tabsIn = (page: string): string[] =>
  htmlTokens(page)
    .flatMap((token) => {
      if (token.kind !== 'open' || !token.attributes.includes('reauth-tab')) return [];
      const of = (name: string) => attributeOf(token.attributes, name) ?? '';
      const type = of('data-type') || of('id');
      return /\breauth-tab-(?:more-)?item\b/.test(of('class')) && /^\d{1,3}$/.test(type) ? [type] : [];
    })
    .take(mostBlocks)
    .toArray();

const steps: Readonly<Record<string, PersonalStep>> = { '3': 'sms', '10': 'totp', '4': 'wechat', '15': 'wechat' };

/** Null: the page names no step. Only what stands on it is open to this student. */
export const parseSecondStep = (page: string) => {
  const parameters = parametersIn(page);
  const active = textOf(parameters, 'reAuthType');
  const tabs = tabsIn(page);
  const open = tabs.length > 0 ? tabs : [active];
  const type = ['3', '10'].find((each) => open.includes(each)) ?? (open.includes(active) ? active : (open[0] ?? ''));
  if (type === '') return null;
  return {
    step: steps[type] ?? 'unknown',
    type,
    isActive: type === active,
    service: textOf(parameters, 'service'),
    isMultifactor: textOf(parameters, 'isMultifactor'),
    user: textOf(parameters, 'reAuthUserId'),
  };
};

export const parseSwitched = (text: string): boolean => textOf(membersIn(text), 'code') === '1';

const waitOf = (seconds: string): number => (/^[1-9]\d{0,3}$/.test(seconds) ? Math.min(Number(seconds), 3_600) : 60);

/** `perhaps`: the answer does not say, and a code may be on its way. */
export const parseSent = (text: string) => {
  const answer = membersIn(text);
  const res = textOf(answer, 'res');
  if (res === '') return { sent: 'perhaps', resendAfter: 60, targets: [], isRefused: false } as const;
  const [, seconds = ''] = /(\d{1,4}) ?秒/.exec(textOf(answer, 'returnMessage')) ?? [];
  if (res !== 'success')
    return { sent: 'perhaps', resendAfter: waitOf(seconds), targets: [], isRefused: true } as const;
  const phone = clean(textOf(answer, 'mobile')).slice(0, 40);
  const targets = phone === '' ? [] : [phone];
  return { sent: 'yes', resendAfter: waitOf(textOf(answer, 'codeTime')), targets, isRefused: false } as const;
};

/** What a refused code says of more than the code, and in which words. */
export const parseRefusal = (text: string): { readonly meaning: TextMeaning | null; readonly words: string } => {
  const answer = membersIn(text);
  const words = textOf(answer, 'code') === 'reAuth_failed' ? plainMessage(textOf(answer, 'msg')) : '';
  const meaning = judgeText(words);
  return { meaning: meaning !== null && ofMore.has(meaning) ? meaning : null, words };
};

export const parseChecked = (text: string): 'passed' | 'wrong' | 'expired' | 'gone' | 'unknown' => {
  const answer = membersIn(text);
  const code = textOf(answer, 'code');
  if (code === 'reAuth_failed') return judgeCodeText(textOf(answer, 'msg')) ?? 'wrong';
  return code === 'reAuth_success' ? 'passed' : code === 'reAuth_unauthorized' ? 'gone' : 'unknown';
};

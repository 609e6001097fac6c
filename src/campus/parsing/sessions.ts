import { hanNumber } from '../../lib/han-numbers.ts';
import { timeOfDay, timesIn } from '../../lib/moments.ts';
import { plainSigns } from '../../lib/plain-signs.ts';
import { int, str } from './cells.ts';

// Weekdays and sessions as the products write them: as numbers, or in words.

const weekdays = '一二三四五六日';

/** 1 to 7, 三, 星期三 or 周日; 0 for anything else. */
export const weekdayIn = (value: unknown): number => {
  const text = plainSigns(str(value)).trim();
  const named = /^(?:星期|礼拜|周)?0?([一二三四五六日天1-7])$/.exec(text)?.[1];
  const day = named === undefined ? int(value) : weekdays.indexOf(named === '天' ? '日' : named) + 1 || Number(named);
  return day >= 1 && day <= 7 ? day : 0;
};

export interface SessionRange {
  readonly first: number;
  readonly last: number;
}

/** No day has more sessions. */
const mostSessions = 30;

const runOf = (part: string): SessionRange | null => {
  const [, from = '', to = from] = /^(\d{1,2})(?:[-~至到]{1,2}(\d{1,2}))?$/.exec(part) ?? [];
  const [first, last] = [Number(from), Number(to)];
  return first < 1 || last < first || last > mostSessions ? null : { first, last };
};

/** `0102`: two digits for each session. */
const pairsIn = (text: string): SessionRange | null => {
  if (!/^(?:\d{2}){2,12}$/.test(text)) return null;
  const sessions = text.match(/\d{2}/g)?.map(Number) ?? [];
  const [first = 0] = sessions;
  return first >= 1 && sessions.every((session, at) => session === first + at)
    ? { first, last: first + sessions.length - 1 }
    : null;
};

/** The parts of `1-2,5-6`, `第1-2节`, `第三节` or `0102`; null where one of them cannot be read. */
export const sessionParts = (value: unknown): SessionRange[] | null => {
  const text = plainSigns(str(value))
    .replace(/[一二三四五六七八九十]{1,3}/g, (han) => String(hanNumber(han) ?? han))
    .replace(/第|小?节|\s/g, '');
  const pairs = pairsIn(text);
  if (pairs !== null) return [pairs];
  const parts = text.split(/[,、;]/).map(runOf);
  return parts.every((part) => part !== null) ? parts : null;
};

/** Where they begin and, where that is said, how many they are; null for what cannot be read, or is not in one piece. */
export const sessionsIn = (value: unknown): { readonly first: number; readonly count: number | null } | null => {
  const text = str(value);
  if (text === '' || /^0+$/.test(text)) return { first: 0, count: null };
  const parts = sessionParts(value);
  const [begin, ...more] = parts ?? [];
  if (begin === undefined) return null;
  let { last } = begin;
  for (const part of more) {
    if (part.first !== last + 1) return null;
    last = part.last;
  }
  const { first } = begin;
  return { first, count: last === first ? null : last - first + 1 };
};

/** The session that a cell names; 0: none. */
export const sessionOf = (value: unknown): number => {
  const found = sessionsIn(value);
  return found === null || found.count !== null ? 0 : found.first;
};

/** `HHMM` of a time in any spelling; `""` for what is none. */
export const clockTimeOf = (value: unknown): string => {
  const text = str(value);
  return (timeOfDay(text) ?? timesIn(text)?.from ?? '').slice(0, 5).replace(':', '');
};

/** From one `HHMM` to another. */
export const minutesBetween = (from: string, to: string): number => {
  const minutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(2));
  return minutes(to) - minutes(from);
};

import { plainSigns } from './plain-signs.ts';
import { campusDate, DAY_MS, dayNumber, offsetAt } from './time.ts';

/** The one reader of the dates and times of a campus: of exams, calendars, activities and records. */

const two = (digits: string): string => digits.padStart(2, '0');

/** The spellings of the campus: `2026-01-09`, `2026/1/9`, `2026.1.9`, `2026年1月9日` and `20260109`. */
const spelling = /(?<!\d)(?:(\d{4})\s?[-/.年]\s?(\d{1,2})\s?[-/.月]\s?(\d{1,2})(?!\d)|(\d{4})(\d{2})(\d{2})(?!\d))/g;

/**
 * A date with an hour and the zone in which it is meant. The minus of a zone follows seconds: `14:00-15:30` is a span.
 */
const zoned =
  /(?<!\d)(\d{4}-\d{2}-\d{2})[T ](\d{2}):?(\d{2})(?::?(\d{2})(?:[.,]\d{1,9})?)?\s?(?:(Z|UTC|GMT)(?![A-Za-z+-])|([+-])(\d{2})(?::?(\d{2}))?(?![\d:]))/gi;
const farthestEast = 14;

/** Digits alone: milliseconds or seconds since 1970. */
const epoch = /^(?:\/Date\()?(\d{13}|\d{10})(?:[+-]\d{4})?(?:\)\/)?$/;

const instantOf = (found: readonly (string | undefined)[]): number => {
  const [, day = '', hour = '', minute = '', second, , sign, zoneHours = '0', zoneMinutes = '0'] = found;
  const date = dayNumber(day);
  if (date === null || Number(hour) > 23 || Number(minute) > 59) return Number.NaN;
  const isSpan = sign === '-' && second === undefined;
  if (isSpan || Number(zoneHours) > farthestEast || Number(zoneMinutes) % 15 !== 0) return Number.NaN;
  const offset = (Number(zoneHours) * 60 + Number(zoneMinutes)) * (sign === '-' ? -60_000 : 60_000);
  return date * DAY_MS + ((Number(hour) * 60 + Number(minute)) * 60 + Number(second ?? 0)) * 1000 - offset;
};

const pad = (value: number): string => String(value).padStart(2, '0');

/** `YYYY-MM-DD HH:MM:SS` by the clock of the campus. */
const wallClock = (instant: number, timeZone: string): string => {
  const inDay = ((((instant + offsetAt(instant, timeZone)) / 1000) % 86_400) | 0) + (instant < 0 ? 86_400 : 0);
  return `${campusDate(instant, timeZone)} ${pad(Math.floor(inDay / 3600))}:${pad(Math.floor(inDay / 60) % 60)}:${pad(inDay % 60)}`;
};

/** The text with every moment that names a zone, or is a number of seconds, as date and hour of the campus. */
export const inCampusTime = (text: string, timeZone: string): string => {
  const [, digits] = epoch.exec(text.trim()) ?? [];
  if (digits !== undefined) return wallClock(Number(digits.padEnd(13, '0')), timeZone);
  return text.replace(zoned, (whole, ...groups: Array<string | undefined>) => {
    const instant = instantOf([whole, ...groups.slice(0, 8)]);
    return Number.isNaN(instant) ? whole : wallClock(instant, timeZone);
  });
};

/** True for a moment whose day at the campus depends on its time zone. */
export const isZoned = (text: string): boolean =>
  epoch.test(text.trim()) || text.matchAll(zoned).some((found) => !Number.isNaN(instantOf(found)));

/** Every real date in a text, as `YYYY-MM-DD`, in order. */
export const datesIn = (text: string): string[] =>
  [...plainSigns(text).matchAll(spelling)].flatMap(([, y1, m1, d1, y2, m2, d2]) => {
    const date = `${y1 ?? y2}-${two(m1 ?? m2 ?? '')}-${two(d1 ?? d2 ?? '')}`;
    return dayNumber(date) === null ? [] : [date];
  });

const wholeDate = new RegExp(`${spelling.source}\\s?[日号]?`, 'g');

/** What a text says beside its dates. */
export const withoutDates = (text: string): string => {
  const parts: string[] = [];
  let from = 0;
  for (const found of plainSigns(text).matchAll(wholeDate)) {
    parts.push(text.slice(from, found.index));
    from = found.index + found[0].length;
  }
  return [...parts, text.slice(from)].join(' ').replace(/\s+/g, ' ').trim();
};

/** `2026年1月9-10日`, `2026-01-09至01-10`: the second day is written short. */
const secondDay = new RegExp(
  `${wholeDate.source}\\s?[-~至到、,，和及]\\s?(?:\\d{1,2}\\s?[-/.月]\\s?)?\\d{1,2}(?!\\d|\\s?(?:[:：时点节场周]|[-~]\\s?\\d))`,
);

/** The text speaks of more than one day. */
export const statesSeveralDays = (text: string): boolean =>
  new Set(datesIn(text)).size > 1 || secondDay.test(plainSigns(text));

/** The first date of a text as `YYYY-MM-DD`; the text itself where it holds none, or one whose day the zone decides. */
export const isoDateOr = (text: string): string => (isZoned(text) ? text : (datesIn(text)[0] ?? text));

/** The day of such a text at the campus. */
export const campusDayOr = (text: string, timeZone: string): string =>
  isZoned(text) ? isoDateOr(inCampusTime(text, timeZone)) : text;

const weekday = /(?:星期|礼拜|周)[一二三四五六日天]/g;
/** Weeks, sittings and sessions. */
const noHourWords =
  /第?\s?(?:\d{1,2}(?:\s?[-~—–～至到,，、]\s?\d{1,2})?|[一二三四五六七八九十]{1,3})\s?[周场节]次?|节/g;
/** Remarks, but for those that state an hour. */
const bracketed = /[（([【]([^（([【）)\]】]*)[）)\]】]/g;
const dayOfMonth = /\d{1,2}\s?月\s?\d{1,2}\s?[日号]?/g;

const partsOfDay = '上午|中午|下午|傍晚|晚上|凌晨|[AaPp]\\.?[Mm]\\.?(?![A-Za-z])';
const anyPartOfDay = new RegExp(partsOfDay);
/** Signs of other words for a part of the day. */
const dayOrNight = '早晚夜午晨';

/** What counts of a remark: hours, and words that shift them. One that we do not know touches the hour, and leaves a doubt. */
const countsOf = (remark: string): string => {
  if (/\d[:：]\d/.test(remark)) return ` ${remark} `;
  const known = anyPartOfDay.exec(remark)?.[0];
  return known === undefined ? (new RegExp(`[${dayOrNight}]`).exec(remark)?.[0] ?? ' ') : ` ${known} `;
};

/** Without what stands beside hours and says nothing of them. The dates are blanks. */
const stripDates = (text: string): string =>
  plainSigns(text)
    .replace(wholeDate, ' ')
    .replace(bracketed, (_, remark: string) => countsOf(remark))
    .replace(dayOfMonth, ' ')
    .replace(weekday, ' ')
    .replace(noHourWords, ' ')
    .replace(/(?<=[\s\d])T(?=\d)/g, ' ');

const hourPattern = '(\\d{1,2})[:：](\\d{2})(?:[:：](\\d{2})(?:\\.\\d{1,6})?)?(?![\\d:：])';
const oneHour = `(?:(${partsOfDay})\\s?[:：]?\\s?)?(?<!\\d|\\d\\s?[:：])${hourPattern}(?:\\s?(${partsOfDay}))?`;
const spans = new RegExp(`${oneHour}(?:\\s?[-－~—–～至到]{1,2}\\s?${oneHour})?`, 'g');

/** Minutes of the day; null where the hour is none, or its word leaves a doubt. */
const minuteOf = (hourText: string, minuteText: string, word: string | undefined): number | null => {
  const [hour, minute] = [Number(hourText), Number(minuteText)];
  if (hour > 23 || minute > 59) return null;
  const said = word === undefined ? '' : word.replaceAll('.', '').toUpperCase();
  const at = (shown: number): number => shown * 60 + minute;
  if (said === '' || hour >= 13) return at(hour);
  const isMorning = said === '凌晨' || said === 'AM';
  if (hour === 12) {
    if (isMorning) return at(0);
    return said === '晚上' || said === '傍晚' ? null : at(12);
  }
  if (hour === 0) return isMorning || said === '上午' ? at(0) : null;
  const isLater = ['下午', '傍晚', '晚上', 'PM'].includes(said) || (said === '中午' && hour < 11);
  return at(isLater ? hour + 12 : hour);
};

const letters = /[\p{L}]/u;

const titleOfPart = new RegExp(`[${dayOrNight}]\\p{L}{0,2}\\s?[:：]\\s?$`, 'u');

/** Another word of up to three signs directly beside an hour may change it: 早8:00, 约8:00, 晚：8:00. */
const hasWordBeside = (text: string, from: number, to: number): boolean => {
  if (titleOfPart.test(text.slice(Math.max(from - 8, 0), from))) return true;
  const before = /\p{L}{1,4}$/u.exec(text.slice(Math.max(from - 4, 0), from))?.[0].length ?? 0;
  if (before > 0 && before < 4) return true;
  const behind = letters.test(text.charAt(to)) ? (/^\p{L}{1,4}/u.exec(text.slice(to, to + 4))?.[0].length ?? 0) : 0;
  return behind > 0 && behind < 4;
};

export interface HourSpan {
  /** Minutes of the day. */
  readonly from: number;
  readonly to: number | null;
  /** Seconds of the beginning, where it states some. */
  readonly seconds: string;
}

const spanOf = (text: string, found: RegExpExecArray): HourSpan | null => {
  const [whole, w1, hour = '', minute = '', second = '00', w2, w3, endHour, endMinute, , w4] = found;
  if (hasWordBeside(text, found.index, found.index + whole.length)) return null;
  if (w1 !== undefined && w2 !== undefined && w1 !== w2) return null;
  const from = minuteOf(hour, minute, w1 ?? w2);
  if (from === null) return null;
  if (endHour === undefined || endMinute === undefined) return { from, to: null, seconds: second };
  const to = minuteOf(endHour, endMinute, w3 ?? w4);
  const isPlainEnd = Number(endHour) <= 23 && Number(endMinute) <= 59;
  if (to === null) return isPlainEnd ? null : { from, to: null, seconds: second };
  const [half, begins] = [12 * 60, w1 ?? w2];
  // `2:00-4:00 PM`: the word may be meant for both.
  if (begins === undefined && to >= half && Number(endHour) < 12 && from < half && from + half < to) return null;
  if (to === from) return { from, to: null, seconds: second };
  if (to > from) return { from, to, seconds: second };
  return to + half > from && to + half < 24 * 60 && to < half ? { from, to: to + half, seconds: second } : null;
};

/** Longer texts are no statement of a time. */
const longestTime = 4_000;

/** The hours that a text states, in order; null for one that leaves a doubt. Where one thing ends, nothing begins. */
export const hourSpansIn = (text: string): Array<HourSpan | null> => {
  const plain = stripDates(text.slice(0, longestTime));
  return [...plain.matchAll(spans)].map((found) => spanOf(plain, found));
};

const clock = (minutes: number): string => `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;

/** The first span of a text as `HH:MM:SS`; null where it states none, or none without a doubt. */
export const timesIn = (text: string): { readonly from: string; readonly to: string | null } | null => {
  const [first] = hourSpansIn(text.slice(0, 100));
  if (!first) return null;
  return {
    from: `${clock(first.from)}:${first.seconds}`,
    to: first.to === null ? null : `${clock(first.to)}:00`,
  };
};

/** Stands for an hour that leaves a doubt: it equals no other. */
export const doubtfulHour = '?';

/** Stands beside hours and says nothing more of them. */
const besideHours = new RegExp(`${weekday.source}|${noHourWords.source}|${partsOfDay}|[\\s（()）【】,，;；:：]`, 'g');

/** `HH:MM-HH:MM` or `HH:MM` of a text that states nothing else; null for one that does, or leaves a doubt. */
export const hoursAlone = (text: string): string | null => {
  const plain = plainSigns(text);
  const [span, ...more] = hourSpansIn(plain);
  if (!span || more.length > 0 || plain.replace(spans, ' ').replace(besideHours, '') !== '') return null;
  return [span.from, ...(span.to === null ? [] : [span.to])].map(clock).join('-');
};

/** A text that names nothing but a weekday, a week or a sitting. */
export const statesNoTime = (text: string): boolean =>
  text
    .replace(weekday, '')
    .replace(/第?\s?\d{1,2}\s?周/g, '')
    .replace(/[\s（()）,，]/g, '') === '';

/** When the things that a text speaks of begin, as `HH:MM`, in order. */
export const startTimesIn = (text: string): string[] =>
  hourSpansIn(text).map((span) => (span === null ? doubtfulHour : clock(span.from)));

/** `0800`, `8:00`, `08:00` or `08:00:00` → `08:00:00`, also behind a date; null for anything else. */
export const timeOfDay = (text: string): string | null => {
  const plain = plainSigns(text).trim();
  const [, hour, minute, second = '00'] =
    /^(?:\d{4}-\d{2}-\d{2}[T ])?([01]?\d|2[0-3]):?([0-5]\d)(?::?([0-5]\d)(?:\.\d{1,9})?)?$/.exec(plain) ?? [];
  return hour === undefined || minute === undefined ? null : `${two(hour)}:${minute}:${second}`;
};

/** A moment of the campus as `YYYY-MM-DDTHH:MM:SS`; null for anything else. */
export const momentIn = (text: string, timeZone: string): string | null => {
  const [, year = '', month = '', day = '', hours, seconds = ':00'] =
    /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})[ T]((?:[01]\d|2[0-3]):[0-5]\d)(:[0-5]\d)?(?:\.\d{1,9})?$/.exec(
      inCampusTime(text.trim(), timeZone),
    ) ?? [];
  const date = `${year}-${two(month)}-${two(day)}`;
  return hours === undefined || dayNumber(date) === null ? null : `${date}T${hours}${seconds}`;
};

import type { CalendarText, TermStart } from '../../../domain/academics/current-term.ts';
import type { Term } from '../../../domain/academics/records.ts';
import { datesIn } from '../../../lib/moments.ts';
import { int } from '../../parsing/cells.ts';
import { elementsIn, type Option, optionsOf, scriptsIn } from '../../parsing/elements.ts';
import { attributeOf, hasCssClasses, htmlTokens } from '../../parsing/html-tokens.ts';
import { readersOf, unreadable } from '../../parsing/reading.ts';
import { withoutComments } from '../../parsing/script-values.ts';
import { collapse, decodeEntities } from '../../parsing/text.ts';

const reader = readersOf(import.meta.url);

/** Combining marks after thirty others, the most that Unicode allows in streams; each by itself, since there may be any number. */
const surplusMarks = /(?<=[\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]/gu;

/** Visible text with narrow digits. Sorting combining marks costs the square of their number. */
const narrow = (text: string): string => collapse(text.replace(surplusMarks, '').normalize('NFKC'));

const yearPattern = /(\d{4})[-–—~/至](\d{4})/;
/** The last resort: the whole calendar text, anywhere. */
const anywhere = /\d{4}[-–—~/至]\d{4} ?(?:春|秋|夏)?(?:学期)? ?第\d{1,3}周(?: ?星期[一二三四五六日天])?/;

/** The first link of an item is the calendar link of the header, where the item is a marked one of the bar. */
const linksOf = (page: string) => {
  let inBar = false;
  let inItem = false;
  return elementsIn(page, (tag, attributes) => {
    inBar ||= attributeOf(attributes, 'id') === 'navbar-container';
    if (tag === 'li') inItem = hasCssClasses(attributes, 'light-red');
    if (tag !== 'a') return null;
    const inHeader = inBar && inItem;
    inItem = false;
    if (inHeader) return 'header';
    return hasCssClasses(attributes, 'dropdown-toggle') ? 'toggle' : 'other';
  }).map(({ kind, text }) => ({ kind, text: narrow(text) }));
};

/** Scripts hold texts that are never shown. */
const visibleText = (page: string): string => {
  const texts = htmlTokens(page).flatMap((token) => (token.kind === 'text' ? [token.text] : []));
  return narrow(decodeEntities(texts.toArray().join('')));
};

/** The calendar text: the header link, else a link that names a week, else the text anywhere on the page. */
const calendarTextOf = (page: string): string | null => {
  const links = linksOf(page);
  const header = links.filter(({ kind, text }) => kind === 'header' && text !== '');
  const weekly = links.filter(({ kind, text }) => kind !== 'other' && text.includes('第') && text.includes('周'));
  const dated = [...header, ...weekly].find(({ text }) => yearPattern.test(text));
  return dated?.text ?? anywhere.exec(visibleText(page))?.[0] ?? (header[0] ?? weekly[0])?.text ?? null;
};

const ordinals: Readonly<Record<string, string>> = {
  一: '秋',
  '1': '秋',
  二: '春',
  '2': '春',
  三: '夏',
  '3': '夏',
  上: '秋',
  下: '春',
};

/** By its word, else by its number. */
const seasonIn = (text: string): string => {
  const number = /第\s?([一二三123])\s?学期|\d{4}[-–—~/至]\d{4}-([123])(?!\d)|([上下])学期/.exec(text);
  return /[春秋夏]/.exec(text)?.[0] ?? ordinals[number?.[1] ?? number?.[2] ?? number?.[3] ?? ''] ?? '';
};

const inVacation = '处于假期';
/** Of the calendar's own text: news may speak of any vacation. */
const speaksOfVacation = /假期|[寒暑]假|放假/;
const isNowVacation = /处于假期|(?:现在|当前|目前|正)(?:处?[于在]|是|为|放)?.{0,2}假/;
const weekPattern = /第\s?(\d{1,3})\s?周/;

const speaksOfEnd = /结束|考试/;

export const homeAlive = reader(
  'homeAlive',
  (page: string): boolean =>
    page.includes('navbar-container') || page.includes(inVacation) || calendarTextOf(page) !== null,
);

/**
 * `2025-2026 秋 第1周 星期三` in the header of the start page; outside teaching weeks without a week. Missing parts
 * are empty; the weekday is not read: we know today's.
 * @throws Failure `upstream-unreadable` when there is no such text
 */
export const parseHome = reader('parseHome', (page: string): CalendarText => {
  const text = calendarTextOf(page);
  // It names neither term nor week.
  const isDated = text !== null && (yearPattern.test(text) || weekPattern.test(text));
  const isVacation = text === null ? visibleText(page).includes(inVacation) : isNowVacation.test(text);
  if (!isDated && isVacation) {
    return { academicYear: '', season: '', week: 0, speaksOfEnd: true };
  }
  const says = (words: RegExp): boolean => words.test(text ?? '');
  if (text === null || (!isDated && seasonIn(text) === '' && !says(speaksOfEnd) && !says(speaksOfVacation))) {
    throw unreadable('academics', 'start page without calendar text');
  }
  const week = weekPattern.exec(text)?.[1];
  return {
    academicYear: yearPattern.exec(text)?.slice(1).join('-') ?? '',
    season: seasonIn(text),
    week: week === undefined ? null : int(week),
    speaksOfEnd: speaksOfEnd.test(text),
  };
});

export const calendarAlive = reader('calendarAlive', (page: string): boolean =>
  /(?<![\w$.])rq\s{0,8}=(?!=)/.test(page),
);

/** Returns the scripts without their comments, which may still hold the first days of earlier terms. */
const scriptOf = (page: string): string => {
  const scripts = scriptsIn(page);
  // A page without script elements may be the script itself.
  return (scripts.length === 0 ? [page] : scripts).map(withoutComments).join('\n');
};

/**
 * `var rq = "20250901"; var zs = 18;`: first day of week 1, number of weeks.
 * @throws Failure `upstream-unreadable` without a first day that is a real day
 */
export const parseCalendar = reader('parseCalendar', (page: string): TermStart => {
  const script = scriptOf(page);
  const stated = /(?<![\w$.])rq\s{0,8}=\s{0,8}(["'`]?)(\d{8})\1(?!\d)/.exec(script)?.[2];
  const [firstDay] = datesIn(stated ?? '');
  if (firstDay === undefined) throw unreadable('academics', 'calendar without first day');
  const weeks = /(?<![\w$.])zs\s{0,8}=\s{0,8}["'`]?(\d{1,3})(?!\d)/.exec(script)?.[1];
  return { firstDay, weeks: Number(weeks ?? 0) };
});

export const calendarPageAlive = reader(
  'calendarPageAlive',
  (page: string): boolean => optionsOf(page, 'planCode') !== null,
);

const currentMark = /[（(]\s*当前(?:学期)?\s*[）)]/g;

/** The campus writes 春 and 秋, the apps show the half of the academic year. */
export const termName = (text: string): string =>
  collapse(text.replace(currentMark, ' ').replaceAll('春', '下').replaceAll('秋', '上'));

/** The options that are terms: where others name a year, one that names none chooses all, or nothing. */
export const termOptions = (options: readonly Option[]): readonly Option[] => {
  const isYear = ({ value }: Option): boolean => /\d{4}/.test(value);
  return options.some(isYear) ? options.filter(isYear) : options.filter(({ value }) => value !== '');
};

/**
 * The options of `select#planCode`, newest first as the page has them. Current is the option marked `当前`, else the
 * selected one, else the first: in vacations the list may already begin with the next term.
 * @throws Failure `upstream-unreadable` when the selector is missing or names no term
 */
export const parseTermList = reader('parseTermList', (page: string): Term[] => {
  const options = optionsOf(page, 'planCode');
  if (options === null) throw unreadable('academics', 'term selector missing');
  // A repeated code keeps its first position and takes the last text.
  const terms = new Map<string, Option>();
  for (const option of termOptions(options)) {
    if (option.text === '全部') continue;
    const selected = option.selected || terms.get(option.value)?.selected === true;
    terms.set(option.value, { ...option, selected });
  }
  const listed = [...terms.values()];
  const current = listed.find((o) => o.text.includes('当前')) ?? listed.find((o) => o.selected) ?? listed[0];
  if (current === undefined) throw unreadable('academics', 'term selector without terms');
  return listed.map((o) => ({ term_code: o.value, term_name: termName(o.text), is_current: o === current }));
});

import type { CalendarText } from '../../domain/academics/current-term.ts';
import { attributeOf, hasClasses, htmlTokens } from '../parsing/html-tokens.ts';
import { int } from '../parsing/scalars.ts';
import { collapse, decodeEntities } from '../parsing/text.ts';
import { unreadable } from '../parsing/unreadable.ts';

const mostCandidates = 200;
const longestText = 200;

/** Combining marks behind thirty others, the most that Unicode allows in streams. One by one: a run has no end. */
const surplusMarks = /(?<=[\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]/gu;

/**
 * Visible text with narrow digits. Its normal form puts combining marks in order, at the cost of the square of their
 * number.
 */
const narrow = (source: string): string => collapse(decodeEntities(source).replace(surplusMarks, '').normalize('NFKC'));

const yearPattern = /\d{4}-\d{4}/;
/** Where nothing else helps: the whole calendar text, wherever it stands. */
const anywhere = /\d{4}-\d{4} ?(?:春|秋|夏)?(?:学期)? ?第\d{1,3}周(?: ?星期[一二三四五六日天])?/;

interface Link {
  readonly text: string;
  readonly inHeader: boolean;
}

/** The links of the page, each with whether it is the calendar link of the header. */
const linksOf = (page: string): Link[] => {
  const links: Link[] = [];
  let inBar = false;
  let inItem = false;
  let open: { text: string; inHeader: boolean; toggle: boolean } | null = null;
  const finish = (): void => {
    if (open !== null && (open.inHeader || open.toggle)) {
      links.push({ text: narrow(open.text).slice(0, longestText), inHeader: open.inHeader });
    }
    open = null;
  };
  for (const token of htmlTokens(page)) {
    if (links.length > mostCandidates) break;
    if (token.kind === 'text') {
      // More than twice what is kept is no link text; what is cut away is never looked at.
      if (open !== null && open.text.length < 20 * longestText) open.text += token.text;
    } else if (token.kind === 'open') {
      if (attributeOf(token.attributes, 'id') === 'navbar-container') inBar = true;
      if (token.name === 'li') inItem = hasClasses(token.attributes, 'light-red');
      if (token.name !== 'a') continue;
      finish();
      open = { text: '', inHeader: inBar && inItem, toggle: hasClasses(token.attributes, 'dropdown-toggle') };
    } else if (token.kind === 'close') {
      if (token.name === 'li') inItem = false;
      if (token.name === 'a') finish();
    }
  }
  finish();
  return links;
};

/** Scripts hold texts that nobody sees. */
const visibleText = (page: string): string => {
  const texts: string[] = [];
  for (const token of htmlTokens(page)) if (token.kind === 'text') texts.push(token.text);
  return narrow(texts.join(''));
};

/** The calendar text: the header link, else a link that names a week, else the text anywhere on the page. */
const calendarTextOf = (page: string): string | null => {
  const links = linksOf(page);
  const header = links.filter((link) => link.inHeader && link.text !== '');
  const weekly = links.filter(({ text }) => text.includes('第') && text.includes('周'));
  const dated = [...header, ...weekly].find(({ text }) => yearPattern.test(text));
  return dated?.text ?? anywhere.exec(visibleText(page))?.[0] ?? (header[0] ?? weekly[0])?.text ?? null;
};

/** The start page of a live session has a navigation bar. */
export const homeAlive = (page: string): boolean => page.includes('navbar-container') || calendarTextOf(page) !== null;

/**
 * `2025-2026 秋 第1周 星期三` in the header of the start page; outside teaching weeks without a week. Parts that are
 * not there are empty; the weekday is not read, because today's is known better.
 * @throws Failure `upstream-unreadable` when there is no such text
 */
export const parseHome = (page: string): CalendarText => {
  const text = calendarTextOf(page);
  if (text === null) throw unreadable('academics', 'start page without calendar text');
  const week = /第\s?(\d{1,3})\s?周/.exec(text)?.[1];
  return {
    academicYear: yearPattern.exec(text)?.[0] ?? '',
    season: /[春秋]/.exec(text)?.[0] ?? '',
    week: week === undefined ? null : int(week),
    speaksOfEnd: /结束|考试/.test(text),
  };
};

import { type StatedCalendarText, type TermStart, weeksOfTerm } from '../../../domain/academics/current-term.ts';
import type { Term } from '../../../domain/academics/records.ts';
import { datesIn } from '../../../lib/moments.ts';
import { plainSigns } from '../../../lib/plain-signs.ts';
import { elementsIn, type Option, optionsOf } from '../../parsing/elements.ts';
import { formsIn } from '../../parsing/forms.ts';
import { attributeOf } from '../../parsing/html-tokens.ts';
import { noteOddity } from '../../parsing/oddities.ts';
import { readersOf, unreadable } from '../../parsing/reading.ts';
import { pageReaders } from './pages.ts';

const reader = readersOf(import.meta.url);
const system = 'academics';
const mostYears = 8;

/** The terms of a year by the numbers that the product gives them. */
const numbers: Readonly<Record<string, string>> = { '3': '1', '12': '2', '16': '3' };
const seasons: Readonly<Record<string, string>> = { '1': '秋', '2': '春' };

const codeOf = (year: string, number: string): string => `${year}-${Number(year) + 1}-${number}-1`;

/** `2025`, `3` → `2025-2026-1-1`; null for what is no term. */
export const termCodeOf = (year: string, xqm: string): string | null => {
  const number = numbers[xqm];
  return number === undefined || !/^\d{4}$/.test(year) ? null : codeOf(year, number);
};

const words: ReadonlyArray<readonly [RegExp, string]> = [
  [/^1$|第?一学?期?$|1学期|^[上秋]/, '1'],
  [/^2$|第?二学?期?$|2学期|^[下春]/, '2'],
  [/^3$|第?三学?期?$|3学期|^夏/, '3'],
];

/** `2025-2026` and `1` or `第一学期` → a term code; null for what is none. */
export const termCodeInWords = (years: string, term: string): string | null => {
  const [, year = '', to = ''] = /^(\d{4})[-~/至](\d{4})(?:学年)?$/.exec(plainSigns(years)) ?? [];
  const number = words.find(([each]) => each.test(term))?.[1];
  return number === undefined || year === '' || Number(to) !== Number(year) + 1 ? null : codeOf(year, number);
};

/** The year and the number of the product for a code, empty for all terms; null: it has no such term. */
export const ownTerm = (code: string): { readonly xnm: string; readonly xqm: string } | null => {
  if (code === '') return { xnm: '', xqm: '' };
  const [, xnm = '', number = ''] = /^(\d{4})-\d{4}-(\d)-1$/.exec(code) ?? [];
  const xqm = Object.keys(numbers).find((each) => numbers[each] === number);
  return xqm === undefined || termCodeOf(xnm, xqm) !== code ? null : { xnm, xqm };
};

const hiddenOption = (page: string, name: string): Option[] => {
  const inputs = formsIn(page).flatMap((form) => form.inputs);
  const found = inputs.find((input) => input.name === name || input.id === name);
  return found === undefined ? [] : [{ value: found.value.trim(), text: '', selected: true }];
};

const optionsIn = (page: string, name: string): Option[] =>
  (optionsOf(page, name) ?? hiddenOption(page, name)).filter(({ value }) => value !== '');

const nameOf = (year: Option, term: Option): string =>
  `${year.text || `${year.value}-${Number(year.value) + 1}`}-${term.text || numbers[term.value]}`;

/** The terms up to the selected year, newest first. */
export const [termsPageAlive, parseTermsPage] = pageReaders(
  ['termsPageAlive', 'parseTermsPage'],
  'xqm',
  reader,
  (page): { terms: Term[] } => {
    const [years, all] = [optionsIn(page, 'xnm'), optionsIn(page, 'xqm')];
    const offered = all.filter(({ value }) => value in numbers);
    noteOddity('unknown-text', 'xqm', all.length - offered.length);
    const [year, term] = [years, offered].map((options) => options.find(({ selected }) => selected));
    if (year === undefined || term === undefined || !/^\d{4}$/.test(year.value))
      throw unreadable(system, 'no current term');
    const until = years
      .filter(({ value }) => /^\d{4}$/.test(value) && value <= year.value)
      .toSorted((a, b) => Number(b.value) - Number(a.value))
      .slice(0, mostYears);
    const latestFirst = offered.toSorted((a, b) => Number(b.value) - Number(a.value));
    return {
      terms: until.flatMap((each) =>
        latestFirst.map((one) => ({
          term_code: termCodeOf(each.value, one.value) ?? '',
          term_name: nameOf(each, one),
          is_current: each === year && one === term,
        })),
      ),
    };
  },
);

export const calendarTextOf = (termCode: string): StatedCalendarText => {
  const [, academicYear = '', number = ''] = /^(\d{4}-\d{4})-(\d)/.exec(termCode) ?? [];
  return { academicYear, season: seasons[number] ?? '', week: null, speaksOfEnd: false, code: termCode };
};

const termText = /(\d{4})\s?-\s?(\d{4})学年\s?第?([123一二三])\s?学期\s?\(([^()]{16,60})\)/;

/** The first cell that states the days of a term: `2025-2026学年1学期(2025-09-01至2026-01-18)`. */
export const [areaAlive, parseArea] = pageReaders(
  ['areaAlive', 'parseArea'],
  'colspan',
  reader,
  (page): { readonly termCode: string | null; readonly start: TermStart } => {
    const cells = elementsIn(page, (_, attributes) => (attributeOf(attributes, 'colspan') === null ? null : 'cell'));
    const [, from = '', to = '', term = '', days = ''] =
      cells.map(({ text }) => termText.exec(plainSigns(text))).find((found) => found !== null) ?? [];
    const [firstDay = '', lastDay = ''] = datesIn(days);
    const weeks = weeksOfTerm(firstDay, lastDay);
    if (weeks === 0) throw unreadable(system, 'no days of the term');
    const termCode = termCodeInWords(`${from}-${to}`, /\d/.test(term) ? term : `第${term}学期`);
    return { termCode, start: { firstDay, weeks } };
  },
);

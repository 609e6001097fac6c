import { type StatedTermStart, weeksOfTerm } from '../../../domain/academics/current-term.ts';
import type { Term } from '../../../domain/academics/records.ts';
import { isoDateOr, isZoned } from '../../../lib/moments.ts';
import { plainSigns } from '../../../lib/plain-signs.ts';
import { dayNumber } from '../../../lib/time.ts';
import { type JsonObject, label, list, obj, saysSomething, str } from '../../parsing/cells.ts';
import { optionsOf, scriptsIn } from '../../parsing/elements.ts';
import { attributeOf, htmlTokens } from '../../parsing/html-tokens.ts';
import { readersOf, readJsonObject, unreadable } from '../../parsing/reading.ts';
import { readFlagOrNull } from '../../parsing/row-reader.ts';
import { isList, isMembers, type Literal, readLiteralAt, withoutComments } from '../../parsing/script-values.ts';

const reader = readersOf(import.meta.url);
const system = 'academics';

/** A term of the school, whose ids are its own and are never worked out. */
export interface SchoolTerm extends Term {
  readonly id: string;
  /** Null: the list of the school does not say. `sunday`: its weeks begin there, so no day of it can be told. */
  readonly start: StatedTermStart | 'sunday' | null;
}

export interface TermsPage {
  readonly terms: readonly SchoolTerm[];
  /** The school's id of the student, which is not the number; null: the page does not name it. */
  readonly studentId: string | null;
  readonly dropped: number;
}

type TermWords = ReadonlyArray<readonly [words: RegExp, number: string]>;

const numbered: TermWords = [
  [/第一(?!阶段|轮|周)|1学期/, '1'],
  [/第二(?!阶段|轮|周)|2学期/, '2'],
  [/第三(?!阶段|轮|周)|3学期/, '3'],
];
const seasons: TermWords = [
  [/秋/, '1'],
  [/春/, '2'],
  // 春夏 is the half of the year that begins in spring.
  [/(?<!春)夏/, '3'],
];
/** Of the year; of a term, where that is named besides. */
const halves: TermWords = [
  [/上/, '1'],
  [/下/, '2'],
];

/** The one number that the words name; null: they name none, or several. */
const numberIn = (text: string, words: TermWords): string | null => {
  const found = words.filter(([each]) => each.test(text)).map(([, number]) => number);
  return found.length === 1 ? (found[0] ?? null) : null;
};

/** `2025-2026-2` or `2025-2026学年秋季学期` → a term code; `""` for a text that does not say, or says two. */
export const termCodeIn = (said: string): string => {
  const text = plainSigns(said);
  const [years = '', from = '', to = ''] = /(?<!\d)(\d{4})\s?[-~/至]\s?(\d{4})(?!\d)/.exec(text) ?? [];
  if (years === '' || Number(to) !== Number(from) + 1) return '';
  const rest = text.slice(text.indexOf(years) + years.length);
  const [number, season] = [numbered, seasons].map((words) => numberIn(rest, words));
  if (number && season && number !== season) return '';
  // A summer term may have halves too.
  const half = /[暑短小]/.test(rest) ? null : numberIn(rest, halves);
  const own = /^\s?-\s?([123])(?!\d)/.exec(rest)?.[1] ?? number ?? season ?? half;
  return own === null ? '' : `${from}-${to}-${own}-1`;
};

const startOf = (row: JsonObject): SchoolTerm['start'] => {
  // A word for it that we do not know leaves the same doubt.
  if (saysSomething(row.weekStartOnSunday) && readFlagOrNull(row.weekStartOnSunday) !== false) return 'sunday';
  const [firstDay, lastDay] = [isoDateOr(str(row.startDate)), isoDateOr(str(row.endDate))];
  if (isZoned(firstDay) || (isZoned(lastDay) && dayNumber(firstDay) !== null)) return { firstDay, lastDay, weeks: 0 };
  return dayNumber(firstDay) === null ? null : { firstDay, weeks: weeksOfTerm(firstDay, lastDay) };
};

export const parseTermStart = reader('parseTermStart', (text: string): StatedTermStart => {
  const start = startOf(readJsonObject(text, system));
  if (start === null) throw unreadable(system, 'term without first day');
  if (start === 'sunday') throw unreadable(system, 'week begins on Sunday');
  return start;
});

/** The value that a script assigns to a name, as the text of a literal; null where none does. */
const findAssignment = (scripts: readonly string[], name: string): { script: string; at: number } | null => {
  for (const script of scripts) {
    const found = new RegExp(`(?<![\\w$])${name}\\s{0,8}=\\s{0,8}`).exec(script);
    if (found) return { script, at: found.index + found[0].length };
  }
  return null;
};

const plainMembers = (row: Literal): JsonObject => (isMembers(row) ? Object.fromEntries(row) : {});

/** The rows of `JSON.parse('[…]')`, or of the literal itself. */
const rowsAt = (script: string, at: number): readonly unknown[] => {
  const parse = /JSON\.parse\(\s{0,8}/y;
  parse.lastIndex = at;
  if (!parse.test(script)) {
    const literal = readLiteralAt(script, at);
    return isList(literal) ? literal.map(plainMembers) : [];
  }
  const text = readLiteralAt(script, parse.lastIndex);
  try {
    return list(JSON.parse(typeof text === 'string' ? text : '[]'));
  } catch {
    return [];
  }
};

/** The days of the terms, as far as the page states them. */
const listedTerms = (scripts: readonly string[]): ReadonlyMap<string, JsonObject> => {
  const place = findAssignment(scripts, 'semesters');
  const rows = place === null ? [] : rowsAt(place.script, place.at);
  return new Map(rows.map((row) => [str(obj(row).id), obj(row)]));
};

const scriptNumber = (scripts: readonly string[], pattern: RegExp): string | null =>
  scripts.map((script) => pattern.exec(script)?.[1]).find((found) => found !== undefined) ?? null;

/** Where the page offers a choice of programmes, it belongs to no student yet. */
const idButtons = (page: string): number =>
  htmlTokens(page)
    .filter((token) => token.kind === 'open' && token.name === 'button')
    .filter((token) => token.kind === 'open' && /^\d+$/.test(attributeOf(token.attributes, 'value') ?? ''))
    .toArray().length;

const inputId = (page: string): string | null => {
  for (const token of htmlTokens(page)) {
    if (token.kind !== 'open' || token.name !== 'input') continue;
    if (attributeOf(token.attributes, 'id') === 'studentId') return attributeOf(token.attributes, 'value');
  }
  return null;
};

export const termsPageAlive = reader(
  'termsPageAlive',
  (page: string): boolean => page.includes('allSemesters') || idButtons(page) > 0,
);

/** The page of the timetable, which lists the terms. */
export const parseTermsPage = reader('parseTermsPage', (page: string): TermsPage => {
  const options = optionsOf(page, 'allSemesters');
  if (options === null) throw unreadable(system, idButtons(page) > 0 ? 'two programmes' : 'page without terms');
  // They may still hold the days of an earlier year.
  const scripts = scriptsIn(page).map(withoutComments);
  const days = listedTerms(scripts);
  const currentId = scriptNumber(
    scripts,
    /(?<![\w$])currentSemester\s{0,8}=\s{0,8}\{[^{}]{0,200}?["']?id["']?\s{0,8}:\s{0,8}["']?(\d+)/,
  );
  const offered = options.filter(({ value }) => value !== 'all' && value !== '');
  const selected = offered.find(({ selected }) => selected)?.value ?? currentId;
  const terms = offered.flatMap(({ value, text }): SchoolTerm[] => {
    const term_code = termCodeIn(text);
    if (term_code === '') return [];
    const start = startOf(days.get(value) ?? {});
    return [{ id: value, term_code, term_name: label(text), is_current: value === selected, start }];
  });
  if (!terms.some(({ is_current }) => is_current)) throw unreadable(system, 'no current term');
  const studentId = scriptNumber(scripts, /(?<![\w$])studentId\s{0,8}=\s{0,8}["']?(\d+)/) ?? inputId(page);
  return { terms, studentId, dropped: offered.length - terms.length };
});

import type { TermStart } from '../../../domain/academics/current-term.ts';
import type { Term } from '../../../domain/academics/records.ts';
import { isoDateOr } from '../../../lib/moments.ts';
import { plainSigns } from '../../../lib/plain-signs.ts';
import { dayNumber } from '../../../lib/time.ts';
import { type JsonObject, label, list, obj, str } from '../../parsing/cells.ts';
import { optionsOf, scriptsIn } from '../../parsing/elements.ts';
import { attributeOf, htmlTokens } from '../../parsing/html-tokens.ts';
import { readersOf, readJsonObject, unreadable } from '../../parsing/reading.ts';
import { readFlag } from '../../parsing/row-reader.ts';
import { readLiteralAt } from '../../parsing/script-values.ts';

const reader = readersOf(import.meta.url);
const system = 'academics';

/** A term of the school, whose ids are its own and are never worked out. */
export interface SchoolTerm extends Term {
  readonly id: string;
  /** Null: the list of the school does not say. `sunday`: its weeks begin there, so no day of it can be told. */
  readonly start: TermStart | 'sunday' | null;
}

export interface TermsPage {
  readonly terms: readonly SchoolTerm[];
  /** The school's id of the student, which is not the number; null: the page does not name it. */
  readonly studentId: string | null;
  readonly dropped: number;
}

const seasons: ReadonlyArray<readonly [words: RegExp, number: string]> = [
  [/第一|1学期|秋|上/, '1'],
  [/第二|2学期|春|下/, '2'],
  [/第三|3学期|夏/, '3'],
];

/** `2025-2026-2` or `2025-2026学年秋季学期` → a term code; `""` for a text that does not say. */
export const termCodeIn = (said: string): string => {
  const text = plainSigns(said);
  const [years = '', from = '', to = ''] = /(?<!\d)(\d{4})\s?[-~/至]\s?(\d{4})(?!\d)/.exec(text) ?? [];
  if (years === '' || Number(to) !== Number(from) + 1) return '';
  const rest = text.slice(text.indexOf(years) + years.length);
  const number = /^\s?-\s?([123])(?!\d)/.exec(rest)?.[1] ?? seasons.find(([words]) => words.test(rest))?.[1];
  return number === undefined ? '' : `${from}-${to}-${number}-1`;
};

const startOf = (row: JsonObject): SchoolTerm['start'] => {
  if (readFlag(row.weekStartOnSunday)) return 'sunday';
  const firstDay = isoDateOr(str(row.startDate));
  const [first, last] = [dayNumber(firstDay), dayNumber(isoDateOr(str(row.endDate)))];
  if (first === null) return null;
  return { firstDay, weeks: last === null || last < first ? 0 : Math.ceil((last - first + 1) / 7) };
};

export const parseTermStart = reader('parseTermStart', (text: string): TermStart => {
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

/** `JSON.parse('[…]')` or the literal itself; without it, nothing is known of the days of a term. */
const listedTerms = (scripts: readonly string[]): ReadonlyMap<string, JsonObject> => {
  const place = findAssignment(scripts, 'semesters');
  const parse = 'JSON.parse(';
  if (place === null || !place.script.startsWith(parse, place.at)) return new Map();
  const text = readLiteralAt(place.script, place.at + parse.length);
  try {
    const rows: unknown = JSON.parse(typeof text === 'string' ? text : '[]');
    return new Map(list(rows).map((row) => [str(obj(row).id), obj(row)]));
  } catch {
    return new Map();
  }
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
  const scripts = scriptsIn(page);
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

import type { Award, AwardCredits } from '../../domain/competitions/types.ts';
import { attributeOf, htmlTokens } from '../parsing/html-tokens.ts';
import { int, num } from '../parsing/scalars.ts';
import { collapse, decodeEntities } from '../parsing/text.ts';
import { unreadable } from '../parsing/unreadable.ts';

/** One page of the awards. Credits and greeting stand on every page; those of the first one count. */
export interface AwardPage {
  readonly studentId: string;
  readonly credits: AwardCredits;
  readonly awards: readonly Award[];
  /** Rows that look like awards but are none that can be read. */
  readonly dropped: number;
  /** Null where the page does not say. */
  readonly number: number | null;
  /** Null where the page does not say. */
  readonly pages: number | null;
}

const mostRows = 2_000;
const mostCells = 100;
const longestCell = 2_000;
const fewestCells = 12;

interface Table {
  readonly id: string;
  caption: string;
  readonly rows: string[][];
}

/** Texts of the spans by id, the tables outside of tables with their rows as texts, and whether the page has its end. */
const read = (page: string) => {
  const spans = new Map<string, string>();
  const tables: Table[] = [];
  let depth = 0;
  let table: Table | null = null;
  let row: string[] | null = null;
  let span: string | null = null;
  let inCaption = false;
  let whole = false;
  for (const token of htmlTokens(page)) {
    if (token.kind === 'text') {
      const text = token.text.slice(0, longestCell);
      if (span !== null) spans.set(span, `${spans.get(span) ?? ''}${text}`.slice(0, longestCell));
      if (inCaption && table !== null) table.caption = `${table.caption}${text}`.slice(0, longestCell);
      else if (row !== null && row.length > 0) row.push(`${row.pop() ?? ''}${text}`.slice(0, longestCell));
      continue;
    }
    if (token.kind === 'raw') continue;
    const { name } = token;
    if (name === 'form') whole = token.kind === 'close';
    if (name === 'span') {
      span = token.kind === 'open' ? attributeOf(token.attributes, 'id') : null;
      if (span !== null && !spans.has(span)) spans.set(span, '');
    } else if (name === 'table') {
      depth = Math.max(depth + (token.kind === 'open' ? 1 : -1), 0);
      if (token.kind === 'open' && depth === 1) {
        table = { id: attributeOf(token.attributes, 'id') ?? '', caption: '', rows: [] };
        tables.push(table);
        row = null;
      } else if (depth === 0) {
        table = null;
        row = null;
      }
    } else if (depth !== 1 || table === null) {
      // A table inside a cell is text of that cell.
    } else if (name === 'caption') inCaption = token.kind === 'open';
    else if (name === 'tr') {
      row = token.kind === 'open' ? [] : null;
      if (row !== null) {
        if (table.rows.length >= mostRows) throw unreadable('competitions', 'too many award rows');
        table.rows.push(row);
      }
    } else if ((name === 'td' || name === 'th') && token.kind === 'open' && row !== null) {
      if (row.length >= mostCells) throw unreadable('competitions', 'too many award cells');
      row.push('');
    }
  }
  return { spans, tables, whole };
};

const plain = (source: string): string => collapse(decodeEntities(source));

const toAward = (cells: readonly string[]): Award => {
  const cell = (column: number): string => cells[column] ?? '';
  return {
    id: cell(0),
    name: cell(1),
    level: cell(2),
    prize: cell(3),
    date: cell(4),
    applicantId: cell(5),
    applicantName: cell(6),
    order: int(cell(7)),
    credits: num(cell(8)),
    bonus: num(cell(9).replaceAll(',', '')),
    status: cell(10),
    verificationStatus: cell(11),
  };
};

/**
 * The award tab: greeting, credits, the table `…gvHj` and its pager. Without awards there is no table, or one with its
 * heading only. Cells that should be numbers and are none count 0; the row stays.
 * @throws Failure `upstream-unreadable` when the page is another tab or was cut: its silence about awards says nothing
 */
export const parseAwards = (page: string): AwardPage => {
  const { spans, tables, whole: isWhole } = read(page);
  if (!isWhole) throw unreadable('competitions', 'award page without its end');
  const spanEnding = (end: string): string | null => {
    for (const [id, source] of spans) if (id.endsWith(end)) return plain(source);
    return null;
  };
  const table =
    tables.find(({ id }) => id.includes('gvHj')) ??
    tables.find(({ caption }) => plain(caption).includes('已经进行获奖申报')) ??
    null;
  const creditIds = ['lblXkjsxf', 'lblKyxf', 'lblKzjslxf', 'lblCxcyxf', 'lblNlzgxf', 'lblQtxf'] as const;
  if (table === null && creditIds.every((id) => spanEnding(id) === null)) {
    throw unreadable('competitions', 'page without awards and credits');
  }
  const credit = (id: (typeof creditIds)[number]): number | null => {
    const value = num(spanEnding(id), Number.NaN);
    return Number.isNaN(value) ? null : value;
  };
  const greeting = spanEnding('_lblXM') ?? '';
  const rows = (table?.rows ?? []).map((cells) => cells.map(plain));
  const numbered = rows.filter(([first = '']) => /^\d+$/.test(first));
  const whole = numbered.filter((cells) => cells.length >= fewestCells);
  const number = int(spanEnding('gvHj_LabelCurrentPage'));
  const pages = int(spanEnding('gvHj_LabelPageCount'));
  return {
    studentId: /[:：]\s?(.*)$/.exec(greeting)?.[1]?.trim() ?? '',
    credits: {
      disciplineCompetition: credit('lblXkjsxf'),
      scientificResearch: credit('lblKyxf'),
      transferableCompetition: credit('lblKzjslxf'),
      innovationPractice: credit('lblCxcyxf'),
      abilityCertification: credit('lblNlzgxf'),
      otherProject: credit('lblQtxf'),
    },
    awards: whole.map(toAward),
    dropped: numbered.length - whole.length,
    number: number > 0 ? number : null,
    pages: pages > 0 ? pages : null,
  };
};

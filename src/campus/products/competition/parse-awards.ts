import type { Award, CompetitionRecord } from '../../../domain/competitions/records.ts';
import { failures } from '../../../domain/errors.ts';
import { datesIn } from '../../../lib/moments.ts';
import { plainSigns } from '../../../lib/plain-signs.ts';
import { amountIn } from '../../parsing/amounts.ts';
import { countOf, credits, int, num, optCount, optNum, str } from '../../parsing/cells.ts';
import { isPlainNumber, refuseCellsOutOfPlace, refuseOtherOrder } from '../../parsing/columns.ts';
import { elementsIn } from '../../parsing/elements.ts';
import { attributeOf, htmlTokens } from '../../parsing/html-tokens.ts';
import { noteOddity } from '../../parsing/oddities.ts';
import { readersOf, unreadable } from '../../parsing/reading.ts';
import { saysFailure } from '../../parsing/refusals.ts';
import { clean, extend, plainMessage } from '../../parsing/text.ts';

const reader = readersOf(import.meta.url);

interface PageTable {
  readonly id: string;
  readonly caption: string;
  /** Source texts of the cells; a table inside a cell is text of that cell as well. */
  readonly rows: ReadonlyArray<readonly string[]>;
}

interface OpenTable extends PageTable {
  caption: string;
  readonly rows: string[][];
  row: string[] | null;
  inCaption: boolean;
}

const mostRows = 2_000;
const mostCells = 100;
const longestText = 2_000;
/** Layout tables nest; deeper ones hold nothing we need. */
const deepest = 16;

const addText = (table: OpenTable, text: string): void => {
  if (table.inCaption) table.caption = extend(table.caption, text, longestText);
  else if (table.row !== null && table.row.length > 0) table.row.push(extend(table.row.pop() ?? '', text, longestText));
};

const addPart = (table: OpenTable, name: string, opens: boolean): void => {
  if (name === 'caption') table.inCaption = opens;
  else if (name === 'tr') {
    table.row = opens ? [] : null;
    if (table.row === null) return;
    if (table.rows.length >= mostRows) throw unreadable('competitions', 'too many award rows');
    table.rows.push(table.row);
  } else if ((name === 'td' || name === 'th') && opens && table.row !== null) {
    if (table.row.length >= mostCells) throw unreadable('competitions', 'too many award cells');
    table.row.push('');
  }
};

/** The tables at any depth in the order in which they begin, and whether the page has the end of its form. */
export const pagePartsOf = (page: string) => {
  const tables: PageTable[] = [];
  const open: OpenTable[] = [];
  let depth = 0;
  let whole = false;
  for (const token of htmlTokens(page)) {
    if (token.kind === 'raw') continue;
    if (token.kind === 'text') {
      for (const table of open) addText(table, token.text);
      continue;
    }
    const { name } = token;
    const opens = token.kind === 'open';
    if (name === 'form') whole = !opens;
    else if (name !== 'table') {
      const innermost = depth <= deepest ? open.at(-1) : undefined;
      if (innermost) addPart(innermost, name, opens);
    } else if (opens) {
      depth += 1;
      if (depth > deepest) continue;
      const id = attributeOf(token.attributes, 'id') ?? '';
      const table: OpenTable = { id, caption: '', rows: [], row: null, inCaption: false };
      tables.push(table);
      open.push(table);
    } else if (depth > 0) {
      if (depth <= deepest) open.pop();
      depth -= 1;
    }
  }
  return { tables, whole };
};

/** One page of the awards. Credits and greeting are on every page; those of the first one count. */
export interface AwardPage extends CompetitionRecord {
  /** Rows that look like awards but cannot be read. */
  readonly dropped: number;
  /** Null where the page does not say. */
  readonly number: number | null;
  /** Null where the page does not say. */
  readonly pages: number | null;
}

const fewestCells = 12;

const labels = [
  /^申报ID/i,
  /^(?:项目)?名称|^项目名/,
  /^级别/,
  /^等级/,
  /日期|时间/,
  /^申报人/,
  /^姓名/,
  /^排[序名]/,
  /^学分/,
  /^奖/,
  /状态/,
  /审核/,
];

/** Of a row that has a cell in front which no heading names. */
const outOfPlace = [
  {
    shows: (cells: readonly string[]) => isPlainNumber(cells[1] ?? '') && datesIn(cells[5] ?? '').length > 0,
    weight: 'proof' as const,
  },
];

/** Money, with or without its unit. */
const bonusIn = (cell: string): number => {
  const amount = amountIn(cell);
  return amount === null || amount.unit === 'kwh' ? num(cell.replaceAll(',', '')) : amount.value;
};

const toAward = (cells: readonly string[]): Award => {
  const cell = (column: number): string => cells[column] ?? '';
  return {
    project_id: cell(0),
    project_name: cell(1),
    level: cell(2),
    grade: cell(3),
    award_date: cell(4),
    applicant_id: cell(5),
    applicant_name: cell(6),
    order: int(cell(7)),
    credits: countOf(cell(8)),
    bonus: bonusIn(cell(9)),
    status: cell(10),
    verification_status: cell(11),
  };
};

const isNumber = (cell: string | undefined): boolean => cell !== undefined && /^\d+$/.test(cell);

/** Rules out the heading, which comes first or after a pager, and the pager itself, which is one wide cell. */
const looksLikeAward = (cells: readonly string[], index: number): boolean =>
  isNumber(cells[0]) ? cells.length > 1 : index > 0 && cells.length >= fewestCells && cells[0] !== '申报ID';

/**
 * The award tab: greeting, credits, the table `…gvHj` and its pager. Without awards there is no table, or one with its
 * heading only. Cells that should be numbers and are not count 0; the row stays.
 * @throws Failure `upstream-unreadable` when the page is another tab or was cut: then missing awards mean nothing;
 *   and when it has rows of which none is an award we can read
 */
export const parseAwards = reader('parseAwards', (page: string): AwardPage => {
  const { tables, whole: isWhole } = pagePartsOf(page);
  if (!isWhole) throw unreadable('competitions', 'award page without its end');
  const spans = elementsIn(page, (tag, attributes) => (tag === 'span' ? attributeOf(attributes, 'id') : null));
  const spanEnding = (end: string): string | null => spans.find(({ kind: id }) => id.endsWith(end))?.text ?? null;
  const table =
    tables.find(({ id }) => id.includes('gvHj')) ??
    tables.find(({ caption }) => clean(caption).includes('已经进行获奖申报')) ??
    null;
  const creditIds = ['lblXkjsxf', 'lblKyxf', 'lblKzjslxf', 'lblCxcyxf', 'lblNlzgxf', 'lblQtxf'] as const;
  if (table === null && creditIds.every((id) => spanEnding(id) === null)) {
    throw unreadable('competitions', 'page without awards and credits');
  }
  const credit = (id: (typeof creditIds)[number]): number | null => optNum(credits(spanEnding(id)));
  const greeting = spanEnding('_lblXM') ?? '';
  const rows = (table?.rows ?? []).map((cells) => cells.map((cell) => str(clean(cell))));
  const heading = rows.find((cells) => cells.length >= fewestCells && !isNumber(cells[0])) ?? [];
  refuseOtherOrder('competitions', 'award rows', heading, labels);
  const whole = rows.filter((cells) => cells.length >= fewestCells && isNumber(cells[0]) && cells[1] !== '');
  const dropped = rows.filter(looksLikeAward).length - whole.length;
  if (whole.length === 0 && dropped > 0) throw unreadable('competitions', 'award rows of another shape');
  refuseCellsOutOfPlace('competitions', 'award rows', whole, outOfPlace);
  const [notice] = rows.filter((cells) => cells.length === 1).map(([cell = '']) => cell);
  if (whole.length === 0 && saysFailure({ msg: notice }))
    throw failures.upstreamRefused('competitions', undefined, { upstreamMessage: plainMessage(notice) });
  noteOddity('dropped', 'award rows', dropped);
  const [number, pages] = ['gvHj_LabelCurrentPage', 'gvHj_LabelPageCount'].map(
    (id) => optCount(/\d+/.exec(plainSigns(spanEnding(id) ?? ''))?.[0]) ?? 0,
  ) as [number, number];
  return {
    student_id: /[:：]\s?(.*)$/.exec(greeting)?.[1]?.trim() ?? '',
    awards: whole.map(toAward),
    credits_summary: {
      discipline_competition_credits: credit('lblXkjsxf'),
      scientific_research_credits: credit('lblKyxf'),
      transferable_competition_credits: credit('lblKzjslxf'),
      innovation_practice_credits: credit('lblCxcyxf'),
      ability_certification_credits: credit('lblNlzgxf'),
      other_project_credits: credit('lblQtxf'),
    },
    dropped,
    number: number > 0 ? number : null,
    pages: pages > 0 ? pages : null,
  };
});

import { ScoreRecord } from '../../../domain/academics/records.ts';
import { unsaidOf } from '../../../domain/record.ts';
import { credits, int, label, mark, optMark, str } from '../../parsing/cells.ts';
import { hasHan, isPlainNumber, type OutOfPlace, refuseCellsOutOfPlace } from '../../parsing/columns.ts';
import { unreadable } from '../../parsing/reading.ts';
import { trim } from '../../parsing/text.ts';

// Score rows are arrays, and releases of the system order their columns differently: a row says its order itself.

export const termCode = /^\d{4}-\d{4}-\d{1,2}-\d{1,2}$/;

/** Reads a row that is an array; `at` is its position on the page. */
interface ColumnOrder {
  /** The column of the term code, by which a row says its order. */
  readonly term: number;
  readonly fewest: number;
  readonly read: (row: readonly unknown[], at: number) => ScoreRecord;
}

const unsaidOfScore = unsaidOf(ScoreRecord);

/** The orders of columns that releases of the system are known to have. */
const orders: readonly ColumnOrder[] = [
  {
    term: 1,
    // Two cells (retake and make-up) may be missing at the end of a row.
    fewest: 11,
    read: (row) => ({
      sequence: int(row[0]),
      term_id: str(row[1]),
      course_code: str(row[2]),
      course_class: str(row[3]),
      course_name_cn: label(row[4]),
      course_name_en: label(row[5]),
      credits: credits(row[6]),
      hours: int(row[7]),
      course_type: label(row[8]),
      exam_type: label(row[9]),
      score: mark(row[10]),
      retake_score: optMark(row[11]),
      makeup_score: optMark(row[12]),
    }),
  },
  {
    term: 0,
    fewest: 17,
    read: (row, at) => ({
      sequence: at + 1,
      term_id: str(row[0]),
      course_code: str(row[1]),
      course_class: str(row[2]),
      course_name_cn: label(row[11]),
      course_name_en: label(row[12]),
      credits: credits(row[13]),
      hours: int(row[14]),
      course_type: label(row[15]),
      exam_type: label(row[16]),
      score: mark(row[8]),
      ...unsaidOfScore,
    }),
  },
];

const kinds = /^(?:必修|选修|任选|限选|公选)$/;
const examinations = /^(?:考试|考查)$/;
/** More than any course has. */
const mostCredits = 40;

/** Two columns may be swapped and the term in its place. */
const outOfPlace: ReadonlyArray<OutOfPlace<ScoreRecord>> = [
  {
    weight: 'proof',
    shows: ({ course_code, course_name_cn, credits, course_type, exam_type, score }) =>
      [course_code, credits].some(hasHan) ||
      [course_name_cn, course_type, exam_type].some(isPlainNumber) ||
      Number(credits) > mostCredits ||
      examinations.test(course_type) ||
      [exam_type, score].some((text) => kinds.test(text)) ||
      examinations.test(score),
  },
  { weight: 'hint', shows: ({ credits, hours }) => hours > 0 && Number(credits) > hours },
  { weight: 'hint', shows: ({ course_code, course_class }) => course_class.length > course_code.length },
  {
    weight: 'hint',
    shows: ({ course_name_cn, course_name_en }) => hasHan(course_name_en) && !hasHan(course_name_cn),
  },
  { weight: 'hint', shows: ({ score, retake_score }) => score === '' && retake_score !== null },
];

/** @throws Failure `upstream-unreadable` where columns have changed places beside a term in its own */
export const refuseSwappedColumns = (rows: readonly ScoreRecord[]): void =>
  refuseCellsOutOfPlace('academics', 'score rows', rows, outOfPlace);

const isTermCode = (cell: unknown): boolean =>
  typeof cell === 'string' && cell.length >= '2025-2026-1-1'.length && termCode.test(trim(cell));

const termColumns = (row: readonly unknown[]): number[] => {
  const columns: number[] = [];
  row.forEach((cell, at) => {
    if (isTermCode(cell)) columns.push(at);
  });
  return columns;
};

/** The order that a row says; null where it has no term code. @throws Failure `upstream-unreadable` for another one */
const orderOf = (row: readonly unknown[]): ColumnOrder | null => {
  const [column = -1, ...more] = termColumns(row);
  if (column < 0) return null;
  const order = more.length === 0 ? orders.find(({ term }) => term === column) : undefined;
  if (order === undefined) throw unreadable('academics', 'score rows in another order of columns');
  return order;
};

/**
 * How the rows of a page are read. A row whose term is missing has the order of all others.
 * @throws Failure `upstream-unreadable` where no row says its order, or they say several and one says none
 */
export const scoreReaderOf = (rows: readonly unknown[]): ((row: unknown, at: number) => ScoreRecord | null) => {
  const said = rows.map((row) => (Array.isArray(row) ? orderOf(row) : null));
  const told = new Set(said.filter((order) => order !== null));
  const [only] = told;
  return (row, at) => {
    if (!Array.isArray(row)) return null;
    const order = said[at] ?? (told.size === 1 ? only : undefined);
    if (order === undefined) throw unreadable('academics', 'score rows that do not say their order');
    if (row.length < order.fewest) return null;
    const read = order.read(row, at);
    return read.course_code === '' && read.course_name_cn === '' ? null : read;
  };
};

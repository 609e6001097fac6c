import {
  type CurrentScore,
  type ScoreComponent,
  type ScorePage,
  ScoreRecord,
} from '../../../domain/academics/records.ts';
import { unsaidOf } from '../../../domain/record.ts';
import { isRecord } from '../../../lib/text.ts';
import {
  credits,
  int,
  type JsonObject,
  label,
  list,
  mark,
  obj,
  optCount,
  optMark,
  optNum,
  str,
} from '../../parsing/cells.ts';
import { hasHan, isPlainNumber, type OutOfPlace, refuseCellsOutOfPlace } from '../../parsing/columns.ts';
import {
  elementsOf,
  hasAnyOf,
  readersOf,
  readJson,
  readJsonObject,
  readRows,
  records,
  unreadable,
} from '../../parsing/reading.ts';
import { messageIn, refusesRows, saysNoSuccess, tellsError } from '../../parsing/refusals.ts';
import { readText } from '../../parsing/row-reader.ts';
import { plainMessage, trim } from '../../parsing/text.ts';
import { staleAnswer } from './pages.ts';

const reader = readersOf(import.meta.url);

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
const rowReaderOf = (rows: readonly unknown[]): ((row: unknown, at: number) => ScoreRecord | null) => {
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

/**
 * `{list: {pageSize, pageNum, pageContext: {totalCount}, records: [[…13 cells…]]}}`. A missing or null list is a term
 * without scores; odd cells become their default and the row stays, rows of too few cells are dropped. A row says its order
 * of columns by the cell of its term code.
 * @throws Failure `upstream-unreadable`, also for rows in another order, and where most cannot be read
 */
export const parseScoreData = reader('parseScoreData', (text: string) => {
  const body = readJsonObject(text, 'academics');
  if (Object.keys(body).length === 0) throw unreadable('academics', 'score answer is an empty object');
  const absent = body.list === undefined || body.list === null;
  // A message in place of the list is none.
  const saysOnly = !('list' in body) && saysNoSuccess(body);
  if (str(body.result).toLowerCase() === 'error' || (absent && (tellsError(body) || saysOnly))) {
    return staleAnswer(messageIn(body));
  }
  if (!absent && !isRecord(body.list)) throw unreadable('academics', 'score list of the wrong type');
  const list = obj(body.list);
  const kind = { system: 'academics', what: 'score rows' } as const;
  const read = rowReaderOf(elementsOf(list.records, kind));
  const { rows, received, dropped } = readRows(list.records, { ...kind, read });
  if (received === 0 && refusesRows(body)) return staleAnswer(messageIn(body));
  refuseCellsOutOfPlace('academics', kind.what, rows, outOfPlace);
  const total = optCount(obj(list.pageContext).totalCount);
  return {
    kind: 'page' as const,
    page: {
      page_size: int(list.pageSize, 50),
      page_num: int(list.pageNum, 1),
      total_count: total ?? received,
      records: rows,
    } satisfies ScorePage,
    /** Otherwise the number of rows is the total. */
    totalStated: total !== null,
    /** Paging counts these. */
    received,
    dropped,
  };
});

/** Without rows, a score list is recognized by one of these. */
const listMembers = ['list', 'state'];

/** Releases have a member in the row or in its id. */
export const memberReaderOf = (row: JsonObject): ((name: string) => unknown) => {
  const id = isRecord(row.id) ? row.id : {};
  return (name) => row[name] ?? id[name];
};

const namesCourse = (row: JsonObject): boolean =>
  ['courseNumber', 'courseName'].map(memberReaderOf(row)).some((name) => str(name) !== '');

/** Null: no object, or without a course. */
const toScore = (row: unknown): CurrentScore | null => {
  if (!isRecord(row) || !namesCourse(row)) return null;
  const of = memberReaderOf(row);
  return {
    term_id: str(of('executiveEducationPlanNumber')),
    course_code: str(of('courseNumber')),
    course_class: str(of('coureSequenceNumber')),
    // Sent back byte for byte, so it is the one text that keeps its blanks.
    exam_time: readText(of('examtime')),
    course_name_cn: label(of('courseName')),
    course_name_en: label(of('englishCourseName')),
    credits: credits(of('credit')),
    hours: int(of('studyHour')),
    course_type: label(of('coursePropertyName')),
    exam_type: label(of('examTypeName')),
    score: mark(of('courseScore')),
    grade_point: optMark(of('gradePoint')),
    class_average: optMark(of('avgcj')),
    class_highest: optMark(of('maxcj')),
    class_lowest: optMark(of('mincj')),
    class_rank: optMark(of('rank')),
  };
};

/**
 * `[{state, list: [{id: {…}, courseName, courseScore, …}]}]`; only the first element counts, and without one, or with null
 * for its list, there are no scores. Odd cells get their default and the row stays; what has no course is dropped.
 * @throws Failure `upstream-unreadable`, also for rows of which none has a course: they would look like "no scores"
 */
export const parseThisTermScores = reader('parseThisTermScores', (body: string) => {
  const answer = readJson(body, 'academics');
  if (isRecord(answer) && str(answer.result).toLowerCase() === 'error') {
    return staleAnswer(plainMessage(answer.msg));
  }
  if (!Array.isArray(answer)) throw unreadable('academics', 'scores of this term are no list');
  const [first = { list: null }]: unknown[] = answer;
  if (!isRecord(first)) throw unreadable('academics', 'scores of this term of another shape');
  const {
    rows: scores,
    received,
    dropped,
  } = readRows(first.list, {
    system: 'academics',
    what: 'score rows',
    isOurs: (row) => isRecord(row) && namesCourse(row),
    read: toScore,
  });
  if (received === 0 && (refusesRows(first) || !hasAnyOf(first, listMembers))) {
    throw unreadable('academics', 'an answer without scores');
  }
  return { kind: 'scores' as const, scores, dropped };
});

/** An answer about score components has at least one of these. */
const answerMembers = ['mx', 'xs', 'rounding'];

const typeOf = (row: JsonObject): string => str(obj(row.id).scoreTypeCode);

/** Weights are those of the same type: the campus orders them differently. */
const toComponent = (row: JsonObject, weights: ReadonlyMap<string, JsonObject>): ScoreComponent => {
  const typeCode = typeOf(row);
  const own = weights.get(typeCode) ?? {};
  return {
    score_type_code: typeCode,
    regular: optMark(row.pscj),
    midterm: optMark(row.qzcj),
    final: optMark(row.qmcj),
    total: optMark(row.zcj),
    remark: label(row.remark),
    regular_weight: optNum(own.usualScoreCoefficient),
    midterm_weight: optNum(own.midtermScoreCoefficient),
    final_weight: optNum(own.endtermScoreCoefficient),
    weight: optNum(own.scoreCoefficient),
  };
};

/**
 * `{mx: [{id: {scoreTypeCode}, pscj, qzcj, qmcj, zcj, remark}], xs: [{id: {scoreTypeCode}, …Coefficient}]}`; without `mx`,
 * or with null for it, there are no components. What is not an object is dropped.
 */
export const parseScoreComponents = reader('parseScoreComponents', (text: string) => {
  const body = readJsonObject(text, 'academics');
  if (str(body.result).toLowerCase() === 'error') return staleAnswer(plainMessage(body.msg));
  // The first of several weights of one type counts.
  const weights = new Map(
    list(body.xs)
      .filter(isRecord)
      .toReversed()
      .map((row) => [typeOf(row), row]),
  );
  const kind = records({ system: 'academics', what: 'score components' }, [], (row) => toComponent(row, weights));
  const { rows, received, dropped } = readRows(body.mx, kind);
  if (received === 0 && (refusesRows(body) || !hasAnyOf(body, answerMembers))) {
    throw unreadable('academics', 'an answer without score components');
  }
  return { kind: 'components' as const, components: rows, dropped };
});

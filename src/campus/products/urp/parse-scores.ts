import type { CurrentScore, ScoreComponent, ScorePage } from '../../../domain/academics/records.ts';
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
import { plainMessage } from '../../parsing/text.ts';
import { staleAnswer } from './pages.ts';
import { refuseSwappedColumns, scoreReaderOf } from './score-columns.ts';

const reader = readersOf(import.meta.url);

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
  const read = scoreReaderOf(elementsOf(list.records, kind));
  const { rows, received, dropped } = readRows(list.records, { ...kind, read });
  if (received === 0 && refusesRows(body)) return staleAnswer(messageIn(body));
  refuseSwappedColumns(rows);
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

import type { CurrentScore } from '../../domain/academics/records.ts';
import { isRecord } from '../../lib/records.ts';
import { text } from '../parsing/cells.ts';
import { readJson } from '../parsing/json.ts';
import { readRows, records } from '../parsing/list-rows.ts';
import { hasAnyOf, int, type JsonObject, label, obj, optStr, str } from '../parsing/scalars.ts';
import { plainMessage } from '../parsing/text.ts';
import { unreadable } from '../parsing/unreadable.ts';
import { tellsError } from './error-marks.ts';

type ThisTermAnswer =
  | { readonly kind: 'scores'; readonly scores: readonly CurrentScore[]; readonly dropped: number }
  /** The segment is no longer good, or the application refused. */
  | { readonly kind: 'stale'; readonly message: string };

const rowMembers = ['id', 'courseName', 'courseScore'];
/** Without rows, one of these tells that the answer is one about scores at all. */
const listMembers = ['list', 'state'];

const toScore = (row: JsonObject): CurrentScore => {
  const id = obj(row.id);
  return {
    term_id: str(id.executiveEducationPlanNumber),
    course_code: str(id.courseNumber),
    course_class: str(row.coureSequenceNumber),
    // Sent back byte for byte, so it is the one text that keeps its blanks.
    exam_time: text(id.examtime),
    course_name_cn: label(row.courseName),
    course_name_en: label(row.englishCourseName),
    credits: str(row.credit),
    hours: int(row.studyHour),
    course_type: label(row.coursePropertyName),
    exam_type: label(row.examTypeName),
    score: str(row.courseScore),
    grade_point: optStr(row.gradePoint),
    class_average: optStr(row.avgcj),
    class_highest: optStr(row.maxcj),
    class_lowest: optStr(row.mincj),
    class_rank: optStr(row.rank),
  };
};

/**
 * `[{state, list: [{id: {…}, courseName, courseScore, …}]}]`; only the first element counts, and without one, or with null
 * for its list, there are no scores. Odd cells become their default and the row stays; what is no object is dropped.
 * @throws Failure `upstream-unreadable`, also for rows of which none has our members: they would look like "no scores"
 */
export const parseThisTermScores = (body: string): ThisTermAnswer => {
  const answer = readJson(body, 'academics');
  if (isRecord(answer) && str(answer.result).toLowerCase() === 'error') {
    return { kind: 'stale', message: plainMessage(answer.msg) };
  }
  if (!Array.isArray(answer)) throw unreadable('academics', 'scores of this term are no list');
  const [first = {}]: unknown[] = answer;
  if (!isRecord(first)) throw unreadable('academics', 'scores of this term of another shape');
  // A student takes a few dozen courses in a term.
  const kind = { system: 'academics', what: 'score rows', most: 1_000, ...records(rowMembers, toScore) } as const;
  const { rows: scores, received, dropped } = readRows(first.list, kind);
  const isAboutScores = Object.keys(first).length === 0 || hasAnyOf(first, listMembers);
  if (received === 0 && (tellsError(first) || !isAboutScores)) {
    throw unreadable('academics', 'an answer without scores');
  }
  return { kind: 'scores', scores, dropped };
};

import type { CurrentScore } from '../../domain/academics/current-scores.ts';
import { isRecord } from '../../lib/records.ts';
import { text } from '../parsing/cells.ts';
import { readJson } from '../parsing/json.ts';
import { hasAnyOf, int, type JsonObject, obj, optStr, payloadList, str } from '../parsing/scalars.ts';
import { plainMessage } from '../parsing/text.ts';
import { unreadable } from '../parsing/unreadable.ts';
import { tellsError } from './error-marks.ts';

type ThisTermAnswer =
  | { readonly kind: 'scores'; readonly scores: readonly CurrentScore[]; readonly dropped: number }
  /** The segment is no longer good, or the application refused. */
  | { readonly kind: 'stale'; readonly message: string };

/** A student takes a few dozen courses in a term. */
const mostRows = 1_000;

const rowMembers = ['id', 'courseName', 'courseScore'];
/** Without rows, one of these tells that the answer is one about scores at all. */
const listMembers = ['list', 'state'];

const toScore = (row: JsonObject): CurrentScore => {
  const id = obj(row.id);
  return {
    termCode: str(id.executiveEducationPlanNumber),
    courseCode: str(id.courseNumber),
    courseClass: str(row.coureSequenceNumber),
    // Sent back byte for byte, so it is the one text that keeps its blanks.
    examTime: text(id.examtime),
    courseName: str(row.courseName),
    courseNameEnglish: str(row.englishCourseName),
    credits: str(row.credit),
    hours: int(row.studyHour),
    courseType: str(row.coursePropertyName),
    examType: str(row.examTypeName),
    score: str(row.courseScore),
    gradePoint: optStr(row.gradePoint),
    classAverage: optStr(row.avgcj),
    classHighest: optStr(row.maxcj),
    classLowest: optStr(row.mincj),
    classRank: optStr(row.rank),
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
  const rows = payloadList(first.list);
  if (rows === null) throw unreadable('academics', 'score rows of the wrong type');
  if (rows.length > mostRows) throw unreadable('academics', 'too many score rows');
  const isAboutScores = Object.keys(first).length === 0 || hasAnyOf(first, listMembers);
  if (rows.length === 0 && (tellsError(first) || !isAboutScores)) {
    throw unreadable('academics', 'an answer without scores');
  }
  if (rows.length > 0 && !rows.some((row) => hasAnyOf(row, rowMembers))) {
    throw unreadable('academics', 'score rows of another shape');
  }
  const scores = rows.filter(isRecord).map(toScore);
  return { kind: 'scores', scores, dropped: rows.length - scores.length };
};

import type { Exam } from '../../domain/academics/exams.ts';
import { isRecord } from '../../lib/records.ts';
import { isoDateOr } from '../parsing/dates.ts';
import { readJsonObject } from '../parsing/json.ts';
import { hasAnyOf, int, type JsonObject, obj, payloadList, str } from '../parsing/scalars.ts';
import { unreadable } from '../parsing/unreadable.ts';
import type { ListPage } from './all-pages.ts';
import { tellsError } from './error-marks.ts';

/** More rows on one page than that are no answer to a question for 30. */
const mostRows = 1_000;

/** Columns of a row that is an array; the others are read by nobody. */
const columns = { name: 2, date: 4, time: 5, place: 6, remark: 7 } as const;
const fewestColumns = 8;

const rowMembers = ['KCM', 'KSRQ', 'KSSJ'];

/** Without rows, one of these tells that the answer is one about exams at all. */
const pageMembers = ['records', 'pageContext', 'pageNum', 'pageSize'];

/** Name, date, time, place and remark of a row, whichever of the two forms it has; null for anything else. */
const cellsOf = (row: unknown): readonly unknown[] | null => {
  if (Array.isArray(row)) {
    return row.length < fewestColumns ? null : Object.values(columns).map((column): unknown => row[column]);
  }
  return hasAnyOf(row, rowMembers) && isRecord(row) ? [row.KCM, row.KSRQ, row.KSSJ, row.KSDD, row.BZ] : null;
};

const toExam = (row: unknown): Exam | null => {
  const [courseName = '', date = '', time = '', location = '', note = ''] = (cellsOf(row) ?? []).map(str);
  if (courseName === '' && date === '' && time === '') return null;
  return { courseName, date: isoDateOr(date), time, location, kind: 'other', note };
};

/** Where the rows are: beside `records`, or below `list` where the root has none. */
const pageOf = (body: JsonObject): JsonObject => {
  if (body.records !== undefined && body.records !== null) return body;
  if (body.list !== undefined && body.list !== null && !isRecord(body.list)) {
    throw unreadable('academics', 'exam list of the wrong type');
  }
  return isRecord(body.list) ? body.list : body;
};

/**
 * `{pageContext: {totalCount}, records: […]}`, or the same below `list`; a row is an object `{KCM, KSRQ, KSSJ, KSDD, BZ,
 * …}` or an array of eight columns at least. Null for `records` or `list` is an empty list. Odd cells become empty and
 * the row stays; rows that say nothing are dropped.
 * @throws Failure `upstream-unreadable`, also for an error without rows and for rows of which none has a known form:
 *   both would look like "no exams"
 */
export const parseOtherExams = (text: string): ListPage<Exam> => {
  const body = readJsonObject(text, 'academics');
  const page = pageOf(body);
  const rows = payloadList(page.records);
  if (rows === null) throw unreadable('academics', 'exam rows of the wrong type');
  const isPage = [body, page].some((part) => hasAnyOf(part, pageMembers)) || body.list === null;
  if (rows.length === 0 && (tellsError(body) || !isPage)) throw unreadable('academics', 'exam answer without rows');
  if (rows.length > 0 && !rows.some((row) => cellsOf(row) !== null)) {
    throw unreadable('academics', 'exam rows of another shape');
  }
  if (rows.length > mostRows) throw unreadable('academics', 'too many exam rows');
  const stated = (part: JsonObject): number => int(obj(part.pageContext).totalCount, -1);
  // The number beside the rows is theirs; without rows, any number says that there should be some.
  const total = rows.length > 0 ? stated(page) : Math.max(stated(page), stated(body));
  return {
    rows: rows.map(toExam).filter((exam) => exam !== null),
    received: rows.length,
    total: total >= 0 ? total : null,
  };
};

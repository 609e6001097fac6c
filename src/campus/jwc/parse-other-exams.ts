import type { Exam } from '../../domain/academics/exams.ts';
import { isRecord } from '../../lib/records.ts';
import { isoDateOr } from '../parsing/dates.ts';
import { readJsonObject } from '../parsing/json.ts';
import { hasAnyOf, int, obj, payloadList, str } from '../parsing/scalars.ts';
import { unreadable } from '../parsing/unreadable.ts';
import type { ListPage } from './all-pages.ts';
import { tellsError } from './error-marks.ts';

/** More rows on one page than that are no answer to a question for 30. */
const mostRows = 1_000;

const rowMembers = ['KCM', 'KSRQ', 'KSSJ'];

/** Without rows, one of these tells that the answer is one about exams at all. */
const pageMembers = ['records', 'pageContext', 'pageNum', 'pageSize'];

const toExam = (row: unknown): Exam | null => {
  if (!isRecord(row)) return null;
  const courseName = str(row.KCM);
  const date = str(row.KSRQ);
  const time = str(row.KSSJ);
  if (courseName === '' && date === '' && time === '') return null;
  return { courseName, date: isoDateOr(date), time, location: str(row.KSDD), kind: 'other', note: str(row.BZ) };
};

/**
 * `{pageContext: {totalCount}, records: [{KCM, KSRQ, KSSJ, KSDD, BZ, …}]}`; null for `records` is an empty list. Odd
 * cells become empty and the row stays; rows that say nothing are dropped.
 * @throws Failure `upstream-unreadable`, also for an error without rows and for rows of which none has our members:
 *   both would look like "no exams"
 */
export const parseOtherExams = (text: string): ListPage<Exam> => {
  const body = readJsonObject(text, 'academics');
  const rows = payloadList(body.records);
  if (rows === null) throw unreadable('academics', 'exam rows of the wrong type');
  if (rows.length === 0 && (tellsError(body) || !hasAnyOf(body, pageMembers))) {
    throw unreadable('academics', 'exam answer without rows');
  }
  if (rows.length > 0 && !rows.some((row) => hasAnyOf(row, rowMembers))) {
    throw unreadable('academics', 'exam rows of another shape');
  }
  if (rows.length > mostRows) throw unreadable('academics', 'too many exam rows');
  const total = int(obj(body.pageContext).totalCount, -1);
  return {
    rows: rows.map(toExam).filter((exam) => exam !== null),
    received: rows.length,
    total: total >= 0 ? total : null,
  };
};

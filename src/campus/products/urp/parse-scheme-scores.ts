import type { RecordGroup, RecordRow } from '../../../domain/academics/records.ts';
import { mostRecordRows } from '../../../domain/academics/score-marks.ts';
import { isRecord } from '../../../lib/text.ts';
import {
  credits,
  type JsonObject,
  label,
  list,
  mark,
  optCount,
  optLabel,
  optMark,
  optNum,
  optPoint,
  optStr,
  saysSomething,
  str,
} from '../../parsing/cells.ts';
import { beginRow, noteOddity } from '../../parsing/oddities.ts';
import { elementsOf, readersOf, readJson, refuseIfMostDropped, unreadable } from '../../parsing/reading.ts';
import { messageIn, refusesRows } from '../../parsing/refusals.ts';
import { collapse, plainMessage } from '../../parsing/text.ts';
import { staleAnswer } from './pages.ts';
import { memberReaderOf } from './parse-scores.ts';
import { findSegment } from './parse-segments.ts';
import { termCode } from './score-columns.ts';

const reader = readersOf(import.meta.url);

/** Instead of a segment: this campus does not offer the page. */
export const NOT_OFFERED = '-';

const path = /\/student\/integratedQuery\/scoreQuery\/(?:([A-Za-z0-9]{1,100})\/)?schemeScores\/callback/g;

export const schemeIndexAlive = reader('schemeIndexAlive', (page: string): boolean =>
  page.replaceAll('\\/', '/').includes('schemeScores/callback'),
);

/**
 * The segment before `schemeScores/callback` in the data address.
 * @param page empty: there is no such page
 */
export const parseSchemeIndex = reader('parseSchemeIndex', (page: string): string => {
  if (page === '') return NOT_OFFERED;
  const segment = findSegment(page, path);
  if (segment === null) throw unreadable('academics', 'scheme page without its data address');
  return segment;
});

/** A text that begins like JSON is an answer: a page instead means that the address is stale. */
export const schemeDataAlive = reader('schemeDataAlive', (text: string): boolean => /^\uFEFF?\s{0,100}[[{]/.test(text));

const textOf = (value: unknown): string => collapse(label(value));

const toGroup = (group: JsonObject, index: number): RecordGroup => ({
  group_index: index,
  label: label(group.cjlx),
  plan_number: optStr(group.cjbh),
  credits_taken: optNum(group.yxxf),
  courses: optCount(group.zms),
  passed: optCount(group.tgms),
  failed: optCount(group.wtgms),
});

/** Null: without a course. */
const toRow = (row: JsonObject, index: number): RecordRow | null => {
  const of = memberReaderOf(row);
  const score = mark(of('cj')) || mark(of('courseScore'));
  const code = str(of('courseNumber')) || str(of('coureNumber'));
  if (code === '' && textOf(of('courseName')) === '') return null;
  const term = str(of('executiveEducationPlanNumber'));
  return {
    group_index: index,
    term_id: termCode.test(term) ? term : null,
    academic_year: optStr(of('academicYearCode')),
    term_name: optLabel(of('termName')),
    course_code: code,
    course_class: str(of('coureSequenceNumber')) || str(of('courseSequenceNumber')),
    course_name_cn: textOf(of('courseName')),
    course_name_en: textOf(of('englishCourseName')),
    credits: credits(of('credit')).replace(/^\./, '0.'),
    hours: null,
    course_type: label(of('courseAttributeName')),
    exam_type: null,
    score,
    score_number: optPoint(of('courseScore')),
    retake_score: null,
    makeup_score: null,
    grade_point: optPoint(of('gradePointScore')),
    grade_name: optMark(of('gradeName')),
    exam_time: optStr(of('examTime')),
    not_passed_reason: optLabel(of('notByReasonName')),
  };
};

const groupsIn = (body: unknown): readonly unknown[] => {
  if (Array.isArray(body)) return body;
  if (!isRecord(body) || !('lnList' in body)) throw unreadable('academics', 'scheme scores without groups');
  return elementsOf(body.lnList, { system: 'academics', what: 'scheme groups' });
};

/**
 * `[{cjlx, cjbh, yxxf, zms, tgms, wtgms, cjList: [row…]}…]`, or the same below `lnList`. Odd cells become their default and
 * the row stays; what has no course is dropped. A course in two groups is two rows.
 * @param text empty: the address is stale
 * @throws Failure `upstream-unreadable`, also for too many rows, and where none of it can be used
 */
export const parseSchemeScores = reader('parseSchemeScores', (text: string) => {
  if (text === '') return staleAnswer();
  const body = readJson(text, 'academics');
  if (isRecord(body) && str(body.result).toLowerCase() === 'error') {
    return staleAnswer(plainMessage(body.msg));
  }
  const found = groupsIn(body);
  if (found.length === 0 && isRecord(body) && refusesRows(body)) return staleAnswer(messageIn(body));
  const groups: RecordGroup[] = [];
  const records: RecordRow[] = [];
  let received = 0;
  for (const group of found.filter(isRecord)) {
    const index = groups.length;
    groups.push(toGroup(group, index));
    const own = list(group.cjList);
    // Rows in another form than a list are rows that cannot be read.
    if (!Array.isArray(group.cjList) && saysSomething(group.cjList)) received += 1;
    const given = own.filter((row) => row !== null);
    noteOddity('null-element', '', own.length - given.length);
    received += given.length;
    if (received > mostRecordRows) throw unreadable('academics', 'more rows than a record can have');
    for (const row of given.filter(isRecord)) {
      beginRow(row);
      const read = toRow(row, index);
      if (read !== null) records.push(read);
    }
  }
  const droppedGroups = found.filter((group) => group !== null).length - groups.length;
  const droppedRows = received - records.length;
  refuseIfMostDropped('academics', 'scheme groups', { rows: groups, dropped: droppedGroups });
  refuseIfMostDropped('academics', 'scheme rows', { rows: records, dropped: droppedRows });
  return { kind: 'record' as const, groups, records, dropped: droppedGroups + droppedRows };
});

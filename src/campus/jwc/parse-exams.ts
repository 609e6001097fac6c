import type { Exam } from '../../domain/academics/exams.ts';
import { isRecord } from '../../lib/records.ts';
import type { ListPage } from '../all-pages.ts';
import { isoDateOr } from '../parsing/dates.ts';
import { readJson, readJsonObject } from '../parsing/json.ts';
import { type Rows, readRows } from '../parsing/list-rows.ts';
import { hasAnyOf, int, type JsonObject, label, obj, optStr, str } from '../parsing/scalars.ts';
import { collapse } from '../parsing/text.ts';
import { unreadable } from '../parsing/unreadable.ts';
import { tellsError } from './answer-failures.ts';

const longestTitle = 2_000;

/** Null is a title too: the campus writes it for entries without a course. */
const hasTitle = (item: unknown): boolean => hasAnyOf(item, ['title']);

const toUniversityExam = (item: unknown): Exam | null => {
  if (!isRecord(item) || typeof item.title !== 'string') return null;
  const lines = item.title
    .slice(0, longestTitle)
    .trim()
    .split('\n')
    .map((line) => collapse(label(line)));
  const [courseName = '', time = '', ...places] = lines;
  if (courseName === '') return null;
  const start = str(item.start).slice(0, 10);
  const location = places.filter((place) => place !== '').join(' ');
  return { courseName, date: isoDateOr(start), time, location, kind: 'university', note: '' };
};

/**
 * Calendar events `[{title: "<course>\n<time>\n<place>…", start: "2026-01-09"}]`; the lone `]` is how the campus writes
 * an empty list. Events without a course are dropped.
 * @throws Failure `upstream-unreadable`, also for events of which none has a title: they would look like "no exams"
 */
export const parseUniversityExams = (text: string): { exams: Exam[]; dropped: number } => {
  if (text.replace('\uFEFF', '').trim() === ']') return { exams: [], dropped: 0 };
  const body = readJson(text, 'academics');
  if (!Array.isArray(body)) throw unreadable('academics', 'exam calendar is no list');
  const kind = { system: 'academics', what: 'exams', most: 1_000, isOurs: hasTitle, read: toUniversityExam } as const;
  const { rows: exams, dropped } = readRows(body, kind);
  return { exams, dropped };
};

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

const toOtherExam = (row: unknown): Exam | null => {
  const [courseName = '', date = '', time = '', location = '', note = ''] = (cellsOf(row) ?? []).map(label);
  if (courseName === '' && date === '' && time === '') return null;
  const exam: Exam = { courseName, date: isoDateOr(date), time, location, kind: 'other', note };
  if (!isRecord(row)) return exam;
  const extras = {
    course_code: optStr(row.KCH),
    course_sequence: optStr(row.KXH),
    exam_name: label(row.KSMC) || null,
    week: null,
    admission_ticket: null,
    hint: null,
  };
  return Object.values(extras).some((each) => each !== null) ? { ...exam, extras } : exam;
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
export const parseOtherExams = (text: string): ListPage<Exam> & Rows<Exam> => {
  const body = readJsonObject(text, 'academics');
  const page = pageOf(body);
  const found = readRows(page.records, {
    system: 'academics',
    what: 'exam rows',
    // More on one page are no answer to a question for 30.
    most: 1_000,
    isOurs: (row) => cellsOf(row) !== null,
    read: toOtherExam,
  });
  const isPage = [body, page].some((part) => hasAnyOf(part, pageMembers)) || body.list === null;
  if (found.received === 0 && (tellsError(body) || !isPage)) throw unreadable('academics', 'exam answer without rows');
  const stated = (part: JsonObject): number => int(obj(part.pageContext).totalCount, -1);
  // The number beside the rows is theirs; without rows, any number says that there should be some.
  const total = found.received > 0 ? stated(page) : Math.max(stated(page), stated(body));
  return { ...found, total: total >= 0 ? total : null };
};

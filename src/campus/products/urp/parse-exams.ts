import type { Exam } from '../../../domain/academics/exams.ts';
import { isoDateOr, isZoned, startTimesIn } from '../../../lib/moments.ts';
import { isRecord } from '../../../lib/text.ts';
import type { ListPage } from '../../contract/kit.ts';
import { type JsonObject, label, obj, optCount, optLabel, optStr, str } from '../../parsing/cells.ts';
import { isPlainNumber, type OutOfPlace, refuseCellsOutOfPlace } from '../../parsing/columns.ts';
import { statesDay, whenIn } from '../../parsing/exam-times.ts';
import {
  hasAnyOf,
  type ParsedRows,
  readersOf,
  readJsonList,
  readJsonObject,
  readRows,
  records,
  unreadable,
} from '../../parsing/reading.ts';
import { refusesRows } from '../../parsing/refusals.ts';
import { collapse, decodeEntities } from '../../parsing/text.ts';

const reader = readersOf(import.meta.url);

const longestTitle = 2_000;

const lineTag = /<\s{0,8}\/?\s{0,8}(?:br|p|div|li)\s{0,8}\/?\s{0,8}>/gi;
const formatTag = /<\/?(?:b|i|u|em|strong|span|font)(?:\s[^<>]{0,200})?>/gi;

/** Tags may stand in a title escaped, too. */
const linesIn = (title: string): string[] =>
  decodeEntities(title.slice(0, longestTitle))
    .replace(lineTag, '\n')
    .replace(formatTag, '')
    .trim()
    .split('\n')
    .map((line) => collapse(str(line)));

const statesHour = (line: string): boolean => startTimesIn(line).length > 0;

/** A title of null is how the campus writes an entry without a course. */
const toUniversityExam = (item: JsonObject): Exam | null => {
  if (typeof item.title !== 'string') return null;
  const [courseName = '', ...lines] = linesIn(item.title);
  if (courseName === '') return null;
  // The hours follow the name, unless a line that says none does and another one states them.
  const at = statesHour(lines[0] ?? '') ? 0 : Math.max(lines.findIndex(statesHour), 0);
  const start = str(item.start);
  const location = lines.filter((line, place) => place !== at && line !== '').join(' ');
  const date = isoDateOr(isZoned(start) ? start : start.slice(0, 10));
  return { courseName, date, time: lines[at] ?? '', location, kind: 'university', note: '' };
};

/**
 * Calendar events `[{title: "<course>\n<time>\n<place>…", start: "2026-01-09"}]`; the lone `]` is how the campus writes
 * an empty list. Events without a course are dropped.
 * @throws Failure `upstream-unreadable`, also for events of which none has a title: they would look like "no exams"
 */
export const parseUniversityExams = reader(
  'parseUniversityExams',
  (text: string): { exams: Exam[]; dropped: number } => {
    if (text.replace('\uFEFF', '').trim() === ']') return { exams: [], dropped: 0 };
    const body = readJsonList(text, 'academics', 'exam calendar');
    const kind = records({ system: 'academics', what: 'exams' }, ['title'], toUniversityExam);
    const { rows: exams, dropped } = readRows(body, kind);
    return { exams, dropped };
  },
);

/** Columns of a row that is an array; the others are not read. */
const columns = { name: 2, date: 4, time: 5, place: 6, remark: 7 } as const;
const fewestColumns = 8;

const rowMembers = ['KCM', 'KSRQ', 'KSSJ'];

/** Without rows, an exam list is recognized by one of these. */
const pageMembers = ['records', 'pageContext', 'pageNum', 'pageSize'];

/** Name, date, time, place and remark of a row of either form; null for anything else. */
const cellsOf = (row: unknown): readonly unknown[] | null => {
  if (Array.isArray(row)) {
    return row.length < fewestColumns ? null : Object.values(columns).map((column): unknown => row[column]);
  }
  return hasAnyOf(row, rowMembers) && isRecord(row) ? [row.KCM, row.KSRQ, row.KSSJ, row.KSDD, row.BZ] : null;
};

const toOtherExam = (row: unknown): Exam | null => {
  const [courseName = '', date = '', time = '', location = '', note = ''] = (cellsOf(row) ?? []).map(label);
  if (courseName === '' && date === '' && time === '') return null;
  const exam: Exam = { courseName, ...whenIn(date, time), location, kind: 'other', note };
  if (!isRecord(row)) return exam;
  const extras = {
    course_code: optStr(row.KCH),
    course_sequence: optStr(row.KXH),
    exam_name: optLabel(row.KSMC),
    week: null,
    admission_ticket: null,
    hint: null,
  };
  return Object.values(extras).some((each) => each !== null) ? { ...exam, extras } : exam;
};

/** A row that is an array may have its cells in other columns. */
const outOfPlace: ReadonlyArray<OutOfPlace<Exam>> = [
  {
    weight: 'proof',
    shows: ({ courseName, date, time, location, note }) =>
      isPlainNumber(courseName) ||
      [courseName, location].some((text) => statesDay(text) || startTimesIn(text).length > 0) ||
      (!statesDay(date) && [time, note].some(statesDay)) ||
      (time !== '' && !/\d/.test(time) && [date, note].some((text) => startTimesIn(text).length > 0)),
  },
];

/** Finds the object that holds `records`: the root, or `list` where the root has none. */
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
export const parseOtherExams = reader('parseOtherExams', (text: string): ListPage<Exam> & ParsedRows<Exam> => {
  const body = readJsonObject(text, 'academics');
  const page = pageOf(body);
  /** Cells with names are where they belong. */
  const byPosition: Exam[] = [];
  const found = readRows(page.records, {
    system: 'academics',
    what: 'exam rows',
    isOurs: (row) => cellsOf(row) !== null,
    read(row) {
      const exam = toOtherExam(row);
      if (exam !== null && Array.isArray(row)) byPosition.push(exam);
      return exam;
    },
  });
  refuseCellsOutOfPlace('academics', 'exam rows', byPosition, outOfPlace);
  const isPage = [body, page].some((part) => hasAnyOf(part, pageMembers)) || body.list === null;
  if (found.received === 0 && (refusesRows(body) || !isPage)) throw unreadable('academics', 'exam answer without rows');
  const readStated = (part: JsonObject): number | null => optCount(obj(part.pageContext).totalCount);
  // A count beside rows is the count of those rows; without rows, any count says that there should be some.
  const other = found.received > 0 ? null : readStated(body);
  const total = other === null ? readStated(page) : Math.max(readStated(page) ?? 0, other);
  return { ...found, total };
});

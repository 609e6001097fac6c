import type { CoursePlace, CourseTable, ScheduledCourse, SectionTimes } from '../../../domain/academics/ports.ts';
import { CourseExtras } from '../../../domain/academics/records.ts';
import { unsaidOf } from '../../../domain/record.ts';
import { isRecord } from '../../../lib/text.ts';
import { mostWeeks } from '../../../lib/weeks-in-words.ts';
import { countOf, int, type JsonObject, label, namesIn, optLabel, str } from '../../parsing/cells.ts';
import { readersOf, readRows, records, unreadable } from '../../parsing/reading.ts';
import { clockTimeOf, minutesBetween, sessionOf, sessionParts, weekdayIn } from '../../parsing/sessions.ts';
import { weekMask } from '../../parsing/weeks.ts';
import { readData, refuseWithoutRows } from './pages.ts';

const reader = readersOf(import.meta.url);
const system = 'academics';

const marksOfKinds = '★○●◆☆';

/** A course is marked behind its name by what is taught. */
export const courseName = (row: JsonObject): string => {
  const name = label(row.kcmc);
  return marksOfKinds.includes(name.charAt(name.length - 1)) ? name.replace(/[\s★○●◆☆]+$/, '') : name;
};

/** The number inside is no code for people. */
export const courseCode = (row: JsonObject): string => {
  const code = str(row.kch);
  if (code !== '') return code;
  const inside = str(row.kch_id);
  return /^[\dA-F]{32}$/i.test(inside) ? '' : inside;
};

/** The weeks as bits, of which the first is week 1; `""`: not stated. */
const bitsOf = (row: JsonObject): string => {
  let mask = '';
  for (let rest = int(row.oldzc); rest > 0; rest = Math.floor(rest / 2)) mask += rest % 2;
  return mask;
};

const goesBeyond = (row: JsonObject): boolean => {
  const bits = bitsOf(row);
  return bits === ''
    ? (str(row.zcd).match(/(?<!\d)\d{1,2}(?!\d)/g) ?? []).some((week) => Number(week) > mostWeeks)
    : bits.length > mostWeeks;
};

/** One for each part of `1-2,5-6`. Null: a part, or the day, cannot be read. */
const placesOf = (row: JsonObject): CoursePlace[] | null => {
  const weekday = weekdayIn(row.xqj) || weekdayIn(row.xqjmc);
  const parts = sessionParts(str(row.jcs) || row.jc);
  if (weekday === 0 || parts === null) return null;
  const zcd = label(row.zcd);
  const room = label(row.cdmc);
  const common = {
    weekday,
    weekMask: weekMask(bitsOf(row), zcd),
    weekDescription: zcd,
    campus: label(row.xqmc),
    building: '',
    room: room === '未排地点' ? '' : room,
  };
  return parts.map(({ first, last }) => ({ ...common, firstSession: first, sessionCount: last - first + 1 }));
};

const unsaidOfCourse = unsaidOf(CourseExtras);
const remarkOf = (value: unknown): string | null => (str(value) === '无' ? null : optLabel(value));

const statesPlace = ({ xqj, xqjmc, jcs, jc }: JsonObject): boolean =>
  [xqj, xqjmc, jcs, jc].some((cell) => str(cell) !== '');

interface PlacedRow {
  readonly row: JsonObject;
  /** Null: they cannot be read. */
  readonly places: readonly CoursePlace[] | null;
}

const courseOf = (placed: readonly PlacedRow[]): ScheduledCourse => {
  const rows = placed.map(({ row }) => row);
  const [row = {}] = rows;
  return {
    name: courseName(row),
    code: courseCode(row),
    sequence: label(row.jxbmc),
    teachers: namesIn(rows.map(({ xm }) => xm)).join(' '),
    nature: label(row.kcxz),
    examType: label(row.khfsmc),
    credits: countOf(row.xf),
    places: placed.flatMap(({ places }) => places ?? []),
    extras: { ...unsaidOfCourse, remark: rows.map(({ xkbz }) => remarkOf(xkbz)).find((each) => each !== null) ?? null },
  };
};

/** Practice has neither a day nor a room. */
const practiceOf = (row: JsonObject): ScheduledCourse | null => {
  const name = courseName(row) || label(row.qtkcgs);
  if (name === '') return null;
  return {
    name,
    code: courseCode(row),
    sequence: label(row.jxbmc),
    teachers: namesIn([row.jsxm]).join(' '),
    nature: label(row.kcxz),
    examType: label(row.khfsmc),
    credits: countOf(row.xf),
    places: [],
    extras: { ...unsaidOfCourse, remark: remarkOf(row.qsjsz) },
  };
};

export interface JwglxtTimetable {
  readonly table: CourseTable;
  /** The number of the student whose table it is; null: not stated. */
  readonly owner: string | null;
  /** Rows without a place that can be read, or cut after week 24. */
  readonly dropped: number;
}

/** Null: the school wants another page to be opened first. */
export const parseTimetable = reader('parseTimetable', (text: string): JwglxtTimetable | null => {
  const body = readData(text);
  if (!isRecord(body) || !('xsxx' in body) || !Array.isArray(body.kbList))
    throw unreadable(system, 'timetable without rows');
  if (body.xsxx === null) return null;
  if (body.kbList.length === 0) refuseWithoutRows(body);
  const namePlace = (what: string) => ({ system, what }) as const;
  const found = readRows(
    body.kbList,
    records(namePlace('classes'), ['kcmc', 'kch'], (row) => (courseName(row) === '' ? null : row)),
  );
  const practice = readRows(body.sjkList, records(namePlace('practice'), ['kcmc', 'qtkcgs'], practiceOf));
  const rows = found.rows.map((row): PlacedRow => ({ row, places: statesPlace(row) ? placesOf(row) : [] }));
  const unplaced = rows.filter(({ places }) => places === null).length;
  // Places that cannot be read are no free week.
  if (unplaced > 0 && rows.every(({ places }) => places === null || places.length === 0))
    throw unreadable(system, 'places of another shape');
  const byClass = Map.groupBy(
    rows,
    ({ row }) => str(row.jxb_id) || JSON.stringify([courseCode(row), str(row.jxbmc), courseName(row)]),
  );
  const all = [...[...byClass.values()].map(courseOf), ...practice.rows];
  const cut = rows.filter(({ row, places }) => places !== null && places.length > 0 && goesBeyond(row)).length;
  return {
    table: { totalCredits: all.reduce((sum, { credits }) => sum + credits, 0), courses: all },
    owner: isRecord(body.xsxx) ? str(body.xsxx.XH) || null : null,
    dropped: found.dropped + practice.dropped + unplaced + cut,
  };
});

/** An empty list: the campus states no times. */
export const parseSections = reader('parseSections', (text: string): SectionTimes => {
  const body = readData(text);
  if (!Array.isArray(body)) throw unreadable(system, 'section times of the wrong type');
  const kind = { system, what: 'section times' } as const;
  const { rows: slots } = readRows(
    body,
    records(kind, ['jcmc', 'qssj'], (row) => {
      const [session, startTime, endTime] = [sessionOf(row.jcmc), clockTimeOf(row.qssj), clockTimeOf(row.jssj)];
      if (session < 1 || startTime === '' || endTime <= startTime) return null;
      return { session, name: '', startTime, endTime, length: String(minutesBetween(startTime, endTime)), block: 0 };
    }),
  );
  return { slots, semester: null };
});

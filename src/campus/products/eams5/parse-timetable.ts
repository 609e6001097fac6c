import type { CoursePlace, CourseTable, ScheduledCourse, SectionTimes } from '../../../domain/academics/ports.ts';
import { CourseExtras } from '../../../domain/academics/records.ts';
import { unsaid } from '../../../domain/record.ts';
import { isRecord } from '../../../lib/text.ts';
import { int, type JsonObject, label, list, num, obj, optLabel, str } from '../../parsing/cells.ts';
import { elementsOf, readersOf, readJsonObject, unreadable } from '../../parsing/reading.ts';

const reader = readersOf(import.meta.url);
const system = 'academics';
const weeks = 24;

/** A name that stands as text, or as an object with both languages. */
export const nameIn = (value: unknown): string => label(isRecord(value) ? (value.nameZh ?? value) : value);

/** Null where the campus places the class in no week, or on no day: then it has no place. */
const placeOf = (row: JsonObject): CoursePlace | null => {
  const [weekday, first, last] = [int(row.weekday), int(row.startUnit), int(row.endUnit)];
  const held = list(row.weekIndexes).map((week) => int(week));
  if (weekday < 1 || weekday > 7 || first < 1 || last < first || !held.some((week) => week >= 1)) return null;
  const mask = new Array<string>(weeks).fill('0');
  for (const week of held) if (week >= 1 && week <= weeks) mask[week - 1] = '1';
  return {
    weekday,
    firstSession: first,
    sessionCount: last - first + 1,
    weekMask: mask.join(''),
    weekDescription: label(row.weeksStr),
    campus: label(row.campus),
    building: label(row.building),
    room: label(row.room),
  };
};

const isCut = (row: JsonObject): boolean => list(row.weekIndexes).some((week) => int(week) > weeks);

/** `800` → `0800`; `""` for what is no time of a day. */
const clock = (value: unknown): string => {
  const text = str(value).replace(':', '').padStart(4, '0');
  return /^(?:[01]\d|2[0-3])[0-5]\d$/.test(text) ? text : '';
};
const minutes = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(2));

const sectionsOf = (layout: unknown): SectionTimes => ({
  slots: list(obj(layout).courseUnitList).flatMap((unit) => {
    const { indexNo, startTime, endTime } = obj(unit);
    const [from, to, session] = [clock(startTime), clock(endTime), int(indexNo)];
    if (session < 1 || from === '' || to <= from) return [];
    const length = String(minutes(to) - minutes(from));
    return [{ session, name: '', startTime: from, endTime: to, length, block: 0 }];
  }),
  semester: null,
});

const unsaidOfCourse = unsaid(CourseExtras);

interface PlacedRow {
  readonly row: JsonObject;
  readonly place: CoursePlace | null;
}

const courseOf = (placed: readonly PlacedRow[]): ScheduledCourse => {
  const rows = placed.map(({ row }) => row);
  const [row = {}] = rows;
  const named = [...new Set(rows.flatMap(({ teachers, teacherNames }) => list(teachers ?? teacherNames).map(nameIn)))];
  const remark = rows.map(({ lessonRemark }) => optLabel(lessonRemark)).find((each) => each !== null) ?? null;
  return {
    name: label(row.courseName) || label(row.lessonName),
    code: str(row.courseCode),
    sequence: str(row.lessonCode),
    teachers: named.filter((name) => name !== '').join(' '),
    nature: nameIn(row.courseType),
    examType: '',
    credits: num(row.credits),
    places: placed.flatMap(({ place }) => place ?? []),
    extras: { ...unsaidOfCourse, remark },
  };
};

export interface Eams5Timetable {
  readonly table: CourseTable;
  readonly sections: SectionTimes;
  /** The school's id of the student whose table it is; null: not stated. */
  readonly studentId: string | null;
  /** Places that were left out, or cut after week 24. */
  readonly dropped: number;
}

export const parseTimetable = reader('parseTimetable', (text: string): Eams5Timetable => {
  const body = readJsonObject(text, system);
  const table = obj(list(body.studentTableVms)[0] ?? body.studentTableVm);
  if (!Array.isArray(table.activities)) throw unreadable(system, 'timetable without activities');
  const found = elementsOf(table.activities, { system, what: 'activities' });
  const rows = found
    .map(obj)
    .filter((row) => label(row.courseName) !== '' || label(row.lessonName) !== '')
    .map((row): PlacedRow => ({ row, place: placeOf(row) }));
  const byLesson = Map.groupBy(rows, ({ row: { lessonCode, courseCode, courseName } }) =>
    JSON.stringify([str(lessonCode), str(courseCode), str(lessonCode) === '' ? str(courseName) : '']),
  );
  const courses = [...byLesson.values()].map(courseOf);
  const placed = courses.reduce((sum, { places }) => sum + places.length, 0);
  const stated = rows.filter(({ row }) => list(row.weekIndexes).length > 0).length;
  // Places that cannot be read are no free week.
  if (found.length > 0 && (rows.length === 0 || (stated > 0 && placed === 0)))
    throw unreadable(system, 'activities of another shape');
  return {
    table: { totalCredits: courses.reduce((sum, { credits }) => sum + credits, 0), courses },
    sections: sectionsOf(table.timeTableLayout ?? body.timeTableLayout),
    studentId: str(table.id) || null,
    dropped: found.length - placed + rows.filter(({ row, place }) => place !== null && isCut(row)).length,
  };
});

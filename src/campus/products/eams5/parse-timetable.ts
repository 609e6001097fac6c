import type { CoursePlace, CourseTable, ScheduledCourse, SectionTimes } from '../../../domain/academics/ports.ts';
import { CourseExtras } from '../../../domain/academics/records.ts';
import { unsaidOf } from '../../../domain/record.ts';
import { isRecord } from '../../../lib/text.ts';
import { mostWeeks } from '../../../lib/weeks-in-words.ts';
import { countOf, int, type JsonObject, label, list, namesIn, obj, optLabel, str } from '../../parsing/cells.ts';
import { elementsOf, readersOf, readJsonObject, unreadable } from '../../parsing/reading.ts';
import { refusesRows } from '../../parsing/refusals.ts';
import { clockTimeOf, minutesBetween, sessionOf, weekdayIn } from '../../parsing/sessions.ts';
import { weekMask } from '../../parsing/weeks.ts';

const reader = readersOf(import.meta.url);
const system = 'academics';

/** A name that stands as text, or as an object with both languages. */
export const nameIn = (value: unknown): string => label(isRecord(value) ? (value.nameZh ?? value) : value);

/** The weeks as a mask; `""`: none are stated, or they count from 0, and each would be told as another. */
const weeksOf = ({ weekIndexes }: JsonObject): string => {
  if (typeof weekIndexes === 'string') return weekIndexes.trim() === '' ? '' : weekMask('', weekIndexes);
  const held = list(weekIndexes).map((week) => int(week, Number.NaN));
  if (!held.some((week) => week >= 1) || held.some((week) => week < 1)) return '';
  return Array.from({ length: mostWeeks }, (_, at) => (held.includes(at + 1) ? '1' : '0')).join('');
};

const statesWeeks = ({ weekIndexes }: JsonObject): boolean =>
  typeof weekIndexes === 'string' ? weekIndexes.trim() !== '' : list(weekIndexes).length > 0;

/** Null where the campus places the class in no week, or on no day: then it has no place. */
const placeOf = (row: JsonObject): CoursePlace | null => {
  const [weekday, first, last] = [weekdayIn(row.weekday), sessionOf(row.startUnit), sessionOf(row.endUnit)];
  const mask = weeksOf(row);
  if (weekday === 0 || first < 1 || last < first || mask === '') return null;
  return {
    weekday,
    firstSession: first,
    sessionCount: last - first + 1,
    weekMask: mask,
    weekDescription: label(row.weeksStr),
    campus: nameIn(row.campus),
    building: nameIn(row.building),
    room: nameIn(row.room),
  };
};

const isCut = ({ weekIndexes }: JsonObject): boolean =>
  Array.isArray(weekIndexes) && weekIndexes.some((week) => int(week) > mostWeeks);

const sectionsOf = (layout: unknown): SectionTimes => ({
  slots: list(obj(layout).courseUnitList).flatMap((unit) => {
    const { indexNo, startTime, endTime } = obj(unit);
    const [from, to, session] = [clockTimeOf(startTime), clockTimeOf(endTime), sessionOf(indexNo)];
    if (session < 1 || from === '' || to <= from) return [];
    const length = String(minutesBetween(from, to));
    return [{ session, name: '', startTime: from, endTime: to, length, block: 0 }];
  }),
  semester: null,
});

const unsaidOfCourse = unsaidOf(CourseExtras);

interface PlacedRow {
  readonly row: JsonObject;
  readonly place: CoursePlace | null;
}

const teachersIn = (value: unknown): readonly unknown[] => (typeof value === 'string' ? namesIn([value]) : list(value));

const courseOf = (placed: readonly PlacedRow[]): ScheduledCourse => {
  const rows = placed.map(({ row }) => row);
  const [row = {}] = rows;
  const named = [
    ...new Set(rows.flatMap(({ teachers, teacherNames: names }) => teachersIn(teachers ?? names).map(nameIn))),
  ];
  const remark = rows.map(({ lessonRemark }) => optLabel(lessonRemark)).find((each) => each !== null) ?? null;
  return {
    name: label(row.courseName) || label(row.lessonName),
    code: str(row.courseCode),
    sequence: str(row.lessonCode),
    teachers: named.filter((name) => name !== '').join(' '),
    nature: nameIn(row.courseType),
    examType: '',
    credits: countOf(row.credits),
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
  if (found.length === 0 && refusesRows(body)) throw unreadable(system, 'an answer without activities');
  const rows = found
    .map(obj)
    .filter((row) => label(row.courseName) !== '' || label(row.lessonName) !== '')
    .map((row): PlacedRow => ({ row, place: placeOf(row) }));
  const byLesson = Map.groupBy(rows, ({ row: { lessonCode, courseCode, courseName } }) =>
    JSON.stringify([str(lessonCode), str(courseCode), str(lessonCode) === '' ? str(courseName) : '']),
  );
  const courses = [...byLesson.values()].map(courseOf);
  const placed = courses.reduce((sum, { places }) => sum + places.length, 0);
  const stated = rows.filter(({ row }) => statesWeeks(row)).length;
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

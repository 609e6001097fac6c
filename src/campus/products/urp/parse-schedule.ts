import type { CoursePlace, CourseTable, ScheduledCourse, SectionTimes } from '../../../domain/academics/ports.ts';
import type { CourseExtras } from '../../../domain/academics/records.ts';
import { isRecord } from '../../../lib/text.ts';
import { int, type JsonObject, label, list, num, obj, optLabel, str } from '../../parsing/cells.ts';
import {
  elementsOf,
  readersOf,
  readJson,
  readJsonObject,
  readRows,
  records,
  unreadable,
} from '../../parsing/reading.ts';
import { collapse, plainMessage } from '../../parsing/text.ts';
import { weekMask } from '../../parsing/weeks.ts';
import { stale } from './pages.ts';

const reader = readersOf(import.meta.url);

/** No real course has more places. */
const mostPlaces = 500;

/** The campus puts an asterisk after the main teacher, which also separates the names. */
export const teachersIn = (value: unknown): readonly string[] =>
  label(value)
    .split(/[*＊]/)
    .map(collapse)
    .filter((name) => name !== '');

const toPlace = (item: unknown): CoursePlace | null => {
  const place = obj(item);
  const weekday = int(place.classDay);
  if (weekday < 1 || weekday > 7) return null;
  const weekDescription = label(place.weekDescription);
  return {
    weekday,
    firstSession: int(place.classSessions),
    sessionCount: int(place.continuingSession),
    weekMask: weekMask(str(place.classWeek), weekDescription),
    weekDescription,
    campus: label(place.campusName),
    building: label(place.teachingBuildingName),
    room: label(place.classroomName),
  };
};

const toCourse = (entry: JsonObject): ScheduledCourse | null => {
  if (list(entry.timeAndPlaceList).length > mostPlaces) throw unreadable('academics', 'too many course places');
  const id = obj(entry.id);
  const name = label(entry.courseName);
  if (name === '') return null;
  return {
    name,
    code: str(id.coureNumber),
    sequence: str(id.coureSequenceNumber),
    teachers: teachersIn(entry.attendClassTeacher).join(' '),
    nature: label(entry.coursePropertiesName),
    examType: label(entry.examTypeName),
    credits: num(entry.unit),
    places: list(entry.timeAndPlaceList)
      .map(toPlace)
      .filter((place) => place !== null),
    extras: extrasOf(entry),
  };
};

const extrasOf = (entry: JsonObject): CourseExtras => ({
  selection_status: optLabel(entry.selectCourseStatusName),
  study_mode: optLabel(entry.studyModeName),
  category: optLabel(entry.courseCategoryName),
  plan_name: optLabel(entry.programPlanName),
  remark: optLabel(entry.bz),
});

/** Takes each member from `one`, or from `other` where `one` has none. */
const preferring = (one: CourseExtras | undefined, other: CourseExtras | undefined): CourseExtras | undefined => {
  if (!one || !other) return one;
  return { ...other, ...Object.fromEntries(Object.entries(one).filter(([, text]) => text !== null)) };
};

/** Merges courses with the same code and sequence: the texts of the first, the places of all without duplicates. */
export const merged = (courses: readonly ScheduledCourse[]): ScheduledCourse[] => {
  const byKey = new Map<string, { course: ScheduledCourse; places: Map<string, CoursePlace> }>();
  courses.forEach((course, position) => {
    // Courses without a code cannot be compared.
    const key = JSON.stringify(course.code === '' ? position : [course.code, course.sequence]);
    const earlier = byKey.get(key);
    const entry = earlier
      ? { ...earlier, course: { ...earlier.course, extras: preferring(earlier.course.extras, course.extras) } }
      : { course, places: new Map<string, CoursePlace>() };
    for (const place of course.places) entry.places.set(JSON.stringify(place), place);
    byKey.set(key, entry);
  });
  return [...byKey.values()].map(({ course, places }) => ({ ...course, places: [...places.values()] }));
};

/** Counts any other value as one unreadable course, but null as none. */
const asUnreadable = (value: unknown): readonly unknown[] => (value === null ? [] : [null]);

const courseRows = {
  system: 'academics',
  what: 'courses',
  read: (row: unknown) => (isRecord(row) ? toCourse(row) : null),
} as const;

const courseKey = (code: string, sequence: string): string => JSON.stringify([code, sequence]);

/** Plan names by course, for courses that do not name their plan. */
const plansIn = (byPlan: readonly unknown[]): ReadonlyMap<string, string> => {
  const plans = new Map<string, string>();
  for (const plan of byPlan.map(obj)) {
    const name = label(plan.programPlanName);
    for (const entry of list(plan.selectCourseList)) {
      const id = obj(obj(entry).id);
      const key = courseKey(str(id.coureNumber), str(id.coureSequenceNumber));
      if (name !== '' && !plans.has(key)) plans.set(key, name);
    }
  }
  return plans;
};

const withPlan = (course: ScheduledCourse, plans: ReadonlyMap<string, string>): ScheduledCourse => {
  const { extras, code, sequence } = course;
  if (!extras || extras.plan_name !== null) return course;
  return { ...course, extras: { ...extras, plan_name: plans.get(courseKey(code, sequence)) ?? null } };
};

/**
 * Parses `{allUnits, errorMessage, xkxx: [{"<code>_<sequence>": {…}}], dateList: [{selectCourseList: [{…}]}]}`: the
 * courses of `xkxx`, or of `dateList` if that has none. Courses without a name are dropped.
 * @throws Failure `upstream-unreadable`, also if all courses are unreadable: they would look like "no courses"
 */
export const parseCourseTable = reader('parseCourseTable', (text: string) => {
  const body = readJsonObject(text, 'academics');
  // A message of nothing but tags is still a refusal, though none of it can be shown.
  const refusal = typeof body.errorMessage === 'boolean' ? '' : str(body.errorMessage);
  if (refusal !== '') return stale(plainMessage(refusal));
  if (!('xkxx' in body) && !('dateList' in body)) throw unreadable('academics', 'schedule without course lists');
  const [selected, byPlan] = [elementsOf(body.xkxx, courseRows), elementsOf(body.dateList, courseRows)];
  let { rows: courses, dropped } = readRows(
    selected.flatMap((map) => (isRecord(map) ? Object.values(map) : asUnreadable(map))),
    courseRows,
  );
  if (courses.length === 0) {
    const lists = byPlan.flatMap((plan) => (isRecord(plan) ? list(plan.selectCourseList) : asUnreadable(plan)));
    const second = readRows(lists, courseRows);
    courses = second.rows;
    dropped += second.dropped;
  }
  if (courses.length === 0 && dropped > 0) throw unreadable('academics', 'courses of another shape');
  const plans = plansIn(byPlan);
  const planned = merged(courses).map((course) => withPlan(course, plans));
  const table: CourseTable = { totalCredits: num(body.allUnits), courses: planned };
  return { kind: 'table' as const, table, dropped };
});

/** Some installations send the inner values as JSON texts. */
const unpacked = (value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  return value.trim() === '' ? null : readJson(value, 'academics');
};

/** Unwraps `{status, msg, data}` where the campus sends it. */
const payload = (body: JsonObject): JsonObject => {
  if ('sectionTime' in body) return body;
  const inner = unpacked(body.data);
  if (isRecord(inner) && 'sectionTime' in inner) return inner;
  throw unreadable('academics', 'timetable without sections');
};

const toSlot = (item: JsonObject) => ({
  session: int(obj(item.id).session),
  name: label(item.sessionName),
  startTime: str(item.startTime),
  endTime: str(item.endTime),
  length: str(item.timeLength),
  block: int(item.djjc),
});

/** `{firstday, section: {zs, zcsm, tjc}, sectionTime: [{id: {session}, sessionName, startTime, endTime, …}]}`. */
export const parseSections = reader('parseSections', (text: string): { sections: SectionTimes; dropped: number } => {
  const body = payload(readJsonObject(text, 'academics'));
  const { rows: slots, dropped } = readRows(
    unpacked(body.sectionTime),
    records({ system: 'academics', what: 'sessions' }, [], toSlot),
  );
  const section = obj(unpacked(body.section));
  const semester =
    Object.keys(section).length === 0
      ? null
      : {
          totalWeeks: String(int(section.zs)),
          weekDescription: label(section.zcsm),
          totalSessions: String(int(section.tjc)),
          firstDay: String(int(body.firstday, 1)),
        };
  return { sections: { slots, semester }, dropped };
});

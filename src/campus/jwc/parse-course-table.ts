import type { CoursePlace, CourseTable, ScheduledCourse } from '../../domain/academics/types.ts';
import { isRecord } from '../../lib/records.ts';
import { readJsonObject } from '../parsing/json.ts';
import { int, type JsonObject, list, num, obj, payloadList, str } from '../parsing/scalars.ts';
import { collapse, plainMessage } from '../parsing/text.ts';
import { unreadable } from '../parsing/unreadable.ts';
import { weekMask } from './week-mask.ts';

type CourseAnswer =
  | { readonly kind: 'table'; readonly table: CourseTable; readonly dropped: number }
  /** The segment is no longer good, or the application refused. */
  | { readonly kind: 'stale'; readonly message: string };

/** Courses of one term and places of one course; more is not a student's schedule. */
const mostCourses = 1_000;
const mostPlaces = 500;

/** The campus marks the main teacher by an asterisk behind the name, which also serves as separator. */
const teacherNames = (value: unknown): string =>
  str(value)
    .split(/[*＊]/)
    .map(collapse)
    .filter((name) => name !== '')
    .join(' ');

const toPlace = (item: unknown): CoursePlace | null => {
  const place = obj(item);
  const weekday = int(place.classDay);
  if (weekday < 1 || weekday > 7) return null;
  const weekDescription = str(place.weekDescription);
  return {
    weekday,
    firstSession: int(place.classSessions),
    sessionCount: int(place.continuingSession),
    weekMask: weekMask(str(place.classWeek), weekDescription),
    weekDescription,
    campus: str(place.campusName),
    building: str(place.teachingBuildingName),
    room: str(place.classroomName),
  };
};

const toCourse = (entry: JsonObject): ScheduledCourse => {
  const id = obj(entry.id);
  return {
    name: str(entry.courseName),
    code: str(id.coureNumber),
    sequence: str(id.coureSequenceNumber),
    teachers: teacherNames(entry.attendClassTeacher),
    nature: str(entry.coursePropertiesName),
    examType: str(entry.examTypeName),
    credits: num(entry.unit),
    places: list(entry.timeAndPlaceList)
      .map(toPlace)
      .filter((place) => place !== null),
  };
};

const placeKey = (p: CoursePlace): string =>
  JSON.stringify([
    p.weekday,
    p.firstSession,
    p.sessionCount,
    p.weekMask,
    p.weekDescription,
    p.campus,
    p.building,
    p.room,
  ]);

/** One entry per course code and sequence: the first one's texts, the places of all, none of them twice. */
const merged = (courses: readonly ScheduledCourse[]): ScheduledCourse[] => {
  const byKey = new Map<string, { course: ScheduledCourse; places: Map<string, CoursePlace> }>();
  courses.forEach((course, position) => {
    // Courses without a code cannot be told to be the same.
    const key = JSON.stringify(course.code === '' ? position : [course.code, course.sequence]);
    const entry = byKey.get(key) ?? { course, places: new Map<string, CoursePlace>() };
    for (const place of course.places) entry.places.set(placeKey(place), place);
    byKey.set(key, entry);
  });
  return [...byKey.values()].map(({ course, places }) => ({ ...course, places: [...places.values()] }));
};

/** What stands where courses are due counts as one that cannot be read, unless it is nothing. */
const unusable = (value: unknown): readonly unknown[] => (value === null ? [] : [null]);

const read = (candidates: readonly unknown[]): { courses: ScheduledCourse[]; dropped: number } => {
  if (candidates.length > mostCourses) throw unreadable('academics', 'too many courses');
  const courses: ScheduledCourse[] = [];
  let dropped = 0;
  for (const candidate of candidates) {
    if (!isRecord(candidate)) {
      dropped += 1;
      continue;
    }
    if (list(candidate.timeAndPlaceList).length > mostPlaces) throw unreadable('academics', 'too many course places');
    const course = toCourse(candidate);
    if (course.name === '') dropped += 1;
    else courses.push(course);
  }
  return { courses, dropped };
};

/**
 * `{allUnits, errorMessage, xkxx: [{"<code>_<sequence>": {…}}], dateList: [{selectCourseList: [{…}]}]}`. The courses
 * are those of `xkxx`, or of `dateList` where that names none. Courses without a name are dropped.
 * @throws Failure `upstream-unreadable`, also for courses of which none can be read: they would look like "no courses"
 */
export const parseCourseTable = (text: string): CourseAnswer => {
  const body = readJsonObject(text, 'academics');
  // A message made of tags only is still a refusal, though there is nothing left of it to show.
  const refusal = typeof body.errorMessage === 'boolean' ? '' : str(body.errorMessage);
  if (refusal !== '') return { kind: 'stale', message: plainMessage(refusal) };
  if (!('xkxx' in body) && !('dateList' in body)) throw unreadable('academics', 'schedule without course lists');
  const selected = payloadList(body.xkxx);
  const byPlan = payloadList(body.dateList);
  if (selected === null || byPlan === null) throw unreadable('academics', 'course list of the wrong type');
  let { courses, dropped } = read(selected.flatMap((map) => (isRecord(map) ? Object.values(map) : unusable(map))));
  if (courses.length === 0) {
    const second = read(byPlan.flatMap((plan) => (isRecord(plan) ? list(plan.selectCourseList) : unusable(plan))));
    courses = second.courses;
    dropped += second.dropped;
  }
  if (courses.length === 0 && dropped > 0) throw unreadable('academics', 'courses of another shape');
  return { kind: 'table', table: { totalCredits: num(body.allUnits), courses: merged(courses) }, dropped };
};

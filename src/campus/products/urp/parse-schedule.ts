import type { CoursePlace, CourseTable, ScheduledCourse, SectionTimes } from '../../../domain/academics/ports.ts';
import type { CourseExtras } from '../../../domain/academics/records.ts';
import { isRecord } from '../../../lib/text.ts';
import {
  countOf,
  credits,
  int,
  type JsonObject,
  label,
  list,
  obj,
  optLabel,
  saysSomething,
  saysText,
  str,
} from '../../parsing/cells.ts';
import { beginRow } from '../../parsing/oddities.ts';
import {
  elementsOf,
  leaveOut,
  type ParsedRows,
  readersOf,
  readJson,
  readJsonObject,
  readRows,
  records,
  refuseIfMostDropped,
  statedNumber,
  unreadable,
} from '../../parsing/reading.ts';
import { messageIn, refusesRows } from '../../parsing/refusals.ts';
import { clockTimeOf, sessionOf } from '../../parsing/sessions.ts';
import { collapse, plainMessage } from '../../parsing/text.ts';
import { staleAnswer } from './pages.ts';
import { placeIn } from './places.ts';

const reader = readersOf(import.meta.url);

/** No real course has more places. */
const mostPlaces = 500;

/** The campus puts an asterisk after the main teacher, which also separates the names. */
export const teachersIn = (value: unknown): readonly string[] =>
  label(value)
    .split(/[*＊]/)
    .map(collapse)
    .filter((name) => name !== '');

/** All places of a table, and how many could not be read. */
interface ReadPlaces {
  readonly rows: CoursePlace[];
  dropped: number;
}

const hasText = (value: unknown): boolean =>
  (isRecord(value) && Object.keys(value).length > 0) || (typeof value === 'string' && saysSomething(value));

const placesOf = (entry: JsonObject, all: ReadPlaces): CoursePlace[] => {
  const given = list(entry.timeAndPlaceList);
  // Places in another form than a list are places that cannot be read.
  if (given.length === 0 && hasText(entry.timeAndPlaceList)) all.dropped += 1;
  if (given.length > mostPlaces) throw unreadable('academics', 'too many course places');
  return given.flatMap((item) => {
    if (item === null) return [];
    const place = isRecord(item) ? placeIn(item, str(entry.skzcs)) : 'unreadable';
    if (place === 'unreadable') all.dropped += 1;
    if (typeof place === 'string') return [];
    all.rows.push(place);
    return [place];
  });
};

/** A course under its key in the answer, `<code>_<sequence>`; `""` where it has none. */
type CourseEntry = readonly [key: string, course: unknown];

const toCourse = (key: string, entry: JsonObject, all: ReadPlaces): ScheduledCourse | null => {
  const id = obj(entry.id);
  const [, code = '', sequence = ''] = ('id' in entry ? null : /^([^_]+)_([^_]+)$/.exec(key)) ?? [];
  const name = label(entry.courseName);
  const places = placesOf(entry, all);
  if (name === '') return null;
  return {
    name,
    code: str(id.coureNumber) || code,
    sequence: str(id.coureSequenceNumber) || sequence,
    teachers: teachersIn(entry.attendClassTeacher).join(' '),
    nature: label(entry.coursePropertiesName),
    examType: label(entry.examTypeName),
    credits: countOf(entry.unit),
    places,
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
const preferExtras = (one: CourseExtras | undefined, other: CourseExtras | undefined): CourseExtras | undefined => {
  if (!one || !other) return one;
  return { ...other, ...Object.fromEntries(Object.entries(one).filter(([, text]) => text !== null)) };
};

/** Merges courses with the same code and sequence: the texts of the first, the places of all without duplicates. */
export const mergeCourses = (courses: readonly ScheduledCourse[]): ScheduledCourse[] => {
  const byKey = new Map<string, { course: ScheduledCourse; places: Map<string, CoursePlace> }>();
  courses.forEach((course, position) => {
    // Courses without a code cannot be compared.
    const key = JSON.stringify(course.code === '' ? position : [course.code, course.sequence]);
    const earlier = byKey.get(key);
    const entry = earlier
      ? { ...earlier, course: { ...earlier.course, extras: preferExtras(earlier.course.extras, course.extras) } }
      : { course, places: new Map<string, CoursePlace>() };
    for (const place of course.places) entry.places.set(Object.values(place).join('\0'), place);
    byKey.set(key, entry);
  });
  return [...byKey.values()].map(({ course, places }) => ({ ...course, places: [...places.values()] }));
};

const entriesOf = (map: unknown): readonly CourseEntry[] => {
  if (map === null) return [];
  // Any other value counts as one course that cannot be read.
  return isRecord(map) ? Object.entries(map) : [['', map]];
};

const listEntries = (plan: unknown): readonly CourseEntry[] => {
  if (plan === null) return [];
  if (!isRecord(plan)) return [['', plan]];
  const { selectCourseList: given } = plan;
  // Courses in another form than a list are courses that cannot be read.
  return hasText(given) ? [['', given]] : list(given).map((course) => ['', course] as const);
};

const courses = { system: 'academics', what: 'courses' } as const;

const readCourses = (entries: readonly CourseEntry[], all: ReadPlaces): ParsedRows<ScheduledCourse> => {
  const read = (row: unknown): ScheduledCourse | null | undefined => {
    const [key, course] = row as CourseEntry;
    if (course === null) return leaveOut('null-element');
    beginRow(course);
    return isRecord(course) ? toCourse(key, course, all) : null;
  };
  return readRows(entries, { ...courses, read, isPartOfMore: true });
};

const classKeyOf = (code: string, sequence: string): string => JSON.stringify([code, sequence]);

/** Plan names by course, for courses that do not name their plan. */
const plansIn = (byPlan: readonly unknown[]): ReadonlyMap<string, string> => {
  const plans = new Map<string, string>();
  for (const plan of byPlan.map(obj)) {
    const name = label(plan.programPlanName);
    for (const entry of list(plan.selectCourseList)) {
      const id = obj(obj(entry).id);
      const key = classKeyOf(str(id.coureNumber), str(id.coureSequenceNumber));
      if (name !== '' && !plans.has(key)) plans.set(key, name);
    }
  }
  return plans;
};

const withPlan = (course: ScheduledCourse, plans: ReadonlyMap<string, string>): ScheduledCourse => {
  const { extras, code, sequence } = course;
  if (!extras || extras.plan_name !== null) return course;
  return { ...course, extras: { ...extras, plan_name: plans.get(classKeyOf(code, sequence)) ?? null } };
};

/**
 * Parses `{allUnits, errorMessage, xkxx: [{"<code>_<sequence>": {…}}], dateList: [{selectCourseList: [{…}]}]}`: the
 * courses of `xkxx`, or of `dateList` if that has none. Courses without a name are dropped.
 * `terms`: those that the rows name.
 * @throws Failure `upstream-unreadable`, also if most courses or places are: they would look like no courses, or as courses
 *   without times
 */
export const parseCourseTable = reader('parseCourseTable', (text: string) => {
  const body = readJsonObject(text, 'academics');
  // A message of nothing but tags is still a refusal, though none of it can be shown.
  const { errorMessage } = body;
  if (typeof errorMessage !== 'boolean' && errorMessage !== 0 && saysText(errorMessage))
    return staleAnswer(plainMessage(str(errorMessage)));
  if (!('xkxx' in body) && !('dateList' in body)) throw unreadable('academics', 'schedule without course lists');
  const [selected, byPlan] = [elementsOf(body.xkxx, courses), elementsOf(body.dateList, courses)];
  const places: ReadPlaces = { rows: [], dropped: 0 };
  const [bySelection, ofPlans] = [selected.flatMap(entriesOf), byPlan.flatMap(listEntries)];
  let read = readCourses(bySelection, places);
  if (read.rows.length === 0) {
    const second = readCourses(ofPlans, places);
    read = {
      rows: second.rows,
      received: read.received + second.received,
      dropped: read.dropped + second.dropped,
    };
  }
  if (read.received === 0 && refusesRows(body)) return staleAnswer(messageIn(body));
  refuseIfMostDropped('academics', courses.what, read);
  refuseIfMostDropped('academics', 'places', places);
  const plans = plansIn(byPlan);
  const planned = mergeCourses(read.rows).map((course) => withPlan(course, plans));
  const table: CourseTable = {
    totalCredits: statedNumber(credits(body.allUnits), 'academics', 'sum of credits'),
    courses: planned,
  };
  const terms = new Set(
    [...bySelection, ...ofPlans].map(([, course]) => str(obj(obj(course).id).executiveEducationPlanNumber)),
  );
  return { kind: 'table' as const, table, terms, dropped: read.dropped + places.dropped };
});

/** Some installations send the inner values as JSON texts. */
const unpackJson = (value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  return value.trim() === '' ? null : readJson(value, 'academics');
};

/** Unwraps `{status, msg, data}` where the campus sends it. */
const payload = (body: JsonObject): JsonObject => {
  if ('sectionTime' in body) return body;
  const inner = unpackJson(body.data);
  if (isRecord(inner) && 'sectionTime' in inner) return inner;
  throw unreadable('academics', 'timetable without sections');
};

const toSlot = (item: JsonObject) => ({
  session: sessionOf(isRecord(item.id) ? item.id.session : (item.session ?? item.id)),
  name: label(item.sessionName),
  startTime: clockTimeOf(item.startTime) || str(item.startTime),
  endTime: clockTimeOf(item.endTime) || str(item.endTime),
  length: str(item.timeLength),
  block: int(item.djjc),
});

/** `{firstday, section: {zs, zcsm, tjc}, sectionTime: [{id: {session}, sessionName, startTime, endTime, …}]}`. */
export const parseSections = reader('parseSections', (text: string): { sections: SectionTimes; dropped: number } => {
  const answer = readJsonObject(text, 'academics');
  const body = payload(answer);
  const { rows: slots, dropped } = readRows(
    unpackJson(body.sectionTime),
    records({ system: 'academics', what: 'sessions' }, [], toSlot),
  );
  if (slots.length === 0 && refusesRows(answer)) throw unreadable('academics', 'an answer without sessions');
  const section = obj(unpackJson(body.section));
  const semester =
    Object.keys(section).length === 0
      ? null
      : {
          totalWeeks: String(Math.trunc(countOf(section.zs))),
          weekDescription: label(section.zcsm),
          totalSessions: String(Math.trunc(countOf(section.tjc))),
          firstDay: String(int(body.firstday, 1)),
        };
  return { sections: { slots, semester }, dropped };
});

import type { Attended } from './attended.ts';
import { codeOf, weekIn } from './calendar.ts';
import type { DemoCourse } from './courses.ts';
import { type Programme, type ProgrammePlan, planNameOf, planOf } from './programmes.ts';

/** A timetable entry; the builder gives it the members of the real page. */
export interface CourseEntry {
  readonly code: string;
  readonly sequence: string;
  readonly name: string | null;
  readonly unit: unknown;
  readonly teacher: string | null;
  readonly nature: string | null;
  readonly exam: string | null;
  /** Chosen by the student and attended as usual, where nothing else is said. */
  readonly status?: string;
  readonly mode?: string;
  /** Null, or any other value, is sent as it is. */
  readonly places: readonly PlaceEntry[] | null | '' | Readonly<Record<string, never>>;
}

interface PlaceEntry {
  readonly day: unknown;
  readonly first: unknown;
  readonly count: unknown;
  readonly mask: string | null;
  readonly weeks: string | null;
  readonly building: string | null;
  readonly room: string | null;
}

export interface ShownPlan {
  readonly id: string;
  readonly name: string;
}

type Weeks = readonly [from: number, to: number, step?: number];

/** 24 characters: ones from week `from` to week `to`, every `step` weeks. */
export const weekMask = (from: number, to: number, step = 1): string =>
  Array.from({ length: 24 }, (_, index) => {
    const week = index + 1;
    return week >= from && week <= to && (week - from) % step === 0 ? '1' : '0';
  }).join('');

export const place = (day: number, first: number, count: number, [from, to, step = 1]: Weeks, room: string) => ({
  day,
  first,
  count,
  mask: weekMask(from, to, step),
  weeks: step === 2 ? `${from}-${to}周${from % 2 === 1 ? '单' : '双'}周` : `${from}-${to}周`,
  building: room.split('-')[0] ?? '',
  room,
});

/** Places in a term of that many weeks, written for the usual one. */
export const placeIn =
  (weeks: number) =>
  (day: number, first: number, count: number, [from, to, step]: Weeks, room: string): PlaceEntry =>
    place(day, first, count, [weekIn(weeks, from), weekIn(weeks, to), step], room);

const EXAM_CODES: Readonly<Record<string, string>> = { 考试: '01', 考查: '02' };
const NATURE_CODES: Readonly<Record<string, string>> = { 必修: '001', 选修: '002', 任选: '003' };

const courseObject = (course: CourseEntry, plan: ShownPlan, term: string, userid: string) => {
  const ids = { coureNumber: course.code, coureSequenceNumber: course.sequence, studentNumber: userid };
  return {
    id: { executiveEducationPlanNumber: term, ...ids },
    programPlanNumber: plan.id,
    programPlanName: plan.name,
    courseName: course.name,
    unit: course.unit,
    attendClassTeacher: course.teacher,
    studyModeCode: '01',
    studyModeName: course.mode ?? '正常',
    coursePropertiesCode: NATURE_CODES[course.nature ?? ''] ?? null,
    coursePropertiesName: course.nature,
    examTypeCode: EXAM_CODES[course.exam ?? ''] ?? null,
    examTypeName: course.exam,
    courseCategoryCode: null,
    courseCategoryName: null,
    restrictedCondition: null,
    bz: null,
    selectCourseStatusCode: '02',
    selectCourseStatusName: course.status ?? '选中',
    timeAndPlaceList: Array.isArray(course.places)
      ? course.places.map((entry: PlaceEntry, index) => ({
          id: `${term}${course.code}${course.sequence}${index + 1}`,
          executiveEducationPlanNumber: term,
          ...ids,
          classWeek: entry.mask,
          classDay: entry.day,
          classSessions: entry.first,
          continuingSession: entry.count,
          weekDescription: entry.weeks,
          campusName: '东校区',
          teachingBuildingName: entry.building,
          classroomName: entry.room,
          coursePropertiesName: course.nature,
          coureName: course.name,
        }))
      : course.places,
  };
};

const unitsOf = (courses: readonly CourseEntry[]): number =>
  courses.reduce((sum, { unit }) => sum + (Number.isFinite(Number(unit)) ? Number(unit) : 0), 0);

/** The courses of one plan. `more`: the same course again with other places, as for a split class. */
export interface PlanTimetable {
  readonly plan: ShownPlan;
  readonly courses: readonly CourseEntry[];
  readonly more?: readonly CourseEntry[];
}

export const timetable = (
  term: string,
  userid: string,
  plans: readonly PlanTimetable[],
  options: { readonly source?: 'both' | 'dateList'; readonly units?: unknown } = {},
) => {
  const keyCourse = (wanted: 'courses' | 'more') =>
    Object.fromEntries(
      plans.flatMap((each) =>
        (each[wanted] ?? []).map((course) => [
          `${course.code}_${course.sequence}`,
          courseObject(course, each.plan, term, userid),
        ]),
      ),
    );
  const isSplit = plans.some(({ more = [] }) => more.length > 0);
  const { source = 'both', units = unitsOf(plans.flatMap(({ courses }) => courses)) } = options;
  return {
    allUnits: units,
    errorMessage: '',
    showSite: true,
    school_id: '100010',
    xkxx: source === 'dateList' ? null : [keyCourse('courses'), ...(isSplit ? [keyCourse('more')] : [])],
    dateList: plans.map(({ plan, courses, more = [] }) => ({
      programPlanCode: plan.id,
      programPlanName: plan.name,
      totalUnits: unitsOf(courses),
      selectCourseList: [...courses, ...more].map((course) => courseObject(course, plan, term, userid)),
    })),
  };
};

const placesOf = ({ weeks, slots, room }: DemoCourse): CourseEntry['places'] =>
  weeks && slots.map(({ day, first, count }) => place(day, first, count, weeks, room));

const entryFor = ({ course }: Attended): CourseEntry => {
  const [main = '', ...others] = course.teachers;
  return {
    code: course.code,
    sequence: course.sequence,
    name: course.name,
    unit: course.credits,
    teacher: [`${main}*`, ...others].join(' '),
    nature: course.nature,
    exam: course.exam,
    places: placesOf(course),
  };
};

export const timetableOf = (
  programme: Programme,
  entry: number,
  attended: readonly Attended[],
  term: string,
  userid: string,
): unknown => {
  const classes = attended.filter((each) => codeOf(each.term) === term);
  const ofPlan = (plan: ProgrammePlan): PlanTimetable => ({
    plan: { id: plan.id, name: planNameOf(plan, entry) },
    courses: classes
      .filter(({ course }) => planOf(programme, course) === plan)
      .map((each) => ({ ...entryFor(each), ...(plan.kind === '(辅修)' ? { status: '置入' } : {}) })),
  });
  const plans = programme.plans.map(ofPlan).filter(({ courses }) => courses.length > 0);
  return plans.length === 0 ? null : timetable(term, userid, plans.toReversed());
};

export const EMPTY_TIMETABLE = { allUnits: 0, errorMessage: '', xkxx: [{}], dateList: [] } as const;

/** The answer to a path segment that is not the latest one of the session. */
export const STALE_TIMETABLE = {
  allUnits: null,
  errorMessage: '页面已失效，请重新进入',
  xkxx: null,
  dateList: null,
} as const;

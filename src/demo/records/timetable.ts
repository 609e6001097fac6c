import { weekIn } from './calendar.ts';

/** A timetable entry in the words of its author; the builder gives it the members of the real page. */
export interface CourseDraft {
  readonly code: string;
  readonly sequence: string;
  readonly name: string | null;
  readonly unit: unknown;
  readonly teacher: string | null;
  readonly nature: string | null;
  readonly exam: string | null;
  /** Null, or any other value, is sent as it is. */
  readonly places: readonly PlaceDraft[] | null | '' | Readonly<Record<string, never>>;
}

interface PlaceDraft {
  readonly day: unknown;
  readonly first: unknown;
  readonly count: unknown;
  readonly mask: string | null;
  readonly weeks: string | null;
  readonly building: string | null;
  readonly room: string | null;
}

/** 24 characters: ones from week `from` to week `to`, every `step` weeks. */
export const weekMask = (from: number, to: number, step = 1): string =>
  Array.from({ length: 24 }, (_, index) => {
    const week = index + 1;
    return week >= from && week <= to && (week - from) % step === 0 ? '1' : '0';
  }).join('');

export const place = (
  day: number,
  first: number,
  count: number,
  [from, to, step = 1]: readonly [number, number, number?],
  room: string,
): PlaceDraft => ({
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
  (
    day: number,
    first: number,
    count: number,
    [from, to, ...step]: readonly [number, number, number?],
    room: string,
  ): PlaceDraft =>
    place(day, first, count, [weekIn(weeks, from), weekIn(weeks, to), ...step], room);

const EXAM_CODES: Readonly<Record<string, string>> = { 考试: '01', 考查: '02' };
const NATURE_CODES: Readonly<Record<string, string>> = { 必修: '001', 选修: '002', 任选: '003' };

const courseObject = (course: CourseDraft, term: string, userid: string) => {
  const ids = { coureNumber: course.code, coureSequenceNumber: course.sequence, studentNumber: userid };
  return {
    id: { executiveEducationPlanNumber: term, ...ids },
    programPlanNumber: '7352',
    programPlanName: '2023级软件工程本科培养方案',
    courseName: course.name,
    unit: course.unit,
    attendClassTeacher: course.teacher,
    studyModeCode: '01',
    studyModeName: '正常',
    coursePropertiesCode: NATURE_CODES[course.nature ?? ''] ?? null,
    coursePropertiesName: course.nature,
    examTypeCode: EXAM_CODES[course.exam ?? ''] ?? null,
    examTypeName: course.exam,
    courseCategoryCode: null,
    courseCategoryName: null,
    restrictedCondition: null,
    bz: null,
    selectCourseStatusCode: '02',
    selectCourseStatusName: '选中',
    timeAndPlaceList: Array.isArray(course.places)
      ? course.places.map((draft: PlaceDraft, index) => ({
          id: `${term}${course.code}${course.sequence}${index + 1}`,
          executiveEducationPlanNumber: term,
          ...ids,
          classWeek: draft.mask,
          classDay: draft.day,
          classSessions: draft.first,
          continuingSession: draft.count,
          weekDescription: draft.weeks,
          campusName: '东校区',
          teachingBuildingName: draft.building,
          classroomName: draft.room,
          coursePropertiesName: course.nature,
          coureName: course.name,
        }))
      : course.places,
  };
};

const unitsOf = (courses: readonly CourseDraft[]): number =>
  courses.reduce((sum, { unit }) => sum + (Number.isFinite(Number(unit)) ? Number(unit) : 0), 0);

/**
 * A whole timetable answer. `more` are further elements of `xkxx`: the same course may stand there once more with
 * other places, as it does where a class was split.
 */
export const timetable = (
  term: string,
  userid: string,
  courses: readonly CourseDraft[],
  options: {
    readonly more?: readonly CourseDraft[];
    readonly source?: 'both' | 'dateList';
    readonly units?: unknown;
  } = {},
) => {
  const byKey = (list: readonly CourseDraft[]) =>
    Object.fromEntries(list.map((course) => [`${course.code}_${course.sequence}`, courseObject(course, term, userid)]));
  const totalUnits = unitsOf(courses);
  const { more = [], source = 'both', units = totalUnits } = options;
  return {
    allUnits: units,
    errorMessage: '',
    showSite: true,
    school_id: '100010',
    xkxx: source === 'dateList' ? null : [byKey(courses), ...(more.length > 0 ? [byKey(more)] : [])],
    dateList: [
      {
        programPlanCode: '7352',
        programPlanName: '2023级软件工程本科培养方案',
        totalUnits,
        selectCourseList: [...courses, ...more].map((course) => courseObject(course, term, userid)),
      },
    ],
  };
};

export const EMPTY_TIMETABLE = { allUnits: 0, errorMessage: '', xkxx: [{}], dateList: [] } as const;

/** The answer to a path segment that is not the latest one of the session. */
export const STALE_TIMETABLE = {
  allUnits: null,
  errorMessage: '页面已失效，请重新进入',
  xkxx: null,
  dateList: null,
} as const;

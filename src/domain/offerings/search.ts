import type { CoursePlace } from '../academics/ports.ts';
import type { OfferedCourse, OfferingRow } from './records.ts';

export interface OfferedClass {
  readonly course: OfferedCourse;
  readonly teachers: readonly string[];
  /** Each once. */
  readonly places: readonly CoursePlace[];
}

export interface OfferingFilter {
  readonly courseCode?: string | undefined;
  /** Contained, in any case and width. */
  readonly courseName?: string | undefined;
  readonly teacher?: string | undefined;
  /** 1 Monday … 7 Sunday. */
  readonly weekday?: number | undefined;
  readonly session?: number | undefined;
  /** Equal. */
  readonly department?: string | undefined;
  readonly category?: string | undefined;
  readonly campusName?: string | undefined;
  /** Restricts the search to classes with places left. */
  readonly hasPlaces?: boolean | undefined;
}

export interface Searchable extends OfferedClass {
  readonly name: string;
  readonly teacher: string;
}

const fold = (text: string): string => text.normalize('NFKC').toLowerCase();

const keyOf = (place: CoursePlace): string => JSON.stringify(Object.values(place));

/** Fills members that one row of a class leaves out from another row. */
const fillFrom = (one: OfferedCourse, other: OfferedCourse): OfferedCourse => {
  const own = Object.entries(one).filter(([, value]) => value !== null);
  return own.length === Object.keys(one).length ? one : { ...other, ...Object.fromEntries(own) };
};

/** The classes of rows, in the order in which they first appear. */
export const classesOf = (rows: Iterable<OfferingRow>): Searchable[] => {
  const groups = Map.groupBy(rows, ({ course }) => JSON.stringify([course.course_code, course.course_sequence]));
  return [...groups.values()].map((group) => {
    const course = group.map((row) => row.course).reduce(fillFrom);
    const teachers = [...new Set(group.flatMap((row) => row.teachers))];
    const places = group.flatMap(({ place }) => place ?? []);
    return {
      course,
      teachers,
      places: [...new Map(places.map((place) => [keyOf(place), place])).values()],
      name: fold(course.course_name),
      teacher: fold(teachers.join(' ')),
    };
  });
};

const takesPlace = ({ weekday, session }: OfferingFilter, place: CoursePlace): boolean =>
  (weekday === undefined || place.weekday === weekday) &&
  (session === undefined || (place.firstSession <= session && session < place.firstSession + place.sessionCount));

const isSame = (wanted: string | undefined, value: string | null): boolean => wanted === undefined || wanted === value;

export const filterClasses = (classes: readonly Searchable[], filter: OfferingFilter): Searchable[] => {
  const [name, teacher] = [fold(filter.courseName ?? ''), fold(filter.teacher ?? '')];
  const hasTime = filter.weekday !== undefined || filter.session !== undefined;
  return classes.filter(
    (each) =>
      isSame(filter.courseCode, each.course.course_code) &&
      isSame(filter.department, each.course.department) &&
      isSame(filter.category, each.course.category) &&
      isSame(filter.campusName, each.course.campus_name) &&
      (filter.hasPlaces !== true || (each.course.places_left ?? 0) > 0) &&
      each.name.includes(name) &&
      each.teacher.includes(teacher) &&
      (!hasTime || each.places.some((place) => takesPlace(filter, place))),
  );
};

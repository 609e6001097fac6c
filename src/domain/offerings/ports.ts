import type { ScheduledCourse } from '../academics/ports.ts';
import type { CampusWideRow } from '../campus-wide/ports.ts';
import type { CallContext, Student } from '../context.ts';
import { shapeOf } from '../record.ts';
import {
  ClassFilters,
  ClassList,
  type ClassMajor,
  ClassMajors,
  OfferedCourse,
  type OfferingRows,
  type OfferingTerm,
  OfferingTerms,
} from './records.ts';

/** Rows that a page of the offerings is asked for. */
export const offeringsPageSize = 200;
/** Classes that a page of them is asked for. */
export const classesPageSize = 500;

export interface ClassQuery {
  readonly termCode: string;
  readonly departmentCode: string;
  /** Empty: any. */
  readonly majorCode: string;
  readonly grade: string;
  /** From 1. */
  readonly page: number;
}

/**
 * What academic affairs tell of the whole campus, on the session of the student who asks; implemented by campus/jwc.
 * One request each. Failures: as of `AcademicsCampus`; rows of offerings also `campus-busy`.
 */
export interface OfferingsCampus {
  offeringTerms(student: Student, context: CallContext): Promise<readonly OfferingTerm[]>;
  /** A page of everything that a term offers; pages from 1. */
  offerings(student: Student, termCode: string, page: number, context: CallContext): Promise<OfferingRows>;
  /** One course, by its whole code. */
  offeringsOf(student: Student, termCode: string, courseCode: string, context: CallContext): Promise<OfferingRows>;
  classFilters(student: Student, context: CallContext): Promise<ClassFilters>;
  classMajors(student: Student, departmentCode: string, context: CallContext): Promise<readonly ClassMajor[]>;
  classes(student: Student, query: ClassQuery, context: CallContext): Promise<ClassList>;
  /** Empty also for a class that the campus does not know: it tells no difference. */
  classSchedule(
    student: Student,
    termCode: string,
    classCode: string,
    context: CallContext,
  ): Promise<readonly ScheduledCourse[]>;
}

/** What is read once for all, for an hour and in the shorter line unless it says otherwise. */
const row = <V>(
  name: string,
  more: Pick<CampusWideRow<V>, 'shape' | 'alike'> & Partial<CampusWideRow<V>>,
): CampusWideRow<V> => ({ name, freshSeconds: 3600, isQuery: false, ...more });

/** Two empty lists are no sign that two students are shown the same. */
const unlessEmpty = (list: readonly unknown[]): unknown => (list.length === 0 ? undefined : list);

/** Places are taken while two students look. */
const withoutPlacesLeft = ({ rows }: OfferingRows): unknown =>
  unlessEmpty(rows.map(({ course, ...rest }) => ({ ...rest, course: { ...course, places_left: null } })));

const offered = { shape: shapeOf(OfferedCourse), isQuery: true, alike: withoutPlacesLeft } as const;

export const campusWideRows = {
  terms: row<readonly OfferingTerm[]>('offering-terms', { shape: shapeOf(OfferingTerms), alike: unlessEmpty }),
  offerings: row<OfferingRows>('offerings', { ...offered, freshSeconds: 600 }),
  course: row<OfferingRows>('offerings-of-course', { ...offered, freshSeconds: 60 }),
  filters: row<ClassFilters>('class-filters', { shape: shapeOf(ClassFilters), alike: (value) => value }),
  majors: row<readonly ClassMajor[]>('class-majors', { shape: shapeOf(ClassMajors), alike: unlessEmpty }),
  classes: row<ClassList>('classes', { shape: shapeOf(ClassList), alike: ({ classes }) => unlessEmpty(classes) }),
  classSchedule: row<readonly ScheduledCourse[]>('class-schedule', { shape: 1, alike: unlessEmpty }),
};

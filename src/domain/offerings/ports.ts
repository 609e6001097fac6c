import type { ScheduledCourse } from '../academics/ports.ts';
import type { CallContext, Student } from '../context.ts';
import type { ClassFilters, ClassList, ClassMajor, OfferingRows, OfferingTerm } from './records.ts';

export const offeringsPageSize = 200;
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
 * The port of readings for everybody in academic affairs, on the session of the student who asks; implemented by campus/jwc.
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

import type { ScheduledCourse } from '../academics/ports.ts';
import { HOUR_SECONDS, row } from '../read-row.ts';
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

/** Places left age fastest. */
export const OFFERINGS_FRESH_SECONDS = 600;

/** Everybody's, for an hour. */
const page = { scope: 'campus', fresh: HOUR_SECONDS } as const;
/** The campus limits these. */
const query = { scope: 'campus', isQuery: true, shape: shapeOf(OfferedCourse) } as const;

/** Reads that are the same for all students: made once, on the session of one who asks. */
export const offeringReads = {
  terms: row<readonly OfferingTerm[]>('offering-terms', 'academics', { ...page, shape: shapeOf(OfferingTerms) }),
  offerings: row<OfferingRows>('offerings', 'academics', { ...query, fresh: OFFERINGS_FRESH_SECONDS }),
  course: row<OfferingRows>('offerings-of-course', 'academics', { ...query, fresh: 60 }),
  filters: row<ClassFilters>('class-filters', 'academics', { ...page, shape: shapeOf(ClassFilters) }),
  majors: row<readonly ClassMajor[]>('class-majors', 'academics', { ...page, shape: shapeOf(ClassMajors) }),
  classes: row<ClassList>('classes', 'academics', { ...page, shape: shapeOf(ClassList) }),
  classSchedule: row<readonly ScheduledCourse[]>('class-schedule', 'academics', page),
} as const;

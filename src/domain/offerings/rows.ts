import type { ScheduledCourse } from '../academics/types.ts';
import type { CampusWideRow } from '../campus-wide/ports.ts';
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

/** What is read once for everybody, for an hour and in the shorter line unless it says otherwise. */
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

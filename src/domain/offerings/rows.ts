import type { ScheduledCourse } from '../academics/types.ts';
import type { CampusWideRow } from '../campus-wide/types.ts';
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

const hour = { freshSeconds: 3600, isQuery: false } as const;

/** Two empty lists are no sign that two students are shown the same. */
const unlessEmpty = (list: readonly unknown[]): unknown => (list.length === 0 ? undefined : list);

/** Places are taken while two students look. */
const withoutPlacesLeft = ({ rows }: OfferingRows): unknown =>
  unlessEmpty(rows.map(({ course, ...rest }) => ({ ...rest, course: { ...course, places_left: null } })));

const offered = { shape: shapeOf(OfferedCourse), isQuery: true, alike: withoutPlacesLeft } as const;

type Row<V> = CampusWideRow<V>;
const terms: Row<readonly OfferingTerm[]> = {
  ...hour,
  name: 'offering-terms',
  shape: shapeOf(OfferingTerms),
  alike: unlessEmpty,
};
const offerings: Row<OfferingRows> = { ...offered, name: 'offerings', freshSeconds: 600 };
const course: Row<OfferingRows> = { ...offered, name: 'offerings-of-course', freshSeconds: 60 };
const filters: Row<ClassFilters> = {
  ...hour,
  name: 'class-filters',
  shape: shapeOf(ClassFilters),
  alike: (value) => value,
};
const majors: Row<readonly ClassMajor[]> = {
  ...hour,
  name: 'class-majors',
  shape: shapeOf(ClassMajors),
  alike: unlessEmpty,
};
const classes: Row<ClassList> = {
  ...hour,
  name: 'classes',
  shape: shapeOf(ClassList),
  alike: (value) => unlessEmpty(value.classes),
};
const classSchedule: Row<readonly ScheduledCourse[]> = {
  ...hour,
  name: 'class-schedule',
  shape: 1,
  alike: unlessEmpty,
};

/** What is read once for everybody. */
export const campusWideRows = { terms, offerings, course, filters, majors, classes, classSchedule };

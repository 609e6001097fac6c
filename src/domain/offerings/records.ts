import { Type } from '@sinclair/typebox';
import type { CoursePlace, ScheduledCourse } from '../academics/ports.ts';
import type { CallContext, Student } from '../context.ts';
import { HOUR_SECONDS, type MethodsOf, ofRecord, row } from '../read-row.ts';
import { methodsOf, type PortOf, withParams } from '../reads/plain-reads.ts';
import { flag, integer, listOf, object, orNull, type RecordOf, shapeOf, text, textOrNull } from '../record.ts';

export const offeringsPageSize = 200;
export const classesPageSize = 500;

const integerOrNull = (description: string, example: number) => orNull(Type.Integer(), description, example);

const termMembers = {
  term_code: text('Term code.', '2025-2026-2-1'),
  term_name: text('Name of the term.', '2025-2026学年下'),
  is_default: flag('The campus shows it first.', true),
};

export interface OfferingTerm extends RecordOf<typeof OfferingTerm> {}
export const OfferingTerm = object('OfferingTerm', 'A term whose offerings can be searched.', termMembers);
export const OfferingTerms = listOf(OfferingTerm, 'As the campus orders them; may hold the next term.');

/** A class without its teachers, times and places. */
export interface OfferedCourse extends RecordOf<typeof OfferedCourse> {}
export const OfferedCourse = Type.Object({
  course_code: text('Course number at the campus.', 'MAT1102004'),
  course_sequence: text('Class number.', '05'),
  course_name: text('Course.', '线性代数(B)'),
  unit: orNull(Type.Number(), 'Credits; null where the campus states none.', 2.5),
  hours: integerOrNull('Teaching hours; null where the campus states none.', 40),
  department: textOrNull('Who offers it.', '数学学院'),
  exam_type: textOrNull('Kind of examination, e.g. `考试`.', '考试'),
  category: textOrNull('Category of the course.', '专业必修课'),
  campus_name: textOrNull('Campus that offers it.', '东校区'),
  selection_mode: textOrNull('How it is selected.', '直选'),
  restriction: textOrNull('Who may select it; null without a restriction.', null),
  remark: textOrNull('What the campus notes; null without a remark.', null),
  for_classes: textOrNull('Administrative classes that it is meant for.', '会计231'),
  capacity: integerOrNull('Places in all.', 60),
  places_left: integerOrNull('Places left, as the campus counts them: may be negative.', -2),
  students: integerOrNull('Students in it.', 48),
});

/** One time and place of an offered class; a class has as many rows. */
export interface OfferingRow {
  readonly course: OfferedCourse;
  readonly teachers: readonly string[];
  /** Null: no concrete time. */
  readonly place: CoursePlace | null;
}

/** A page of the offerings of a term, or the rows of one course. */
export interface OfferingRows {
  /** Rows of all pages, as the campus states with this one. */
  readonly total: number;
  /** Rows on the page, unusable ones included. */
  readonly received: number;
  readonly rows: readonly OfferingRow[];
}

export interface ClassFilters extends RecordOf<typeof ClassFilters> {}
export const ClassFilters = object('ClassFilters', 'By what administrative classes can be looked up.', {
  terms: listOf(object('ClassTerm', 'A term with timetables of classes.', termMembers), 'As the campus orders them.'),
  departments: listOf(
    object('ClassDepartment', 'A department.', {
      department_code: text('Code.', '08'),
      department_name: text('Name.', '经济学院'),
    }),
    'As the campus orders them; never empty.',
  ),
  grades: Type.Array(Type.String({ examples: ['2023'] }), {
    description: 'Years of entry; empty where the campus names none.',
  }),
});

export interface ClassMajor extends RecordOf<typeof ClassMajor> {}
export const ClassMajor = object('ClassMajor', 'A major of a department.', {
  major_code: text('Code.', '0801'),
  major_name: text('Name.', '会计学'),
});
export const ClassMajors = listOf(ClassMajor, 'As the campus orders them.');

export interface AdministrativeClass extends RecordOf<typeof AdministrativeClass> {}
export const AdministrativeClass = object('AdministrativeClass', 'An administrative class.', {
  class_code: text('Code, for its timetable.', '230714'),
  class_name: text('Name.', '会计231'),
  department_name: text('Department.', '经济学院'),
  major_name: text('Major.', '会计学'),
});

export interface ClassList extends RecordOf<typeof ClassList> {}
export const ClassList = Type.Object({
  total_count: integer('Classes of all pages.', 1),
  classes: listOf(AdministrativeClass, 'At most 500.'),
});

export interface ClassQuery {
  readonly termCode: string;
  readonly departmentCode: string;
  /** Empty: any. */
  readonly majorCode: string;
  readonly grade: string;
  /** From 1. */
  readonly page: number;
}

/** Places left age fastest. */
export const OFFERINGS_FRESH_SECONDS = 600;

const page = { scope: 'campus', fresh: HOUR_SECONDS } as const;
/** The campus limits how often these are asked for. */
const query = { scope: 'campus', isQuery: true, shape: shapeOf(OfferedCourse) } as const;

/** Reads that pass on what the campus answers. */
export const plainOfferingReads = {
  offeringTerms: ofRecord(OfferingTerms, 'offering-terms', 'academics', page),
  classFilters: ofRecord(ClassFilters, 'class-filters', 'academics', page),
  classMajors: withParams(ofRecord(ClassMajors, 'class-majors', 'academics', page), (code: string) => [code]),
  classes: withParams(ofRecord(ClassList, 'classes', 'academics', page), (wanted: ClassQuery) => {
    const { termCode, departmentCode, majorCode, grade, page: number } = wanted;
    return [termCode, departmentCode, majorCode, grade, String(number)];
  }),
} as const;

/** Read once for all students, on the session of one who asks. */
export const offeringReads = {
  offerings: row<OfferingRows>('offerings', 'academics', { ...query, fresh: OFFERINGS_FRESH_SECONDS }),
  course: row<OfferingRows>('offerings-of-course', 'academics', { ...query, fresh: 60 }),
  classSchedule: row<readonly ScheduledCourse[]>('class-schedule', 'academics', page),
} as const;

/**
 * Readings for everybody, on the session of the student who asks; implemented by campus/products/urp. One request each.
 * Failures: those of `AcademicsCampus`, and `campus-busy` of rows of offerings.
 */
export interface OfferingsCampus extends PortOf<typeof plainOfferingReads> {
  /** A page of all that a term offers; pages from 1. */
  offerings(student: Student, termCode: string, page: number, context: CallContext): Promise<OfferingRows>;
  /** One course, by its whole code. */
  offeringsOf(student: Student, termCode: string, courseCode: string, context: CallContext): Promise<OfferingRows>;
  /** Empty also for an unknown class: the campus tells no difference. */
  classSchedule(
    student: Student,
    termCode: string,
    classCode: string,
    context: CallContext,
  ): Promise<readonly ScheduledCourse[]>;
}

export const offeringsMethods: MethodsOf<OfferingsCampus> = {
  ...methodsOf(plainOfferingReads),
  offerings: true,
  offeringsOf: true,
  classSchedule: true,
};

import type { ScheduledCourse } from '../../domain/academics/types.ts';
import { classesPageSize } from '../../domain/offerings/ports.ts';
import type { AdministrativeClass, ClassFilters, ClassMajor } from '../../domain/offerings/records.ts';
import { isRecord } from '../../lib/records.ts';
import { readJson } from '../parsing/json.ts';
import { elementsOf, type Rows, readRows, records } from '../parsing/list-rows.ts';
import { int, type JsonObject, label, num, obj, str } from '../parsing/scalars.ts';
import { optionsNamed } from '../parsing/select-options.ts';
import { unreadable } from '../parsing/unreadable.ts';
import { merged, teachersIn } from './parse-course-table.ts';
import { placeOf, termsOf } from './parse-offerings.ts';

const departments = 'departmentNum';

export const classIndexAlive = (page: string): boolean => optionsNamed(page, departments) !== null;

/** @throws Failure `upstream-unreadable` without a selector of terms, and without any department */
export const parseClassFilters = (page: string): ClassFilters => {
  const [terms, offered] = [optionsNamed(page, 'executiveEducationPlanNum'), optionsNamed(page, departments)];
  const named = (offered ?? []).filter(({ value }) => value !== '');
  if (terms === null || named.length === 0) throw unreadable('academics', 'class page without its selectors');
  return {
    terms: termsOf(terms),
    departments: named.map(({ value, text }) => ({ department_code: value, department_name: text })),
    grades: (optionsNamed(page, 'yearNum') ?? []).flatMap(({ value }) => (value === '' ? [] : [value])),
  };
};

const array = (text: string, what: string): readonly unknown[] => {
  const body = readJson(text, 'academics');
  if (!Array.isArray(body)) throw unreadable('academics', `${what} of the wrong type`);
  return body;
};

const toMajor = (row: JsonObject): ClassMajor | null => {
  const major = { major_code: str(row.subjectCode), major_name: label(row.subjectName) };
  return major.major_code === '' ? null : major;
};

const majors = { system: 'academics', what: 'majors', ...records(['subjectCode', 'subjectName'], toMajor) } as const;

/** @throws Failure `upstream-unreadable` */
export const parseMajors = (text: string): Rows<ClassMajor> => readRows(array(text, majors.what), majors);

const toClass = (row: JsonObject): AdministrativeClass | null => {
  const code = str(obj(row.id).classNum);
  if (code === '') return null;
  return {
    class_code: code,
    class_name: label(row.className),
    department_name: label(row.departmentName),
    major_name: label(row.subjectName),
  };
};

const classes = {
  system: 'academics',
  what: 'classes',
  most: classesPageSize,
  ...records(['id', 'className'], toClass),
} as const;

/**
 * `[{records, pageContext: {totalCount}}]`; without an element there are none.
 * @throws Failure `upstream-unreadable`
 */
export const parseClasses = (text: string): Rows<AdministrativeClass> & { readonly total: number | null } => {
  const [page = { records: null }] = array(text, classes.what);
  if (!isRecord(page) || !('records' in page)) throw unreadable('academics', 'classes of another shape');
  const total = int(obj(page.pageContext).totalCount, -1);
  return { ...readRows(page.records, classes), total: total < 0 ? null : total };
};

const toCourse = (row: JsonObject): ScheduledCourse | null => {
  const name = label(row.kcm);
  if (name === '') return null;
  const id = obj(row.id);
  const place = placeOf(row, id);
  return {
    name,
    code: str(id.kch ?? row.kch),
    sequence: str(id.kxh ?? row.kxh),
    teachers: teachersIn(row.jsm).join(' '),
    nature: '',
    examType: label(row.kslxmc),
    credits: num(row.xf),
    places: place === null ? [] : [place],
  };
};

const courses = {
  system: 'academics',
  what: 'timetable rows of a class',
  most: 1_000,
  ...records(['kcm', 'id'], toCourse),
} as const;

/** Lists of rows: as they are, or below `data.kbInfo`. */
const listsIn = (body: unknown): readonly unknown[] => {
  if (Array.isArray(body)) return elementsOf(body, courses);
  const { data } = obj(body);
  // A refusal has data, too: nothing.
  if (!isRecord(data) || !('kbInfo' in data)) throw unreadable('academics', 'timetable of a class of another shape');
  return elementsOf(data.kbInfo, courses);
};

interface ClassTimetable {
  readonly courses: readonly ScheduledCourse[];
  readonly dropped: number;
}

/** @throws Failure `upstream-unreadable` */
export const parseClassSchedule = (text: string): ClassTimetable => {
  const lists = listsIn(readJson(text, 'academics'));
  const { rows, dropped } = readRows(
    lists.flatMap((each) => (each === null ? [] : each)),
    courses,
  );
  if (rows.length === 0 && dropped > 0) throw unreadable('academics', 'timetable of a class of another shape');
  return { courses: merged(rows), dropped };
};

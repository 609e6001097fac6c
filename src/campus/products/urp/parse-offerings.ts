import type { CoursePlace, ScheduledCourse } from '../../../domain/academics/ports.ts';
import {
  type AdministrativeClass,
  type ClassFilters,
  type ClassMajor,
  classesPageSize,
  type OfferingRow,
  type OfferingTerm,
  offeringsPageSize,
} from '../../../domain/offerings/records.ts';
import { isRecord } from '../../../lib/text.ts';
import {
  countOf,
  credits,
  int,
  type JsonObject,
  label,
  obj,
  optCount,
  optLabel,
  optNum,
  str,
} from '../../parsing/cells.ts';
import { type Option, optionsOf } from '../../parsing/elements.ts';
import { noteOddity } from '../../parsing/oddities.ts';
import {
  elementsOf,
  type ParsedRows,
  readersOf,
  readJson,
  readJsonList,
  readJsonObject,
  readRows,
  records,
  unreadable,
} from '../../parsing/reading.ts';
import { refusesRows } from '../../parsing/refusals.ts';
import { mergeCourses, teachersIn } from './parse-schedule.ts';
import { termName, termOptions } from './parse-terms.ts';
import { placeIn } from './places.ts';

const reader = readersOf(import.meta.url);

const selector = 'zxjxjhh';

export const offeringsIndexAlive = reader(
  'offeringsIndexAlive',
  (page: string): boolean => optionsOf(page, selector) !== null,
);

/** Terms from the options of a selector: those with a value, each once. */
export const offeringTermsOf = (options: readonly Option[]): OfferingTerm[] => {
  const terms = new Map<string, OfferingTerm>();
  for (const { value, text, selected } of termOptions(options)) {
    if (terms.has(value)) continue;
    terms.set(value, { term_code: value, term_name: termName(text), is_default: selected });
  }
  return [...terms.values()];
};

/** @throws Failure `upstream-unreadable` where the page has no selector of terms */
export const parseOfferingTerms = reader('parseOfferingTerms', (page: string): OfferingTerm[] => {
  const options = optionsOf(page, selector);
  if (options === null) throw unreadable('academics', 'selector of offered terms missing');
  return offeringTermsOf(options);
});

/** Like `optNum`, truncated to a whole number. */
const optInt = (value: unknown): number | null => {
  const found = int(value, Number.NaN);
  return Number.isNaN(found) ? null : found;
};

/** Null where the row states no time, which is usual here. */
const placeOf = (row: JsonObject): CoursePlace | null => {
  const place = placeIn(row);
  if (place === 'unreadable' && row.skxq !== undefined) noteOddity('dropped', 'places');
  return typeof place === 'string' ? null : place;
};

const courseOf = (row: JsonObject): OfferingRow['course'] => ({
  course_code: str(row.kch),
  course_sequence: str(row.kxh),
  course_name: label(row.kcm),
  unit: optNum(credits(row.xf)),
  hours: optInt(row.xs),
  department: optLabel(row.kkxsjc),
  exam_type: optLabel(row.kslxmc),
  category: optLabel(row.kclbmc),
  campus_name: optLabel(row.kkxqm),
  selection_mode: optLabel(row.xkmssm),
  restriction: /^[;；\s]*$/.test(label(row.xkxzsm)) ? null : optLabel(row.xkxzsm),
  remark: optLabel(row.xkbz),
  for_classes: optLabel(row.mxbj),
  capacity: optInt(row.bkskrl),
  places_left: optInt(row.bkskyl),
  students: optInt(row.xss),
});

const toRow = (row: JsonObject): OfferingRow | null => {
  const course = courseOf(row);
  if (course.course_code === '' || course.course_name === '') return null;
  return { course, teachers: teachersIn(row.skjs), place: placeOf(row) };
};

// A page that ignores its size would be counted as one of many.
const offerings = { system: 'academics', what: 'offerings', most: offeringsPageSize } as const;

type OfferingsAnswer =
  /** Asked too often. */
  { readonly kind: 'busy' } | ({ readonly kind: 'rows'; readonly total: number | null } & ParsedRows<OfferingRow>);

/** `{list: {records, pageContext: {totalCount}}, pfcx}`. */
export const parseOfferings = reader('parseOfferings', (text: string): OfferingsAnswer => {
  const body = readJsonObject(text, 'academics');
  const { list } = body;
  if (!isRecord(list)) {
    if (body.pfcx === true || str(body.pfcx) === '1') return { kind: 'busy' };
    // A missing list is not an empty one.
    if (list !== null) throw unreadable('academics', 'offerings without a list');
  }
  const page = obj(list);
  const rows = readRows(page.records, records(offerings, ['kch', 'kcm'], toRow));
  if (rows.received === 0 && refusesRows(body)) throw unreadable('academics', 'an answer without offerings');
  return { kind: 'rows', total: optCount(obj(page.pageContext).totalCount), ...rows };
});

const departments = 'departmentNum';

export const classIndexAlive = reader(
  'classIndexAlive',
  (page: string): boolean => optionsOf(page, departments) !== null,
);

/** @throws Failure `upstream-unreadable` without a selector of terms, and without any department */
export const parseClassFilters = reader('parseClassFilters', (page: string): ClassFilters => {
  const [terms, offered] = [optionsOf(page, 'executiveEducationPlanNum'), optionsOf(page, departments)];
  const named = (offered ?? []).filter(({ value }) => value !== '');
  if (terms === null || named.length === 0) throw unreadable('academics', 'class page without its selectors');
  return {
    terms: offeringTermsOf(terms),
    departments: named.map(({ value, text }) => ({ department_code: value, department_name: text })),
    grades: (optionsOf(page, 'yearNum') ?? []).flatMap(({ value }) => (value === '' ? [] : [value])),
  };
});

const toMajor = (row: JsonObject): ClassMajor | null => {
  const major = { major_code: str(row.subjectCode), major_name: label(row.subjectName) };
  return major.major_code === '' ? null : major;
};

const majors = records({ system: 'academics', what: 'majors' }, ['subjectCode', 'subjectName'], toMajor);

export const parseMajors = reader(
  'parseMajors',
  (text: string): ParsedRows<ClassMajor> => readRows(readJsonList(text, 'academics', majors.what), majors),
);

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

const classes = records({ system: 'academics', what: 'classes', most: classesPageSize }, ['id', 'className'], toClass);

/** `[{records, pageContext: {totalCount}}]`; without an element there are none. */
export const parseClasses = reader(
  'parseClasses',
  (text: string): ParsedRows<AdministrativeClass> & { readonly total: number | null } => {
    const [page = { records: null }] = readJsonList(text, 'academics', classes.what);
    if (!isRecord(page) || !('records' in page)) throw unreadable('academics', 'classes of another shape');
    return { ...readRows(page.records, classes), total: optCount(obj(page.pageContext).totalCount) };
  },
);

const toCourse = (row: JsonObject): ScheduledCourse | null => {
  const name = label(row.kcm);
  if (name === '') return null;
  const id = obj(row.id);
  const place = placeOf(row);
  return {
    name,
    code: str(id.kch ?? row.kch),
    sequence: str(id.kxh ?? row.kxh),
    teachers: teachersIn(row.jsm).join(' '),
    nature: '',
    examType: label(row.kslxmc),
    credits: countOf(row.xf),
    places: place === null ? [] : [place],
  };
};

const courses = records({ system: 'academics', what: 'timetable rows of a class' }, ['kcm', 'id'], toCourse);

/** Lists of rows: as they are, or below `data.kbInfo`. */
const listsIn = (body: unknown): readonly unknown[] => {
  if (Array.isArray(body)) return elementsOf(body, courses);
  const { data } = obj(body);
  // A refusal has data too: none.
  if (!isRecord(data) || !('kbInfo' in data)) throw unreadable('academics', 'timetable of a class of another shape');
  return elementsOf(data.kbInfo, courses);
};

interface ClassTimetable {
  readonly courses: readonly ScheduledCourse[];
  readonly dropped: number;
}

export const parseClassSchedule = reader('parseClassSchedule', (text: string): ClassTimetable => {
  const lists = listsIn(readJson(text, 'academics'));
  const { rows, dropped } = readRows(
    lists.flatMap((each) => (each === null ? [] : each)),
    courses,
  );
  if (rows.length === 0 && dropped > 0) throw unreadable('academics', 'timetable of a class of another shape');
  return { courses: mergeCourses(rows), dropped };
});

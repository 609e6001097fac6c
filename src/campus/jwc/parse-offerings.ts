import type { CoursePlace } from '../../domain/academics/types.ts';
import { offeringsPageSize } from '../../domain/offerings/ports.ts';
import type { OfferedCourse, OfferingRow, OfferingTerm } from '../../domain/offerings/records.ts';
import { isRecord } from '../../lib/records.ts';
import { readJsonObject } from '../parsing/json.ts';
import { type Rows, readRows, records } from '../parsing/list-rows.ts';
import { int, type JsonObject, label, num, obj, str } from '../parsing/scalars.ts';
import { type Option, optionsNamed } from '../parsing/select-options.ts';
import { unreadable } from '../parsing/unreadable.ts';
import { teachersIn } from './parse-course-table.ts';
import { termName } from './parse-term-list.ts';
import { weekMask } from './week-mask.ts';

const selector = 'zxjxjhh';

export const offeringsIndexAlive = (page: string): boolean => optionsNamed(page, selector) !== null;

/** Terms out of the options of a selector: those with a value, each once. */
export const termsOf = (options: readonly Option[]): OfferingTerm[] => {
  const terms = new Map<string, OfferingTerm>();
  for (const { value, text, selected } of options) {
    if (value === '' || terms.has(value)) continue;
    terms.set(value, { term_code: value, term_name: termName(text), is_default: selected });
  }
  return [...terms.values()];
};

/** @throws Failure `upstream-unreadable` where the page has no selector of terms */
export const parseOfferingTerms = (page: string): OfferingTerm[] => {
  const options = optionsNamed(page, selector);
  if (options === null) throw unreadable('academics', 'selector of offered terms missing');
  return termsOf(options);
};

const textOf = (value: unknown): string | null => label(value) || null;
const numberOf = (read: typeof num, value: unknown): number | null => {
  const number = read(value, Number.NaN);
  return Number.isNaN(number) ? null : number;
};

/** When and where: of the rows of offerings and of the timetables of classes. Null without a weekday. */
export const placeOf = (row: JsonObject, id: JsonObject = row): CoursePlace | null => {
  const of = (name: string): unknown => id[name] ?? row[name];
  const weekday = int(of('skxq'));
  if (weekday < 1 || weekday > 7) return null;
  const weekDescription = label(of('zcsm'));
  const weeks = str(of('skzc'));
  return {
    weekday,
    firstSession: int(of('skjc')),
    sessionCount: int(of('cxjc')),
    // Some rows name their weeks where others have a mask.
    weekMask: weekMask(weeks, weekDescription || weeks),
    weekDescription,
    campus: label(of('xqm')),
    building: label(of('jxlm')),
    room: label(of('jasm')),
  };
};

const courseOf = (row: JsonObject): OfferedCourse => ({
  course_code: str(row.kch),
  course_sequence: str(row.kxh),
  course_name: label(row.kcm),
  unit: numberOf(num, row.xf),
  hours: numberOf(int, row.xs),
  department: textOf(row.kkxsjc),
  exam_type: textOf(row.kslxmc),
  category: textOf(row.kclbmc),
  campus_name: textOf(row.kkxqm),
  selection_mode: textOf(row.xkmssm),
  restriction: /^[;；\s]*$/.test(label(row.xkxzsm)) ? null : textOf(row.xkxzsm),
  remark: textOf(row.xkbz),
  for_classes: textOf(row.mxbj),
  capacity: numberOf(int, row.bkskrl),
  places_left: numberOf(int, row.bkskyl),
  students: numberOf(int, row.xss),
});

const toRow = (row: JsonObject): OfferingRow | null => {
  const course = courseOf(row);
  if (course.course_code === '' || course.course_name === '') return null;
  return { course, teachers: teachersIn(row.skjs), place: placeOf(row) };
};

const kind = {
  system: 'academics',
  what: 'offerings',
  // A page that ignores its size would be counted as one of many.
  most: offeringsPageSize,
  ...records(['kch', 'kcm'], toRow),
} as const;

type OfferingsAnswer =
  /** Asked too often. */
  { readonly kind: 'busy' } | ({ readonly kind: 'rows'; readonly total: number | null } & Rows<OfferingRow>);

/**
 * `{list: {records, pageContext: {totalCount}}, pfcx}`.
 * @throws Failure `upstream-unreadable`
 */
export const parseOfferings = (text: string): OfferingsAnswer => {
  const body = readJsonObject(text, 'academics');
  const { list } = body;
  if (!isRecord(list)) {
    if (body.pfcx === true || str(body.pfcx) === '1') return { kind: 'busy' };
    if (list !== null) throw unreadable('academics', 'offerings without a list');
  }
  const page = obj(list);
  const rows = readRows(page.records, kind);
  const total = int(obj(page.pageContext).totalCount, -1);
  return { kind: 'rows', total: total < 0 ? null : total, ...rows };
};

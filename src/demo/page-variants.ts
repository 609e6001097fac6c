import type { DemoCall, DemoReply } from './exchange.ts';
import { inGbk } from './fault-distortions.ts';
import type { DemoPageVariant } from './types.ts';

// Campuses and releases of one product write the same in other ways. Each changes the real answers to one of those ways.

interface Row {
  readonly [name: string]: unknown;
}
const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every object of a JSON text, the inner ones first. */
const eachRow = (text: string, change: (row: Row) => Row): string =>
  JSON.stringify(JSON.parse(text, (_name, value: unknown) => (isRow(value) ? change(value) : value)));

const otherColumns = (row: unknown): unknown => {
  if (!Array.isArray(row) || row.length < 11) return row;
  const [, term, code, sequence, name, english, credits, hours, type, exam, mark] = row;
  return [
    term,
    code,
    sequence,
    '20260109',
    '05',
    '003',
    '01',
    '001',
    mark,
    -21,
    null,
    name,
    english,
    credits,
    hours,
    type,
    exam,
    'A-',
    null,
  ];
};

const otherPlace = (place: Row): Row => ({
  id: { skxq: String(place.classDay), skjc: String(place.classSessions), cxjc: String(place.continuingSession) },
  skzc: place.classWeek,
  zcsm: place.weekDescription,
  xqm: place.campusName,
  jxlm: place.teachingBuildingName,
  jasm: place.classroomName,
});

const marks = new Set([
  'cj',
  'courseScore',
  'gradePointScore',
  'gradePoint',
  'avgcj',
  'maxcj',
  'mincj',
  'pscj',
  'qzcj',
  'qmcj',
  'zcj',
]);
const unpublish = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, marks.has(name) ? -999.999 : value]));

/** Without the members that a reader of this form cannot have. */
const intoId = (row: Row): Row => {
  const { courseScore, courseName, englishCourseName, gradePointScore, id, ...rest } = row;
  return isRow(id) && 'courseName' in row
    ? { ...rest, id: { ...id, courseScore, courseName, englishCourseName, gradePointScore } }
    : row;
};

const inHalves = (text: string): string =>
  text.replace(
    /(?<![\d:])(\d{2}):(\d{2})-(\d{2}):(\d{2})(?![\d:])/g,
    (span, from: string, m1: string, to: string, m2: string) =>
      Number(from) > 12 ? `下午${Number(from) - 12}:${m1}-${Number(to) - 12}:${m2}` : span,
  );

/** How a code of the campus is written where a year has three terms. */
const ofThree = (text: string): string => text.replace(/(?<![\d-])(\d{4}-\d{4}-[12])-1(?![\d-])/g, '$1-2');
const ofTwo = (text: string): string => text.replace(/(?<![\d-])(\d{4}-\d{4}-[12])-2(?![\d-])/g, '$1-1');

const isJson = (text: string): boolean => /^\s*[[{]/.test(text);

/** By variant: the part of the path that it is about, and the answer as it has it. */
const changes: Readonly<Partial<Record<DemoPageVariant, readonly [path: RegExp, change: (text: string) => string]>>> = {
  'score columns': [
    /allTermScores\/data$/,
    (text) =>
      eachRow(text, (row) => (Array.isArray(row.records) ? { ...row, records: row.records.map(otherColumns) } : row)),
  ],
  'three terms': [/^\/student\//, ofThree],
  'other places': [
    /ajaxStudentSchedule/,
    (text) => eachRow(text, (row) => ('classDay' in row ? otherPlace(row) : row)),
  ],
  'weeks in the mask': [
    /ajaxStudentSchedule/,
    (text) =>
      eachRow(text, (row) =>
        typeof row.weekDescription === 'string' && row.weekDescription !== ''
          ? { ...row, classWeek: row.weekDescription, weekDescription: null }
          : row,
      ),
  ],
  'hours with seconds': [
    /getSectionAndTime$/,
    (text) => text.replace(/("(?:start|end)Time":")(\d{2}):?(\d{2})(?=")/g, '$1$2:$3:00'),
  ],
  'plan roots': [/planCompletion/, (text) => text.replace(/"pId":\s?"-1"/g, '"pId":"R0"')],
  'marks inside id': [/schemeScores\/callback$/, (text) => eachRow(text, intoId)],
  'negative marks': [/(?:schemeScores\/callback|thisTermScores\/data)$/, (text) => eachRow(text, unpublish)],
  'exam texts': [/examPlan\//, (text) => (isJson(text) ? inHalves(text) : inHalves(text).replaceAll('<br>', '</br>'))],
};

const charsets: Readonly<Partial<Record<DemoPageVariant, (answer: DemoReply) => DemoReply>>> = {
  'GBK named UTF-8': (answer) => {
    const { 'Content-Type': type = '' } = answer.headers;
    return { ...inGbk(answer), headers: { ...answer.headers, 'Content-Type': type } };
  },
  'UTF-8 named GBK': (answer) => nameCharset(answer, 'GBK'),
  'UTF-8 named ISO-8859-1': (answer) => nameCharset(answer, 'ISO-8859-1'),
  'damaged bytes': (answer) => {
    const bytes = Buffer.from(answer.body);
    return { ...answer, body: Buffer.from(bytes.map((byte, at) => ((bytes[at - 2] ?? 0) >= 0xe0 ? 0xff : byte))) };
  },
  'byte order mark': (answer) => nameCharset({ ...answer, body: `\r\n\uFEFF${answer.body.toString()}\r\n` }, 'GBK'),
};

const nameCharset = (answer: DemoReply, charset: string): DemoReply => ({
  ...answer,
  headers: { ...answer.headers, 'Content-Type': String(answer.headers['Content-Type']).replace(/UTF-8/i, charset) },
});

/** Images and files have no charset. */
const isText = ({ headers, body }: DemoReply): boolean =>
  /charset/i.test(String(headers['Content-Type'] ?? '')) && body.length > 0;

const withoutFault = (text: string, change: (text: string) => string): string => {
  // An answer that is no JSON is no answer of that kind.
  try {
    return change(text);
  } catch {
    return text;
  }
};

export const vary = (
  variants: readonly DemoPageVariant[],
  { system, target }: { readonly system: string; readonly target: string },
  answer: DemoReply,
): DemoReply => {
  if (system === 'vpn' || variants.length === 0 || !isText(answer)) return answer;
  const [path = ''] = target.split('?', 1);
  let given = answer;
  for (const variant of variants) {
    const [about, change] = changes[variant] ?? [];
    if (about?.test(path) && change) given = { ...given, body: withoutFault(given.body.toString(), change) };
    given = charsets[variant]?.(given) ?? given;
  }
  return given;
};

/** The request as the campus that the records are written for understands it. */
export const asUsual = <C extends Pick<DemoCall, 'form' | 'query'> & { readonly system: string }>(
  variants: readonly DemoPageVariant[],
  call: C,
): C => {
  if (call.system !== 'jwc' || !variants.includes('three terms')) return call;
  const usual = (fields: URLSearchParams): URLSearchParams =>
    new URLSearchParams([...fields].map(([name, value]) => [name, ofTwo(value)] as [string, string]));
  return { ...call, form: usual(call.form), query: usual(call.query) };
};

import type { CallContext, Student } from '../../../domain/context.ts';
import { failures } from '../../../domain/errors.ts';
import {
  type ClassQuery,
  classesPageSize,
  type OfferingRows,
  type OfferingsCampus,
  offeringsPageSize,
} from '../../../domain/offerings/records.ts';
import { readAnswer } from '../../contract/kit.ts';
import type { SessionAccess, UpstreamRequest, UpstreamSession } from '../../contract/upstream-session.ts';
import { type PageReader, unreadable } from '../../parsing/reading.ts';
import { dataRequest, pageRequest } from './pages.ts';
import {
  classIndexAlive,
  offeringsIndexAlive,
  parseClasses,
  parseClassFilters,
  parseClassSchedule,
  parseMajors,
  parseOfferings,
  parseOfferingTerms,
} from './parse-offerings.ts';

const offerings = '/student/integratedQuery/course/courseSchdule';
const resources = '/student/teachingResources';

/** The pause between two requests forbids to repeat one at once, except after a dead session: that one met the login. */
const once = { once: true } as const;

const offeringsIndex = pageRequest('offerings-index', `${offerings}/index`, offeringsIndexAlive, once);
const classIndex = pageRequest('classes-index', `${resources}/classCurriculum/index`, classIndexAlive, once);

/** Every field is sent: the campus knows an empty one for any value. */
const offeringsFields =
  'zxjxjhh kkxsh kkxqh jxlh jash skxq skjc kch kcm kclb skjs xqname jcname jxlname jasname pageNum pageSize'.split(' ');

const ofPage = (
  { path: referer }: UpstreamRequest,
  name: string,
  path: string,
  form?: UpstreamRequest['form'],
): UpstreamRequest => dataRequest(name, path, form, { referer, ...once });

const offeringsRequest = (asked: Readonly<Record<string, string>>): UpstreamRequest => {
  const form = offeringsFields.map((name) => [name, asked[name] ?? ''] as const);
  return ofPage(offeringsIndex, 'offerings', `${offerings}/courseInfo?sf_request_type=ajax`, form);
};

const majorsRequest = (departmentCode: string): UpstreamRequest => {
  const path = `${resources}/gradeAndClassCurriculum/subjectJson?departmentNum=${encodeURIComponent(departmentCode)}`;
  return ofPage(classIndex, 'majors', path);
};

const classesRequest = ({ termCode, grade, departmentCode, majorCode, page }: ClassQuery): UpstreamRequest =>
  ofPage(classIndex, 'classes', `${resources}/classCurriculum/search`, [
    ['executiveEducationPlanNum', termCode],
    ['yearNum', grade],
    ['departmentNum', departmentCode],
    ['subjectNum', majorCode],
    ['classNum', ''],
    ['pageNum', String(page)],
    ['pageSize', String(classesPageSize)],
  ]);

const classScheduleRequest = (termCode: string, classCode: string): UpstreamRequest => {
  const asked = new URLSearchParams({ planCode: termCode, classCode, sf_request_type: 'ajax' });
  return ofPage(
    classIndex,
    'class-timetable',
    `${resources}/classCurriculum/searchCurriculumInfo/callback?${asked.toString()}`,
  );
};

const readOfferings = async (
  session: UpstreamSession,
  asked: Readonly<Record<string, string>>,
  page: number,
): Promise<OfferingRows> => {
  const size = offeringsPageSize;
  const request = offeringsRequest({ ...asked, pageNum: String(page), pageSize: String(size) });
  const answer = await readAnswer(session, request, parseOfferings);
  if (answer.kind === 'busy') throw failures.campusBusy('academics');
  const { rows, received } = answer;
  const before = (page - 1) * size;
  // Without a total, only a page that is not full shows that it is the last one.
  if (answer.total === null && received === size) throw unreadable('academics', 'offerings without a total');
  const total = answer.total ?? before + received;
  if (received === 0 && total > before) throw unreadable('academics', 'no offerings in spite of a total');
  return { total, received, rows };
};

const readClasses = async (session: UpstreamSession, query: ClassQuery) => {
  const { rows, received, total } = await readAnswer(session, classesRequest(query), parseClasses);
  const before = (query.page - 1) * classesPageSize;
  if (received === 0 && (total ?? 0) > before) throw unreadable('academics', 'no classes in spite of a total');
  if (total === null && received === classesPageSize) throw unreadable('academics', 'classes without a total');
  return { total_count: total ?? before + received, classes: rows };
};

/** Reads what is the same for all students. Its requests do not wait in the student's own queue. */
export const createOfferingsClient = ({ sessions }: { sessions: SessionAccess }): OfferingsCampus => {
  const within = <T>(student: Student, context: CallContext, work: (session: UpstreamSession) => Promise<T>) =>
    sessions.with(student, 'jwc', context, work, { parallel: 1 });
  const reading =
    <T>(request: UpstreamRequest, parse: PageReader<T>) =>
    (student: Student, context: CallContext) =>
      within(student, context, (session) => readAnswer(session, request, parse));
  return {
    offeringTerms: reading(offeringsIndex, parseOfferingTerms),
    offerings: (student, zxjxjhh, page, context) =>
      within(student, context, (session) => readOfferings(session, { zxjxjhh }, page)),
    offeringsOf: (student, zxjxjhh, kch, context) =>
      within(student, context, (session) => readOfferings(session, { zxjxjhh, kch }, 1)),
    classFilters: reading(classIndex, parseClassFilters),
    classMajors: async (student, department, context) =>
      (await reading(majorsRequest(department), parseMajors)(student, context)).rows,
    classes: (student, query, context) => within(student, context, (session) => readClasses(session, query)),
    classSchedule: async (student, termCode, classCode, context) =>
      (await reading(classScheduleRequest(termCode, classCode), parseClassSchedule)(student, context)).courses,
  };
};

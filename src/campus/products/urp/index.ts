import { Type } from '@sinclair/typebox';
import {
  type PlanCompletion,
  type PlanEntry,
  type PlanOption,
  trainingPlanOf,
} from '../../../domain/academics/plans.ts';
import type { CourseTable, SectionTimes } from '../../../domain/academics/ports.ts';
import type { AcademicsCampus } from '../../../domain/academics/reads.ts';
import type { StudentFile } from '../../../domain/academics/records.ts';
import type { CallContext, Student } from '../../../domain/context.ts';
import { address, application, service } from '../../contract/driver.ts';
import { awaitAll, nameFailures, readAnswer } from '../../contract/kit.ts';
import type { SessionAccess, UpstreamRequest, UpstreamSession } from '../../contract/upstream-session.ts';
import { NIGHT_MS, usualRow } from '../../contract/upstreams.ts';
import { type PageReader, unreadable } from '../../parsing/reading.ts';
import { createEvaluationClient, readEvaluationList } from './evaluation-client.ts';
import { createOfferingsClient } from './offerings-client.ts';
import { urpLogin } from './own-login.ts';
import { ajax, dataRequest, loadPage, pageRequest, type SegmentPage, withSegment } from './pages.ts';
import { parsePlanCompletion, planPageAlive } from './parse-plan-page.ts';
import { parseCourseTable, parseSections } from './parse-schedule.ts';
import { parseScheduleIndex, scheduleAddress } from './parse-segments.ts';
import {
  parseAcademicSummary,
  parseCourseSelection,
  parseStudentFile,
  parseTrainingPlan,
  studentFileAlive,
} from './parse-student.ts';
import { calendarAlive, calendarPageAlive, homeAlive, parseCalendar, parseHome, parseTermList } from './parse-terms.ts';
import { readExams } from './read-exams.ts';
import { readScoreComponents, readScoreRows, readScores, readThisTermScores, WholeRecords } from './read-scores.ts';

/** Carries the term selector and the segment of the schedule. */
const calendar: SegmentPage = {
  request: pageRequest('calendar-index', '/student/courseSelect/calendarSemesterCurriculum/index', calendarPageAlive),
  parse: parseScheduleIndex,
};

const readCourses = async (session: UpstreamSession, termCode: string): Promise<CourseTable> => {
  const answer = await withSegment(session, calendar, async (segment) => {
    const { path, isPast } = scheduleAddress(segment);
    const address = `/student/courseSelect/thisSemesterCurriculum/${path}`;
    const request = dataRequest('courses', address, [['planCode', termCode], ajax], { whole: true });
    const read = await readAnswer(session, request, parseCourseTable);
    // That of the present term may take no notice of the one that is asked for.
    const isOther = (term: string): boolean => term !== '' && term !== termCode;
    if (!isPast && read.kind === 'table' && [...read.terms].some(isOther)) {
      throw unreadable('academics', 'timetable of another term');
    }
    return read;
  });
  return answer.table;
};

const sectionsForm = [['planNumber', ''], ['ff', 'f'], ajax] as const;
const sectionsRequest = dataRequest('sections', '/ajax/getSectionAndTime', sectionsForm);

/** Carries far more about the student than is read from it. */
const studentFileRequest = pageRequest('student-file', '/student/rollManagement/rollInfo/index', studentFileAlive);

const readTerms = async (session: UpstreamSession) => session.parse(parseTermList, await loadPage(session, calendar));

const readTermCodes = async (session: UpstreamSession) => (await readTerms(session)).map(({ term_code }) => term_code);

/** The campus computes the tree while the student waits: tens of seconds are normal. */
const readPlan = (session: UpstreamSession, path: string) => {
  const more = { slow: true, whole: true } as const;
  const request = pageRequest('plan', `/student/integratedQuery/planCompletion/${path}`, planPageAlive, more);
  return readAnswer(session, request, parsePlanCompletion);
};

const readPlanEntry = async (session: UpstreamSession): Promise<PlanEntry> => {
  const answer = await readPlan(session, 'index');
  return answer.kind === 'tree' ? { kind: 'plan', completion: answer.completion } : answer;
};

/** A plan that its page does not name has its name from the choice. */
const readChosenPlan = async (session: UpstreamSession, { id, name }: PlanOption): Promise<PlanCompletion> => {
  const answer = await readPlan(session, `getPyfaIndex/${id}`);
  if (answer.kind === 'choice') throw unreadable('academics', 'plan choice leads to itself');
  const { completion } = answer;
  return { ...completion, planId: id, plan: completion.plan.name === '' ? trainingPlanOf(name) : completion.plan };
};

const readStudentFile = async (session: UpstreamSession): Promise<StudentFile> => {
  const { number, file } = await session.parse(parseStudentFile, await session.text(studentFileRequest));
  // It is another student's: nothing of it is stored, answered or logged.
  if (number !== null && number !== session.userid) throw unreadable('academics', 'file of another student');
  return file;
};

const readSchedule = async (session: UpstreamSession, termCode: string, knownSections: SectionTimes | null) => {
  const readSections = async () => (await readAnswer(session, sectionsRequest, parseSections)).sections;
  const [table, sections] = await awaitAll([
    nameFailures('courses', readCourses(session, termCode)),
    knownSections === null ? nameFailures('sections', readSections()) : Promise.resolve(knownSections),
  ]);
  return { table, sections };
};

const summaryRequest = dataRequest('academic-summary', '/main/academicInfo?sf_request_type=ajax', [['flag', '']]);
const trainingPlanRequest = dataRequest('training-plan', '/main/showPyfaInfo?sf_request_type=ajax');
const selectionRequest = dataRequest('course-selection', '/main/checkSelectCourseStatus?sf_request_type=ajax');
const homeRequest = pageRequest('home', '/', homeAlive);
const termStartRequest = pageRequest('term-start', '/indexCalendar', calendarAlive);

export const createJwcClient = ({ sessions }: { sessions: SessionAccess }): AcademicsCampus => {
  const wholeRecords = new WholeRecords(sessions, readTermCodes);
  const within = <T>(student: Student, context: CallContext, work: (session: UpstreamSession) => Promise<T>) =>
    sessions.with(student, 'jwc', context, work);
  const reading =
    <T>(request: UpstreamRequest, parse: PageReader<T>) =>
    (student: Student, context: CallContext) =>
      within(student, context, (session) => readAnswer(session, request, parse));
  return {
    summary: reading(summaryRequest, parseAcademicSummary),
    terms: (student, context) => within(student, context, readTerms),
    scorePage: (student, query, context) =>
      within(student, context, async (session) => (await readScores(session, query)).page),
    allScores: (student, termCode, context) => within(student, context, (session) => readScoreRows(session, termCode)),
    wholeRecord: (student, context) => wholeRecords.read(student, context),
    studentFile: (student, context) => within(student, context, readStudentFile),
    schedule: (student, termCode, knownSections, context) =>
      within(student, context, (session) => readSchedule(session, termCode, knownSections)),
    trainingPlan: reading(trainingPlanRequest, parseTrainingPlan),
    planEntry: (student, context) =>
      nameFailures('plan-tree', within(student, context, readPlanEntry), ['upstream-unreadable']),
    chosenPlan: (student, option, context) => {
      const read = within(student, context, (session) => readChosenPlan(session, option));
      return nameFailures('plan-tree', read, ['upstream-unreadable']);
    },
    currentScores: (student, context) => within(student, context, readThisTermScores),
    scoreComponents: (student, key, context) =>
      within(student, context, (session) => readScoreComponents(session, key)),
    courseSelection: reading(selectionRequest, parseCourseSelection),
    calendarText: reading(homeRequest, parseHome),
    termStart: reading(termStartRequest, parseCalendar),
    exams: async (student, { now, timeZone, ofTerm }, context) =>
      readExams(sessions, student, { ...(await ofTerm()), now, timeZone }, context),
    evaluationCourses: (student, context) => readEvaluationList(sessions, student, context),
  };
};

const passwordForm = Type.Union(
  [Type.Literal('plain'), Type.Literal('md5'), Type.Literal('md5-pair'), Type.Literal('md5-twice')],
  { description: 'plain, md5, md5-pair or md5-twice: what its own login wants, where the page does not say it' },
);

/** The academic affairs system, with its course evaluation; behind a unified login, or with its own. */
export const jwc = application({
  options: Type.Object({ url: address, service: Type.Optional(service), password: Type.Optional(passwordForm) }),
  row: {
    ...usualRow,
    system: 'academics',
    entry: { kind: 'service-ticket' },
    deadPath: /\/login|gotoLogin/,
    showsLogin: (text) => text.includes('j_spring_security_check'),
    longestIdleMs: NIGHT_MS,
    // The way to the login, in place of an outcome.
    showsDeath: (text) => /^\{[^{}]{0,200}"result"\s{0,4}:\s{0,4}"[^"]{0,200}\/[^"]{0,200}"/.test(text),
  },
  ownLogin: ({ password }) => urpLogin(password),
  attended: true,
  supplies: (access) => ({
    academics: createJwcClient(access),
    evaluation: createEvaluationClient(access),
    offerings: createOfferingsClient(access),
  }),
});

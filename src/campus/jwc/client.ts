import { type PlanEntry, type PlanOption, trainingPlanOf } from '../../domain/academics/plans.ts';
import type { AcademicsCampus } from '../../domain/academics/ports.ts';
import type { Term } from '../../domain/academics/records.ts';
import type { CourseTable, ScoreQuery, SectionTimes } from '../../domain/academics/types.ts';
import type { CallContext, Student } from '../../domain/context.ts';
import { readAllPages } from '../all-pages.ts';
import { allEnded, readAnswer } from '../kit.ts';
import { unreadable } from '../parsing/unreadable.ts';
import type { SessionAccess, UpstreamRequest, UpstreamSession } from '../session/upstream-session.ts';
import { named } from './answer-failures.ts';
import { readEvaluationList } from './evaluation-client.ts';
import { parsePlanCompletion } from './parse-plan-page.ts';
import { parseCourseTable, parseSections } from './parse-schedule.ts';
import { parseScoreData } from './parse-scores.ts';
import { parseScheduleIndex, parseScoreIndex } from './parse-segments.ts';
import { parseAcademicSummary, parseCourseSelection, parseTrainingPlan } from './parse-small-answers.ts';
import { parseStudentFile } from './parse-student-file.ts';
import { parseCalendar, parseHome, parseTermList } from './parse-terms.ts';
import { readExams } from './read-exams.ts';
import { createWholeRecordReader, readScoreComponents, readThisTermScores } from './read-scores.ts';
import {
  calendarRequest,
  chosenPlanRequest,
  courseSelectionRequest,
  courseTableRequest,
  homeRequest,
  planRequest,
  scoreDataRequest,
  scoreIndexRequest,
  sectionsRequest,
  studentFileRequest,
  summaryRequest,
  termStartRequest,
  trainingPlanRequest,
} from './requests.ts';
import { loadPage, type SegmentPage, withSegment } from './with-segment.ts';

const scorePageSource: SegmentPage = { request: scoreIndexRequest, parse: parseScoreIndex };
const calendarSource: SegmentPage = { request: calendarRequest, parse: parseScheduleIndex };

const scorePaging = { system: 'academics', what: 'score', size: 50, mostPages: 40 } as const;

const readScores = (session: UpstreamSession, query: ScoreQuery) =>
  withSegment(session, scorePageSource, (segment) =>
    readAnswer(session, scoreDataRequest(segment, query), parseScoreData),
  );

/** All pages, one after the other. */
const readScoreRows = async (session: UpstreamSession, query: Pick<ScoreQuery, 'termCode' | 'pageSize'>) => {
  const { pages } = await readAllPages({ ...scorePaging, size: query.pageSize }, async (number) => {
    const asked = { ...query, courseCode: '', courseName: '', page: number };
    const { page, received, totalStated } = await readScores(session, asked);
    return { rows: page.records, received, total: totalStated ? page.total_count : null };
  });
  return pages.flat();
};

const readCourses = async (session: UpstreamSession, termCode: string): Promise<CourseTable> => {
  const answer = await withSegment(session, calendarSource, (segment) =>
    readAnswer(session, courseTableRequest(segment, termCode), parseCourseTable),
  );
  return answer.table;
};

const readSections = async (session: UpstreamSession): Promise<SectionTimes> =>
  (await readAnswer(session, sectionsRequest, parseSections)).sections;

const readTerms = async (session: UpstreamSession): Promise<Term[]> =>
  session.parse(parseTermList, await loadPage(session, calendarSource));

/** The reads of the academic-affairs system. Holds no state: everything kept belongs to the student's session. */
export const createJwcClient = ({ sessions }: { sessions: SessionAccess }): AcademicsCampus => {
  /** In a session of the student, with what the read is asked for. */
  const within =
    <A extends unknown[], T>(work: (session: UpstreamSession, ...asked: A) => Promise<T>) =>
    (student: Student, ...rest: [...A, CallContext]): Promise<T> => {
      const context = rest[rest.length - 1] as CallContext;
      const asked = rest.slice(0, -1) as A;
      return sessions.with(student, 'jwc', context, (session) => work(session, ...asked));
    };
  /** One request and what its answer says. */
  const read = <T>(request: UpstreamRequest, parse: (text: string) => T) =>
    within((session) => readAnswer(session, request, parse));

  /** A page that cannot be read fails as part `plan-tree`. */
  const ofPlan = <T>(reading: Promise<T>) => named('plan-tree', reading, ['upstream-unreadable']);
  const planEntry = within(async (session): Promise<PlanEntry> => {
    const answer = await readAnswer(session, planRequest, parsePlanCompletion);
    return answer.kind === 'tree' ? { kind: 'plan', completion: answer.completion } : answer;
  });
  /** Where its page does not name it, it has the name that it has in the choice. */
  const chosenPlan = within(async (session, { id, name }: PlanOption) => {
    const answer = await readAnswer(session, chosenPlanRequest(id), parsePlanCompletion);
    if (answer.kind === 'choice') throw unreadable('academics', 'plan choice leads to itself');
    const { completion } = answer;
    return { ...completion, planId: id, plan: completion.plan.name === '' ? trainingPlanOf(name) : completion.plan };
  });

  return {
    summary: read(summaryRequest, parseAcademicSummary),
    terms: within(readTerms),
    scorePage: within(async (session, query: ScoreQuery) => (await readScores(session, query)).page),
    allScores: within((session, termCode: string) => readScoreRows(session, { termCode, pageSize: scorePaging.size })),
    wholeRecord: createWholeRecordReader(sessions, {
      rows: readScoreRows,
      terms: async (session) => (await readTerms(session)).map(({ term_code }) => term_code),
      pageSize: scorePaging.size,
    }),
    studentFile: within(async (session) => {
      const { number, file } = await session.parse(parseStudentFile, await session.text(studentFileRequest));
      // Nothing of it is kept, told or logged: it is somebody else's.
      if (number !== null && number !== session.userid) throw unreadable('academics', 'file of another student');
      return file;
    }),
    schedule: within(async (session, termCode: string, knownSections: SectionTimes | null) => {
      const [table, sections] = await allEnded([
        named('courses', readCourses(session, termCode)),
        knownSections === null ? named('sections', readSections(session)) : Promise.resolve(knownSections),
      ]);
      return { table, sections };
    }),
    trainingPlan: read(trainingPlanRequest, parseTrainingPlan),
    planEntry: (student, context) => ofPlan(planEntry(student, context)),
    chosenPlan: (student, option, context) => ofPlan(chosenPlan(student, option, context)),
    currentScores: within(readThisTermScores),
    scoreComponents: within(readScoreComponents),
    courseSelection: read(courseSelectionRequest, parseCourseSelection),
    calendarText: read(homeRequest, parseHome),
    termStart: read(termStartRequest, parseCalendar),
    exams: (student, query, context) => readExams(sessions, student, query, context),
    evaluationCourses: (student, context) => readEvaluationList(sessions, student, context),
  };
};

import type { AcademicsCampus } from '../../domain/academics/ports.ts';
import type { CourseTable, ScoreQuery, SectionTimes } from '../../domain/academics/types.ts';
import type { CallContext, Student } from '../../domain/context.ts';
import { allEnded } from '../all-ended.ts';
import { readAllPages } from '../all-pages.ts';
import { unreadable } from '../parsing/unreadable.ts';
import { readAnswer } from '../read-answer.ts';
import type { SessionAccess, UpstreamRequest, UpstreamSession } from '../session/upstream-session.ts';
import { parseCalendar } from './parse-calendar.ts';
import { parseCourseTable } from './parse-course-table.ts';
import { parseHome } from './parse-home.ts';
import { parseScoreData } from './parse-score-data.ts';
import { parseSections } from './parse-sections.ts';
import { parseScheduleIndex, parseScoreIndex } from './parse-segments.ts';
import { parseAcademicSummary, parseCourseSelection, parseTrainingPlan } from './parse-small-answers.ts';
import { parseStudentFile } from './parse-student-file.ts';
import { parseTermList } from './parse-term-list.ts';
import { named } from './parts.ts';
import { readEvaluationList } from './read-evaluation.ts';
import { readExams } from './read-exams.ts';
import { readChosenPlan, readPlanEntry } from './read-plan.ts';
import { readScoreComponents, readThisTermScores } from './read-this-term.ts';
import { createWholeRecordReader } from './read-whole-record.ts';
import {
  calendarRequest,
  courseSelectionRequest,
  courseTableRequest,
  homeRequest,
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

/** The reads of the academic-affairs system. Holds no state: everything kept belongs to the student's session. */
export const createJwcClient = ({ sessions }: { sessions: SessionAccess }): AcademicsCampus => {
  /** One request and what its answer says. */
  const read =
    <T>(request: UpstreamRequest, parse: (text: string) => T) =>
    (student: Student, context: CallContext): Promise<T> =>
      sessions.with(student, 'jwc', context, (session) => readAnswer(session, request, parse));

  return {
    summary: read(summaryRequest, parseAcademicSummary),
    terms: (student, context) =>
      sessions.with(student, 'jwc', context, async (session) =>
        session.parse(parseTermList, await loadPage(session, calendarSource)),
      ),
    scorePage: (student, query, context) =>
      sessions.with(student, 'jwc', context, async (session) => (await readScores(session, query)).page),
    allScores: (student, termCode, context) =>
      sessions.with(student, 'jwc', context, (session) =>
        readScoreRows(session, { termCode, pageSize: scorePaging.size }),
      ),
    wholeRecord: createWholeRecordReader(sessions, {
      rows: readScoreRows,
      terms: async (session) => {
        const terms = await session.parse(parseTermList, await loadPage(session, calendarSource));
        return terms.map(({ term_code }) => term_code);
      },
      pageSize: scorePaging.size,
    }),
    studentFile: (student, context) =>
      sessions.with(student, 'jwc', context, async (session) => {
        const { number, file } = await session.parse(parseStudentFile, await session.text(studentFileRequest));
        // Nothing of it is kept, told or logged: it is somebody else's.
        if (number !== null && number !== session.userid) throw unreadable('academics', 'file of another student');
        return file;
      }),
    schedule: (student, termCode, knownSections, context) =>
      sessions.with(student, 'jwc', context, async (session) => {
        const [table, sections] = await allEnded([
          named('courses', readCourses(session, termCode)),
          knownSections === null ? named('sections', readSections(session)) : Promise.resolve(knownSections),
        ]);
        return { table, sections };
      }),
    trainingPlan: read(trainingPlanRequest, parseTrainingPlan),
    planEntry: (student, context) => readPlanEntry(sessions, student, context),
    chosenPlan: (student, option, context) => readChosenPlan(sessions, student, option, context),
    currentScores: (student, context) => readThisTermScores(sessions, student, context),
    scoreComponents: (student, key, context) => readScoreComponents(sessions, student, key, context),
    courseSelection: read(courseSelectionRequest, parseCourseSelection),
    calendarText: read(homeRequest, parseHome),
    termStart: read(termStartRequest, parseCalendar),
    exams: (student, query, context) => readExams(sessions, student, query, context),
    evaluationCourses: (student, context) => readEvaluationList(sessions, student, context),
  };
};

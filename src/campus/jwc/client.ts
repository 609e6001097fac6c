import type { AcademicsCampus } from '../../domain/academics/ports.ts';
import type { CourseTable, ScoreQuery, SectionTimes } from '../../domain/academics/types.ts';
import type { CallContext, Student } from '../../domain/context.ts';
import { allEnded } from '../all-ended.ts';
import type { SessionAccess, UpstreamRequest, UpstreamSession } from '../session/upstream-session.ts';
import { readAllPages } from './all-pages.ts';
import { logDropped } from './log-dropped.ts';
import { parseAcademicSummary } from './parse-academic-summary.ts';
import { parseCalendar } from './parse-calendar.ts';
import { parseCourseSelection } from './parse-course-selection.ts';
import { parseCourseTable } from './parse-course-table.ts';
import { parseHome } from './parse-home.ts';
import { parseScheduleIndex } from './parse-schedule-index.ts';
import { parseScoreData } from './parse-score-data.ts';
import { parseScoreIndex } from './parse-score-index.ts';
import { parseSections } from './parse-sections.ts';
import { parseTermList } from './parse-term-list.ts';
import { parseTrainingPlan } from './parse-training-plan.ts';
import { named } from './parts.ts';
import { readEvaluationList } from './read-evaluation.ts';
import { readExams } from './read-exams.ts';
import { readChosenPlan, readPlanEntry } from './read-plan.ts';
import { readScoreComponents, readThisTermScores } from './read-this-term.ts';
import {
  calendarRequest,
  courseSelectionRequest,
  courseTableRequest,
  homeRequest,
  scoreDataRequest,
  scoreIndexRequest,
  sectionsRequest,
  summaryRequest,
  termStartRequest,
  trainingPlanRequest,
} from './requests.ts';
import { loadPage, type SegmentPage, withSegment } from './with-segment.ts';

const scorePageSource: SegmentPage = { name: 'scores-index', request: scoreIndexRequest, parse: parseScoreIndex };
const calendarSource: SegmentPage = { name: 'calendar-index', request: calendarRequest, parse: parseScheduleIndex };

const scorePageSize = 50;

const readScores = async (session: UpstreamSession, query: ScoreQuery, context: CallContext) => {
  const answer = await withSegment(session, scorePageSource, async (segment) =>
    parseScoreData(await session.text(scoreDataRequest(segment, query))),
  );
  logDropped(context, 'scores', answer.dropped);
  return answer;
};

const readCourses = async (session: UpstreamSession, termCode: string, context: CallContext): Promise<CourseTable> => {
  const { table, dropped } = await withSegment(session, calendarSource, async (segment) =>
    parseCourseTable(await session.text(courseTableRequest(segment, termCode))),
  );
  logDropped(context, 'courses', dropped);
  return table;
};

const readSections = async (session: UpstreamSession, context: CallContext): Promise<SectionTimes> => {
  const { sections, dropped } = parseSections(await session.text(sectionsRequest));
  logDropped(context, 'sections', dropped);
  return sections;
};

/** The reads of the academic-affairs system. Holds no state: everything kept belongs to the student's session. */
export const createJwcClient = ({ sessions }: { sessions: SessionAccess }): AcademicsCampus => {
  /** One request and what its answer says. */
  const read =
    <T>(request: UpstreamRequest, parse: (text: string) => T) =>
    (student: Student, context: CallContext): Promise<T> =>
      sessions.with(student, 'jwc', context, async (session) => parse(await session.text(request)));

  return {
    summary: read(summaryRequest, parseAcademicSummary),
    terms: (student, context) =>
      sessions.with(student, 'jwc', context, async (session) => parseTermList(await loadPage(session, calendarSource))),
    scorePage: (student, query, context) =>
      sessions.with(student, 'jwc', context, async (session) => (await readScores(session, query, context)).page),
    allScores: (student, termCode, context) => {
      const query = { termCode, courseCode: '', courseName: '', pageSize: scorePageSize };
      return sessions.with(student, 'jwc', context, (session) =>
        readAllPages('score', scorePageSize, async (number) => {
          const { page, received, totalStated } = await readScores(session, { ...query, page: number }, context);
          return { rows: page.records, received, total: totalStated ? page.totalCount : null };
        }),
      );
    },
    schedule: (student, termCode, knownSections, context) =>
      sessions.with(student, 'jwc', context, async (session) => {
        const [table, sections] = await allEnded([
          named('courses', readCourses(session, termCode, context)),
          knownSections === null ? named('sections', readSections(session, context)) : Promise.resolve(knownSections),
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

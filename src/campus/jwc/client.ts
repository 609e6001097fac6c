import type { CurrentScore, CurrentScoreKey, ScoreComponent } from '../../domain/academics/current-scores.ts';
import type { CalendarText, TermStart } from '../../domain/academics/current-term.ts';
import type { ExamSources } from '../../domain/academics/exams.ts';
import type { PlanEntry, PlanOption } from '../../domain/academics/plan-choice.ts';
import type { PlanCompletion } from '../../domain/academics/plan-completion.ts';
import type { AcademicsCampus, ExamQuery } from '../../domain/academics/ports.ts';
import type { TrainingPlan } from '../../domain/academics/training-plan.ts';
import type {
  AcademicSummary,
  CourseSelection,
  CourseTable,
  ScorePage,
  ScoreQuery,
  ScoreRecord,
  SectionTimes,
  Term,
} from '../../domain/academics/types.ts';
import type { CallContext, Student } from '../../domain/context.ts';
import type { EvaluationList } from '../../domain/evaluation/types.ts';
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

/** The reads of the academic-affairs system. Holds no state: everything kept belongs to the student's session. */
export class JwcClient implements AcademicsCampus {
  readonly #sessions: SessionAccess;

  constructor({ sessions }: { sessions: SessionAccess }) {
    this.#sessions = sessions;
  }

  summary(student: Student, context: CallContext): Promise<AcademicSummary> {
    return this.#read(student, context, summaryRequest, parseAcademicSummary);
  }

  terms(student: Student, context: CallContext): Promise<Term[]> {
    return this.#sessions.with(student, 'jwc', context, async (session) =>
      parseTermList(await loadPage(session, calendarSource)),
    );
  }

  scorePage(student: Student, query: ScoreQuery, context: CallContext): Promise<ScorePage> {
    return this.#sessions.with(student, 'jwc', context, async (session) => {
      const { page } = await this.#scores(session, query, context);
      return page;
    });
  }

  allScores(student: Student, termCode: string, context: CallContext): Promise<readonly ScoreRecord[]> {
    const query = { termCode, courseCode: '', courseName: '', pageSize: scorePageSize };
    return this.#sessions.with(student, 'jwc', context, (session) =>
      readAllPages('score', scorePageSize, async (number) => {
        const { page, received, totalStated } = await this.#scores(session, { ...query, page: number }, context);
        return { rows: page.records, received, total: totalStated ? page.totalCount : null };
      }),
    );
  }

  schedule(
    student: Student,
    termCode: string,
    knownSections: SectionTimes | null,
    context: CallContext,
  ): Promise<{ table: CourseTable; sections: SectionTimes }> {
    return this.#sessions.with(student, 'jwc', context, async (session) => {
      const [table, sections] = await allEnded([
        named('courses', this.#courses(session, termCode, context)),
        knownSections === null ? named('sections', this.#sections(session, context)) : Promise.resolve(knownSections),
      ]);
      return { table, sections };
    });
  }

  trainingPlan(student: Student, context: CallContext): Promise<TrainingPlan> {
    return this.#read(student, context, trainingPlanRequest, parseTrainingPlan);
  }

  planEntry(student: Student, context: CallContext): Promise<PlanEntry> {
    return readPlanEntry(this.#sessions, student, context);
  }

  chosenPlan(student: Student, option: PlanOption, context: CallContext): Promise<PlanCompletion> {
    return readChosenPlan(this.#sessions, student, option, context);
  }

  currentScores(student: Student, context: CallContext): Promise<readonly CurrentScore[]> {
    return readThisTermScores(this.#sessions, student, context);
  }

  scoreComponents(student: Student, key: CurrentScoreKey, context: CallContext): Promise<readonly ScoreComponent[]> {
    return readScoreComponents(this.#sessions, student, key, context);
  }

  courseSelection(student: Student, context: CallContext): Promise<CourseSelection> {
    return this.#read(student, context, courseSelectionRequest, parseCourseSelection);
  }

  calendarText(student: Student, context: CallContext): Promise<CalendarText> {
    return this.#read(student, context, homeRequest, parseHome);
  }

  termStart(student: Student, context: CallContext): Promise<TermStart> {
    return this.#read(student, context, termStartRequest, parseCalendar);
  }

  exams(student: Student, query: ExamQuery, context: CallContext): Promise<ExamSources> {
    return readExams(this.#sessions, student, query, context);
  }

  /** One request; two when the campus counts more courses than it sends at first. */
  evaluationCourses(student: Student, context: CallContext): Promise<EvaluationList> {
    return readEvaluationList(this.#sessions, student, context);
  }

  /** One request and what its answer says. */
  #read<T>(student: Student, context: CallContext, request: UpstreamRequest, parse: (text: string) => T): Promise<T> {
    return this.#sessions.with(student, 'jwc', context, async (session) => parse(await session.text(request)));
  }

  async #scores(session: UpstreamSession, query: ScoreQuery, context: CallContext) {
    const answer = await withSegment(session, scorePageSource, async (segment) =>
      parseScoreData(await session.text(scoreDataRequest(segment, query))),
    );
    logDropped(context, 'scores', answer.dropped);
    return answer;
  }

  async #courses(session: UpstreamSession, termCode: string, context: CallContext): Promise<CourseTable> {
    const { table, dropped } = await withSegment(session, calendarSource, async (segment) =>
      parseCourseTable(await session.text(courseTableRequest(segment, termCode))),
    );
    logDropped(context, 'courses', dropped);
    return table;
  }

  async #sections(session: UpstreamSession, context: CallContext): Promise<SectionTimes> {
    const { sections, dropped } = parseSections(await session.text(sectionsRequest));
    logDropped(context, 'sections', dropped);
    return sections;
  }
}

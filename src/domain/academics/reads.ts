import { Type } from '@sinclair/typebox';
import type { CallContext, Student } from '../context.ts';
import type { EvaluationList } from '../evaluation/types.ts';
import { HOUR_SECONDS, NEVER, ofRecord, row, SELDOM_SECONDS } from '../read-row.ts';
import type { CalendarText, TermFacts, TermStart } from './current-term.ts';
import type { ExamFindings, ExamSources } from './exams.ts';
import {
  componentEvents,
  currentScoreEvents,
  evaluationEvents,
  examEvents,
  scheduleEvents,
  scorePageEvents,
  termEvents,
  termScoreEvents,
  wholeRecordEvents,
} from './news.ts';
import type { PlanChoice, PlanCompletion, PlanEntry, PlanOption, TrainingPlan } from './plans.ts';
import type {
  AcademicSummary,
  CourseSelection,
  CourseTable,
  CurrentScoreKey,
  ExamQuery,
  Schedule,
  ScoreQuery,
  SectionTimes,
} from './ports.ts';
import {
  CurrentScore,
  ScoreComponent,
  ScorePage,
  ScoreRecord,
  StudentFile,
  type Term,
  Terms,
  WholeRecord,
} from './records.ts';
import { asItWas, formerCurrentScores, formerScorePage, formerScores, formerTerms } from './version-1-shapes.ts';

/**
 * The port of academic affairs, implemented by campus/jwc. Every method throws `Failure`s
 * of the sign-in kinds, `upstream-unavailable`, `upstream-unreadable`, `session-lost` or `timed-out`; `summary`
 * and `trainingPlan` also `upstream-empty`, scores, plans, schedule and `evaluationCourses` also `upstream-refused`
 * {upstreamMessage}.
 */
export interface AcademicsCampus {
  summary(student: Student, context: CallContext): Promise<AcademicSummary>;
  /** In upstream order; never empty; exactly one is current. */
  terms(student: Student, context: CallContext): Promise<readonly Term[]>;
  scorePage(student: Student, query: ScoreQuery, context: CallContext): Promise<ScorePage>;
  /** All pages of 50, read one after the other within one session; the segment page is read once. */
  allScores(student: Student, termCode: string, context: CallContext): Promise<readonly ScoreRecord[]>;
  /**
   * Every score: the campus's own page of them where it has one, else the score list of all terms or of each. At most
   * 2,000 rows; more are `upstream-unreadable`.
   */
  wholeRecord(student: Student, context: CallContext): Promise<WholeRecord>;
  /** `upstream-unreadable` also for a page that is another student's. */
  studentFile(student: Student, context: CallContext): Promise<StudentFile>;
  /**
   * Course table, and the section times unless `knownSections` is given (then they are not asked for). Sections are
   * read beside the index and course requests of the same session. A failure names its `part`: `courses` or `sections`.
   */
  schedule(
    student: Student,
    termCode: string,
    knownSections: SectionTimes | null,
    context: CallContext,
  ): Promise<{ table: CourseTable; sections: SectionTimes }>;
  /** The first plan of the student. */
  trainingPlan(student: Student, context: CallContext): Promise<TrainingPlan>;
  /** A page with neither a readable tree nor a choice fails with the `part` `plan-tree`, here and below. */
  planEntry(student: Student, context: CallContext): Promise<PlanEntry>;
  /** A plan that the student's own page offers: no other may be asked for. */
  chosenPlan(student: Student, option: PlanOption, context: CallContext): Promise<PlanCompletion>;
  /** This term only: the campus shows no components of earlier ones. Failures also `upstream-refused`. */
  currentScores(student: Student, context: CallContext): Promise<readonly CurrentScore[]>;
  /** Empty for a score that is not published, and for a key that is not the student's: the campus tells no difference. */
  scoreComponents(student: Student, key: CurrentScoreKey, context: CallContext): Promise<readonly ScoreComponent[]>;
  courseSelection(student: Student, context: CallContext): Promise<CourseSelection>;
  calendarText(student: Student, context: CallContext): Promise<CalendarText>;
  termStart(student: Student, context: CallContext): Promise<TermStart>;
  /** The failure of one source is part of the answer; thrown is what concerns the call as a whole. */
  exams(student: Student, query: ExamQuery, context: CallContext): Promise<ExamSources>;
  /** All courses, evaluated ones included; empty while the season is over. */
  evaluationCourses(student: Student, context: CallContext): Promise<EvaluationList>;
}

/** The reads of academic affairs. A changed member of a value is a new shape. */
export const academicReads = {
  summary: row<AcademicSummary>('summary', 'academics', { shape: 3, earlierShapes: { 2: asItWas } }),
  terms: ofRecord(Terms, 'terms', 'academics', { earlierShapes: { 1: formerTerms } }),
  scorePage: ofRecord(ScorePage, 'score-page', 'academics', {
    earlierShapes: { 1: formerScorePage },
    pages: { at: 1, isEmpty: ({ records }) => records.length === 0 },
    events: scorePageEvents,
  }),
  allScores: ofRecord(Type.Array(ScoreRecord), 'all-scores', 'academics', {
    earlierShapes: { 1: formerScores },
    events: termScoreEvents,
    // Where there is no list of this term's scores.
    daily: true,
  }),
  wholeRecord: ofRecord(WholeRecord, 'whole-record', 'academics', { events: wholeRecordEvents }),
  studentFile: ofRecord(StudentFile, 'student-file', 'academics', { fresh: HOUR_SECONDS }),
  schedule: row<Schedule>('schedule', 'academics', {
    shape: 2,
    earlierShapes: { 1: asItWas },
    events: scheduleEvents,
    daily: true,
  }),
  trainingPlan: row<TrainingPlan>('training-plan', 'academics', { fresh: SELDOM_SECONDS }),
  planChoice: row<PlanChoice>('plan-choice', 'academics', { fresh: SELDOM_SECONDS }),
  planCompletion: row<PlanCompletion>('plan-completion', 'academics', { shape: 2 }),
  currentScores: ofRecord(Type.Array(CurrentScore), 'current-scores', 'academics', {
    earlierShapes: { 1: formerCurrentScores },
    events: currentScoreEvents,
    daily: true,
  }),
  scoreComponents: ofRecord(Type.Array(ScoreComponent), 'score-components', 'academics', { events: componentEvents }),
  courseSelection: row<CourseSelection>('course-selection', 'academics', { fresh: NEVER }),
  currentTerm: row<TermFacts>('current-term', 'academics', { events: termEvents }),
  exams: row<ExamFindings>('exams', 'academics', {
    shape: 2,
    earlierShapes: { 1: asItWas },
    // Half a list is an answer on one surface; on the other one it is a failure, for which a stale copy may be served.
    isComplete: ({ missing }) => missing.length === 0,
    events: examEvents,
    daily: true,
  }),
  evaluationCourses: row<EvaluationList>('evaluation-courses', 'academics', {
    fresh: NEVER,
    events: evaluationEvents,
  }),
} as const;

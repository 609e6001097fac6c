import type { CallContext, Student } from '../context.ts';
import type { EvaluationList } from '../evaluation/types.ts';
import type { CurrentScoreKey } from './current-scores.ts';
import type { CalendarText, TermStart } from './current-term.ts';
import type { ExamSources, ExamWindow } from './exams.ts';
import type { PlanEntry, PlanOption } from './plan-choice.ts';
import type { PlanCompletion } from './plan-completion.ts';
import type {
  CurrentScore,
  ScoreComponent,
  ScorePage,
  ScoreRecord,
  StudentFile,
  Term,
  WholeRecord,
} from './records.ts';
import type { TrainingPlan } from './training-plan.ts';
import type { AcademicSummary, CourseSelection, CourseTable, ScoreQuery, SectionTimes } from './types.ts';

export interface ExamQuery {
  /** Term of the other exams. */
  readonly termCode: string;
  /** Days of the university exams. */
  readonly window: ExamWindow;
  /** Epoch ms. */
  readonly now: number;
}

/**
 * What the academic-affairs system offers to the domain; implemented by campus/jwc. Every method throws `Failure`s
 * of the sign-in kinds, `upstream-unavailable`, `upstream-unreadable`, `session-lost` or `timed-out`; `summary`
 * and `trainingPlan` also `upstream-empty`, scores, plans, schedule and `evaluationCourses` also `upstream-refused`
 * {upstreamMessage}.
 */
export interface AcademicsCampus {
  summary(student: Student, context: CallContext): Promise<AcademicSummary>;
  terms(student: Student, context: CallContext): Promise<Term[]>;
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

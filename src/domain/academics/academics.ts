import type { CallContext, Student } from '../context.ts';
import type { EvaluationCourse } from '../evaluation/types.ts';
import type { CurrentScoreKey } from './current-scores.ts';
import type { CurrentTerm } from './current-term.ts';
import type { ExamFindings } from './exams.ts';
import type { PlanChoice } from './plan-choice.ts';
import type { PlanCompletion } from './plan-completion.ts';
import type { PlanEstimate } from './plan-estimate.ts';
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
import type { AcademicSummary, CourseSelection, Schedule, ScoreQuery } from './types.ts';

/** A plan, and how far the student has come at a glance; null when only the plan could be had. */
export interface PlanOverview {
  readonly plan: TrainingPlan;
  readonly summary: AcademicSummary | null;
}

/** Academic reads for both surfaces. Failures: those of `AcademicsCampus`. */
export interface Academics {
  summary(student: Student, context: CallContext): Promise<AcademicSummary>;
  /** In upstream order; never empty; exactly one is current. */
  terms(student: Student, context: CallContext): Promise<readonly Term[]>;
  /** Whether the campus lists the term; true where the list cannot be had. Asked where a term turned out empty. */
  knowsTerm(student: Student, termCode: string, context: CallContext): Promise<boolean>;
  scorePage(student: Student, query: ScoreQuery, context: CallContext): Promise<ScorePage>;
  allScores(student: Student, termCode: string, context: CallContext): Promise<readonly ScoreRecord[]>;
  /** Every score of the student, of all terms. */
  wholeRecord(student: Student, context: CallContext): Promise<WholeRecord>;
  studentFile(student: Student, context: CallContext): Promise<StudentFile>;
  schedule(student: Student, termCode: string, context: CallContext): Promise<Schedule>;
  /** Of this term, as the campus orders them. */
  currentScores(student: Student, context: CallContext): Promise<readonly CurrentScore[]>;
  scoreComponents(student: Student, key: CurrentScoreKey, context: CallContext): Promise<readonly ScoreComponent[]>;
  /** The first plan; kept for 300 s. `upstream-empty` when there is none. */
  trainingPlan(student: Student, context: CallContext): Promise<TrainingPlan>;
  /** The plan with the summary; a summary that cannot be had is null. */
  planOverview(student: Student, context: CallContext): Promise<PlanOverview>;
  /** What a student with several plans chooses from; kept for 300 s. */
  planChoice(student: Student, context: CallContext): Promise<PlanChoice>;
  /** Null: the default one. `plan-unknown` for an id that the campus does not offer to this student. */
  planCompletion(student: Student, planId: string | null, context: CallContext): Promise<PlanCompletion>;
  /** From the scores of all terms; null for a plan that shows a passed course, or has no course with a mark. */
  planEstimate(student: Student, completion: PlanCompletion, context: CallContext): Promise<PlanEstimate | null>;
  courseSelection(student: Student, context: CallContext): Promise<CourseSelection>;
  currentTerm(student: Student, context: CallContext): Promise<CurrentTerm>;
  /**
   * Exams of the current term. A source that failed is named in the findings; both failed is a failure, and so is a
   * term that is not known (`upstream-unreadable`). `whole`: so is one source alone. `summaryOf`:
   * where the caller has the summary of now, which names the term.
   */
  exams(
    student: Student,
    context: CallContext,
    wanted?: 'found' | 'whole',
    summaryOf?: (context: CallContext) => Promise<AcademicSummary>,
  ): Promise<ExamFindings>;
  /** Courses that can be or have been evaluated; empty while the season is over. */
  evaluationCourses(student: Student, context: CallContext): Promise<readonly EvaluationCourse[]>;
}

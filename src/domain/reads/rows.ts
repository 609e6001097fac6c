import type { CurrentScore, ScoreComponent } from '../academics/current-scores.ts';
import type { CalendarText, TermStart } from '../academics/current-term.ts';
import type { ExamFindings } from '../academics/exams.ts';
import type { PlanChoice } from '../academics/plan-choice.ts';
import type { PlanCompletion } from '../academics/plan-completion.ts';
import type { TrainingPlan } from '../academics/training-plan.ts';
import type { AcademicSummary, CourseSelection, Schedule, ScorePage, ScoreRecord, Term } from '../academics/types.ts';
import type { ActivityCategory, ActivityTotal } from '../activity-score/types.ts';
import type { CompetitionRecord } from '../competitions/types.ts';
import type { ElectricityReading } from '../electricity/types.ts';
import type { CampusSystem } from '../errors.ts';
import type { EvaluationList } from '../evaluation/types.ts';
import type {
  ActivityDetail,
  ClubApplication,
  ClubDirectory,
  DirectoryClub,
  LaborActivities,
  LaborClubEntry,
  SignItems,
} from '../labor-club/types.ts';
import type { ReadRow } from './types.ts';

/** What the campus knew about a day: the current term is worked out from it for the day of the answer. */
export interface TermFacts {
  readonly text: CalendarText;
  readonly start: TermStart;
  /** `YYYY-MM-DD` at the campus. */
  readonly readOn: string;
}

/** The campus computes and names these seldom. */
const SELDOM_SECONDS = 300;
/** What is acted upon at once is always asked for, unless the caller says otherwise. */
const NEVER = 0;

const row = <V>(name: string, application: CampusSystem, more: Partial<ReadRow<V>> = {}): ReadRow<V> => ({
  name,
  application,
  shape: 1,
  fresh: 'usual',
  ...more,
});

/**
 * Every read of a student. A changed member of a value is a new shape;
 * parameters are given with the call.
 */
export const readRows = {
  summary: row<AcademicSummary>('summary', 'academics', { shape: 2 }),
  terms: row<readonly Term[]>('terms', 'academics'),
  scorePage: row<ScorePage>('score-page', 'academics'),
  allScores: row<readonly ScoreRecord[]>('all-scores', 'academics'),
  schedule: row<Schedule>('schedule', 'academics'),
  trainingPlan: row<TrainingPlan>('training-plan', 'academics', { fresh: SELDOM_SECONDS }),
  planChoice: row<PlanChoice>('plan-choice', 'academics', { fresh: SELDOM_SECONDS }),
  planCompletion: row<PlanCompletion>('plan-completion', 'academics', { shape: 2 }),
  currentScores: row<readonly CurrentScore[]>('current-scores', 'academics'),
  scoreComponents: row<readonly ScoreComponent[]>('score-components', 'academics'),
  courseSelection: row<CourseSelection>('course-selection', 'academics', { fresh: NEVER }),
  currentTerm: row<TermFacts>('current-term', 'academics'),
  exams: row<ExamFindings>('exams', 'academics', { isWhole: ({ missing }) => missing.length === 0 }),
  evaluationCourses: row<EvaluationList>('evaluation-courses', 'academics', { fresh: NEVER }),
  activityTotal: row<ActivityTotal>('activity-total', 'activity-score', { fresh: SELDOM_SECONDS }),
  activityCategories: row<readonly ActivityCategory[]>('activity-categories', 'activity-score'),
  competitions: row<CompetitionRecord>('competitions', 'competitions'),
  finishedCount: row<number>('finished-count', 'labor-club'),
  joinedActivities: row<LaborActivities>('joined-activities', 'labor-club'),
  joinedClubs: row<readonly LaborClubEntry[]>('joined-clubs', 'labor-club'),
  clubActivities: row<LaborActivities>('club-activities', 'labor-club'),
  // A refusal is an answer of the campus, but not a value worth keeping.
  signItems: row<SignItems>('sign-items', 'labor-club', { fresh: NEVER, isWhole: ({ code }) => code === 0 }),
  activityDetail: row<ActivityDetail>('activity-detail', 'labor-club', { isWhole: ({ code }) => code === 0 }),
  clubPage: row<ClubDirectory>('club-page', 'labor-club'),
  allClubs: row<readonly DirectoryClub[]>('all-clubs', 'labor-club'),
  clubApplications: row<readonly ClubApplication[]>('club-applications', 'labor-club'),
  electricity: row<ElectricityReading>('electricity', 'electricity'),
} as const;

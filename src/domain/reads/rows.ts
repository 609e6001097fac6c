import { type TSchema, Type } from '@sinclair/typebox';
import type { TermFacts } from '../academics/current-term.ts';
import type { ExamFindings } from '../academics/exams.ts';
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
} from '../academics/news.ts';
import type { PlanChoice, PlanCompletion, TrainingPlan } from '../academics/plans.ts';
import type { AcademicSummary, CourseSelection, Schedule } from '../academics/ports.ts';
import {
  CurrentScore,
  ScoreComponent,
  ScorePage,
  ScoreRecord,
  StudentFile,
  Terms,
  WholeRecord,
} from '../academics/records.ts';
import { ActivityCategories, ActivityTotal } from '../activity-score/records.ts';
import { Balance, CardPurchases, CardState, CardTransactions } from '../card/records.ts';
import { CompetitionRecord } from '../competitions/records.ts';
import { electricityEvents } from '../electricity/news.ts';
import { ElectricityReading } from '../electricity/records.ts';
import type { CampusSystem } from '../errors.ts';
import type { EvaluationList } from '../evaluation/types.ts';
import { activityEvents } from '../labor-club/news.ts';
import {
  ActivityDetail,
  ClubApplication,
  ClubDirectory,
  DirectoryClub,
  JoinedClubs,
  LaborActivities,
  SignItems,
} from '../labor-club/records.ts';
import { type RecordOf, shapeOf } from '../record.ts';
import type { ReadRow } from './types.ts';

/** The campus computes and names these seldom. */
const SELDOM_SECONDS = 300;
/** Students change their class or campus once in years. */
const HOUR_SECONDS = 3600;
/** What is acted upon at once is always asked for, unless the caller says otherwise. */
const NEVER = 0;

/** The campus takes its time for these: a call that has run out leaves the reading to the next one. */
const cardPage = { fresh: SELDOM_SECONDS, outlivesCalls: true } as const;

const row = <V>(name: string, application: CampusSystem, more: Partial<ReadRow<V>> = {}): ReadRow<V> => ({
  name,
  application,
  shape: 1,
  fresh: 'usual',
  ...more,
});

/** A read whose value is a record: its shape follows from the record, and from `rule` where a parser has changed. */
const ofRecord = <T extends TSchema>(
  record: T,
  name: string,
  application: CampusSystem,
  { rule, ...more }: Partial<ReadRow<RecordOf<T>>> & { readonly rule?: number } = {},
): ReadRow<RecordOf<T>> => row(name, application, { shape: shapeOf(record, rule), ...more });

const scoreTypes = ['score.published', 'score.changed'] as const;

/**
 * Every read of a student. A changed member of a value is a new shape;
 * parameters are given with the call.
 */
export const readRows = {
  summary: row<AcademicSummary>('summary', 'academics', { shape: 3 }),
  terms: ofRecord(Terms, 'terms', 'academics'),
  scorePage: ofRecord(ScorePage, 'score-page', 'academics', {
    pages: { at: 1, isEmpty: ({ records }) => records.length === 0 },
    events: scorePageEvents,
  }),
  allScores: ofRecord(Type.Array(ScoreRecord), 'all-scores', 'academics', {
    events: termScoreEvents,
    // Where there is no list of this term's scores.
    ownReading: { tells: scoreTypes, first: true, of: 'term', shownBy: ['whole-record'] },
  }),
  wholeRecord: ofRecord(WholeRecord, 'whole-record', 'academics', { events: wholeRecordEvents }),
  studentFile: ofRecord(StudentFile, 'student-file', 'academics', { fresh: HOUR_SECONDS }),
  schedule: row<Schedule>('schedule', 'academics', {
    shape: 2,
    events: scheduleEvents,
    ownReading: { tells: ['schedule.changed'], of: 'term' },
  }),
  trainingPlan: row<TrainingPlan>('training-plan', 'academics', { fresh: SELDOM_SECONDS }),
  planChoice: row<PlanChoice>('plan-choice', 'academics', { fresh: SELDOM_SECONDS }),
  planCompletion: row<PlanCompletion>('plan-completion', 'academics', { shape: 2 }),
  currentScores: ofRecord(Type.Array(CurrentScore), 'current-scores', 'academics', {
    events: currentScoreEvents,
    ownReading: {
      tells: scoreTypes,
      first: true,
      shownBy: ['all-scores', 'whole-record'],
    },
  }),
  scoreComponents: ofRecord(Type.Array(ScoreComponent), 'score-components', 'academics', { events: componentEvents }),
  courseSelection: row<CourseSelection>('course-selection', 'academics', { fresh: NEVER }),
  currentTerm: row<TermFacts>('current-term', 'academics', {
    events: termEvents,
    ownReading: { tells: ['term.began'] },
  }),
  exams: row<ExamFindings>('exams', 'academics', {
    shape: 2,
    // Half a list is an answer on one surface; on the other one it is a failure, for which a stale copy may be served.
    isWhole: ({ missing }) => missing.length === 0,
    events: examEvents,
    ownReading: { tells: ['exam.scheduled', 'exam.moved', 'exam.cancelled'] },
  }),
  evaluationCourses: row<EvaluationList>('evaluation-courses', 'academics', {
    fresh: NEVER,
    events: evaluationEvents,
    ownReading: { tells: ['evaluation.due'] },
  }),
  activityTotal: ofRecord(ActivityTotal, 'activity-total', 'activity-score', { fresh: SELDOM_SECONDS }),
  activityCategories: ofRecord(ActivityCategories, 'activity-categories', 'activity-score'),
  competitions: ofRecord(CompetitionRecord, 'competitions', 'competitions'),
  finishedCount: ofRecord(Type.Integer(), 'finished-count', 'labor-club'),
  joinedActivities: ofRecord(LaborActivities, 'joined-activities', 'labor-club', {
    events: activityEvents,
    ownReading: { tells: ['activity.changed'] },
  }),
  joinedClubs: ofRecord(JoinedClubs, 'joined-clubs', 'labor-club'),
  clubActivities: ofRecord(LaborActivities, 'club-activities', 'labor-club', {
    pages: { at: 1, isEmpty: ({ data }) => data.length === 0 },
  }),
  // A refusal is an answer of the campus, but not a value worth keeping.
  signItems: ofRecord(SignItems, 'sign-items', 'labor-club', { fresh: NEVER, isWhole: ({ code }) => code === 0 }),
  activityDetail: ofRecord(ActivityDetail, 'activity-detail', 'labor-club', { isWhole: ({ code }) => code === 0 }),
  clubPage: ofRecord(ClubDirectory, 'club-page', 'labor-club', {
    pages: { at: 0, isEmpty: ({ data }) => data.length === 0 },
  }),
  allClubs: ofRecord(Type.Array(DirectoryClub), 'all-clubs', 'labor-club'),
  clubApplications: ofRecord(Type.Array(ClubApplication), 'club-applications', 'labor-club'),
  cardBalance: ofRecord(Balance, 'card-balance', 'card', cardPage),
  cardState: ofRecord(CardState, 'card-state', 'card', cardPage),
  cardTransactions: ofRecord(CardTransactions, 'card-transactions', 'card', cardPage),
  cardPurchases: ofRecord(CardPurchases, 'card-purchases', 'card', cardPage),
  electricity: ofRecord(ElectricityReading, 'electricity', 'electricity', {
    events: electricityEvents,
    usesThresholds: true,
    ownReading: { tells: ['electricity.low'], of: 'room' },
  }),
} as const;

export const rowsByName: ReadonlyMap<string, ReadRow<never>> = new Map(
  Object.values(readRows).map((row) => [row.name, row]),
);

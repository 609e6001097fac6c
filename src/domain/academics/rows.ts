import { Type } from '@sinclair/typebox';
import type { EvaluationList } from '../evaluation/types.ts';
import { HOUR_SECONDS, NEVER, ofRecord, row, SELDOM_SECONDS } from '../read-row.ts';
import type { TermFacts } from './current-term.ts';
import type { ExamFindings } from './exams.ts';
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
import type { PlanChoice, PlanCompletion, TrainingPlan } from './plans.ts';
import type { AcademicSummary, CourseSelection, Schedule } from './ports.ts';
import { CurrentScore, ScoreComponent, ScorePage, ScoreRecord, StudentFile, Terms, WholeRecord } from './records.ts';
import { asItWas, formerCurrentScores, formerScorePage, formerScores, formerTerms } from './version-1-shapes.ts';

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

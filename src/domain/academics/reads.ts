import { Type } from '@sinclair/typebox';
import type { CallContext, Student } from '../context.ts';
import type { EvaluationList } from '../evaluation/types.ts';
import {
  type FormerValue,
  HOUR_SECONDS,
  type MethodsOf,
  NEVER,
  ofRecord,
  rename,
  row,
  SELDOM_SECONDS,
} from '../read-row.ts';
import { methodsOf, type PortOf, withParams } from '../reads/plain-reads.ts';
import { derivedTermCode, type StatedCalendarText, type StatedTermStart, type TermFacts } from './current-term.ts';
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
  Term,
  Terms,
  WholeRecord,
} from './records.ts';

// Values as 1.0 has stored them, until no copy can be that old any more.

const scoredCourse = {
  term_id: 'termCode',
  course_code: 'courseCode',
  course_class: 'courseClass',
  course_name_cn: 'courseName',
  course_name_en: 'courseNameEnglish',
  credits: 'credits',
  hours: 'hours',
  course_type: 'courseType',
  exam_type: 'examType',
  score: 'score',
} as const;

type FormerTermFacts = Omit<TermFacts, 'code' | 'stated'>;

const formerTerm = rename(Term, { term_code: 'code', term_name: 'name', is_current: 'isCurrent' });
const formerScore = rename(ScoreRecord, {
  ...scoredCourse,
  sequence: 'sequence',
  retake_score: 'retakeScore',
  makeup_score: 'makeupScore',
});
const formerCurrentScore = rename(CurrentScore, {
  ...scoredCourse,
  exam_time: 'examTime',
  grade_point: 'gradePoint',
  class_average: 'classAverage',
  class_highest: 'classHighest',
  class_lowest: 'classLowest',
  class_rank: 'classRank',
});
const formerPage = rename(ScorePage, {
  page_size: 'pageSize',
  page_num: 'page',
  total_count: 'totalCount',
  records: 'records',
});

const formerScores = (scores: readonly FormerValue[]): readonly ScoreRecord[] => scores.map(formerScore);
const formerScorePage = (page: FormerValue & { readonly records: readonly FormerValue[] }): ScorePage => ({
  ...formerPage(page),
  records: formerScores(page.records),
});

/** Converts a copy whose shape has only gained optional members since. */
const asItWas = <V>(value: V): V => value;

/** Reads that pass on what the campus answers. */
export const plainAcademicReads = {
  summary: row<AcademicSummary>('summary', 'academics', {
    shape: 3,
    earlierShapes: { 2: asItWas },
    goes: 'last',
  }),
  /** In upstream order. The list is never empty, and exactly one term is current. */
  terms: ofRecord(Terms, 'terms', 'academics', {
    earlierShapes: { 1: (terms: readonly FormerValue[]) => terms.map(formerTerm) },
    goes: 'last',
  }),
  /** All pages of 50, one after the other; the segment page is read once. */
  allScores: withParams(
    ofRecord(Type.Array(ScoreRecord), 'all-scores', 'academics', {
      earlierShapes: { 1: formerScores },
      events: termScoreEvents,
      goes: 'last',
      termAt: 0,
      // Read daily for campuses that have no list of this term's scores.
      daily: true,
    }),
    (termCode: string) => [termCode],
  ),
  /** Reads the page of all scores, or the score lists without one. Over 2,000 rows are `upstream-unreadable`. */
  wholeRecord: ofRecord(WholeRecord, 'whole-record', 'academics', { events: wholeRecordEvents }),
  /** The page of another student is `upstream-unreadable`. */
  studentFile: ofRecord(StudentFile, 'student-file', 'academics', { fresh: HOUR_SECONDS }),
  /** The first plan of the student. */
  trainingPlan: row<TrainingPlan>('training-plan', 'academics', { fresh: SELDOM_SECONDS }),
  /** Covers this term only: the campus shows no components of earlier ones. */
  currentScores: ofRecord(Type.Array(CurrentScore), 'current-scores', 'academics', {
    earlierShapes: { 1: (scores: readonly FormerValue[]) => scores.map(formerCurrentScore) },
    events: currentScoreEvents,
    goes: 'last',
    daily: true,
  }),
  courseSelection: row<CourseSelection>('course-selection', 'academics', { fresh: NEVER }),
} as const;

/** The reads of academic affairs. A changed member of a value is a new shape. */
export const academicReads = {
  ...plainAcademicReads,
  scorePage: ofRecord(ScorePage, 'score-page', 'academics', {
    earlierShapes: { 1: formerScorePage },
    pages: { at: 1, isEmpty: ({ records }) => records.length === 0 },
    goes: 'last',
    termAt: 0,
    events: scorePageEvents,
  }),
  schedule: row<Schedule>('schedule', 'academics', {
    shape: 2,
    earlierShapes: { 1: asItWas },
    events: scheduleEvents,
    goes: 'last',
    termAt: 0,
    daily: true,
  }),
  planChoice: row<PlanChoice>('plan-choice', 'academics', { fresh: SELDOM_SECONDS }),
  planCompletion: row<PlanCompletion>('plan-completion', 'academics', { shape: 2 }),
  scoreComponents: ofRecord(Type.Array(ScoreComponent), 'score-components', 'academics', {
    events: componentEvents,
    goes: 'first',
  }),
  currentTerm: row<TermFacts>('current-term', 'academics', {
    shape: 2,
    earlierShapes: { 1: (facts: FormerTermFacts) => ({ ...facts, code: derivedTermCode(facts.text), stated: [] }) },
    events: termEvents,
    goes: 'last',
  }),
  exams: row<ExamFindings>('exams', 'academics', {
    shape: 2,
    earlierShapes: { 1: asItWas },
    // Half a list is an answer on one surface; on the other one it is a failure, for which a stale copy may be served.
    isComplete: ({ missing }) => missing.length === 0,
    events: examEvents,
    goes: 'last',
    daily: true,
  }),
  evaluationCourses: row<EvaluationList>('evaluation-courses', 'academics', {
    fresh: NEVER,
    events: evaluationEvents,
  }),
} as const;

/**
 * Implemented by campus/products/urp. Failures: sign-in kinds, `upstream-unavailable`, `upstream-unreadable`, `session-lost`,
 * `timed-out`. `summary` and `trainingPlan` also fail with `upstream-empty`; scores, plans, schedule and `evaluationCourses`
 * also fail with `upstream-refused` {upstreamMessage}.
 */
export interface AcademicsCampus extends PortOf<typeof plainAcademicReads> {
  scorePage(student: Student, query: ScoreQuery, context: CallContext): Promise<ScorePage>;
  /** Asks for the section times only without `knownSections`. A failure names its `part`: `courses` or `sections`. */
  schedule(
    student: Student,
    termCode: string,
    knownSections: SectionTimes | null,
    context: CallContext,
  ): Promise<{ table: CourseTable; sections: SectionTimes }>;
  /** A page with neither a readable tree nor a choice fails with the `part` `plan-tree`, here and below. */
  planEntry(student: Student, context: CallContext): Promise<PlanEntry>;
  /** `option` is one that the student's own page offers: no other may be asked for. */
  chosenPlan(student: Student, option: PlanOption, context: CallContext): Promise<PlanCompletion>;
  /** Empty for an unpublished score and for a key that is not the student's: the campus tells no difference. */
  scoreComponents(student: Student, key: CurrentScoreKey, context: CallContext): Promise<readonly ScoreComponent[]>;
  calendarText(student: Student, context: CallContext): Promise<StatedCalendarText>;
  termStart(student: Student, context: CallContext): Promise<StatedTermStart>;
  /** The failure of a source is part of the answer; one of the call as a whole is thrown. */
  exams(student: Student, query: ExamQuery, context: CallContext): Promise<ExamSources>;
  /** All courses, evaluated ones included; empty while the season is over. */
  evaluationCourses(student: Student, context: CallContext): Promise<EvaluationList>;
}

export const academicsMethods: MethodsOf<AcademicsCampus> = {
  ...methodsOf(plainAcademicReads),
  scorePage: true,
  schedule: true,
  planEntry: true,
  chosenPlan: true,
  scoreComponents: true,
  calendarText: true,
  termStart: true,
  exams: true,
  evaluationCourses: true,
};

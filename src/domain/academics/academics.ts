import type { Clock } from '../../lib/clock.ts';
import { sha256 } from '../../lib/hash.ts';
import type { CallContext, Student } from '../context.ts';
import { Failure, isFailure } from '../errors.ts';
import type { EvaluationCourse } from '../evaluation/types.ts';
import type { Reads } from '../reads/reads.ts';
import { readRows } from '../reads/rows.ts';
import type { CurrentScore, CurrentScoreKey, ScoreComponent } from './current-scores.ts';
import type { CurrentTerm } from './current-term.ts';
import { type ExamFindings, examWindow, mergeExams } from './exams.ts';
import type { PlanChoice } from './plan-choice.ts';
import type { PlanCompletion } from './plan-completion.ts';
import type { PlanEstimate } from './plan-estimate.ts';
import { type PlanOverview, TrainingPlans } from './plan-overview.ts';
import { PlanReads } from './plan-reads.ts';
import type { AcademicsCampus } from './ports.ts';
import { TermCalendar } from './term-calendar.ts';
import type { TrainingPlan } from './training-plan.ts';
import type {
  AcademicSummary,
  CourseSelection,
  Schedule,
  ScorePage,
  ScoreQuery,
  ScoreRecord,
  SectionTimes,
  Term,
} from './types.ts';

/** Academic reads for both surfaces. Failures: those of `AcademicsCampus`. */
export interface Academics {
  summary(student: Student, context: CallContext): Promise<AcademicSummary>;
  /** In upstream order; never empty; exactly one is current. */
  terms(student: Student, context: CallContext): Promise<readonly Term[]>;
  scorePage(student: Student, query: ScoreQuery, context: CallContext): Promise<ScorePage>;
  allScores(student: Student, termCode: string, context: CallContext): Promise<readonly ScoreRecord[]>;
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
   * term that is not known (`upstream-unreadable`). `whole`: so is one source alone.
   */
  exams(student: Student, context: CallContext, wanted?: 'found' | 'whole'): Promise<ExamFindings>;
  /** Courses that can be or have been evaluated; empty while the season is over. */
  evaluationCourses(student: Student, context: CallContext): Promise<readonly EvaluationCourse[]>;
}

const dayMs = 24 * 60 * 60 * 1000;

/** The section times are the same for every student and change with the term at most: one value, kept for a day. */
class SectionCache {
  readonly #clock: Clock;
  #kept: { readonly sections: SectionTimes; readonly at: number } | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get(): SectionTimes | null {
    if (this.#kept === null) return null;
    const age = this.#clock.now() - this.#kept.at;
    // A negative age is a clock that was set back: no ground to keep the value for longer than a day.
    return age >= 0 && age < dayMs ? this.#kept.sections : null;
  }

  /** An empty timetable is answered but not kept, or one odd moment of the campus would last everybody a day. */
  keep(sections: SectionTimes): void {
    if (sections.slots.length > 0) this.#kept = { sections, at: this.#clock.now() };
  }
}

const termUnknown = (cause?: unknown): Failure =>
  new Failure('upstream-unreadable', { system: 'academics', part: 'term', reason: 'current term unknown', cause });

export interface AcademicsOptions {
  readonly campus: AcademicsCampus;
  readonly reads: Reads;
  readonly clock: Clock;
  /** Of the campus: decides what day today is. */
  readonly timeZone: string;
}

export const createAcademics = ({ campus, reads, clock, timeZone }: AcademicsOptions): Academics => {
  const cache = new SectionCache(clock);
  const plans = new TrainingPlans({ campus, reads });
  const scores: Pick<Academics, 'terms' | 'allScores'> = {
    terms: (student, context) =>
      reads.read(student, context, { row: readRows.terms, ask: (inner) => campus.terms(student, inner) }),
    allScores: (student, termCode, context) =>
      reads.read(student, context, {
        row: readRows.allScores,
        params: [termCode],
        ask: (inner) => campus.allScores(student, termCode, inner),
      }),
  };
  const completions = new PlanReads({ campus, reads, scores });
  const calendar = new TermCalendar({ campus, reads, clock, timeZone });

  const currentTermCode = async (student: Student, context: CallContext): Promise<string> => {
    try {
      const { currentTerm } = await campus.summary(student, context);
      if (currentTerm !== '') return currentTerm;
    } catch (error) {
      if (isFailure(error, 'upstream-empty')) throw termUnknown(error);
      throw error;
    }
    throw termUnknown();
  };

  const findExams = async (student: Student, context: CallContext): Promise<ExamFindings> => {
    const termCode = await currentTermCode(student, context);
    const window = examWindow(termCode, calendar.today());
    const findings = mergeExams(await campus.exams(student, { termCode, window, now: clock.now() }, context));
    for (const { part, failure } of findings.missing) {
      context.log.warn({ system: 'academics', part, failure: failure.kind, reason: failure.reason }, 'source missing');
    }
    return findings;
  };

  return {
    summary: (student, context) => plans.summary(student, context),
    ...scores,
    scorePage: (student, query, context) => {
      const { termCode, courseCode, courseName, page, pageSize } = query;
      return reads.read(student, context, {
        row: readRows.scorePage,
        params: [termCode, String(page), String(pageSize), courseCode, courseName],
        unkept: courseCode !== '' || courseName !== '',
        ask: (inner) => campus.scorePage(student, query, inner),
      });
    },
    schedule: (student, termCode, context) =>
      reads.read(student, context, {
        row: readRows.schedule,
        params: [termCode],
        async ask(inner) {
          const known = cache.get();
          // The courses are asked for every time, so kept section times never stand in for a session that is gone.
          const { table, sections } = await campus.schedule(student, termCode, known, inner);
          if (known === null) cache.keep(sections);
          return { ...table, sections };
        },
      }),
    currentScores: (student, context) =>
      reads.read(student, context, {
        row: readRows.currentScores,
        ask: (inner) => campus.currentScores(student, inner),
      }),
    scoreComponents: (student, key, context) => {
      const { termCode, courseCode, courseClass, examTime } = key;
      return reads.read(student, context, {
        row: readRows.scoreComponents,
        // Parameters are stored as they are, and these name a course of the student.
        params: [sha256(JSON.stringify([student.userid, termCode, courseCode, courseClass, examTime]))],
        ask: (inner) => campus.scoreComponents(student, key, inner),
      });
    },
    trainingPlan: (student, context) => plans.plan(student, context),
    planOverview: (student, context) => plans.overview(student, context),
    planChoice: (student, context) => completions.choice(student, context),
    planCompletion: (student, planId, context) => completions.completion(student, planId, context),
    planEstimate: (student, completion, context) => completions.estimate(student, completion, context),
    courseSelection: (student, context) =>
      reads.read(student, context, {
        row: readRows.courseSelection,
        ask: (inner) => campus.courseSelection(student, inner),
      }),
    currentTerm: (student, context) => calendar.current(student, context),
    exams: (student, context, wanted = 'found') =>
      reads.read(student, context, {
        row: readRows.exams,
        ...(wanted === 'whole' ? { failureOf: ({ missing }: ExamFindings) => missing[0]?.failure ?? null } : {}),
        ask: (inner) => findExams(student, inner),
      }),
    async evaluationCourses(student, context) {
      const { courses } = await reads.read(student, context, {
        row: readRows.evaluationCourses,
        ask: (inner) => campus.evaluationCourses(student, inner),
      });
      return courses;
    },
  };
};

import { LRUCache } from 'lru-cache';
import { sha256 } from '../../lib/hash.ts';
import { boundedFor } from '../../lib/text.ts';
import { type Clock, campusDate } from '../../lib/time.ts';
import type { CallContext, Student } from '../context.ts';
import { Failure, isFailure } from '../errors.ts';
import { listedIn, plainReads } from '../reads/plain.ts';
import type { Reads } from '../reads/reads.ts';
import { type CurrentTerm, currentTermOf, derivedTermCode, type TermStart, termCodeOf } from './current-term.ts';
import { type ExamFindings, examWindow, mergeExams } from './exams.ts';
import { createPlanReads } from './plan-reads.ts';
import type { TrainingPlan } from './plans.ts';
import type {
  AcademicSummary,
  AcademicsCampus,
  CurrentScoreKey,
  PlanOverview,
  ScoreQuery,
  SectionTimes,
} from './ports.ts';
import { academicReads } from './rows.ts';

/** Training plans and summaries, and both together. */
export const createTrainingPlans = (campus: Pick<AcademicsCampus, 'trainingPlan' | 'summary'>, reads: Reads) => {
  const planOf = (student: Student, context: CallContext, whenAsked = () => {}): Promise<TrainingPlan> =>
    reads.read(student, context, {
      row: academicReads.trainingPlan,
      ask: (inner) => {
        whenAsked();
        return campus.trainingPlan(student, inner);
      },
    });
  const summaryOf = plainReads(reads)(academicReads.summary, campus.summary);

  return {
    trainingPlan: (student: Student, context: CallContext) => planOf(student, context),
    summary: summaryOf,
    /** The plan decides; a summary that cannot be had is left empty. What ends the call as a whole is thrown. */
    async planOverview(student: Student, context: CallContext): Promise<PlanOverview> {
      let live = false;
      const whenAsked = (): void => {
        live = true;
      };
      const [plan, summary] = await Promise.allSettled([
        planOf(student, context, whenAsked),
        summaryOf(student, context),
      ]);
      if (plan.status === 'rejected') throw plan.reason;
      if (summary.status === 'fulfilled') return { plan: plan.value, summary: summary.value };
      const ofOneAnswer =
        isFailure(
          summary.reason,
          'upstream-unavailable',
          'upstream-unreadable',
          'upstream-refused',
          'upstream-empty',
          'timed-out',
          'not-offered',
        ) ||
        // The plan has just verified the session: then the loss is one of the summary page alone.
        (live && isFailure(summary.reason, 'session-lost'));
      if (!ofOneAnswer || context.signal.aborted) throw summary.reason;
      context.log.warn({ system: 'academics', page: 'summary', failure: summary.reason.kind }, 'plan without summary');
      return { plan: plan.value, summary: null };
    },
  };
};

const dayMs = 24 * 60 * 60 * 1000;

interface AcademicsOptions {
  readonly campus: AcademicsCampus;
  readonly reads: Reads;
  readonly clock: Clock;
  /** Of the campus: decides what day today is. */
  readonly timeZone: string;
}

type CalendarOptions = Omit<AcademicsOptions, 'campus'> & {
  readonly campus: Pick<AcademicsCampus, 'calendarText' | 'termStart'>;
};

/** One term goes on at a time; a few more around its end and in the answers of an odd day. */
const mostKept = 8;

/** The current term. Its first day is the same for all students and kept for a day, by the term that the text names. */
export const createTermCalendar = ({ campus, reads, clock, timeZone }: CalendarOptions) => {
  const starts = new LRUCache<string, TermStart>(boundedFor(mostKept, dayMs, clock));
  const today = (): string => campusDate(clock.now(), timeZone);

  return {
    /** `YYYY-MM-DD` at the campus. */
    today,
    async current(student: Student, context: CallContext): Promise<CurrentTerm> {
      const { text, start, readOn } = await reads.read(student, context, {
        row: academicReads.currentTerm,
        ask: async (inner) => {
          // The text is asked for every time, and first: it names the term whose first day may be known already, and a
          // first day that is known never hides that a session is gone.
          const read = await campus.calendarText(student, inner);
          const term = `${read.academicYear} ${read.season}`;
          const cachedStart = starts.get(term);
          const first = cachedStart ?? (await campus.termStart(student, inner));
          if (cachedStart === undefined) starts.set(term, first);
          return { text: read, start: first, readOn: today() };
        },
      });
      const now = today();
      // The week that the text states is the week of the day on which it was read; for another day it is counted.
      return currentTermOf(readOn === now ? text : { ...text, week: null }, start, now);
    },
  };
};

const termUnknown = (cause?: unknown): Failure =>
  new Failure('upstream-unreadable', { system: 'academics', part: 'term', reason: 'current term unknown', cause });

/** Academic reads for both surfaces. Failures: those of `AcademicsCampus`. */
export const createAcademics = ({ campus, reads, clock, timeZone }: AcademicsOptions) => {
  /** The section times are the same for every student and change with the term at most: one value. */
  const sectionTimes = new LRUCache<string, SectionTimes>(boundedFor(1, dayMs, clock));
  const plain = plainReads(reads);
  const scores = {
    terms: plain(academicReads.terms, campus.terms),
    allScores: plain(academicReads.allScores, campus.allScores),
  };
  const evaluationList = plain(academicReads.evaluationCourses, campus.evaluationCourses);
  const calendar = createTermCalendar({ campus, reads, clock, timeZone });

  const currentTermCode = async (summaryOf: () => Promise<AcademicSummary>): Promise<string> => {
    try {
      const { currentTerm } = await summaryOf();
      if (currentTerm !== '') return currentTerm;
    } catch (error) {
      if (isFailure(error, 'upstream-empty')) throw termUnknown(error);
      throw error;
    }
    throw termUnknown();
  };

  const findExams = async (
    student: Student,
    context: CallContext,
    summaryOf: (context: CallContext) => Promise<AcademicSummary>,
  ): Promise<ExamFindings> => {
    const termCode = await currentTermCode(() => summaryOf(context));
    const window = examWindow(termCode, calendar.today());
    const findings = mergeExams(await campus.exams(student, { termCode, window, now: clock.now() }, context));
    for (const { part, failure } of findings.missing) {
      context.log.warn({ system: 'academics', part, failure: failure.kind, reason: failure.reason }, 'source missing');
    }
    return findings;
  };

  return {
    ...createTrainingPlans(campus, reads),
    ...createPlanReads({ campus, reads, scores }),
    ...scores,
    /** Whether the campus lists the term; true where the list cannot be had. Asked where a term turned out empty. */
    knowsTerm: (student: Student, termCode: string, context: CallContext) =>
      listedIn(
        () => reads.lastCopy(student.userid, academicReads.terms),
        () => scores.terms(student, context),
        (terms) => terms.some(({ term_code }) => term_code === termCode),
      ),
    scorePage: (student: Student, query: ScoreQuery, context: CallContext) => {
      const { termCode, courseCode, courseName, page, pageSize } = query;
      return reads.read(student, context, {
        row: academicReads.scorePage,
        params: [termCode, String(page), String(pageSize), courseCode, courseName],
        unkept: courseCode !== '' || courseName !== '',
        ask: (inner) => campus.scorePage(student, query, inner),
      });
    },
    schedule: (student: Student, termCode: string, context: CallContext) =>
      reads.read(student, context, {
        row: academicReads.schedule,
        params: [termCode],
        async ask(inner) {
          const cachedTimes = sectionTimes.get('') ?? null;
          // The courses are asked for every time, so kept section times never hide that a session is gone.
          const { table, sections } = await campus.schedule(student, termCode, cachedTimes, inner);
          // An empty timetable is answered but not kept, or one odd moment of the campus would last a day for all.
          if (cachedTimes === null && sections.slots.length > 0) sectionTimes.set('', sections);
          return { ...table, sections };
        },
      }),
    currentScores: plain(academicReads.currentScores, campus.currentScores),
    scoreComponents: (student: Student, key: CurrentScoreKey, context: CallContext) => {
      const { termCode, courseCode, courseClass, examTime } = key;
      return reads.read(student, context, {
        row: academicReads.scoreComponents,
        // Parameters are stored as they are, and these name a course of the student.
        params: [sha256(JSON.stringify([student.userid, termCode, courseCode, courseClass, examTime]))],
        about: { term_code: termCode, course_code: courseCode, course_class: courseClass },
        ask: (inner) => campus.scoreComponents(student, key, inner),
      });
    },
    wholeRecord: plain(academicReads.wholeRecord, campus.wholeRecord),
    studentFile: plain(academicReads.studentFile, campus.studentFile),
    courseSelection: plain(academicReads.courseSelection, campus.courseSelection),
    currentTerm: calendar.current,
    /**
     * Code of that term. The list of terms is read where the calendar of the campus names no autumn or spring.
     * @throws Failure `upstream-unreadable` where it is not known: a term without a code must not look like one without
     *   classes
     */
    async codeOfCurrentTerm(student: Student, term: CurrentTerm, context: CallContext): Promise<string> {
      const code = derivedTermCode(term) ?? termCodeOf(term, await scores.terms(student, context));
      if (code === null) throw termUnknown();
      return code;
    },
    /**
     * Exams of the current term. A source that failed is named in the findings; both failed is a failure, and so is a
     * term that is not known (`upstream-unreadable`). `whole`: so is one source alone. `summaryOf`: where the caller has
     * the summary of now, which names the term.
     */
    exams: (
      student: Student,
      context: CallContext,
      wanted: 'found' | 'whole' = 'found',
      summaryOf = (inner: CallContext) => campus.summary(student, inner),
    ) =>
      reads.read(student, context, {
        row: academicReads.exams,
        failureOf: wanted === 'whole' ? ({ missing }) => missing[0]?.failure ?? null : undefined,
        ask: (inner) => findExams(student, inner, summaryOf),
      }),
    evaluationCourses: async (student: Student, context: CallContext) =>
      (await evaluationList(student, context)).courses,
  };
};

export type Academics = ReturnType<typeof createAcademics>;

import { LRUCache } from 'lru-cache';
import { boundedFor } from '../../lib/bounded.ts';
import type { Clock } from '../../lib/clock.ts';
import { sha256 } from '../../lib/hash.ts';
import type { CallContext, Student } from '../context.ts';
import { Failure, isFailure } from '../errors.ts';
import { listedIn, plainReads } from '../reads/plain.ts';
import type { Reads } from '../reads/reads.ts';
import { readRows } from '../reads/rows.ts';
import type { Academics } from './academics.ts';
import { type ExamFindings, examWindow, mergeExams } from './exams.ts';
import { createTrainingPlans } from './plan-overview.ts';
import { createPlanReads } from './plan-reads.ts';
import type { AcademicsCampus } from './ports.ts';
import { createTermCalendar } from './term-calendar.ts';
import type { AcademicSummary, SectionTimes } from './types.ts';

const dayMs = 24 * 60 * 60 * 1000;

const termUnknown = (cause?: unknown): Failure =>
  new Failure('upstream-unreadable', { system: 'academics', part: 'term', reason: 'current term unknown', cause });

interface AcademicsOptions {
  readonly campus: AcademicsCampus;
  readonly reads: Reads;
  readonly clock: Clock;
  /** Of the campus: decides what day today is. */
  readonly timeZone: string;
}

export const createAcademics = ({ campus, reads, clock, timeZone }: AcademicsOptions): Academics => {
  /** The section times are the same for every student and change with the term at most: one value. */
  const sectionTimes = new LRUCache<string, SectionTimes>(boundedFor(1, dayMs, clock));
  const plain = plainReads(reads);
  const scores: Pick<Academics, 'terms' | 'allScores'> = {
    terms: plain(readRows.terms, campus.terms),
    allScores: plain(readRows.allScores, campus.allScores),
  };
  const evaluationList = plain(readRows.evaluationCourses, campus.evaluationCourses);
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
    ...createTrainingPlans({ campus, reads }),
    ...createPlanReads({ campus, reads, scores }),
    ...scores,
    knowsTerm: (student, termCode, context) =>
      listedIn(
        () => reads.lastCopy(student.userid, readRows.terms),
        () => scores.terms(student, context),
        (terms) => terms.some(({ term_code }) => term_code === termCode),
      ),
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
          const known = sectionTimes.get('') ?? null;
          // The courses are asked for every time, so kept section times never stand in for a session that is gone.
          const { table, sections } = await campus.schedule(student, termCode, known, inner);
          // An empty timetable is answered but not kept, or one odd moment of the campus would last everybody a day.
          if (known === null && sections.slots.length > 0) sectionTimes.set('', sections);
          return { ...table, sections };
        },
      }),
    currentScores: plain(readRows.currentScores, campus.currentScores),
    scoreComponents: (student, key, context) => {
      const { termCode, courseCode, courseClass, examTime } = key;
      return reads.read(student, context, {
        row: readRows.scoreComponents,
        // Parameters are stored as they are, and these name a course of the student.
        params: [sha256(JSON.stringify([student.userid, termCode, courseCode, courseClass, examTime]))],
        about: { term_code: termCode, course_code: courseCode, course_class: courseClass },
        ask: (inner) => campus.scoreComponents(student, key, inner),
      });
    },
    wholeRecord: plain(readRows.wholeRecord, campus.wholeRecord),
    studentFile: plain(readRows.studentFile, campus.studentFile),
    courseSelection: plain(readRows.courseSelection, campus.courseSelection),
    currentTerm: calendar.current,
    exams: (student, context, wanted = 'found', summaryOf = (inner) => campus.summary(student, inner)) =>
      reads.read(student, context, {
        row: readRows.exams,
        failureOf: wanted === 'whole' ? ({ missing }) => missing[0]?.failure ?? null : undefined,
        ask: (inner) => findExams(student, inner, summaryOf),
      }),
    evaluationCourses: async (student, context) => (await evaluationList(student, context)).courses,
  };
};

import { LRUCache } from 'lru-cache';
import { sha256 } from '../../lib/hash.ts';
import { boundSizeAndAge } from '../../lib/text.ts';
import { type Clock, campusDate, DAY_MS } from '../../lib/time.ts';
import { type CallContext, derivedCall, noDirectives, type Student } from '../context.ts';
import { isFailure } from '../errors.ts';
import type { EvaluationCourse } from '../evaluation/task.ts';
import { NotedReads } from '../reads/call-reads.ts';
import { isListedIn } from '../reads/listed-in.ts';
import type { Reads } from '../reads/reads.ts';
import {
  type CalendarText,
  type CurrentTerm,
  currentTermOf,
  derivedTermCode,
  findTermCode,
  namedTermOf,
  requireTermCode,
  startAtCampus,
  type TermFacts,
  type TermStart,
  termUnknown,
} from './current-term.ts';
import { type ExamFindings, examWindow, mergeExams } from './exams.ts';
import { PlanReads } from './plan-reads.ts';
import type { AcademicSummary, CurrentScoreKey, ExamTerm, ScoreQuery, SectionTimes } from './ports.ts';
import { type AcademicsCampus, academicReads } from './reads.ts';
import { type StatedWeek, withStated } from './term-weeks.ts';

interface AcademicsDeps {
  readonly campus: AcademicsCampus;
  readonly reads: Reads;
  readonly clock: Clock;
  /** The campus's time zone, which decides what day today is. */
  readonly timeZone: string;
}

/** One term is current at a time; around its end the pages of two students may name two. */
const mostTermStarts = 8;

/** All academic reads for both surfaces. Failures: those of `AcademicsCampus`. */
export class AcademicService extends PlanReads {
  readonly #deps: AcademicsDeps;
  /** The same for every student, as is the start of a term. */
  readonly #sectionTimes: LRUCache<string, SectionTimes>;
  /** Keyed by the term that the calendar text names. */
  readonly #termStarts: LRUCache<string, TermStart>;

  constructor(deps: AcademicsDeps) {
    const { campus, reads, clock } = deps;
    super(campus, reads);
    this.#deps = deps;
    this.#sectionTimes = new LRUCache<string, SectionTimes>(boundSizeAndAge(1, DAY_MS, clock));
    this.#termStarts = new LRUCache<string, TermStart>(boundSizeAndAge(mostTermStarts, DAY_MS, clock));
  }

  /** Whether the campus lists a term that turned out empty; true if the list cannot be read. */
  knowsTerm(student: Student, termCode: string, context: CallContext): Promise<boolean> {
    return isListedIn(
      () => this.#deps.reads.lastCopy(student.userid, academicReads.terms),
      () => this.plain.terms(student, context),
      (terms) => terms.some(({ term_code }) => term_code === termCode),
    );
  }

  scorePage(student: Student, query: ScoreQuery, context: CallContext) {
    const { termCode, courseCode, courseName, page, pageSize } = query;
    return this.#deps.reads.read(student, context, {
      row: academicReads.scorePage,
      params: [termCode, String(page), String(pageSize), courseCode, courseName],
      isFreeText: courseCode !== '' || courseName !== '',
      ask: (inner) => this.#deps.campus.scorePage(student, query, inner),
    });
  }

  schedule(student: Student, termCode: string, context: CallContext) {
    return this.#deps.reads.read(student, context, {
      row: academicReads.schedule,
      params: [termCode],
      ask: async (inner) => {
        const cachedTimes = this.#sectionTimes.get('') ?? null;
        // Requests the courses every time, so that cached section times never hide a lost session.
        const { table, sections } = await this.#deps.campus.schedule(student, termCode, cachedTimes, inner);
        // Empty section times are not cached: one odd moment of the campus would last a day for all.
        if (cachedTimes === null && sections.slots.length > 0) this.#sectionTimes.set('', sections);
        return { ...table, sections };
      },
    });
  }

  scoreComponents(student: Student, key: CurrentScoreKey, context: CallContext) {
    const { termCode, courseCode, courseClass, examTime } = key;
    return this.#deps.reads.read(student, context, {
      row: academicReads.scoreComponents,
      // Parameters are stored as they are, and these name a course of the student.
      params: [sha256(JSON.stringify([student.userid, termCode, courseCode, courseClass, examTime]))],
      about: { term_code: termCode, course_code: courseCode, course_class: courseClass },
      ask: (inner) => this.#deps.campus.scoreComponents(student, key, inner),
    });
  }

  async currentTerm(student: Student, context: CallContext): Promise<CurrentTerm> {
    const { campus, reads } = this.#deps;
    const facts = await reads.read(student, context, {
      row: academicReads.currentTerm,
      ask: async (inner) => {
        const began = this.#today();
        // The text is asked for every time, and first: it names the term whose first day may be known already, and a
        // cached first day never hides that a session is gone.
        const { code: stated, ...said } = await campus.calendarText(student, inner);
        const { text, code } =
          stated === undefined ? await this.#termSaid(student, said, inner) : { text: said, code: stated };
        const term = `${text.academicYear} ${text.season}`;
        const start =
          this.#termStarts.get(term) ?? startAtCampus(await campus.termStart(student, inner), this.#deps.timeZone);
        if (!this.#termStarts.has(term)) this.#termStarts.set(term, start);
        const readOn = this.#today();
        // There is no telling which of two days a week is meant for.
        const dated = began === readOn ? text : { ...text, week: null };
        return {
          text: dated,
          code,
          start,
          stated: await this.#statedWeeks(student, { text: dated, code, readOn }),
          readOn,
        };
      },
    });
    return currentTermOf(facts, this.#today());
  }

  /** @throws Failure `upstream-unreadable` where it is unknown: such a term must not look like one without classes */
  async codeOfCurrentTerm(student: Student, context: CallContext): Promise<string> {
    return requireTermCode(await this.currentTerm(student, context));
  }

  /**
   * Exams of the current term. The findings name a source that failed; with `whole` it is a failure, as are both and an
   * unknown term (`upstream-unreadable`). `summaryOf`: for a caller that reads the summary, which names the term.
   */
  exams(
    student: Student,
    context: CallContext,
    wanted: 'found' | 'whole' = 'found',
    summaryOf = (inner: CallContext) => this.#deps.campus.summary(student, inner),
  ): Promise<ExamFindings> {
    return this.#deps.reads.read(student, context, {
      row: academicReads.exams,
      failureOf: wanted === 'whole' ? ({ missing }) => missing[0]?.failure ?? null : undefined,
      ask: (inner) => this.#findExams(student, inner, () => summaryOf(inner)),
    });
  }

  async evaluationCourses(student: Student, context: CallContext): Promise<readonly EvaluationCourse[]> {
    const { campus, reads } = this.#deps;
    const row = academicReads.evaluationCourses;
    const list = await reads.read(student, context, { row, ask: (inner) => campus.evaluationCourses(student, inner) });
    return list.courses;
  }

  /**
   * The term of the text with its code. Where the campus has three terms, a code worked out of year and season may name
   * none or another: the list decides, which is asked for once a day, or where the code is new to it. In vacations the
   * start page may name no term: then it is the one that the list selects.
   */
  async #termSaid(
    student: Student,
    text: CalendarText,
    context: CallContext,
  ): Promise<Pick<TermFacts, 'text' | 'code'>> {
    const isVacation = text.academicYear === '' && text.week === 0;
    if (text.academicYear === '' && !isVacation) return { text, code: null };
    const derived = derivedTermCode(text);
    const kept = derived === null ? null : await this.#deps.reads.lastCopy(student.userid, academicReads.terms);
    if (kept?.value.some(({ term_code }) => term_code === derived)) return { text, code: derived };
    const sameDay = new NotedReads({ ...noDirectives, maxAge: DAY_MS / 1000 });
    try {
      const all = await this.plain.terms(student, isVacation ? context : derivedCall(context, { reads: sameDay }));
      if (!isVacation) {
        // A term that has begun since is in no list of yesterday.
        return { text, code: findTermCode(text, all) ?? findTermCode(text, await this.plain.terms(student, context)) };
      }
      const selected = all.find(({ is_current }) => is_current)?.term_code ?? '';
      return { text: { ...text, ...namedTermOf(selected) }, code: selected || null };
    } catch (error) {
      if (!isFailure(error, 'not-offered')) throw error;
      return { text, code: derived };
    }
  }

  async #statedWeeks(
    { userid }: Student,
    { text, code, readOn }: Pick<TermFacts, 'text' | 'code' | 'readOn'>,
  ): Promise<readonly StatedWeek[]> {
    const last = await this.#deps.reads.lastCopy(userid, academicReads.currentTerm);
    const before = last?.value.code === code ? last.value.stated : [];
    return text.week === null || text.week < 1 ? before : withStated(before, { week: text.week, on: readOn });
  }

  #today(): string {
    const { clock, timeZone } = this.#deps;
    return campusDate(clock.now(), timeZone);
  }

  /** The summary names it where the campus has one; elsewhere it is the current term. */
  async #termOfExams(
    student: Student,
    context: CallContext,
    summaryOf: () => Promise<AcademicSummary>,
  ): Promise<string> {
    try {
      return await currentTermCodeIn(summaryOf);
    } catch (error) {
      if (!isFailure(error, 'not-offered')) throw error;
      return this.codeOfCurrentTerm(student, context);
    }
  }

  async #findExams(
    student: Student,
    context: CallContext,
    summaryOf: () => Promise<AcademicSummary>,
  ): Promise<ExamFindings> {
    const { clock, timeZone } = this.#deps;
    const ofTerm = async (): Promise<ExamTerm> => {
      const termCode = await this.#termOfExams(student, context, summaryOf);
      return { termCode, window: examWindow(termCode, this.#today()) };
    };
    const query = { now: clock.now(), timeZone, ofTerm };
    const findings = mergeExams(await this.#deps.campus.exams(student, query, context));
    for (const { part, failure } of findings.missing) {
      context.log.warn({ system: 'academics', part, failure: failure.kind, reason: failure.reason }, 'source missing');
    }
    return findings;
  }
}

const currentTermCodeIn = async (summaryOf: () => Promise<AcademicSummary>): Promise<string> => {
  try {
    const { currentTerm } = await summaryOf();
    if (currentTerm !== '') return currentTerm;
  } catch (error) {
    if (isFailure(error, 'upstream-empty')) throw termUnknown(error);
    throw error;
  }
  throw termUnknown();
};

export type Academics = Omit<AcademicService, 'plain'> & AcademicService['plain'];

export const createAcademics = (deps: AcademicsDeps): Academics => {
  const service = new AcademicService(deps);
  return Object.assign(service, service.plain);
};

import type { Clock } from '../../lib/clock.ts';
import type { CallContext, Student } from '../context.ts';
import type { AcademicsCampus } from './ports.ts';
import type { AcademicSummary, Schedule, ScorePage, ScoreQuery, ScoreRecord, SectionTimes, Term } from './types.ts';

/** Academic reads for both surfaces. Failures: those of `AcademicsCampus`. */
export interface Academics {
  summary(student: Student, context: CallContext): Promise<AcademicSummary>;
  /** In upstream order; never empty; exactly one is current. */
  terms(student: Student, context: CallContext): Promise<readonly Term[]>;
  scorePage(student: Student, query: ScoreQuery, context: CallContext): Promise<ScorePage>;
  allScores(student: Student, termCode: string, context: CallContext): Promise<readonly ScoreRecord[]>;
  schedule(student: Student, termCode: string, context: CallContext): Promise<Schedule>;
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

export const createAcademics = ({ campus, clock }: { campus: AcademicsCampus; clock: Clock }): Academics => {
  const cache = new SectionCache(clock);
  return {
    summary: (student, context) => campus.summary(student, context),
    terms: (student, context) => campus.terms(student, context),
    scorePage: (student, query, context) => campus.scorePage(student, query, context),
    allScores: (student, termCode, context) => campus.allScores(student, termCode, context),
    async schedule(student, termCode, context) {
      const known = cache.get();
      // The courses are asked for every time, so kept section times never stand in for a session that is gone.
      const { table, sections } = await campus.schedule(student, termCode, known, context);
      if (known === null) cache.keep(sections);
      return { ...table, sections };
    },
  };
};

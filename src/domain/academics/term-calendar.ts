import { campusDate } from '../../lib/campus-time.ts';
import type { Clock } from '../../lib/clock.ts';
import { TimedCache } from '../../lib/timed-cache.ts';
import type { CallContext, Student } from '../context.ts';
import type { Reads } from '../reads/reads.ts';
import { readRows } from '../reads/rows.ts';
import { type CurrentTerm, currentTermOf, type TermStart } from './current-term.ts';
import type { AcademicsCampus } from './ports.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** One term goes on at a time; a few more around its end and in the answers of an odd day. */
const mostKept = 8;

/** What of the campus tells the term. */
type CalendarCampus = Pick<AcademicsCampus, 'calendarText' | 'termStart'>;

export interface TermCalendarOptions {
  readonly campus: CalendarCampus;
  readonly reads: Reads;
  readonly clock: Clock;
  readonly timeZone: string;
}

/** The current term. Its first day is the same for all students and kept for a day, by the term that the text names. */
export class TermCalendar {
  readonly #campus: CalendarCampus;
  readonly #reads: Reads;
  readonly #clock: Clock;
  readonly #timeZone: string;
  readonly #starts: TimedCache<TermStart>;

  constructor({ campus, reads, clock, timeZone }: TermCalendarOptions) {
    this.#campus = campus;
    this.#reads = reads;
    this.#clock = clock;
    this.#timeZone = timeZone;
    this.#starts = new TimedCache({ clock, ttlMs: dayMs, limit: mostKept });
  }

  /** `YYYY-MM-DD` at the campus. */
  today(): string {
    return campusDate(this.#clock.now(), this.#timeZone);
  }

  async current(student: Student, context: CallContext): Promise<CurrentTerm> {
    const { text, start, readOn } = await this.#reads.read(student, context, {
      row: readRows.currentTerm,
      ask: async (inner) => {
        // The text is asked for every time, and first: it names the term whose first day may be known already, and a
        // first day that is known never stands in for a session that is gone.
        const read = await this.#campus.calendarText(student, inner);
        const term = `${read.academicYear} ${read.season}`;
        const known = this.#starts.get(term);
        const first = known ?? (await this.#campus.termStart(student, inner));
        if (known === undefined) this.#starts.set(term, first);
        return { text: read, start: first, readOn: this.today() };
      },
    });
    const today = this.today();
    // The week that the text states is the week of the day on which it was read; for another day it is counted.
    return currentTermOf(readOn === today ? text : { ...text, week: null }, start, today);
  }
}

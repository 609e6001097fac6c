import { campusDate } from '../../lib/campus-time.ts';
import type { Clock } from '../../lib/clock.ts';
import { TimedCache } from '../../lib/timed-cache.ts';
import type { CallContext, Student } from '../context.ts';
import { type CurrentTerm, currentTermOf, type TermStart } from './current-term.ts';
import type { AcademicsCampus } from './ports.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** One term goes on at a time; a few more around its end and in the answers of an odd day. */
const mostKept = 8;

/** What of the campus tells the term. */
type CalendarCampus = Pick<AcademicsCampus, 'calendarText' | 'termStart'>;

/** The current term. Its first day is the same for all students and kept for a day, by the term that the text names. */
export class TermCalendar {
  readonly #campus: CalendarCampus;
  readonly #clock: Clock;
  readonly #timeZone: string;
  readonly #starts: TimedCache<TermStart>;

  constructor({ campus, clock, timeZone }: { campus: CalendarCampus; clock: Clock; timeZone: string }) {
    this.#campus = campus;
    this.#clock = clock;
    this.#timeZone = timeZone;
    this.#starts = new TimedCache({ clock, ttlMs: dayMs, limit: mostKept });
  }

  /** `YYYY-MM-DD` at the campus. */
  today(): string {
    return campusDate(this.#clock.now(), this.#timeZone);
  }

  async current(student: Student, context: CallContext): Promise<CurrentTerm> {
    // Asked for every time, and first: it names the term whose first day may be known already, and a first day that
    // is known never stands in for a session that is gone.
    const text = await this.#campus.calendarText(student, context);
    const term = `${text.academicYear} ${text.season}`;
    const known = this.#starts.get(term);
    const start = known ?? (await this.#campus.termStart(student, context));
    if (known === undefined) this.#starts.set(term, start);
    return currentTermOf(text, start, this.today());
  }
}

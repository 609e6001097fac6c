import { LRUCache } from 'lru-cache';
import { boundedFor } from '../../lib/bounded.ts';
import { campusDate } from '../../lib/campus-time.ts';
import type { Clock } from '../../lib/clock.ts';
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

interface TermCalendarOptions {
  readonly campus: CalendarCampus;
  readonly reads: Reads;
  readonly clock: Clock;
  readonly timeZone: string;
}

/** The current term. Its first day is the same for all students and kept for a day, by the term that the text names. */
export const createTermCalendar = ({ campus, reads, clock, timeZone }: TermCalendarOptions) => {
  const starts = new LRUCache<string, TermStart>(boundedFor(mostKept, dayMs, clock));
  const today = (): string => campusDate(clock.now(), timeZone);

  return {
    /** `YYYY-MM-DD` at the campus. */
    today,
    async current(student: Student, context: CallContext): Promise<CurrentTerm> {
      const { text, start, readOn } = await reads.read(student, context, {
        row: readRows.currentTerm,
        ask: async (inner) => {
          // The text is asked for every time, and first: it names the term whose first day may be known already, and a
          // first day that is known never stands in for a session that is gone.
          const read = await campus.calendarText(student, inner);
          const term = `${read.academicYear} ${read.season}`;
          const known = starts.get(term);
          const first = known ?? (await campus.termStart(student, inner));
          if (known === undefined) starts.set(term, first);
          return { text: read, start: first, readOn: today() };
        },
      });
      const now = today();
      // The week that the text states is the week of the day on which it was read; for another day it is counted.
      return currentTermOf(readOn === now ? text : { ...text, week: null }, start, now);
    },
  };
};

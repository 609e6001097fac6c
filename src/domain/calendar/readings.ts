import type { CalendarText } from '../academics/current-term.ts';
import type { Exam } from '../academics/exams.ts';
import type { Term } from '../academics/types.ts';
import type { Reads } from '../reads/reads.ts';
import { readRows } from '../reads/rows.ts';
import { type FeedActivity, feedActivities } from './activities.ts';
import type { Timetable } from './classes.ts';
import type { Reading } from './sources.ts';
import type { FeedPart } from './types.ts';

const { currentTerm, terms, schedule, exams, joinedActivities } = readRows;

/** The reads whose copies a part is made of. */
const readsOfPart: Readonly<Record<FeedPart, readonly string[]>> = {
  classes: [currentTerm.name, terms.name, schedule.name],
  // The term of exams tells whether a list without any is that of another term.
  exams: [currentTerm.name, terms.name, exams.name],
  activities: [joinedActivities.name],
};

export const readsOf = (parts: readonly FeedPart[]): string[] => [
  ...new Set(parts.flatMap((part) => readsOfPart[part])),
];

/** Shapes of the values that a feed keeps. */
export const sourceShapes = [schedule.shape, exams.shape, joinedActivities.shape].join('.');

const seasons: Readonly<Record<string, string>> = { 秋: '1', 春: '2' };

/** The code of the term that the calendar text speaks of; null when it does not say. */
export const termCodeOf = ({ academicYear, season }: CalendarText, all: readonly Term[]): string | null => {
  if (academicYear === '') return null;
  const number = seasons[season];
  const isMeant = ({ code, isCurrent }: Term): boolean =>
    number === undefined
      ? isCurrent && /^\d{4}-\d{4}-[^12]/.test(code) && code.startsWith(`${academicYear}-`)
      : code === `${academicYear}-${number}` || code.startsWith(`${academicYear}-${number}-`);
  const known = all.find(isMeant)?.code;
  return known ?? (number === undefined ? null : `${academicYear}-${number}-1`);
};

interface Readings {
  readonly classes: Reading<Timetable> | null;
  readonly exams: Reading<readonly Exam[]> | null;
  readonly activities: Reading<readonly FeedActivity[]> | null;
}

/** What the copies of a student say about these parts. The campus is not asked. */
export const readingsOf = async (
  reads: Pick<Reads, 'lastCopy'>,
  userid: string,
  parts: readonly FeedPart[],
): Promise<Readings> => {
  const wants = (part: FeedPart): boolean => parts.includes(part);
  const academic = wants('classes') || wants('exams');
  const facts = academic ? await reads.lastCopy(userid, currentTerm) : null;
  const all = academic ? await reads.lastCopy(userid, terms) : null;
  const term = facts && termCodeOf(facts.value.text, all?.value ?? []);
  const table = wants('classes') && term ? await reads.lastCopy(userid, schedule, [term]) : null;
  const found = wants('exams') ? await reads.lastCopy(userid, exams) : null;
  const joined = wants('activities') ? await reads.lastCopy(userid, joinedActivities) : null;
  return {
    classes:
      facts && table && term
        ? {
            value: { term, firstDay: facts.value.start.firstDay, schedule: table.value },
            term,
            readAt: table.readAt,
          }
        : null,
    exams: found && { value: found.value.exams, term: term ?? '', readAt: found.readAt },
    activities: joined && { value: feedActivities(joined.value.activities), term: '', readAt: joined.readAt },
  };
};

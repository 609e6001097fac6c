import { dayNumber } from '../../lib/calendar-day.ts';
import { campusDate } from '../../lib/campus-time.ts';
import type { Exam } from '../academics/exams.ts';
import type { FeedActivity } from './activities.ts';
import type { Timetable } from './classes.ts';

/** What a part of a feed goes by. */
export interface Source<V> {
  readonly value: V;
  /** `""` while the current term is not known. */
  readonly term: string;
  /** Start of the reading at the campus, epoch ms. */
  readonly readAt: number;
  /** The first of the later readings that had nothing at all; null: there is none. */
  readonly emptySince: number | null;
}

/** A reading that a feed may go by from now on. */
export type Reading<V> = Omit<Source<V>, 'emptySince'>;

export interface FeedSources {
  readonly classes: Source<Timetable> | null;
  readonly exams: Source<readonly Exam[]> | null;
  readonly activities: Source<readonly FeedActivity[]> | null;
}

/** Two readings so far apart that say the same are not one bad night. */
const AGREEMENT_MS = 12 * 3_600_000;

/** `true`: the reading has nothing of what the source has and a reading of that time should show. */
type LosesAll<V> = (known: V, read: V) => boolean;

const nextSource = <V>(known: Source<V> | null, read: Reading<V> | null, losesAll: LosesAll<V>): Source<V> | null => {
  if (read === null || (known !== null && read.readAt < known.readAt)) return known;
  if (known === null || known.term !== read.term || !losesAll(known.value, read.value))
    return { ...read, emptySince: null };
  const since = known.emptySince ?? read.readAt;
  return read.readAt - since >= AGREEMENT_MS ? { ...read, emptySince: null } : { ...known, emptySince: since };
};

const hasClasses = ({ schedule }: Timetable): boolean => schedule.courses.some(({ places }) => places.length > 0);

/**
 * A timetable takes the place of the known one, unless it cannot be dated, has lost its hours, or is suddenly empty.
 */
export const nextClasses = (
  known: Source<Timetable> | null,
  read: Reading<Timetable> | null,
): Source<Timetable> | null => {
  if (read === null || dayNumber(read.value.firstDay) === null) return known;
  const hasHours = read.value.schedule.sections.slots.length > 0;
  if (known !== null && known.term === read.term && hasClasses(read.value) && !hasHours) return known;
  return nextSource(known, read, (before, now) => hasClasses(before) && !hasClasses(now));
};

/**
 * The campus lists university exams from the day of the reading on, so those of earlier days stay until the term ends.
 */
export const nextExams = (
  known: Source<readonly Exam[]> | null,
  read: Reading<readonly Exam[]> | null,
  timeZone: string,
): Source<readonly Exam[]> | null => {
  if (read === null) return known;
  const today = campusDate(read.readAt, timeZone);
  const isOver = ({ kind, date }: Exam): boolean => kind === 'university' && dayNumber(date) !== null && date < today;
  const term = read.term === '' ? (known?.term ?? '') : read.term;
  const over = known?.term === term ? known.value.filter(isOver) : [];
  const listed = read.value.filter((exam) => !isOver(exam));
  const value = [...over, ...listed];
  return nextSource(known, { ...read, term, value }, (before) => listed.length === 0 && !before.every(isOver));
};

export const nextActivities = (
  known: Source<readonly FeedActivity[]> | null,
  read: Reading<readonly FeedActivity[]> | null,
): Source<readonly FeedActivity[]> | null =>
  nextSource(known, read, (before, now) => before.length > 0 && now.length === 0);

import { Type } from '@sinclair/typebox';
import { timesIn } from '../../lib/moments.ts';
import { campusDate, dayNumber } from '../../lib/time.ts';
import type { Exam } from '../academics/exams.ts';
import { allReads } from '../all-reads.ts';
import { literals, storedRecord } from '../record.ts';
import { type FeedKind, type FeedReading, type FeedSource, nextSource } from './sources.ts';
import type { CalendarEvent } from './types.ts';

const kinds: Readonly<Record<Exam['kind'], string>> = { university: '校统考', other: '其他考试' };

type ExamMember = 'courseName' | 'date' | 'time' | 'location' | 'kind' | 'note';

const StoredExam = storedRecord<ExamMember>()({
  courseName: Type.String(),
  date: Type.String(),
  time: Type.String(),
  location: Type.String(),
  kind: literals(['university', 'other']),
  note: Type.String(),
});

const describe = ({ kind, note, time }: Exam, timed: boolean): string =>
  [
    `类型：${kinds[kind]}`,
    timed || time === '' ? null : `时间：${time}`,
    note === '' ? null : kind === 'other' ? `备注：${note}` : note,
  ]
    .filter((line) => line !== null)
    .join('\n');

/** Exams that have a day; one without an hour takes the whole day. */
export const examCalendarEvents = (exams: readonly Exam[]): CalendarEvent[] => {
  const named = new Map<string, number>();
  return exams.flatMap((exam) => {
    const { courseName, date, time, location, kind } = exam;
    if (dayNumber(date) === null) return [];
    // A resit bears the name of its exam. The day is no part of it: an exam that is put off is still the same exam.
    const name = JSON.stringify([kind, courseName]);
    const nth = named.get(name) ?? 0;
    named.set(name, nth + 1);
    const times = timesIn(time);
    return {
      key: JSON.stringify(['exam', kind, courseName, nth]),
      category: '考试' as const,
      start: times === null ? date : `${date}T${times.from}`,
      end: times?.to ? `${date}T${times.to}` : null,
      title: courseName === '' ? '考试' : `考试：${courseName}`,
      place: location,
      description: describe(exam, times?.to !== null && times !== null),
    };
  });
};

export const examsWithoutDay = (exams: readonly Exam[]): string[] =>
  exams.filter(({ date }) => dayNumber(date) === null).map(({ courseName }) => courseName);

/** The campus lists university exams from the day of the reading, so earlier ones stay until the term ends. */
const nextExams = (
  source: FeedSource<readonly Exam[]> | null,
  read: FeedReading<readonly Exam[]> | null,
  timeZone: string,
): FeedSource<readonly Exam[]> | null => {
  if (read === null) return source;
  const today = campusDate(read.readAt, timeZone);
  const isOver = ({ kind, date }: Exam): boolean => kind === 'university' && dayNumber(date) !== null && date < today;
  const term = read.term === '' ? (source?.term ?? '') : read.term;
  const over = source?.term === term ? source.value.filter(isOver) : [];
  const listed = read.value.filter((exam) => !isOver(exam));
  const value = [...over, ...listed];
  return nextSource(source, { ...read, term, value }, (before) => listed.length === 0 && !before.every(isOver));
};

export const examsFeed: FeedKind<readonly Exam[]> = {
  title: '考试',
  missing: '尚无考试安排：请在应用中打开一次考试安排。',
  holds: '`exams`',
  needs: ['academics.exams', 'academics.terms', 'academics.calendarText', 'academics.termStart'],
  // The term of exams tells whether a list without any is that of another term.
  reads: [allReads.currentTerm.name, allReads.terms.name, allReads.exams.name],
  shape: 1,
  stored: Type.Array(StoredExam),
  async read(copies) {
    const term = await copies.term();
    const found = await copies.last(allReads.exams);
    // Leaves out what is for the student alone, because everybody with the address can read a calendar.
    const value = found?.value.exams.map(({ extras: _, ...exam }) => exam) ?? [];
    return found && { value, term: term?.code ?? '', readAt: found.readAt };
  },
  next: nextExams,
  events: (value) => examCalendarEvents(value),
  left: (value) => ['日期未定的考试', examsWithoutDay(value)],
};

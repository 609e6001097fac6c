import { dayNumber, dayText } from '../../lib/time.ts';
import type { CurrentTerm } from '../academics/current-term.ts';
import type { Exam } from '../academics/exams.ts';
import type { Schedule } from '../academics/ports.ts';
import { examCalendarEvents } from '../calendar/exams.ts';
import type { Adjustments } from '../calendar/types.ts';
import type { HomeNext, NextClass } from './records.ts';
import { findHeldOn, type HeldClass } from './today.ts';

type NextExam = NonNullable<HomeNext['next_exam']>;

/** How far ahead the next class is looked for. */
const MOST_DAYS = 60;

/** Times are compared as texts: `YYYY-MM-DD HH:MM:SS` at the campus. */
const timeOf = (date: string, time: string | null): string | null => (time === null ? null : `${date} ${time}`);

const asNext = (date: string, { times, shown }: HeldClass): NextClass => {
  const { start_time: _, end_time: __, ...rest } = shown;
  return { ...rest, date, begin: timeOf(date, times?.from ?? null), end: timeOf(date, times?.to ?? null) };
};

const isTimed = ({ begin, end }: NextClass): boolean => begin !== null && end !== null;

/** All that begin first; of a day on which no class has a time, all of them. */
const firstOf = (classes: readonly NextClass[]): NextClass[] => {
  const [begin] = classes.flatMap((each) => each.begin ?? []).toSorted();
  return begin === undefined ? [...classes] : classes.filter((each) => each.begin === begin);
};

/** An exam is over at its end; without one it is there for the whole day. */
const endOfExam = ({ date, begin, end }: NextExam): string => end ?? (begin === null ? date : begin.slice(0, 10));

const examsFrom = (exams: readonly Exam[], now: string): NextExam[] =>
  exams
    .flatMap((exam) => {
      const [event] = examCalendarEvents([exam]);
      if (event === undefined) return [];
      const [date = '', begin] = event.start.split('T');
      const found = {
        course_name: exam.courseName,
        exam_type: exam.kind,
        date,
        begin: timeOf(date, begin ?? null),
        end: event.end === null ? null : event.end.replace('T', ' '),
        exam_time: exam.time,
        exam_location: exam.location,
        note: exam.note,
      };
      const isOver = found.end === null ? endOfExam(found) < now.slice(0, 10) : found.end <= now;
      return isOver ? [] : [found];
    })
    .toSorted((a, b) => ((a.begin ?? a.date) < (b.begin ?? b.date) ? -1 : 1));

interface NextQuestion {
  /** `YYYY-MM-DD HH:MM:SS` at the campus. */
  readonly now: string;
  readonly term: Pick<CurrentTerm, 'startAt' | 'stated' | 'weeks'>;
  readonly schedule: Schedule;
  readonly adjustments: Adjustments;
  /** In any order; the word that says why there are none otherwise. */
  readonly exams: readonly Exam[] | NonNullable<HomeNext['exam_left_out']>;
}

/**
 * What is held now and comes next, of the same readings and by the same rules as `today` and calendar feeds.
 * @throws Failure `upstream-unreadable` where the first day of the term is unknown
 */
export const nextOf = ({ now, term, schedule, adjustments, exams }: NextQuestion): HomeNext => {
  const today = now.slice(0, 10);
  const day = dayNumber(today);
  if (day === null) throw new Error('today is no day');
  const held = findHeldOn(term, schedule, adjustments);
  const ofDay = (date: string): NextClass[] => held(date).classes.map((each) => asNext(date, each));
  const ofToday = ofDay(today);
  const timed = ofToday.filter(isTimed);
  let next = firstOf(timed.filter(({ begin }) => begin !== null && begin > now));
  for (let ahead = 1; next.length === 0 && ahead <= MOST_DAYS; ahead += 1) next = firstOf(ofDay(dayText(day + ahead)));
  const going = timed.filter(({ begin, end }) => begin !== null && end !== null && begin <= now && now < end);
  const [exam = null] = typeof exams === 'string' ? [] : examsFrom(exams, now);
  const changes = [...going, ...next, ...(exam === null ? [] : [exam])]
    .flatMap(({ begin, end }) => [begin, end])
    .flatMap((at) => (at !== null && at > now ? at : []));
  return {
    now: going,
    next_class: next,
    next_exam: exam,
    untimed_today: ofToday.length - timed.length,
    exam_left_out: typeof exams === 'string' ? exams : null,
    valid_until: [...changes, `${dayText(day + 1)} 00:00:00`].toSorted()[0] ?? '',
  };
};

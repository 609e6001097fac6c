import type { Attended } from './attended.ts';
import { codeOf, type Present } from './calendar.ts';
import { courseTable } from './courses.ts';
import { type Studies, scoreRow } from './studies.ts';
import { scoreOf } from './this-term.ts';

const MINUTE_MS = 60_000;
const SHOWN = 5;

const courseOf = (slot: number) => {
  const [number, mark] = [slot % 1_000, 60 + ((slot * 7) % 40)];
  const line = `-||01|演示课程 ${number}|Demonstration ${number}|1|任选|考查|教师||||${mark}`;
  const code = `EX${String(slot % 1_000_000).padStart(6, '0')}`;
  return courseTable('EX', line).map((course) => ({ ...course, code }));
};

/** The studies of a student with marks of this term that arrive one every so many minutes, to be watched. */
export const withArrivingMarks = (studies: Studies, { term }: Present, now: number, everyMinutes: number): Studies => {
  const last = Math.floor(now / (everyMinutes * MINUTE_MS));
  const courses = Array.from({ length: SHOWN }, (_, at) => courseOf(last - SHOWN + 1 + at)).flat();
  const arrived = courses.map((course): Attended => {
    return { course, term, examDay: term.firstDay, examTime: '', isPublished: true };
  });
  const sheet = studies.scores.get(codeOf(term));
  const before = typeof sheet === 'object' ? sheet : [];
  const rows = [...before, ...arrived.map((each, at) => scoreRow(each, before.length + at))];
  return {
    ...studies,
    scores: new Map([...studies.scores, [codeOf(term), rows]]),
    currentScores: [...studies.currentScores, ...arrived.map(scoreOf('', false))],
  };
};

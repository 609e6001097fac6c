import { codeOf, type Present } from './calendar.ts';
import type { Studies } from './studies.ts';

const MINUTE_MS = 60_000;
const SHOWN = 5;

const courseOf = (slot: number) => ({
  code: `EX${String(slot % 1_000_000).padStart(6, '0')}`,
  name: `演示课程 ${slot % 1_000}`,
  english: `Demonstration ${slot % 1_000}`,
  mark: String(60 + ((slot * 7) % 40)),
});

/** The studies of a student with marks of this term that arrive one every so many minutes, to be watched. */
export const withArrivingMarks = (studies: Studies, { term }: Present, now: number, everyMinutes: number): Studies => {
  const last = Math.floor(now / (everyMinutes * MINUTE_MS));
  const courses = Array.from({ length: SHOWN }, (_, at) => courseOf(last - SHOWN + 1 + at));
  const code = codeOf(term);
  const sheet = studies.scores.get(code);
  const before = typeof sheet === 'object' ? sheet : [];
  const rows = courses.map(({ code: course, name, english, mark }, at) => [
    before.length + at + 1,
    code,
    course,
    '01',
    name,
    english,
    '1',
    16,
    '任选',
    '考查',
    mark,
    null,
    null,
  ]);
  const current = courses.map(({ code: course, name, english, mark }) => ({
    row: {
      id: { executiveEducationPlanNumber: code, courseNumber: course, examtime: '', studentNumber: '' },
      coureSequenceNumber: '01',
      courseName: name,
      englishCourseName: english,
      credit: 1,
      studyHour: 16,
      coursePropertyName: '任选',
      examTypeName: '考查',
      courseScore: mark,
    },
    key: [code, course, '01', ''] as const,
    components: [],
  }));
  return {
    ...studies,
    scores: new Map([...studies.scores, [code, [...before, ...rows]]]),
    currentScores: [...studies.currentScores, ...current],
  };
};

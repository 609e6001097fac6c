import type { StudentAcademics, TermOption } from './academics.ts';
import { studentOneScores } from './student-one-scores.ts';
import { studentOneTimetables } from './student-one-timetables.ts';

/**
 * The student whose records have everything that can be odd: absent values, numbers as text and text as numbers,
 * rows too short, word grades, courses without a time, a class split over two entries.
 * Every course code begins with `KJ`.
 */
const TERMS: readonly TermOption[] = [
  { code: '', label: '全部' },
  { code: '2025-2026-3-1', label: '2025-2026学年夏' },
  { code: '2025-2026-2-1', label: '\r\n\t\t2025-2026学年春（当前）\r\n\t', selected: true },
  { code: '2025-2026-1-1', label: '2025-2026学年秋' },
  { code: '2024-2025-3-1', label: '2024-2025学年夏' },
  { code: '2024-2025-2-1', label: '2024-2025学年春&nbsp;' },
  { code: '2024-2025-1-1', label: '2024-2025&#23398;年秋' },
  { code: '2023-2024-3-1', label: '2023-2024学年夏' },
  { code: '2023-2024-2-1', label: '2023-2024学年春' },
  { code: '2023-2024-1-1', label: '2023-2024学年秋' },
  { code: '2023-2024-1-1', label: '2023-2024学年秋' },
  { code: '   ', label: '（请选择）' },
];

/** @param mark goes behind every course code, so that the records of copies can be told apart; empty for the original */
export const studentOneAcademics = (userid: string, mark: string): StudentAcademics => {
  const code = (number: string): string => `KJ${number}${mark}`;
  return {
    summary: {
      courseNum: '38',
      coursePas: null,
      gpa: '3.42',
      courseNum_bxqyxd: 9,
      zxjxjhh: '2025-2026-2-1',
      sspjf_jd: '85.37',
      sspjf_pm: 21,
      sspjf_rs: null,
    },
    terms: TERMS,
    countsAsText: true,
    scores: studentOneScores(code),
    schedules: (weeks) => studentOneTimetables(code, userid, weeks),
  };
};

/** The term that is going on at the demo campus, and its calendar. Fixed, so that the data of its students fit. */
export const CURRENT_TERM = {
  code: '2025-2026-2-1',
  /** As the home page words it. */
  title: '2025-2026 春',
  /** First day of week 1, a Monday. */
  firstDay: '20260302',
  firstDayEpochMs: Date.UTC(2026, 2, 1, 16),
  weeks: 18,
} as const;

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;
const CAMPUS_OFFSET_MS = 8 * 60 * 60 * 1000;

/** The calendar line of the home page at an instant: outside the term it names no week. */
export const calendarLine = (epochMs: number): string => {
  const weekday = '日一二三四五六'[new Date(epochMs + CAMPUS_OFFSET_MS).getUTCDay()] ?? '';
  const week = Math.floor((epochMs - CURRENT_TERM.firstDayEpochMs) / WEEK_MS) + 1;
  const middle = week >= 1 && week <= CURRENT_TERM.weeks ? `第${week}周` : '假期';
  return `${CURRENT_TERM.title}  ${middle}   星期${weekday}`;
};

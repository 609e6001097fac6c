/** Calendar days without a time zone: whole days since 1970-01-01, to reckon with. */

const dayMs = 24 * 60 * 60 * 1000;

/** The day that `YYYY-MM-DD` names; null when there is no such day. */
export const dayNumber = (text: string): number | null => {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  if (year === undefined || month === undefined || day === undefined) return null;
  const number = Date.UTC(Number(year), Number(month) - 1, Number(day)) / dayMs;
  // February 30 would otherwise be a day in March.
  return dayText(number) === text ? number : null;
};

/** `YYYY-MM-DD`. */
export const dayText = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);

/** 0 Monday … 6 Sunday. */
export const weekdayOf = (day: number): number => (((day + 3) % 7) + 7) % 7;

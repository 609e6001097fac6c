/** Days of the campus that differ from its timetable; `YYYY-MM-DD`. */
export interface Adjustments {
  /** Without classes. */
  readonly daysOff: readonly string[];
  /** The classes of `from` are held on `to`, beside those of `to`, unless these are moved themselves. */
  readonly moved: ReadonlyArray<{ readonly from: string; readonly to: string }>;
}

/** The day on which the classes of a day are held; null: on none. */
export type DayOfClasses = (day: string) => string | null;

/** A day whose classes are moved may be off itself: that is what they are moved for. */
export const adjusting = ({ daysOff, moved }: Adjustments): DayOfClasses => {
  const off = new Set(daysOff);
  const elsewhere = new Map(moved.map(({ from, to }) => [from, to]));
  return (day) => elsewhere.get(day) ?? (off.has(day) ? null : day);
};

/** Times are wall times at the campus. */
export interface CalendarEvent {
  /** Names the event among those of its feed, through all its changes. */
  readonly key: string;
  readonly category: string;
  /** `YYYY-MM-DDTHH:MM:SS`, or `YYYY-MM-DD` for a whole day. */
  readonly start: string;
  /** In the form of `start` and later; null if unknown, or for that one day. */
  readonly end: string | null;
  readonly title: string;
  readonly place: string;
  readonly description: string;
}

export interface Stamp {
  /** When this version was first seen, epoch ms. */
  readonly changedAt: number;
  /** How often the event has changed. */
  readonly sequence: number;
}

export interface StampedEvent extends CalendarEvent, Stamp {
  /** The same over all versions; tells nothing about the student. */
  readonly uid: string;
}

export interface Calendar {
  readonly name: string;
  readonly description: string;
  readonly alarmMinutes: number | null;
  /** When any of its events last changed, epoch ms. */
  readonly changedAt: number;
  readonly events: readonly StampedEvent[];
}

export type CalendarWriter = (calendar: Calendar) => string;

/** Days of the campus that differ from its timetable; `YYYY-MM-DD`. */
export interface Adjustments {
  /** Days without classes. */
  readonly daysOff: readonly string[];
  /** The classes of `from` are held on `to`, beside those of `to`, unless these are moved themselves. */
  readonly moved: ReadonlyArray<{ readonly from: string; readonly to: string }>;
}

/** The day on which the classes of a day are held; null: on none. */
export type DayOfClasses = (day: string) => string | null;

/** A day whose classes are moved may be off itself: that is what they are moved for. */
export const adjustDays = ({ daysOff, moved }: Adjustments): DayOfClasses => {
  const off = new Set(daysOff);
  const elsewhere = new Map(moved.map(({ from, to }) => [from, to]));
  return (day) => elsewhere.get(day) ?? (off.has(day) ? null : day);
};

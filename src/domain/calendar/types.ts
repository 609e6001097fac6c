/** One entry of a calendar. Times are wall times at the campus. */
export interface CalendarEvent {
  /** Names the event among those of its feed, whatever changes of it. */
  readonly key: string;
  readonly category: string;
  /** `YYYY-MM-DDTHH:MM:SS`, or `YYYY-MM-DD` for a whole day. */
  readonly start: string;
  /** As `start`, later than it; null: not known, or that one day. */
  readonly end: string | null;
  readonly title: string;
  readonly place: string;
  readonly description: string;
}

/** Which version of an event it is. */
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
  /** Of any of its events, epoch ms. */
  readonly changedAt: number;
  readonly events: readonly StampedEvent[];
}

/** The text of a calendar, in the form that calendar programs read. */
export type CalendarWriter = (calendar: Calendar) => string;

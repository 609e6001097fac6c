/** What a feed may hold, in the order in which answers name it. */
export const feedParts = ['classes', 'exams', 'activities'] as const;
export type FeedPart = (typeof feedParts)[number];

/** A feed as its student and the operator see it. Epoch ms. */
export interface Feed {
  /** Names the feed; of no use for reading it. */
  readonly id: string;
  readonly name: string;
  readonly parts: readonly FeedPart[];
  /** Minutes before the beginning; null: no alarms. */
  readonly alarmMinutes: number | null;
  readonly createdAt: number;
  /** To the hour; null: never. */
  readonly polledAt: number | null;
}

/** What a student orders. */
export type FeedWish = Pick<Feed, 'name' | 'parts' | 'alarmMinutes'>;

/** One entry of a calendar. Times are wall times at the campus. */
export interface CalendarEvent {
  /** Names the event among those of its feed, whatever changes of it. */
  readonly key: string;
  readonly category: '课程' | '考试' | '劳动';
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

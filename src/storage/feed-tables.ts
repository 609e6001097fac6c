/** See migrations/0008-feeds.ts. */
export interface FeedTables {
  calendar_feeds: CalendarFeedsTable;
}

export interface CalendarFeedsTable {
  id: string;
  userid: string;
  secret_hash: string;
  name: string;
  /** 1: it has that part. */
  classes: number;
  exams: number;
  activities: number;
  alarm_minutes: number | null;
  created_at: number;
  polled_at: number | null;
  seen: string;
  /** Grows with every change of the calendar; 0: none has been made. */
  revision: number;
  in_doubt: number;
  /** Parts that have had data, separated by commas. */
  had: string;
  sealed_calendar: string | null;
  sealed_sources: string | null;
}

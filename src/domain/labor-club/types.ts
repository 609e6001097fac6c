export interface ClubActivitiesQuery {
  readonly clubId: string;
  /** From 1. */
  readonly page: number;
  /** 1–100. */
  readonly pageSize: number;
}

export interface DirectoryQuery {
  /** From 1. */
  readonly page: number;
  /** 1–100. */
  readonly pageSize: number;
  /** A part of the name, without blanks at its ends; `""` for all clubs. */
  readonly keyword: string;
}

/** What the campus decided about a write: code 0 accepted, any other refused. */
export interface Decision {
  readonly code: number;
  /** The campus's own words; may be empty. */
  readonly message: string;
}

export interface ScanDecision extends Decision {
  /** Whatever the campus tells about the sign-in, each value as text. */
  readonly details: Readonly<Record<string, string>>;
}

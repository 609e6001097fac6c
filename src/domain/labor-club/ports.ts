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

/** The campus's decision about a write: code 0 accepted, any other refused. */
export interface Decision {
  readonly code: number;
  /** The campus's own words; may be empty. */
  readonly message: string;
}

export interface ScanDecision extends Decision {
  /** All that the campus tells about the sign-in, each value as text. */
  readonly details: Readonly<Record<string, string>>;
}

export interface SignUp {
  readonly activityId: string;
  readonly reason: string;
}

/** `reason` is personal: never logged, never in a failure. */
export interface ClubJoining {
  readonly clubId: string;
  readonly reason: string;
}

/** Personal data and a one-time secret: never logged, never in a failure. */
export interface Scan {
  /** The complete text of the QR code, passed on as it is. */
  readonly content: string;
  /** `longitude,latitude` in decimal degrees, without blanks. */
  readonly location: string;
}

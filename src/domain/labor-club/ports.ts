import type { CallContext, Student } from '../context.ts';
import type {
  ActivityDetail,
  ClubApplication,
  ClubDirectory,
  DirectoryClub,
  JoinedClubs,
  LaborActivities,
  SignItems,
} from './records.ts';

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

/**
 * The port of the labor club system, implemented by campus/ldjlb. Every method throws `Failure`s of the
 * sign-in kinds, `ticket-unavailable`, `upstream-unavailable`, `upstream-unreadable`, `session-lost` or `timed-out`.
 * Reads throw `upstream-refused` {upstreamMessage} where their result has no place for a refusal, and `upstream-empty`
 * where a value is due.
 */
export interface LaborClubCampus {
  /** Number of finished activities. */
  finishedCount(student: Student, context: CallContext): Promise<number>;
  /** All of them, over all upstream pages. */
  joinedActivities(student: Student, context: CallContext): Promise<LaborActivities>;
  joinedClubs(student: Student, context: CallContext): Promise<JoinedClubs>;
  /** One upstream page. */
  clubActivities(student: Student, query: ClubActivitiesQuery, context: CallContext): Promise<LaborActivities>;
  /** One upstream page of the directory. */
  directoryPage(
    student: Student,
    query: { page: number; pageSize: number },
    context: CallContext,
  ): Promise<ClubDirectory>;
  /** The whole directory. @throws Failure `upstream-unreadable` also where it is longer than any real one */
  directory(student: Student, context: CallContext): Promise<readonly DirectoryClub[]>;
  /** All of them, in the order of the campus. */
  clubApplications(student: Student, context: CallContext): Promise<readonly ClubApplication[]>;
  signItems(student: Student, activityId: string, context: CallContext): Promise<SignItems>;
  activityDetail(student: Student, activityId: string, context: CallContext): Promise<ActivityDetail>;
  /** A write: sent once. A refusal is a result. @throws Failure also `outcome-unknown` when the answer was lost */
  signUp(student: Student, signUp: SignUp, context: CallContext): Promise<Decision>;
  /** As `signUp`. */
  joinClub(student: Student, joining: ClubJoining, context: CallContext): Promise<Decision>;
  /** As `signUp`. */
  scan(student: Student, scan: Scan, context: CallContext): Promise<ScanDecision>;
}

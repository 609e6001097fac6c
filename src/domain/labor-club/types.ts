/** Ids are opaque texts; times are texts of the campus, `YYYY-MM-DD HH:MM:SS` in campus time, `""` when unknown. */

export interface LaborProgress {
  /** Finished activities. */
  readonly finished: number;
  /** 0–100; ten finished activities are all that is asked for. */
  readonly percentage: number;
}

export interface LaborActivity {
  readonly id: string;
  readonly icon: string | null;
  readonly state: number;
  readonly stateName: string;
  readonly typeId: string;
  readonly typeName: string;
  readonly title: string;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly leaderId: string;
  readonly leaderName: string;
  readonly clubId: string;
  readonly clubName: string;
  /** People who signed up. */
  readonly members: number;
  readonly addedAt: string;
  readonly places: number;
  readonly fewestMembers: number | null;
  /** The student has joined. */
  readonly joined: boolean | null;
  readonly closed: boolean | null;
  readonly signUpFrom: string;
  readonly signUpUntil: string;
}

export interface PageInfo {
  /** Rows over all pages. */
  readonly total: number;
  readonly size: number;
  /** From 1. */
  readonly index: number;
}

export interface LaborActivities {
  readonly activities: readonly LaborActivity[];
  readonly page: PageInfo;
}

export interface ClubActivitiesQuery {
  readonly clubId: string;
  /** From 1. */
  readonly page: number;
  /** 1–100. */
  readonly pageSize: number;
}

export interface LaborClubEntry {
  readonly id: string;
  readonly name: string;
  readonly typeId: string;
  readonly typeName: string;
  /** Size the club may have. */
  readonly places: number;
  readonly projectId: string;
  readonly projectName: string;
  readonly icon: string;
  readonly description: string | null;
  readonly chairId: string;
  readonly chairName: string;
  readonly departmentCode: string;
  readonly departmentName: string;
  readonly contact: string | null;
  readonly enabled: boolean;
  readonly members: number;
}

/** A club of the directory. */
export interface DirectoryClub {
  readonly id: string;
  readonly name: string;
  readonly typeId: string;
  readonly typeName: string;
  readonly projectId: string;
  readonly projectName: string;
  /** Size the club may have; more members than that do not close it. */
  readonly places: number;
  readonly members: number;
  readonly icon: string | null;
  readonly description: string | null;
  /** It can be applied for. */
  readonly enabled: boolean;
  /** The student is a member. */
  readonly joined: boolean;
}

export interface ClubDirectory {
  readonly clubs: readonly DirectoryClub[];
  readonly page: PageInfo;
}

export interface DirectoryQuery {
  /** From 1. */
  readonly page: number;
  /** 1–100. */
  readonly pageSize: number;
  /** A part of the name, without blanks at its ends; `""` for all clubs. */
  readonly keyword: string;
}

/** An application for a club, as the campus tells it. */
export interface ClubApplication {
  readonly id: string;
  readonly clubId: string;
  readonly clubName: string;
  readonly reason: string;
  readonly addedAt: string;
  readonly comment: string;
  /** Null while nobody has decided. */
  readonly agreed: boolean | null;
  /** `""` where the campus names no state. */
  readonly stateName: string;
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

export interface SignItem {
  readonly id: string;
  /** 1: sign-in. */
  readonly type: number;
  readonly typeName: string;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly signed: boolean;
  /** `""` while not signed. */
  readonly signedAt: string;
}

/** `code` other than 0: the campus refused, and there are no items. */
export interface SignItems {
  readonly code: number;
  readonly items: readonly SignItem[];
}

export interface ActivityFacts extends Omit<LaborActivity, 'stateName' | 'joined'> {
  /** An application is examined before it counts. */
  readonly needsExamination: boolean;
  readonly isMember: boolean;
  readonly isManager: boolean;
}

export interface FormField {
  readonly id: string;
  readonly name: string;
  readonly required: boolean;
  readonly fieldType: number;
  readonly value: string;
}

/** One step of the approval of an activity; the examiner's part is empty while it is pending. */
export interface ApprovalStep {
  readonly id: string;
  readonly approved: boolean;
  readonly flowType: number;
  readonly flowTypeName: string;
  readonly applicantId: string | null;
  readonly applicantName: string;
  readonly examinerId: string;
  readonly examinerName: string;
  readonly comment: string;
  readonly addedAt: string;
  readonly examinedAt: string;
}

export interface ActivityTeacher {
  readonly id: string;
  readonly activityId: string;
  readonly userId: string;
  readonly name: string;
  readonly addedAt: string;
  readonly addedBy: string;
}

/** `code` other than 0: the campus refused, and everything else is empty. */
export interface ActivityDetail {
  readonly code: number;
  readonly facts: ActivityFacts | null;
  readonly form: readonly FormField[];
  readonly approval: readonly ApprovalStep[];
  /** Reserved places, in a form that nobody has described: passed on as they are. */
  readonly venues: readonly unknown[];
  readonly teachers: readonly ActivityTeacher[];
}

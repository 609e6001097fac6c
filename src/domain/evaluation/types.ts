/** A course in the evaluation list of a student, whether evaluated already or not. */
export interface EvaluationCourse {
  /** Null when the campus sends none: such a course cannot be evaluated by a program. */
  readonly id: {
    /** Staff number of the person evaluated. */
    readonly staffNumber: string;
    readonly sequence: string;
    /** Course number. */
    readonly contentNumber: string;
    /** Number of the questionnaire where `questionnaire` is null; often `""`. */
    readonly questionnaireCoding: string;
  } | null;
  readonly questionnaire: { readonly number: string; readonly name: string } | null;
  readonly teacher: string;
  readonly courseName: string;
  /** `是` is done; anything else, also `""`, is pending. As the campus writes it. */
  readonly evaluated: string;
}

export interface EvaluationList {
  readonly courses: readonly EvaluationCourse[];
  /** Courses as the campus counts them; the number of rows where it does not say. */
  readonly total: number;
  /** Pending courses as the campus counts them; null where it does not say. */
  readonly pending: number | null;
}

/** Whether the evaluation season is on. The token belongs to the session and goes into every questionnaire request. */
export type EvaluationIndex = { readonly open: true; readonly token: string } | { readonly open: false };

/**
 * What the campus said to a submission. `not-yet`: refused for the time or the page token, so another plan may work.
 * `not-sent`: it never left. `unknown`: no readable answer; whether anything was stored, only the list can tell.
 */
export type SubmissionOutcome = 'accepted' | 'refused' | 'not-yet' | 'not-sent' | 'unknown';

export const isPending = (course: EvaluationCourse): boolean => course.evaluated !== '是';

/** One student's task as stored. `revision` grows with every write, whoever writes. */
export interface StoredTask {
  readonly userid: string;
  readonly revision: number;
  readonly snapshot: string;
  /** Who is at work on it; null: nobody. */
  readonly owner: string | null;
  /** When it is forgotten; null while it is active. */
  readonly expiresAt: number | null;
}

export interface TaskWrite {
  readonly userid: string;
  /** The revision that this write replaces; null: there is no task yet. */
  readonly revision: number | null;
  readonly snapshot: string;
  /** Somebody has to be at work on it: without an owner, or with one whose lease has ended, anybody may claim it. */
  readonly active: boolean;
  /** `keep`: whoever is at work stays. */
  readonly lease: 'keep' | { readonly owner: string; readonly now: number; readonly lifeMs: number } | null;
  /** When the task is forgotten; null: not while it is active. */
  readonly expiresAt: number | null;
}

/** Revisions by student. */
export type Revisions = ReadonlyArray<{ readonly userid: string; readonly revision: number }>;

/**
 * Tasks of all students over all replicas, one per student. They go with the account. Leases go by the time of the
 * database; `now` is that of this process, for a database that has none.
 */
export interface EvaluationStore {
  read(userid: string): Promise<StoredTask | null>;
  /** The new revision; null when the stored one is another (or the account is gone) and nothing was written. */
  write(entry: TaskWrite): Promise<number | null>;
  /** All active tasks of this owner. */
  held(owner: string): Promise<Revisions>;
  /**
   * Prolongs leases of this owner; those that have ended as well, unless somebody has claimed them.
   * @returns what is prolonged
   */
  renew(owner: string, userids: readonly string[], now: number, lifeMs: number): Promise<Revisions>;
  /** Takes over at most `limit` active tasks that nobody is at work on. Each gets a new revision. */
  claim(owner: string, now: number, lifeMs: number, limit: number): Promise<readonly StoredTask[]>;
  /** Gives up everything of this owner: others may claim it at once. */
  release(owner: string): Promise<void>;
  /** Forgets what has expired at `now`. */
  sweep(now: number): Promise<number>;
}

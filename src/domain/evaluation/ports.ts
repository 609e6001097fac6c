import type { CallContext, Student } from '../context.ts';
import type { Answers, Questionnaire } from './questionnaire.ts';
import type { SubmissionOutcome } from './task.ts';
import type { EvaluationCourse, EvaluationIndex } from './types.ts';

/**
 * What the academic-affairs system offers to the task; implemented by campus/jwc. Reads throw `Failure`s of the
 * sign-in kinds, `upstream-unavailable`, `upstream-unreadable`, `upstream-refused`, `session-lost` or `timed-out`.
 */
export interface EvaluationCampus {
  /** Reads whether the season is open, and keeps the token that opening pages needs with the session. */
  season(student: Student, context: CallContext): Promise<EvaluationIndex>;
  /** All courses. `expected` is their number as far as known, so that one request brings them all. */
  courses(student: Student, expected: number, context: CallContext): Promise<readonly EvaluationCourse[]>;
  /**
   * Opens the questionnaire of a course, which starts the campus's own clock. null: the season is closed meanwhile.
   * @param count pending courses of the run
   */
  open(student: Student, course: EvaluationCourse, count: number, context: CallContext): Promise<Questionnaire | null>;
  /**
   * Sends the answers, once. Never throws for what the campus does: an answer that is lost is `unknown`. `page-lost`:
   * the session of the page has ended, and nothing was sent.
   */
  submit(
    student: Student,
    course: EvaluationCourse,
    questionnaire: Questionnaire,
    answers: Answers,
    count: number,
    context: CallContext,
  ): Promise<SubmissionOutcome | 'page-lost'>;
}

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
  readonly lease: 'keep' | { readonly owner: string; readonly until: number } | null;
  /** When the task is forgotten; null: not while it is active. */
  readonly expiresAt: number | null;
}

/** Tasks of all students over all replicas, one per student. They go with the account. */
export interface EvaluationStore {
  read(userid: string): Promise<StoredTask | null>;
  /** The new revision; null when the stored one is another (or the account is gone) and nothing was written. */
  write(entry: TaskWrite): Promise<number | null>;
  /** Revisions of all active tasks of this owner. */
  held(owner: string): Promise<ReadonlyArray<{ readonly userid: string; readonly revision: number }>>;
  /** Prolongs leases of this owner; those that have ended as well, unless somebody has claimed them. */
  renew(owner: string, userids: readonly string[], until: number): Promise<void>;
  /** Takes over at most `limit` active tasks that nobody is at work on. Each gets a new revision. */
  claim(owner: string, now: number, until: number, limit: number): Promise<readonly StoredTask[]>;
  /** Gives up everything of this owner: others may claim it at once. */
  release(owner: string): Promise<void>;
  /** Forgets what has expired at `now`. */
  sweep(now: number): Promise<number>;
}

import type { TagOf } from '../../lib/hash.ts';
import type { Clock } from '../../lib/time.ts';
import type { CallContext, Log, Student } from '../context.ts';
import type { Writes } from '../reads/writes.ts';
import type {
  AttemptFault,
  EvaluationCourse,
  EvaluationPlan,
  EvaluationTask,
  Preview,
  RunTiming,
  TaskFault,
} from './task.ts';

export interface EvaluationList {
  readonly courses: readonly EvaluationCourse[];
  /** Courses as the campus counts them; the number of rows where it does not say. */
  readonly total: number;
  /** Pending courses as the campus counts them; null where it does not say. */
  readonly pending: number | null;
}

/**
 * The campus's answer to a submission. `not-yet`: refused for the time or the page token, so another plan may work.
 * `not-sent`: it never left. `spent`: the session or the token of the page was no longer good, which does not prove that
 * nothing was stored. `unknown`: no readable answer; only the list can tell whether anything was stored.
 */
export type SubmissionOutcome = 'accepted' | 'refused' | 'not-yet' | 'not-sent' | 'spent' | 'unknown';

/** Courses as clients name them, in one of the two. With neither, what the stopped run before left out stays out. */
export interface StartChoice {
  readonly exclude?: readonly string[];
  readonly only?: readonly string[];
}

export interface OfCourse {
  readonly key: string;
}

interface TaskEvents {
  /** `keep`: previews and exclusions of a run that was stopped stay for the next one, if it follows at once. */
  initialize: { readonly keep?: boolean };
  'list-loaded': { readonly courses: readonly EvaluationCourse[] };
  'initialization-failed': { readonly fault: TaskFault };
  /** Refused where answers were drawn for the course before. */
  previewed: { readonly preview: Preview };
  /** Replaces answers to the same questions. */
  edited: { readonly preview: Preview };
  /** `hasRoom`: one more run may begin in this process. */
  start: { readonly plan: EvaluationPlan; readonly timing: RunTiming; readonly hasRoom: boolean } & StartChoice;
  terminate: object;
  /** The same from a process that is not at work on the run: the one that is ends it when it has seen this. */
  'stop-asked': object;
  'stop-overdue': object;
  'page-opening': OfCourse;
  'page-opened': OfCourse;
  'page-failed': OfCourse & { readonly fault: AttemptFault };
  /** Stored before anything is sent, so that a later reader knows that something may be on its way. */
  'submission-begun': OfCourse;
  'submission-answered': OfCourse & { readonly outcome: SubmissionOutcome };
  'page-lost': OfCourse;
  /** null: the list could not be read. */
  'list-read': { readonly courses: readonly EvaluationCourse[] | null };
  /** The campus wants a second step, at the opening of a page or (null) at a reading of the list. */
  'person-needed': { readonly key: string | null };
  'run-failed': { readonly fault: TaskFault };
  interrupted: object;
}

export type TaskEventType = keyof TaskEvents;
export type TaskEvent<T extends TaskEventType = TaskEventType> = { [K in T]: { readonly type: K } & TaskEvents[K] }[T];

/** The result of each type of event; with null or no row the event does not apply. */
export type TransitionRows<Of> = {
  readonly [T in TaskEventType]?: (task: Of, event: TaskEvent<T>, now: number) => EvaluationTask | null;
};

/** A process without a heartbeat for this long counts as dead, and its runs as failed. */
export const PROCESS_LIFE_MS = 60_000;

/** A student's task as stored. `revision` grows with every write. */
export interface StoredTask {
  readonly userid: string;
  readonly revision: number;
  readonly snapshot: string;
  /** The process at work on it; null: none has to be. */
  readonly owner: string | null;
  /** Its owner has sent no heartbeat for `PROCESS_LIFE_MS`. */
  readonly hasDied: boolean;
  /** When it is forgotten; null while a process is at work on it. */
  readonly expiresAt: number | null;
}

export interface TaskWrite extends Omit<StoredTask, 'revision' | 'hasDied'> {
  /** The revision that this write replaces; null: there is no task yet. */
  readonly revision: number | null;
  /** Counts as a heartbeat of the owner. */
  readonly lives: boolean;
  /** This process's time, for a database that has none. */
  readonly now: number;
}

/** One task per student, shared by all replicas and erased with the account. Times are the database's. */
export interface EvaluationStore {
  read(userid: string, now: number): Promise<StoredTask | null>;
  /** Returns the new revision; null if the stored one differs or the account is gone, and nothing was written. */
  write(entry: TaskWrite): Promise<number | null>;
  /** Sends a heartbeat for the tasks of these students; returns those that are still the owner's. */
  beat(
    owner: string,
    userids: readonly string[],
    now: number,
  ): Promise<ReadonlyArray<Pick<StoredTask, 'userid' | 'revision'>>>;
}

/** `weight` is 0 where the page states none. */
export interface RatingOption {
  readonly value: string;
  readonly weight: number;
  /** Its name on the page, or `""`. */
  readonly label: string;
}

export interface RatingQuestion {
  readonly name: string;
  /** Its text on the page; `""` where none is found. */
  readonly question: string;
  /** In page order; never empty. */
  readonly options: readonly RatingOption[];
}

export type CommentSort = 'overall' | 'inspiration' | 'suggestion' | 'general';

export interface CommentQuestion {
  readonly name: string;
  readonly question: string;
  readonly sort: CommentSort;
  /** Most characters the field takes; null where the page states no limit. */
  readonly maxLength: number | null;
}

/** An open questionnaire page. Its token is good for one submission and ends with the campus session. */
export interface Questionnaire {
  readonly token: string;
  /** Names that session: nothing can be submitted under another one. */
  readonly session: string;
  /** Heading of the page; `""` without one. */
  readonly title: string;
  /** Numbers on the page, here and below; `""` without one. */
  readonly questionnaireNumber: string;
  readonly staffNumber: string;
  readonly contentNumber: string;
  /** Never empty at the same time as `comments`. */
  readonly ratings: readonly RatingQuestion[];
  readonly comments: readonly CommentQuestion[];
}

/** Field name and value, in the order of the page. */
export type QuestionnaireAnswers = ReadonlyArray<readonly [name: string, value: string]>;

/** The answers to an open page. */
export interface Submission {
  readonly course: EvaluationCourse;
  readonly questionnaire: Questionnaire;
  readonly answers: QuestionnaireAnswers;
  /** Pending courses of the run. */
  readonly count: number;
}

/**
 * Implemented by campus/products/urp. Reads throw Failures of the sign-in kinds, `upstream-unavailable`, `upstream-unreadable`,
 * `upstream-refused`, `session-lost` or `timed-out`.
 */
export interface EvaluationCampus {
  /** Tells whether courses can be evaluated now, and stores the token for opening pages with the session. */
  season(student: Student, context: CallContext): Promise<boolean>;
  /** All courses. `expected`: their number, as far as known, so that one request brings them all. */
  courses(student: Student, expected: number, context: CallContext): Promise<readonly EvaluationCourse[]>;
  /** Opens a questionnaire, which starts the campus's clock. `count`: courses of the run. null: the season is over. */
  open(student: Student, course: EvaluationCourse, count: number, context: CallContext): Promise<Questionnaire | null>;
  /** Sends the answers, once; never throws. `page-lost`: the session of the page has ended, and nothing was sent. */
  submit(student: Student, submission: Submission, context: CallContext): Promise<SubmissionOutcome | 'page-lost'>;
}

/** Texts by kind of question, none of them empty, and how often the best mark is chosen. */
export interface AnswerPools {
  readonly overall: readonly string[];
  readonly inspiration: readonly string[];
  readonly suggestion: readonly string[];
  /** 0 to 1: share of ratings that get the full mark; the others get the next one below. */
  readonly fullMarkShare: number;
}

/** A number from 0 (included) to 1 (excluded). */
export type RandomSource = () => number;

export interface EvaluationDeps {
  readonly campus: EvaluationCampus;
  /** Submissions end the freshness of what was read before them. */
  readonly writes: Pick<Writes, 'during'>;
  readonly store: EvaluationStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly tagOf: TagOf;
  readonly random: RandomSource;
  /** Names this process. */
  readonly owner: string;
  /** No other process uses this database. */
  readonly isAlone: () => boolean;
  readonly settings: {
    readonly plan: EvaluationPlan;
    readonly timing: RunTiming;
    /** Most runs at once in this process, whose memory this guards. */
    readonly maxRunning: number;
    readonly pools: AnswerPools;
    /** Deadline of one call at the campus, sign-in included. */
    readonly callMs: number;
  };
}

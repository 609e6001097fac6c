import { type EvaluationCourse, isPending } from './types.ts';

export type TaskStatus = 'idle' | 'initializing' | 'running' | 'paused' | 'completed' | 'failed' | 'terminated';

export type EvaluationPlan = 'overlapped' | 'sequential';

/** Why a task failed; the surface has the words. */
export type TaskFault =
  | 'season-closed'
  | 'index-failed'
  | 'list-failed'
  | 'list-empty'
  | 'sign-in-failed'
  | 'interrupted'
  | 'unexpected';

/**
 * What the campus said to a submission. `not-yet`: refused for the time or the page token, so another plan may work.
 * `unknown`: no readable answer; whether anything was stored, only the list can tell.
 */
export type SubmissionOutcome = 'accepted' | 'refused' | 'not-yet' | 'unknown';

export type AttemptPhase =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'opening' }
  /** The page is open since `openedAt`; it may be submitted once the wait of the run is over. */
  | { readonly kind: 'counting'; readonly openedAt: number }
  | { readonly kind: 'submitting' }
  /** The submission is over, the list has not been read since. `reads` have failed; the next is due at `nextReadAt`. */
  | {
      readonly kind: 'verifying';
      readonly outcome: SubmissionOutcome;
      readonly reads: number;
      readonly nextReadAt: number;
    }
  | { readonly kind: 'done'; readonly result: AttemptResult };

/** `skipped`: somebody else evaluated the course meanwhile. `interrupted`: neither success nor failure. */
export type AttemptResult = 'success' | 'failure' | 'skipped' | 'interrupted';

export interface Attempt {
  /** Identity of the course within the run, see `courseKey`. */
  readonly key: string;
  readonly phase: AttemptPhase;
}

export interface RunTiming {
  /** From the answer of the questionnaire page to its submission. */
  readonly waitMs: number;
  /** Between two courses of the sequential plan. */
  readonly pauseMs: number;
  /** Between two openings of the overlapped plan. */
  readonly openEveryMs: number;
}

export interface EvaluationRun {
  readonly plan: EvaluationPlan;
  /** An overlapped run that goes on one course at a time; happens once at most. */
  readonly fellBack: boolean;
  readonly timing: RunTiming;
  /** Pending courses at the start; the campus wants the number with every page. */
  readonly count: number;
  /** In the order in which the courses are evaluated. */
  readonly attempts: readonly Attempt[];
  /** Open pages that ended with their campus session before they were submitted. */
  readonly pagesLost: number;
  readonly lastOpenedAt: number | null;
  readonly pauseUntil: number | null;
  readonly stopRequestedAt: number | null;
  /** After an interruption the list comes first: what was on its way then may be stored by now. */
  readonly refreshDue: boolean;
  readonly lastResult: { readonly courseName: string; readonly success: boolean } | null;
}

/** The evaluation task of one student: plain data, stored as it is. Times are epoch milliseconds. */
export interface EvaluationTask {
  readonly status: TaskStatus;
  /** The latest list, evaluated courses included. */
  readonly courses: readonly EvaluationCourse[];
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly fault: TaskFault | null;
  readonly successCount: number;
  readonly failCount: number;
  readonly run: EvaluationRun | null;
}

/**
 * Tells the courses of a run apart: staff number, sequence and course number. Without the number of the person or of
 * the course, their names stand in: a sequence alone is shared by many courses, which would pass for one. The
 * questionnaire is no part of it: the list stops naming it once a course is evaluated.
 */
export const courseKey = ({ id, teacher, courseName }: EvaluationCourse): string => {
  const numbers = id === null ? [] : [id.staffNumber, id.sequence, id.contentNumber];
  const isNamed = id !== null && id.staffNumber !== '' && id.contentNumber !== '';
  return JSON.stringify(isNamed ? numbers : [...numbers.filter((number) => number !== ''), teacher, courseName]);
};

export const isFinal = (status: TaskStatus): boolean =>
  status === 'completed' || status === 'failed' || status === 'terminated';

/** `paused` is never reached, but counts as active should a stored task say so. */
export const isActive = (status: TaskStatus): boolean => status === 'running' || status === 'paused';

const isSettled = ({ kind }: AttemptPhase): boolean => kind === 'done';

export const unfinished = (run: EvaluationRun): readonly Attempt[] =>
  run.attempts.filter(({ phase }) => !isSettled(phase));

/** Attempts that ended as success or failure. */
export const finishedCount = (task: EvaluationTask): number => task.successCount + task.failCount;

/** The course next to be submitted, null between the end of the last and the end of the run. */
export const currentAttempt = (run: EvaluationRun): Attempt | null => unfinished(run)[0] ?? null;

/** Of several rows with one key the pending one is meant. */
export const courseOf = (task: EvaluationTask, key: string): EvaluationCourse | null => {
  const rows = task.courses.filter((course) => courseKey(course) === key);
  return rows.find(isPending) ?? rows[0] ?? null;
};

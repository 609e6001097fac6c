import type { Clock } from '../../lib/clock.ts';
import { KeyLock } from '../../lib/key-lock.ts';
import type { TagOf } from '../../lib/keyed-names.ts';
import { raceSignal } from '../../lib/single-flight.ts';
import { backgroundCall } from '../background-call.ts';
import type { CallContext, Log, Student } from '../context.ts';
import { asFailure, type Failure, isFailure } from '../errors.ts';
import type { AnswerPools, RandomSource } from './answers.ts';
import type { StartChoice } from './machine.ts';
import { drawPreview, editPreview, type OwnAnswers } from './preview.ts';
import {
  changeablePreview,
  type EditResult,
  knownPreview,
  type PreviewResult,
  type StartRefusal,
  startRefusal,
  type TerminateRefusal,
  type Unseen,
} from './refusals.ts';
import { TaskRepository } from './repository.ts';
import { Runs } from './runs.ts';
import {
  type EvaluationPlan,
  type EvaluationTask,
  type RunTiming,
  stopAt,
  type TaskFault,
  type TaskStatus,
} from './task.ts';
import type { EvaluationCampus, EvaluationStore } from './types.ts';
import { type CurrentView, currentView, previewView, type TaskView, taskView } from './view.ts';

export type InitializeResult =
  | { readonly kind: 'loaded'; readonly view: TaskView }
  /** A task is under way and stays as it is. */
  | { readonly kind: 'busy'; readonly status: TaskStatus }
  /** `cause`: the failure of a reading, where one is behind it. */
  | { readonly kind: 'failed'; readonly fault: TaskFault; readonly cause: Failure | null };

/** `status` is the state after the call; `idle` where there is no task. */
type Ordered<R> =
  | { readonly accepted: true; readonly status: TaskStatus }
  | { readonly accepted: false; readonly status: TaskStatus; readonly reason: R };

interface EvaluationSettings {
  readonly plan: EvaluationPlan;
  readonly timing: RunTiming;
  /** Runs at once in this process, whose memory it guards. */
  readonly maxRunning: number;
  readonly pools: AnswerPools;
  /** Deadline of one call at the campus. */
  readonly callMs: number;
}

export interface EvaluationDeps {
  readonly campus: EvaluationCampus;
  readonly store: EvaluationStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly tagOf: TagOf;
  readonly random: RandomSource;
  /** Unique to this process. */
  readonly owner: string;
  readonly settings: EvaluationSettings;
}

/** How often the end of a run that is being stopped is looked for. */
const STOP_LOOK_MS = 100;

const ofSignIn = (error: unknown): error is Failure =>
  isFailure(
    error,
    'stored-credentials-refused',
    'stored-credentials-unreadable',
    'credentials-refused',
    'sign-in-guarded',
    'person-needed',
    'sign-in-unavailable',
    'ticket-unavailable',
    'token-user-gone',
  ) ||
  (isFailure(error, 'timed-out') && error.step !== undefined);

/** Failures of reading the list that the task itself tells; everything else is the call's failure. */
const ofReading = (error: unknown): boolean =>
  isFailure(error, 'upstream-unavailable', 'upstream-unreadable', 'upstream-refused', 'upstream-empty', 'timed-out');

/**
 * The automated evaluation of a student's courses: one task per student over all devices and replicas. Looks at once
 * for runs that no process works on. All throw Failure `storage-failed`; `status` and `current` never ask the campus.
 */
export const createEvaluation = (deps: EvaluationDeps) => {
  const { campus, clock, log, tagOf, random, settings } = deps;
  const { pools, callMs, maxRunning, plan, timing } = settings;
  const repository = new TaskRepository(deps);
  const runs = new Runs({ campus, clock, log, tagOf, pools, random, callMs }, repository, maxRunning);
  /** Two calls at once open a page once. */
  const previews = new KeyLock();

  const load = async (student: Student, signal: AbortSignal): Promise<InitializeResult> => {
    let fault: TaskFault = 'index-failed';
    try {
      const courses = await backgroundCall(log, callMs, signal, async (context) => {
        const season = await campus.season(student, context);
        if (!season.open) return null;
        fault = 'list-failed';
        return await campus.courses(student, 0, context);
      });
      if (courses === null) return await notLoaded(student, 'season-closed');
      const { held } = await repository.change(student.userid, { type: 'list-loaded', courses });
      if (held?.task.status === 'idle') return { kind: 'loaded', view: taskView(held.task, clock.now()) };
      return { kind: 'failed', fault: held?.task.fault ?? 'unexpected', cause: null };
    } catch (error) {
      if (!ofSignIn(error) && ofReading(error)) {
        log.warn({ student: tagOf(student.userid), failure: fault }, 'evaluation not initialized');
        return await notLoaded(student, fault, asFailure(error));
      }
      const own = !isFailure(error) || isFailure(error, 'storage-failed');
      const signIn = isFailure(error, 'person-needed') ? 'person-needed' : 'sign-in-failed';
      const told = ofSignIn(error) ? signIn : own ? 'unexpected' : fault;
      // The failure of the call is reported even if storing it fails.
      await notLoaded(student, told).catch(() => {});
      throw error;
    }
  };

  const notLoaded = async (
    { userid }: Student,
    fault: TaskFault,
    cause: Failure | null = null,
  ): Promise<InitializeResult> => {
    await repository.change(userid, { type: 'initialization-failed', fault });
    return { kind: 'failed', fault, cause };
  };

  const draw = async (student: Student, unseen: Unseen, name: string, context: CallContext) => {
    const { status, key, course, count } = unseen;
    const page = await campus.open(student, course, count, context);
    const preview = page && drawPreview(key, page, pools, random);
    if (preview === null) return { kind: 'refused', reason: 'season-closed', status } as const;
    // Only what is stored is shown: what another call has stored, or a run that has begun, comes first.
    const { held } = await repository.change(student.userid, { type: 'previewed', preview });
    runs.notice(student.userid, held);
    const stored = knownPreview(held?.task ?? null, name);
    if (stored.kind !== 'unseen') return stored;
    return { kind: 'refused', reason: 'not-now', status: held?.task.status ?? 'idle' } as const;
  };

  /** The run ends where it is at work; where none is, its end is written here after the grace. */
  const stopped = async (userid: string, stopping: EvaluationTask, { signal }: CallContext): Promise<TaskStatus> => {
    const overAt = (stopping.run && stopAt(stopping.run)) ?? clock.now();
    let task: EvaluationTask | null = stopping;
    while (task?.status === 'running') {
      if (clock.now() < overAt) {
        await clock.wait(STOP_LOOK_MS, signal);
        task = await taskOf(userid);
      } else {
        const { held } = await repository.change(userid, { type: 'stop-overdue' });
        runs.notice(userid, held);
        task = held?.task ?? null;
      }
    }
    return task?.status ?? 'idle';
  };

  /** A run at work here is answered from memory, everything else from storage. */
  const taskOf = async (userid: string): Promise<EvaluationTask | null> =>
    runs.taskOf(userid) ?? (await repository.load(userid))?.task ?? null;

  return {
    /** Runs at work in this process. */
    get running(): number {
      return runs.size;
    },
    /**
     * Loads the course list. Goes on when the caller leaves.
     * @param keep what a run that was stopped had shown and left alone is kept, for courses that are still pending
     * @throws Failure sign-in kinds, `session-lost`, `timed-out` {step}
     */
    async initialize({ userid }: Student, context: CallContext, keep = false): Promise<InitializeResult> {
      const { accepted, held } = await repository.change(userid, { type: 'initialize', keep }, true);
      if (!accepted) return { kind: 'busy', status: held?.task.status ?? 'idle' };
      const loading = runs.alongside(userid, (signal) => load({ userid }, signal));
      return await raceSignal(loading, context.signal);
    },
    /**
     * The answers for one course, which are drawn at the first call and sent by the run as they are shown. Asks the
     * campus for the page at that first call only.
     * @throws Failure those of `EvaluationCampus.open`; `upstream-unreadable` {part `questionnaire`}
     */
    preview: (student: Student, name: string, context: CallContext): Promise<PreviewResult> =>
      previews.run(student.userid, context.signal, async () => {
        const stored = knownPreview(await taskOf(student.userid), name);
        return stored.kind === 'unseen' ? await draw(student, stored, name, context) : stored;
      }),
    /**
     * Puts the student's own answers in place of those that were shown, until the run opens the course. Never asks
     * the campus.
     */
    editPreview: ({ userid }: Student, name: string, answers: OwnAnswers, { signal }: CallContext) =>
      previews.run(userid, signal, async (): Promise<EditResult> => {
        const shown = changeablePreview(await taskOf(userid), name);
        if ('kind' in shown) return shown;
        const preview = editPreview(shown, answers);
        if (!('key' in preview)) return { kind: 'invalid', faults: preview };
        const { accepted, held } = await repository.change(userid, { type: 'edited', preview });
        runs.notice(userid, held);
        return accepted && held !== null
          ? { kind: 'stored', preview: previewView(held.task, name, preview) }
          : { kind: 'refused', reason: 'not-now', status: held?.task.status ?? 'idle' };
      }),
    /** @param choice courses as `TaskCourse.courseKey` names them */
    start: ({ userid }: Student, _context: CallContext, choice: StartChoice = {}) =>
      runs.withPlace(async (place): Promise<Ordered<StartRefusal>> => {
        const leasedAt = clock.monotonic();
        const event = { ...choice, type: 'start', plan, timing, place } as const;
        const { accepted, held } = await repository.change(userid, event, true);
        const status = held?.task.status ?? 'idle';
        if (!accepted) return { accepted, status, reason: startRefusal(held?.task ?? null, choice) };
        if (held !== null && status === 'running') runs.begin(userid, held, leasedAt);
        return { accepted, status };
      }),
    /** Answers when the run has stopped: at once, or after a submission that is on its way, at most 5 s later. */
    async terminate({ userid }: Student, context: CallContext): Promise<Ordered<TerminateRefusal>> {
      const { accepted, held } = await repository.change(userid, { type: 'terminate' });
      if (held === null) return { accepted: false, status: 'idle', reason: 'no-task' };
      if (!accepted) return { accepted, status: held.task.status, reason: 'not-running' };
      runs.notice(userid, held);
      const status = await stopped(userid, held.task, context);
      return status === 'terminated'
        ? { accepted: true, status }
        : { accepted: false, status, reason: status === 'idle' ? 'no-task' : 'not-running' };
    },
    async status({ userid }: Student): Promise<TaskView | null> {
      const task = await taskOf(userid);
      return task && taskView(task, clock.now());
    },
    async current({ userid }: Student): Promise<CurrentView | null> {
      const task = await taskOf(userid);
      return task && currentView(task, clock.now());
    },
    /** What this process last knew of the state, for answers that cannot ask; `idle` where it was not at work. */
    lastKnown: async ({ userid }: Student): Promise<TaskStatus> => runs.lastKnown(userid)?.status ?? 'idle',
    /** Leaves every run to the next process. A submission on its way is awaited up to 5 s. */
    close: (): Promise<void> => runs.close(),
  };
};

export type RunningEvaluation = ReturnType<typeof createEvaluation>;
export type Evaluation = Omit<RunningEvaluation, 'running' | 'close'>;

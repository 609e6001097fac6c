import type { Clock } from '../../lib/clock.ts';
import { studentTag } from '../../lib/hash.ts';
import { raceSignal } from '../../lib/single-flight.ts';
import type { CallContext, Log, Student } from '../context.ts';
import { type Failure, isFailure } from '../errors.ts';
import type { AnswerPools, RandomSource } from './answers.ts';
import { backgroundCall } from './background-call.ts';
import { type Held, TaskDesk } from './desk.ts';
import { STOP_GRACE_MS } from './machine.ts';
import type { EvaluationCampus, EvaluationStore } from './ports.ts';
import { RunPool } from './run-pool.ts';
import {
  type EvaluationPlan,
  type EvaluationTask,
  isFinal,
  type RunTiming,
  type TaskFault,
  type TaskStatus,
} from './task.ts';
import { type CurrentView, currentView, type TaskView, taskView } from './view.ts';

export type InitializeResult =
  | { readonly kind: 'loaded'; readonly view: TaskView }
  /** A task is under way and stays as it is. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'failed'; readonly fault: TaskFault };

export type StartRefusal = 'under-way' | 'initializing' | 'not-initialized' | 'too-many';
export type TerminateRefusal = 'no-task' | 'not-running';

/** `status` is the state after the call; `idle` where there is no task. */
export type Ordered<R> =
  | { readonly accepted: true; readonly status: TaskStatus }
  | { readonly accepted: false; readonly status: TaskStatus; readonly reason: R };

/**
 * The automated evaluation of a student's courses: one task per student over all devices and replicas.
 * All throw Failure `storage-failed`; `status` and `current` never ask the campus.
 */
export interface Evaluation {
  /**
   * Loads the course list. Goes on when the caller leaves.
   * @throws Failure sign-in kinds, `session-lost`, `timed-out` {step}
   */
  initialize(student: Student, context: CallContext): Promise<InitializeResult>;
  start(student: Student, context: CallContext): Promise<Ordered<StartRefusal>>;
  /** Answers when the run has stopped: at once, or after a submission that is on its way, at most 5 s later. */
  terminate(student: Student, context: CallContext): Promise<Ordered<TerminateRefusal>>;
  status(student: Student): Promise<TaskView | null>;
  current(student: Student): Promise<CurrentView | null>;
  /** What this process last knew of the state, for answers that cannot ask. */
  lastKnown(student: Student): Promise<TaskStatus>;
}

export interface EvaluationSettings {
  readonly plan: EvaluationPlan;
  readonly timing: RunTiming;
  /** Runs at once in this process. */
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
  readonly random: RandomSource;
  /** Unique to this process. */
  readonly owner: string;
  readonly settings: EvaluationSettings;
}

export interface RunningEvaluation extends Evaluation {
  /** Runs at work in this process. */
  readonly running: number;
  /** Leaves every run to whoever comes next. A submission on its way is awaited up to 5 s. */
  close(): Promise<void>;
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
    'sign-in-unavailable',
    'ticket-unavailable',
    'token-user-gone',
  ) ||
  (isFailure(error, 'timed-out') && error.step !== undefined);

/** Failures of reading the list that the task itself tells; everything else is the call's failure. */
const ofReading = (error: unknown): boolean =>
  isFailure(error, 'upstream-unavailable', 'upstream-unreadable', 'upstream-refused', 'upstream-empty', 'timed-out');

const startRefusal = (task: EvaluationTask | null): StartRefusal => {
  if (task === null || isFinal(task.status)) return 'not-initialized';
  if (task.status === 'initializing') return 'initializing';
  // A task that is ready is refused for want of a place only.
  return task.status === 'idle' ? 'too-many' : 'under-way';
};

class EvaluationService implements RunningEvaluation {
  readonly #deps: EvaluationDeps;
  readonly #desk: TaskDesk;
  readonly #pool: RunPool;

  constructor(deps: EvaluationDeps) {
    const { campus, store, clock, log, random, owner, settings } = deps;
    this.#deps = deps;
    this.#desk = new TaskDesk({ store, clock, log, owner });
    const { pools, callMs, maxRunning } = settings;
    const work = { campus, desk: this.#desk, clock, log, pools, random, callMs };
    this.#pool = new RunPool({ work, store, owner, maxRunning });
    this.#pool.start();
  }

  get running(): number {
    return this.#pool.size;
  }

  async initialize({ userid }: Student, context: CallContext): Promise<InitializeResult> {
    const { accepted } = await this.#desk.change(userid, { type: 'initialize' }, true);
    if (!accepted) return { kind: 'busy' };
    const loading = this.#pool.alongside(userid, (signal) => this.#load({ userid }, signal));
    return await raceSignal(loading, context.signal);
  }

  async #load(student: Student, signal: AbortSignal): Promise<InitializeResult> {
    const { campus, log, settings, clock } = this.#deps;
    let fault: TaskFault = 'index-failed';
    try {
      const courses = await backgroundCall(log, settings.callMs, signal, async (context) => {
        const season = await campus.season(student, context);
        if (!season.open) return null;
        fault = 'list-failed';
        return await campus.courses(student, 0, context);
      });
      if (courses === null) return await this.#notLoaded(student, 'season-closed');
      const { held } = await this.#desk.change(student.userid, { type: 'list-loaded', courses });
      if (held?.task.status === 'idle') return { kind: 'loaded', view: taskView(held.task, clock.now()) };
      return { kind: 'failed', fault: held?.task.fault ?? 'unexpected' };
    } catch (error) {
      if (!ofSignIn(error) && ofReading(error)) {
        log.warn({ student: studentTag(student.userid), failure: fault }, 'evaluation not initialized');
        return await this.#notLoaded(student, fault);
      }
      const own = !isFailure(error) || isFailure(error, 'storage-failed');
      const told = ofSignIn(error) ? 'sign-in-failed' : own ? 'unexpected' : fault;
      // The failure of the call is the one to tell, whatever becomes of the note about it.
      await this.#notLoaded(student, told).catch(() => {});
      throw error;
    }
  }

  async #notLoaded({ userid }: Student, fault: TaskFault): Promise<InitializeResult> {
    await this.#desk.change(userid, { type: 'initialization-failed', fault });
    return { kind: 'failed', fault };
  }

  async start({ userid }: Student): Promise<Ordered<StartRefusal>> {
    const { plan, timing } = this.#deps.settings;
    const place = this.#pool.reserve();
    try {
      const event = { type: 'start', plan, timing, place: place !== null } as const;
      const { accepted, held, effects } = await this.#desk.change(userid, event, true);
      const status = held?.task.status ?? 'idle';
      if (!accepted) return { accepted, status, reason: startRefusal(held?.task ?? null) };
      if (held !== null && effects.includes('run')) this.#pool.work(userid, held);
      return { accepted, status };
    } finally {
      place?.free();
    }
  }

  async terminate({ userid }: Student, context: CallContext): Promise<Ordered<TerminateRefusal>> {
    const { accepted, held } = await this.#desk.change(userid, { type: 'terminate' });
    if (!accepted || held === null) {
      return held === null
        ? { accepted: false, status: 'idle', reason: 'no-task' }
        : { accepted: false, status: held.task.status, reason: 'not-running' };
    }
    await this.#pool.notice(userid);
    const status = await this.#stopped(userid, held, context);
    return status === 'terminated'
      ? { accepted: true, status }
      : { accepted: false, status, reason: status === 'idle' ? 'no-task' : 'not-running' };
  }

  /** The run ends where it is at work; should nobody be, its end is written here once the grace is over. */
  async #stopped(userid: string, stopping: Held, { signal }: CallContext): Promise<TaskStatus> {
    const { clock } = this.#deps;
    let held: Held | null = stopping;
    const overAt = (stopping.task.run?.stopRequestedAt ?? clock.now()) + STOP_GRACE_MS;
    while (held?.task.status === 'running') {
      if (clock.now() >= overAt) held = (await this.#desk.change(userid, { type: 'stop-overdue' })).held;
      else {
        await clock.wait(STOP_LOOK_MS, signal);
        held = await this.#desk.load(userid);
      }
    }
    await this.#pool.notice(userid);
    return held?.task.status ?? 'idle';
  }

  async status({ userid }: Student): Promise<TaskView | null> {
    const held = await this.#desk.load(userid);
    return held && taskView(this.#pool.latest(userid, held), this.#deps.clock.now());
  }

  async current({ userid }: Student): Promise<CurrentView | null> {
    const held = await this.#desk.load(userid);
    return held && currentView(this.#pool.latest(userid, held), this.#deps.clock.now());
  }

  async lastKnown({ userid }: Student): Promise<TaskStatus> {
    return this.#pool.taskOf(userid)?.status ?? 'idle';
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** Begins at once to look for runs that nobody is at work on. */
export const createEvaluation = (deps: EvaluationDeps): RunningEvaluation => new EvaluationService(deps);

import { HOUR_MS, pause } from '../../lib/time.ts';
import { type Failure, failures, isFailure } from '../errors.ts';
import { lostTask, transition } from './machine.ts';
import { type EvaluationTask, isFinal, isTaskBusy, readSnapshot, stopAt, taskStatusOf } from './task.ts';
import type { EvaluationDeps, StoredTask, TaskEvent } from './types.ts';

export const FINISHED_KEPT_MS = 24 * HOUR_MS;
const IDLE_KEPT_MS = 2 * HOUR_MS;
const TRIES = 10;
const STORING_PAUSE_MS = 1_000;

type TaskRevision = Pick<StoredTask, 'revision' | 'owner'>;

/** A task as it is stored at one revision. */
export interface HeldTask extends TaskRevision {
  readonly task: EvaluationTask;
}

/** The task after an event; `status` is `idle` where there is none. */
const change = (accepted: boolean, held: HeldTask | null) => {
  const task = held?.task ?? null;
  return { accepted, held, task, status: taskStatusOf(task) };
};

const keptUntil = ({ status }: EvaluationTask, now: number): number | null => {
  if (isFinal(status)) return now + FINISHED_KEPT_MS;
  return status === 'idle' ? now + IDLE_KEPT_MS : null;
};

const tooManyChanges = (): Failure => failures.internal('evaluation task changed too often');

type RepositoryDeps = Pick<EvaluationDeps, 'store' | 'clock' | 'log' | 'tagOf' | 'owner'>;

/**
 * Changes stored tasks by events. Each change replaces exactly the revision that it was computed from, so replicas may
 * apply any events at any time: of two at once, one is computed again.
 */
export class TaskRepository {
  readonly #deps: RepositoryDeps;

  constructor(deps: RepositoryDeps) {
    this.#deps = deps;
  }

  async load(userid: string): Promise<HeldTask | null> {
    return (await this.#find(userid)).held;
  }

  /** Applies an event to the stored task. `take`: this process works on it from then on. */
  async change(userid: string, event: TaskEvent, take = false): Promise<ReturnType<typeof change>> {
    const { store, clock, owner } = this.#deps;
    for (let attempt = 1; attempt <= TRIES; attempt += 1) {
      const { held, row } = await this.#find(userid);
      const task = transition(held?.task ?? null, event, clock.now());
      if (task === null) return change(false, held);
      const written = await this.write(userid, row, task, take ? owner : undefined);
      if (written !== null) return change(true, written);
      if (row === null && (await store.read(userid, clock.now())) === null) throw failures.tokenUserGone();
    }
    throw tooManyChanges();
  }

  /**
   * Stores the state that follows a row; null: another process has changed it since.
   * @param by the process that works on it, and lives; left out: the one before, whose heartbeat stays as it is
   */
  async write(userid: string, row: TaskRevision | null, task: EvaluationTask, by?: string): Promise<HeldTask | null> {
    const { store, clock } = this.#deps;
    const now = clock.now();
    const owner = isTaskBusy(task.status) ? (by ?? row?.owner ?? null) : null;
    const revision = await store.write({
      userid,
      revision: row?.revision ?? null,
      snapshot: JSON.stringify(task),
      owner,
      lives: owner !== null && by !== undefined,
      now,
      expiresAt: keptUntil(task, now),
    });
    return revision === null ? null : { task, revision, owner };
  }

  /** `held` is null for a task that has expired; one whose process has died fails here. */
  async #find(userid: string): Promise<{ readonly held: HeldTask | null; readonly row: TaskRevision | null }> {
    const { store, clock } = this.#deps;
    const row = await store.read(userid, clock.now());
    if (row === null || (row.expiresAt !== null && row.expiresAt <= clock.now())) return { held: null, row };
    const task = this.#taskOf(row);
    if (!isTaskBusy(task.status) || !row.hasDied) return { held: { ...row, task }, row };
    const failed = transition(task, { type: 'interrupted' }, clock.now()) ?? task;
    const held = await this.write(userid, { revision: row.revision, owner: null }, failed);
    return held === null ? this.#find(userid) : { held, row: held };
  }

  #taskOf({ userid, snapshot }: StoredTask): EvaluationTask {
    const { clock, log, tagOf } = this.#deps;
    const task = readSnapshot(snapshot);
    if (!('unreadable' in task)) return task;
    log.error({ student: tagOf(userid), reason: task.unreadable }, 'stored evaluation task cannot be read');
    return lostTask(clock.now());
  }
}

const over = failures.clientGone('evaluation run ended');

/** The task of a run at work in this process. Each transition is stored before it is taken. */
export class OwnTask {
  readonly userid: string;
  readonly #deps: Pick<EvaluationDeps, 'owner' | 'clock'>;
  readonly #repository: TaskRepository;
  readonly #end = new AbortController();
  readonly #stop = new AbortController();
  /** Aborted when the run has ended or this process has left it. */
  readonly ended = this.#end.signal;
  /** Aborted when the student wants it to stop. */
  readonly stopping = this.#stop.signal;
  #held: HeldTask;
  #isLeft = false;

  constructor(
    deps: Pick<EvaluationDeps, 'owner' | 'clock'>,
    repository: TaskRepository,
    userid: string,
    held: HeldTask,
  ) {
    this.userid = userid;
    this.#deps = deps;
    this.#repository = repository;
    this.#held = held;
    this.#signal();
  }

  get task(): EvaluationTask {
    return this.#held.task;
  }

  get revision(): number {
    return this.#held.revision;
  }

  /** This process no longer works on it, whether it has ended or not. */
  get isLeft(): boolean {
    return this.#isLeft;
  }

  throwIfLeft(): void {
    if (this.#isLeft) throw over;
  }

  /** True when the task took the event, which is then stored. A failing storage is tried again, each second. */
  async apply(event: TaskEvent): Promise<boolean> {
    const { clock, owner } = this.#deps;
    for (let attempt = 1; ; attempt += 1) {
      const task = transition(this.task, event, clock.now());
      if (task === null) return false;
      try {
        const stored = await this.#repository.write(this.userid, this.#held, task, owner);
        this.adopt(stored ?? (await this.#repository.load(this.userid)));
        if (stored !== null) return true;
        if (attempt === TRIES) throw tooManyChanges();
      } catch (error) {
        if (!isFailure(error, 'storage-failed') || attempt === TRIES) throw error;
        await pause(clock, STORING_PAUSE_MS, this.ended);
      }
      this.throwIfLeft();
    }
  }

  /** Adopts the stored task unless it is older than ours; leaves a task that is gone or belongs to another run. */
  adopt(held: HeldTask | null): void {
    const isOwn = held?.owner === this.#deps.owner && held.task.startedAt === this.task.startedAt;
    if (held === null || (isTaskBusy(held.task.status) && !isOwn)) {
      this.leave();
    } else if (held.revision >= this.revision) {
      this.#held = held;
      this.#signal();
    }
  }

  /** Aborts everything but a submission that is on its way. */
  leave(): void {
    this.#isLeft = true;
    this.#end.abort(over);
  }

  #signal(): void {
    if (this.task.status !== 'running') this.#end.abort(over);
    else if (stopAt(this.task.run) !== null) this.#stop.abort(over);
  }
}

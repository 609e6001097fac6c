import type { Clock } from '../../lib/clock.ts';
import type { TagOf } from '../../lib/keyed-names.ts';
import type { Log } from '../context.ts';
import { Failure, isFailure } from '../errors.ts';
import { lostTask, type TaskEvent, transition } from './machine.ts';
import { type EvaluationTask, isBusy, isFinal, readSnapshot, writeSnapshot } from './task.ts';
import type { EvaluationStore, Revisions, StoredTask, TaskWrite } from './types.ts';

/** A lease that is not renewed this long is over: any process may claim its task. */
export const LEASE_MS = 10_000;
const FINISHED_KEPT_MS = 24 * 3_600_000;
const IDLE_KEPT_MS = 2 * 3_600_000;
const TRIES = 10;
const STORING_PAUSE_MS = 1_000;

/** A task as it stood in storage at one revision. */
export interface Held {
  readonly task: EvaluationTask;
  readonly revision: number;
  /** This process is at work on it. */
  readonly own: boolean;
}

const keptUntil = ({ status }: EvaluationTask, now: number): number | null => {
  if (isFinal(status)) return now + FINISHED_KEPT_MS;
  return status === 'idle' ? now + IDLE_KEPT_MS : null;
};

interface RepositoryDeps {
  readonly store: EvaluationStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly tagOf: TagOf;
  /** Unique to this process. */
  readonly owner: string;
}

/**
 * The stored tasks, changed by events. Each change replaces exactly the revision it was computed from, so any replica
 * may apply any event at any time: of two at once one is computed again.
 */
export class TaskRepository {
  readonly #deps: RepositoryDeps;

  constructor(deps: RepositoryDeps) {
    this.#deps = deps;
  }

  async load(userid: string): Promise<Held | null> {
    const stored = await this.#deps.store.read(userid);
    return stored && this.#held(stored);
  }

  /**
   * Applies an event to what is stored. With `take` this process is at work on the task afterwards.
   * @returns the task after it, null where there is none
   */
  async change(userid: string, event: TaskEvent, take = false): Promise<{ accepted: boolean; held: Held | null }> {
    for (let attempt = 1; attempt <= TRIES; attempt += 1) {
      const stored = await this.#deps.store.read(userid);
      const held = stored && this.#held(stored);
      const task = transition(held?.task ?? null, event, this.#deps.clock.now());
      if (task === null) return { accepted: false, held };
      const own = take || (held?.own ?? false);
      const revision = await this.#write(userid, stored?.revision ?? null, task, take);
      if (revision !== null) return { accepted: true, held: { task, revision, own } };
      if (stored === null && (await this.#deps.store.read(userid)) === null) throw new Failure('token-user-gone');
    }
    throw new Failure('internal', { reason: 'evaluation task changed too often' });
  }

  /** Stores the next state of a task that this process is at work on; null: it has been changed elsewhere. */
  async replace(userid: string, { revision: before, own }: Held, task: EvaluationTask): Promise<Held | null> {
    const revision = await this.#write(userid, before, task, false);
    return revision === null ? null : { task, revision, own };
  }

  /** Prolongs the leases of these students' tasks. */
  renew(userids: readonly string[]): Promise<Revisions> {
    return this.#deps.store.renew(this.#deps.owner, userids, this.#deps.clock.now(), LEASE_MS);
  }

  /** What this process is at work on. */
  revisions(): Promise<Revisions> {
    return this.#deps.store.held(this.#deps.owner);
  }

  /** Claims at most `limit` tasks that no process works on; those that are not at work here already want `resume`. */
  claim(limit: number): Promise<readonly StoredTask[]> {
    return this.#deps.store.claim(this.#deps.owner, this.#deps.clock.now(), LEASE_MS, limit);
  }

  /**
   * Takes over a claimed task; null when there is nothing to work on. One that cannot be read, as of another version of
   * the service, has failed: left active, it would be claimed again and again.
   */
  async resume(stored: StoredTask): Promise<Held | null> {
    if (this.#held(stored) === null) {
      await this.#write(stored.userid, stored.revision, lostTask(this.#deps.clock.now()), false);
      return null;
    }
    const { accepted, held } = await this.change(stored.userid, { type: 'resumed' }, true);
    return accepted ? held : null;
  }

  /** Gives up everything that this process is at work on. */
  release(): Promise<void> {
    return this.#deps.store.release(this.#deps.owner);
  }

  #write(userid: string, revision: number | null, task: EvaluationTask, take: boolean): Promise<number | null> {
    const now = this.#deps.clock.now();
    const active = isBusy(task.status);
    const lease: TaskWrite['lease'] = take ? { owner: this.#deps.owner, now, lifeMs: LEASE_MS } : 'keep';
    return this.#deps.store.write({
      userid,
      revision,
      snapshot: writeSnapshot(task),
      active,
      lease: active ? lease : null,
      expiresAt: keptUntil(task, now),
    });
  }

  /** null also for a task that is over its time, or that cannot be read: the next initialization replaces it. */
  #held({ userid, revision, snapshot, owner, expiresAt }: StoredTask): Held | null {
    if (expiresAt !== null && expiresAt <= this.#deps.clock.now()) return null;
    const task = readSnapshot(snapshot);
    if (!('unreadable' in task)) return { task, revision, own: owner === this.#deps.owner };
    const fields = { student: this.#deps.tagOf(userid), reason: `stored evaluation task: ${task.unreadable}` };
    this.#deps.log.error(fields, 'stored evaluation task left out');
    return null;
  }
}

const over = new Failure('client-gone', { reason: 'evaluation run ended' });

interface HeldTaskOptions {
  readonly repository: TaskRepository;
  readonly clock: Clock;
  readonly userid: string;
  readonly held: Held;
  /** Monotonic time before the lease was asked for. */
  readonly leasedAt: number;
}

/**
 * The task of a run at work in this process: it lives here, and each transition is stored before it is taken. Leases
 * end by monotonic time, even if the time of day is changed.
 */
export class HeldTask {
  readonly userid: string;
  readonly #repository: TaskRepository;
  readonly #clock: Clock;
  readonly #leave = new AbortController();
  readonly #end = new AbortController();
  readonly #stop = new AbortController();
  #held: Held;
  #leasedUntil: number;

  constructor({ repository, clock, userid, held, leasedAt }: HeldTaskOptions) {
    this.userid = userid;
    this.#repository = repository;
    this.#clock = clock;
    this.#held = held;
    this.#leasedUntil = leasedAt + LEASE_MS;
    this.#signal();
  }

  get task(): EvaluationTask {
    return this.#held.task;
  }

  get revision(): number {
    return this.#held.revision;
  }

  /** False: another process may be at work by now, and only storage knows. */
  get isLeased(): boolean {
    return !this.isLeft && this.#clock.monotonic() < this.#leasedUntil;
  }

  get isLeft(): boolean {
    return this.left.aborted;
  }

  /** The three signals of a run; each comes once, and for good. This process is to leave it, ended or not. */
  get left(): AbortSignal {
    return this.#leave.signal;
  }

  /** It is over or left: what it reads is broken off. */
  get ended(): AbortSignal {
    return this.#end.signal;
  }

  /** The student wants it to stop: a submission that is on its way is awaited only so long. */
  get stopping(): AbortSignal {
    return this.#stop.signal;
  }

  /** True when the task took the event, which is stored then. A storage that does not answer is waited for. */
  async apply(event: TaskEvent): Promise<boolean> {
    for (let attempt = 1; ; attempt += 1) {
      const task = transition(this.task, event, this.#clock.now());
      if (task === null) return false;
      try {
        const stored = await this.#repository.replace(this.userid, this.#held, task);
        this.adopt(stored ?? (await this.#repository.load(this.userid)));
        if (stored !== null) return true;
        // Changed elsewhere: the event is applied to what has come of the task, if it is still this run's.
        this.left.throwIfAborted();
        if (attempt === TRIES) throw new Failure('internal', { reason: 'evaluation task changed too often' });
      } catch (error) {
        if (!isFailure(error, 'storage-failed') || attempt === TRIES) throw error;
        await this.#clock.wait(STORING_PAUSE_MS, this.left);
      }
    }
  }

  /** Takes the task as it is stored, or leaves it: to another process, to another run, or because it is gone. */
  adopt(held: Held | null): void {
    if (held === null || (isBusy(held.task.status) && !(held.own && held.task.startedAt === this.task.startedAt))) {
      this.leave();
      return;
    }
    // What storage answers after a newer answer is dropped.
    if (held.revision < this.#held.revision) return;
    this.#held = held;
    this.#signal();
  }

  /** Looks at what others did to the task. */
  async reload(): Promise<void> {
    this.adopt(await this.#repository.load(this.userid));
  }

  prolong(leasedAt: number): void {
    this.#leasedUntil = Math.max(this.#leasedUntil, leasedAt + LEASE_MS);
  }

  /** Asks for the lease again; false: another process has taken the task over or changed it. */
  async renew(): Promise<boolean> {
    const leasedAt = this.#clock.monotonic();
    const [renewed] = await this.#repository.renew([this.userid]);
    if (renewed?.revision !== this.revision) {
      await this.reload();
      return false;
    }
    this.prolong(leasedAt);
    return true;
  }

  /** Breaks off everything but a submission that is on its way. */
  leave(): void {
    this.#leave.abort(over);
    this.#end.abort(over);
  }

  #signal(): void {
    const { status, run } = this.task;
    if (status !== 'running') this.#end.abort(over);
    else if (run !== null && run.stopRequestedAt !== null) this.#stop.abort(over);
  }
}

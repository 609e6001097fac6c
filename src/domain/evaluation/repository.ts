import { type Clock, pause } from '../../lib/clock.ts';
import { Failure, isFailure } from '../errors.ts';
import { lostTask, transition } from './machine.ts';
import { type EvaluationTask, isBusy, isFinal, readSnapshot, stopAt, writeSnapshot } from './task.ts';
import type { EvaluationDeps, Lease, StoredTask, TaskEvent } from './types.ts';

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

const changedTooOften = (): Failure => new Failure('internal', { reason: 'evaluation task changed too often' });

/**
 * The stored tasks, changed by events. Each change replaces exactly the revision it was computed from, so any replica
 * may apply any event at any time: of two at once one is computed again.
 */
export const createTaskRepository = ({
  store,
  clock,
  log,
  tagOf,
  owner,
}: Pick<EvaluationDeps, 'store' | 'clock' | 'log' | 'tagOf' | 'owner'>) => {
  const leased = (): Lease => ({ owner, now: clock.now(), lifeMs: LEASE_MS });

  /** null also for a task that is over its time, or that cannot be read: the next initialization replaces it. */
  const heldOf = ({ userid, revision, snapshot, owner: by, expiresAt }: StoredTask): Held | null => {
    if (expiresAt !== null && expiresAt <= clock.now()) return null;
    const task = readSnapshot(snapshot);
    if (!('unreadable' in task)) return { task, revision, own: by === owner };
    const fields = { student: tagOf(userid), reason: `stored evaluation task: ${task.unreadable}` };
    log.error(fields, 'stored evaluation task left out');
    return null;
  };

  const write = async (userid: string, before: number | null, task: EvaluationTask, take = false) => {
    const active = isBusy(task.status);
    const lease = take ? leased() : 'keep';
    const entry = { userid, revision: before, snapshot: writeSnapshot(task), active };
    const expiresAt = keptUntil(task, clock.now());
    const revision = await store.write({ ...entry, lease: active ? lease : null, expiresAt });
    return revision === null ? null : { task, revision, own: true };
  };

  const change = async (userid: string, event: TaskEvent, take = false) => {
    for (let attempt = 1; attempt <= TRIES; attempt += 1) {
      const stored = await store.read(userid);
      const held = stored && heldOf(stored);
      const task = transition(held?.task ?? null, event, clock.now());
      if (task === null) return { accepted: false, held };
      const written = await write(userid, stored?.revision ?? null, task, take);
      if (written !== null) return { accepted: true, held: { ...written, own: take || (held?.own ?? false) } };
      if (stored === null && (await store.read(userid)) === null) throw new Failure('token-user-gone');
    }
    throw changedTooOften();
  };

  return {
    /** Of this process, from now on. */
    leased,
    async load(userid: string): Promise<Held | null> {
      const stored = await store.read(userid);
      return stored && heldOf(stored);
    },
    /**
     * Applies an event to what is stored. With `take` this process is at work on the task afterwards.
     * @returns the task after it, null where there is none
     */
    change,
    /** Stores the state that follows a revision, of a task that is this process's; null: it has been changed elsewhere. */
    write,
    /**
     * Takes over a claimed task; null when there is nothing to work on. One that cannot be read, as of another version
     * of the service, has failed: left active, it would be claimed again and again.
     */
    async resume(stored: StoredTask): Promise<Held | null> {
      if (heldOf(stored) === null) {
        await write(stored.userid, stored.revision, lostTask(clock.now()));
        return null;
      }
      const { accepted, held } = await change(stored.userid, { type: 'resumed' }, true);
      return accepted ? held : null;
    },
    /** Prolongs the lease of a task at that revision; false: it has been taken over or changed. */
    async renew(userid: string, revision: number): Promise<boolean> {
      const [renewed] = await store.renew(leased(), [userid]);
      return renewed?.revision === revision;
    },
  };
};

export type TaskRepository = ReturnType<typeof createTaskRepository>;

const over = new Failure('client-gone', { reason: 'evaluation run ended' });

/**
 * The task of a run at work in this process: it lives here, and each transition is stored before it is taken. Leases
 * end by monotonic time, even if the time of day is changed.
 */
export class HeldTask {
  readonly userid: string;
  readonly #repository: TaskRepository;
  readonly #clock: Clock;
  readonly #end = new AbortController();
  readonly #stop = new AbortController();
  #held: Held;
  #leasedUntil = Number.NEGATIVE_INFINITY;
  #isLeft = false;

  /** @param leasedAt monotonic time before the lease was asked for */
  constructor(repository: TaskRepository, clock: Clock, userid: string, held: Held, leasedAt: number) {
    this.userid = userid;
    this.#repository = repository;
    this.#clock = clock;
    this.#held = held;
    this.prolong(leasedAt);
    this.#signal();
  }

  get task(): EvaluationTask {
    return this.#held.task;
  }

  get revision(): number {
    return this.#held.revision;
  }

  /** This process is to leave it, ended or not. */
  get isLeft(): boolean {
    return this.#isLeft;
  }

  /** False: another process may be at work by now, and only storage knows. */
  get isLeased(): boolean {
    return !this.#isLeft && this.#clock.monotonic() < this.#leasedUntil;
  }

  /** It is over or left: what it reads is broken off. Comes once and for good, like `stopping`. */
  get ended(): AbortSignal {
    return this.#end.signal;
  }

  /** The student wants it to stop: a submission that is on its way is awaited only so long. */
  get stopping(): AbortSignal {
    return this.#stop.signal;
  }

  throwIfLeft(): void {
    if (this.#isLeft) throw over;
  }

  /** True when the task took the event, which is stored then. A storage that does not answer is waited for. */
  async apply(event: TaskEvent): Promise<boolean> {
    for (let attempt = 1; ; attempt += 1) {
      const task = transition(this.task, event, this.#clock.now());
      if (task === null) return false;
      try {
        const stored = await this.#repository.write(this.userid, this.revision, task);
        this.adopt(stored ?? (await this.#repository.load(this.userid)));
        if (stored !== null) return true;
        // Changed elsewhere: the event is applied to what has come of the task, if it is still this run's.
        if (attempt === TRIES) throw changedTooOften();
      } catch (error) {
        if (!isFailure(error, 'storage-failed') || attempt === TRIES) throw error;
        await pause(this.#clock, STORING_PAUSE_MS, this.ended);
      }
      this.throwIfLeft();
    }
  }

  /** Takes the task as it is stored, or leaves it: to another process, to another run, or because it is gone. */
  adopt(held: Held | null): void {
    if (held === null || (isBusy(held.task.status) && !(held.own && held.task.startedAt === this.task.startedAt))) {
      this.leave();
    } else if (held.revision >= this.revision) {
      // What storage answers after a newer answer is dropped.
      this.#held = held;
      this.#signal();
    }
  }

  /** Looks at what others did to the task. */
  async reload(): Promise<void> {
    this.adopt(await this.#repository.load(this.userid));
  }

  prolong(leasedAt: number): void {
    this.#leasedUntil = Math.max(this.#leasedUntil, leasedAt + LEASE_MS);
  }

  /** Asks for the lease again where it has ended; false: another process has taken the task over or changed it. */
  async leased(): Promise<boolean> {
    if (this.isLeased) return true;
    const leasedAt = this.#clock.monotonic();
    const isSame = await this.#repository.renew(this.userid, this.revision);
    if (isSame) this.prolong(leasedAt);
    else await this.reload();
    return isSame;
  }

  /** Breaks off everything but a submission that is on its way. */
  leave(): void {
    this.#isLeft = true;
    this.#end.abort(over);
  }

  #signal(): void {
    if (this.task.status !== 'running') this.#end.abort(over);
    else if (stopAt(this.task.run) !== null) this.#stop.abort(over);
  }
}

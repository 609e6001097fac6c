import type { Clock } from '../../lib/clock.ts';
import { studentTag } from '../../lib/hash.ts';
import type { Log } from '../context.ts';
import { Failure } from '../errors.ts';
import { lostTask, type TaskEvent, transition } from './machine.ts';
import { type EvaluationTask, isBusy, isFinal, readSnapshot, writeSnapshot } from './task.ts';

/** A lease that is not renewed this long is over: its task may be claimed by anybody. */
export const LEASE_MS = 10_000;
const FINISHED_KEPT_MS = 24 * 3_600_000;
const IDLE_KEPT_MS = 2 * 3_600_000;
const TRIES = 10;

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

/** Revisions by student. */
export type Revisions = ReadonlyArray<{ readonly userid: string; readonly revision: number }>;

/** Tasks of all students over all replicas, one per student. They go with the account. */
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
  renew(owner: string, userids: readonly string[], until: number): Promise<Revisions>;
  /** Takes over at most `limit` active tasks that nobody is at work on. Each gets a new revision. */
  claim(owner: string, now: number, until: number, limit: number): Promise<readonly StoredTask[]>;
  /** Gives up everything of this owner: others may claim it at once. */
  release(owner: string): Promise<void>;
  /** Forgets what has expired at `now`. */
  sweep(now: number): Promise<number>;
}

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

/**
 * The stored tasks, changed by events. Each change replaces exactly the revision it was computed from, so any replica
 * may apply any event at any time: of two at once one is computed anew.
 */
export class TaskRepository {
  readonly #store: EvaluationStore;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #owner: string;

  /** @param owner unique to this process */
  constructor(options: { store: EvaluationStore; clock: Clock; log: Log; owner: string }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#owner = options.owner;
  }

  async load(userid: string): Promise<Held | null> {
    const stored = await this.#store.read(userid);
    return stored && this.#held(stored);
  }

  /**
   * Applies an event to whatever is stored. With `take` this process is at work on the task afterwards.
   * @returns the task after it, null where there is none
   */
  async change(userid: string, event: TaskEvent, take = false): Promise<{ accepted: boolean; held: Held | null }> {
    for (let attempt = 1; attempt <= TRIES; attempt += 1) {
      const stored = await this.#store.read(userid);
      const held = stored && this.#held(stored);
      const task = transition(held?.task ?? null, event, this.#clock.now());
      if (task === null) return { accepted: false, held };
      const own = take || (held?.own ?? false);
      const revision = await this.#write(userid, stored?.revision ?? null, task, take);
      if (revision !== null) return { accepted: true, held: { task, revision, own } };
      if (stored === null && (await this.#store.read(userid)) === null) throw new Failure('token-user-gone');
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
    return this.#store.renew(this.#owner, userids, this.#clock.now() + LEASE_MS);
  }

  /** What this process is at work on. */
  revisions(): Promise<Revisions> {
    return this.#store.held(this.#owner);
  }

  /** Claims at most `limit` tasks that nobody is at work on; those that are not at work here already want `resume`. */
  claim(limit: number): Promise<readonly StoredTask[]> {
    const now = this.#clock.now();
    return this.#store.claim(this.#owner, now, now + LEASE_MS, limit);
  }

  /**
   * Takes over a claimed task; null when there is nothing to work on. One that cannot be read, as of another version of
   * the service, has failed: left active, it would be claimed again and again.
   */
  async resume(stored: StoredTask): Promise<Held | null> {
    if (this.#held(stored) === null) {
      await this.#write(stored.userid, stored.revision, lostTask(this.#clock.now()), false);
      return null;
    }
    const { accepted, held } = await this.change(stored.userid, { type: 'resumed' }, true);
    return accepted ? held : null;
  }

  /** Gives up everything that this process is at work on. */
  release(): Promise<void> {
    return this.#store.release(this.#owner);
  }

  #write(userid: string, revision: number | null, task: EvaluationTask, take: boolean): Promise<number | null> {
    const now = this.#clock.now();
    const active = isBusy(task.status);
    const lease: TaskWrite['lease'] = take ? { owner: this.#owner, until: now + LEASE_MS } : 'keep';
    return this.#store.write({
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
    if (expiresAt !== null && expiresAt <= this.#clock.now()) return null;
    const task = readSnapshot(snapshot);
    if (!('unreadable' in task)) return { task, revision, own: owner === this.#owner };
    const fields = { student: studentTag(userid), reason: `stored evaluation task: ${task.unreadable}` };
    this.#log.error(fields, 'stored evaluation task left out');
    return null;
  }
}

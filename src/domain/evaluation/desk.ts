import type { Clock } from '../../lib/clock.ts';
import { studentTag } from '../../lib/hash.ts';
import type { Log } from '../context.ts';
import { Failure } from '../errors.ts';
import { type Effect, lostTask, type TaskEvent, transition } from './machine.ts';
import type { EvaluationStore, StoredTask, TaskWrite } from './ports.ts';
import { BrokenSnapshot, readSnapshot, writeSnapshot } from './snapshot.ts';
import { type EvaluationTask, isActive, isFinal } from './task.ts';

/** A lease that is not renewed this long is over: its task may be claimed by anybody. */
export const LEASE_MS = 10_000;
const FINISHED_KEPT_MS = 24 * 3_600_000;
const IDLE_KEPT_MS = 2 * 3_600_000;
const ATTEMPTS = 10;

/** A task as it stood in storage at one revision. */
export interface Held {
  readonly task: EvaluationTask;
  readonly revision: number;
}

export interface Changed {
  readonly accepted: boolean;
  /** After the change; null where there is no task. */
  readonly held: Held | null;
  readonly effects: readonly Effect[];
}

/** Somebody else is at work on the task, or it is gone with its account. */
export class LeaseLost extends Error {
  constructor() {
    super('evaluation task is in other hands');
    this.name = 'LeaseLost';
  }
}

const isBusy = ({ status }: EvaluationTask): boolean => status === 'initializing' || isActive(status);

const keptUntil = ({ status }: EvaluationTask, now: number): number | null => {
  if (isFinal(status)) return now + FINISHED_KEPT_MS;
  return status === 'idle' ? now + IDLE_KEPT_MS : null;
};

/**
 * Applies events to stored tasks. Each change replaces exactly the revision it was computed from, so any replica may
 * apply any event at any time: of two at once one is computed anew.
 */
export class TaskDesk {
  readonly #store: EvaluationStore;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #owner: string;

  constructor(options: { store: EvaluationStore; clock: Clock; log: Log; owner: string }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#owner = options.owner;
  }

  async load(userid: string): Promise<Held | null> {
    const stored = await this.#store.read(userid);
    const task = stored && this.#taskOf(stored);
    return stored && task ? { task, revision: stored.revision } : null;
  }

  /** As `load`, for the one at work on the run `of`. @throws LeaseLost also when another run has taken its place */
  async loadOwn(userid: string, of: EvaluationTask): Promise<Held> {
    const stored = await this.#store.read(userid);
    const task = stored && this.#taskOf(stored);
    if (!stored || !task) throw new LeaseLost();
    if (isBusy(task) && (stored.owner !== this.#owner || task.startedAt !== of.startedAt)) throw new LeaseLost();
    return { task, revision: stored.revision };
  }

  /** An event from outside the work. With `take` this process is at work on the task afterwards. */
  async change(userid: string, event: TaskEvent, take = false): Promise<Changed> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const stored = await this.#store.read(userid);
      const task = stored && this.#taskOf(stored);
      const { task: next, accepted, effects } = transition(task, event, this.#clock.now());
      if (!accepted || next === null) {
        return { accepted: false, held: stored && task ? { task, revision: stored.revision } : null, effects: [] };
      }
      const revision = await this.#write(userid, stored?.revision ?? null, next, take);
      if (revision !== null) return { accepted, held: { task: next, revision }, effects };
      if (stored === null && (await this.#store.read(userid)) === null) throw new Failure('token-user-gone');
    }
    throw new Failure('internal', { reason: 'evaluation task changed too often' });
  }

  /**
   * Takes over a task that was claimed; null when there is nothing to work on. One that cannot be read, as of another
   * version of the service, has failed: left active, it would be claimed again and again.
   */
  async resume(stored: StoredTask): Promise<Held | null> {
    if (this.#taskOf(stored) === null) {
      await this.#write(stored.userid, stored.revision, lostTask(this.#clock.now()), false);
      return null;
    }
    const { accepted, held } = await this.change(stored.userid, { type: 'resumed' }, true);
    return accepted ? held : null;
  }

  /** Events of the work itself, stored together if the task takes the last one. @throws LeaseLost */
  async changeOwn(
    userid: string,
    held: Held,
    event: TaskEvent,
  ): Promise<{ readonly accepted: boolean; readonly held: Held }> {
    let current = held;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const { accepted, task } = transition(current.task, event, this.#clock.now());
      if (!accepted || task === null) return { accepted, held: current };
      const revision = await this.#write(userid, current.revision, task, false);
      if (revision !== null) return { accepted, held: { task, revision } };
      current = await this.loadOwn(userid, held.task);
    }
    throw new LeaseLost();
  }

  #write(userid: string, revision: number | null, task: EvaluationTask, take: boolean): Promise<number | null> {
    const now = this.#clock.now();
    const busy = isBusy(task);
    const mine: TaskWrite['lease'] = take ? { owner: this.#owner, until: now + LEASE_MS } : 'keep';
    return this.#store.write({
      userid,
      revision,
      snapshot: writeSnapshot(task),
      active: busy,
      lease: busy ? mine : null,
      expiresAt: keptUntil(task, now),
    });
  }

  /** null also for a task that is over its time, or that cannot be read: the next initialization replaces it. */
  #taskOf(stored: StoredTask): EvaluationTask | null {
    if (stored.expiresAt !== null && stored.expiresAt <= this.#clock.now()) return null;
    try {
      return readSnapshot(stored.snapshot);
    } catch (error) {
      if (!(error instanceof BrokenSnapshot)) throw error;
      this.#log.error({ student: studentTag(stored.userid), reason: error.message }, 'stored evaluation task left out');
      return null;
    }
  }
}

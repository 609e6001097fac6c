import type { Clock } from '../../lib/clock.ts';
import { isFailure } from '../errors.ts';
import type { Held, TaskDesk } from './desk.ts';
import type { TaskEvent } from './machine.ts';
import type { EvaluationTask } from './task.ts';

const STORAGE_TRIES = 10;
const STORAGE_PAUSE_MS = 1_000;

export interface OwnTaskOptions {
  readonly desk: TaskDesk;
  readonly clock: Clock;
  readonly userid: string;
  readonly held: Held;
  /** Ends the waiting for a storage that does not answer. */
  readonly leaving: AbortSignal;
}

/** The task in the hands of the one at work on it. Every transition is stored before anything follows from it. */
export class OwnTask {
  readonly #options: OwnTaskOptions;
  #stored: Held;

  constructor(options: OwnTaskOptions) {
    this.#options = options;
    this.#stored = options.held;
  }

  get task(): EvaluationTask {
    return this.#stored.task;
  }

  get revision(): number {
    return this.#stored.revision;
  }

  /** True when the task took the event, which is stored then. A storage that does not answer is waited for. @throws LeaseLost */
  async change(event: TaskEvent): Promise<boolean> {
    const { desk, userid, clock, leaving } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const { accepted, held } = await desk.changeOwn(userid, this.#stored, event);
        this.#take(held);
        return accepted;
      } catch (error) {
        if (!isFailure(error, 'storage-failed') || attempt === STORAGE_TRIES) throw error;
        await clock.wait(STORAGE_PAUSE_MS, leaving);
      }
    }
  }

  /** Looks what others have made of the task. @throws LeaseLost */
  async reload(): Promise<void> {
    const { desk, userid } = this.#options;
    this.#take(await desk.loadOwn(userid, this.task));
  }

  /** An answer of storage that comes after a newer one is dropped. */
  #take(held: Held): void {
    if (held.revision >= this.#stored.revision) this.#stored = held;
  }
}

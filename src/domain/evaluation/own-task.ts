import type { Clock } from '../../lib/clock.ts';
import { isFailure } from '../errors.ts';
import type { DatedEvent, Held, TaskDesk } from './desk.ts';
import { type TaskEvent, transition } from './machine.ts';
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

/**
 * The task in the hands of the one at work on it: as it is stored, and on top of that what has happened since and
 * need not be stored yet. The next change stores both, on whatever others have made of the task meanwhile.
 */
export class OwnTask {
  readonly #options: OwnTaskOptions;
  #stored: Held;
  #noted: readonly DatedEvent[] = [];
  #task: EvaluationTask;

  constructor(options: OwnTaskOptions) {
    this.#options = options;
    this.#stored = options.held;
    this.#task = options.held.task;
  }

  get task(): EvaluationTask {
    return this.#task;
  }

  /** Of what is stored. */
  get revision(): number {
    return this.#stored.revision;
  }

  /** Takes an event that whoever resumes the run can do without. */
  note(event: TaskEvent): void {
    const at = this.#options.clock.now();
    const { task, accepted } = transition(this.#task, event, at);
    if (!accepted || task === null) return;
    this.#task = task;
    this.#noted = [...this.#noted, { event, at }];
  }

  /** True when the task took the event, which is stored then. A storage that does not answer is waited for. @throws LeaseLost */
  async change(event: TaskEvent): Promise<boolean> {
    const { clock, leaving } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#store([...this.#noted, { event, at: clock.now() }]);
      } catch (error) {
        if (!isFailure(error, 'storage-failed') || attempt === STORAGE_TRIES) throw error;
        await clock.wait(STORAGE_PAUSE_MS, leaving);
      }
    }
  }

  /** Stores what is noted, for the next one at work. @throws LeaseLost */
  async storeNotes(): Promise<void> {
    if (this.#noted.length > 0) await this.#store(this.#noted);
  }

  /** Looks what others have made of the task. @throws LeaseLost */
  async reload(): Promise<void> {
    const { desk, userid } = this.#options;
    this.#take(await desk.loadOwn(userid, this.#task));
  }

  async #store(events: readonly DatedEvent[]): Promise<boolean> {
    const { desk, userid } = this.#options;
    const { accepted, held } = await desk.changeOwn(userid, this.#stored, events);
    if (accepted && held.revision > this.#stored.revision) {
      this.#noted = this.#noted.filter((noted) => !events.includes(noted));
    }
    this.#take(held);
    return accepted;
  }

  /** An answer of storage that comes after a newer one is dropped. */
  #take(held: Held): void {
    if (held.revision < this.#stored.revision) return;
    this.#stored = held;
    this.#task = this.#noted.reduce((task, { event, at }) => transition(task, event, at).task ?? task, held.task);
  }
}

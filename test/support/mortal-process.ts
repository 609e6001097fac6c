import type { EvaluationCampus, EvaluationStore } from '../../src/domain/evaluation/types.ts';
import type { Clock } from '../../src/lib/time.ts';

/**
 * Stands for a process that is killed: from the chosen moment on nothing that belongs to it begins, and nothing that
 * has begun comes back. The moments are counted before and after each request to the campus and each stored change.
 * One that is woken had only been stopped: it continues where it was.
 */
export class MortalProcess {
  #left = Number.POSITIVE_INFINITY;
  #dead = false;
  #woken = Promise.withResolvers<void>();

  get dead(): boolean {
    return this.#dead;
  }

  /** Dies at the moment of that number from now, from 1. */
  dieAt(moment: number): void {
    this.#left = moment;
  }

  die(): void {
    this.#dead = true;
  }

  wake(): void {
    this.#left = Number.POSITIVE_INFINITY;
    this.#dead = false;
    this.#woken.resolve();
    this.#woken = Promise.withResolvers();
  }

  async #moment(): Promise<void> {
    this.#left -= 1;
    if (this.#left <= 0) this.#dead = true;
    if (this.#dead) await this.#woken.promise;
  }

  async #act<T>(work: () => Promise<T>): Promise<T> {
    await this.#moment();
    const value = await work();
    await this.#moment();
    return value;
  }

  /** Looks and signs of life: they have no set moment, but end with the process. */
  async #live<T>(work: () => Promise<T>): Promise<T> {
    if (this.#dead) await this.#woken.promise;
    const value = await work();
    if (this.#dead) await this.#woken.promise;
    return value;
  }

  clock(clock: Clock): Clock {
    return {
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      wait: (ms, signal) => this.#live(() => clock.wait(ms, signal)),
      timer: (ms, action) => clock.timer(ms, action),
    };
  }

  campus(campus: EvaluationCampus): EvaluationCampus {
    return {
      season: (...call) => this.#act(() => campus.season(...call)),
      courses: (...call) => this.#act(() => campus.courses(...call)),
      open: (...call) => this.#act(() => campus.open(...call)),
      submit: (...call) => this.#act(() => campus.submit(...call)),
    };
  }

  store(store: EvaluationStore): EvaluationStore {
    return {
      write: (entry) => this.#act(() => store.write(entry)),
      read: (...call) => this.#live(() => store.read(...call)),
      beat: (...call) => this.#live(() => store.beat(...call)),
    };
  }
}

import type { Clock } from '../../lib/clock.ts';
import { Failure } from '../errors.ts';

/** The reason with which what belongs to a run that is over, or not ours any more, is broken off. */
export const abandoned = new Failure('client-gone', { reason: 'evaluation run ended' });

/** What a run at work heeds while it waits: that its task has changed, and that it is to be left. */
export class Attention {
  readonly #leaving = new AbortController();
  #change = new AbortController();

  /** Aborted once this process is to leave the run. */
  get leaving(): AbortSignal {
    return this.#leaving.signal;
  }

  /** Aborted at the next change. */
  get change(): AbortSignal {
    return this.#change.signal;
  }

  leave(): void {
    this.#leaving.abort(abandoned);
    this.stir();
  }

  /** The task has changed: everybody who waits looks again. */
  stir(): void {
    this.#change.abort(abandoned);
    this.#change = new AbortController();
  }

  /** Until `ms` are over, the task changes, or `ended` is aborted. */
  async rest(clock: Clock, ms: number, ended?: AbortSignal): Promise<void> {
    const signal = ended ? AbortSignal.any([this.change, ended]) : this.change;
    await clock.wait(ms, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }

  /** Until the task changes or `ended` is aborted. */
  async changed(ended: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([this.change, ended]);
    if (signal.aborted) return;
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  }

  /** Runs `work` with a signal that is aborted when the run is left, or when `over` holds after a change. */
  async unless<T>(over: () => boolean, work: (ended: AbortSignal) => Promise<T>): Promise<T> {
    const ending = new AbortController();
    const watch = async (): Promise<void> => {
      while (!ending.signal.aborted) {
        if (this.leaving.aborted || over()) ending.abort(abandoned);
        else await this.changed(ending.signal);
      }
    };
    void watch();
    try {
      return await work(ending.signal);
    } finally {
      ending.abort(abandoned);
    }
  }
}

import type { Clock } from '../../src/lib/clock.ts';

interface Waiter {
  at: number;
  readonly resolve: () => void;
}

/** A clock that stands still until a test moves it. */
export class ManualClock implements Clock {
  #now: number;
  #passed = 0;
  #waiters: Waiter[] = [];

  /** Starts at 2026-03-18 10:00:00 in UTC+8 unless told otherwise. */
  constructor(start = Date.UTC(2026, 2, 18, 2, 0, 0)) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#passed;
  }

  wait(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const onAbort = () => {
        this.#waiters = this.#waiters.filter((other) => other !== waiter);
        reject(signal?.reason);
      };
      const waiter: Waiter = {
        at: this.#now + ms,
        resolve: () => {
          // A signal that outlives many waits must not keep a listener of each.
          signal?.removeEventListener('abort', onAbort);
          resolve();
        },
      };
      this.#waiters.push(waiter);
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  /** How many waits are pending. */
  get waiting(): number {
    return this.#waiters.length;
  }

  /** Corrects the time of day without letting any time pass: whoever waits, waits as long as before. */
  correct(ms: number): void {
    this.#now += ms;
    for (const waiter of this.#waiters) waiter.at += ms;
  }

  /** Moves time forward and wakes everyone whose moment has come, earliest first. */
  advance(ms: number): void {
    this.#now += ms;
    this.#passed += ms;
    const due = this.#waiters.filter((w) => w.at <= this.#now).sort((a, b) => a.at - b.at);
    this.#waiters = this.#waiters.filter((w) => w.at > this.#now);
    for (const waiter of due) waiter.resolve();
  }
}

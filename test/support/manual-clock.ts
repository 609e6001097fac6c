import type { Clock } from '../../src/lib/time.ts';

interface Waiter {
  at: number;
  readonly resolve: () => void;
  /** A limit that work may run into, not a wait that has to pass. */
  readonly isTimer?: boolean;
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

  timer(ms: number, action: () => void): () => void {
    const waiter: Waiter = { at: this.#now + ms, resolve: action, isTimer: true };
    this.#waiters.push(waiter);
    return () => {
      this.#waiters = this.#waiters.filter((other) => other !== waiter);
    };
  }

  /** How many waits are pending. Timers do not count: they are limits that mostly are not reached. */
  get waiting(): number {
    return this.#waiters.filter(({ isTimer }) => !isTimer).length;
  }

  /** The same clock, with its waits counted apart. */
  view(): Clock & { readonly waiting: number } {
    let waiting = 0;
    return {
      now: () => this.now(),
      monotonic: () => this.monotonic(),
      timer: (ms, action) => this.timer(ms, action),
      wait: (ms, signal) => {
        waiting += 1;
        return this.wait(ms, signal).finally(() => {
          waiting -= 1;
        });
      },
      get waiting() {
        return waiting;
      },
    };
  }

  /** The same clock, but pauses of up to `ms` are over at once: for work whose short pauses do not matter. */
  skipping(ms: number): Clock {
    return {
      now: () => this.now(),
      monotonic: () => this.monotonic(),
      timer: (after, action) => this.timer(after, action),
      wait: (pause, signal) => {
        if (pause > ms) return this.wait(pause, signal);
        signal?.throwIfAborted();
        return new Promise((resolve) => setImmediate(resolve));
      },
    };
  }

  /** How many timers are set. */
  get timers(): number {
    return this.#waiters.length - this.waiting;
  }

  /** Corrects the time of day without letting any time pass: pending waits last as long as before. */
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

import type { Clock } from './time.ts';

export class QueueFull extends Error {
  constructor() {
    super('queue is full');
    this.name = 'QueueFull';
  }
}

/**
 * At most `limit` works at once and at most `most` waiting behind them, first come first served. A caller that enters keeps its
 * place until that is disposed of.
 */
export class Semaphore {
  readonly #limit: number;
  readonly #most: number;
  #active = 0;
  readonly #waiting: Array<() => void> = [];

  constructor(limit: number, most: number) {
    this.#limit = limit;
    this.#most = most;
  }

  get active(): number {
    return this.#active;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** @throws QueueFull at once when the queue is full; the signal's reason when it is aborted while waiting. */
  async enter(signal: AbortSignal): Promise<Disposable> {
    await this.#place(signal);
    return { [Symbol.dispose]: () => this.#leave() };
  }

  #place(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(signal.reason);
    if (this.#active < this.#limit) {
      this.#active += 1;
      return Promise.resolve();
    }
    if (this.#waiting.length >= this.#most) return Promise.reject(new QueueFull());
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        const at = this.#waiting.indexOf(admit);
        if (at >= 0) this.#waiting.splice(at, 1);
        reject(signal.reason);
      };
      const admit = () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      this.#waiting.push(admit);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  /** A leaving work hands its place to the next waiter, so the count never dips below the truth. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#active -= 1;
  }
}

export interface TurnRequest {
  readonly owner: string;
  readonly signal: AbortSignal;
  /** Milliseconds left; left out: only the signal ends it. */
  readonly remaining?: (() => number) | undefined;
}

interface Waiter {
  readonly remaining: () => number;
  readonly go: () => void;
  readonly refuse: () => void;
}

/** How much the last work counts in the time that one is expected to take. */
const LAST_COUNTS = 1 / 16;

const noEnd = (): number => Number.POSITIVE_INFINITY;

/**
 * Owners take turns: the tenth work of one comes after the first of all others. A work whose time cannot suffice, by
 * what works have taken lately, is refused at once.
 */
export class FairQueue {
  readonly #limit: number;
  readonly #most: number;
  readonly #clock: Clock;
  #active = 0;
  #waiting = 0;
  /** By owner; the first one is next. */
  readonly #queues = new Map<string, Waiter[]>();
  /** The time that one piece of work takes, smoothed. */
  #workMs = 0;

  constructor(limit: number, most: number, clock: Clock) {
    this.#limit = limit;
    this.#most = most;
    this.#clock = clock;
  }

  get active(): number {
    return this.#active;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** @throws QueueFull at once or when it has become too slow; the reason of the signal when it is aborted while waiting */
  async enter(wanted: TurnRequest): Promise<Disposable> {
    await this.#place(wanted);
    const began = this.#clock.monotonic();
    const leave = (): void => {
      const took = this.#clock.monotonic() - began;
      // Work that was over at once says nothing about work that is not.
      if (took >= 1) this.#workMs = this.#workMs === 0 ? took : this.#workMs + (took - this.#workMs) * LAST_COUNTS;
      this.#leave();
    };
    return { [Symbol.dispose]: leave };
  }

  #place({ owner, signal, remaining = noEnd }: TurnRequest): Promise<void> {
    if (signal.aborted) return Promise.reject(signal.reason);
    if (this.#active < this.#limit) {
      this.#active += 1;
      return Promise.resolve();
    }
    const untilDone = this.#workMs * (1 + (1 + this.#countAhead(owner)) / this.#limit);
    if (this.#waiting >= this.#most || untilDone > remaining()) return Promise.reject(new QueueFull());
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        const queue = this.#queues.get(owner);
        const at = queue?.indexOf(waiter) ?? -1;
        if (queue === undefined || at < 0) return;
        queue.splice(at, 1);
        if (queue.length === 0) this.#queues.delete(owner);
        this.#waiting -= 1;
        reject(signal.reason);
      };
      const ending = (end: () => void) => (): void => {
        signal.removeEventListener('abort', leave);
        end();
      };
      const waiter: Waiter = { remaining, go: ending(resolve), refuse: ending(() => reject(new QueueFull())) };
      const queue = this.#queues.get(owner);
      if (queue === undefined) this.#queues.set(owner, [waiter]);
      else queue.push(waiter);
      this.#waiting += 1;
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  /** Works that would begin before the next one of this owner. */
  #countAhead(owner: string): number {
    const own = this.#queues.get(owner)?.length ?? 0;
    if (own === 0) return this.#queues.size;
    let ahead = 0;
    for (const { length } of this.#queues.values()) ahead += Math.min(length, own + 1);
    return ahead;
  }

  /** A work that ends hands its place to the next one, so the count never dips below the truth. */
  #leave(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      if (next.remaining() >= this.#workMs) {
        next.go();
        return;
      }
      next.refuse();
    }
    this.#active -= 1;
  }

  #next(): Waiter | undefined {
    for (const [owner, queue] of this.#queues) {
      this.#queues.delete(owner);
      const waiter = queue.shift();
      if (queue.length > 0) this.#queues.set(owner, queue);
      this.#waiting -= 1;
      return waiter;
    }
    return undefined;
  }
}

/**
 * One piece of work begins per turn of the event loop, so that what takes a good part of a millisecond never holds up
 * all other calls, however many send it at once.
 */
export class Turns {
  readonly #waiting: Array<() => void> = [];

  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === 1) this.#schedule();
    });
  }

  #schedule(): void {
    setImmediate(() => {
      const begin = this.#waiting.shift();
      if (this.#waiting.length > 0) this.#schedule();
      begin?.();
    });
  }
}

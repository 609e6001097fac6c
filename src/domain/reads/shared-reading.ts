import { raceSignal } from '../../lib/single-flight.ts';
import { abortAfter, type Clock, Deadline } from '../../lib/time.ts';
import { type CallContext, derivedCall } from '../context.ts';
import { asFailure, type Failure, failures, isFailure } from '../errors.ts';
import type { ReadAbout } from './ports.ts';
import type { ReadRow } from './types.ts';

/** One read, as its service asks for it. */
export interface ReadRequest<V> {
  readonly row: ReadRow<V>;
  /** Tell this value from others of the same read. */
  readonly params?: readonly string[];
  /** Its parameters are free text of the caller: shared, and never stored. */
  readonly isFreeText?: boolean;
  /** The failure of an incomplete value; null: it will do. Left out: any value will do. */
  readonly failureOf?: (value: V) => Failure | null;
  readonly about?: ReadAbout;
  ask(context: CallContext): Promise<V>;
}

interface ReadingOptions {
  /** The student whose session it borrows. */
  readonly userid: string;
  /** No caller waits for it: it uses a live session or none. */
  readonly unattended?: boolean | undefined;
  /** It continues without callers: when they ran out of `time`, or in `any` case. */
  readonly outlives?: 'time' | 'any' | undefined;
  /** Its own time, left out: `usual`. */
  readonly own?: OwnTime | undefined;
}

interface OwnTime {
  readonly ms: number;
  /** Why it ends when that is over. */
  readonly late: () => Failure;
}

/** Most background readings of one process at a time. */
const MOST_BEHIND = 8;

/** Time for a wait in the queue, a sign-in and a slow page. */
const usual: OwnTime = { ms: 60_000, late: () => failures.timedOut() };

/** One reading at the campus for all calls that wait for it. It ends when the last of them leaves, for the same reason. */
export class SharedReading<T> {
  readonly context: CallContext;
  readonly userid: string;
  readonly unattended: boolean;
  /** One of its callers allows a copy. */
  keep = false;
  readonly #end = new AbortController();
  readonly #outlives: ReadingOptions['outlives'];
  readonly #result: Promise<T>;
  #waiting = 0;

  constructor(
    first: CallContext,
    work: (reading: SharedReading<T>) => Promise<T>,
    { userid, unattended = false, outlives, own = usual }: ReadingOptions,
  ) {
    // The first caller's deadline binds its own waiting; a caller with more time may join the reading.
    const ms = first.deadline.remaining();
    this.userid = userid;
    this.unattended = unattended;
    this.#outlives = outlives;
    this.context = derivedCall(first, {
      signal: this.#end.signal,
      deadline: new Deadline(outlives === 'any' ? own.ms : outlives === 'time' ? Math.max(ms, own.ms) : ms),
      unattended,
      reads: undefined,
    });
    this.#result = Promise.resolve(this).then(work);
    this.#result.catch(() => {});
  }

  get abandoned(): boolean {
    return this.#end.signal.aborted;
  }

  end(reason: Failure): void {
    this.#end.abort(reason);
  }

  async over(): Promise<void> {
    await this.#result.catch(() => {});
  }

  async wait(signal: AbortSignal): Promise<T> {
    this.#waiting += 1;
    try {
      return await raceSignal(this.#result, signal);
    } finally {
      this.#waiting -= 1;
      const continues =
        this.#outlives === 'any' || (this.#outlives === 'time' && isFailure(signal.reason, 'timed-out'));
      if (this.#waiting === 0 && signal.aborted && !continues) this.#end.abort(signal.reason);
    }
  }
}

/** The readings under way in this process. */
export class SharedReadings<T> {
  readonly #clock: Clock;
  readonly #running = new Map<string, SharedReading<T>>();
  /** Owners of the background readings. */
  readonly #behind = new Set<string>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The reading of this name that may be joined. */
  at(name: string): SharedReading<T> | undefined {
    const found = this.#running.get(name);
    return found?.abandoned ? undefined : found;
  }

  /** `joinable`: by others, for as long as it runs. */
  start(
    name: string,
    context: CallContext,
    work: (reading: SharedReading<T>) => Promise<T>,
    { joinable, ...options }: ReadingOptions & { readonly joinable: boolean },
  ): SharedReading<T> {
    const ask = async (reading: SharedReading<T>): Promise<T> => {
      // Its callers may have left: then only its own time ends it.
      const { ms, late } = options.own ?? usual;
      const stopTimer = options.outlives === 'any' ? this.#clock.timer(ms, () => reading.end(late())) : () => {};
      try {
        return await work(reading);
      } finally {
        stopTimer();
        if (this.#running.get(name) === reading) this.#running.delete(name);
      }
    };
    const reading = new SharedReading(context, ask, options);
    if (joinable) this.#running.set(name, reading);
    return reading;
  }

  /** Runs a reading in the background, with its own deadline; false if there are enough, or one of `owner`. */
  behind(owner: string, { deadline, log }: CallContext, start: () => SharedReading<T>): boolean {
    if (this.#behind.has(owner) || this.#behind.size >= MOST_BEHIND) return false;
    let reading: SharedReading<T>;
    try {
      reading = start();
    } catch (error) {
      if (isFailure(error)) return false;
      throw error;
    }
    this.#behind.add(owner);
    const late = abortAfter(this.#clock, deadline.remaining(), () => failures.timedOut());
    reading
      .wait(late.signal)
      .catch((error: unknown) => {
        const { kind, reason } = asFailure(error);
        log.debug({ failure: kind, reason }, 'nothing read behind an answer');
      })
      .finally(() => {
        late[Symbol.dispose]();
        this.#behind.delete(owner);
      });
    return true;
  }

  async close(): Promise<void> {
    const running = [...this.#running.values()];
    for (const reading of running) reading.end(failures.overloaded(5, 'closing'));
    await Promise.all(running.map((reading) => reading.over()));
  }
}

import type { Clock } from '../../lib/clock.ts';
import { Deadline } from '../../lib/deadline.ts';
import { raceSignal } from '../../lib/single-flight.ts';
import type { CallContext, CallTrail, Log } from '../context.ts';
import { asFailure, Failure, isFailure } from '../errors.ts';
import type { ReadAbout } from './ports.ts';
import type { ReadRow } from './types.ts';

/** One read of a student, as its service asks for it. */
export interface Read<V> {
  readonly row: ReadRow<V>;
  /** What tells this value from others of the same read; left out: nothing does. */
  readonly params?: readonly string[];
  /** Its parameters are free text of the caller: shared, and never kept. */
  readonly unkept?: boolean;
  /** What a value is for that is not whole; null: it will do. Left out: any value will do. */
  readonly failureOf?: (value: V) => Failure | null;
  /** For its events, where the parameters do not tell. */
  readonly about?: ReadAbout;
  ask(context: CallContext): Promise<V>;
}

interface Manner {
  readonly unattended?: boolean | undefined;
  readonly outlivesCalls?: boolean | undefined;
}

/** Readings of one process that run behind answers. */
const MOST_BEHIND = 8;

/** For a reading that outlives its callers: a sign-in and a slow page. */
const OWN_MS = 60_000;

/**
 * One reading at the campus for all who wait for it, and the call that the campus is asked in. A caller that leaves ends
 * only its own waiting; once no caller waits, the reading ends too, for the reason of the last one.
 */
export class SharedReading<T> implements CallContext {
  readonly traceId: string;
  readonly log: Log;
  readonly address: string;
  readonly trail: CallTrail | undefined;
  readonly signal: AbortSignal;
  readonly deadline: Deadline;
  /** No caller waited for it when it began: no session is opened for it. */
  readonly unattended: boolean;
  readonly maySignIn: CallContext['maySignIn'];
  /** A caller that waits lets it be kept. */
  keep = false;
  readonly #end = new AbortController();
  readonly #outlivesCalls: boolean;
  readonly #result: Promise<T>;
  #waiting = 0;

  /** `outlivesCalls`: it goes on when the time of its callers is over, for as long again. */
  constructor(
    first: CallContext,
    work: (reading: SharedReading<T>) => Promise<T>,
    { unattended = false, outlivesCalls = false }: Manner = {},
  ) {
    this.traceId = first.traceId;
    this.log = first.log;
    this.address = first.address;
    this.trail = first.trail;
    this.signal = this.#end.signal;
    // The first caller's deadline binds its own waiting; a caller with more time may join the reading.
    const ms = first.deadline.remaining();
    this.deadline = new Deadline(outlivesCalls ? Math.max(ms, OWN_MS) : ms);
    this.unattended = unattended;
    this.maySignIn = unattended ? first.maySignIn : undefined;
    this.#outlivesCalls = outlivesCalls;
    this.#result = Promise.resolve(this).then(work);
    this.#result.catch(() => {});
  }

  /** All callers have left: the reading is being ended. */
  get abandoned(): boolean {
    return this.signal.aborted;
  }

  async wait(signal: AbortSignal): Promise<T> {
    this.#waiting += 1;
    try {
      return await raceSignal(this.#result, signal);
    } finally {
      this.#waiting -= 1;
      const goesOn = this.#outlivesCalls && isFailure(signal.reason, 'timed-out');
      if (this.#waiting === 0 && signal.aborted && !goesOn) this.#end.abort(signal.reason);
    }
  }
}

/** The readings under way. */
export class Readings<T> {
  readonly #clock: Clock;
  readonly #running = new Map<string, SharedReading<T>>();
  /** Whose and which read runs behind an answer: one of each. */
  readonly #behind = new Set<string>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** That of this place, if it may be joined. */
  at(place: string): SharedReading<T> | undefined {
    const found = this.#running.get(place);
    return found?.abandoned ? undefined : found;
  }

  /** `joinable`: by others, for as long as it runs. */
  start(
    place: string,
    context: CallContext,
    work: (reading: SharedReading<T>) => Promise<T>,
    { joinable, ...manner }: Manner & { readonly joinable: boolean },
  ): SharedReading<T> {
    const ask = async (reading: SharedReading<T>): Promise<T> => {
      try {
        return await work(reading);
      } finally {
        if (this.#running.get(place) === reading) this.#running.delete(place);
      }
    };
    const reading = new SharedReading(context, ask, manner);
    if (joinable) this.#running.set(place, reading);
    return reading;
  }

  /** Lets a reading run behind an answer, to its own deadline; false where there are enough of them, or one of `owner`. */
  behind(owner: string, { deadline, log }: CallContext, start: () => SharedReading<T>): boolean {
    if (this.#behind.has(owner) || this.#behind.size >= MOST_BEHIND) return false;
    let reading: SharedReading<T>;
    try {
      reading = start();
    } catch (error) {
      // It may not begin.
      if (error instanceof Failure) return false;
      throw error;
    }
    this.#behind.add(owner);
    const end = new AbortController();
    const stopTimer = this.#clock.timer(deadline.remaining(), () => end.abort(new Failure('timed-out')));
    reading
      .wait(end.signal)
      .catch((error: unknown) => {
        const { kind, reason } = asFailure(error);
        log.debug({ failure: kind, reason }, 'nothing read behind an answer');
      })
      .finally(() => {
        stopTimer();
        this.#behind.delete(owner);
      });
    return true;
  }
}

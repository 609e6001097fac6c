import { Deadline } from '../../lib/deadline.ts';
import { raceSignal } from '../../lib/single-flight.ts';
import type { CallContext } from '../context.ts';

/**
 * One reading at the campus for all who wait for it. A caller that leaves ends only its own waiting; when nobody waits
 * any more, the reading ends too, for the reason of the last one.
 */
export class SharedReading<T> {
  readonly #end = new AbortController();
  readonly #result: Promise<T>;
  #waiting = 0;

  constructor(first: CallContext, work: (context: CallContext) => Promise<T>) {
    // The first caller's deadline binds its own waiting; the reading may be joined by somebody with more time.
    const { traceId, log, address, deadline } = first;
    const context = { traceId, log, address, signal: this.#end.signal, deadline: new Deadline(deadline.remaining()) };
    this.#result = Promise.resolve(context).then(work);
    this.#result.catch(() => {});
  }

  /** Everybody has left: the reading is being ended. */
  get abandoned(): boolean {
    return this.#end.signal.aborted;
  }

  async wait(signal: AbortSignal): Promise<T> {
    this.#waiting += 1;
    try {
      return await raceSignal(this.#result, signal);
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0 && signal.aborted) this.#end.abort(signal.reason);
    }
  }
}

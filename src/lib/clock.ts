/**
 * The service's only source of time. Domain and campus code never call `Date.now()`; they are handed a Clock,
 * so tests move time instead of waiting for it.
 */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds since some fixed moment of this process; never set back, unlike the time of day. */
  monotonic(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it is aborted first. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
  /** Runs `action` after `ms` unless the returned function is called first: for limits that are seldom reached. */
  timer(ms: number, action: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  wait: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const onAbort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      }, ms);
      signal?.addEventListener('abort', onAbort, { once: true });
    }),
  timer: (ms, action) => {
    const timer = setTimeout(action, ms);
    return () => clearTimeout(timer);
  },
};

/** The same, but for the time of day, which is `ms` ahead. */
export const movedClock = (clock: Clock, ms: number): Clock => ({ ...clock, now: () => clock.now() + ms });

/** Waits for `ms`, or until `signal` is aborted, which is no error here. */
export const pause = async (clock: Clock, ms: number, signal: AbortSignal): Promise<void> => {
  if (ms <= 0) return;
  await clock.wait(ms, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
};

/** Resolves once `signal` is aborted. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

import type { Log } from '../../domain/context.ts';
import type { Clock } from '../../lib/time.ts';
import type { Storage } from '../storage.ts';

const SWEEP_EVERY_MS = 10 * 60_000;

interface Options {
  readonly clock: Clock;
  readonly log: Log;
  /** Swept as well. */
  readonly also: ReadonlyArray<() => unknown>;
}

/** The rows alone say what is over, so the first sweep also removes what an earlier process left behind. */
export const startSweeping = (storage: Storage, { clock, log, also }: Options): { stop(): Promise<void> } => {
  let running = Promise.resolve();
  const sweep = (): void => {
    running = running
      .then(() => Promise.all([storage.sweep(clock.now()), ...also.map((work) => work())]))
      .then(() => {})
      .catch((err: unknown) => log.warn({ err }, 'sweep failed'));
  };
  sweep();
  const timer = setInterval(sweep, SWEEP_EVERY_MS);
  timer.unref();
  return {
    stop: () => {
      clearInterval(timer);
      return running;
    },
  };
};

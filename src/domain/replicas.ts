import { randomToken } from '../lib/hash.ts';
import { type Clock, pause } from '../lib/time.ts';
import type { Log } from './context.ts';

/** `now` is that of this process, for a database that has no time. */
export interface ReplicaStore {
  /** Also prolongs. A process that was killed is there until `lifeMs` are over. */
  announce(replica: { readonly id: string; readonly name: string }, now: number, lifeMs: number): Promise<void>;
  withdraw(id: string): Promise<void>;
  /** The names of all that are announced, in their order. */
  live(now: number, lifeMs: number): Promise<readonly string[]>;
}

export const REPLICA_LIFE_MS = 30_000;
const EVERY_MS = REPLICA_LIFE_MS / 3;

export interface AnnouncedReplica {
  /** No other process was announced when this one looked last. */
  isAlone(): boolean;
  close(): Promise<void>;
}

interface Deps {
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Announces this process in the database as long as it runs: commands that must not run beside a service see it there,
 * and so do other replicas.
 */
export const announceReplica = async (
  name: string,
  store: ReplicaStore,
  { clock, log }: Deps,
): Promise<AnnouncedReplica> => {
  const id = randomToken();
  const ending = new AbortController();
  let alone = false;

  const beat = async (): Promise<void> => {
    try {
      await store.announce({ id, name }, clock.now(), REPLICA_LIFE_MS);
      alone = (await store.live(clock.now(), REPLICA_LIFE_MS)).length <= 1;
    } catch (err) {
      log.warn({ err }, 'replica not announced');
    }
  };

  const run = async (): Promise<void> => {
    for (;;) {
      await pause(clock, EVERY_MS, ending.signal);
      if (ending.signal.aborted) return;
      await beat();
    }
  };

  await beat();
  const running = run();
  return {
    isAlone: () => alone,
    async close() {
      ending.abort();
      await running;
      // It ends by itself.
      await store.withdraw(id).catch(() => {});
    },
  };
};

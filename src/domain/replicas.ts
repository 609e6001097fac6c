import { type Clock, pause } from '../lib/clock.ts';
import { randomToken } from '../lib/hash.ts';
import type { Log } from './context.ts';

/** A process that serves from the database. */
export interface Replica {
  readonly name: string;
  /** Of its clock, before that of the database, in milliseconds; null: not compared yet. */
  readonly clockAhead: number | null;
}

/** `now` is that of this process, for a database that has no time. */
export interface ReplicaStore {
  /** The time of the database, epoch ms. */
  time(now: number): Promise<number>;
  /** Also prolongs. A process that was killed is there until `lifeMs` are over. */
  announce(replica: Replica & { readonly id: string }, now: number, lifeMs: number): Promise<void>;
  withdraw(id: string): Promise<void>;
  /** All that are announced, by name. */
  live(now: number, lifeMs: number): Promise<readonly Replica[]>;
}

export const REPLICA_LIFE_MS = 30_000;
const EVERY_MS = REPLICA_LIFE_MS / 3;
/** A query that took longer tells nothing about a clock. */
const LONGEST_QUESTION_MS = 1_000;
const APART_MS = 5_000;

const described = ({ name, clockAhead }: Replica): string => {
  const seconds = Math.round((clockAhead ?? 0) / 1000);
  return `${name} ${seconds < 0 ? '' : '+'}${seconds} s`;
};

/** The replicas whose clock is more than five seconds from that of any other, each with what it is ahead by. */
export const clocksApart = (replicas: readonly Replica[]): string[] => {
  const aheads = replicas.flatMap(({ clockAhead }) => (clockAhead === null ? [] : [clockAhead]));
  const [first, last] = [Math.min(...aheads), Math.max(...aheads)];
  const isApart = ({ clockAhead }: Replica): boolean =>
    clockAhead !== null && Math.max(last - clockAhead, clockAhead - first) > APART_MS;
  return replicas.filter(isApart).map(described);
};

export interface AnnouncedReplica {
  /** As this process saw them last. */
  clocksApart(): readonly string[];
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
 * and replicas see whether their clocks agree.
 */
export const announceReplica = async (
  name: string,
  store: ReplicaStore,
  { clock, log }: Deps,
): Promise<AnnouncedReplica> => {
  const id = randomToken();
  const ending = new AbortController();
  let clockAhead: number | null = null;
  let apart: readonly string[] = [];
  let alone = false;

  const compare = async (): Promise<void> => {
    const [before, began] = [clock.now(), clock.monotonic()];
    const time = await store.time(before);
    const took = clock.monotonic() - began;
    if (took <= LONGEST_QUESTION_MS) clockAhead = Math.round(before + took / 2 - time);
  };

  const beat = async (): Promise<void> => {
    try {
      await compare();
      await store.announce({ id, name, clockAhead }, clock.now(), REPLICA_LIFE_MS);
      const live = await store.live(clock.now(), REPLICA_LIFE_MS);
      alone = live.length <= 1;
      const now = clocksApart(live);
      if (now.length > 0 && apart.length === 0) log.warn({ replicas: now }, 'clocks of replicas are apart');
      apart = now;
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
    clocksApart: () => apart,
    isAlone: () => alone,
    async close() {
      ending.abort();
      await running;
      // It ends by itself.
      await store.withdraw(id).catch(() => {});
    },
  };
};

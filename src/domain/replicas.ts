import { randomToken } from '../lib/hash.ts';
import { type Clock, pause } from '../lib/time.ts';
import type { Log } from './context.ts';

/** `now` is that of this process, for a database that has no time. */
export interface ReplicaStore {
  /** Registers the replica or prolongs it. A killed process stays listed until `lifeMs` are over. */
  announce(replica: { readonly id: string; readonly name: string }, now: number, lifeMs: number): Promise<void>;
  withdraw(id: string): Promise<void>;
  /** The names, in their order. */
  live(now: number, lifeMs: number): Promise<readonly string[]>;
}

export const REPLICA_LIFE_MS = 30_000;
const EVERY_MS = REPLICA_LIFE_MS / 3;

interface ReplicaDeps {
  readonly store: ReplicaStore;
  readonly clock: Clock;
  readonly log: Log;
}

/** Announces this process in the database while it runs, for other replicas and for commands that must not run beside one. */
export class AnnouncedReplica {
  readonly #name: string;
  readonly #deps: ReplicaDeps;
  readonly #id = randomToken();
  readonly #ending = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #isAlone = false;

  constructor(name: string, deps: ReplicaDeps) {
    this.#name = name;
    this.#deps = deps;
  }

  /** When this process looked last. */
  get isAlone(): boolean {
    return this.#isAlone;
  }

  /** Resolves once it is announced. */
  async start(): Promise<void> {
    await this.#announce();
    this.#running = this.#run();
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await this.#running;
    // The row expires without it.
    await this.#deps.store.withdraw(this.#id).catch(() => {});
  }

  async #run(): Promise<void> {
    for (;;) {
      await pause(this.#deps.clock, EVERY_MS, this.#ending.signal);
      if (this.#ending.signal.aborted) return;
      await this.#announce();
    }
  }

  async #announce(): Promise<void> {
    const { store, clock, log } = this.#deps;
    try {
      await store.announce({ id: this.#id, name: this.#name }, clock.now(), REPLICA_LIFE_MS);
      this.#isAlone = (await store.live(clock.now(), REPLICA_LIFE_MS)).length <= 1;
    } catch (err) {
      log.warn({ err }, 'replica not announced');
    }
  }
}

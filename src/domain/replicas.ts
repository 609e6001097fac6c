import { randomToken } from '../lib/hash.ts';
import { Loop } from '../lib/loop.ts';
import type { Clock } from '../lib/time.ts';
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
  #loop: Loop | null = null;
  #isAlone = false;

  constructor(name: string, deps: ReplicaDeps) {
    this.#name = name;
    this.#deps = deps;
  }

  /** When this process looked last. */
  get isAlone(): boolean {
    return this.#isAlone;
  }

  /** Resolves once it was announced, or could not be. */
  start(): Promise<void> {
    const { clock, log } = this.#deps;
    return new Promise((resolve) => {
      const body = () => this.#announce().finally(resolve);
      this.#loop = new Loop({ failed: 'replica not announced', everyMs: EVERY_MS, clock, log, body });
    });
  }

  async close(): Promise<void> {
    await this.#loop?.close();
    // The row expires without it.
    await this.#deps.store.withdraw(this.#id).catch(() => {});
  }

  async #announce(): Promise<undefined> {
    const { store, clock } = this.#deps;
    await store.announce({ id: this.#id, name: this.#name }, clock.now(), REPLICA_LIFE_MS);
    this.#isAlone = (await store.live(clock.now(), REPLICA_LIFE_MS)).length <= 1;
  }
}

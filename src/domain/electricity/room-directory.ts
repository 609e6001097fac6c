import type { Clock } from '../../lib/clock.ts';
import { raceSignal, SingleFlight } from '../../lib/single-flight.ts';
import type { CallContext, Student } from '../context.ts';
import { Failure } from '../errors.ts';
import { type Leases, withLease } from '../lease.ts';
import type { KeptTree, RoomTreeStore } from './ports.ts';
import { RoomIndex } from './room-index.ts';
import { isPersonal, type RoomReader } from './room-reader.ts';

const LIFE_MS = 7 * 24 * 60 * 60 * 1000;
const COOL_DOWN_MS = 30 * 60 * 1000;
const REFRESH_LEASE = 'room-refresh';
const LEASE_MS = 30_000;
/** After a reading behind the scenes has failed, the old tree serves this long before the next one is tried. */
const REST_MS = 5 * 60 * 1000;

export interface RoomDirectory {
  /**
   * The tree, also when it is older than its life: then it is read anew behind the scenes. Without one the call waits
   * for the reading, which goes on when the call ends first.
   * @throws Failure `timed-out`, `upstream-empty`, and whatever the reading met
   */
  rooms(student: Student, context: CallContext): Promise<RoomIndex>;
  /** The tree as it is kept; null when there is none. Nothing is read for it. */
  known(): Promise<RoomIndex | null>;
  /**
   * Reads the tree anew, once in the whole service; the old one serves until it is replaced.
   * @throws Failure `room-refresh-running`, `room-refresh-cool-down` {remainingMs}, and whatever the reading met
   */
  refresh(student: Student, context: CallContext): Promise<void>;
  /** Ends what is running and frees its leases. */
  close(): Promise<void>;
}

interface Indexed {
  readonly revision: number;
  readonly index: RoomIndex;
}

export interface RoomDirectoryDeps {
  readonly reader: RoomReader;
  readonly store: RoomTreeStore;
  readonly leases: Leases;
  readonly clock: Clock;
}

class Directory implements RoomDirectory {
  readonly #deps: RoomDirectoryDeps;
  readonly #loads = new SingleFlight<Indexed | null>();
  #memory: Indexed | null = null;
  /** Nothing is read behind the scenes before `until`; with `userid`, not with that student's session. */
  #rest: { readonly until: number; readonly userid: string | null } = { until: 0, userid: null };
  #refreshing: Promise<unknown> = Promise.resolve();

  constructor(deps: RoomDirectoryDeps) {
    this.#deps = deps;
  }

  async rooms(student: Student, context: CallContext): Promise<RoomIndex> {
    const kept = await this.#kept();
    if (kept === null) return this.#wait(student, context);
    const age = this.#deps.clock.now() - kept.index.tree.readAt;
    if (age >= LIFE_MS) this.#readBehind(student, context, kept.revision);
    return kept.index;
  }

  async known(): Promise<RoomIndex | null> {
    const kept = await this.#kept();
    return kept?.index ?? null;
  }

  async #wait(student: Student, context: CallContext): Promise<RoomIndex> {
    const waiter = this.#deps.reader.join(student, context, null);
    try {
      return this.#remember(await raceSignal(waiter.tree, context.signal)).index;
    } finally {
      waiter.leave();
    }
  }

  #readBehind(student: Student, context: CallContext, revision: number): void {
    const { reader, clock } = this.#deps;
    const { until, userid } = this.#rest;
    const resting = clock.now() < until && (userid === null || userid === student.userid);
    if (reader.isRunning || resting) return;
    reader.join(student, context, revision).tree.catch((error: unknown) => {
      this.#rest = { until: clock.now() + REST_MS, userid: isPersonal(error) ? student.userid : null };
    });
  }

  async refresh(student: Student, context: CallContext): Promise<void> {
    await this.#throwIfCooling();
    const refreshed = withLease(
      this.#deps.leases,
      {
        name: REFRESH_LEASE,
        lifeMs: LEASE_MS,
        signal: context.signal,
        whenHeld: () => new Failure('room-refresh-running'),
      },
      () => this.#refreshAlone(student, context),
    );
    // The administrator may stop waiting; the refresh ends all the same, and then the cool-down begins.
    this.#refreshing = refreshed.catch(() => {});
    await raceSignal(refreshed, context.signal);
  }

  async close(): Promise<void> {
    await this.#deps.reader.close();
    await this.#refreshing;
  }

  async #refreshAlone(student: Student, context: CallContext): Promise<void> {
    const { reader, store, clock } = this.#deps;
    // Another refresh may have ended between the first look and the lease.
    await this.#throwIfCooling();
    const known = await store.revision();
    this.#remember(await reader.join(student, context, known, { fromScratch: true }).tree);
    await store.refreshed(clock.now());
  }

  async #throwIfCooling(): Promise<void> {
    const { store, clock } = this.#deps;
    const endedAt = await store.refreshedAt();
    if (endedAt === null) return;
    // A clock that was set back must not make the wait longer than it ever is.
    const remainingMs = Math.min(endedAt + COOL_DOWN_MS - clock.now(), COOL_DOWN_MS);
    if (remainingMs <= 0) return;
    throw new Failure('room-refresh-cool-down', { remainingMs, retryAfterSeconds: Math.ceil(remainingMs / 1000) });
  }

  /** The kept tree, indexed once per process and revision. Storage is asked every time: replicas replace it, too. */
  async #kept(): Promise<Indexed | null> {
    const { store } = this.#deps;
    const revision = await store.revision();
    if (revision === null) return null;
    if (this.#memory?.revision === revision) return this.#memory;
    return this.#loads.run(String(revision), async () => {
      const kept = await store.load();
      return kept === null ? null : this.#remember(kept);
    });
  }

  #remember({ revision, tree }: KeptTree): Indexed {
    if (this.#memory === null || this.#memory.revision < revision) {
      this.#memory = { revision, index: new RoomIndex(tree) };
    }
    return this.#memory;
  }
}

export const createRoomDirectory = (deps: RoomDirectoryDeps): RoomDirectory => new Directory(deps);

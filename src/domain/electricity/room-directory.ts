import type { Clock } from '../../lib/clock.ts';
import { raceSignal, SingleFlight } from '../../lib/single-flight.ts';
import type { CallContext, Student } from '../context.ts';
import { Failure, isPersonal } from '../errors.ts';
import { type Leases, withLease } from '../lease.ts';
import type { Building, FloorPlace, KeptTree, RoomPlace, RoomTree, RoomTreeStore } from './ports.ts';
import type { RoomReader } from './room-reader.ts';

const LIFE_MS = 7 * 24 * 60 * 60 * 1000;
const COOL_DOWN_MS = 30 * 60 * 1000;
const REFRESH_LEASE = 'room-refresh';
const LEASE_MS = 30_000;
/** After a background reading has failed, the old tree serves this long before the next one is tried. */
const PAUSE_MS = 5 * 60 * 1000;

interface Indexed {
  readonly revision: number;
  readonly index: RoomIndex;
}

interface RoomDirectoryDeps {
  readonly reader: RoomReader;
  readonly store: RoomTreeStore;
  readonly leases: Leases;
  readonly clock: Clock;
}

export const createRoomDirectory = (deps: RoomDirectoryDeps) => {
  const { reader, clock, store, leases } = deps;
  const loads = new SingleFlight<Indexed | null>();
  let memory: Indexed | null = null;
  /** Nothing is read in the background before `until`; with `userid`, not with that student's session. */
  let pause: { readonly until: number; readonly userid: string | null } = { until: 0, userid: null };
  let refreshing: Promise<unknown> = Promise.resolve();

  const wait = async (student: Student, context: CallContext): Promise<RoomIndex> => {
    const waiter = reader.join(student, context, null);
    try {
      return remember(await raceSignal(waiter.tree, context.signal)).index;
    } finally {
      waiter.leave();
    }
  };

  const readBehind = (student: Student, context: CallContext, revision: number): void => {
    const { until, userid } = pause;
    const paused = clock.now() < until && (userid === null || userid === student.userid);
    if (reader.isRunning || paused) return;
    reader.join(student, context, revision).tree.catch((error: unknown) => {
      pause = { until: clock.now() + PAUSE_MS, userid: isPersonal(error) ? student.userid : null };
    });
  };

  const refreshAlone = async (student: Student, context: CallContext): Promise<void> => {
    // Another refresh may have ended between the first look and the lease.
    await throwIfCooling();
    const revision = await store.revision();
    remember(await reader.join(student, context, revision, { fromScratch: true }).tree);
    await store.refreshed(clock.now());
  };

  const throwIfCooling = async (): Promise<void> => {
    const endedAt = await store.refreshedAt();
    if (endedAt === null) return;
    // A clock that was set back must not make the wait longer than it ever is.
    const remainingMs = Math.min(endedAt + COOL_DOWN_MS - clock.now(), COOL_DOWN_MS);
    if (remainingMs <= 0) return;
    throw new Failure('room-refresh-cool-down', { remainingMs, retryAfterSeconds: Math.ceil(remainingMs / 1000) });
  };

  /** The kept tree, indexed once per process and revision. Storage is asked every time: replicas replace it, too. */
  const keptTree = async (): Promise<Indexed | null> => {
    const revision = await store.revision();
    if (revision === null) return null;
    if (memory?.revision === revision) return memory;
    return loads.run(String(revision), async () => {
      const kept = await store.load();
      return kept === null ? null : remember(kept);
    });
  };

  const remember = ({ revision, tree }: KeptTree): Indexed => {
    if (memory === null || memory.revision < revision) {
      memory = { revision, index: new RoomIndex(tree) };
    }
    return memory;
  };

  return {
    /**
     * The tree, also when it is too old: then it is read again in the background. Without one the call waits
     * for the reading, which goes on when the call ends first.
     * @throws Failure `timed-out`, `upstream-empty`, and those of the reading
     */
    async rooms(student: Student, context: CallContext): Promise<RoomIndex> {
      const kept = await keptTree();
      const mayAsk = student.personal?.copiesOnly !== true;
      if (kept === null && mayAsk) return wait(student, context);
      if (kept === null) throw new Failure('no-copy');
      const age = clock.now() - kept.index.tree.readAt;
      if (age >= LIFE_MS && mayAsk) readBehind(student, context, kept.revision);
      return kept.index;
    },
    /** The tree as it is kept; null when there is none. Nothing is read for it. */
    known: async (): Promise<RoomIndex | null> => (await keptTree())?.index ?? null,
    /**
     * Reads the tree again, once in the whole service; the old one serves until it is replaced.
     * @throws Failure `room-refresh-running`, `room-refresh-cool-down` {remainingMs}, and those of the reading
     */
    async refresh(student: Student, context: CallContext): Promise<void> {
      await throwIfCooling();
      const { signal } = context;
      const whenHeld = () => new Failure('room-refresh-running');
      const refreshed = withLease(leases, { name: REFRESH_LEASE, lifeMs: LEASE_MS, signal, whenHeld }, () =>
        refreshAlone(student, context),
      );
      // The administrator may stop waiting; the refresh ends all the same, and then the cool-down begins.
      refreshing = refreshed.catch(() => {});
      await raceSignal(refreshed, signal);
    },
    /** Ends what is running and frees its leases. */
    async close(): Promise<void> {
      await reader.close();
      await refreshing;
    },
  };
};

export type RoomDirectory = ReturnType<typeof createRoomDirectory>;

const unknown = (): Failure => new Failure('room-unknown');

/** A tree with its parts by code. Parents are those whose lists named a part: one code may begin like another. */
export class RoomIndex {
  readonly tree: RoomTree;
  readonly #buildings = new Map<string, Building>();
  readonly #floors = new Map<string, FloorPlace>();
  readonly #rooms = new Map<string, RoomPlace>();

  constructor(tree: RoomTree) {
    this.tree = tree;
    for (const building of tree.buildings) {
      this.#buildings.set(building.code, building);
      for (const floor of building.floors) this.#addFloor(building, floor);
    }
  }

  #addFloor(building: Building, floor: FloorPlace['floor']): void {
    // A code that two parents name belongs to the first.
    if (!this.#floors.has(floor.code)) this.#floors.set(floor.code, { floor, building });
    for (const room of floor.rooms) {
      if (this.#rooms.has(room.code)) continue;
      const displayText = `${building.name}/${floor.name}/${room.name}`;
      this.#rooms.set(room.code, { room, floor, building, displayText });
    }
  }

  findRoom(code: string): RoomPlace | null {
    return this.#rooms.get(code) ?? null;
  }

  /** @throws Failure `room-unknown` */
  building(code: string): Building {
    const found = this.#buildings.get(code);
    if (!found) throw unknown();
    return found;
  }

  /** @throws Failure `room-unknown` */
  floor(code: string): FloorPlace {
    const found = this.#floors.get(code);
    if (!found) throw unknown();
    return found;
  }

  /** @throws Failure `room-unknown` */
  room(code: string): RoomPlace {
    const found = this.findRoom(code);
    if (!found) throw unknown();
    return found;
  }
}

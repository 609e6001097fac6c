import { raceSignal, SingleFlight } from '../../lib/single-flight.ts';
import { type Clock, DAY_MS } from '../../lib/time.ts';
import { type CallContext, type Student, withSignal } from '../context.ts';
import { asFailure, failures, isFailure, isPersonal } from '../errors.ts';
import { holdLease, type Leases } from '../lease.ts';
import { type SharedReading, SharedReadings } from '../reads/shared-reading.ts';
import {
  type Building,
  type ElectricityCampus,
  type RoomDraft,
  type RoomTreeStore,
  readBuildings,
  type StoredTree,
} from './reads.ts';
import type { FloorRooms, RoomDetail } from './records.ts';

/** Names the one reading, and its lease. */
const TREE = 'room-tree';
const LIFE_MS = 7 * DAY_MS;
const COOL_DOWN_MS = 30 * 60 * 1000;
const LEASE_MS = 30_000;
const LOOK_AGAIN_MS = 500;
/** A reading takes seconds, or half a minute on a slow day. */
const ownTime = { ms: 300_000, late: () => failures.timedOut('reading deadline', { system: 'electricity' }) };
/** Students whose sessions are tried for a waiting caller. */
const MOST_READERS = 3;
/** How long the next reading may continue a failed one. */
const DRAFT_MS = 600_000;
/** Between a failed reading in the background and the next one. */
const PAUSE_MS = 5 * 60 * 1000;

interface RoomDirectoryDeps {
  readonly campus: Pick<ElectricityCampus, 'readRooms'>;
  readonly store: RoomTreeStore;
  readonly leases: Leases;
  readonly clock: Clock;
}

/** The room tree. One reading at a time: callers of a process share it, and replicas take a lease. */
export class RoomDirectory {
  readonly #deps: RoomDirectoryDeps;
  readonly #loads = new SingleFlight<RoomIndex | null>();
  readonly #closing = new AbortController();
  readonly #readings: SharedReadings<RoomIndex>;
  #newest: RoomIndex | null = null;
  #draft: { readonly rooms: RoomDraft; readonly since: number } | null = null;
  /** Background readings wait until then. */
  #pausedUntil = 0;
  #refreshing: Promise<unknown> = Promise.resolve();

  constructor(deps: RoomDirectoryDeps) {
    this.#deps = deps;
    this.#readings = new SharedReadings(deps.clock);
  }

  /**
   * The tree, which is read again in the background when it is too old. Without one the call waits for the reading.
   * @throws Failure `timed-out`, `upstream-empty`, and those of the reading
   */
  async rooms(student: Student, context: CallContext): Promise<RoomIndex> {
    const found = await this.readKnown();
    const mayAsk = student.personal?.copiesOnly !== true;
    if (found === null && mayAsk) return this.#read(student, context, null, context.signal);
    if (found === null) throw failures.noCopy();
    const { readAt, revision } = found.tree;
    if (this.#deps.clock.now() - readAt >= LIFE_MS && mayAsk) this.#readBehind(student, context, revision);
    return found;
  }

  /** The stored tree, null without one. Storage is asked every time, because other replicas replace the tree, too. */
  async readKnown(): Promise<RoomIndex | null> {
    const revision = await this.#deps.store.revision();
    if (revision === null) return null;
    if (this.#newest?.tree.revision === revision) return this.#newest;
    return this.#loads.run(String(revision), async () => {
      const stored = await this.#deps.store.load();
      const buildings = stored && readBuildings(stored.buildings);
      return stored && buildings && this.#remember({ ...stored, buildings });
    });
  }

  /**
   * Reads the tree again, while the old one serves.
   * @throws Failure `room-refresh-running`, `room-refresh-cool-down` {remainingMs}, and those of the reading
   */
  async refresh(student: Student, context: CallContext): Promise<void> {
    const refreshed = this.#refreshAlone(student, context);
    // The refresh continues, and begins the cool-down, even if the administrator stops waiting.
    this.#refreshing = Promise.allSettled([this.#refreshing, refreshed]);
    await raceSignal(refreshed, context.signal);
  }

  async close(): Promise<void> {
    this.#closing.abort(failures.overloaded(5, 'closing'));
    await this.#readings.close();
    await this.#refreshing;
  }

  #remember(tree: StoredTree): RoomIndex {
    if (this.#newest === null || this.#newest.tree.revision < tree.revision) this.#newest = new RoomIndex(tree);
    return this.#newest;
  }

  async #refreshAlone(student: Student, context: CallContext): Promise<void> {
    const { signal } = context;
    const whenHeld = () => failures.roomRefreshRunning();
    await using _lease = await holdLease(this.#deps.leases, {
      name: 'room-refresh',
      lifeMs: LEASE_MS,
      signal,
      whenHeld,
    });
    const endedAt = (await this.#deps.store.refreshedAt()) ?? Number.NEGATIVE_INFINITY;
    // Bounded, because the clock may have been set back.
    const remainingMs = Math.min(endedAt + COOL_DOWN_MS - this.#deps.clock.now(), COOL_DOWN_MS);
    const retryAfterSeconds = Math.ceil(remainingMs / 1000);
    if (remainingMs > 0) throw failures.roomRefreshCoolDown(remainingMs, retryAfterSeconds);
    const revision = await this.#deps.store.revision();
    // A refresh continues no failed reading.
    if (this.#running === undefined) this.#draft = null;
    await this.#read(student, context, revision, this.#closing.signal);
    await this.#deps.store.noteRefresh(this.#deps.clock.now());
  }

  /**
   * Joins the reading under way, or begins one. Where the borrowed session fails for a reason of its student, only that
   * student is told; another one who waits begins again on their own session.
   */
  async #read(
    student: Student,
    context: CallContext,
    revision: number | null,
    signal: AbortSignal,
  ): Promise<RoomIndex> {
    this.#closing.signal.throwIfAborted();
    for (let readers = 0; readers < MOST_READERS; readers += 1) {
      const reading = this.#running ?? this.#begin(student, context, revision);
      try {
        return await reading.wait(signal);
      } catch (error) {
        if (reading.userid === student.userid || !isPersonal(error)) throw error;
      }
    }
    const reason = 'no session to read the rooms with';
    throw failures.upstreamUnavailable('electricity', reason);
  }

  #readBehind(student: Student, context: CallContext, revision: number): void {
    const { clock } = this.#deps;
    if (this.#running !== undefined || clock.now() < this.#pausedUntil) return;
    this.#read(student, context, revision, this.#closing.signal).catch(() => {
      this.#pausedUntil = clock.now() + PAUSE_MS;
    });
  }

  get #running(): SharedReading<RoomIndex> | undefined {
    return this.#readings.at(TREE);
  }

  #begin(student: Student, context: CallContext, revision: number | null): SharedReading<RoomIndex> {
    const read = (reading: SharedReading<RoomIndex>): Promise<RoomIndex> =>
      this.#readAlone(student, reading.context, revision).catch((error: unknown) => {
        const failure = asFailure(error);
        const { kind, reason } = failure;
        const defect = kind === 'internal' ? { err: failure.cause } : {};
        context.log.warn({ system: 'electricity', failure: kind, reason, ...defect }, 'room tree not read');
        throw failure;
      });
    const { userid } = student;
    return this.#readings.start(TREE, context, read, { userid, joinable: true, outlives: 'any', own: ownTime });
  }

  /** Reads under the lease, unless another replica has replaced the tree of that revision by then. */
  async #readAlone(student: Student, context: CallContext, revision: number | null): Promise<RoomIndex> {
    const { signal } = context;
    const doneMeanwhile = async (): Promise<RoomIndex | undefined> => {
      const newest = await this.readKnown();
      return newest === null || newest.tree.revision === revision ? undefined : newest;
    };
    const options = { name: TREE, lifeMs: LEASE_MS, pollMs: LOOK_AGAIN_MS, signal, doneMeanwhile };
    await using lease = await holdLease(this.#deps.leases, options);
    // A process that was held up until it lost the lease gives up: its callers have no time left either.
    return lease.done ?? (await this.#readNow(student, withSignal(context, AbortSignal.any([signal, lease.lost]))));
  }

  async #readNow(student: Student, context: CallContext): Promise<RoomIndex> {
    const begun = this.#deps.clock.now();
    if (this.#draft === null || begun - this.#draft.since >= DRAFT_MS) this.#draft = { rooms: new Map(), since: begun };
    const buildings = await this.#deps.campus.readRooms(student, this.#draft.rooms, context).catch((error: unknown) => {
      // The campus may have listed nothing by mistake: the next reading asks again.
      if (isFailure(error, 'upstream-empty')) this.#draft = null;
      throw error;
    });
    const readAt = this.#deps.clock.now();
    const revision = await this.#deps.store.replace({ readAt, buildings: JSON.stringify(buildings) });
    const index = this.#remember({ readAt, revision, buildings });
    this.#draft = null;
    const [floors, ms] = [buildings.flatMap((building) => building.floors).length, readAt - begun];
    context.log.info({ system: 'electricity', buildings: buildings.length, floors, ms }, 'room tree read');
    return index;
  }
}

const find = <T>(place: T | undefined): T => {
  if (place === undefined) throw failures.roomUnknown();
  return place;
};

/** A tree with its parts by code. A parent is the part whose list named it, never one with a similar code. */
export class RoomIndex {
  readonly tree: StoredTree;
  readonly #buildings = new Map<string, Building>();
  readonly #floors = new Map<string, FloorRooms>();
  readonly #rooms = new Map<string, RoomDetail>();

  constructor(tree: StoredTree) {
    this.tree = tree;
    for (const building of tree.buildings) {
      this.#buildings.set(building.code, building);
      for (const floor of building.floors) this.#addFloor(building, floor);
    }
  }

  #addFloor(building: Building, floor: Building['floors'][number]): void {
    const of = { floor_code: floor.code, floor_name: floor.name, building_code: building.code };
    // A code that two parents name belongs to the first.
    if (!this.#floors.has(floor.code)) {
      this.#floors.set(floor.code, { ...of, rooms: floor.rooms, room_count: floor.rooms.length });
    }
    for (const room of floor.rooms) {
      if (this.#rooms.has(room.code)) continue;
      const display_text = `${building.name}/${floor.name}/${room.name}`;
      const names = { room_code: room.code, room_name: room.name, building_name: building.name };
      this.#rooms.set(room.code, { ...of, ...names, display_text });
    }
  }

  findRoom(code: string): RoomDetail | null {
    return this.#rooms.get(code) ?? null;
  }

  /** @throws Failure `room-unknown`, as the next two */
  building(code: string): Building {
    return find(this.#buildings.get(code));
  }

  floor(code: string): FloorRooms {
    return find(this.#floors.get(code));
  }

  room(code: string): RoomDetail {
    return find(this.#rooms.get(code));
  }
}

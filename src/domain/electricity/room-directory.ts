import { raceSignal, SingleFlight } from '../../lib/single-flight.ts';
import { type Clock, Deadline } from '../../lib/time.ts';
import type { CallContext, Student } from '../context.ts';
import { asFailure, Failure, isFailure, isPersonal } from '../errors.ts';
import { type Leases, withLease } from '../lease.ts';
import type { Building, ElectricityCampus, RoomDraft, RoomTreeStore, StoredTree } from './ports.ts';
import type { FloorRooms, RoomDetail } from './records.ts';

const LIFE_MS = 7 * 24 * 60 * 60 * 1000;
const COOL_DOWN_MS = 30 * 60 * 1000;
const LEASE_MS = 30_000;
const LOOK_AGAIN_MS = 500;
/** A reading takes seconds, or half a minute on a slow day; its caller may be long gone. */
const READING_MS = 300_000;
/** Students whose sessions are borrowed for a caller who waits, one after the other. */
const MOST_READERS = 3;
/** A failed reading leaves what it has read so far to the next one, for this long. */
const DRAFT_MS = 600_000;
/** After a background reading has failed, the old tree serves this long before the next one is tried. */
const PAUSE_MS = 5 * 60 * 1000;

/** One reading, shared by all callers that wait for it. It does not end with them. */
interface Reading {
  /** The student whose session it borrows. */
  readonly userid: string;
  readonly result: Promise<RoomIndex>;
}

interface RoomDirectoryDeps {
  readonly campus: Pick<ElectricityCampus, 'readRooms'>;
  readonly store: RoomTreeStore;
  readonly leases: Leases;
  readonly clock: Clock;
}

/** The room tree: read by one at a time, in this process by sharing the reading and over replicas by a lease. */
export class RoomDirectory {
  readonly #campus: RoomDirectoryDeps['campus'];
  readonly #store: RoomTreeStore;
  readonly #leases: Leases;
  readonly #clock: Clock;
  readonly #loads = new SingleFlight<RoomIndex | null>();
  readonly #closing = new AbortController();
  #newest: RoomIndex | null = null;
  #running: Reading | null = null;
  #draft: { readonly rooms: RoomDraft; readonly since: number } | null = null;
  /** Nothing is read in the background before `until`; with `userid`, not with that student's session. */
  #pause: { readonly until: number; readonly userid: string | null } = { until: 0, userid: null };
  #refreshing: Promise<unknown> = Promise.resolve();

  constructor({ campus, store, leases, clock }: RoomDirectoryDeps) {
    this.#campus = campus;
    this.#store = store;
    this.#leases = leases;
    this.#clock = clock;
  }

  /**
   * The tree, also when it is too old: then it is read again in the background. Without one the call waits
   * for the reading, which continues when the call ends first.
   * @throws Failure `timed-out`, `upstream-empty`, and those of the reading
   */
  async rooms(student: Student, context: CallContext): Promise<RoomIndex> {
    const found = await this.known();
    const mayAsk = student.personal?.copiesOnly !== true;
    if (found === null && mayAsk) return this.#read(student, context, null, context.signal);
    if (found === null) throw new Failure('no-copy');
    const { readAt, revision } = found.tree;
    if (this.#clock.now() - readAt >= LIFE_MS && mayAsk) this.#readBehind(student, context, revision);
    return found;
  }

  /**
   * The stored tree, indexed once per process and revision; null when there is none. It never asks the campus. Storage
   * is asked every time, because other replicas replace the tree, too.
   */
  async known(): Promise<RoomIndex | null> {
    const revision = await this.#store.revision();
    if (revision === null) return null;
    if (this.#newest?.tree.revision === revision) return this.#newest;
    return this.#loads.run(String(revision), async () => {
      const tree = await this.#store.load();
      return tree && this.#remember(tree);
    });
  }

  /**
   * Reads the tree again, once in the whole service; the old one serves until it is replaced.
   * @throws Failure `room-refresh-running`, `room-refresh-cool-down` {remainingMs}, and those of the reading
   */
  async refresh(student: Student, context: CallContext): Promise<void> {
    const { signal } = context;
    const whenHeld = () => new Failure('room-refresh-running');
    const refreshed = withLease(this.#leases, { name: 'room-refresh', lifeMs: LEASE_MS, signal, whenHeld }, () =>
      this.#refreshAlone(student, context),
    );
    // The administrator may stop waiting; the refresh ends all the same, and then the cool-down begins.
    this.#refreshing = Promise.allSettled([this.#refreshing, refreshed]);
    await raceSignal(refreshed, signal);
  }

  /** Ends what is running and frees its leases. */
  async close(): Promise<void> {
    this.#closing.abort(new Failure('overloaded', { reason: 'closing', retryAfterSeconds: 5 }));
    await this.#running?.result.catch(() => {});
    await this.#refreshing;
  }

  #remember(tree: StoredTree): RoomIndex {
    if (this.#newest === null || this.#newest.tree.revision < tree.revision) this.#newest = new RoomIndex(tree);
    return this.#newest;
  }

  async #refreshAlone(student: Student, context: CallContext): Promise<void> {
    const endedAt = (await this.#store.refreshedAt()) ?? Number.NEGATIVE_INFINITY;
    // A clock that was set back must not make the wait longer than it ever is.
    const remainingMs = Math.min(endedAt + COOL_DOWN_MS - this.#clock.now(), COOL_DOWN_MS);
    const retryAfterSeconds = Math.ceil(remainingMs / 1000);
    if (remainingMs > 0) throw new Failure('room-refresh-cool-down', { remainingMs, retryAfterSeconds });
    const revision = await this.#store.revision();
    // A refresh takes nothing over from a reading that failed.
    if (this.#running === null) this.#draft = null;
    await this.#read(student, context, revision, this.#closing.signal);
    await this.#store.refreshed(this.#clock.now());
  }

  /**
   * Joins the reading under way, or begins one. Where the borrowed session fails for reasons of its student, that student
   * is told, and another one who waits begins again with a session of their own.
   */
  async #read(
    student: Student,
    context: CallContext,
    revision: number | null,
    signal: AbortSignal,
  ): Promise<RoomIndex> {
    for (let readers = 0; readers < MOST_READERS; readers += 1) {
      this.#running ??= this.#begin(student, context, revision);
      const { userid, result } = this.#running;
      try {
        return await raceSignal(result, signal);
      } catch (error) {
        if (userid === student.userid || !isPersonal(error)) throw error;
      }
    }
    const reason = 'no session to read the rooms with';
    throw new Failure('upstream-unavailable', { system: 'electricity', reason });
  }

  #readBehind(student: Student, context: CallContext, revision: number): void {
    const { until, userid } = this.#pause;
    const paused = this.#clock.now() < until && (userid === null || userid === student.userid);
    if (this.#running !== null || paused) return;
    this.#read(student, context, revision, this.#closing.signal).catch((error: unknown) => {
      this.#pause = { until: this.#clock.now() + PAUSE_MS, userid: isPersonal(error) ? student.userid : null };
    });
  }

  #begin(student: Student, context: CallContext, revision: number | null): Reading {
    const late = new AbortController();
    const tooLate = () => new Failure('timed-out', { system: 'electricity', reason: 'reading deadline' });
    const stopTimer = this.#clock.timer(READING_MS, () => late.abort(tooLate()));
    const ending = AbortSignal.any([this.#closing.signal, late.signal]);
    const result = this.#readAlone(student, context, revision, ending)
      .catch((error: unknown) => {
        const failure = asFailure(error);
        const { kind, reason } = failure;
        const defect = kind === 'internal' ? { err: failure.cause } : {};
        context.log.warn({ system: 'electricity', failure: kind, reason, ...defect }, 'room tree not read');
        throw failure;
      })
      .finally(() => {
        stopTimer();
        this.#running = null;
      });
    // It may fail when no caller waits any more.
    result.catch(() => {});
    return { userid: student.userid, result };
  }

  /** Waits for the lease, and reads unless another replica has replaced the tree of that revision by then. */
  async #readAlone(
    student: Student,
    context: CallContext,
    revision: number | null,
    signal: AbortSignal,
  ): Promise<RoomIndex> {
    const doneMeanwhile = async (): Promise<RoomIndex | undefined> => {
      const newest = await this.known();
      return newest === null || newest.tree.revision === revision ? undefined : newest;
    };
    const options = { name: 'room-tree', lifeMs: LEASE_MS, pollMs: LOOK_AGAIN_MS, signal, doneMeanwhile };
    for (;;) {
      const lease: { lost?: AbortSignal } = {};
      try {
        return await withLease(this.#leases, options, (lost) => {
          lease.lost = lost;
          return this.#readNow(student, context, AbortSignal.any([signal, lost]));
        });
      } catch (error) {
        // Another replica reads now.
        if (!lease.lost?.aborted) throw error;
      }
    }
  }

  async #readNow(student: Student, { log, traceId }: CallContext, signal: AbortSignal): Promise<RoomIndex> {
    const begun = this.#clock.now();
    if (this.#draft === null || begun - this.#draft.since >= DRAFT_MS) this.#draft = { rooms: new Map(), since: begun };
    const context = { traceId, signal, deadline: new Deadline(READING_MS), log, address: '' };
    const buildings = await this.#campus.readRooms(student, this.#draft.rooms, context).catch((error: unknown) => {
      // The campus may have offered nothing by mistake: the next reading asks again.
      if (isFailure(error, 'upstream-empty')) this.#draft = null;
      throw error;
    });
    const tree = { readAt: this.#clock.now(), buildings };
    const index = this.#remember({ ...tree, revision: await this.#store.replace(tree) });
    this.#draft = null;
    const [floors, ms] = [buildings.flatMap((building) => building.floors).length, tree.readAt - begun];
    log.info({ system: 'electricity', buildings: buildings.length, floors, ms }, 'room tree read');
    return index;
  }
}

const found = <T>(place: T | undefined): T => {
  if (place === undefined) throw new Failure('room-unknown');
  return place;
};

/** A tree with its parts by code. Parents are those whose lists named a part: one code may begin like another. */
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

  /** @throws Failure `room-unknown` */
  building(code: string): Building {
    return found(this.#buildings.get(code));
  }

  /** @throws Failure `room-unknown` */
  floor(code: string): FloorRooms {
    return found(this.#floors.get(code));
  }

  /** @throws Failure `room-unknown` */
  room(code: string): RoomDetail {
    return found(this.#rooms.get(code));
  }
}

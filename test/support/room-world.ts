import type { CallContext, Student } from '../../src/domain/context.ts';
import type {
  Building,
  ElectricityCampus,
  RoomDraft,
  RoomTreeStore,
  TreeText,
} from '../../src/domain/electricity/reads.ts';
import type { MeterReading } from '../../src/domain/electricity/records.ts';
import { RoomDirectory } from '../../src/domain/electricity/room-directory.ts';
import { createLeases } from '../../src/domain/lease.ts';
import { type AccountStores, openAccountStores } from './account-stores.ts';
import type { ManualClock } from './manual-clock.ts';

/** A campus with one room, whose building carries the number of the reading. */
export const buildingsOf = (mark: string): readonly Building[] => [
  {
    code: '01',
    name: `松园${mark}`,
    floors: [{ code: '0101', name: '1-1层', rooms: [{ code: '010101', name: '1-101' }] }],
  },
];

export const emptyReading: MeterReading = {
  balance: { remaining_purchased: 1, remaining_subsidy: 0 },
  usage_records: [],
  payments: [],
};

export interface ReadingAtCampus {
  readonly student: Student;
  readonly draft: RoomDraft;
  readonly context: CallContext;
  finish(buildings?: readonly Building[]): void;
  fail(error: unknown): void;
}

/** A campus whose readings of the tree end when a test says so, or when they are given up. */
export class HeldCampus implements ElectricityCampus {
  readonly readings: ReadingAtCampus[] = [];
  readonly meters: Array<{ student: Student; room: { code: string; displayText: string } }> = [];

  readRooms(student: Student, draft: RoomDraft, context: CallContext): Promise<readonly Building[]> {
    const { promise, resolve, reject } = Promise.withResolvers<readonly Building[]>();
    const number = this.readings.length + 1;
    const finish = (buildings = buildingsOf(String(number))) => resolve(buildings);
    this.readings.push({ student, draft, context, finish, fail: reject });
    context.signal.addEventListener('abort', () => reject(context.signal.reason));
    return promise;
  }

  readMeter(student: Student, room: { code: string; displayText: string }): Promise<MeterReading> {
    this.meters.push({ student, room });
    return Promise.resolve(emptyReading);
  }

  get latest(): ReadingAtCampus {
    const latest = this.readings.at(-1);
    if (!latest) throw new Error('nothing is being read');
    return latest;
  }
}

class MemoryTrees implements RoomTreeStore {
  kept: TreeText | null = null;
  refreshedAtMs: number | null = null;

  revision = () => Promise.resolve(this.kept?.revision ?? null);
  load = () => Promise.resolve(this.kept);
  replace = (tree: Omit<TreeText, 'revision'>) => {
    const revision = (this.kept?.revision ?? 0) + 1;
    this.kept = { revision, ...tree };
    return Promise.resolve(revision);
  };
  refreshedAt = () => Promise.resolve(this.refreshedAtMs);
  noteRefresh = (at: number) => {
    this.refreshedAtMs = at;
    return Promise.resolve();
  };
}

/** Room directories over one storage and one campus, as the replicas of a service have them. */
export class RoomWorld {
  readonly clock: ManualClock;
  readonly campus = new HeldCampus();
  readonly trees = new MemoryTrees();
  readonly stores: AccountStores;

  private constructor(stores: AccountStores) {
    this.clock = stores.clock;
    this.stores = stores;
  }

  static async open(): Promise<RoomWorld> {
    return new RoomWorld(await openAccountStores());
  }

  directory(): RoomDirectory {
    const { clock, trees: store, campus } = this;
    return new RoomDirectory({ campus, store, leases: createLeases(this.stores.leases, clock), clock });
  }

  /** Names of the leases that are held. */
  get leases(): unknown[] {
    return this.stores.rows('leases').map(({ name }) => name);
  }
}

import { Type } from '@sinclair/typebox';
import type { CallContext, Student } from '../context.ts';
import type { ReadEvents } from '../events/ports.ts';
import { type MethodsOf, ofRecord, onePart } from '../read-row.ts';
import { type RecordOf, stateReader } from '../record.ts';
import { CacheBuildingData, ElectricityReading, type MeterReading, type RoomInfo } from './records.ts';

/** The lists of a tree that were read so far, by their paths at the site. No reading asks for one of them again. */
export type RoomDraft = Map<string, readonly CodeName[]>;

/**
 * Implemented by campus/isim. Failures: sign-in kinds, `upstream-unavailable`, `upstream-unreadable`, `upstream-refused`,
 * `session-lost`, `timed-out`.
 */
export interface ElectricityCampus {
  /**
   * Reads what the draft lacks, and returns the whole tree, sorted. An unreadable part fails the call and leaves the
   * draft as far as it got.
   * @throws Failure also `upstream-empty` where there is no floor
   */
  readRooms(student: Student, draft: RoomDraft, context: CallContext): Promise<readonly Building[]>;
  /** Reads the pages of a room, on a session that is bound to it. */
  readMeter(
    student: Student,
    room: { readonly code: string; readonly displayText: string },
    context: CallContext,
  ): Promise<MeterReading>;
}

export const electricityMethods: MethodsOf<ElectricityCampus> = { readRooms: true, readMeter: true };

export interface RoomTreeStore {
  /** Revision of the stored tree; null without one. */
  revision(): Promise<number | null>;
  load(): Promise<TreeText | null>;
  /** Replaces the whole tree; returns its revision. */
  replace(tree: Omit<TreeText, 'revision'>): Promise<number>;
  /** End of the last successful refresh, epoch ms; null: never. */
  refreshedAt(): Promise<number | null>;
  noteRefresh(at: number): Promise<void>;
}

export interface RoomBindingStore {
  find(userid: string): Promise<RoomBinding | null>;
  /** Replaces the student's binding. */
  bind(userid: string, binding: RoomBinding, now: number): Promise<'bound' | 'user-gone'>;
}

export interface CodeName extends RecordOf<typeof RoomInfo> {}

export interface Building extends RecordOf<typeof CacheBuildingData> {}

/** All dormitories of the campus, as they are stored: the same for every student. */
export interface TreeText {
  /** Grows with every replacement, over all replicas. */
  readonly revision: number;
  /** When it was read completely, epoch ms. */
  readonly readAt: number;
  /** JSON of them. */
  readonly buildings: string;
}

export interface StoredTree extends Omit<TreeText, 'buildings'> {
  /** Sorted by code; never empty. */
  readonly buildings: readonly Building[];
}

/** Null for a text that this version cannot read. */
export const readBuildings = stateReader(Type.Array(CacheBuildingData));

/** The room that a student has chosen, with its names at that time. */
export interface RoomBinding {
  readonly roomCode: string;
  readonly roomName: string;
  readonly displayText: string;
}

/** In kWh, for students whose hooks set no threshold: a room uses it in about two days. */
const USUAL_THRESHOLD = 10;
/** So far above its threshold a balance has recovered, and may be low again. */
const RECOVERED = 1.2;

const electricityEvents: ReadEvents<ElectricityReading> = (reading, { thresholds }) => {
  const { room_code, room_text, balance } = reading;
  const left = balance.remaining_purchased + balance.remaining_subsidy;
  const all = thresholds.length === 0 ? [USUAL_THRESHOLD] : [...new Set(thresholds)];
  const items = all
    .filter((threshold) => left < threshold * RECOVERED)
    .map((threshold) => ({ key: String(threshold), content: '', onlyIfKnown: left >= threshold, threshold }));
  return onePart({
    scope: `electricity ${room_code}`,
    vanished: 'at once',
    items,
    tell: ({ added }) =>
      added.map(({ threshold }) => ({
        type: 'electricity.low',
        about: { room_name: room_text, threshold },
        ask: '/isim/elec/info',
        detail: { left },
      })),
  });
};

export const electricityReads = {
  electricity: ofRecord(ElectricityReading, 'electricity', 'electricity', {
    events: electricityEvents,
    usesThresholds: true,
  }),
} as const;

import type { CallContext, Student } from '../context.ts';
import type { RecordOf } from '../record.ts';
import type { CacheBuildingData, MeterReading, RoomInfo } from './records.ts';

/**
 * The lists of a tree that have been read so far, by their paths at the site. A reading that is cut short, renewed or
 * taken over by another student's session continues from here and asks for nothing twice.
 */
export type RoomDraft = Map<string, readonly CodeName[]>;

/**
 * The port of the electricity application, implemented by campus/isim. Both throw `Failure`s of the sign-in
 * kinds, `upstream-unavailable`, `upstream-unreadable`, `upstream-refused`, `session-lost`, `timed-out`.
 */
export interface ElectricityCampus {
  /**
   * Reads what the draft lacks, on that student's session, and returns the whole tree, sorted. Complete or
   * nothing: a part that cannot be read fails the call and leaves the draft as far as it got.
   * @throws Failure as above; `upstream-empty` when there is not one floor
   */
  readRooms(student: Student, draft: RoomDraft, context: CallContext): Promise<readonly Building[]>;
  /** The pages of that room, on a session that is bound to it. */
  readMeter(
    student: Student,
    room: { readonly code: string; readonly displayText: string },
    context: CallContext,
  ): Promise<MeterReading>;
}

export interface RoomTreeStore {
  /** Of the stored tree; null when there is none. */
  revision(): Promise<number | null>;
  /** Null when there is none, or none that this version can read. */
  load(): Promise<StoredTree | null>;
  /** Replaces the whole stored tree; returns its revision. */
  replace(tree: RoomTree): Promise<number>;
  /** End of the last successful refresh, epoch ms; null: never. */
  refreshedAt(): Promise<number | null>;
  refreshed(at: number): Promise<void>;
}

export interface RoomBindingStore {
  find(userid: string): Promise<RoomBinding | null>;
  /** One binding per student, replaced by the next. */
  bind(userid: string, binding: RoomBinding, now: number): Promise<'bound' | 'user-gone'>;
}

export interface CodeName extends RecordOf<typeof RoomInfo> {}

export interface Building extends RecordOf<typeof CacheBuildingData> {}

/** All dormitories of the campus. The same for every student, nothing personal in it. */
export interface RoomTree {
  /** Epoch ms at which it was read completely. */
  readonly readAt: number;
  /** By code; never empty. */
  readonly buildings: readonly Building[];
}

/** A tree as it is stored; the revision grows with every replacement, over all replicas. */
export interface StoredTree extends RoomTree {
  readonly revision: number;
}

/** The room a student chose. Names as they were then. */
export interface RoomBinding {
  readonly roomCode: string;
  readonly roomName: string;
  readonly displayText: string;
}

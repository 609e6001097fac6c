import type { Clock } from '../../lib/time.ts';
import type { CallContext, Student } from '../context.ts';
import { failures } from '../errors.ts';
import type { Reads } from '../reads/reads.ts';
import type { Writes } from '../reads/writes.ts';
import { type ElectricityCampus, electricityReads, type RoomBindingStore } from './reads.ts';
import type { ElectricityReading } from './records.ts';
import type { RoomDirectory, RoomIndex } from './room-directory.ts';

interface ElectricityDeps {
  readonly rooms: RoomDirectory;
  readonly bindings: RoomBindingStore;
  readonly campus: ElectricityCampus;
  readonly reads: Reads;
  readonly writes: Writes;
  readonly clock: Clock;
  readonly adminUserIds: readonly string[];
}

/** Dormitories and their meters. Failures: those of `RoomDirectory` and `ElectricityCampus`. */
export class ElectricityService {
  readonly #deps: ElectricityDeps;

  constructor(deps: ElectricityDeps) {
    this.#deps = deps;
  }

  rooms(student: Student, context: CallContext): Promise<RoomIndex> {
    return this.#deps.rooms.rooms(student, context);
  }

  /**
   * Stores the student's room. The site is told when the meter is read, because a binding ends there with the session.
   * @throws Failure `room-unknown`, `token-user-gone`
   */
  async bindRoom(student: Student, roomCode: string, context: CallContext): Promise<void> {
    const { bindings, writes, clock } = this.#deps;
    const bound = await bindings.find(student.userid);
    if (bound?.roomCode === roomCode) return;
    const room = (await this.rooms(student, context)).room(roomCode);
    const binding = { roomCode, roomName: room.room_name, displayText: room.display_text };
    const outcome = await writes.during(student, 'electricity', context, () =>
      bindings.bind(student.userid, binding, clock.now()),
    );
    if (outcome === 'user-gone') throw failures.tokenUserGone();
  }

  /** Null without one. `displayText` is the name of a room that is not in the tree. */
  async boundRoom({ userid }: Student): Promise<{ readonly code: string; readonly displayText: string } | null> {
    const { bindings, rooms } = this.#deps;
    const bound = await bindings.find(userid);
    if (bound === null) return null;
    const place = (await rooms.readKnown())?.findRoom(bound.roomCode);
    return { code: bound.roomCode, displayText: place?.display_text ?? bound.roomName };
  }

  /** @throws Failure `forbidden` for anyone but administrators */
  async refreshRooms(student: Student, context: CallContext): Promise<void> {
    const { adminUserIds, rooms } = this.#deps;
    if (student.personal || !adminUserIds.includes(student.userid)) throw failures.forbidden();
    await rooms.refresh(student, context);
  }

  /** Reads the meter of the bound room. @throws Failure `room-unbound` */
  async reading(student: Student, context: CallContext): Promise<ElectricityReading> {
    const { bindings, campus, reads, rooms } = this.#deps;
    const code = student.marks ? student.marks.roomCode : (await bindings.find(student.userid))?.roomCode;
    if (code === null || code === undefined) throw failures.roomUnbound();
    return reads.read(student, context, {
      row: electricityReads.electricity,
      params: [code],
      async ask(inner) {
        const bound = await bindings.find(student.userid);
        const place = (await rooms.readKnown())?.findRoom(code);
        // The site is told the full name, which the binding still has of a room that has left the tree.
        const named = bound?.roomCode === code ? bound : null;
        const name = named?.roomName ?? place?.room_name;
        const displayText = place?.display_text ?? named?.displayText;
        if (name === undefined || displayText === undefined) throw failures.roomUnbound();
        const meter = await campus.readMeter(student, { code, displayText }, inner);
        return { room_code: code, room_text: name, room_display: place?.display_text ?? '', ...meter };
      },
    });
  }
}

export type Electricity = Pick<ElectricityService, keyof ElectricityService>;

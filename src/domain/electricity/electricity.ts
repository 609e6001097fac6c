import type { Clock } from '../../lib/clock.ts';
import type { CallContext, Student } from '../context.ts';
import { Failure } from '../errors.ts';
import type { ElectricityCampus, RoomBindingStore } from './ports.ts';
import type { RoomDirectory } from './room-directory.ts';
import type { RoomIndex } from './room-index.ts';
import type { CodeName, ElectricityReading } from './types.ts';

/**
 * Dormitories and their meters. Failures: those of `RoomDirectory` and `ElectricityCampus`; what is not in the tree is
 * `room-unknown`.
 */
export interface Electricity {
  rooms(student: Student, context: CallContext): Promise<RoomIndex>;
  /**
   * Makes the room the student's own; a change of mind replaces it, the same room again changes nothing.
   * @throws Failure `room-unknown`, `token-user-gone`
   */
  bindRoom(student: Student, roomCode: string, context: CallContext): Promise<void>;
  /** The bound room; null when there is none. `displayText` is its name when the tree does not have it (any more). */
  boundRoom(student: Student): Promise<{ readonly code: string; readonly displayText: string } | null>;
  /** @throws Failure `forbidden` for everybody but administrators */
  refreshRooms(student: Student, context: CallContext): Promise<void>;
  /**
   * What the meter of the bound room shows now.
   * @throws Failure `room-unbound`
   */
  reading(student: Student, context: CallContext): Promise<ElectricityReading>;
}

export interface ElectricityDeps {
  readonly rooms: RoomDirectory;
  readonly bindings: RoomBindingStore;
  readonly campus: ElectricityCampus;
  readonly clock: Clock;
  readonly adminUserIds: readonly string[];
}

export const createElectricity = ({ rooms, bindings, campus, clock, adminUserIds }: ElectricityDeps): Electricity => {
  const admins = new Set(adminUserIds);
  return {
    rooms: (student, context) => rooms.rooms(student, context),
    async bindRoom(student, roomCode, context) {
      const bound = await bindings.find(student.userid);
      if (bound?.roomCode === roomCode) return;
      const { room, displayText } = (await rooms.rooms(student, context)).room(roomCode);
      const binding = { roomCode: room.code, roomName: room.name, displayText };
      const outcome = await bindings.bind(student.userid, binding, clock.now());
      if (outcome === 'user-gone') throw new Failure('token-user-gone');
    },
    async boundRoom({ userid }) {
      const bound = await bindings.find(userid);
      if (bound === null) return null;
      const place = (await rooms.known())?.findRoom(bound.roomCode);
      return { code: bound.roomCode, displayText: place?.displayText ?? bound.roomName };
    },
    async refreshRooms(student, context) {
      if (!admins.has(student.userid)) throw new Failure('forbidden');
      await rooms.refresh(student, context);
    },
    async reading(student, context) {
      const bound = await bindings.find(student.userid);
      if (bound === null) throw new Failure('room-unbound');
      const { roomCode: code, roomName: name } = bound;
      const place = (await rooms.known())?.findRoom(code);
      // The site is told the room's full name, which a room that has left the tree has kept in its binding.
      const displayText = place?.displayText ?? bound.displayText;
      const meter = await campus.readMeter(student, { code, displayText }, context);
      const room: CodeName & { displayText: string } = { code, name, displayText: place?.displayText ?? '' };
      return { room, ...meter };
    },
  };
};

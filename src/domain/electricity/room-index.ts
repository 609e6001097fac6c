import { Failure } from '../errors.ts';
import type { Building, FloorPlace, RoomPlace, RoomTree } from './types.ts';

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

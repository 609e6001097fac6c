export interface CodeName {
  readonly code: string;
  readonly name: string;
}

interface Floor extends CodeName {
  /** In the order of the campus; may be empty. */
  readonly rooms: readonly CodeName[];
}

export interface Building extends CodeName {
  /** By code; never empty. */
  readonly floors: readonly Floor[];
}

/** All dormitories of the campus. The same for every student, nothing personal in it. */
export interface RoomTree {
  /** Epoch ms at which it was read completely. */
  readonly readAt: number;
  /** By code; never empty. */
  readonly buildings: readonly Building[];
}

/** A room with the floor and building whose lists named it; codes say nothing about parents. */
export interface RoomPlace {
  readonly room: CodeName;
  readonly floor: Floor;
  readonly building: Building;
  /** `<building>/<floor>/<room>`, by name. */
  readonly displayText: string;
}

export interface FloorPlace {
  readonly floor: Floor;
  readonly building: Building;
}

/** The room a student chose. Names as they were then. */
export interface RoomBinding {
  readonly roomCode: string;
  readonly roomName: string;
  readonly displayText: string;
}

export interface CodeName {
  readonly code: string;
  readonly name: string;
}

export type Room = CodeName;

interface Floor extends CodeName {
  /** In the order of the campus; may be empty. */
  readonly rooms: readonly Room[];
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
  readonly room: Room;
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

/** Energy left, in kWh; negative when overdrawn. */
export interface Balance {
  readonly purchased: number;
  readonly subsidy: number;
}

export interface UsageRecord {
  /** As printed, normally `YYYY-MM-DD HH:MM:SS`. */
  readonly time: string;
  /** kWh */
  readonly amount: number;
  /** `""` when not stated. */
  readonly meter: string;
}

export interface Payment {
  /** As printed, normally `YYYY-MM-DD HH:MM:SS`. */
  readonly time: string;
  /** Yuan; negative for corrections and subsidies taken back. */
  readonly amount: number;
  /** `""` when not stated. */
  readonly type: string;
}

/** What the pages of one room show now, in page order. */
export interface MeterReading {
  readonly balance: Balance;
  readonly usage: readonly UsageRecord[];
  readonly payments: readonly Payment[];
}

export interface ElectricityReading extends MeterReading {
  /** Code and name as bound; `displayText` of the known tree, `""` when the room is not in it. */
  readonly room: CodeName & { readonly displayText: string };
}

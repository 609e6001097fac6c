export interface ElectricityTables {
  room_trees: RoomTreesTable;
  room_refreshes: RoomRefreshesTable;
  room_bindings: RoomBindingsTable;
}

/** One row: the tree is replaced whole or not at all. */
export interface RoomTreesTable {
  /** Format of `buildings`. */
  name: string;
  /** Grows with every replacement. */
  revision: number;
  read_at: number;
  /** JSON: buildings with their floors with their rooms. */
  buildings: string;
}

export interface RoomRefreshesTable {
  name: string;
  /** End of the last successful refresh. */
  ended_at: number;
}

export interface RoomBindingsTable {
  userid: string;
  room_code: string;
  room_name: string;
  display_text: string;
  bound_at: number;
}

/** See migrations/0007-copies.ts. */
export interface CopyTables {
  copies: CopiesTable;
}

export interface CopiesTable {
  userid: string;
  read: string;
  /** JSON of the list of parameters. */
  params: string;
  shape: number;
  sealed_value: string;
  /** Keyed: short values cannot be guessed from it. */
  digest: string;
  /** Of the application, when the reading began. */
  writes: number;
  read_at: number;
}

/** In the users row: it is read for the generation anyway. */
export interface WriteColumns {
  academics_writes: number;
  academics_writing_until: number;
  labor_club_writes: number;
  labor_club_writing_until: number;
  electricity_writes: number;
  electricity_writing_until: number;
}

/** Of a new student. */
export const noWrites: WriteColumns = {
  academics_writes: 0,
  academics_writing_until: 0,
  labor_club_writes: 0,
  labor_club_writing_until: 0,
  electricity_writes: 0,
  electricity_writing_until: 0,
};

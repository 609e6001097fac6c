import type { Sealed, SealedPlace } from './seal.ts';

/** Why data of a student are not in the export. */
export interface Withheld {
  readonly why: string;
}

export interface Column<T = unknown> {
  readonly kind: 'text' | 'number' | 'bytes';
  readonly nullable: boolean;
  /** Its name in a student's export; undefined where the table belongs to no student. */
  readonly shown?: string | Withheld;
  /** Makes the value of the export from the stored one. */
  told?(stored: T): unknown;
  /** The place of a sealed value. */
  readonly place?: (row: never) => SealedPlace;
  /** Carries the type of the values, and never has a value. */
  readonly type?: T;
}

type ShownInExport = Column['shown'];
export const textColumn = (shown?: ShownInExport): Column<string> => ({ kind: 'text', nullable: false, shown });
export const numberColumn = (shown?: ShownInExport): Column<number> => ({ kind: 'number', nullable: false, shown });
export const bytesColumn = (shown?: ShownInExport): Column<Uint8Array> => ({ kind: 'bytes', nullable: false, shown });
export const sealedColumn = (place: (row: never) => SealedPlace, shown: ShownInExport): Column<Sealed> => ({
  kind: 'text',
  nullable: false,
  shown,
  place,
});
export const nullableColumn = <T>(column: Column<T>): Column<T | null> => ({ ...column, nullable: true });
export const tellAs = <T>(column: Column<T>, told: (stored: T) => unknown): Column<T> => ({ ...column, told });
/** 0 or 1. */
export const flagColumn = (shown?: ShownInExport) => tellAs(numberColumn(shown), Boolean);
export const textOrNullColumn = (shown?: ShownInExport) => nullableColumn(textColumn(shown));
export const numberOrNullColumn = (shown?: ShownInExport) => nullableColumn(numberColumn(shown));

export const secret: Withheld = { why: 'a secret, or what a secret is recognized by' };
export const password: Withheld = { why: 'a secret, which the student knows' };
export const inner: Withheld = { why: 'bookkeeping of the service, which says nothing about the student' };
export const derived: Withheld = { why: 'made of what is handed out already' };

/** Columns of one kind with the same names in the export. */
export const shownOf = <T, Name extends string>(kind: (name: string) => Column<T>, ...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, kind(name)])) as Record<Name, Column<T>>;

/** Columns of one kind of a table that belongs to no student. */
export const columnsOf = <T, Name extends string>(kind: () => Column<T>, ...names: readonly Name[]) =>
  shownOf<T, Name>(() => kind(), ...names);

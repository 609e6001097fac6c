import { sql } from 'kysely';
import type { Column } from '../columns.ts';
import type { StoredRow } from '../database/rows.ts';
import { schema } from '../schema.ts';
import { SealBroken, type SealedPlace } from '../seal.ts';
import type { StoreDeps } from '../store.ts';

export interface RotationReport {
  /** Rows that were sealed by another key and are now sealed by the first. */
  readonly resealed: number;
  /** Rows that no key opens, left unchanged. */
  readonly unreadable: number;
  /** Rows that something else rewrote at each try; they may need another run. */
  readonly unsettled: number;
}

type Sealing = Pick<StoreDeps, 'runner' | 'sealer'>;

const sealedTables = Object.entries(schema)
  .map(([name, { key, columns }]) => ({
    name,
    key,
    sealed: Object.entries<Column>(columns).flatMap(([column, { place }]) =>
      place ? [[column, place as (row: StoredRow) => SealedPlace] as const] : [],
    ),
  }))
  .filter(({ sealed }) => sealed.length > 0);

type SealedTable = (typeof sealedTables)[number];

/** Rows in memory at once: copies and feeds have up to a megabyte each. */
const rowsOfPage = 32;
const rounds = 5;

const equals = (column: string, value: unknown) => sql`${sql.ref(column)} = ${value}`;

/** Rewrites the row if it is unchanged since it was read. */
const reseal = async (
  { runner, sealer }: Sealing,
  { name, key, sealed }: SealedTable,
  row: StoredRow,
): Promise<keyof RotationReport> => {
  try {
    const resealed = sealed.flatMap(([column, placeOf]) => {
      const old = row[column];
      const place = placeOf(row);
      return typeof old === 'string' ? [{ column, old, text: sealer.seal(sealer.open(old, place), place) }] : [];
    });
    const asRead = [
      ...key.map((column) => equals(column, row[column])),
      ...resealed.map((e) => equals(e.column, e.old)),
    ];
    const update = sql`update ${sql.table(name)} set ${sql.join(resealed.map((e) => equals(e.column, e.text)))}
      where ${sql.join(asRead, sql` and `)}`;
    const { numAffectedRows = 0n } = await runner.run(`reseal ${name}`, (db) => update.execute(db));
    return numAffectedRows > 0n ? 'resealed' : 'unsettled';
  } catch (error) {
    if (error instanceof SealBroken) return 'unreadable';
    throw error;
  }
};

/** Reseals the rows of a table that the first key did not seal. */
const walk = async (sealing: Sealing, table: SealedTable): Promise<RotationReport> => {
  const { runner, sealer } = sealing;
  const counts = { resealed: 0, unreadable: 0, unsettled: 0 };
  const stale = table.sealed.map(([column]) => sql`${sql.ref(column)} not like ${`${sealer.currentPrefix}%`}`);
  const where = sql`(${sql.join(stale, sql` or `)})`;
  const paging = { table: table.name, where, order: table.key, limit: rowsOfPage };
  for await (const rows of runner.pages<StoredRow>(`read sealed ${table.name}`, paging)) {
    for (const row of rows) counts[await reseal(sealing, table, row)] += 1;
  }
  return counts;
};

/** Reseals everything that the first key did not seal, while the service runs. It replaces no row that has changed since. */
export const rotateSeals = async (sealing: Sealing): Promise<RotationReport> => {
  const total = { resealed: 0, unreadable: 0, unsettled: 0 };
  for (const table of sealedTables) {
    let report: RotationReport;
    let left = rounds;
    // Rows that a login or a session save rewrote are looked at again: a replica may still use the old key.
    do {
      report = await walk(sealing, table);
      total.resealed += report.resealed;
      left -= 1;
    } while (report.unsettled > 0 && left > 0);
    total.unreadable += report.unreadable;
    total.unsettled += report.unsettled;
  }
  return total;
};

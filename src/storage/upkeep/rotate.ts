import { sql } from 'kysely';
import type { Column } from '../columns.ts';
import type { StoreDeps } from '../database/run.ts';
import { schema } from '../schema.ts';
import { SealBroken, type SealedPlace } from '../seal.ts';

export interface RotationReport {
  /** Rows that were sealed by another key and are now sealed by the first. */
  readonly resealed: number;
  /** Rows that none of the keys opens; they are left as they are. */
  readonly unreadable: number;
  /** Rows that others rewrote each time they were tried; they may need another run. */
  readonly unsettled: number;
}

type Row = Readonly<Record<string, unknown>>;
type Sealing = Pick<StoreDeps, 'runner' | 'sealer'>;

interface SealedTable {
  readonly name: string;
  readonly key: readonly string[];
  readonly sealed: ReadonlyArray<readonly [column: string, place: (row: Row) => SealedPlace]>;
}

const sealedTables: readonly SealedTable[] = Object.entries(schema)
  .map(([name, { key, columns }]) => ({
    name,
    key,
    // The rows are those of the table, whole.
    sealed: Object.entries<Column>(columns).flatMap(([column, { place }]) =>
      place ? [[column, place as (row: Row) => SealedPlace] as const] : [],
    ),
  }))
  .filter(({ sealed }) => sealed.length > 0);

const rounds = 5;

const equals = (column: string, value: unknown) => sql`${sql.ref(column)} = ${value}`;

/** The next rows, after those with keys up to `after` or from the first one on, that the first key did not seal. */
const pageOf = async (
  { runner, sealer }: Sealing,
  { name, key, sealed }: SealedTable,
  after: readonly unknown[] | null,
  limit: number,
): Promise<Row[]> => {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const stale = sealed.map(([column]) => sql`${sql.ref(column)} not like ${`${sealer.currentPrefix}%`}`);
  const behind = after === null ? sql`1 = 1` : sql`(${columns}) > (${sql.join(after)})`;
  const page = sql<Row>`select * from ${sql.table(name)} where ${behind}
    and (${sql.join(stale, sql` or `)}) order by ${columns} limit ${limit}`;
  return (await runner.run(`read sealed ${name}`, (db) => page.execute(db))).rows;
};

/** Rewrites the row if it is still as it was read. */
const reseal = async (
  { runner, sealer }: Sealing,
  { name, key, sealed }: SealedTable,
  row: Row,
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

const walk = async (sealing: Sealing, table: SealedTable, batchSize: number): Promise<RotationReport> => {
  const counts = { resealed: 0, unreadable: 0, unsettled: 0 };
  let last: unknown[] | null = null;
  for (;;) {
    const rows: Row[] = await pageOf(sealing, table, last, batchSize);
    for (const row of rows) {
      counts[await reseal(sealing, table, row)] += 1;
      last = table.key.map((column) => row[column]);
    }
    if (rows.length < batchSize) return counts;
  }
};

/**
 * Reseals everything that the first key did not seal, row by row while the service runs. A row is replaced only
 * if it was not replaced since it was read, so no newer secret is lost. May be run any number of times.
 */
export const rotateSeals = async (sealing: Sealing, batchSize: number): Promise<RotationReport> => {
  const total = { resealed: 0, unreadable: 0, unsettled: 0 };
  for (const table of sealedTables) {
    let report = await walk(sealing, table, batchSize);
    total.resealed += report.resealed;
    // Rows that a login or a session save rewrote are looked at again: a replica may still use the old key.
    for (let round = 1; round < rounds && report.unsettled > 0; round += 1) {
      report = await walk(sealing, table, batchSize);
      total.resealed += report.resealed;
    }
    total.unreadable += report.unreadable;
    total.unsettled += report.unsettled;
  }
  return total;
};

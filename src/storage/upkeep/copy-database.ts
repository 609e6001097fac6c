import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { Runner } from '../database/run.ts';
import { schema, type Tables } from '../schema.ts';

/** Rows per statement: an image is a row of up to 5 MiB. */
const BATCH = 20;

type Row = Readonly<Record<string, unknown>>;

/** The processes and backups of one database are not those of another. */
const ofOneDatabase: ReadonlySet<string> = new Set(['replicas', 'backups']);

/** A table comes after those that its rows refer to. */
const tables = Object.keys(schema).filter((name) => !ofOneDatabase.has(name));

/** Reads one moment of the database while others write. */
const inSnapshot = <T>({ db, kind }: Database, read: (db: Kysely<Tables>) => Promise<T>): Promise<T> => {
  if (kind === 'postgres') {
    return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);
  }
  // Kysely's transaction would hold the write lock all the time.
  return db.connection().execute(async (connection) => {
    await sql`begin`.execute(connection);
    try {
      return await read(connection);
    } finally {
      await sql`rollback`.execute(connection);
    }
  });
};

const pagesOf = async function* (kind: Database['kind'], db: Kysely<Tables>, table: string): AsyncGenerator<Row[]> {
  if (kind === 'postgres') {
    await sql`declare campus_copy no scroll cursor for select * from ${sql.table(table)}`.execute(db);
    for (;;) {
      const { rows } = await sql<Row>`fetch ${sql.lit(BATCH)} from campus_copy`.execute(db);
      if (rows.length === 0) break;
      yield rows;
    }
    await sql`close campus_copy`.execute(db);
    return;
  }
  let after = 0;
  for (;;) {
    const { rows } = await sql<Row & { copy_at: number }>`select rowid as copy_at, * from ${sql.table(table)}
      where rowid > ${after} order by rowid limit ${BATCH}`.execute(db);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.copy_at;
    yield rows.map(({ copy_at: _, ...row }) => row);
  }
};

const insert = async (db: Kysely<Tables>, table: string, rows: readonly Row[]): Promise<void> => {
  const columns = Object.keys(rows[0] ?? {});
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`);
  const names = sql.join(columns.map((column) => sql.ref(column)));
  await sql`insert into ${sql.table(table)} (${names}) values ${sql.join(values)}`.execute(db);
};

const countOf = async (db: Kysely<Tables>, table: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(db);
  return Number(rows[0]?.count);
};

/** Rows by table. */
export type CopyReport = ReadonlyMap<string, number>;

/** Nothing was written: there is data in the target, or a service runs on one of the two. */
export type CopyRefusal =
  | { readonly refusal: 'not empty' }
  | { readonly refusal: 'in use'; readonly by: readonly string[] };

/** Copies every table, and makes sure that as many rows are there as here. */
const copyTables = async (
  kind: Database['kind'],
  source: Kysely<Tables>,
  target: Kysely<Tables>,
  signal: AbortSignal | undefined,
): Promise<CopyReport> => {
  const report = new Map<string, number>();
  for (const table of tables) {
    let rows = 0;
    for await (const page of pagesOf(kind, source, table)) {
      // SQLite answers without a turn of the event loop, and a signal is only heard between turns.
      if (signal) await nextTurn();
      signal?.throwIfAborted();
      await insert(target, table, page);
      rows += page.length;
    }
    const [there, here] = [await countOf(target, table), await countOf(source, table)];
    if (there !== rows || here !== rows) {
      throw new Error(`${table}: ${here} rows here, ${rows} read, ${there} rows there`);
    }
    report.set(table, rows);
  }
  signal?.throwIfAborted();
  return report;
};

/**
 * Copies every table of one moment into an empty database of the same schema, in one transaction there: all of it
 * arrives, with the same number of rows, or nothing.
 *
 * @param users the services that run on either database and must not
 * @throws the reason of the signal
 */
export const copyDatabase = async (
  from: Database,
  to: Database,
  signal: AbortSignal | undefined,
  users: () => Promise<readonly string[]>,
): Promise<CopyReport | CopyRefusal> => {
  const inUse = async (): Promise<CopyRefusal | null> => {
    const by = await users();
    return by.length > 0 ? { refusal: 'in use', by } : null;
  };
  const used = await inUse();
  if (used !== null) return used;
  try {
    return await new Runner(to).transact<CopyReport | CopyRefusal>('copy', async (target, refuse) => {
      const counts = await Promise.all(tables.map((table) => countOf(target, table)));
      if (counts.some((count) => count !== 0)) return refuse({ refusal: 'not empty' });
      const report = await inSnapshot(from, (source) => copyTables(from.kind, source, target, signal));
      // One may have started while rows were copied.
      const late = await inUse();
      return late === null ? report : refuse(late);
    });
  } catch (error) {
    throw signal?.aborted ? signal.reason : error;
  }
};

import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { countRows, type StoredRow } from '../database/rows.ts';
import { Runner } from '../database/run.ts';
import { schema, type Tables } from '../schema.ts';

/** Rows per statement: an image may have 8 MiB. */
const BATCH = 20;

/** All tables but those of the processes and backups of one database. A table comes after those that its rows refer to. */
const tables = (Object.keys(schema) as Array<keyof Tables>).filter((name) => name !== 'replicas' && name !== 'backups');

/** Reads the database as it is at one moment, while others write. */
const inSnapshot = <T>({ db, kind }: Database, read: (db: Kysely<Tables>) => Promise<T>): Promise<T> => {
  if (kind === 'postgres') {
    return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);
  }
  // Kysely's transaction would hold the write lock until the end.
  return db.connection().execute(async (connection) => {
    await sql`begin`.execute(connection);
    try {
      return await read(connection);
    } finally {
      await sql`rollback`.execute(connection);
    }
  });
};

const pagesOf = async function* (
  kind: Database['kind'],
  db: Kysely<Tables>,
  table: string,
): AsyncGenerator<StoredRow[]> {
  if (kind === 'postgres') {
    await sql`declare campus_copy no scroll cursor for select * from ${sql.table(table)}`.execute(db);
    for (;;) {
      const { rows } = await sql<StoredRow>`fetch ${sql.lit(BATCH)} from campus_copy`.execute(db);
      if (rows.length === 0) break;
      yield rows;
    }
    await sql`close campus_copy`.execute(db);
    return;
  }
  let after = 0;
  for (;;) {
    const { rows } = await sql<StoredRow & { copy_at: number }>`select rowid as copy_at, * from ${sql.table(table)}
      where rowid > ${after} order by rowid limit ${BATCH}`.execute(db);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.copy_at;
    yield rows.map(({ copy_at: _, ...row }) => row);
  }
};

/** Rows by table. */
export type CopyReport = ReadonlyMap<string, number>;

/** Why nothing was written: the target holds data, or a service runs on one of the two. */
export type CopyRefusal =
  | { readonly refusal: 'not empty' }
  | { readonly refusal: 'in use'; readonly by: readonly string[] };

/** Copies every table. @throws Error where one side has other rows than were read; the reason of the signal */
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
      // SQLite answers without a turn of the event loop, and a signal ends nothing before the next turn.
      if (signal) await nextTurn();
      signal?.throwIfAborted();
      await target
        .insertInto<keyof Tables>(table)
        .values(page as never)
        .execute();
      rows += page.length;
    }
    const there = await countRows(target.selectFrom(table));
    const here = await countRows(source.selectFrom(table));
    if (there !== rows || here !== rows) {
      throw new Error(`${table}: ${here} rows here, ${rows} read, ${there} rows there`);
    }
    report.set(table, rows);
  }
  signal?.throwIfAborted();
  return report;
};

/**
 * Copies every table of one moment into an empty database of the same schema, in one transaction there.
 * @param runningServices those that run on either database, where none may
 * @throws the reason of the signal
 */
export const copyDatabase = async (
  from: Database,
  to: Database,
  signal: AbortSignal | undefined,
  runningServices: () => Promise<readonly string[]>,
): Promise<CopyReport | CopyRefusal> => {
  const inUse = async (): Promise<CopyRefusal | null> => {
    const by = await runningServices();
    return by.length > 0 ? { refusal: 'in use', by } : null;
  };
  const used = await inUse();
  if (used !== null) return used;
  try {
    return await new Runner(to).transact<CopyReport | CopyRefusal>('copy', async (target, refuse) => {
      const counts = await Promise.all(tables.map((table) => countRows(target.selectFrom(table))));
      if (counts.some((count) => count !== 0)) return refuse({ refusal: 'not empty' });
      const report = await inSnapshot(from, (source) => copyTables(from.kind, source, target, signal));
      // A service may have started while rows were copied.
      const late = await inUse();
      return late === null ? report : refuse(late);
    });
  } catch (error) {
    throw signal?.aborted ? signal.reason : error;
  }
};

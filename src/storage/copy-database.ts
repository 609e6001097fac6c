import { type Kysely, sql } from 'kysely';
import type { Database } from './database.ts';
import type { Tables } from './schema.ts';

/** Rows per statement: an image is a row of up to 5 MiB. */
const BATCH = 20;

type Row = Readonly<Record<string, unknown>>;

/** The tables of the schema, each behind those that its rows refer to. */
const tablesOf = async ({ db, kind }: Database): Promise<string[]> => {
  const names = (await db.introspection.getTables())
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('kysely_'));
  const edges =
    kind === 'sqlite'
      ? sql<{ child: string; parent: string }>`select m.name as child, f."table" as parent
          from sqlite_schema m join pragma_foreign_key_list(m.name) f where m.type = 'table'`
      : sql<{ child: string; parent: string }>`select c.relname as child, p.relname as parent from pg_constraint k
          join pg_class c on c.oid = k.conrelid join pg_class p on p.oid = k.confrelid where k.contype = 'f'`;
  const { rows } = await edges.execute(db);
  const ordered: string[] = [];
  while (ordered.length < names.length) {
    const waits = (name: string) =>
      rows.some(({ child, parent }) => child === name && parent !== name && !ordered.includes(parent));
    const next = names.find((name) => !ordered.includes(name) && !waits(name));
    if (next === undefined) throw new Error('the tables refer to each other in a circle');
    ordered.push(next);
  }
  return ordered;
};

/** All that one moment of the database holds, while others go on writing. */
const inSnapshot = <T>({ db, kind }: Database, read: (db: Kysely<Tables>) => Promise<T>): Promise<T> => {
  if (kind === 'postgres') {
    return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);
  }
  // Kysely's own transaction would take the write lock for the whole time.
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

/** The target holds something already; nothing was written to it. */
export class NotEmpty extends Error {
  constructor(tables: readonly string[]) {
    super(`it holds data already (${tables.join(', ')})`);
    this.name = 'NotEmpty';
  }
}

/**
 * Copies every table of one moment into an empty database of the same schema, in one transaction there: all of it
 * arrives, with the same number of rows, or nothing.
 * @throws NotEmpty
 */
export const copyDatabase = async (from: Database, to: Database): Promise<CopyReport> => {
  const tables = await tablesOf(to);
  return to.db.transaction().execute(async (target) => {
    const counts = await Promise.all(tables.map((table) => countOf(target, table)));
    const filled = tables.filter((_, at) => counts[at] !== 0);
    if (filled.length > 0) throw new NotEmpty(filled);
    return inSnapshot(from, async (source) => {
      const report = new Map<string, number>();
      for (const table of tables) {
        let rows = 0;
        for await (const page of pagesOf(from.kind, source, table)) {
          await insert(target, table, page);
          rows += page.length;
        }
        const [there, here] = [await countOf(target, table), await countOf(source, table)];
        if (there !== rows || here !== rows) {
          throw new Error(`${table}: ${here} rows here, ${rows} read, ${there} rows there`);
        }
        report.set(table, rows);
      }
      return report;
    });
  });
};

import { readFileSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/**
 * Statements that make a database as an older version left it, on either kind of database. The files are kept as they
 * are, and none is made of today's schema: a new migration has nothing to undo there. `0015` knows tokens and feeds, `0032`
 * hooks that read at a signal.
 */
export const formerDatabase = (schema: '0015' | '0032'): string =>
  readFileSync(new URL(`../fixtures/databases/${schema}.sql`, import.meta.url), 'utf8');

/** A student in both. */
export const formerStudent = '2023000001';

/** A file as that version left it, in the place of one that may be there. */
export const writeFormerFile = (path: string, schema: '0015' | '0032'): void => {
  for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
  const database = new DatabaseSync(path);
  database.exec('pragma journal_mode = wal');
  database.exec(formerDatabase(schema));
  database.close();
};

import { type Kysely, sql } from 'kysely';
import type { Log } from '../../domain/context.ts';
import type { Clock } from '../../lib/time.ts';
import type { Tables } from '../schema.ts';
import { DatabaseError } from './storage-failure.ts';

/** Tries once to free the files of what was deleted. False: a reader or writer is in its way. */
export type Cleaning = () => Promise<boolean>;

interface ErasureOptions {
  readonly clean: Cleaning;
  readonly clock: Clock;
  readonly log: Log;
  /** Deletions within this time share one cleaning. */
  readonly gatherMs: number;
}

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 1_000;
/** Tries for about ten seconds; the next deletion or sweep tries again. */
const TRIES = 14;
const TRIES_AT_END = 4;

/**
 * Frees the database files of what was deleted, in the background, so that a backup that reads for minutes holds up no
 * answer. All deletions before a cleaning share it; it is repeated while something is in its way.
 */
export class Erasure {
  readonly #options: ErasureOptions;
  readonly #ending = new AbortController();
  #due = false;
  #running: Promise<void> | null = null;

  constructor(options: ErasureOptions) {
    this.#options = options;
  }

  /** Called after the deletion is committed. */
  request(): void {
    this.#due = true;
    this.resume();
  }

  /** Tries again what could not be cleaned up earlier. */
  resume(): void {
    if (!this.#due || this.#ending.signal.aborted) return;
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
  }

  /** Cleans up what is due, and starts nothing afterwards. */
  async close(): Promise<void> {
    this.#ending.abort(new Error('the storage is closing'));
    await this.#running;
    if (this.#due) await this.#clean(TRIES_AT_END);
  }

  async #run(): Promise<void> {
    const { clock, gatherMs } = this.#options;
    const { signal } = this.#ending;
    try {
      while (this.#due) {
        if (gatherMs > 0) await clock.wait(gatherMs, signal);
        if (!(await this.#clean(TRIES, signal))) return;
      }
    } catch {
      // The storage is closing, which does the rest.
    }
  }

  async #clean(tries: number, signal?: AbortSignal): Promise<boolean> {
    const { clean, clock, log } = this.#options;
    this.#due = false;
    try {
      let pause = FIRST_PAUSE_MS;
      for (let left = tries; !(await clean()); left -= 1) {
        if (left === 1) {
          this.#due = true;
          log.warn({ tries }, 'deleted data not cleaned up yet');
          return false;
        }
        await clock.wait(pause, signal);
        pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
      }
      return true;
    } catch (error) {
      this.#due = true;
      if (!signal?.aborted) log.warn({ err: new DatabaseError('clean up', error) }, 'deleted data not cleaned up yet');
      return false;
    }
  }
}

/** The `user_version` of a file in whose unused pages no former version has left anything. */
const cleanFile = 1;

/**
 * Moves the log into the file and truncates it, unless a reader still needs it: `secure_delete` overwrites deleted content
 * in the file, but the log keeps earlier pages.
 */
export const cutLog =
  (db: Kysely<Tables>): Cleaning =>
  async () => {
    const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db);
    return rows[0]?.busy === 0;
  };

/** Rewrites the file of a former version once, because its unused pages may hold deleted content. */
export const vacuumOnce = async (db: Kysely<Tables>, isNew: boolean, log: Log): Promise<void> => {
  const { rows } = await sql<{ user_version: number }>`pragma user_version`.execute(db);
  if ((rows[0]?.user_version ?? 0) >= cleanFile) return;
  try {
    if (!isNew) await sql`vacuum`.execute(db);
    await sql.raw(`pragma user_version = ${cleanFile}`).execute(db);
  } catch (error) {
    log.warn({ err: new DatabaseError('vacuum', error) }, 'database file not rewritten; the next start tries again');
  }
};

/** Vacuums small tables first, since the server may end a long cleaning, and none that another replica vacuums. */
export const vacuumTables =
  (db: Kysely<Tables>): Cleaning =>
  async () => {
    const { rows } = await sql<{ name: string }>`
      select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname = current_schema() and pg_has_role(current_user, tableowner, 'member')
      order by pg_table_size(format('%I.%I', schemaname, tablename)::regclass)`.execute(db);
    await sql.raw(`vacuum (skip_locked) ${rows.map(({ name }) => name).join(', ')}`).execute(db);
    return true;
  };

import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, rmSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { demoTraces } from '../config/demo.ts';
import type { Log } from '../domain/context.ts';
import type { CampusIdentity } from '../lib/campus-identity.ts';
import { type CopyRefusal, copyStorage, openStorage } from '../open-storage.ts';

/**
 * Runs what leaves something behind unless it comes to its own end: with a signal that is aborted when the process is to
 * end. A second signal ends the process at once.
 */
const endable = async <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const ending = new AbortController();
  const end = (signal: string): void => ending.abort(new Error(`ended by ${signal}; nothing was changed`));
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.once(signal, end);
  try {
    return await work(ending.signal);
  } finally {
    for (const signal of signals) process.off(signal, end);
  }
};

/** How much was copied from one database to another. */
interface Copied {
  readonly rows: number;
  readonly tables: number;
}

const totalOf = (outcome: ReadonlyMap<string, number> | CopyRefusal): Copied | CopyRefusal =>
  'refusal' in outcome
    ? outcome
    : { tables: outcome.size, rows: [...outcome.values()].reduce((sum, rows) => sum + rows, 0) };

const isThere = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EEXIST';

/** With the number of the process behind it: one that was killed leaves its copy to the next restore. */
const FOLDER = 'campus-restore-';

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Somebody else's process is one all the same.
    return error instanceof Error && 'code' in error && error.code !== 'ESRCH';
  }
};

const removeLeftCopies = (): void => {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(new RegExp(`^${FOLDER}(\\d+)-`).exec(name)?.[1] ?? process.pid);
    if (!isRunning(pid)) rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
};

const removeDatabase = (path: string): void => {
  for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
};

/** A backup is a SQLite database with the tables of the service, whatever it came from. */
export const copiesOf = (storage: Awaited<ReturnType<typeof openStorage>>) => ({
  /** Everything of this moment in a new file; null when the file exists. */
  async backup(file: string) {
    const path = resolve(file);
    try {
      closeSync(openSync(path, 'wx', 0o600));
    } catch (error) {
      if (isThere(error)) return null;
      throw error;
    }
    try {
      const copied = totalOf(await endable((signal) => copyStorage(storage, { kind: 'sqlite', path }, { signal })));
      if ('refusal' in copied) throw new Error(`${file} was written to by somebody else`);
      return copied;
    } catch (error) {
      removeDatabase(path);
      throw error;
    }
  },

  /** Fills another, empty database. What a running service wrote afterwards would be missing there. */
  move: async (url: string) =>
    totalOf(await endable((signal) => copyStorage(storage, { kind: 'postgres', url }, { atRest: true, signal }))),
});

type Restored =
  | (Copied & { readonly unreadableGuards: readonly string[] })
  | CopyRefusal
  | { readonly refusal: string };

type Check = (owner: CampusIdentity | null, foreignSeals: number) => string | null;

/**
 * Fills the empty database from a backup, unless `check` refuses it: told the campus it belongs to, and of how many
 * students none of the keys opens the passwords. The database is not touched before.
 */
export const restoreInto = (log: Log) => {
  const copy = async (config: Config, path: string, check: Check, signal: AbortSignal): Promise<Restored> => {
    const own = { ...config, storage: { kind: 'sqlite', path } } as const;
    const backup = await openStorage(own, { log, access: 'migrate without copy' });
    try {
      const refusal = check(await backup.campusIdentity.owner(demoTraces.code), await backup.foreignSeals());
      if (refusal !== null) return { refusal };
      const copied = totalOf(await copyStorage(backup, config.storage, { signal }));
      return 'refusal' in copied ? copied : { ...copied, unreadableGuards: await backup.guards.unreadable() };
    } finally {
      await backup.close();
    }
  };
  return (config: Config, file: string, check: Check) =>
    endable(async (signal) => {
      const { storage } = config;
      const isNew = storage.kind === 'sqlite' && !existsSync(storage.path);
      // Opening brings a backup of an earlier version to the present schema: the file itself stays as it is.
      removeLeftCopies();
      const folder = mkdtempSync(join(tmpdir(), `${FOLDER}${process.pid}-`));
      let restored = false;
      try {
        const path = join(folder, 'backup.db');
        await copyFile(resolve(file), path);
        signal.throwIfAborted();
        const outcome = await copy(config, path, check, signal);
        restored = !('refusal' in outcome);
        return outcome;
      } finally {
        rmSync(folder, { recursive: true, force: true });
        if (isNew && !restored) removeDatabase(storage.path);
      }
    });
};

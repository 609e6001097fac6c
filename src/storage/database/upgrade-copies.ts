import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, linkSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { version } from '../../lib/build.ts';
import { SchemaRefused } from '../migrations/migrate.ts';

/** How long the copy of a file from before its migration is kept. It outlives accounts that are erased by then. */
const LIFE_MS = 7 * 86_400_000;
/** For the migration itself, besides the copy. */
const RESERVE_BYTES = 64 * 1024 * 1024;

/** A SQLite file as it was before a newer version migrated it. */
export interface UpgradeCopy {
  readonly path: string;
  readonly bytes: number;
  /** Epoch milliseconds. */
  readonly madeAt: number;
  readonly endsAt: number;
}

/** Bytes that a folder's file system has free for this user. */
export type FreeBytes = (folder: string) => Promise<number>;

const freeBytesOf: FreeBytes = async (folder) => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

/** Of the database at `path`, unfinished ones included. */
const allCopies = (path: string): UpgradeCopy[] => {
  const folder = dirname(path);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names
    .filter((name) => name.startsWith(`${basename(path)}.before-`))
    .sort()
    .flatMap((name) => {
      const found = statSync(join(folder, name), { throwIfNoEntry: false });
      if (found === undefined) return [];
      const madeAt = Math.floor(found.mtimeMs);
      return [{ path: join(folder, name), bytes: found.size, madeAt, endsAt: madeAt + LIFE_MS }];
    });
};

const isWhole = ({ path }: UpgradeCopy): boolean => !path.includes('.part-');

export const upgradeCopiesOf = (path: string): UpgradeCopy[] => allCopies(path).filter(isWhole);

export const sweepUpgradeCopies = (path: string, now: number): void => {
  for (const copy of allCopies(path)) if (copy.endsAt <= now) rmSync(copy.path, { force: true });
};

const syncAt = (path: string): void => {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1024 / 1024)} MiB`;

const copyOf = (path: string): string => `${path}.before-${version}`;

/** @throws SchemaRefused where a copy that is still to be made, and the migration, would fill the file system */
export const checkRoomToCopy = async (path: string, freeBytes: FreeBytes = freeBytesOf): Promise<void> => {
  if (existsSync(copyOf(path))) return;
  const sizes = [path, `${path}-wal`].map((file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0);
  const needed = sizes.reduce((sum, size) => sum + size, RESERVE_BYTES);
  const free = await freeBytes(dirname(path));
  if (free >= needed) return;
  const code = `NO_ROOM_TO_COPY ${megabytes(needed)} needed, ${megabytes(free)} free`;
  throw new SchemaRefused(code, 'no room for a copy of the database');
};

/** Not renamed: of processes that start at once, one may have migrated the file before another one has copied it. */
const linkOnce = (from: string, to: string): void => {
  try {
    linkSync(from, to);
  } catch (error) {
    if (!existsSync(to)) throw error;
  }
};

/**
 * Copies the file as it is into `<path>.before-<version>`, once per version: when a start is repeated, the first copy
 * counts. Deleted rows are not in it.
 * @throws SchemaRefused where there is no room for it
 */
export const copyBeforeUpgrade = async <T>(db: Kysely<T>, path: string, freeBytes?: FreeBytes): Promise<void> => {
  const copy = copyOf(path);
  if (existsSync(copy)) return;
  await checkRoomToCopy(path, freeBytes);
  const part = `${copy}.part-${randomBytes(6).toString('hex')}`;
  try {
    closeSync(openSync(part, 'wx', 0o600));
    await sql`vacuum into ${part}`.execute(db);
    syncAt(part);
    linkOnce(part, copy);
    syncAt(dirname(copy));
  } finally {
    rmSync(part, { force: true });
  }
};

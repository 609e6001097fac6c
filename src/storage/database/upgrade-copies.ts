import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { DAY_MS } from '../../lib/time.ts';
import { SchemaRefused, schemaStateOf } from '../migrations/migrate.ts';

/** A copy lives this long, and with it the accounts that are erased by then. */
const LIFE_MS = 7 * DAY_MS;
const MOST_COPIES = 3;
/** Room for the migration itself, besides the copy. */
const RESERVE_BYTES = 64 * 1024 * 1024;

/** A SQLite file as it was before a newer version migrated it. */
export interface UpgradeCopy {
  readonly path: string;
  readonly bytes: number;
  /** Epoch milliseconds. */
  readonly madeAt: number;
  readonly endsAt: number;
}

/** Copies of the database at `path`, unfinished ones included. */
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

/** Names the copy of one upgrade: `campus.db.before-0026-20260318T020000123Z`. */
const copyOf = (path: string, from: string, now: number): string =>
  `${path}.before-${Number.parseInt(from, 10).toString().padStart(4, '0')}-${new Date(now).toISOString().replaceAll(/[-:.]/g, '')}`;

/** @throws SchemaRefused where a copy, and the migration, would fill the file system */
export const checkRoomToCopy = async (path: string): Promise<void> => {
  const sizes = [path, `${path}-wal`].map((file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0);
  const needed = sizes.reduce((sum, size) => sum + size, RESERVE_BYTES);
  const { bavail, bsize } = await statfs(dirname(path));
  const free = bavail * bsize;
  if (free >= needed) return;
  const code = `NO_ROOM_TO_COPY ${megabytes(needed)} needed, ${megabytes(free)} free`;
  throw new SchemaRefused(code, 'no room for a copy of the database');
};

const dropOldCopies = (path: string): void => {
  const newestFirst = upgradeCopiesOf(path).toSorted((a, b) => b.madeAt - a.madeAt || (a.path < b.path ? 1 : -1));
  for (const copy of newestFirst.slice(MOST_COPIES)) rmSync(copy.path, { force: true });
};

/**
 * Copies the file into `<path>.before-<schema>-<time>`, without deleted rows, before every migration: an operator who
 * goes back, works for a while and upgrades again can go back a second time.
 * @param upgrade `from`: the last migration that was applied; `now`: epoch milliseconds
 * @throws SchemaRefused where there is no room for it
 */
export const copyBeforeUpgrade = async <T>(
  db: Kysely<T>,
  { path, from, now }: { readonly path: string; readonly from: string; readonly now: number },
): Promise<void> => {
  await checkRoomToCopy(path);
  const copy = copyOf(path, from, now);
  const part = `${copy}.part-${randomBytes(6).toString('hex')}`;
  try {
    closeSync(openSync(part, 'wx', 0o600));
    await sql`vacuum into ${part}`.execute(db);
    // Another process that started at the same moment may have migrated the file before it was copied.
    if ((await schemaStateOf(db)).from !== from) return;
    syncAt(part);
    renameSync(part, copy);
    syncAt(dirname(copy));
  } finally {
    rmSync(part, { force: true });
  }
  dropOldCopies(path);
};

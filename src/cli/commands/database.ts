import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type CopyRefusal, copyStorage, type Storage } from '../../composition/storage.ts';
import { campusName, foreignDatabase } from '../../config/campus.ts';
import type { Config } from '../../config/config.ts';
import { demoInvite } from '../../config/demo.ts';
import { findingLine } from '../../config/finding.ts';
import { parseDatabaseUrl, storageName } from '../../config/kinds.ts';
import { REPLICA_LIFE_MS } from '../../domain/replicas.ts';
import { isSameCampus } from '../../lib/campus-identity.ts';
import { errorCodeOf, reasonOf } from '../../lib/text.ts';
import { CommandRefused, command, openConfigured, UsageError } from '../command.ts';
import type { World } from '../world.ts';
import { unreadableGuards } from './guard.ts';

/** Its signal is aborted when the process is to end, so nothing is left behind. A second one ends it at once. */
const watchForEnd = (): Disposable & { readonly signal: AbortSignal } => {
  const ending = new AbortController();
  const end = (signal: string): void => ending.abort(new Error(`ended by ${signal}; nothing was changed`));
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.once(signal, end);
  const stopWatching = (): void => {
    for (const signal of signals) process.off(signal, end);
  };
  return { signal: ending.signal, [Symbol.dispose]: stopWatching };
};

const removeDatabase = (path: string): void => {
  for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
};

const copy = async (
  storage: Storage,
  to: Config['storage'],
  options: Parameters<typeof copyStorage>[2],
): Promise<string | CopyRefusal> => {
  const outcome = await copyStorage(storage, to, options);
  if ('refusal' in outcome) return outcome;
  return `${[...outcome.values()].reduce((sum, rows) => sum + rows, 0)} rows of ${outcome.size} tables`;
};

/** Never replaces a file. @throws CommandRefused when it exists */
const createFile = (path: string, name: string): void => {
  try {
    writeFileSync(path, '', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    throw errorCodeOf(error) === 'EEXIST' ? new CommandRefused(`${name} exists already; nothing was changed`) : error;
  }
};

const noteBackup = async (world: World): Promise<void> => {
  await using database = await openConfigured(world, 'current');
  await database.storage.noteBackup(world.clock.now());
};

/** Writes the configured database to the new file, which is gone again where that fails. */
const writeBackup = async (world: World, file: string): Promise<void> => {
  await using database = await openConfigured(world, 'look');
  const path = resolve(file);
  createFile(path, file);
  try {
    using ending = watchForEnd();
    const outcome = await copy(database.storage, { kind: 'sqlite', path }, { signal: ending.signal });
    if (typeof outcome !== 'string') throw new Error(`${file} was written to by another process`);
    world.out(`${file}: ${outcome} of ${storageName(database.config.storage)}`);
  } catch (error) {
    removeDatabase(path);
    throw error;
  }
};

export const backup = command({
  name: 'backup',
  argument: '[FILE]',
  options: { done: true },
  does: `Writes everything of this moment to the new FILE, a SQLite database (mode 0600, never over an existing one), and
notes in the database that it did. May run beside the service. The keys are not in it. --done only notes a backup
that was made by other means.`,
  async run({ argument: file, options }, world) {
    if (options.done === true && file !== '') throw new UsageError('either FILE or --done');
    if (options.done === true) return noteBackup(world);
    if (file === '') throw new UsageError('FILE is missing');
    await writeBackup(world, file);
    world.err('it is of no use without SECRET_KEY, which is not in it');
    // A user who may only read the database makes a backup that is as good: the service does not learn its age.
    await noteBackup(world).catch((error) => world.err(`warning: when it was made is not noted: ${reasonOf(error)}`));
  },
});

/** Refuses what is no backup, is one of another campus, or holds passwords that no key opens. */
const checkBackup = async (storage: Storage, file: string, config: Config, anyKey: boolean): Promise<void> => {
  const { identity } = config.campus;
  const owner = await storage.campusIdentity.owner(demoInvite.code);
  const foreign = await storage.accounts.foreignSeals();
  const why =
    owner === null
      ? `${file} is no backup: it belongs to no campus`
      : !isSameCampus(owner, identity)
        ? findingLine(foreignDatabase(file, owner, identity))
        : foreign > 0 && !anyKey
          ? `none of the keys opens the passwords of ${foreign} students in ${file}; add the key to SECRET_KEY, or give ` +
            '--any-key, and they have to log in again'
          : null;
  if (why !== null) throw new CommandRefused(why, 'nothing was changed');
};

const notFilled = (why: CopyRefusal, target: string): CommandRefused =>
  new CommandRefused(
    'by' in why
      ? `the service runs on the database (${why.by.join(', ')}); end it first. One that was killed counts for ` +
          `${REPLICA_LIFE_MS / 1000} s more`
      : `${target} holds data already; name an empty database`,
    'nothing was changed',
  );

/** Opening brings a backup of an earlier version to the present schema, so a copy is opened: the file stays as it is. */
const restoreFrom = async (path: string, file: string, anyKey: boolean, world: World, signal: AbortSignal) => {
  const config = world.config('look');
  await using source = await world.open({ ...config, storage: { kind: 'sqlite', path } }, 'migrate without copy');
  await checkBackup(source, file, config, anyKey);
  const storage = storageName(config.storage);
  const outcome = await copy(source, config.storage, { signal });
  if (typeof outcome !== 'string') throw notFilled(outcome, storage);
  world.out(`${storage}: ${outcome} restored, for ${campusName(config.campus.identity)}`);
  for (const text of await unreadableGuards(source)) world.err(text);
};

export const restore = command({
  name: 'restore',
  argument: 'FILE',
  options: { 'any-key': true },
  does: `Fills the configured database, which must be empty, from a backup of the same campus; SQLite and PostgreSQL alike.
Refuses a backup whose passwords none of the keys opens, unless told --any-key: their students log in again.`,
  async run({ argument: file, options }, world) {
    const { storage } = world.config('look');
    const created = storage.kind === 'sqlite' && !existsSync(storage.path) ? storage.path : null;
    using ending = watchForEnd();
    const folder = mkdtempSync(join(tmpdir(), 'campus-restore-'));
    try {
      const path = join(folder, 'backup.db');
      await copyFile(resolve(file), path);
      ending.signal.throwIfAborted();
      await restoreFrom(path, file, options['any-key'] === true, world, ending.signal);
    } catch (error) {
      if (created !== null) removeDatabase(created);
      throw error;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
});

export const move = command({
  name: 'move',
  options: { to: 'postgres://USER:PASSWORD@HOST/DATABASE' },
  does: `Copies the configured SQLite database into an empty PostgreSQL one. End the service first: what it wrote afterwards
would be missing there. PGPASSWORD may hold the password.`,
  async run({ options }, world) {
    const target = parseDatabaseUrl(options.to ?? '');
    if (target?.kind !== 'postgres') throw new UsageError('--to takes postgres://user:password@host:port/database');
    await using database = await openConfigured(world, 'current');
    const { storage, config } = database;
    const source = storageName(config.storage);
    if (config.storage.kind !== 'sqlite')
      throw new CommandRefused(`${source} is no SQLite database; move PostgreSQL with its own tools`);
    using ending = watchForEnd();
    const outcome = await copy(storage, target, { atRest: true, signal: ending.signal });
    if (typeof outcome !== 'string') throw notFilled(outcome, storageName(target));
    world.out(`${storageName(target)}: ${outcome}, as many as in ${source}`);
    world.err(
      'set DATABASE_URL to it, keep SECRET_KEY (also that of data/secret.key), and start; the file stays as it is',
    );
  },
});

export const rotateKeys = command({
  name: 'rotate-keys',
  does: 'Reseals everything with the first key of SECRET_KEY. May run beside the service.',
  run: async (_, world) => {
    await using database = await openConfigured(world, 'current');
    const { storage } = database;
    const { resealed, unreadable, unsettled } = await storage.rotate();
    world.out(`${resealed} resealed with the first key`);
    if (unsettled > 0) world.err(`${unsettled} changed in between; run the command again before an old key is removed`);
    if (unreadable > 0)
      world.err(`${unreadable} opened by no key; their students have to log in again. Is a key missing in SECRET_KEY?`);
    if (unsettled > 0 || unreadable > 0) throw new CommandRefused();
    world.out('the other keys are not needed any more');
  },
});

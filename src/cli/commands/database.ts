import { campusName, foreignDatabase } from '../../config/campus.ts';
import { findingLine } from '../../config/finding.ts';
import { parseDatabaseUrl, storageName } from '../../config/kinds.ts';
import { REPLICA_LIFE_MS } from '../../domain/replicas.ts';
import { isSameCampus } from '../../lib/campus-identity.ts';
import { campusTimestamp } from '../../lib/campus-time.ts';
import type { CopyRefusal, UpgradeCopy } from '../../open-storage.ts';
import { argumentsOf, noArguments, oneArgument, onlyArgument, Refused, reasonOf, UsageError } from '../usage.ts';
import { type Command, onDatabase } from '../world.ts';

const amount = ({ rows, tables }: { rows: number; tables: number }): string => `${rows} rows of ${tables} tables`;

/** So that the service can say how old the last one is. */
const noteBackup = onDatabase('current', ({ operator }) => operator.noteBackup());

export const backup: Command = (args) => {
  const { values, positionals } = argumentsOf(args, { done: { type: 'boolean' } }, 1);
  const [file = ''] = positionals;
  if (values.done && file !== '') throw new UsageError('either FILE or --done');
  if (values.done) return noteBackup;
  if (file === '') throw new UsageError('FILE is missing');
  const write = onDatabase('look', async ({ world: { out, err }, config, operator }) => {
    const copied = await operator.backup(file);
    if (copied === null) throw new Refused(`${file} exists already; nothing was changed`);
    out(`${file}: ${amount(copied)} of ${storageName(config.storage)}`);
    err('it is of no use without SECRET_KEY, which is not in it');
  });
  return async (world) => {
    await write(world);
    // Read with rights to read alone, a backup is as good; only its age is not known to the service.
    await noteBackup(world).catch((error) => world.err(`warning: when it was made is not noted: ${reasonOf(error)}`));
  };
};

/** Why a command that must not run beside services does nothing. */
const inUse = (services: readonly string[]): string =>
  `the service runs on the database (${services.join(', ')}); end it first. One that was killed counts for ` +
  `${REPLICA_LIFE_MS / 1000} s more`;

/** `target`: the database that was to be filled. */
const refused = (why: CopyRefusal | { readonly refusal: string }, target: string, how: string): Refused => {
  const otherwise = why.refusal === 'not empty' ? `${target} holds data already; ${how} an empty one` : why.refusal;
  return new Refused('by' in why ? inUse(why.by) : otherwise, 'nothing was changed');
};

/** Opens the database itself, once the backup is known to be good. */
export const restore: Command = (args) => {
  const { argument: file, values } = oneArgument(args, 'FILE', { 'any-key': { type: 'boolean' } });
  return async (world) => {
    const config = world.config('look');
    const [campus, storage] = [config.campus.identity, storageName(config.storage)];
    const restored = await world.restore(config, file, (owner, foreignSeals) => {
      if (owner === null) return `${file} is no backup: it belongs to no campus`;
      if (!isSameCampus(owner, campus)) return findingLine(foreignDatabase(file, owner, campus));
      if (foreignSeals === 0 || values['any-key'] === true) return null;
      return (
        `none of the keys opens the passwords of ${foreignSeals} students in ${file}; add the key to SECRET_KEY, ` +
        'or give --any-key, and they have to log in again'
      );
    });
    if ('refusal' in restored) throw refused(restored, storage, 'restore into');
    world.out(`${storage}: ${amount(restored)} restored, for ${campusName(campus)}`);
    for (const row of restored.unreadableGuards) world.err(unreadableGuard(row));
  };
};

export const move: Command = (args) => {
  const { values } = argumentsOf(args, { to: { type: 'string' } }, 0);
  const target = parseDatabaseUrl(values.to ?? '');
  if (target?.kind !== 'postgres') throw new UsageError('--to takes postgres://user:password@host:port/database');
  return onDatabase('current', async ({ world: { out, err }, config, operator }) => {
    const source = storageName(config.storage);
    if (config.storage.kind !== 'sqlite')
      throw new Refused(`${source} is no SQLite database; move PostgreSQL with its own tools`);
    const moved = await operator.move(target.url);
    if ('refusal' in moved) throw refused(moved, storageName(target), 'move to');
    out(`${storageName(target)}: ${amount(moved)}, as many as in ${source}`);
    err(
      'set DATABASE_URL to it, keep SECRET_KEY (also that of data/secret.key), and start; the old file stays as it is',
    );
  });
};

/** With what an operator who deletes accounts has to know. */
export const upgradeCopyLine = ({ path, bytes, madeAt, endsAt }: UpgradeCopy, timeZone: string): string => {
  const [made = '', ends = ''] = [madeAt, endsAt].map((at) => campusTimestamp(at, timeZone));
  const size = `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${path}: ${size} of ${made}, before an upgrade; holds accounts erased since, and is deleted after ${ends}`;
};

/** Opens the database itself: no other command may change its schema. */
export const migrate: Command = (args) => {
  const flag = { type: 'boolean', default: false } as const;
  const { values } = argumentsOf(args, { 'dry-run': flag, 'no-copy': flag }, 0);
  const [dryRun, keepCopy] = [values['dry-run'], !values['no-copy']];
  return async (world) => {
    const config = world.config(dryRun ? 'look' : 'create');
    const storage = storageName(config.storage);
    const { from, to, pending, copies } = await world.migrate(config, { dryRun, keepCopy });
    const steps = `from ${from ?? 'nothing'} to ${to}: ${pending.join(', ')}`;
    if (pending.length === 0) world.out(`${storage} has the schema ${to} already; nothing to do`);
    else world.out(`${storage} ${dryRun ? 'would go' : 'went'} ${steps}`);
    for (const copy of copies) world.err(upgradeCopyLine(copy, config.campus.timeZone));
  };
};

export const rotateKeys: Command = (args) => {
  noArguments(args);
  return onDatabase('current', async ({ world, operator }) => {
    const { resealed, unreadable, unsettled } = await operator.rotateKeys();
    world.out(`${resealed} resealed with the first key`);
    if (unsettled > 0) world.err(`${unsettled} changed in between; run the command again before an old key is removed`);
    if (unreadable > 0) {
      world.err(`${unreadable} opened by no key; their students have to log in again. Is a key missing in SECRET_KEY?`);
    }
    if (unsettled > 0 || unreadable > 0) throw new Refused();
    world.out('the other keys are not needed any more');
  });
};

/** What is said of a row of the login guard that cannot be understood, wherever one is found. */
export const unreadableGuard = (row: string): string =>
  `the login guard cannot understand its row ${row}; \`campus guard reset ${row}\` lets it begin again`;

export const resetGuard: Command = (args) => {
  const row = onlyArgument(args, 'ROW');
  return onDatabase('current', async ({ world, operator }) => {
    if (!(await operator.resetGuard(row)))
      throw new Refused(`the login guard has no row ${row}; \`campus doctor\` names those that it cannot understand`);
    world.out(`${row}: what the login guard remembered there is forgotten`);
  });
};

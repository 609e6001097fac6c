import { changeLines, foreignDatabase, movedHalves } from '../config/campus.ts';
import type { Config } from '../config/config.ts';
import { demoInvite } from '../config/demo.ts';
import { findingLine } from '../config/finding.ts';
import { storageName } from '../config/kinds.ts';
import type { Log } from '../domain/context.ts';
import { isFailure } from '../domain/errors.ts';
import { storeNumbers } from '../domain/store-numbers.ts';
import { isDemo, isSameCampus } from '../lib/campus-identity.ts';
import { type Clock, systemClock } from '../lib/time.ts';
import { type DatabaseAccess, schemaAt } from '../storage/database/database.ts';
import { openingAdvice } from '../storage/database/storage-failure.ts';
import type { UpgradeCopy } from '../storage/database/upgrade-copies.ts';
import type { SchemaState } from '../storage/migrations/migrate.ts';
import { createStorage, type Storage } from '../storage/storage.ts';
import type { CopyRefusal } from '../storage/upkeep/copy-database.ts';

export type { CopyRefusal, DatabaseAccess, Storage, UpgradeCopy };

const urlOf = (storage: Config['storage']): string =>
  storage.kind === 'postgres' ? storage.url : `sqlite:${storage.path}`;

/** @throws Error that names the database, the reason and the hint, where the database of `storage` cannot be opened */
const withOpeningAdvice = async <T>(storage: Config['storage'], work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (!isFailure(error, 'storage-failed') || error.reason !== 'open') throw error;
    const { code, hint } = openingAdvice(error);
    const name = storageName(storage);
    const problem = code === 'NO_DATABASE' ? `${name} does not exist yet` : `${name} cannot be opened (${code})`;
    throw new Error(findingLine({ key: 'DATABASE_URL', problem, hint }));
  }
};

type CopyOutcome = Awaited<ReturnType<Storage['copyTo']>>;

/** @throws as `withOpeningAdvice`; the reason of the signal; Failure `storage-failed` */
export const copyStorage = (
  from: Storage,
  to: Config['storage'],
  options: Parameters<Storage['copyTo']>[1] = {},
): Promise<CopyOutcome> => withOpeningAdvice(to, from.copyTo(urlOf(to), options));

/** Opens the configured storage and nothing else: what operator commands need. @throws as `withOpeningAdvice` */
export const openStorage = (
  config: Config,
  { clock = systemClock, ...options }: { readonly log: Log; readonly access: DatabaseAccess; readonly clock?: Clock },
): Promise<Storage> =>
  withOpeningAdvice(
    config.storage,
    createStorage({
      url: urlOf(config.storage),
      keys: config.secretKeys,
      numbers: storeNumbers,
      copyMaxMs: config.reads.copyMaxMs,
      clock,
      ...options,
    }),
  );

/** Says which schema the configured database has, and what opening it would change. Writes nothing. @throws as `withOpeningAdvice` */
export const lookAtSchema = (config: Config, options: { log: Log; access: DatabaseAccess }): Promise<SchemaState> =>
  withOpeningAdvice(config.storage, schemaAt(urlOf(config.storage), options));

interface StorageOpening {
  readonly log: Log;
  readonly clock: Clock;
  readonly access: DatabaseAccess;
  /** Takes other addresses for new ones of the same campus, because the operator says so. */
  readonly sameCampus: boolean;
}

/** Refuses the database of another campus: no password in it may be sent there. @throws Error that names both */
const claimDatabase = async (
  config: Config,
  { campusIdentity }: Storage,
  { log, sameCampus }: StorageOpening,
): Promise<void> => {
  const { identity } = config.campus;
  const owner = await campusIdentity.claim(identity, demoInvite.code);
  if (isSameCampus(owner, identity)) {
    if (sameCampus)
      log.warn({}, 'the database belongs to this campus already: start without --same-campus from now on');
    return;
  }
  if (sameCampus && !isDemo(owner) && !isDemo(identity)) {
    const students = await campusIdentity.move(identity, movedHalves(owner, identity));
    log.warn(
      { students, changes: changeLines(owner, identity) },
      'the campus has moved: stored sessions were dropped, and passwords for other places wait for a login',
    );
    return;
  }
  throw new Error(findingLine(foreignDatabase(storageName(config.storage), owner, identity)));
};

const seedInviteCodes = async (config: Config, storage: Storage, clock: Clock): Promise<void> => {
  for (const { code, maxUses } of config.accounts.inviteCodes) {
    await storage.invites.createCode({ code, maxUses, expiresAt: null, now: clock.now() });
  }
};

/** Warns at the start: otherwise students have to log in again, and the operator does not know why. */
const warnOfForeignSeals = async (storage: Storage, log: Log): Promise<void> => {
  const students = await storage.accounts.foreignSeals();
  if (students === 0) return;
  log.warn({ students }, 'stored passwords that none of the keys opens; is a key missing in SECRET_KEY?');
};

/** @throws Error that names the database and the reason */
export const openOwnStorage = async (config: Config, opening: StorageOpening): Promise<Storage> => {
  const { log, clock } = opening;
  const storage = await openStorage(config, opening);
  try {
    await claimDatabase(config, storage, opening);
    await seedInviteCodes(config, storage, clock);
    await warnOfForeignSeals(storage, log);
    return storage;
  } catch (error) {
    await storage.close();
    throw error;
  }
};

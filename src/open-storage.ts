import { foreignDatabase } from './config/campus-identity.ts';
import type { Config } from './config/config.ts';
import { demoInvite } from './config/demo.ts';
import { findingLine } from './config/load.ts';
import { storageName } from './config/structured.ts';
import type { Log } from './domain/context.ts';
import { isFailure } from './domain/errors.ts';
import { isSameCampus } from './lib/campus-identity.ts';
import { type Clock, systemClock } from './lib/clock.ts';
import { createStorage, type Storage } from './storage/storage.ts';
import { openingAdvice } from './storage/storage-failure.ts';

const urlOf = (storage: Config['storage']): string =>
  storage.kind === 'postgres' ? storage.url : `sqlite:${storage.path}`;

/** The failure as a line that names the database, the reason and the hint. */
const openingError = (storage: Config['storage'], error: unknown): unknown => {
  if (!isFailure(error, 'storage-failed')) return error;
  const { code, hint } = openingAdvice(error);
  const problem = `${storageName(storage)} cannot be opened (${code})`;
  return new Error(findingLine({ key: 'DATABASE_URL', problem, hint }));
};

/**
 * Copies everything into another, empty database; null when that one is not empty.
 * @throws Error that names the database, the reason and the hint
 */
export const copyStorage = async (
  from: Storage,
  to: Config['storage'],
): Promise<ReadonlyMap<string, number> | null> => {
  try {
    return await from.copyTo(urlOf(to));
  } catch (error) {
    throw isFailure(error, 'storage-failed') && error.reason === 'open' ? openingError(to, error) : error;
  }
};

/**
 * Opens the configured storage and nothing else: what operator commands need.
 * @throws Error that names the database, the reason and the hint
 */
export const openStorage = async (config: Config, log: Log, clock: Clock = systemClock): Promise<Storage> => {
  try {
    return await createStorage({
      url: urlOf(config.storage),
      keys: config.secretKeys,
      copyMaxMs: config.reads.copyMaxMs,
      log,
      clock,
    });
  } catch (error) {
    throw openingError(config.storage, error);
  }
};

/**
 * Passwords in a database are for the campus it belongs to: with another one nothing is read from it or sent anywhere.
 * @throws Error that names both
 */
const claimDatabase = async (config: Config, { campusIdentity }: Storage): Promise<void> => {
  const { identity } = config.campus;
  const owner = await campusIdentity.claim(identity, demoInvite.code);
  if (isSameCampus(owner, identity)) return;
  throw new Error(findingLine(foreignDatabase(storageName(config.storage), owner, identity)));
};

const seedInviteCodes = async (config: Config, storage: Storage, clock: Clock): Promise<void> => {
  for (const { code, maxUses } of config.accounts.inviteCodes) {
    await storage.invites.createCode({ code, maxUses, expiresAt: null, now: clock.now() });
  }
};

/** Students would be told to log in anew one by one, and nobody would know why. */
const warnOfForeignSeals = async (storage: Storage, log: Log): Promise<void> => {
  const students = await storage.foreignSeals();
  if (students === 0) return;
  log.warn({ students }, 'stored passwords that none of the keys opens; is a key missing in SECRET_KEY?');
};

/**
 * The storage of the configured campus, with the configured invite codes in it.
 * @throws Error that names the database and the reason
 */
export const openOwnStorage = async (config: Config, log: Log, clock: Clock): Promise<Storage> => {
  const storage = await openStorage(config, log, clock);
  try {
    await claimDatabase(config, storage);
    await seedInviteCodes(config, storage, clock);
    await warnOfForeignSeals(storage, log);
    return storage;
  } catch (error) {
    await storage.close();
    throw error;
  }
};

import { sql } from 'kysely';
import { guardMemoryMs } from '../domain/accounts/guard/numbers.ts';
import type {
  AccountStore,
  GuardStore,
  InviteStore,
  LeaseStore,
  SessionVault,
  TokenStore,
} from '../domain/accounts/ports.ts';
import type { FeedStore } from '../domain/calendar/ports.ts';
import type { Log } from '../domain/context.ts';
import type { RoomBindingStore, RoomTreeStore } from '../domain/electricity/ports.ts';
import type { EvaluationStore } from '../domain/evaluation/types.ts';
import type { ImageStore, ProfileStore } from '../domain/profiles/ports.ts';
import type { CopyStore, MarkStore } from '../domain/reads/ports.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { createAccountStore } from './accounts.ts';
import { type CampusIdentityStore, createCampusIdentityStore } from './campus-identity.ts';
import { createCopyStore } from './copies.ts';
import { type CopyReport, copyDatabase, NotEmpty } from './copy-database.ts';
import { openDatabase } from './database.ts';
import { createEvaluationStore } from './evaluation.ts';
import { createFeedStore } from './feeds.ts';
import { createGuardStore } from './guards.ts';
import { createImageStore } from './images.ts';
import { createInviteStore } from './invites.ts';
import { createLeaseStore } from './leases.ts';
import { countForeignSeals } from './pair-columns.ts';
import type { PoolState } from './postgres.ts';
import { createProfileStore } from './profiles.ts';
import { createRoomBindingStore } from './room-bindings.ts';
import { createRoomTreeStore } from './room-tree.ts';
import { type RotationReport, rotateSeals } from './rotate.ts';
import { Runner } from './run.ts';
import { createSealer } from './seal.ts';
import { createSessionVault } from './sessions.ts';
import { storageFailure } from './storage-failure.ts';
import { createMarkStore } from './student-marks.ts';
import { createTokenStore } from './tokens.ts';

interface StorageOptions {
  /** `sqlite:./data/campus.db`, `sqlite::memory:` or `postgres://…`. */
  readonly url: string;
  /** 32 bytes each; the first seals, all open. */
  readonly keys: readonly Buffer[];
  readonly log: Log;
  readonly clock?: Clock;
  /** How long copies of reads are kept; 0: none are, and those that exist go with the next sweep. */
  readonly copyMaxMs?: number;
}

/** How many expired rows of each sort a sweep removed. */
interface SweepReport {
  readonly tokens: number;
  readonly inviteTokens: number;
  readonly guards: number;
  readonly leases: number;
  readonly evaluationTasks: number;
  readonly images: number;
  readonly copies: number;
  /** Feeds whose calendar was forgotten, because no copies are kept. */
  readonly feeds: number;
}

export interface Storage {
  readonly accounts: AccountStore;
  readonly tokens: TokenStore;
  readonly invites: InviteStore;
  readonly guards: GuardStore;
  readonly leases: LeaseStore;
  readonly sessions: SessionVault;
  readonly evaluation: EvaluationStore;
  readonly roomTree: RoomTreeStore;
  readonly roomBindings: RoomBindingStore;
  readonly profiles: ProfileStore;
  readonly images: ImageStore;
  readonly campusIdentity: CampusIdentityStore;
  readonly marks: MarkStore;
  readonly copies: CopyStore & { drop(userid: string): Promise<void> };
  readonly feeds: FeedStore;
  /** @throws Failure `storage-failed` while the database does not answer */
  ping(): Promise<void>;
  /** Students whose stored passwords none of the keys opens, because the key that sealed them is missing. */
  foreignSeals(): Promise<number>;
  /** Removes what is over at `now`. */
  sweep(now: number): Promise<SweepReport>;
  /** Seals everything by the first key that another key sealed; may run beside the service. */
  rotate(options?: { batchSize?: number }): Promise<RotationReport>;
  /** Connections at work and statements that wait; null on SQLite. */
  pool(): PoolState | null;
  /**
   * Copies everything of this moment into the empty database at `url`, which is given the schema first; may run beside
   * the service. Null when that database holds something already, which is left as it is.
   */
  copyTo(url: string): Promise<CopyReport | null>;
  close(): Promise<void>;
}

const rotationBatch = 200;
const COPY_MAX_MS = 30 * 86_400_000;

/**
 * Opens the database, brings its schema up to date and gives the stores over it. All their methods throw
 * Failure `storage-failed` when the database does not do its part.
 */
export const createStorage = async ({
  url,
  keys,
  log,
  clock = systemClock,
  copyMaxMs = COPY_MAX_MS,
}: StorageOptions): Promise<Storage> => {
  const sealer = createSealer(keys);
  const database = await openDatabase(url, { log, clock });
  const { erasure } = database;
  const erased = () => erasure.request();
  const runner = new Runner(database);
  const accounts = createAccountStore(runner, sealer, erased);
  const tokens = createTokenStore(runner, sealer, database.changes);
  const invites = createInviteStore(runner);
  const guards = createGuardStore(runner);
  const leases = createLeaseStore(runner);
  const evaluation = createEvaluationStore(runner);
  const images = createImageStore(runner);
  const [secret = Buffer.alloc(0)] = keys;
  const copies = createCopyStore(runner, { sealer, secret, log });
  const feeds = createFeedStore(runner, { sealer, log });

  return {
    accounts,
    tokens,
    invites,
    guards,
    leases,
    roomTree: createRoomTreeStore(runner),
    roomBindings: createRoomBindingStore(runner),
    sessions: createSessionVault(runner, sealer, log, database.changes),
    evaluation,
    profiles: createProfileStore(runner),
    images,
    marks: createMarkStore(runner),
    copies: {
      ...copies,
      async drop(userid) {
        if ((await copies.drop(userid)) > 0) erased();
      },
    },
    feeds: {
      ...feeds,
      async delete(userid, id) {
        const deleted = await feeds.delete(userid, id);
        if (deleted) erased();
        return deleted;
      },
    },
    campusIdentity: createCampusIdentityStore(runner, accounts, erased),
    async ping() {
      await runner.run('ping', (db) => sql`select 1`.execute(db));
    },
    foreignSeals: () => countForeignSeals(runner, sealer),
    async sweep(now) {
      const report = {
        tokens: await tokens.sweep(now),
        inviteTokens: await invites.sweep(now),
        guards: await guards.sweep(now - guardMemoryMs),
        leases: await leases.sweep(now),
        evaluationTasks: await evaluation.sweep(now),
        images: await images.sweep(now),
        copies: await copies.sweep(now - copyMaxMs, now),
        feeds: copyMaxMs === 0 ? await feeds.forgetContents() : 0,
      };
      if (report.images > 0 || report.copies > 0 || report.feeds > 0) erased();
      else erasure.resume();
      return report;
    },
    async rotate({ batchSize = rotationBatch } = {}) {
      const report = await rotateSeals(runner, sealer, batchSize);
      // A key is often changed because it leaked: what it sealed must not stay.
      if (report.resealed > 0) erased();
      return report;
    },
    pool: () => database.pool(),
    async copyTo(url) {
      const target = await openDatabase(url, { log });
      try {
        return await copyDatabase(database, target);
      } catch (error) {
        if (error instanceof NotEmpty) return null;
        throw storageFailure('copy', error);
      } finally {
        await target.close();
      }
    },
    close: () => database.close(),
  };
};

import { sql } from 'kysely';
import { REPLICA_LIFE_MS } from '../domain/replicas.ts';
import { createKeyedNames, studentTags } from '../lib/hash.ts';
import { systemClock } from '../lib/time.ts';
import { countForeignSeals, createAccountStore } from './accounts/accounts.ts';
import { createChallengeStore } from './accounts/challenges.ts';
import { createGuardStore } from './accounts/guards.ts';
import { createInviteStore } from './accounts/invites.ts';
import { createSessionVault } from './accounts/sessions.ts';
import { createTokenStore } from './accounts/tokens.ts';
import { createCampusLineStore } from './campus/campus-line.ts';
import { createCopyStore } from './campus/copies.ts';
import { createEvaluationStore } from './campus/evaluation.ts';
import { createFeedStore } from './campus/feeds.ts';
import { createRoomBindingStore, createRoomTreeStore } from './campus/rooms.ts';
import { createMarkStore } from './campus/student-marks.ts';
import { type DatabaseOptions, openDatabase } from './database/database.ts';
import type { PoolState } from './database/postgres.ts';
import { put } from './database/rows.ts';
import { Runner } from './database/run.ts';
import { storageFailure } from './database/storage-failure.ts';
import { sweepUpgradeCopies, type UpgradeCopy, upgradeCopiesOf } from './database/upgrade-copies.ts';
import { createDueReadingStore } from './events/due-readings.ts';
import { createEventStates } from './events/event-states.ts';
import { createHookStore } from './events/hooks.ts';
import { createJournal } from './events/journal.ts';
import { createLeaseStore, createReplicaStore } from './leases.ts';
import { isReadableHere, newest } from './migrations/migrate.ts';
import { createImageStore } from './profiles/images.ts';
import { createProfileStore } from './profiles/profiles.ts';
import { createSealer } from './seal.ts';
import { createCampusIdentityStore } from './upkeep/campus-identity.ts';
import { type CopyRefusal, CopyRefused, type CopyReport, copyDatabase } from './upkeep/copy-database.ts';
import { createExportStore } from './upkeep/export.ts';
import { type RotationReport, rotateSeals } from './upkeep/rotate.ts';

interface StorageOptions extends Omit<DatabaseOptions, 'names'> {
  /** `sqlite:./data/campus.db`, `sqlite::memory:` or `postgres://…`. */
  readonly url: string;
  /** 32 bytes each; the first seals, all open. */
  readonly keys: readonly Buffer[];
  /** How long copies of reads are kept; 0: none are, and those that exist go with the next sweep. */
  readonly copyMaxMs?: number;
  /** Of the campus: decides which exams are still to come. */
  readonly timeZone?: string;
}

/** Copies and feeds are rows of a megabyte, at most. */
const rotationBatch = 32;

type Counted = 'students' | 'tokens' | 'evaluations' | 'copies' | 'feeds';

/** Of these, what is swept must not stay in the files of the database. */
const ofContents = ['guards', 'challenges', 'images', 'copies', 'events', 'hookDeliveries', 'feeds'] as const;

const lastBackupName = 'last';
const DAY_MS = 86_400_000;
const COPY_MAX_MS = 30 * DAY_MS;

/**
 * Opens the database, brings its schema up to date unless told otherwise, and gives the stores over it. All their methods throw
 * Failure `storage-failed` when the database fails.
 */
export const createStorage = async ({
  url,
  keys,
  log,
  clock = systemClock,
  copyMaxMs = COPY_MAX_MS,
  timeZone = 'Asia/Shanghai',
  ...opening
}: StorageOptions) => {
  const sealer = createSealer(keys);
  const names = createKeyedNames(keys);
  const database = await openDatabase(url, { ...opening, log, clock, names });
  const { erasure, path } = database;
  let wasReadable = true;
  /** Refuses work on every table where a newer version has added some. */
  const knowsAll = (): void => {
    const { newer } = database;
    if (newer !== null)
      throw new Error(`the database has ${newer} of a newer version: use the commands of that version`);
  };
  const runner = new Runner(database);
  const [secret = Buffer.alloc(0)] = keys;
  const erased = () => erasure.request();
  const deps = { sealer, secret, names, tagOf: studentTags(names), clock, log, timeZone, erased };
  const hooks = createHookStore(runner, deps);
  const events = createJournal(runner, deps, hooks.outbox);
  const accounts = createAccountStore(runner, deps, events);
  const stores = {
    accounts,
    events,
    hooks,
    tokens: createTokenStore(runner, sealer),
    exports: createExportStore(runner, sealer),
    invites: createInviteStore(runner),
    guards: createGuardStore(runner, deps),
    challenges: createChallengeStore(runner, deps),
    leases: createLeaseStore(runner),
    replicas: createReplicaStore(runner),
    roomTree: createRoomTreeStore(runner),
    roomBindings: createRoomBindingStore(runner),
    campusLine: createCampusLineStore(runner),
    sessions: createSessionVault(runner, deps),
    evaluation: createEvaluationStore(runner),
    profiles: createProfileStore(runner),
    images: createImageStore(runner),
    marks: createMarkStore(runner),
    copies: createCopyStore(runner, deps, { states: createEventStates(deps, events), tell: events.tell }),
    dueReadings: createDueReadingStore(runner),
    feeds: createFeedStore(runner, deps),
    campusIdentity: createCampusIdentityStore(runner),
  };

  return {
    ...stores,
    /** The last migration of the database. */
    schema: database.newer ?? newest,
    /**
     * @throws Failure `storage-failed` while the database does not answer, has lost what this version needs, or has no
     *   room for what is to be written
     */
    async ping(): Promise<void> {
      await runner.run('ping', async (db) => {
        const isReadable = await isReadableHere(db);
        if (!isReadable && wasReadable) log.error({}, 'a newer version has changed the database; this one has to end');
        wasReadable = isReadable;
        if (!isReadable) throw new Error('the database needs a newer version');
      });
      await runner.checkRoom();
    },
    /** Students whose stored passwords none of the keys opens, because the key that sealed them is missing. */
    foreignSeals: (): Promise<number> => countForeignSeals(runner, sealer),
    /** Removes what is over at `now`. Returns the rows of each sort; of feeds, those whose calendar was forgotten. */
    async sweep(now: number) {
      const report = {
        tokens: await stores.tokens.sweep(now),
        inviteTokens: await stores.invites.sweep(now),
        guards: await stores.guards.sweep(now),
        challenges: await stores.challenges.sweep(now),
        leases: await stores.leases.sweep(now),
        evaluationTasks: await stores.evaluation.sweep(now),
        images: await stores.images.sweep(now),
        copies: await stores.copies.sweep(now - copyMaxMs, now),
        events: await events.sweep(now, copyMaxMs === 0),
        hookDeliveries: await hooks.sweep(now),
        dueReadings: await stores.dueReadings.sweep(now),
        campusWide: await stores.copies.sweepForAll(now),
        feeds: copyMaxMs === 0 ? await stores.feeds.forgetContents() : 0,
      };
      if (ofContents.some((name) => report[name] > 0)) erased();
      else erasure.resume();
      if (path !== null) sweepUpgradeCopies(path, now);
      return report;
    },
    /** Seals everything by the first key that another key sealed; may run beside the service. */
    async rotate({ batchSize = rotationBatch }: { batchSize?: number } = {}): Promise<RotationReport> {
      knowsAll();
      const report = await rotateSeals(runner, sealer, batchSize);
      // A key is often changed because it leaked: what it sealed must not stay.
      if (report.resealed > 0) erased();
      return report;
    },
    /** Connections at work and statements that wait; null on SQLite. */
    pool: (): PoolState | null => database.pool(),
    counts: (now: number) =>
      runner.run('count', async (db) => {
        const { rows } = await sql<Record<Counted, number>>`select
          (select count(*) from users) as students,
          (select count(*) from tokens where ended_at is null and expires_at > ${now}) as tokens,
          (select count(*) from evaluation_tasks where active = 1) as evaluations,
          (select count(*) from copies) as copies,
          (select count(*) from calendar_feeds) as feeds`.execute(db);
        const [row] = rows;
        if (row === undefined) throw new Error('no row of counts');
        return row;
      }),
    noteBackup: (madeAt: number): Promise<void> =>
      runner.run('note backup', (db) => put(db, 'backups', { name: lastBackupName, made_at: madeAt })),
    /** Epoch ms; null: none that this database knows of. */
    lastBackup: (): Promise<number | null> =>
      runner.first(
        'read last backup',
        (db) => db.selectFrom('backups').select('made_at').where('name', '=', lastBackupName),
        (row) => row.made_at,
      ),
    /** SQLite files of before an upgrade, which lie beside the database. */
    upgradeCopies: (): readonly UpgradeCopy[] => (path === null ? [] : upgradeCopiesOf(path)),
    /**
     * Copies everything of this moment into the empty database at `url`, which is given the schema first. Refused, with
     * that database left as it is, where it holds something already or a service runs on it; with `atRest` also where
     * one runs on this database.
     */
    async copyTo(
      url: string,
      { atRest = false, signal }: { atRest?: boolean; signal?: AbortSignal } = {},
    ): Promise<CopyReport | CopyRefusal> {
      knowsAll();
      const target = await openDatabase(url, { log, access: 'create' });
      const used = [createReplicaStore(new Runner(target)), ...(atRest ? [stores.replicas] : [])];
      try {
        return await copyDatabase(database, target, signal, async () => {
          const live = await Promise.all(used.map((store) => store.live(clock.now(), REPLICA_LIFE_MS)));
          return live.flat();
        });
      } catch (error) {
        if (error instanceof CopyRefused) return error.refusal;
        throw signal?.aborted ? signal.reason : storageFailure('copy', error);
      } finally {
        await target.close();
      }
    },
    close: (): Promise<void> => database.close(),
  };
};

export type Storage = Awaited<ReturnType<typeof createStorage>>;

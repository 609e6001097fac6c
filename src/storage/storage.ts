import { sql } from 'kysely';
import type { StoreNumbers } from '../domain/store-numbers.ts';
import { KeyedNames, studentTags } from '../lib/hash.ts';
import { Loop } from '../lib/loop.ts';
import { DAY_MS, MINUTE_MS, systemClock } from '../lib/time.ts';
import { SqlAccountStore } from './accounts.ts';
import { SqlChallengeStore } from './challenges.ts';
import { SqlCopyStore } from './copies.ts';
import { type Database, type DatabaseOptions, openDatabase } from './database/database.ts';
import { put } from './database/rows.ts';
import { Runner } from './database/run.ts';
import { sweepUpgradeCopies, type UpgradeCopy, upgradeCopiesOf } from './database/upgrade-copies.ts';
import { SqlEvaluationStore } from './evaluation.ts';
import { SqlFeedStore } from './feeds.ts';
import { SqlGuardStore } from './guards.ts';
import { SqlDeliveryStore } from './hook-deliveries.ts';
import { SqlDueReadingStore, SqlHookStore } from './hooks.ts';
import { SqlImageStore } from './images.ts';
import { SqlInviteStore } from './invites.ts';
import { SqlEventStore } from './journal.ts';
import { SqlCampusQueueStore, SqlLeaseStore, SqlReplicaStore } from './leases.ts';
import { newest } from './migrations/migrate.ts';
import { SqlProfileStore } from './profiles.ts';
import { SqlRoomBindingStore, SqlRoomTreeStore } from './rooms.ts';
import type { Tables } from './schema.ts';
import { Sealer } from './seal.ts';
import { SqlSessionVault } from './sessions.ts';
import { Store, type StoreDeps } from './store.ts';
import { SqlMarkStore } from './student-marks.ts';
import { SqlStudentRowStore } from './student-rows.ts';
import { SqlTokenStore } from './tokens.ts';
import { CampusIdentityStore } from './upkeep/campus-identity.ts';
import { type CopyRefusal, type CopyReport, copyDatabase } from './upkeep/copy-database.ts';
import { SqlExportStore } from './upkeep/export.ts';
import { Readiness } from './upkeep/readiness.ts';
import { type RotationReport, rotateSeals } from './upkeep/rotate.ts';
import { sweepsAt } from './upkeep/sweep.ts';

interface StorageOptions extends Omit<DatabaseOptions, 'names'> {
  /** `sqlite:./data/campus.db`, `sqlite::memory:` or `postgres://…`. */
  readonly url: string;
  /** 32 bytes each; the first seals, all open. */
  readonly keys: readonly Buffer[];
  readonly numbers: StoreNumbers;
  /** Copies of reads live this long; 0: none are stored, and those that exist go with the next sweep. */
  readonly copyMaxMs?: number;
}

type Swept = keyof Tables | 'feeds';
type CountedRows = 'students' | 'tokens' | 'evaluations' | 'copies' | 'feeds';

/** Swept rows of these must not stay in the files of the database. */
const contents = [
  ...(['guard_rows', 'upstream_sessions', 'login_challenges', 'images', 'copies', 'events'] as const),
  ...(['hook_deliveries', 'feeds'] as const),
];

const SWEEP_EVERY_MS = 10 * MINUTE_MS;
const lastBackupName = 'last';
const COPY_MAX_MS = 30 * DAY_MS;

/** The stores over one database, and the work on all of them. Every method throws Failure `storage-failed` when it fails. */
export class Storage extends Store {
  readonly hooks = new SqlHookStore(this.deps);
  readonly hookDeliveries = new SqlDeliveryStore(this.deps);
  readonly events = new SqlEventStore(this.deps);
  readonly accounts = new SqlAccountStore(this.deps);
  readonly tokens = new SqlTokenStore(this.deps);
  readonly readiness = new Readiness(this.deps);
  readonly exports = new SqlExportStore(this.deps);
  readonly invites = new SqlInviteStore(this.deps);
  readonly guards = new SqlGuardStore(this.deps);
  readonly challenges = new SqlChallengeStore(this.deps);
  readonly leases = new SqlLeaseStore(this.deps);
  readonly replicas = new SqlReplicaStore(this.deps);
  readonly sessions = new SqlSessionVault(this.deps);
  readonly profiles = new SqlProfileStore(this.deps);
  readonly images = new SqlImageStore(this.deps);
  readonly campusIdentity = new CampusIdentityStore(this.deps);
  readonly roomTree = new SqlRoomTreeStore(this.deps);
  readonly roomBindings = new SqlRoomBindingStore(this.deps);
  readonly campusQueue = new SqlCampusQueueStore(this.deps);
  readonly evaluation = new SqlEvaluationStore(this.deps);
  readonly marks = new SqlMarkStore(this.deps);
  readonly dueReadings = new SqlDueReadingStore(this.deps);
  readonly feeds = new SqlFeedStore(this.deps);
  readonly copies = new SqlCopyStore(this.deps);
  readonly students = new SqlStudentRowStore(this.deps, this.copies);
  readonly #database: Database;
  readonly #copyMaxMs: number;
  #sweeping: Loop | null = null;

  constructor(database: Database, deps: StoreDeps, copyMaxMs: number) {
    super(deps);
    this.#database = database;
    this.#copyMaxMs = copyMaxMs;
  }

  /** The last migration that was applied. */
  get schema(): string {
    return this.#database.newer ?? newest;
  }

  /** Removes what has ended by `now`. Returns the rows of each table; `feeds`: those whose sources were forgotten. */
  async sweep(now: number): Promise<Readonly<Partial<Record<Swept, number>>>> {
    const [database, copyMaxMs] = [this.#database, this.#copyMaxMs];
    await this.accounts.erasure.resume();
    const rows: Partial<Record<Swept, number>> = {
      tokens: await this.tokens.sweep(now),
      upstream_sessions: await this.sessions.sweep(now),
      copies: await this.copies.sweep(now),
      feeds: copyMaxMs === 0 ? await this.feeds.forgetContents() : 0,
    };
    for (const { table, run } of sweepsAt(now, copyMaxMs, this.deps)) {
      rows[table] = (rows[table] ?? 0) + (await run(this.runner));
    }
    if (contents.some((name) => (rows[name] ?? 0) > 0)) this.deps.erased();
    else database.erasure.resume();
    if (database.path !== null) sweepUpgradeCopies(database.path, now);
    return rows;
  }

  /** Sweeps at once, for what an earlier process left behind, and every ten minutes until closed. `also` runs beside it. */
  sweepRegularly(also: () => void): void {
    const { clock, log } = this.deps;
    const body = async (): Promise<undefined> => {
      also();
      await this.sweep(clock.now());
    };
    this.#sweeping = new Loop({ failed: 'sweep failed', everyMs: SWEEP_EVERY_MS, clock: systemClock, log, body });
  }

  /** Reseals by the first key what another key sealed; may run beside the service. */
  async rotate(): Promise<RotationReport> {
    this.#requireKnownSchema();
    const report = await rotateSeals(this.deps);
    // A key is often changed because it leaked: what it sealed must not stay.
    if (report.resealed > 0) this.deps.erased();
    return report;
  }

  /** Null on SQLite. */
  pool(): ReturnType<Database['pool']> {
    return this.#database.pool();
  }

  counts(now: number): Promise<Record<CountedRows, number>> {
    return this.runner.run('count', async (db) => {
      const { rows } = await sql<Record<CountedRows, number>>`select
        (select count(*) from users where erased_at is null) as students,
        (select count(*) from tokens where ended_at is null and expires_at > ${now}) as tokens,
        (select count(*) from evaluation_tasks where active = 1) as evaluations,
        (select count(*) from copies) as copies,
        (select count(*) from calendar_feeds) as feeds`.execute(db);
      const [row] = rows;
      if (row === undefined) throw new Error('no row of counts');
      return row;
    });
  }

  noteBackup(madeAt: number): Promise<void> {
    return this.runner.run('note backup', (db) => put(db, 'backups', { name: lastBackupName, made_at: madeAt }));
  }

  /** Epoch ms; null: this database knows of none. */
  lastBackup(): Promise<number | null> {
    return this.runner.first(
      'read last backup',
      (db) => db.selectFrom('backups').select('made_at').where('name', '=', lastBackupName),
      (row) => row.made_at,
    );
  }

  /** SQLite files as they were before an upgrade, beside the database. */
  upgradeCopies(): readonly UpgradeCopy[] {
    const { path } = this.#database;
    return path === null ? [] : upgradeCopiesOf(path);
  }

  /**
   * Copies everything into the empty database at `url`, whose schema is made first. Refused where that database holds
   * something already or a service runs on it; with `atRest` also where one runs on this database.
   */
  async copyTo(
    url: string,
    { atRest = false, signal }: { atRest?: boolean; signal?: AbortSignal } = {},
  ): Promise<CopyReport | CopyRefusal> {
    this.#requireKnownSchema();
    const { log, clock } = this.deps;
    const target = await openDatabase(url, { log, access: 'create' });
    await using _closing = { [Symbol.asyncDispose]: () => target.close() };
    const used = [
      new SqlReplicaStore({ ...this.deps, runner: new Runner(target) }),
      ...(atRest ? [this.replicas] : []),
    ];
    return await copyDatabase(this.#database, target, signal, async () => {
      const live = await Promise.all(used.map((store) => store.live(clock.now(), this.deps.numbers.replicaLifeMs)));
      return live.flat();
    });
  }

  async close(): Promise<void> {
    await this.#sweeping?.close();
    await this.accounts.erasure.close();
    await this.#database.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Refuses work on every table where a newer version has added some. */
  #requireKnownSchema(): void {
    const { newer } = this.#database;
    if (newer !== null)
      throw new Error(`the database has ${newer} of a newer version: use the commands of that version`);
  }
}

/** Opens the database and makes the stores over it. */
export const createStorage = async ({
  url,
  keys,
  numbers,
  log,
  clock = systemClock,
  copyMaxMs = COPY_MAX_MS,
  ...opening
}: StorageOptions): Promise<Storage> => {
  const sealer = new Sealer(keys);
  const names = new KeyedNames(keys);
  const [secret = Buffer.alloc(0)] = keys;
  const database = await openDatabase(url, { ...opening, log, clock, names });
  const noteErased = (): void => database.erasure.request();
  const runner = new Runner(database);
  const deps = { runner, sealer, secret, names, tagOf: studentTags(names), numbers, clock, log, erased: noteErased };
  return new Storage(database, deps, copyMaxMs);
};

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { silentLog } from '../../src/domain/context.ts';
import { openDatabase } from '../../src/storage/database/database.ts';
import { Runner } from '../../src/storage/database/run.ts';
import { openingAdvice, storageFailure } from '../../src/storage/database/storage-failure.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { Readiness } from '../../src/storage/upkeep/readiness.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { freshPostgresUrl } from '../support/postgres.ts';
import { workingDirectory } from '../support/service-process.ts';
import { mayMount, smallDisk } from '../support/small-disk.ts';
import { onBothDatabases, openRaw, openStorage, registered } from './databases.ts';

const failed = { kind: 'storage-failed', retryAfterSeconds: 5 };

interface Written {
  readonly readiness: Pick<Storage['readiness'], 'isReady' | 'check'>;
  readonly clock: ManualClock;
  write(): Promise<unknown>;
}

/** Nothing can be written, and both the write and the readiness say so; afterwards both work again. */
const expectNoWrites = async ({ readiness, clock, write }: Written, cure: () => void | Promise<void>) => {
  await expect(write()).rejects.toMatchObject(failed);
  clock.advance(5_000);
  expect(await readiness.isReady()).toBe(false);
  await expect(readiness.check()).rejects.toMatchObject(failed);
  await cure();
  clock.advance(5_000);
  expect(await readiness.isReady()).toBe(true);
  await write();
};

describe.runIf(mayMount)('a disk without room', () => {
  it('is not ready until there is some again, and says when to come back', async () => {
    const disk = smallDisk('4m');
    const clock = new ManualClock();
    const storage = await openStorage(`sqlite:${join(disk.folder, 'campus.db')}`, { clock });
    expect(await storage.readiness.isReady()).toBe(true);
    disk.fill();
    await expectNoWrites({ readiness: storage.readiness, clock, write: () => registered(storage) }, () => disk.free());
  });

  it('is named by a start', async () => {
    const disk = smallDisk('64k');
    disk.fill();
    const opening = openDatabase(`sqlite:${join(disk.folder, 'campus.db')}`, { log: silentLog });
    const error = await opening.catch((reason: unknown) => reason);
    expect(openingAdvice(error).hint).toBe('the disk is full: make room on it; nothing is lost');
    expect(readdirSync(disk.folder)).toContain('campus.db');
  });
});

it('a file that became read-only is not ready', async () => {
  const database = await openRaw(`sqlite:${join(workingDirectory(), 'campus.db')}`);
  const clock = new ManualClock();
  const runner = new Runner(database);
  const readiness = new Readiness({ runner, clock, log: silentLog });
  const write = () => runner.run('write', (db) => sql`update schema_info set min_reader = min_reader + 1`.execute(db));
  /** As SQLite itself turns writers of such a file away. */
  const turnAway = (word: 'on' | 'off') => sql.raw(`pragma query_only = ${word}`).execute(database.db);
  await readiness.check();
  await turnAway('on');
  await expectNoWrites({ readiness, clock, write }, async () => void (await turnAway('off')));
});

it('a server that takes no writes since another one took over is not ready', async () => {
  const url = await freshPostgresUrl();
  const clock = new ManualClock();
  const storage = await openStorage(url, { clock });
  await storage.readiness.check();
  const { pathname } = new URL(url);
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  onTestFinished(() => admin.end());
  const turn = async (word: 'on' | 'off') => {
    await admin.query(`alter database ${pathname.slice(1)} set default_transaction_read_only = ${word}`);
    await admin.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
  };
  // Connections that were cut are noticed a moment later.
  const outcome = () =>
    registered(storage).then(
      () => 'written',
      ({ cause }) => cause.code,
    );
  await turn('on');
  await expect.poll(outcome).toBe('25006');
  await expectNoWrites({ readiness: storage.readiness, clock, write: () => registered(storage) }, async () => {
    await turn('off');
    await expect.poll(outcome).toBe('written');
  });
});

/** Keeps all others from writing what readiness writes, until they are let go. */
const holdWrites = async (url: string): Promise<() => Promise<unknown>> => {
  if (url.startsWith('sqlite:')) {
    const other = new DatabaseSync(url.slice('sqlite:'.length));
    other.exec('begin immediate');
    return async () => other.close();
  }
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  await other.query("begin; select * from leases where name = 'readiness' for update");
  return () => other.end();
};

it.each([
  ['ERR_SQLITE_ERROR', 10, 'disk I/O error'],
  ['ERR_SQLITE_ERROR', 1034, 'disk I/O error'],
  ['ERR_SQLITE_ERROR', 8, 'attempt to write a readonly database'],
  ['ERR_SQLITE_ERROR', 13, 'database or disk is full'],
  ['ERR_SQLITE_ERROR', 14, 'unable to open database file'],
  ['25006', undefined, undefined],
  ['53100', undefined, undefined],
  ['58030', undefined, undefined],
])('what a disk that fails says may pass: %s %s %s', (code, errcode, errstr) => {
  expect(storageFailure('write', Object.assign(new Error('message'), { code, errcode, errstr }))).toMatchObject(failed);
});

onBothDatabases('readiness', (database) => {
  const ownerNow = async () => {
    const db = await database.raw();
    return db.selectFrom('leases').select('owner').where('name', '=', 'readiness').executeTakeFirst();
  };

  it('is one write in five seconds, however many ask', async () => {
    const clock = new ManualClock();
    const storage = await openStorage(database.url(), { clock });
    const ask = () => Promise.all(Array.from({ length: 20 }, () => storage.readiness.isReady()));
    const owners = [];
    for (const ms of [0, 4_999, 1]) {
      clock.advance(ms);
      expect(new Set(await ask())).toEqual(new Set([true]));
      owners.push((await ownerNow())?.owner);
    }
    expect(owners[0]).toBe(owners[1]);
    expect(owners[0]).not.toBe(owners[2]);
  });

  it('is not waited for longer than three seconds, and a trial that hangs is the only one', async () => {
    const clock = new ManualClock();
    const storage = await openStorage(database.url(), { clock });
    await storage.readiness.check();
    const free = await holdWrites(database.url());
    clock.advance(5_000);
    const asked = [storage.readiness.isReady(), storage.readiness.isReady()];
    clock.advance(3_000);
    expect(await Promise.all(asked)).toEqual([false, false]);
    const last = storage.readiness.check();
    clock.advance(60_000);
    expect(storage.readiness.check()).toBe(last);
    await free();
    await last;
    expect(await storage.readiness.isReady()).toBe(true);
  });
});

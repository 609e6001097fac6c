import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { isUnreadable } from '../../src/domain/accounts/guard/stored-rows.ts';
import { type Log, silentLog } from '../../src/domain/context.ts';
import { openDatabase, schemaAt } from '../../src/storage/database/database.ts';
import { openingAdvice } from '../../src/storage/database/storage-failure.ts';
import { newest as newestSchema } from '../../src/storage/migrations/migrate.ts';
import { statements } from '../../src/storage/migrations/statements.ts';
import { formerDatabase, formerStudent, writeFormerFile } from '../support/former-schema.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { freshPostgresUrl } from '../support/postgres.ts';
import { workingDirectory } from '../support/service-process.ts';
import { createStorage } from '../support/storage.ts';
import { keyA, registered, start } from './databases.ts';

const DAY_MS = 86_400_000;

type Options = Omit<Parameters<typeof createStorage>[0], 'url' | 'keys' | 'log'>;
const open = (url: string, options: Options & { readonly log?: Log } = {}) =>
  createStorage({ url, keys: [keyA], log: silentLog, ...options });

const openAndClose = async (...args: Parameters<typeof open>): Promise<void> => (await open(...args)).close();

/** The code that an operator reads about a failure to open. */
const refusalOf = async (opening: Promise<unknown>): Promise<string> => {
  try {
    await opening;
  } catch (error) {
    return openingAdvice(error).code;
  }
  throw new Error('did not fail');
};

const newest = 'select name from kysely_migration order by name desc limit 1';
/** Makes the schema that of a later version; `reader`: the oldest schema whose version can read it. */
const goOn = (reader: number) =>
  `insert into kysely_migration values ('9998-later', '2026-01-01T00:00:00.000Z'); update schema_info set min_reader = ${reader}`;

const inFile = <T>(path: string, work: (database: DatabaseSync) => T): T => {
  const database = new DatabaseSync(path);
  try {
    return work(database);
  } finally {
    database.close();
  }
};

/** The columns of all tables. */
const columnsOf = async (url: string): Promise<string[]> => {
  const database = await openDatabase(url, { log: silentLog });
  const tables = await database.db.introspection.getTables();
  await database.close();
  return tables
    .flatMap(({ name, columns }) =>
      columns.map((column) => `${name}.${column.name} ${column.dataType} ${column.isNullable}`),
    )
    .toSorted();
};

/** Runs statements on either database and returns the name of its last migration. */
const run = async (url: string, statements = ''): Promise<string> => {
  if (url.startsWith('sqlite:')) {
    return inFile(url.slice('sqlite:'.length), (database) => {
      database.exec(statements);
      return String(database.prepare(newest).get()?.name);
    });
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    if (statements !== '') await client.query(statements);
    return (await client.query(newest)).rows[0].name;
  } finally {
    await client.end();
  }
};

/** Makes a database as an older version left it. Returns the name of its last migration. */
const makeFormer = async (url: string, schema: '0015' | '0032' = '0015'): Promise<string> => {
  if (!url.startsWith('sqlite:')) return run(url, formerDatabase(schema));
  writeFormerFile(url.slice('sqlite:'.length), schema);
  return run(url);
};

/** A file of the version before with a student in it. */
const olderFile = async () => {
  const path = join(workingDirectory(), 'campus.db');
  const url = `sqlite:${path}`;
  const userid = formerStudent;
  const from = await makeFormer(url);
  const beside = () =>
    readdirSync(join(path, '..'))
      .filter((name) => !/-(wal|shm)$/.test(name) && name !== basename(path))
      .toSorted();
  const copies = () => beside().map((name) => join(path, '..', name));
  return { path, url, userid, from, beside, copies };
};

describe('a SQLite file of the version before', () => {
  it('is copied before it is migrated, for this account only, without what was deleted in it; the log says from what to what', async () => {
    const { path, url, userid, from, copies } = await olderFile();
    inFile(path, (database) => {
      database.exec("pragma secure_delete = off; create table gone (text); insert into gone values ('erased-marker')");
      database.exec('drop table gone');
    });
    expect(readFileSync(path).includes('erased-marker')).toBe(true);
    const lines: unknown[] = [];
    const storage = await open(url, {
      log: { ...silentLog, info: (fields, message) => void lines.push([fields, message]) },
    });
    expect(lines).toEqual([[{ from, to: newestSchema }, 'migrated']]);
    expect(await storage.accounts.findUser(userid)).not.toBeNull();
    const [copy = ''] = copies();
    expect(basename(copy)).toMatch(new RegExp(`^campus\\.db\\.before-${from.slice(0, 4)}-\\d{8}T\\d{9}Z$`));
    const { mtimeMs, size } = statSync(copy);
    const madeAt = Math.floor(mtimeMs);
    expect(storage.upgradeCopies()).toEqual([{ path: copy, bytes: size, madeAt, endsAt: madeAt + 7 * DAY_MS }]);
    await storage.close();
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    expect(readFileSync(copy).includes('erased-marker')).toBe(false);
    expect(await run(`sqlite:${copy}`)).toBe(from);
    inFile(copy, (database) => {
      expect(database.prepare('select userid from users').all().map(Object.values)).toEqual([[userid]]);
    });
  });

  it('is copied at every upgrade, so that going back a second time loses nothing; the oldest go, and a new file has none', async () => {
    const { path, url, copies } = await olderFile();
    await openAndClose(url);
    const [first = ''] = copies();
    const upgradedAgain = async (written: string): Promise<void> => {
      for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
      cpSync(first, path);
      await run(url, `create table ${written} (a integer)`);
      await openAndClose(url);
    };
    const written = () =>
      copies().map((copy) =>
        inFile(
          copy,
          (database) => database.prepare("select name from sqlite_master where name like 'later_%'").get()?.name,
        ),
      );
    await upgradedAgain('later_1');
    expect(written()).toEqual([undefined, 'later_1']);
    await upgradedAgain('later_2');
    await upgradedAgain('later_3');
    expect(written()).toEqual(['later_1', 'later_2', 'later_3']);
    await openAndClose(url);
    expect(copies()).toHaveLength(3);
    const fresh = join(workingDirectory(), 'campus.db');
    await openAndClose(`sqlite:${fresh}`);
    expect(readdirSync(join(fresh, '..'))).toEqual(['campus.db']);
  });

  it('is copied as it was where several processes start at once', async () => {
    const { url, from, copies } = await olderFile();
    await Promise.all([1, 2, 3, 4].map(() => openAndClose(url)));
    expect(copies().length).toBeGreaterThan(0);
    for (const copy of copies()) expect(await run(`sqlite:${copy}`)).toBe(from);
  });

  it('is left as it is where there is no room for the copy, unless none is wanted', async () => {
    const { path, url, beside } = await olderFile();
    const before = readFileSync(path);
    const folder = await files.statfs(join(path, '..'));
    const size = { bsize: 1, bavail: statSync(path).size };
    const spy = vi.spyOn(files, 'statfs').mockResolvedValue(Object.assign(folder, size));
    syncBuiltinESMExports();
    onTestFinished(() => {
      spy.mockRestore();
      syncBuiltinESMExports();
    });
    const refusal = `NO_ROOM_TO_COPY 65 MiB needed, 1 MiB free`;
    expect(await refusalOf(open(url))).toBe(refusal);
    expect(await refusalOf(schemaAt(url, { log: silentLog, access: 'migrate' }))).toBe(refusal);
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(beside()).toEqual([]);
    await openAndClose(url, { access: 'migrate without copy' });
    expect(await run(url)).toBe(newestSchema);
    expect(beside()).toEqual([]);
  });

  it('has a copy for seven days, or until a start that wants none; an unfinished one goes as well', async () => {
    const { path, url, copies, beside } = await olderFile();
    const storage = await open(url);
    const [copy = ''] = copies();
    const now = Date.now();
    const age = (file: string, ms: number) => utimesSync(file, (now - ms) / 1000, (now - ms) / 1000);
    inFile(`${copy}.part-abc`, (database) => database.exec('create table t (a)'));
    age(`${copy}.part-abc`, 7 * DAY_MS);
    age(copy, 7 * DAY_MS - 60_000);
    await storage.sweep(now);
    expect(beside()).toEqual([basename(copy)]);
    age(copy, 7 * DAY_MS);
    await storage.sweep(now);
    expect(beside()).toEqual([]);
    await storage.close();
    await makeFormer(url);
    await openAndClose(url);
    await makeFormer(url);
    expect(copies()).toHaveLength(1);
    await openAndClose(url, { access: 'migrate without copy' });
    expect(readdirSync(join(path, '..'))).toEqual(['campus.db']);
  });
});

describe.each(['sqlite', 'postgres'] as const)('on %s', (kind) => {
  const freshUrl = async (): Promise<string> =>
    kind === 'sqlite' ? `sqlite:${join(workingDirectory(), 'campus.db')}` : freshPostgresUrl();
  const bytesOf = (url: string) => (kind === 'sqlite' ? readFileSync(url.slice('sqlite:'.length)) : null);

  it('looking reads what is there, beside a service or not, and can write nothing', async () => {
    const url = await freshUrl();
    const service = await open(url);
    const { userid } = await registered(service);
    const write = { code: 'LOOK', maxUses: null, expiresAt: null, now: start };
    const beside = await open(url, { access: 'look' });
    expect(await beside.accounts.findUser(userid)).not.toBeNull();
    await expect(beside.invites.createCode(write)).rejects.toThrow();
    await beside.close();
    await service.close();
    const before = bytesOf(url);
    const alone = await open(url, { access: 'look' });
    expect(await alone.accounts.findUser(userid)).not.toBeNull();
    expect([await alone.accounts.foreignSeals(), await alone.guards.unreadable(isUnreadable)]).toEqual([0, []]);
    await expect(alone.invites.createCode(write)).rejects.toThrow();
    await alone.close();
    expect(bytesOf(url)).toEqual(before);
  });

  it('neither looking nor an operator’s command brings an older schema up to date: both name it', async () => {
    const url = await freshUrl();
    const from = await makeFormer(url);
    const before = bytesOf(url);
    for (const access of ['look', 'current'] as const) {
      expect(await refusalOf(open(url, { access }))).toBe(`OLDER_SCHEMA ${from}, not ${newestSchema}`);
    }
    expect(await schemaAt(url, { log: silentLog })).toMatchObject({ from, to: newestSchema, newer: null });
    expect(await run(url)).toBe(from);
    if (kind === 'postgres') return;
    expect(bytesOf(url)).toEqual(before);
    expect(readdirSync(join(url.slice('sqlite:'.length), '..')).filter((name) => name.includes('before'))).toEqual([]);
  });

  it.each(['0015', '0032'] as const)(
    'a database of schema %s has all that a new one has, once it was upgraded',
    async (former) => {
      const made = async (url: string): Promise<unknown[]> => {
        const storage = await open(url);
        const copied = await storage.copyTo(`sqlite:${join(workingDirectory(), 'copy.db')}`);
        expect(copied).toBeInstanceOf(Map);
        const students = (await storage.accounts.listUsers({ after: '', limit: 9 })).map(({ userid }) => userid);
        await storage.close();
        return [await columnsOf(url), students.includes(formerStudent)];
      };
      const [url, fresh] = [await freshUrl(), await freshUrl()];
      await makeFormer(url, former);
      expect(await made(url)).toEqual((await made(fresh)).with(1, true));
    },
  );

  it('neither looking nor a command makes a database where there is none, unless it is one to begin with', async () => {
    const url = await freshUrl();
    expect(await refusalOf(open(url, { access: 'look' }))).toBe('NO_DATABASE');
    expect(await schemaAt(url, { log: silentLog })).toMatchObject({ from: null, to: newestSchema });
    if (kind === 'sqlite') expect(existsSync(url.slice('sqlite:'.length))).toBe(false);
    expect(await refusalOf(open(url, { access: 'current' }))).toBe('NO_DATABASE');
    if (kind === 'sqlite') expect(existsSync(url.slice('sqlite:'.length))).toBe(false);
    await openAndClose(url, { access: 'create' });
    expect(await run(url)).toBe(newestSchema);
  });

  it('a schema that a later version has only added to is used, and work on all tables is refused by name', async () => {
    const url = await freshUrl();
    await openAndClose(url);
    await run(url, goOn(Number.parseInt(newestSchema, 10)));
    const storage = await open(url);
    await storage.readiness.check();
    expect((await registered(storage)).userid).not.toBe('');
    const refusal = 'the database has 9998-later of a newer version: use the commands of that version';
    await expect(storage.rotate()).rejects.toThrow(refusal);
    await expect(storage.copyTo('sqlite::memory:')).rejects.toThrow(refusal);
    await storage.close();
  });

  it('a schema of which a later version has dropped something is not ready and not opened, which the log says once', async () => {
    const url = await freshUrl();
    const said: string[] = [];
    const log = { ...silentLog, error: (_fields: object, message: string) => void said.push(message) };
    const clock = new ManualClock();
    const storage = await open(url, { log, clock });
    await run(url, goOn(9998));
    for (let trial = 0; trial < 2; trial += 1) {
      await expect(storage.readiness.check()).rejects.toThrow();
      clock.advance(5_000);
    }
    expect(said).toEqual(['a newer version has changed the database; this one has to end']);
    for (const access of ['migrate', 'current', 'look'] as const) {
      expect(await refusalOf(open(url, { access }))).toBe('UNKNOWN_SCHEMA 9998-later');
    }
    await run(url, 'update schema_info set min_reader = 17');
    await storage.readiness.check();
    await storage.close();
  });
});

it('after an upgrade hooks on the signal of a class read nothing, daily readings stay, and a run under way is interrupted', async () => {
  const url = `sqlite:${join(workingDirectory(), 'campus.db')}`;
  await makeFormer(url, '0032');
  const [signal, daily] = [formerStudent, '2023000002'];
  const upgraded = await open(url);
  const refreshes = await Promise.all(
    [signal, daily].map(async (userid) => (await upgraded.hooks.list(userid))[0]?.refresh),
  );
  expect(refreshes).toEqual(['none', 'daily']);
  expect(await upgraded.dueReadings.due(start)).toEqual({ userid: daily, dueAt: start });
  expect((await upgraded.events.page(signal, null, 5)).entries).toEqual([]);
  // A run that was under way has lost its process.
  const task = await upgraded.evaluation.read(daily, start);
  expect(task).toMatchObject({ revision: 3, hasDied: true });
  await upgraded.close();
});

it('a migration that drops or renames says from which schema on a version can do without', () => {
  // When 0006 dropped a table there was no version beside it.
  const later = Object.entries(statements).filter(([name]) => !name.startsWith('0006'));
  expect(later.length).toBeGreaterThan(10);
  const silent = later.filter(
    ([, text]) => /\b(drop (table|column)|rename (to|column))\b/i.test(text) && !text.includes('update schema_info'),
  );
  expect(silent).toEqual([]);
});

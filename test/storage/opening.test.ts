import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noGrants } from '../../src/domain/accounts/personal-tokens.ts';
import { silentLog } from '../../src/domain/context.ts';
import { openingAdvice } from '../../src/storage/database/storage-failure.ts';
import { createStorage, type Storage } from '../../src/storage/storage.ts';
import { freshPostgresUrl } from '../support/postgres.ts';
import { keyA, login, onBothDatabases, registered } from './databases.ts';

const open = (url: string): Promise<Storage> => createStorage({ url, keys: [keyA], log: silentLog });

const failureOf = async (promise: Promise<unknown>): Promise<unknown> => {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('did not fail');
};

const closedPort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
};

describe('opening a database', () => {
  let folder = '';
  let opened: Storage[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'campus-opening-'));
    opened = [];
  });
  afterEach(async () => {
    for (const storage of opened) await storage.close();
    await rm(folder, { recursive: true, force: true });
  });
  const kept = async (url: string): Promise<Storage> => {
    const storage = await open(url);
    opened.push(storage);
    return storage;
  };

  it('folder, database and side files of SQLite are for this account only', async () => {
    const path = join(folder, 'deeper', 'data', 'campus.db');
    const storage = await kept(`sqlite:${path}`);
    await registered(storage);
    for (const [file, mode] of [
      [join(folder, 'deeper'), 0o700],
      [join(folder, 'deeper', 'data'), 0o700],
      [path, 0o600],
      [`${path}-wal`, 0o600],
      [`${path}-shm`, 0o600],
    ] as const)
      expect((await stat(file)).mode & 0o777).toBe(mode);
  });

  it('a database in memory needs no file', async () => {
    const storage = await kept('sqlite::memory:');
    const { userid } = await registered(storage);
    expect(await storage.accounts.findUser(userid)).not.toBeNull();
  });

  it('replicas that start at once on an empty PostgreSQL all come up', async () => {
    const url = await freshPostgresUrl();
    const storages = await Promise.all(Array.from({ length: 4 }, () => kept(url)));
    for (const storage of storages) await registered(storage);
  });

  it('processes that start at once on an empty SQLite file all come up', async () => {
    const url = `sqlite:${join(folder, 'campus.db')}`;
    const storages = await Promise.all(Array.from({ length: 4 }, () => kept(url)));
    for (const storage of storages) await registered(storage);
  });

  it.each(['mysql://root:hunter2@db/campus', 'hunter2', 'sqlite:', 'sqlite://hunter2/campus.db'])(
    'an address that names no database is refused without being quoted: %s',
    async (url) => {
      const error = await failureOf(open(url));
      expect(String(error)).toMatch(/sqlite/);
      expect(inspect(error)).not.toContain('hunter2');
    },
  );

  it('an unreachable PostgreSQL is a storage failure that tells neither password nor address', async () => {
    const port = await closedPort();
    const error = await failureOf(open(`postgres://campus:hunter2@127.0.0.1:${port}/campus`));
    expect(error).toMatchObject({ kind: 'storage-failed' });
    const text = inspect(error, { depth: 10, showHidden: true });
    expect(text).toContain('ECONNREFUSED');
    expect(text).not.toContain('hunter2');
    expect(text).not.toContain(String(port));
  });

  it('a refused PostgreSQL password is a storage failure that does not tell it', async () => {
    const url = new URL(await freshPostgresUrl());
    url.password = 'hunter2';
    const error = await failureOf(open(url.href));
    expect(error).toMatchObject({ kind: 'storage-failed' });
    expect(inspect(error, { depth: 10, showHidden: true })).toContain('28P01');
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('hunter2');
  });

  it('an operator is told what to do about a failure to open', async () => {
    const folderAsFile = await failureOf(open(`sqlite:${folder}`));
    expect(openingAdvice(folderAsFile)).toEqual({ code: 'EISDIR', hint: 'name a file in a folder' });
    const url = new URL(await freshPostgresUrl());
    url.password = 'hunter2';
    expect(openingAdvice(await failureOf(open(url.href)))).toEqual({
      code: '28P01',
      hint: 'check its user and password',
    });
    url.password = new URL(await freshPostgresUrl()).password;
    url.pathname = '/nowhere';
    expect(openingAdvice(await failureOf(open(url.href))).hint).toContain('create that database');
  });

  it('a file that is no database is a storage failure', async () => {
    const path = join(folder, 'campus.db');
    await writeFile(path, 'x'.repeat(5_000));
    expect(await failureOf(open(`sqlite:${path}`))).toMatchObject({ kind: 'storage-failed' });
  });
});

onBothDatabases('storage failures', (database) => {
  it('carry the operation and a code, never the values of the statement', async () => {
    const storage = await database.open();
    const { userid, tokenHash } = await registered(storage, { userid: 'MARKER-STUDENT' });
    const error = await failureOf(login(storage, userid, { tokenHash }));
    expect(error).toMatchObject({ kind: 'storage-failed', reason: 'record login' });
    const text = inspect(error, { depth: 10, showHidden: true });
    expect(text).toMatch(database.kind === 'sqlite' ? /constraint/ : /23505/);
    expect(text).not.toContain(tokenHash);
    expect(text).not.toContain(userid);
    // The transaction was taken back and the connection is fit for use.
    expect(await login(storage, userid)).toEqual(noGrants);
  });

  it('a closed storage fails as storage and can be closed again', async () => {
    const storage = await database.open();
    await storage.close();
    expect(await failureOf(storage.ping())).toMatchObject({ kind: 'storage-failed' });
    expect(await failureOf(Promise.resolve(storage.tokens.find('x', 0)))).toMatchObject({ kind: 'storage-failed' });
    await storage.close();
  });
});

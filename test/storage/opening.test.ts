import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { noGrants } from '../../src/domain/accounts/tokens/personal-tokens.ts';
import { openingAdvice } from '../../src/storage/database/storage-failure.ts';
import { freePort } from '../support/nginx.ts';
import { freshPostgresUrl } from '../support/postgres.ts';
import { workingDirectory } from '../support/service-process.ts';
import { login, onBothDatabases, openStorage, registered } from './databases.ts';

const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => Promise.reject(new Error('did not fail')),
    (error: unknown) => error,
  );

describe('opening a database', () => {
  it('folder, database and side files of SQLite are for this account only', async () => {
    const folder = join(workingDirectory(), 'deeper');
    const path = join(folder, 'data', 'campus.db');
    await registered(await openStorage(`sqlite:${path}`));
    for (const file of [folder, join(folder, 'data')]) expect((await stat(file)).mode & 0o777).toBe(0o700);
    for (const end of ['', '-wal', '-shm']) expect((await stat(path + end)).mode & 0o777).toBe(0o600);
  });

  it('a database in memory needs no file', async () => {
    const storage = await openStorage('sqlite::memory:');
    const { userid } = await registered(storage);
    expect(await storage.accounts.findUser(userid)).not.toBeNull();
  });

  it.each(['sqlite', 'postgres'] as const)('processes that start at once on an empty %s all come up', async (kind) => {
    const url = kind === 'sqlite' ? `sqlite:${join(workingDirectory(), 'campus.db')}` : await freshPostgresUrl();
    const storages = await Promise.all(Array.from({ length: 4 }, () => openStorage(url)));
    for (const storage of storages) await registered(storage);
  });

  it.each(['mysql://root:hunter2@db/campus', 'hunter2', 'sqlite:', 'sqlite://hunter2/campus.db'])(
    'an address that names no database is refused without being quoted: %s',
    async (url) => {
      const error = await failureOf(openStorage(url));
      expect(String(error)).toMatch(/sqlite/);
      expect(inspect(error)).not.toContain('hunter2');
    },
  );

  it('a failure to open PostgreSQL tells neither its password nor its address, and what to do', async () => {
    const port = await freePort();
    const refused = new URL(await freshPostgresUrl());
    refused.password = 'hunter2';
    const unknown = new URL(await freshPostgresUrl());
    unknown.pathname = '/hunter2';
    const rows = [
      [`postgres://campus:hunter2@127.0.0.1:${port}/campus`, 'ECONNREFUSED', 'check that the database server runs'],
      [refused.href, '28P01', 'check its user and password'],
      [unknown.href, '3D000', 'create that database'],
    ] as const;
    for (const [url, code, hint] of rows) {
      const error = await failureOf(openStorage(url));
      expect(error).toMatchObject({ kind: 'storage-failed' });
      const advice = openingAdvice(error);
      expect([advice.code, advice.hint]).toEqual([code, expect.stringContaining(hint)]);
      const text = inspect(error, { depth: 10, showHidden: true });
      for (const secret of ['hunter2', String(port)]) expect(text).not.toContain(secret);
    }
  });

  it('a folder, and a file that is no database, are failures of storage', async () => {
    const folder = workingDirectory();
    const error = await failureOf(openStorage(`sqlite:${folder}`));
    expect(openingAdvice(error)).toEqual({ code: 'EISDIR', hint: 'name a file in a folder' });
    const path = join(folder, 'campus.db');
    await writeFile(path, 'x'.repeat(5_000));
    expect(await failureOf(openStorage(`sqlite:${path}`))).toMatchObject({ kind: 'storage-failed' });
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
    // The transaction was rolled back and the connection can be used.
    expect(await login(storage, userid)).toEqual(noGrants);
  });

  it('a closed storage fails as storage and can be closed again', async () => {
    const storage = await database.open();
    await storage.close();
    expect(await failureOf(storage.readiness.check())).toMatchObject({ kind: 'storage-failed' });
    expect(await failureOf(Promise.resolve(storage.tokens.find('x', 0)))).toMatchObject({ kind: 'storage-failed' });
    await storage.close();
  });
});

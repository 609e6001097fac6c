import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { Failure } from '../../src/domain/errors.ts';
import { Runner } from '../../src/storage/database/run.ts';
import { openingAdvice, storageFailure } from '../../src/storage/database/storage-failure.ts';
import { openRaw } from './databases.ts';

const full = Object.assign(new Error('message'), {
  code: 'ERR_SQLITE_ERROR',
  errcode: 13,
  errstr: 'database or disk is full',
});

it('a database that was full is not ready until a write succeeds, though it can still be read', async () => {
  const database = await openRaw('sqlite::memory:');
  const runner = new Runner(database);
  await runner.checkRoom();
  await expect(runner.run('write', () => Promise.reject(full))).rejects.toMatchObject({ retryAfterSeconds: 5 });
  await sql`create trigger no_room before update on schema_info begin select raise(abort, 'still full'); end`.execute(
    database.db,
  );
  await expect(runner.checkRoom()).rejects.toBeInstanceOf(Failure);
  await expect(runner.checkRoom()).rejects.toBeInstanceOf(Failure);
  await sql`drop trigger no_room`.execute(database.db);
  await runner.checkRoom();
});

it('a start on a full disk says that the disk is full', () => {
  expect(openingAdvice(storageFailure('open', full))).toEqual({
    code: 'ERR_SQLITE_ERROR 13 database or disk is full',
    hint: 'the disk is full: make room on it; nothing is lost',
  });
});

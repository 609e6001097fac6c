import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { keptIn } from '../support/kept.ts';
import { login, openRaw, openStorage, registered, start } from './databases.ts';

const freshPath = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'campus-readers-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'campus.db');
};
it('reads wait neither for a writer of another process nor for the writes here that wait for it', async () => {
  const path = freshPath();
  const storage = await openStorage(`sqlite:${path}`);
  const { userid, tokenHash } = await registered(storage);
  const generation = (await storage.sessions.generation(userid)) ?? 0;
  const copy = { read: 'terms', params: '[]', shape: 1, text: '[]', writes: 0, readAt: start };
  await keptIn(storage).copies.keep(userid, generation, [copy]);
  const other = new DatabaseSync(path);
  other.exec('begin immediate');
  const ends: string[] = [];
  const writes = [login(storage, userid), registered(storage), storage.tokens.endAll('nobody', [], start)];
  const written = Promise.all(writes.map((write) => write.then(() => ends.push('written'))));
  const read = await Promise.all([
    storage.tokens.find(tokenHash, start),
    storage.accounts.findUser(userid),
    storage.copies.find({ userid, read: 'terms', params: '[]', shape: 1 }),
  ]);
  expect([read[0]?.userid, read[2]?.text]).toEqual([userid, '[]']);
  expect(ends).toEqual([]);
  other.exec('commit');
  other.close();
  await written;
});

it('writers that wait for another process are refused together after one wait, and say when to come back', async () => {
  const path = freshPath();
  const storage = await openStorage(`sqlite:${path}`);
  const other = new DatabaseSync(path);
  other.exec('begin immediate');
  const elsewhere = await openStorage(`sqlite:${path}`);
  const ends: string[] = [];
  const writes = Array.from({ length: 4 }, (_, number) => storage.tokens.endAll(`nobody-${number}`, [], start));
  await Promise.allSettled([Promise.race(writes)]);
  // A wait that begins once the first of them has ended is longer than what is left for the others.
  const next = elsewhere.tokens.endAll('nobody', [], start).catch(() => {});
  const noted = next.then(() => ends.push('another wait'));
  const outcomes = await Promise.allSettled(writes);
  expect(ends).toEqual([]);
  other.exec('rollback');
  other.close();
  await noted;
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({ status: 'rejected', reason: { kind: 'storage-failed', retryAfterSeconds: 5 } });
});

it('a transaction reads its own writes, which others read once they are committed', async () => {
  const { db } = await openRaw(`sqlite:${freshPath()}`);
  const codes = (on: typeof db) => on.selectFrom('invite_codes').select('code').execute();
  const code = { max_uses: null, used: 0, created_at: start, expires_at: null, revoked_at: null };
  await db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('invite_codes')
      .values({ code: 'own', ...code })
      .execute();
    expect([await codes(transaction), await codes(db)]).toEqual([[{ code: 'own' }], []]);
  });
  expect(await codes(db)).toEqual([{ code: 'own' }]);
});

it('statements on one connection run without others between, and the reader cannot write', async () => {
  const { db } = await openRaw(`sqlite:${freshPath()}`);
  const running: string[] = [];
  const use = (name: string) =>
    db.connection().execute(async (connection) => {
      await sql`pragma synchronous = normal`.execute(connection);
      for (const step of [1, 2]) {
        running.push(`${name}${step}`);
        await connection.selectFrom('users').select('userid').execute();
      }
      await sql`pragma synchronous = full`.execute(connection);
    });
  await Promise.all([use('a'), use('b')]);
  expect(running).toEqual(['a1', 'a2', 'b1', 'b2']);
  await expect(sql.raw('select * from pragma_query_only where query_only = 0').execute(db)).resolves.toMatchObject({
    rows: [],
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Kysely, sql } from 'kysely';
import { expect, it } from 'vitest';
import { Runner } from '../../src/storage/database/run.ts';
import type { Tables } from '../../src/storage/schema.ts';
import { keyA, onBothDatabases, openRaw } from './databases.ts';

onBothDatabases('durability', (database) => {
  it('a registration that was answered is there after its process was killed', async () => {
    const child = spawn(process.execPath, ['test/storage/write-and-hang.ts', database.url()], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said] = await once(child.stdout, 'data');
    expect(String(said)).toBe('created\n');
    child.kill('SIGKILL');
    await once(child, 'exit');

    const reopened = await database.open([keyA]);
    expect((await reopened.accounts.readPair('survivor'))?.pair).toEqual({
      password: 'unified',
      vpnPassword: 'portal',
    });
    expect(await reopened.tokens.find('token', 1)).not.toBeNull();
    expect(await reopened.invites.findCode('crash')).toMatchObject({ used: 1 });
  });
});

it('a transaction that may be lost does not wait for the disk, and the next one does', async () => {
  const database = await openRaw('sqlite::memory:');
  const synchronous = async (db: Kysely<Tables>) =>
    (await sql<{ synchronous: number }>`pragma synchronous`.execute(db)).rows[0]?.synchronous;
  expect(await new Runner(database).transactUnsynced('test', synchronous)).toBe(1);
  expect(await synchronous(database.db)).toBe(2);
});

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { silentLog } from '../../src/domain/context.ts';
import { openDatabase } from '../../src/storage/database/database.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { freshPostgresUrl } from '../support/postgres.ts';
import { createStorage } from '../support/storage.ts';
import { keyA, onBothDatabases, openRaw, registered, start } from './databases.ts';

/** Every row of every table, sorted: bytes by their content, numbers as numbers. */
const everything = async (url: string): Promise<Record<string, string[]>> => {
  const { db } = await openRaw(url);
  const names = (await db.introspection.getTables()).map(({ name }) => name);
  const found: Record<string, string[]> = {};
  for (const name of names.filter((each) => !each.startsWith('kysely_'))) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db);
    const plain = (value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value);
    const cells = (row: Record<string, unknown>) =>
      Object.entries(row).map(([column, value]) => [column, plain(value)]);
    found[name] = rows.map((row) => JSON.stringify(cells(row).toSorted())).toSorted();
  }
  return found;
};

const fileUrl = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'campus-copy-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return `sqlite:${join(folder, 'copy.db')}`;
};

const fill = async (storage: Storage, students: number): Promise<void> => {
  for (let at = 0; at < students; at += 1) {
    const { userid } = await registered(storage);
    const generation = await storage.sessions.generation(userid);
    await storage.sessions.save(userid, generation ?? -1, [{ system: 'jwc', state: 'a jar' }], start);
  }
};

onBothDatabases('a copy', (database) => {
  const freshUrl = () => (database.kind === 'sqlite' ? fileUrl() : freshPostgresUrl());

  it('holds every row of every table, also on the way back into a database of the first kind', async () => {
    const url = await freshUrl();
    const storage = await createStorage({ url, keys: [keyA], log: silentLog });
    await fill(storage, 45);
    const { userid } = await registered(storage);
    const bytes = randomBytes(200_000);
    const first = await openDatabase(url, { log: silentLog });
    await sql`insert into images (id, userid, purpose, state, type, md5, tag, size, created_at)
      values ('image-1', ${userid}, 'avatar', 'current', 'image/png', 'x', 'y', 200000, ${start})`.execute(first.db);
    await sql`insert into image_bytes (image, bytes) values ('image-1', ${bytes})`.execute(first.db);
    await first.close();

    const backup = fileUrl();
    const report = await storage.copyTo(backup);
    await storage.close();
    if ('refusal' in report) throw new Error(report.refusal);
    expect(report.get('users')).toBe(46);
    const [there, back] = [await createStorage({ url: backup, keys: [keyA], log: silentLog }), await freshUrl()];
    await there.copyTo(back);
    await there.close();
    const original = await everything(url);
    expect(original.image_bytes?.[0]).toContain(bytes.toString('hex').slice(0, 40));
    const tables = Object.keys(original).filter((table) => !['replicas', 'schema_info', 'backups'].includes(table));
    expect([...report.keys()].toSorted()).toEqual(tables.toSorted());
    expect(await everything(backup)).toEqual(original);
    expect(await everything(back)).toEqual(original);
  });

  it('is of one moment, while students register', async () => {
    const storage = await database.openFresh();
    const writer = await storage.again();
    await fill(storage, 25);
    let copying = true;
    const registering = (async () => {
      while (copying) await registered(writer);
    })();
    const backup = fileUrl();
    await storage.copyTo(backup).finally(() => {
      copying = false;
    });
    await registering;
    const { users, credentials, tokens } = await everything(backup);
    expect(users?.length).toBeGreaterThanOrEqual(25);
    expect([credentials?.length, tokens?.length]).toEqual([users?.length, users?.length]);
  });

  it('into a database that holds anything is refused, and changes nothing there', async () => {
    const [storage, other] = [await database.openFresh(), await freshUrl()];
    await fill(storage, 2);
    const holder = await createStorage({ url: other, keys: [keyA], log: silentLog });
    await holder.invites.createCode({ code: 'ONLY-ONE', maxUses: 1, expiresAt: null, now: start });
    await holder.close();
    const before = await everything(other);
    expect(await storage.copyTo(other)).toEqual({ refusal: 'not empty' });
    expect(await everything(other)).toEqual(before);
  });
});

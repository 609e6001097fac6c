import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { silentLog } from '../../src/domain/context.ts';
import { Runner } from '../../src/storage/database/run.ts';
import { freshPostgresUrl } from '../support/postgres.ts';
import { createStorage } from '../support/storage.ts';
import { keyA, openRaw, openStorage, registered } from './databases.ts';

/** Ends all other connections to the database, as a restart of the server does. */
const cutConnections = async (url: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await client.end();
};

const lossLog = () => {
  const { promise: lost, resolve } = Promise.withResolvers<void>();
  const warn = vi.fn(() => resolve());
  return { log: { ...silentLog, warn }, warn, lost };
};

describe('docs/deploy/postgres-role.sh', () => {
  it('makes a role that owns its databases, which is all the service needs, and nothing else', async () => {
    const role = `own_${randomBytes(6).toString('hex')}`;
    const admin = new pg.Client({ connectionString: inject('postgresUrl') });
    await admin.connect();
    onTestFinished(() => admin.end());
    const script = readFileSync('docs/deploy/postgres-role.sh', 'utf8');
    const statements = (/<<'SQL'\n\\set [^\n]*\n([\s\S]*)SQL\n$/.exec(script)?.[1] ?? '')
      .replaceAll('campus', role)
      .replace(":'password'", "'its-own'")
      .split(';\n')
      .filter((statement) => statement !== '');
    expect(statements).toHaveLength(4);
    for (const statement of statements) await admin.query(statement);

    const url = new URL(inject('postgresUrl'));
    const other = new pg.Client({
      connectionString: Object.assign(new URL(url), { username: role, password: 'its-own' }).href,
    });
    await expect(other.connect()).rejects.toMatchObject({ code: '42501' });
    Object.assign(url, { username: role, password: 'its-own', pathname: `/${role}` });
    const log = { ...silentLog, warn: vi.fn() };
    const storage = await createStorage({ url: url.href, keys: [keyA], log });
    const { userid } = await registered(storage);
    expect(await storage.accounts.deleteUser(userid)).toBe('erased');
    // Closing vacuums, which takes an owner.
    await storage.close();
    expect(log.warn).not.toHaveBeenCalled();
    const { rows } = await admin.query('select * from pg_roles where rolname = $1', [role]);
    expect(rows[0]).toMatchObject({ rolsuper: false, rolcreatedb: false, rolcreaterole: false, rolbypassrls: false });
  });
});

describe('PostgreSQL connections', () => {
  it('an idle connection that is cut is noted and replaced', async () => {
    const url = await freshPostgresUrl();
    const { log, warn, lost } = lossLog();
    const storage = await openStorage(url, { log });
    const { userid } = await registered(storage);
    await cutConnections(url);
    await lost;
    expect(await storage.accounts.findUser(userid)).not.toBeNull();
    expect(warn).toHaveBeenCalledWith({ code: '57P01' }, 'database connection lost');
  });

  it('looks for tokens share one connection, and find them all after it was cut', async () => {
    const url = await freshPostgresUrl();
    const { log, lost } = lossLog();
    const storage = await openStorage(url, { log });
    const { userid, tokenHash } = await registered(storage);
    const looks = () => Promise.all(Array.from({ length: 50 }, () => storage.tokens.find(tokenHash, 0)));
    const all = Array.from({ length: 50 }, () => expect.objectContaining({ userid }));
    expect(await looks()).toEqual(all);
    const observer = new pg.Client({ connectionString: url });
    await observer.connect();
    const prepared = 'query like \'%"tokens"."hash" = %\' and pid <> pg_backend_pid() and datname = current_database()';
    expect((await observer.query(`select 1 from pg_stat_activity where ${prepared}`)).rowCount).toBe(1);
    await observer.end();
    await cutConnections(url);
    await lost;
    expect(await looks()).toEqual(all);
  });

  it('a connection cut in the middle of a transaction fails that transaction only', async () => {
    const url = await freshPostgresUrl();
    const { log, lost } = lossLog();
    const database = await openRaw(url, log);
    await expect(
      database.db.transaction().execute(async (transaction) => {
        await sql`insert into leases values ('half', 'one', 1)`.execute(transaction);
        await cutConnections(url);
        await lost;
        await sql`select 1`.execute(transaction);
      }),
    ).rejects.toThrow();
    expect(await database.db.selectFrom('leases').selectAll().execute()).toEqual([]);
  });

  it('counters come back as numbers', async () => {
    const database = await openRaw(await freshPostgresUrl());
    const { rows } = await sql<{ n: unknown }>`select 1773799200000::bigint as n`.execute(database.db);
    expect(rows).toEqual([{ n: 1_773_799_200_000 }]);
  });

  it('transactions that PostgreSQL undoes for a deadlock are tried again', async () => {
    const url = await freshPostgresUrl();
    const database = await openRaw(url);
    const runner = new Runner(database);
    await sql`insert into leases values ('a', 'nobody', 0), ('b', 'nobody', 0)`.execute(database.db);
    const bothHold = Promise.withResolvers<void>();
    let holding = 0;
    const attempts = { ab: 0, ba: 0 };
    const take = (name: 'ab' | 'ba') =>
      runner.transact('take both', async (transaction) => {
        attempts[name] += 1;
        const [first, second] = name === 'ab' ? ['a', 'b'] : ['b', 'a'];
        await sql`update leases set expires_at = expires_at + 1 where name = ${first}`.execute(transaction);
        holding += 1;
        if (holding === 2) bothHold.resolve();
        await bothHold.promise;
        await sql`update leases set expires_at = expires_at + 1 where name = ${second}`.execute(transaction);
      });
    await Promise.all([take('ab'), take('ba')]);
    // On a busy machine the repetition may meet the other once more; each is done exactly once all the same.
    expect(attempts.ab + attempts.ba).toBeGreaterThanOrEqual(3);
    const rows = await database.db.selectFrom('leases').select('expires_at').execute();
    expect(rows.map((row) => row.expires_at)).toEqual([2, 2]);
  });
});

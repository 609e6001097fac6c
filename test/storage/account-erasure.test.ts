import { sql } from 'kysely';
import { expect, it, vi } from 'vitest';
import { erasureOf } from '../../src/domain/accounts/guard/stored-rows.ts';
import type { NewEvent } from '../../src/domain/events/ports.ts';
import { schema } from '../../src/storage/schema.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { keptIn } from '../support/kept.ts';
import { ManualClock } from '../support/manual-clock.ts';
import {
  hookWish,
  inviteToken,
  login,
  onBothDatabases,
  openStorage,
  registered,
  registration,
  start,
} from './databases.ts';

const event: NewEvent = { type: 'account.password_refused', readAt: null, about: {}, ask: null, detail: {} };

onBothDatabases('erasing an account with many rows', (database) => {
  const ofStudents = Object.entries(schema).flatMap(([name, { columns }]) => ('userid' in columns ? [name] : []));

  const rowsOf = async (userid: string): Promise<Record<string, number>> => {
    const db = await database.raw();
    const counts: Record<string, number> = {};
    for (const name of ofStudents) {
      const { rows } = await sql<{ rows: number }>`
        select count(*) as rows from ${sql.table(name)} where userid = ${userid}`.execute(db);
      const count = Number(rows[0]?.rows);
      if (count > 0) counts[name] = count;
    }
    return counts;
  };

  /** A student with a hook, a feed and a run, and `many` rows in two tables. */
  const lived = async (storage: Storage, many: number) => {
    const student = await registered(storage);
    const { userid } = student;
    await storage.hooks.make(userid, { ...hookWish, id: `h${userid}`, now: start, secret: 's', madeBy: 'x' }, 5);
    const feed = { id: `f${userid}`, userid, secretHash: `s${userid}`, name: '', createdAt: start };
    await storage.feeds.create({ ...feed, parts: ['exams'], alarmMinutes: null, polledAt: null }, 5);
    const task = { userid, revision: null, snapshot: '{}', owner: 'p', lives: true, now: start, expiresAt: null };
    await storage.evaluation.write(task);
    const numbers = sql`(with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(many)}) select i from n) as n`;
    const db = await database.raw();
    await sql`insert into event_states (userid, scope, sealed_known, in_doubt, read_at)
      select ${userid}, 'scope ' || i, 'x', 0, ${start} from ${numbers}`.execute(db);
    await sql`insert into hook_deliveries
      (id, userid, hook, event, type, seq, sealed_body, asked, state, attempts, created_at, lease_until)
      select ${`d${userid} `} || i, ${userid}, ${`h${userid}`}, 'e', 'test.ping', i, 'x', 0, 'waiting', 0, ${start}, 0
      from ${numbers}`.execute(db);
    return student;
  };

  /** Moves the end of the lease of a process that has died. */
  const diedLately = async (userid: string): Promise<void> => {
    const db = await database.raw();
    await db.updateTable('leases').set({ expires_at: 1 }).where('name', '=', `erasure:${userid}`).execute();
  };

  it('takes all by which anybody could act as the student at once, and the rest by itself', async () => {
    const storage = await database.open();
    const { userid, tokenHash } = await lived(storage, 13_000);
    const other = await registered(storage);
    const generation = (await storage.sessions.generation(userid)) ?? 0;
    expect(await storage.accounts.deleteUser(userid)).toBe('erasing');
    expect(await storage.tokens.find(tokenHash, start)).toBeNull();
    expect(await storage.accounts.readPair(userid)).toBeNull();
    expect(await storage.accounts.findUser(userid)).toBeNull();
    expect(await storage.feeds.bySecret(`s${userid}`)).toBeNull();
    expect(await storage.evaluation.read(userid, start)).toBeNull();
    expect(await storage.sessions.generation(userid)).toBeNull();
    expect(await storage.marks.marks(userid)).toBeNull();
    expect(await storage.hooks.list(userid)).toMatchObject([{ state: 'paused', url: '' }]);
    // Nothing that was under way writes behind it, and the student does not come back in between.
    expect(await storage.sessions.save(userid, generation, [{ system: 'jwc', state: 'x' }], start)).toBeNull();
    expect(await keptIn(storage).journal.append(userid, [event])).toEqual([]);
    expect(await login(storage, userid)).toBe('user-gone');
    const invite = await inviteToken(storage);
    expect(await storage.accounts.standing(userid)).toBe('erasing');
    expect(await storage.accounts.register(registration(userid, invite))).toBe('userid-erasing');
    const mayRemain = ['event_hooks', 'event_states', 'hook_deliveries', 'users'];
    expect(Object.keys(await rowsOf(userid)).filter((name) => !mayRemain.includes(name))).toEqual([]);

    await vi.waitFor(async () => expect(await storage.accounts.standing(userid)).toBe('free'), { timeout: 30_000 });
    expect(await rowsOf(userid)).toEqual({});
    expect(await storage.accounts.register(registration(userid, invite))).toMatchObject({});
    expect(await storage.accounts.standing(other.userid)).toBe('registered');
  }, 60_000);

  it('goes on after a crash, from the next start, under a lease', async () => {
    const first = await openStorage(database.url());
    const { userid } = await lived(first, 13_000);
    // As after a kill: the mark, and the lease of a process that is no more.
    await first.leases.acquire(`erasure:${userid}`, 'another process', start, 30_000);
    expect(await first.accounts.erasure.begin(userid, erasureOf(userid, start))).toBe(true);
    await first.close();
    const before = await rowsOf(userid);
    expect(before).toMatchObject({ event_states: 13_000, hook_deliveries: 13_000, users: 1 });

    const clock = new ManualClock();
    const second = await openStorage(database.url(), { clock });
    await second.leases.acquire(`erasure:${userid}`, 'another process', clock.now(), 30_000);
    await second.sweep(start);
    expect(await second.accounts.deleteUser(userid)).toBe('erasing');
    expect(await rowsOf(userid)).toEqual(before);
    await diedLately(userid);
    const isFree = async (): Promise<void> => {
      clock.advance(5_000);
      expect(await second.accounts.standing(userid)).toBe('free');
    };
    await vi.waitFor(isFree, { timeout: 30_000 });
    expect(await rowsOf(userid)).toEqual({});
  }, 60_000);

  it('stops where the process ends, and gives the rest to the next one', async () => {
    const first = await openStorage(database.url());
    const { userid } = await lived(first, 13_000);
    expect(await first.accounts.deleteUser(userid)).toBe('erasing');
    await first.close();
    expect(await rowsOf(userid)).toMatchObject({ users: 1 });
    const second = await openStorage(database.url());
    expect(await second.accounts.deleteUser(userid, undefined, 'whole')).toBe('erased');
    expect(await rowsOf(userid)).toEqual({});
    expect(await second.accounts.deleteUser(userid)).toBeNull();
  }, 60_000);
});

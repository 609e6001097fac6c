import { DatabaseSync } from 'node:sqlite';
import { beforeAll, expect, it } from 'vitest';
import { markWrite } from '../../src/domain/reads/decide.ts';
import type { Copy, CopyToKeep } from '../../src/domain/reads/ports.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { keptIn } from '../support/kept.ts';
import { plainMarks } from '../support/student-marks.ts';
import { day, keyB, onBothDatabases, registered, someHash, start } from './databases.ts';

const MINUTE = 60_000;

onBothDatabases('copies', (database) => {
  let storage: Storage;
  let replica: Storage;
  beforeAll(async () => {
    storage = await database.open();
    replica = await database.open();
  });

  const student = async () => {
    const { userid, tokenHash } = await registered(storage);
    const generation = (await storage.sessions.generation(userid)) ?? 0;
    const keep = (copy: Partial<CopyToKeep> = {}, at = storage) =>
      keptIn(at).copies.keep(userid, generation, [
        { read: 'summary', params: '[]', shape: 1, text: '{"gpa":3}', writes: 0, readAt: start, ...copy },
      ]);
    const find = (more: { read?: string; params?: string; shape?: number } = {}, at = storage): Promise<Copy | null> =>
      at.copies.find({ userid, read: 'summary', params: '[]', shape: 1, ...more });
    return { userid, tokenHash, generation, keep, find };
  };

  const countCopies = async (userid: string) => {
    const db = await database.raw();
    const rows = await db
      .selectFrom('copies')
      .select(['read', 'params'])
      .where('userid', '=', userid)
      .orderBy('read')
      .execute();
    return { kept: rows.length, names: rows.map(({ read, params }) => `${read} ${params}`) };
  };

  it('a copy is found by student, read and parameters, on every replica, and says its shape', async () => {
    const one = await student();
    const two = await student();
    await one.keep();
    expect(await one.find({}, replica)).toEqual({ text: '{"gpa":3}', writes: 0, shape: 1, readAt: start });
    expect(await one.find({ params: '["x"]' })).toBeNull();
    expect(await one.find({ read: 'terms' })).toBeNull();
    expect(await one.find({ shape: 2 })).toMatchObject({ shape: 1 });
    expect(await two.find()).toBeNull();
  });

  it('an unchanged value is not written within a minute, on SQLite not even a lock', async ({ skip }) => {
    skip(database.kind !== 'sqlite', 'is about SQLite');
    const { keep } = await student();
    await keep();
    const observer = new DatabaseSync(database.url().slice('sqlite:'.length));
    const version = () => observer.prepare('pragma data_version').get()?.data_version;
    const before = version();
    await keep({ readAt: start + 59_999 });
    expect(version()).toBe(before);
    await keep({ readAt: start + 60_000 });
    expect(version()).not.toBe(before);
    observer.close();
  });

  it('a copy that is not newer than the one in hand is not found', async () => {
    const { userid, keep } = await student();
    await keep();
    const key = { userid, read: 'summary', params: '[]', shape: 1 };
    expect(await replica.copies.find(key, start)).toBeNull();
    expect(await replica.copies.find(key, start - 1)).toMatchObject({ readAt: start });
  });

  it('an older reading never replaces a newer one', async () => {
    const { keep, find } = await student();
    await keep({ text: '"new"', readAt: start + 2 });
    await keep({ text: '"old"', readAt: start + 1 });
    expect((await find())?.text).toBe('"new"');
    await keep({ text: '"newer"', readAt: start + 3 });
    expect((await find())?.text).toBe('"newer"');
  });

  it('a reading of a time when the clock was ahead is replaced by the next one, the same value or another', async () => {
    const { keep, find } = await student();
    const now = Date.now();
    for (const text of ['"same"', '"another"']) {
      await keep({ text: '"same"', readAt: now + 2 * day, writes: 1 });
      await keep({ text, readAt: now, writes: 1 });
      expect(await find()).toMatchObject({ text, readAt: now });
    }
    // Clocks of replicas differ by seconds.
    await keep({ text: '"ahead"', readAt: now + 3_000 });
    await keep({ text: '"late"', readAt: now });
    expect((await find())?.text).toBe('"ahead"');
  });

  it('the time of an unchanged value is written once a minute, and the value then stays as it was sealed', async () => {
    const { userid, keep, find } = await student();
    const sealed = async () => {
      const db = await database.raw();
      const row = await db.selectFrom('copies').select('sealed_value').where('userid', '=', userid).executeTakeFirst();
      return row?.sealed_value;
    };
    await keep();
    const first = await sealed();
    await keep({ readAt: start + MINUTE - 1 });
    expect((await find())?.readAt).toBe(start);
    await keep({ readAt: start + MINUTE });
    expect((await find())?.readAt).toBe(start + MINUTE);
    expect(await sealed()).toBe(first);
    await keep({ readAt: start + MINUTE + 1, writes: 2 });
    expect(await find()).toMatchObject({ readAt: start + MINUTE + 1, writes: 2 });
    expect(await sealed()).not.toBe(first);
  });

  it('an unchanged reading of one term leaves the time of another term as it is', async () => {
    const { keep, find } = await student();
    const [autumn, spring] = ['["2025-2026-1-1"]', '["2025-2026-2-1"]'];
    for (const [params, readAt] of [
      [autumn, start],
      [spring, start],
      [spring, start + 60 * MINUTE],
    ] as const)
      await keep({ params, readAt });
    const found = [await find({ params: autumn }), await find({ params: spring })];
    expect(found.map((copy) => copy?.readAt)).toEqual([start, start + 60 * MINUTE]);
  });

  it('nothing of a generation that has ended is kept, and what was kept outlives it', async () => {
    const { userid, generation, keep, find } = await student();
    await keep();
    const next = (await storage.sessions.nextGeneration(userid))?.generation;
    await keep({ text: '"late"', readAt: start + 1 });
    expect((await find())?.text).toBe('{"gpa":3}');
    expect(next).not.toBe(generation);
  });

  it('what is kept together is kept or lost together', async () => {
    const { userid, generation, find } = await student();
    const good = { read: 'summary', params: '[]', shape: 1, text: '"good"', writes: 0, readAt: start };
    const broken = { ...good, read: 'terms', readAt: Number.NaN };
    await expect(keptIn(storage).copies.keep(userid, generation, [good, broken])).rejects.toMatchObject({
      kind: 'storage-failed',
    });
    expect(await find()).toBeNull();
  });

  it('a first whole sync of 65 reads loses none of them', async () => {
    const { userid, generation, find } = await student();
    const copy = { params: '[]', shape: 1, text: '"small"', writes: 0 };
    const needed = ['terms', 'current-term', 'exams'].map((read, at) => ({ ...copy, read, readAt: start + at }));
    const others = Array.from({ length: 62 }, (_, at) => ({
      ...copy,
      read: ['all-scores', 'schedule', 'activity-detail', 'club-activities', 'score-page'][at % 5] ?? '',
      params: JSON.stringify([String(at), '1']),
      readAt: start + 100 + at,
    }));
    for (const each of [...needed, ...others]) await keptIn(storage).copies.keep(userid, generation, [each]);
    for (const { read, params } of [...needed, ...others]) expect(await find({ read, params }), read).not.toBeNull();
  });

  it('a student has at most 16 copies of a read, 128 of all and 4 MiB; nothing beyond 1 MiB is kept', async () => {
    const { userid, generation, keep, find } = await student();
    const many = (read: string, count: number) =>
      Array.from({ length: count }, (_, at) => ({
        read,
        params: `["${at}"]`,
        shape: 1,
        text: '"small"',
        writes: 0,
        readAt: start + at,
      }));
    const details = ['score-components', 'activity-detail'];
    const reads = [...details, ...Array.from({ length: 8 }, (_, at) => `usual-${at}`)];
    await keptIn(storage).copies.keep(userid, generation, many('all-scores', 20));
    expect(await find({ read: 'all-scores', params: '["3"]' })).toBeNull();
    expect(await find({ read: 'all-scores', params: '["4"]' })).not.toBeNull();
    await keptIn(storage).copies.keep(
      userid,
      generation,
      reads.flatMap((read) => many(read, 14)),
    );
    const { kept } = await countCopies(userid);
    expect(kept).toBe(128);
    expect(await find({ read: 'activity-detail', params: '["13"]' })).toBeNull();
    expect(await find({ read: 'usual-7', params: '["0"]' })).not.toBeNull();

    const large = JSON.stringify('x'.repeat(900_000));
    for (let at = 0; at < 5; at += 1) await keep({ params: `["large ${at}"]`, text: large, readAt: start + 100 + at });
    expect(await find({ params: '["large 1"]' })).toBeNull();
    expect(await find({ params: '["large 2"]' })).not.toBeNull();
    expect(await find({ read: 'usual-7', params: '["13"]' })).toBeNull();
    await keep({ params: '["huge"]', text: JSON.stringify('x'.repeat(1024 * 1024)), readAt: start + 200 });
    expect(await find({ params: '["huge"]' })).toBeNull();
  });

  it('what a feed is made of stays when others have to go, and of schedules only the one of its term', async () => {
    const { userid, generation, keep, find } = await student();
    const secretHash = someHash();
    const feed = { id: someHash().slice(0, 16), name: 'x', parts: ['classes'] as const, alarmMinutes: null };
    await storage.feeds.create({ ...feed, userid, secretHash, createdAt: start, polledAt: null }, 10);
    const made = await storage.feeds.bySecret(secretHash);
    if (made === null) throw new Error('no feed');
    await storage.feeds.update(made, { had: feed.parts, scheduleParams: '["now"]', contents: '{}' });
    await keep({ read: 'schedule', params: '["now"]' });
    await keep({ read: 'schedule', params: '["before"]' });
    await keep({ read: 'terms' });
    for (let at = 0; at < 20; at += 1) await keep({ read: 'schedule', params: `["${at}"]`, readAt: start + 1 + at });
    expect(await find({ read: 'schedule', params: '["now"]' })).not.toBeNull();
    expect(await find({ read: 'schedule', params: '["before"]' })).toBeNull();
    expect((await countCopies(userid)).kept).toBe(17);
    // The same happens when the last token has ended.
    await storage.copies.drop(userid);
    expect((await countCopies(userid)).names).toEqual(['schedule ["now"]']);
    expect(await storage.sessions.generation(userid)).toBe(generation);
  });

  it('copies go with the account, with the last token, with their days, and when none are to be kept', async () => {
    const erased = await student();
    await erased.keep();
    await storage.accounts.deleteUser(erased.userid);
    expect(await erased.find()).toBeNull();

    const signedOut = await student();
    await signedOut.keep();
    await storage.copies.drop(signedOut.userid);
    expect(await signedOut.find()).toBeNull();

    const young = await student();
    const old = await student();
    const expired = await student();
    const ended = await student();
    const slide = ({ userid, tokenHash }: { userid: string; tokenHash: string }, expiresAt: number) =>
      storage.tokens.slide(tokenHash, { userid, expiresAt, usedAt: start, network: null });
    await young.keep({ readAt: start + 10 });
    await old.keep({ readAt: start });
    await expired.keep({ readAt: start + 10 });
    await slide(expired, start + 5);
    await slide(young, start + 40 * day);
    await slide(old, start + 40 * day);
    await storage.tokens.endAll(ended.userid, ['feeds'], start);
    await ended.keep({ readAt: start + 10 });
    // The token identifies its student for another week, and reads nothing.
    expect(await ended.find()).not.toBeNull();
    await storage.sweep(start + day);
    expect(await ended.find()).toBeNull();
    await storage.sweep(start + 30 * day);
    expect([await young.find(), await old.find(), await expired.find()]).toEqual([expect.anything(), null, null]);
  });

  it('a copy is absent without its key, and equal values of two students look different', async () => {
    const one = await student();
    const two = await student();
    await one.keep();
    await two.keep();
    expect(await one.find({}, await database.open([keyB]))).toBeNull();
    const db = await database.raw();
    const rows = await db.selectFrom('copies').selectAll().where('userid', 'in', [one.userid, two.userid]).execute();
    expect(rows).toHaveLength(2);
    expect(rows[0]?.digest).not.toBe(rows[1]?.digest);
  });
});

onBothDatabases('marks', (database) => {
  let storage: Storage;
  let replica: Storage;
  beforeAll(async () => {
    storage = await database.open();
    replica = await database.open();
  });
  const now = start;
  const until = start + 30_000;

  it('say generation, set-aside pair, bound room and writes, with the token and without', async () => {
    const { userid, tokenHash } = await registered(storage);
    const generation = (await storage.sessions.generation(userid)) ?? 0;
    const plain = plainMarks({ generation });
    expect(await storage.marks.marks(userid)).toEqual(plain);
    const pair = await storage.accounts.readPair(userid);
    await keptIn(storage).accounts.markPairRefused(userid, pair?.version ?? 0, 'portal');
    await storage.roomBindings.bind(userid, { roomCode: 'r1', roomName: 'n', displayText: 'd' }, now);
    const marked = { ...plain, refusedStep: 'portal', roomCode: 'r1' };
    expect(await replica.marks.marks(userid)).toEqual(marked);
    expect((await replica.tokens.find(tokenHash, now))?.marks).toEqual(marked);
    expect(await storage.marks.marks('nobody')).toBeNull();
  });

  it('a write grows the counter of its application at both ends and marks the time between', async () => {
    const { userid } = await registered(storage);
    const other = await registered(storage);
    const at = async () => (await replica.marks.marks(userid))?.writes;
    const write = await storage.marks.announceWrite(userid, 'academics', markWrite(now, until));
    expect(write).toEqual({ count: 1, until, overlaps: false });
    expect(await at()).toMatchObject({ academics: { count: 1, until }, 'labor-club': { count: 0, until: 0 } });
    expect((await replica.marks.marks(other.userid))?.writes.academics).toEqual({ count: 0, until: 0 });
    if (write) await storage.marks.endWrite(userid, 'academics', write);
    expect(await at()).toMatchObject({ academics: { count: 2, until: 0 } });
    expect(await storage.marks.announceWrite('nobody', 'academics', markWrite(now, until))).toBeNull();
  });

  it.each(['first', 'second'] as const)('of two writes at once the mark stays when the %s ends', async (which) => {
    const { userid } = await registered(storage);
    const writes = {
      first: await storage.marks.announceWrite(userid, 'labor-club', markWrite(now, until)),
      second: await replica.marks.announceWrite(userid, 'labor-club', markWrite(now, until - 1)),
    };
    const ended = writes[which];
    if (ended) await storage.marks.endWrite(userid, 'labor-club', ended);
    expect((await storage.marks.marks(userid))?.writes['labor-club']).toEqual({ count: 3, until });
  });

  it('a mark of a time when the clock was ahead is no write under way, and the next one does not prolong it', async () => {
    const { userid } = await registered(storage);
    await storage.marks.announceWrite(userid, 'academics', markWrite(now + 2 * day, until + 2 * day));
    const write = await replica.marks.announceWrite(userid, 'academics', markWrite(now, until));
    expect(write).toEqual({ count: 2, until, overlaps: false });
    if (write) await replica.marks.endWrite(userid, 'academics', write);
    expect((await storage.marks.marks(userid))?.writes.academics).toEqual({ count: 3, until: 0 });
  });

  it('writes at the same moment are all counted', async () => {
    const { userid } = await registered(storage);
    await Promise.all(
      Array.from({ length: 8 }, async (_, n) => {
        const { marks } = n % 2 === 0 ? storage : replica;
        const write = await marks.announceWrite(userid, 'electricity', markWrite(now, until));
        if (write) await marks.endWrite(userid, 'electricity', write);
      }),
    );
    expect((await storage.marks.marks(userid))?.writes.electricity.count).toBe(16);
  });
});

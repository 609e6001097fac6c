import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import type { Storage } from '../../src/storage/storage.ts';
import { day, onBothDatabases, someHash, start } from './databases.ts';

onBothDatabases('what is read for everybody', (database) => {
  let storage: Storage;
  let replica: Storage;
  beforeAll(async () => {
    storage = await database.open();
    replica = await database.open();
  });
  const key = (params: string, shape = 1) => ({ userid: null, read: 'list', params, shape });
  const keep = (params: string, text: string, readAt = start, at = storage, shape = 1) =>
    at.copies.keepForAll({ read: 'list', params, shape, text, readAt, writes: 0 });

  it('is found by read, parameters and shape, and newer than what is known', async () => {
    const params = someHash();
    expect(await storage.copies.find(key(params))).toBeNull();
    await keep(params, '["中"]');
    expect(await replica.copies.find(key(params))).toEqual({ text: '["中"]', readAt: start, writes: 0, shape: 1 });
    expect(await replica.copies.find(key(params), start - 1)).not.toBeNull();
    expect(await replica.copies.find(key(params), start)).toBeNull();
    expect(await replica.copies.find(key(params, 2))).toBeNull();
    await keep(someHash(), '[]');
    const times = await storage.copies.timesForAll({ read: 'list', shape: 1 }, [params, 'unknown']);
    expect([...times]).toEqual([[params, start]]);
    for (const other of [{ shape: 2 }, { read: 'other' }])
      expect((await storage.copies.timesForAll({ read: 'list', shape: 1, ...other }, [params])).size).toBe(0);
  });

  it('gives way to a newer reading, to another shape, and to one after a clock was set back', async () => {
    const params = someHash();
    await keep(params, '1');
    await keep(params, '0', start - 1_000, replica);
    expect(await storage.copies.find(key(params))).toMatchObject({ text: '1' });
    await keep(params, '2', start + 1_000, replica);
    expect(await storage.copies.find(key(params))).toMatchObject({ text: '2' });
    await keep(params, '3', start, storage, 2);
    expect(await storage.copies.find(key(params, 2))).toMatchObject({ text: '3' });
    await keep(params, '4', start - day, storage, 2);
    expect(await storage.copies.find(key(params, 2))).toMatchObject({ text: '4' });
  });

  it('goes after seven days, and the oldest readings beyond 64 MiB', async () => {
    const [old, young, large] = [someHash(), someHash(), someHash()];
    await keep(old, '1', start - 7 * day);
    await keep(young, '1', start - 6 * day);
    expect(await storage.copies.find(key(old))).not.toBeNull();
    await storage.sweep(start);
    expect(await storage.copies.find(key(old))).toBeNull();
    const size = 64 * 1024 * 1024 - 1;
    // The text can be shorter, because the stored size is what counts.
    const db = await database.raw();
    await sql`insert into campus_wide_copies (read, params, shape, read_at, size, value)
      values ('list', ${large}, 1, ${start + day}, ${size}, '2')`.execute(db);
    await keep(someHash(), '3', start + day + 1);
    expect([await storage.copies.find(key(young)), await storage.copies.find(key(large))]).toEqual([
      null,
      { text: '2', readAt: start + day, writes: 0, shape: 1 },
    ]);
    await keep(someHash(), '中', start + day + 2);
    expect(await storage.copies.find(key(large))).toBeNull();
    await storage.sweep(start + 9 * day);
  });

  it('a queue stores when its last request ended, and the pause that the campus wants', async () => {
    const line = someHash();
    expect(await storage.campusQueue.state(line, database.now())).toEqual({
      sinceMs: null,
      pauseLeftMs: 0,
      pauseMs: 0,
    });
    await storage.campusQueue.end(line, database.now());
    const first = await replica.campusQueue.state(line, database.now() + 10);
    expect(first).toMatchObject({ pauseLeftMs: 0, pauseMs: 0 });
    expect(first.sinceMs).toBeGreaterThanOrEqual(0);
    expect(first.sinceMs).toBeLessThan(60_000);
    await storage.campusQueue.end(line, database.now(), 20_000);
    await storage.campusQueue.end(line, database.now());
    const paused = await replica.campusQueue.state(line, database.now());
    expect(paused.pauseMs).toBe(20_000);
    expect(paused.pauseLeftMs).toBeGreaterThan(0);
    expect(paused.pauseLeftMs).toBeLessThanOrEqual(20_000);
    await replica.campusQueue.end(line, database.now(), 0);
    expect(await storage.campusQueue.state(line, database.now())).toMatchObject({ pauseLeftMs: 0, pauseMs: 0 });
  });

  it('a queue that was stored while the clock was ahead makes no request wait', async () => {
    if (database.kind !== 'sqlite') return;
    const line = someHash();
    await storage.campusQueue.end(line, database.now() + day, 10_000);
    expect(await storage.campusQueue.state(line, database.now())).toEqual({
      sinceMs: 0,
      pauseLeftMs: 0,
      pauseMs: 10_000,
    });
  });
});

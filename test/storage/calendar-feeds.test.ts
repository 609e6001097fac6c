import { beforeAll, expect, it } from 'vitest';
import { allReads } from '../../src/domain/all-reads.ts';
import type { Feed, StoredFeed } from '../../src/domain/calendar/kinds.ts';
import { silentLog } from '../../src/domain/context.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { keptIn } from '../support/kept.ts';
import { day, keyB, onBothDatabases, openStorage, registered, someHash, start } from './databases.ts';

const content = { scheduleParams: '["t"]', had: ['exams'] as const, contents: '{}' };
const exams: Feed = { id: 'a', name: '课表', parts: ['exams'], alarmMinutes: null, createdAt: start, polledAt: null };

/** The one feed of a new student, with its sources. */
const filledFeed = async (storage: Storage) => {
  const { userid } = await registered(storage);
  const secretHash = someHash();
  await storage.feeds.create({ ...exams, userid, secretHash }, 10);
  const made = await storage.feeds.bySecret(secretHash);
  if (made === null) throw new Error('no feed');
  await storage.feeds.update(made, content);
  return { made, secretHash };
};

onBothDatabases('calendar feeds', (database) => {
  let storage: Storage;
  let replica: Storage;
  beforeAll(async () => {
    storage = await database.open();
    replica = await database.open();
  });

  const student = async () => {
    const { userid, tokenHash } = await registered(storage);
    const generation = (await storage.sessions.generation(userid)) ?? 0;
    const create = async (more: Partial<Feed> = {}, at = storage, most = 10) => {
      const secretHash = someHash();
      const feed: Feed = { ...exams, id: secretHash.slice(0, 16), ...more };
      const outcome = await at.feeds.create({ ...feed, userid, secretHash }, most);
      return { feed, secretHash, outcome };
    };
    const find = async (secretHash: string, at = storage): Promise<StoredFeed> => {
      const found = await at.feeds.bySecret(secretHash);
      if (found === null) throw new Error('no feed');
      return found;
    };
    const keep = (read: string, params: string[] = [], readAt = start, text = '{}') =>
      keptIn(storage).copies.keep(userid, generation, [
        {
          read,
          params: JSON.stringify(params),
          shape: read === 'exams' ? allReads.exams.shape : 1,
          text,
          writes: 0,
          readAt,
        },
      ]);
    return { userid, tokenHash, create, find, keep };
  };

  it('a feed is found by the hash of its secret on every replica, with the wishes that it was made with', async () => {
    const { userid, create, find } = await student();
    const { feed, secretHash } = await create({ parts: ['classes', 'activities'], alarmMinutes: 0, name: '课😀' });
    expect(await find(secretHash, replica)).toEqual({
      ...feed,
      userid,
      scheduleParams: '',
      revision: 0,
      had: [],
    });
    expect(await replica.feeds.list(userid)).toEqual([feed]);
    expect(await storage.feeds.bySecret(someHash())).toBeNull();
  });

  it('of two replicas that update one revision of a feed one does', async () => {
    const { create, find } = await student();
    const { secretHash } = await create();
    const [one, two] = [await find(secretHash), await find(secretHash, replica)];
    expect(await storage.feeds.contents(one)).toBeNull();
    const wrote = await Promise.all([storage.feeds.update(one, content), replica.feeds.update(two, content)]);
    expect(wrote.toSorted()).toEqual([false, true]);
    const now = await find(secretHash, replica);
    expect(now).toMatchObject({ scheduleParams: '["t"]', revision: 1 });
    expect(now.had).toEqual(['exams']);
    expect(await replica.feeds.contents(now)).toBe('{}');
  });

  it('a student has no more feeds than allowed, also when two replicas make them at once', async () => {
    const { userid, create } = await student();
    const outcomes = await Promise.all(Array.from({ length: 6 }, (_, at) => create({}, at % 2 ? storage : replica, 3)));
    expect(outcomes.filter(({ outcome }) => outcome === 'created')).toHaveLength(3);
    expect(await storage.feeds.list(userid)).toHaveLength(3);
  });

  it('only its student deletes a feed, and all go with the account', async () => {
    const { userid, create, find } = await student();
    const other = await student();
    const { feed, secretHash } = await create();
    await create();
    expect(await storage.feeds.delete(other.userid, feed.id)).toBe(false);
    const seen = await find(secretHash);
    expect(await storage.feeds.delete(userid, feed.id)).toBe(true);
    expect(await replica.feeds.bySecret(secretHash)).toBeNull();
    expect(await replica.feeds.update(seen, content)).toBe(false);
    await storage.accounts.deleteUser(userid);
    expect(await storage.feeds.list(userid)).toEqual([]);
    expect((await create()).outcome).toBe('user-gone');
  });

  it('the last token takes the copies with it that no feed is made of, and no others', async () => {
    const { userid, tokenHash, create, keep } = await student();
    const all = ['summary', 'current-term', 'terms', 'schedule', 'exams', 'joined-activities'];
    for (const read of all) await keep(read, read === 'schedule' ? ['2025-2026-2-1'] : []);
    await create({ parts: ['exams'] });
    const { feed } = await create({ parts: ['activities'] });
    const left = async () => (await storage.feeds.outlines(userid, all)).map(({ read }) => read);
    await storage.copies.drop(userid);
    expect(await left()).toEqual(['current-term', 'exams', 'joined-activities', 'terms']);
    await storage.tokens.end(tokenHash, start);
    await storage.sweep(start);
    expect(await left()).toEqual(['current-term', 'exams', 'joined-activities', 'terms']);
    await storage.feeds.delete(userid, feed.id);
    await storage.sweep(start);
    expect(await left()).toEqual(['current-term', 'exams', 'terms']);
    await storage.sweep(start + 31 * day);
    expect(await left()).toEqual([]);
  });

  it('the sources of a feed are absent without their key, which the log says', async () => {
    const { create, find } = await student();
    const { secretHash } = await create();
    await storage.feeds.update(await find(secretHash), content);
    const lines: string[] = [];
    const log = { ...silentLog, warn: (fields: Record<string, unknown>) => void lines.push(JSON.stringify(fields)) };
    const stranger = await database.open([keyB], log);
    expect(await stranger.feeds.contents(await find(secretHash))).toBeNull();
    expect(lines).toEqual([expect.stringContaining('unknown-key')]);
  });

  it('a sweep leaves the sources of feeds where copies are stored', async () => {
    const fresh = await database.openFresh();
    const { made } = await filledFeed(fresh);
    expect((await fresh.sweep(start)).feeds).toBe(0);
    expect(await fresh.feeds.contents(made)).toBe('{}');
  });
});

it('a storage without copies drops the sources of feeds', async () => {
  const storage = await openStorage('sqlite::memory:', { copyMaxMs: 0 });
  const { made, secretHash } = await filledFeed(storage);
  expect((await storage.sweep(start)).feeds).toBe(1);
  expect(await storage.feeds.contents(made)).toBeNull();
  expect(await storage.feeds.bySecret(secretHash)).toMatchObject({ revision: 2, had: ['exams'] });
});

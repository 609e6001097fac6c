import { beforeAll, beforeEach, expect, it } from 'vitest';
import { silentLog } from '../../src/domain/context.ts';
import { failures } from '../../src/domain/errors.ts';
import {
  type DailyRead,
  DailyReadings,
  type DueReadingStore,
  READINGS_PER_MINUTE,
} from '../../src/domain/hooks/daily-readings.ts';
import type { HookWish } from '../../src/domain/hooks/ports.ts';
import { createLeases } from '../../src/domain/lease.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { day, hookWish, onBothDatabases, registered, start } from './databases.ts';

const HOUR = 3_600_000;

onBothDatabases('daily readings', (database) => {
  let storage: Storage;
  let replica: Storage;
  let clear: () => Promise<unknown>;
  beforeAll(async () => {
    storage = await database.open();
    replica = await database.open();
    clear = async () => {
      const db = await database.raw();
      await db.deleteFrom('event_hooks').execute();
      await db.deleteFrom('due_readings').execute();
    };
  });
  beforeEach(() => clear());

  let made = 0;
  const hooked = async (more: Partial<HookWish> = {}) => {
    made += 1;
    const id = `hook-${made}`;
    const { userid } = await registered(storage);
    const hook = { ...hookWish, refresh: 'daily' as const, ...more, id, now: start, secret: `whsec_1${id}` };
    expect(await storage.hooks.make(userid, { ...hook, madeBy: 'session' }, 5)).toBe('made');
    return { userid, id };
  };

  it('are planned once, for those alone whose hook asks for them, and end with hook and account', async () => {
    const store = storage.dueReadings;
    await hooked({ refresh: 'none' });
    const paused = await hooked();
    await storage.hooks.change(paused.userid, paused.id, { state: 'paused' }, 'session');
    const { userid, id } = await hooked();
    expect(await store.listUnplanned(10)).toEqual([userid]);
    await store.plan(userid, start);
    await store.plan(userid, start + 5);
    expect([await store.listUnplanned(10), await store.due(start - 1)]).toEqual([[], null]);
    expect(await store.due(start)).toEqual({ userid, dueAt: start });
    // A moment that lies too far ahead was stored by a clock that was ahead.
    expect(await store.due(start - 10 * day)).toMatchObject({ userid });
    await storage.hooks.delete(userid, id);
    expect(await store.due(start)).toBeNull();
    const swept = async (now: number) => (await storage.sweep(now)).due_readings;
    expect([await swept(start + day), await swept(start + day + 1)]).toEqual([0, 1]);
    const gone = await hooked();
    await store.plan(gone.userid, start);
    await storage.accounts.deleteUser(gone.userid);
    await store.plan(gone.userid, start);
    expect(await store.due(start)).toBeNull();
  });

  it('one replica takes a reading, and none takes it once no hook asks for it', async () => {
    const { userid, id } = await hooked();
    await storage.dueReadings.plan(userid, start);
    const due = await storage.dueReadings.due(start);
    if (due === null) throw new Error('nothing is due');
    const taken = await Promise.all([storage, replica].map((one) => one.dueReadings.take(due, start + day)));
    expect(taken.toSorted()).toEqual([false, true]);
    await storage.hooks.delete(userid, id);
    expect(await storage.dueReadings.take({ userid, dueAt: start + day }, start + 2 * day)).toBe(false);
  });

  // The rest is about processes, and the time of PostgreSQL cannot be moved.
  if (database.kind === 'postgres') return;

  const begin = (from: Storage, clock: ManualClock, more: Partial<ConstructorParameters<typeof DailyReadings>[0]>) =>
    new DailyReadings({
      store: from.dueReadings,
      dailyReads: [],
      academics: { codeOfCurrentTerm: () => Promise.reject(failures.timedOut()) },
      leases: createLeases(from.leases, clock),
      clock,
      timeZone: 'Asia/Shanghai',
      random: () => 0.5,
      breakersClosed: () => true,
      isQuiet: async () => true,
      log: silentLog,
      tagOf: () => '',
      observer: { ownReading: () => {} },
      ...more,
    });
  const dailyRead = (name: string, read: DailyRead['read']): DailyRead => ({ name, ofTerm: false, read });

  it('are thirty a minute, however many students are due and processes there are', async () => {
    for (let at = 0; at < 50; at += 1) await storage.dueReadings.plan((await hooked()).userid, start);
    const clock = new ManualClock(start);
    const readAt: number[] = [];
    const dailyReads = ['one', 'two'].map((name) => dailyRead(name, async () => void readAt.push(clock.now())));
    const processes = [begin(storage, clock, { dailyReads }), begin(replica, clock, { dailyReads })];
    for (let step = 0; step < 300; step += 1) {
      for (const process of processes) {
        let found = await process.look();
        while (found === 'more') found = await process.look();
        // Who is due is not left to the next look of an idle process.
        if (readAt.length < 96) expect(found).toBe('soon');
        await process.waitUntilQuiet();
      }
      clock.advance(1_000);
    }
    expect(readAt).toHaveLength(100);
    for (const at of readAt) {
      const within = readAt.filter((other) => other >= at && other < at + 60_000);
      expect(within.length).toBeLessThanOrEqual(READINGS_PER_MINUTE);
    }
    for (const process of processes) await process.close();
  });

  const anyTurn = (clock: ManualClock) => createLeases({ acquire: async () => true, release: async () => {} }, clock);

  it.each([
    ['a breaker is open', { breakersClosed: () => false }],
    ['a breaker is open for the student', { breakersClosed: (userid?: string) => userid === undefined }],
    ['the login guard is not quiet about the student', { isQuiet: async () => false }],
  ])('are not made while %s', async (_why, more) => {
    const { userid } = await hooked();
    await storage.dueReadings.plan(userid, start);
    const clock = new ManualClock(start);
    const readings: string[] = [];
    const dailyReads = [dailyRead('one', async (student) => void readings.push(student.userid))];
    const goOn = async (over: object): Promise<number> => {
      const process = begin(storage, clock, { dailyReads, leases: anyTurn(clock), ...over });
      for (let hour = 0; hour < 48; hour += 1) {
        while ((await process.look()) === 'more');
        await process.waitUntilQuiet();
        clock.advance(HOUR);
      }
      await process.close();
      return readings.length;
    };
    expect(await goOn(more)).toBe(0);
    expect(await goOn({})).toBeGreaterThan(0);
  });

  it('are counted by their outcome, and those of a term that is not known are left out', async () => {
    const { userid } = await hooked();
    await storage.dueReadings.plan(userid, start);
    const clock = new ManualClock(start);
    const asked = dailyRead('asked', async (_student, _term, { trail }) => {
      if (trail) trail.askedCampus = true;
    });
    const failed = dailyRead('failed', () => Promise.reject(failures.timedOut()));
    const ofTerm = { ...dailyRead('of-term', async () => {}), ofTerm: true };
    const counted: unknown[] = [];
    const process = begin(storage, clock, {
      dailyReads: [asked, failed, ofTerm, ofTerm],
      leases: anyTurn(clock),
      observer: { ownReading: (...which) => void counted.push(which) },
    });
    while ((await process.look()) === 'more');
    await process.close();
    expect(counted).toEqual([
      ['asked', 'read'],
      ['failed', 'timed-out'],
      ['current-term', 'timed-out'],
    ]);
  });

  it('killed between any two statements, two processes never read a student twice a day, nor sign in twice', async () => {
    const students = await Promise.all([1, 2].map(async () => (await hooked()).userid));
    const clock = new ManualClock(start);
    const made: string[] = [];
    const read: DailyRead['read'] = async ({ userid }, _term, context) => {
      const today = Math.floor((clock.now() + 8 * HOUR) / day);
      made.push(`reading ${userid} ${today}`);
      if (await context.maySignIn?.()) made.push(`sign-in ${userid} ${today}`);
    };
    let steps = 0;
    let isDead = false;
    const mortal = (from: DueReadingStore, dieAt: number): DueReadingStore => {
      const step = async <T>(work: () => Promise<T>): Promise<T> => {
        steps += 1;
        if (isDead || steps === dieAt) {
          isDead = true;
          throw new Error('killed before');
        }
        const done = await work();
        steps += 1;
        if (steps === dieAt) isDead = true;
        if (isDead) throw new Error('killed after');
        return done;
      };
      return {
        ...from,
        listUnplanned: (most) => step(() => from.listUnplanned(most)),
        plan: (userid, at) => step(() => from.plan(userid, at)),
        due: (now) => step(() => from.due(now)),
        take: (due, nextAt) => step(() => from.take(due, nextAt)),
      };
    };
    for (let dieAt = 1; dieAt <= 40; dieAt += 1) {
      steps = 0;
      isDead = false;
      const from = dieAt % 2 === 0 ? storage : replica;
      const process = begin(from, clock, {
        store: mortal(from.dueReadings, dieAt),
        dailyReads: ['one', 'two'].map((name) => dailyRead(name, read)),
        leases: anyTurn(clock),
      });
      for (let hour = 0; hour < 24; hour += 2) {
        for (let found = 'more'; found === 'more'; ) found = await process.look().catch(() => 'none');
        await process.waitUntilQuiet();
        clock.advance(2 * HOUR);
      }
      await process.close();
    }
    const counts = new Map<string, number>();
    for (const one of made) counts.set(one, (counts.get(one) ?? 0) + 1);
    for (const [key, count] of counts) expect([key, count]).toEqual([key, key.startsWith('reading') ? 2 : 1]);
    // They were read all the same.
    for (const userid of students)
      expect([...counts.keys()].filter((key) => key.startsWith(`reading ${userid}`)).length).toBeGreaterThan(15);
  });
});

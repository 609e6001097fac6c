import { beforeAll, beforeEach, expect, it } from 'vitest';
import { readRows } from '../../src/domain/all-reads.ts';
import { silentLog } from '../../src/domain/context.ts';
import { Failure } from '../../src/domain/errors.ts';
import type { HookWish, RefreshStore } from '../../src/domain/hooks/ports.ts';
import { type OwnRead, refreshLimits } from '../../src/domain/hooks/refresh.ts';
import { startRefreshing } from '../../src/domain/hooks/refreshing.ts';
import { createLeases } from '../../src/domain/lease.ts';
import { createKeyedNames } from '../../src/lib/keyed-names.ts';
import { openDatabase } from '../../src/storage/database/database.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { day, keyA, onBothDatabases, registered, start } from './databases.ts';

const HOUR = 3_600_000;
const wish: HookWish = {
  ...{ url: 'https://hooks.example.net/campus', types: ['score.published', 'exam.moved'], detail: 'thin' },
  ...{ format: 'standard', lowKwh: null, refresh: 'daily' },
};

onBothDatabases('own readings', (database) => {
  let storage: Storage;
  let replica: Storage;
  let clear: () => Promise<unknown>;
  beforeAll(async () => {
    storage = await database.open();
    replica = await database.open();
    clear = async () => {
      const raw = await openDatabase(database.url(), { log: silentLog });
      await raw.db.deleteFrom('event_hooks').execute();
      await raw.db.deleteFrom('own_readings').execute();
      await raw.close();
    };
  });
  beforeEach(() => clear());

  let made = 0;
  const hooked = async (more: Partial<HookWish> = {}) => {
    made += 1;
    const id = `hook-${made}`;
    const { userid } = await registered(storage);
    const hook = { ...wish, ...more, id, now: start, secret: `whsec_1${id}`, madeBy: 'session' };
    expect(await storage.hooks.make(userid, hook, 5)).toBe('made');
    return { userid, id };
  };
  const later = { dailyAt: start + day, signalAt: null, day: '2026-03-18', readings: 2, signIns: 0 };

  it('are planned for those alone whose hook asks for it, and end with hook and account', async () => {
    await hooked({ refresh: 'none' });
    const paused = await hooked();
    await storage.hooks.change(paused.userid, paused.id, { state: 'paused' }, 'session');
    const signal = await hooked({ refresh: 'signal' });
    const { userid, id } = await hooked();
    const store = storage.ownReadings;
    expect(await store.unplanned(10)).toEqual([userid]);
    await store.planDaily(userid, start);
    await store.planDaily(userid, start + 5);
    const { name: read, shape } = readRows.exams;
    const copy = { read, params: '[]', shape, text: '{"exams":[],"missing":[]}', writes: 0, readAt: start };
    const generation = (await storage.sessions.generation(signal.userid)) ?? 0;
    await storage.copies.keep(signal.userid, generation, [copy]);
    expect([await store.unplanned(10), await store.due(start - 1)]).toEqual([[], null]);
    expect(await store.due(start)).toMatchObject({
      ...{ userid, hook: id, types: { daily: wish.types, signal: [] }, room: null },
      plan: { dailyAt: start, signalAt: null, day: '', readings: 0, signIns: 0 },
      ...{ isRefused: false, isEvaluating: false, readings: [] },
    });
    // What was put off further than anything can be was put there by a clock that was ahead.
    expect(await store.due(start - 10 * day)).toMatchObject({ userid });
    await store.planSignal(signal.userid, start - 1);
    await store.planSignal(userid, start);
    expect(await store.due(start)).toMatchObject({
      ...{ userid: signal.userid, types: { daily: [], signal: wish.types } },
      readings: [{ read, params: '[]', readAt: start }],
    });
    await storage.hooks.change(signal.userid, signal.id, { state: 'paused' }, 'session');
    expect(await store.due(start)).toMatchObject({ userid });
    const pair = await storage.accounts.readPair(userid);
    await storage.accounts.markPairRefused(userid, pair?.version ?? 0, 'portal');
    expect(await store.due(start)).toMatchObject({ isRefused: true });
    await storage.hooks.delete(userid, id);
    expect(await store.due(start)).toBeNull();
    await storage.hooks.change(signal.userid, signal.id, { state: 'on' }, 'session');
    expect(await store.due(start)).toMatchObject({ userid: signal.userid });
    await storage.accounts.deleteUser(signal.userid);
    await store.planSignal(signal.userid, start);
    expect(await store.due(start)).toBeNull();
    await storage.sweep(start);
    expect([await store.sweep('2026-03-18'), await store.sweep('2026-03-18')]).toEqual([0, 0]);
  });

  it('are booked by one replica, and so is the one sign-in of a day', async () => {
    const { userid, id } = await hooked();
    await storage.ownReadings.planDaily(userid, start);
    const other = await hooked();
    await storage.ownReadings.planDaily(other.userid, start + 1);
    const due = await Promise.all([storage, replica].map(({ ownReadings }) => ownReadings.due(start)));
    const booked = await Promise.all(
      [storage, replica].map(({ ownReadings }, at) => {
        const student = due[at];
        if (!student) throw new Error('nobody is due');
        return ownReadings.book(student, later);
      }),
    );
    expect(booked.toSorted()).toEqual([false, true]);
    const signIns = await Promise.all([storage, replica].map((one) => one.ownReadings.bookSignIn(userid, 1)));
    expect(signIns.toSorted()).toEqual([false, true]);
    const untouched = { dailyAt: start + 1, day: '', readings: 0, signIns: 0 };
    expect(await storage.ownReadings.due(start + 1)).toMatchObject({ userid: other.userid, plan: untouched });
    await storage.hooks.delete(other.userid, other.id);
    // Nor is a plan that has changed since it was seen: a sign-in would be forgotten, or a signal lost.
    const changes = [
      () => storage.ownReadings.bookSignIn(userid, 2),
      () => storage.ownReadings.planSignal(userid, start),
    ];
    for (const change of changes) {
      const seen = await storage.ownReadings.due(start + day);
      if (seen?.userid !== userid) throw new Error('somebody else is due');
      await change();
      expect(await replica.ownReadings.book(seen, later)).toBe(false);
    }
    const again = await storage.ownReadings.due(start + day);
    expect(again?.plan).toMatchObject({ signalAt: start, readings: 2, signIns: 2 });
    if (again === null) throw new Error('nobody is due');
    await storage.hooks.delete(userid, id);
    expect([await storage.ownReadings.book(again, later), await storage.ownReadings.bookSignIn(userid, 9)]).toEqual([
      false,
      false,
    ]);
    // Of those who want none any more the plan goes with its day; of the others it stays.
    await storage.ownReadings.planDaily((await hooked()).userid, start);
    const swept = await Promise.all(['2026-03-18', '2026-03-19'].map((before) => storage.ownReadings.sweep(before)));
    expect(swept.toSorted()).toEqual([1, 1]);
  });

  // What processes make of the statements above, and the time of PostgreSQL cannot be moved.
  if (database.kind === 'postgres') return;

  const names = createKeyedNames([keyA]);
  const begin = (from: Storage, clock: ManualClock, more: Partial<Parameters<typeof startRefreshing>[0]>) =>
    startRefreshing({
      ...{ store: from.ownReadings, ownReads: [], reads: { lastCopy: async () => null } },
      leases: createLeases(from.leases, clock),
      ...{ names, clock, timeZone: 'Asia/Shanghai', random: () => 0.5, log: silentLog, tagOf: () => '' },
      ...{ breakersClosed: () => true, isQuiet: async () => true },
      ...{ observer: { ownReading: () => {} } },
      ...more,
    });
  const ownRead = (name: string, read: OwnRead['read']): OwnRead => ({
    name,
    use: { tells: ['score.published'] },
    read,
  });

  it('are thirty a minute, however many students are due and processes there are', async () => {
    for (let at = 0; at < 50; at += 1) await storage.ownReadings.planDaily((await hooked()).userid, start);
    const clock = new ManualClock(start);
    const readAt: number[] = [];
    const ownReads = ['one', 'two'].map((name) => ownRead(name, async () => void readAt.push(clock.now())));
    const processes = [begin(storage, clock, { ownReads }), begin(replica, clock, { ownReads })];
    for (let step = 0; step < 300; step += 1) {
      for (const process of processes) {
        let found = await process.look();
        while (found === 'more') found = await process.look();
        // Who is due is not left to the next look of an idle process.
        if (readAt.length < 96) expect(found).toBe('soon');
        await process.quiet();
      }
      clock.advance(1_000);
    }
    expect(readAt).toHaveLength(100);
    for (const at of readAt) {
      const within = readAt.filter((other) => other >= at && other < at + 60_000);
      expect(within.length).toBeLessThanOrEqual(refreshLimits.perMinute);
    }
    for (const process of processes) await process.close();
  });

  const task = { snapshot: '{}', revision: null, active: true, lease: null, expiresAt: null };
  const anyTurn = (from: Storage, clock: ManualClock) =>
    createLeases({ ...from.leases, acquire: async () => true }, clock);
  it.each([
    ['a breaker is open', { breakersClosed: () => false }],
    ['a breaker is open for the student', { breakersClosed: (userid?: string) => userid === undefined }],
    ['the login guard has something against it', { isQuiet: async () => false }],
    ['an evaluation runs', {}, async (userid: string) => void (await storage.evaluation.write({ ...task, userid }))],
  ])('are not made while %s', async (_why, more, prepare = async () => {}) => {
    const { userid } = await hooked();
    await storage.ownReadings.planDaily(userid, start);
    await prepare(userid);
    const clock = new ManualClock(start);
    const readings: string[] = [];
    const ownReads = [ownRead('one', async (student) => void readings.push(student.userid))];
    const goOn = async (over: object): Promise<number> => {
      const process = begin(storage, clock, { ownReads, leases: anyTurn(storage, clock), ...over });
      for (let hour = 0; hour < 48; hour += 1) {
        while ((await process.look()) === 'more');
        await process.quiet();
        clock.advance(HOUR);
      }
      await process.close();
      return readings.length;
    };
    expect(await goOn(more)).toBe(0);
    if (Object.keys(more).length > 0) expect(await goOn({})).toBeGreaterThan(0);
  });

  it('are counted by what came of each', async () => {
    const { userid } = await hooked();
    await storage.ownReadings.planDaily(userid, start);
    const clock = new ManualClock(start);
    const asked = ownRead('asked', async (_student, _param, { trail }) => {
      if (trail) trail.askedCampus = true;
    });
    const failed = ownRead('failed', () => Promise.reject(new Failure('timed-out')));
    const counted: unknown[] = [];
    const process = begin(storage, clock, {
      ...{ ownReads: [asked, failed], leases: anyTurn(storage, clock) },
      observer: { ownReading: (...which) => void counted.push(which) },
    });
    while ((await process.look()) === 'more');
    await process.close();
    expect(counted).toEqual([
      ['asked', 'read'],
      ['failed', 'timed-out'],
    ]);
  });

  it('killed between any two statements, two processes never read more in a day than is allowed', async () => {
    const students = await Promise.all([1, 2].map(async () => (await hooked()).userid));
    const clock = new ManualClock(start);
    const made: Array<{ userid: string; what: string; day: number }> = [];
    const days = (at: number): number => Math.floor((at + 8 * HOUR) / day);
    const note = (userid: string, what: string): void => void made.push({ userid, what, day: days(clock.now()) });
    const read: OwnRead['read'] = async ({ userid }, _param, context) => {
      note(userid, 'reading');
      if (await context.maySignIn?.()) note(userid, 'sign-in');
    };
    let steps = 0;
    let isDead = false;
    const mortal = (from: RefreshStore, dieAt: number): RefreshStore => {
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
        unplanned: (most) => step(() => from.unplanned(most)),
        planDaily: (userid, at) => step(() => from.planDaily(userid, at)),
        due: (now) => step(() => from.due(now)),
        book: (due, plan) => step(() => from.book(due, plan)),
        bookSignIn: (userid, most) => step(() => from.bookSignIn(userid, most)),
      };
    };
    for (let dieAt = 1; dieAt <= 40; dieAt += 1) {
      steps = 0;
      isDead = false;
      const from = dieAt % 2 === 0 ? storage : replica;
      const process = begin(from, clock, {
        store: mortal(from.ownReadings, dieAt),
        ownReads: ['one', 'two', 'three'].map((name) => ownRead(name, read)),
        leases: anyTurn(from, clock),
      });
      for (let hour = 0; hour < 24; hour += 2) {
        for (let found = 'more'; found === 'more'; ) found = await process.look().catch(() => 'none');
        await process.quiet();
        clock.advance(2 * HOUR);
      }
      await process.close();
    }
    const counts = new Map<string, number>();
    for (const { userid, what, day } of made) {
      const key = `${what} ${userid} ${day}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const most = (what: string): number =>
      Math.max(...[...counts].filter(([key]) => key.startsWith(what)).map(([, count]) => count));
    expect([most('reading'), most('sign-in')]).toEqual([refreshLimits.readings, refreshLimits.signIns]);
    // They were read all the same.
    for (const userid of students)
      expect([...counts.keys()].filter((key) => key.startsWith(`reading ${userid}`)).length).toBeGreaterThan(15);
  });
});

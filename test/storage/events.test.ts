import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { CurrentScore } from '../../src/domain/academics/records.ts';
import { allReads } from '../../src/domain/all-reads.ts';
import { silentLog } from '../../src/domain/context.ts';
import type { JournalEntry, NewEvent } from '../../src/domain/events/ports.ts';
import { Deliveries } from '../../src/domain/hooks/deliveries.ts';
import { Targets } from '../../src/domain/hooks/targets.ts';
import { exampleOf, unsaidOf } from '../../src/domain/record.ts';
import { Sealer, sealedPlaces } from '../../src/storage/seal.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { keptIn } from '../support/kept.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { seeded } from '../unit/domain/accounts/guard/simulation.ts';
import { day, hookWish, keyA, keyB, onBothDatabases, openRaw, registered } from './databases.ts';

const some = (course_code: string): NewEvent => ({
  ...{ type: 'score.published', readAt: 1, about: { course_code }, ask: '/x', detail: { score: 'MARKER-MARK' } },
});
const courses = (entries: readonly JournalEntry[]) => entries.map(({ seq, about }) => [seq, about.course_code]);

const HOUR = 3_600_000;

/** Students times changes of each. */
const [STUDENTS, CHANGES, KILLS] = process.env.EVENT_REPLAY === 'full' ? [10, 100, 30] : [3, 20, 3];

onBothDatabases('change events', (database) => {
  let storage: Storage;
  beforeAll(async () => {
    storage = await database.open();
  });
  const student = async () => (await registered(storage)).userid;

  it('the events of each student are numbered; a page begins after the number seen and says where events are missing', async () => {
    const [one, two] = [await student(), await student()];
    const told: JournalEntry[] = [];
    onTestFinished(keptIn(storage).journal.onAppended((entries) => told.push(...entries)));
    await keptIn(storage).journal.append(one, [some('A'), some('B')]);
    await Promise.all(['C', 'D', 'E'].map((code) => keptIn(storage).journal.append(two, [some(code)])));
    await keptIn(storage).journal.append(one, [some('F')]);
    expect(courses(told.filter(({ userid }) => userid === one))).toEqual([
      [1, 'A'],
      [2, 'B'],
      [3, 'F'],
    ]);
    const page = await storage.events.page(one, 1, 1);
    expect([courses(page.entries), page.next, page.gap]).toEqual([[[2, 'B']], 2, false]);
    expect(page.entries).toEqual(told.filter(({ userid, seq }) => userid === one && seq === 2));
    expect((await storage.events.page(two, null, 9)).entries.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(await storage.events.page(one, 3, 9)).toMatchObject({ entries: [], next: 3, gap: false });
    // An unknown number comes from a journal that was lost, so all events follow.
    const lost = await storage.events.page(one, 7, 9);
    expect([lost.entries.length, lost.next, lost.gap]).toEqual([3, 3, true]);
    expect(await keptIn(storage).journal.append('nobody', [some('A')])).toEqual([]);
  });

  it('the journal keeps 200 events of a student for 30 days, and shows a gap for swept ones', async () => {
    const [userid, other] = [await student(), await student()];
    await keptIn(storage).journal.append(other, [some('Z')]);
    for (let each = 0; each < 4; each += 1) {
      await keptIn(storage).journal.append(
        userid,
        Array.from({ length: 60 }, () => some('A')),
      );
    }
    expect(courses((await storage.events.page(other, 0, 9)).entries)).toEqual([[1, 'Z']]);
    const kept = await storage.events.page(userid, 39, 500);
    expect([kept.entries.length, kept.entries[0]?.seq, kept.gap]).toEqual([200, 41, true]);
    expect((await storage.events.page(userid, 40, 500)).gap).toBe(false);
    await storage.sweep(Date.now() + 29 * day);
    expect((await storage.events.page(userid, 40, 1)).gap).toBe(false);
    await storage.sweep(Date.now() + 31 * day);
    expect(await storage.events.page(userid, 40, 9)).toMatchObject({ entries: [], next: 240, gap: true });
    expect(await storage.events.page(userid, null, 9)).toMatchObject({ entries: [], next: 240, gap: false });
    await keptIn(storage).journal.append(userid, [some('B')]);
    expect(courses((await storage.events.page(userid, 240, 9)).entries)).toEqual([[241, 'B']]);
  });

  it('an event that no key opens is a gap, and a student who registers again begins at the first number', async () => {
    const userid = await student();
    await keptIn(storage).journal.append(userid, [some('A')]);
    const stranger = await database.open([keyB]);
    expect(await stranger.events.page(userid, 0, 9)).toMatchObject({ entries: [], next: 1, gap: true });
    await storage.accounts.deleteUser(userid);
    expect(await storage.events.page(userid, 1, 9)).toMatchObject({ entries: [], next: 0, gap: true });
    await registered(storage, { userid });
    expect(await keptIn(storage).journal.append(userid, [some('B')])).toMatchObject([{ seq: 1 }]);
  });

  it('a replica finds the events of another, and the tokens that may still receive them', async () => {
    const replica = await database.open();
    const { userid, tokenHash } = await registered(storage);
    const other = await registered(storage, { now: 0 });
    const since = Date.now();
    await keptIn(storage).journal.append(userid, [some('A'), some('B')]);
    await keptIn(storage).journal.append(await student(), [some('Z')]);
    expect(await replica.events.recent(since + day, [userid])).toEqual([]);
    expect(courses(await replica.events.recent(since, [userid, other.userid]))).toEqual([
      [1, 'A'],
      [2, 'B'],
    ]);
    const hashes = [tokenHash, other.tokenHash, 'unknown'];
    expect([...(await replica.events.lastByToken(hashes, 31 * day))]).toEqual([[tokenHash, 2]]);
    await storage.tokens.end(tokenHash, 1);
    expect([...(await replica.events.lastByToken(hashes, 2))]).toEqual([[other.tokenHash, 0]]);
  });

  it('a refused pair makes one event', async () => {
    const userid = await student();
    const { version } = (await storage.accounts.readPair(userid)) ?? { version: 0 };
    await keptIn(storage).accounts.markPairRefused(userid, version + 1, 'portal');
    for (const step of ['portal', 'unified-login'] as const)
      await keptIn(storage).accounts.markPairRefused(userid, version, step);
    const { entries } = await storage.events.page(userid, 0, 9);
    expect(entries.map(({ type }) => type)).toEqual(['account.password_refused']);
  });

  it('an event is stored with the copy that shows it, or neither is; readings that say the same make none', async () => {
    const { userid } = await registered(storage);
    const generation = (await storage.sessions.generation(userid)) ?? 0;
    const begin = Date.now() - 3 * day;
    const exam = { courseName: '甲', date: '2999-01-01', time: '', location: '', kind: 'university', note: '' };
    const { name: read, shape } = allReads.exams;
    const keep = async (exams: readonly object[], readAt: number) => {
      const text = JSON.stringify({ exams, missing: [] });
      await keptIn(storage).copies.keep(userid, generation, [{ read, params: '[]', shape, text, writes: 0, readAt }]);
      return (await storage.events.page(userid, null, 99)).entries.map(({ type }) => type);
    };
    expect(await keep([exam], begin)).toEqual([]);
    expect(await keep([], begin + 1)).toEqual([]);
    expect(await keep([], begin + 3_600_000)).toEqual([]);
    // The copy is the same as before: its second look is what confirms that the exam is gone.
    expect(await keep([], begin + 13 * 3_600_000)).toEqual(['exam.cancelled']);
    expect(await keep([], begin + 26 * 3_600_000)).toEqual(['exam.cancelled']);
    await keptIn(storage).copies.keep(userid, generation + 1, [
      {
        read,
        params: '[]',
        shape,
        text: JSON.stringify({ exams: [exam], missing: [] }),
        writes: 0,
        readAt: Date.now(),
      },
    ]);
    expect(await keep([], begin + 27 * 3_600_000)).toEqual(['exam.cancelled']);
  });

  it('a stored copy is what a changed reading is compared with where nothing else is known', async () => {
    const userid = await student();
    const generation = (await storage.sessions.generation(userid)) ?? 0;
    const { name: read, shape } = allReads.currentScores;
    const keep = (score: string, readAt: number) => {
      const row = { term_id: '2025-2026-1-1', course_code: 'A', course_class: '1', course_name_cn: '甲', score };
      const copy = { read, params: '[]', shape, text: JSON.stringify([row]), writes: 0, readAt };
      return keptIn(storage).copies.keep(userid, generation, [copy]);
    };
    await keep('59', Date.now() - day);
    await (await database.raw()).deleteFrom('event_states').where('userid', '=', userid).execute();
    await keep('61', Date.now());
    expect((await storage.events.page(userid, null, 9)).entries.map(({ type }) => type)).toEqual(['score.changed']);
  });

  it('the copy of a version that lacked a member is compared as well, and a state that does not fit is a baseline', async () => {
    const userid = await student();
    const generation = (await storage.sessions.generation(userid)) ?? 0;
    const { name: read, shape } = allReads.currentScores;
    const row = (score: string) => ({ ...exampleOf(CurrentScore), score });
    const keep = (score: object, readAt: number, of = shape) =>
      keptIn(storage).copies.keep(userid, generation, [
        { read, params: '[]', shape: of, text: JSON.stringify([score]), writes: 0, readAt },
      ]);
    const types = async () => (await storage.events.page(userid, null, 9)).entries.map(({ type }) => type);
    const nullable = Object.keys(unsaidOf(CurrentScore))[0] ?? '';
    const { [nullable]: _, ...lacking }: Record<string, unknown> = row('59');
    await keep(lacking, Date.now() - 2 * day, shape + 1);
    await keep(row('61'), Date.now() - day);
    expect(await types()).toEqual(['score.changed']);
    const sealer = new Sealer([keyA]);
    const db = await database.raw();
    const [{ scope } = { scope: '' }] = await db
      .selectFrom('event_states')
      .select('scope')
      .where('userid', '=', userid)
      .execute();
    const sealed_known = sealer.seal('{"read":{}}', sealedPlaces.known({ userid, scope }));
    await db.updateTable('event_states').set({ sealed_known }).where('userid', '=', userid).execute();
    await keep(row('62'), Date.now());
    expect(JSON.parse((await storage.copies.find({ userid, read, params: '[]', shape }))?.text ?? '')).toMatchObject([
      { score: '62' },
    ]);
  });

  it('the last 500 states of a student are remembered, and those of others stay', async () => {
    const [userid, other] = [await student(), await student()];
    const db = await database.raw();
    const known = (of: string, scope: string, read_at: number) => ({ userid: of, scope, read_at, in_doubt: 0 });
    const rows = Array.from({ length: 502 }, (_, at) => known(userid, `scope-${at}`, at));
    for (const row of [...rows, known(other, 'scope-0', Date.now())])
      await db
        .insertInto('event_states')
        .values({ ...row, sealed_known: '' as never })
        .execute();
    const { name: read, shape } = allReads.exams;
    const copy = { read, params: '[]', shape, text: '{"exams":[],"missing":[]}', writes: 0, readAt: Date.now() };
    await keptIn(storage).copies.keep(userid, (await storage.sessions.generation(userid)) ?? 0, [copy]);
    const scopesOf = async (of: string) =>
      (await db.selectFrom('event_states').select('scope').where('userid', '=', of).orderBy('read_at').execute()).map(
        ({ scope }) => scope,
      );
    const left = await scopesOf(userid);
    expect([left.length, left[0], left.at(-1)]).toEqual([500, 'scope-3', expect.not.stringContaining('scope-')]);
    expect(await scopesOf(other)).toEqual(['scope-0']);
  });

  it(`${STUDENTS * CHANGES} changes read and told by two replicas that are killed ${KILLS} times, to a receiver that fails, hangs and loses answers: each arrives, under one id`, async () => {
    const { url } = await database.openFresh();
    const own = await database.openAt(url);
    const userids: string[] = [];
    for (let each = 0; each < STUDENTS; each += 1) {
      const { userid } = await registered(own);
      userids.push(userid);
      const hook = {
        ...hookWish,
        url: `https://receiver-${each}.example/`,
        id: userid,
        now: 0,
        secret: '',
        madeBy: '',
      };
      await own.hooks.make(userid, hook, 1);
    }
    const seen = new Map<string, number>();
    const see = ({ 'webhook-id': id = '' }: Readonly<Record<string, unknown>>): void =>
      void seen.set(String(id), (seen.get(String(id)) ?? 0) + 1);
    const lucky = seeded(7);
    const receiver = createServer(({ headers, socket }, response) => {
      const luck = lucky();
      if (luck < 0.05) return;
      if (luck < 0.8) see(headers);
      if (luck > 0.7 && luck < 0.8) socket.destroy();
      else response.writeHead(luck < 0.8 ? 204 : 500).end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      receiver.closeAllConnections();
      receiver.close();
    });
    const { port } = receiver.address() as AddressInfo;
    const epoch = Date.now();
    let kills = 0;
    const replica = async (first: number): Promise<void> => {
      for (let run = first; ; run += 2) {
        // Each time at other statements: some while opening, most in the middle of a change or of a delivery.
        const moment = run < KILLS ? 20 + ((run * 37) % 211) : 0;
        const order = [`http://127.0.0.1:${port}/`, epoch, moment, CHANGES].map(String);
        const child = spawn(process.execPath, ['test/storage/tell-and-die.ts', url, ...order, ...userids], {
          stdio: ['ignore', 'ignore', 'inherit'],
        });
        const [code, signal] = await once(child, 'close');
        if (code === 0) return;
        expect(signal).toBe('SIGKILL');
        kills += 1;
      }
    };
    await Promise.all([replica(0), replica(1)]);
    expect(kills).toBe(KILLS);

    // A third process delivers the rest.
    const clock = new ManualClock(Date.now() + day);
    const { db } = await openRaw(url);
    // The time of PostgreSQL is its own, so leases of the dead are moved.
    await db.updateTable('hook_deliveries').set({ lease_until: 0 }).execute();
    const deliveries = new Deliveries({
      ...{ store: own.hookDeliveries, targets: new Targets({ allow: [], deny: [], own: [] }) },
      sender: {
        async send({ headers }) {
          see(headers);
          return { kind: 'answer', status: 204, retryAfter: null, reply: '' };
        },
      },
      ...{ clock, random: lucky, log: silentLog, tagOf: () => '', observer: { hookCalled: () => {} } },
    });
    onTestFinished(() => deliveries.close());
    await vi.waitFor(async () => {
      clock.advance(HOUR);
      deliveries.wake();
      const waiting = db.selectFrom('hook_deliveries').select('id').where('due_at', 'is not', null);
      expect(await waiting.execute()).toEqual([]);
    }, 60_000);
    const ids: string[] = [];
    for (const userid of userids) {
      const { entries } = await own.events.page(userid, null, 500);
      expect(courses(entries)).toEqual(Array.from({ length: CHANGES }, (_, at) => [at + 1, `C${at}`]));
      ids.push(...entries.map(({ id }) => id));
    }
    expect([...seen.keys()].toSorted()).toEqual(ids.toSorted());
    // Deliveries whose answers were lost came again, under the same id.
    expect([...seen.values()].some((count) => count > 1)).toBe(true);
  }, 600_000);
});

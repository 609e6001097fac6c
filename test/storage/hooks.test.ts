import type { Kysely } from 'kysely';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { NewEvent } from '../../src/domain/events/ports.ts';
import type { AttemptResult, HookWish } from '../../src/domain/hooks/ports.ts';
import { tokenId } from '../../src/lib/hash.ts';
import type { Tables } from '../../src/storage/schema.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { keptIn } from '../support/kept.ts';
import { day, onBothDatabases, registered, start, hookWish as wish } from './databases.ts';

const LEASE_MS = 30_000;
const score: NewEvent = {
  ...{ type: 'score.published', readAt: start, about: { course_name: '示例课程' }, ask: '/jwc/score/x/list' },
  detail: { score: '95.5' },
};
const attempt = (outcome: AttemptResult['outcome'], now: number, nextAt: number | null = null): AttemptResult => ({
  ...{ outcome, now, nextAt, status: outcome === 'delivered' ? 200 : 500, fault: null, ms: 5 },
});

onBothDatabases('hooks', (database) => {
  let storage: Storage;
  let replica: Storage;
  let db: Kysely<Tables>;
  beforeAll(async () => {
    storage = await database.open();
    replica = await database.open();
    db = await database.raw();
  });
  beforeEach(async () => {
    await db.deleteFrom('hook_deliveries').execute();
  });

  let made = 0;
  /** A student with a hook. Its events are due now: the journal stamps them. */
  const hooked = async (more: Partial<HookWish> = {}, madeBy = 'session') => {
    made += 1;
    const id = `hook-${made}`;
    const { userid, tokenHash } = await registered(storage);
    const hook = { ...wish, ...more, id, now: start, secret: `whsec_1${id}`, madeBy };
    expect(await storage.hooks.make(userid, hook, 5)).toBe('made');
    return { userid, tokenHash, id };
  };
  /** Claims the first that is due, at none of the busy hosts. */
  const claim = async (
    from: Storage,
    { now = Date.now() + 1_000, busy = [] as readonly string[], quickOnly = false } = {},
    owner = 'one',
  ) => {
    const times = { now, lifeMs: LEASE_MS };
    const look = { ...times, after: null, most: 1_000 };
    const found = [
      ...(await from.hookDeliveries.due(look)),
      ...(await from.hookDeliveries.due({ ...look, areAhead: true })),
    ];
    const free = found.filter((each) => !busy.includes(each.host) && (each.isQuick || !quickOnly));
    if (free.length === 0) return null;
    return from.hookDeliveries.claim(
      owner,
      free.map(({ id }) => id),
      times,
    );
  };
  it('an event is stored together with its deliveries to the hooks that want it', async () => {
    const { userid, id } = await hooked();
    const full = await hooked({ detail: 'full' });
    await keptIn(storage).journal.append(userid, [score, { ...score, type: 'exam.moved' }]);
    await keptIn(storage).journal.append(full.userid, [score]);
    const told = [await claim(storage), await claim(replica)];
    expect(told.map((one) => one?.hook).sort()).toEqual([id, full.id].sort());
    for (const one of told) {
      expect(one).toMatchObject({ url: wish.url, type: 'score.published', attempts: 0, asked: false, verified: false });
      expect(one?.body.includes('95.5')).toBe(one?.hook === full.id);
    }
    expect(await claim(storage)).toBeNull();
    await storage.hookDeliveries.release('another');
    expect(await claim(storage)).toBeNull();
  });

  it('the oldest delivery is claimed first, and one of a later version is left to that version', async () => {
    const { userid, id } = await hooked();
    const named = (course_code: string): NewEvent => ({ ...score, about: { course_code } });
    await keptIn(storage).journal.append(userid, ['A', 'B', 'C', 'D'].map(named));
    // Their order differs from that of the rows.
    const stored = db.updateTable('hook_deliveries');
    await stored.set((to) => ({ seq: to(to.val(5), '-', to.ref('seq')) })).execute();
    await stored.set({ type: 'score.of_tomorrow' }).where('seq', '=', 2).execute();
    const codes: unknown[] = [];
    for (let one = await claim(storage); one !== null; one = await claim(storage)) {
      codes.push(JSON.parse(one.body).data.about.course_code);
      await storage.hookDeliveries.settle(one, 'one', attempt('delivered', Date.now()));
    }
    expect(codes).toEqual(['D', 'B', 'A']);
    const ids = ((await storage.hooks.deliveries(userid, id, 9)) ?? []).map(({ event }) => event);
    const { entries } = await storage.events.page(userid, null, 9);
    expect(ids).toEqual([0, 1, 3].map((at) => entries[at]?.id));
    await db.updateTable('event_hooks').set({ types: 'score.of_tomorrow exam.moved' }).where('id', '=', id).execute();
    expect(await storage.hooks.list(userid)).toMatchObject([{ types: ['exam.moved'] }]);
  });

  it('a delivery that was given up during its attempt stays given up, also once the attempt has failed and the hook is on again', async () => {
    const { userid, id } = await hooked();
    const other = `${id}-other`;
    const hook = { ...wish, id: other, now: start - 1, secret: 's', madeBy: '', types: [] };
    await storage.hooks.make(userid, hook, 5);
    expect((await storage.hooks.list(userid)).map((one) => one.id)).toEqual([other, id]);
    await keptIn(storage).journal.append(userid, [score]);
    const claimed = await claim(storage);
    if (claimed === null) throw new Error('nothing was claimed');
    expect(await storage.hookDeliveries.waiting([claimed.id, 'unknown'])).toEqual([claimed.id]);
    await storage.hooks.change(userid, id, { state: 'paused' }, 'session');
    expect(await storage.hookDeliveries.waiting([claimed.id])).toEqual([]);
    await storage.hooks.change(userid, id, { state: 'on' }, 'session');
    await storage.hookDeliveries.settle(claimed, 'one', attempt('failed', Date.now(), Date.now()));
    expect(await claim(storage)).toBeNull();
  });

  it('two replicas attempt each delivery once while a lease lasts, and again when it has ended', async () => {
    const { userid } = await hooked();
    await keptIn(storage).journal.append(
      userid,
      Array.from({ length: 20 }, () => score),
    );
    const claims = await Promise.all(
      Array.from({ length: 30 }, (_, at) => claim(at % 2 === 0 ? storage : replica, {}, `owner-${at % 2}`)),
    );
    const ids = claims.flatMap((one) => one?.id ?? []);
    // Where the other replica was quicker a claim finds nothing; no delivery is claimed twice.
    expect(new Set(ids).size).toBe(ids.length);
    for (let one = await claim(storage); one !== null; one = await claim(storage)) ids.push(one.id);
    expect([new Set(ids).size, ids.length]).toEqual([20, 20]);
    for (const owner of ['one', 'owner-0', 'owner-1']) await storage.hookDeliveries.release(owner);
    const later = await claim(replica, {}, 'two');
    if (later === null) throw new Error('nothing was claimed');
    expect(ids).toContain(later.id);
    // A process that has lost its lease changes nothing.
    await storage.hookDeliveries.settle(later, 'one', attempt('delivered', start));
    const left = await storage.hooks.deliveries(userid, later.hook, 50);
    expect(left?.filter(({ state }) => state === 'waiting')).toHaveLength(20);
    await replica.hookDeliveries.release('two');
    if (database.kind === 'postgres') return;
    const held = await claim(storage);
    const next = await claim(replica, { now: Date.now() + 2 * LEASE_MS }, 'two');
    expect(next?.id).toBe(held?.id);
    await replica.hookDeliveries.release('two');
  });

  it('busy hosts are skipped, and so are repetitions and unverified hooks where there is no room for them', async () => {
    const slow = await hooked({ url: 'https://slow.example.net/' });
    const quick = await hooked({ url: 'https://quick.example.net/' });
    await keptIn(storage).journal.append(slow.userid, [score, score]);
    await keptIn(storage).journal.append(quick.userid, [score]);
    const first = await claim(storage);
    expect(first?.hook).toBe(slow.id);
    const other = await claim(storage, { busy: [first?.host ?? ''] });
    expect(other?.hook).toBe(quick.id);
    if (first === null || other === null) throw new Error('nothing was claimed');
    await storage.hookDeliveries.settle(other, 'one', attempt('delivered', Date.now()));
    await keptIn(storage).journal.append(quick.userid, [score]);
    const verified = await claim(storage, { quickOnly: true });
    expect(verified).toMatchObject({ hook: quick.id, verified: true });
    if (verified === null) throw new Error('nothing was claimed');
    await storage.hookDeliveries.settle(verified, 'one', attempt('failed', Date.now(), null));
    await keptIn(storage).journal.append(quick.userid, [score]);
    expect(await claim(storage, { quickOnly: true })).toBeNull();
    expect(await claim(storage, { busy: [first.host] })).toMatchObject({ hook: quick.id, verified: false });
    await storage.hookDeliveries.settle(first, 'one', attempt('failed', Date.now(), Date.now()));
    expect(await claim(storage, { quickOnly: true })).toBeNull();
    expect(await claim(storage)).toMatchObject({ hook: slow.id, verified: false });
    expect(await claim(storage)).toMatchObject({ hook: slow.id, verified: false });
  });

  it('a delivery that a clock ahead has postponed is due', async () => {
    const { userid } = await hooked();
    await keptIn(storage).journal.append(userid, [score]);
    const [now, claimed] = [Date.now(), await claim(storage)];
    if (claimed === null) throw new Error('nothing was claimed');
    await storage.hookDeliveries.settle(claimed, 'one', attempt('failed', now, now + 20 * 3_600_000));
    expect(await claim(storage, { now })).toBeNull();
    expect(await claim(storage, { now: now - 2 * day })).toMatchObject({ attempts: 1 });
  });

  it('five days of nothing but failures switch a hook off, and 410 at once; what waits is given up', async () => {
    for (const outcome of ['failed', 'gone'] as const) {
      const { userid, id } = await hooked();
      await keptIn(storage).journal.append(userid, [score, score]);
      const now = Date.now();
      const states: Array<string | null> = [];
      for (const days of outcome === 'gone' ? [0] : [0, 4, 5]) {
        const at = now + days * day;
        const claimed = await claim(storage, { now: at + 1_000 });
        if (claimed === null) throw new Error('nothing was claimed');
        const next = outcome === 'gone' ? null : now;
        states.push(await storage.hookDeliveries.settle(claimed, 'one', attempt(outcome, at, next)));
      }
      expect(states).toEqual(outcome === 'gone' ? ['gone'] : [null, null, 'failed']);
      await keptIn(storage).journal.append(userid, [score]);
      const deliveries = (await storage.hooks.deliveries(userid, id, 20)) ?? [];
      expect(deliveries.map(({ state }) => state)).toEqual(['given-up', 'given-up']);
      expect(await claim(storage, { now: now + 9 * day })).toBeNull();
      expect(await storage.hooks.change(userid, id, { state: 'on' }, 'session')).toBe(true);
      expect(await storage.hooks.list(userid)).toMatchObject([{ state: 'on', failingSince: null }]);
      await keptIn(storage).journal.append(userid, [score]);
      const again = await claim(storage);
      expect(again).toMatchObject({ hook: id, verified: false });
      if (again !== null) await storage.hookDeliveries.settle(again, 'one', attempt('delivered', now));
      expect(await storage.hooks.list(userid)).toMatchObject([{ state: 'on', failingSince: null, deliveredAt: now }]);
    }
  });

  it('others neither see nor change the hooks of a student, who has at most five', async () => {
    const { userid, id } = await hooked();
    const other = await hooked();
    expect(await storage.hooks.change(other.userid, id, { detail: 'full' }, 'session')).toBe(false);
    expect(await storage.hooks.delete(other.userid, id)).toBe(false);
    expect(await storage.hooks.deliveries(other.userid, id, 20)).toBeNull();
    const makes = Array.from({ length: 8 }, (_, at) =>
      storage.hooks.make(userid, { ...wish, id: `${id}-${at}`, now: start, secret: 's', madeBy: '' }, 5),
    );
    const outcomes = await Promise.all(makes);
    expect(outcomes.filter((outcome) => outcome === 'made')).toHaveLength(4);
    expect(await storage.hooks.list(userid)).toHaveLength(5);
  });

  it('a hook belongs to the session that set its address last, and ends with that one', async () => {
    const { userid, tokenHash, id } = await hooked();
    const sessionOf = async () =>
      (await db.selectFrom('event_hooks').select('made_by').where('id', '=', id).executeTakeFirst())?.made_by;
    const thief = tokenId(tokenHash);
    const url = 'https://thief.example/in';
    await storage.hooks.change(userid, id, { url }, thief);
    expect(await sessionOf()).toBe(thief);
    for (const change of [{ detail: 'full' }, { detail: 'thin', url }, { types: wish.types, state: 'on' }] as const)
      expect(await storage.hooks.change(userid, id, change, 'owner')).toBe(true);
    expect(await sessionOf()).toBe(thief);
    await storage.tokens.endLogin(userid, thief, [], start);
    expect(await storage.hooks.list(userid)).toEqual([]);
  });

  it('an account that is erased during a delivery leaves nothing, and the outcome changes nothing', async () => {
    const { userid } = await hooked();
    await keptIn(storage).journal.append(userid, [score, score]);
    const claimed = await claim(storage);
    if (claimed === null) throw new Error('nothing was claimed');
    await storage.accounts.deleteUser(userid);
    expect(await storage.hookDeliveries.settle(claimed, 'one', attempt('failed', start, start))).toBeNull();
    expect(await claim(replica, { now: Date.now() + day }, 'two')).toBeNull();
    expect(await storage.hooks.list(userid)).toEqual([]);
  });

  it('a hook keeps its last twenty deliveries, and at most five hundred that wait', async () => {
    const [{ userid, id }, other, over] = [await hooked(), await hooked(), await hooked()];
    const append = (to: string) => keptIn(storage).journal.append(to, Array(150).fill(score));
    for (let at = 0; at < 3; at += 1) await append(userid);
    // The oldest rows do not come first, and deliveries of others and ended ones do not count.
    const stored = db.updateTable('hook_deliveries');
    await stored.set((to) => ({ seq: to(to.val(451), '-', to.ref('seq')), created_at: start })).execute();
    for (const each of [other, over]) await append(each.userid);
    await storage.hooks.change(over.userid, over.id, { state: 'paused' }, 'session');
    await append(userid);
    const waiting = (await storage.hooks.deliveries(userid, id, 1_000)) ?? [];
    expect(waiting.filter(({ state }) => state === 'waiting')).toHaveLength(500);
    expect(waiting.filter(({ fault }) => fault === 'too-many')).toHaveLength(20);
    const all = db.selectFrom('hook_deliveries').select(['seq', 'due_at']).orderBy('seq');
    const rows = await all.where('hook', '=', id).execute();
    expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 520 }, (_, at) => 81 + at));
    expect(rows.findIndex((row) => row.due_at !== null)).toBe(20);
    await storage.hooks.change(userid, id, { state: 'paused' }, 'session');
    const left = (await storage.hooks.deliveries(userid, id, 1_000)) ?? [];
    expect(left.map(({ fault }) => fault)).toEqual(Array(20).fill('switched-off'));
    expect((await claim(storage))?.userid).toBe(other.userid);
    await storage.sweep(Date.now() + 29 * day);
    expect(await storage.hooks.deliveries(userid, id, 1)).toHaveLength(1);
    await storage.sweep(Date.now() + 31 * day);
    expect(await storage.hooks.deliveries(userid, id, 50)).toEqual([]);
    await storage.hooks.delete(userid, id);
  });

  it('the transaction that stores a reading of electricity finds the thresholds of the hooks that are on', async () => {
    const { userid, id } = await hooked();
    const low = (threshold: number): NewEvent => ({ ...score, type: 'electricity.low', about: { threshold } });
    await keptIn(storage).journal.append(userid, [low(20), low(10)]);
    expect(JSON.parse((await claim(storage))?.body ?? '{}')).toMatchObject({ data: { about: { threshold: 10 } } });
    expect(await claim(storage)).toBeNull();
    await storage.hooks.change(userid, id, { state: 'paused' }, 'session');
    await keptIn(storage).journal.append(userid, [low(10)]);
    expect(await claim(storage)).toBeNull();
  });
});

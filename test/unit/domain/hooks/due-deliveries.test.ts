import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { silentLog } from '../../../../src/domain/context.ts';
import { Deliveries } from '../../../../src/domain/hooks/deliveries.ts';
import { DueDeliveries } from '../../../../src/domain/hooks/due-deliveries.ts';
import type { ClaimedDelivery, DeliveryStore, DueDelivery, DuePage } from '../../../../src/domain/hooks/ports.ts';
import { Targets } from '../../../../src/domain/hooks/targets.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const times = { now: 1_000_000, lifeMs: 30_000 };
const { signal } = new AbortController();

const rowsAt = (host: string, count: number, dueAt: number, isQuick = true): DueDelivery[] =>
  Array.from({ length: count }, (_, seq) => ({ id: `${host}-${seq}`, host, dueAt, seq, isQuick }));

/** An outbox that answers at once, as SQLite does, and counts the pages it was asked for. */
const outboxOf = (rows: readonly DueDelivery[]) => {
  const left = new Map(rows.map((row) => [row.id, row]));
  const outbox = {
    pages: 0,
    left,
    async due({ after, most, areAhead = false }: DuePage) {
      outbox.pages += 1;
      if (areAhead) return [];
      const all = [...left.values()];
      const from = after === null ? 0 : all.findIndex(({ id }) => id === after.id) + 1;
      return all.slice(from, from + most);
    },
  };
  return outbox;
};

it('fifty thousand that are due are looked through in pages, with a turn after each, and once for many attempts', async () => {
  const outbox = outboxOf([...rowsAt('stuck.example', 49_999, 1), ...rowsAt('quick.example', 1, 2)]);
  const due = new DueDeliveries(outbox);
  let [turns, isLooking] = [0, true];
  const look = due.look(times, signal).finally(() => {
    isLooking = false;
  });
  while (isLooking) {
    await nextTurn();
    turns += 1;
  }
  await look;
  expect(outbox.pages).toBe(252);
  expect(turns).toBeGreaterThan(250);
  // A delivery that waits behind the stuck one is found.
  const isBusy = (host: string) => host === 'stuck.example';
  expect(due.next({ isBusy, quickOnly: false })).toEqual({ host: 'quick.example', ids: ['quick.example-0'] });
  for (let attempt = 0; attempt < 990; attempt += 1) {
    const candidates = due.next({ isBusy: () => false, quickOnly: false });
    if (candidates?.host === 'stuck.example') due.drop(candidates, candidates.ids[0] ?? null);
  }
  // What is new stands behind the rest, and is found by one page more.
  const [fresh] = rowsAt('new.example', 1, 3);
  if (fresh !== undefined) outbox.left.set(fresh.id, fresh);
  due.expectNew();
  await due.look(times, signal);
  const isOld = (host: string) => host !== 'new.example';
  expect([due.next({ isBusy: isOld, quickOnly: false })?.ids, outbox.pages]).toEqual([['new.example-0'], 253]);
  // All of it is looked through again after ticks in proportion.
  for (let ticks = 0; ticks < 25; ticks += 1) {
    due.tick();
    await due.look(times, signal);
  }
  expect(outbox.pages).toBe(278);
  due.tick();
  await due.look(times, signal);
  expect(outbox.pages).toBe(278 + 252);
});

it('a line that has run empty is filled again where more wait behind it', async () => {
  const due = new DueDeliveries(outboxOf([...rowsAt('a.example', 1_001, 1), ...rowsAt('b.example', 1, 2)]));
  await due.look(times, signal);
  const room = { isBusy: () => false, quickOnly: false };
  let taken = 0;
  while (!due.isStale) {
    const candidates = due.next(room);
    if (candidates === null) break;
    due.drop(candidates, candidates.ids.at(-1) ?? null);
    taken += candidates.ids.length;
  }
  expect([taken, due.isStale]).toEqual([1_000, true]);
});

it('candidates that another replica has taken are passed over, and slow ones where only quick ones may begin', async () => {
  const rows = [...rowsAt('a.example', 20, 1, false), ...rowsAt('b.example', 20, 2)];
  const due = new DueDeliveries(outboxOf(rows));
  await due.look(times, signal);
  const quick = { isBusy: () => false, quickOnly: true };
  const first = due.next(quick);
  expect(first).toMatchObject({ host: 'b.example', ids: { length: 8 } });
  if (first !== null) due.drop(first, 'b.example-2');
  expect(due.next(quick)?.ids[0]).toBe('b.example-3');
  const all = due.next({ ...quick, quickOnly: false });
  expect(all?.ids[0]).toBe('a.example-0');
  if (all !== null) due.drop(all, null);
  expect(due.next({ ...quick, quickOnly: false })?.ids[0]).toBe('a.example-8');
});

it('deliveries that never reach the network leave a turn to others after each of them', async () => {
  const most = 3_000;
  const outbox = outboxOf(rowsAt('denied.example', most, 1));
  let settled = 0;
  const store: DeliveryStore = {
    due: outbox.due,
    claim: async (_owner, [id = '']) => {
      outbox.left.delete(id);
      return {
        ...{ id, hook: 'h', userid: '2023000001', host: 'denied.example', event: id, type: 'score.published' },
        ...{ url: 'https://denied.example/', format: 'standard', secret: 's', body: '{}', attempts: 0 },
        ...{ asked: false, verified: true },
      } satisfies ClaimedDelivery;
    },
    settle: async () => {
      settled += 1;
      return null;
    },
    waiting: async (ids) => ids,
    release: async () => {},
  };
  const deliveries = new Deliveries({
    ...{ store, targets: new Targets({ allow: [], deny: ['denied.example'], own: [] }), clock: new ManualClock() },
    sender: { send: () => Promise.reject(new Error('nothing is sent')) },
    ...{ random: () => 0, log: silentLog, tagOf: () => '', observer: { hookCalled: () => {} } },
  });
  let mostInTurn = 0;
  for (let before = 0; settled < most; before = settled) {
    await nextTurn();
    mostInTurn = Math.max(mostInTurn, settled - before);
  }
  expect(mostInTurn).toBeLessThanOrEqual(2);
  await deliveries.close();
});

import { beforeEach, expect, it } from 'vitest';
import type { GuardMemory } from '../../../../src/domain/accounts/guard/events.ts';
import { createGuardKeeper, type GuardKeeper, type GuardStore } from '../../../../src/domain/accounts/keeper.ts';
import { emptyCode, emptyGateway, emptyNetwork, emptyStudent } from '../../../../src/domain/accounts/records.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const MINUTE = 60_000;
let clock: ManualClock;
let memory: GuardMemory;
let writes: number;
let guards: GuardStore;
let keeper: GuardKeeper;
beforeEach(() => {
  clock = new ManualClock();
  const student = { ...emptyStudent, provenAt: clock.now() };
  memory = { student, gateway: emptyGateway, code: emptyCode, network: emptyNetwork };
  writes = 0;
  guards = {
    read: async () => memory,
    change: async (_scope, _lock, _now, decide) => {
      const { result, write } = decide(memory);
      if (write.gateway) writes += 1;
      memory = { ...memory, ...write };
      return result;
    },
    sweep: async () => 0,
  };
  keeper = createGuardKeeper({ guards, clock, perDay: 4 });
});

const ended = (type: 'accepted' | 'marker' | 'unknown', by = keeper) =>
  by.decide({ userid: 'ann', code: null }, { type: 'stored-ended', tag: 't', outcome: { type }, storedPrints: null });
const known = () => memory.gateway.answered.reduce((all, { count }) => all + count, 0);

it('a thousand accepted sign-ins of five minutes are known to within a tenth, and cost the shared row 60 writes', async () => {
  for (let at = 0; at < 1_000; at += 1) {
    await ended('accepted');
    clock.advance(250);
  }
  expect(known()).toBeGreaterThan(900);
  expect(known()).toBeLessThanOrEqual(1_000);
  expect(writes).toBeLessThanOrEqual(70);
  await ended('marker');
  // Then it is exact.
  expect(known()).toBe(1_001);
});

it('of two replicas too', async () => {
  const other = createGuardKeeper({ guards, clock, perDay: 4 });
  for (let at = 0; at < 500; at += 1) {
    await ended('accepted');
    await ended('accepted', other);
  }
  expect(known()).toBeGreaterThan(800);
  expect(known()).toBeLessThanOrEqual(1_000);
});

it('at once and one after the other alike', async () => {
  await Promise.all(Array.from({ length: 200 }, () => ended('accepted')));
  await ended('marker');
  expect(known()).toBe(201);
});

it('what was never answered is not counted, and what is five minutes old is not written down as new', async () => {
  for (let at = 0; at < 100; at += 1) await ended('accepted');
  await ended('unknown');
  expect(known()).toBeLessThan(100);
  clock.advance(5 * MINUTE);
  await ended('marker');
  expect(known()).toBe(1);
});

import { afterEach, describe, expect, it } from 'vitest';
import type { DemoSystem } from '../../src/demo/types.ts';
import { FaultWorld } from '../faults/world.ts';

/** Milliseconds by which time is moved past a limit at most. */
const STEP_MS = 1_000;

let world: FaultWorld;
afterEach(() => world.close());

/** How long the read waits for a page of that system which never comes. */
const waitsFor = async (path: string, system: DemoSystem, page: string, env: Record<string, string> = {}) => {
  world = await FaultWorld.start(env);
  const { gateway } = world;
  const { token } = await world.registered();
  if (system === 'isim') {
    await world.drive(gateway.b('POST', '/isim/room/bind', { token, body: { room_id: '010101' } }));
  }
  await world.drive(gateway.b('GET', path, { token }));
  gateway.demo.fault({ system, path: page, fault: { kind: 'hang' } });
  const { result, ms } = await world.timed(gateway.b('GET', path, { token }), { kind: 'hang' }, system);
  expect([result.status, result.body.error.code]).toEqual([504, 'TIMEOUT']);
  return ms;
};

const within = (ms: number) => [ms, ms + STEP_MS] as const;
const expectWithin = (ms: number, [least, most]: readonly [number, number]) => {
  expect(ms).toBeGreaterThanOrEqual(least);
  expect(ms).toBeLessThanOrEqual(most);
};

const usual = ['/jwc/academic/info', 'jwc', '/main/academicInfo'] as const;
const slow = ['/jwc/plan/current', 'jwc', '/student/integratedQuery/planCompletion'] as const;

describe('a page that never comes', () => {
  it('is waited for 12 s', async () => {
    expectWithin(await waitsFor(...usual), within(12_000));
  });

  it.each([slow, ['/isim/elec/info', 'isim', '/use/record'] as const])(
    'is waited for 25 s where the campus is known to be slow: %s',
    async (...page) => {
      expectWithin(await waitsFor(...page), within(25_000));
    },
  );

  it('is never waited for longer than a call may take', async () => {
    expectWithin(await waitsFor(...slow, { REQUEST_TIMEOUT_SECONDS: '20' }), within(20_000));
  });

  it('is waited for as long as any page where that is longer', async () => {
    expectWithin(
      await waitsFor(...slow, { CAMPUS_ATTEMPT_SECONDS: '28', REQUEST_TIMEOUT_SECONDS: '40' }),
      within(28_000),
    );
  });
});

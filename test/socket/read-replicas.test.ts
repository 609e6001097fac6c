import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DemoCampus } from '../../src/demo/types.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { apply } from '../support/labor-calls.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { freshPostgresUrl } from '../support/postgres.ts';
import { bindRoom, callRead, studentReads } from '../support/student-reads.ts';

const DEADLINE_MS = 30_000;
const miss = 'campus-gateway; fwd=miss';
const hit = 'campus-gateway; hit';
const signUp = '/User/Activity/DoApplyJoin';

describe.each(['sqlite', 'postgres'] as const)('two replicas on one database (%s)', (kind) => {
  const clock = new ManualClock();
  let demo: DemoCampus;
  let one: Gateway;
  let two: Gateway;
  let token = '';

  beforeAll(async () => {
    const database: Record<string, string> = kind === 'postgres' ? { DATABASE_URL: await freshPostgresUrl() } : {};
    one = await startGateway({ clock, env: { FRESH_SECONDS: '600', ...database } });
    two = await one.replica();
    ({ demo } = one);
    token = await one.register();
    await bindRoom(one, token);
  });
  afterAll(async () => {
    await two.close();
    await one.close();
  });
  beforeEach(() => {
    demo.clearFaults();
    // Nothing that was marked or fresh before still counts.
    clock.advance(3_600_000);
  });

  const from = async (gateway: Gateway, read = studentReads.finishedCount, by = token) => {
    const { status, headers, text } = await callRead(gateway.url, read, by);
    expect(status, text).toBe(200);
    return headers.get('cache-status');
  };
  /** Fresh in the memory of the first replica, and stored. */
  const warm = async (read = studentReads.finishedCount) => {
    expect(await from(one, read)).toBe(miss);
    expect(await from(one, read)).toBe(hit);
    await one.services.reads.close();
  };

  it('a value that one has read is answered by the other while it is fresh', async () => {
    await warm();
    demo.resetRequests();
    expect(await from(two)).toBe(hit);
    expect(demo.requests()).toEqual([]);
  });

  it('a write on the second ends the freshness of its application on the first, and of no other', async () => {
    await warm();
    await warm(studentReads.summary);
    expect((await apply(two, token, 3)).status).toBe(200);
    expect(await from(one)).toBe(miss);
    expect(await from(one)).toBe(hit);
    expect(await from(one, studentReads.summary)).toBe(hit);
  });

  it('while a write is under way nothing is fresh and nothing is joined, on any replica', async () => {
    await warm();
    demo.fault({ system: 'ldjlb', path: signUp, fault: { kind: 'delay', ms: 500 } });
    demo.resetRequests();
    const writing = apply(two, token, 3);
    while (demo.requests({ path: signUp }).length === 0) await new Promise((resolve) => setImmediate(resolve));
    demo.resetRequests();
    expect(await Promise.all([from(one), from(one), from(two)])).toEqual([miss, miss, miss]);
    expect(demo.requests({ system: 'ldjlb' })).toHaveLength(3);
    expect(await from(one)).toBe(miss);
    while (clock.waiting === 0) await new Promise((resolve) => setImmediate(resolve));
    clock.advance(500);
    expect((await writing).status).toBe(200);
    expect([await from(one), await from(one)]).toEqual([miss, hit]);
  });

  it('after a write whose answer was lost nothing is fresh until the deadline of its call, on any replica', async () => {
    await warm();
    demo.fault({ system: 'ldjlb', path: signUp, times: 1, fault: { kind: 'reset-after' } });
    const lost = await apply(two, token, 3);
    expect([lost.status, lost.body.success]).toEqual([504, false]);
    expect([await from(one), await from(one), await from(two)]).toEqual([miss, miss, miss]);
    clock.advance(DEADLINE_MS);
    expect([await from(one), await from(one)]).toEqual([miss, hit]);
  });

  it('a new login ends what is fresh in memory, and the stored copy stays for who asks for any age', async () => {
    await warm();
    await one.services.storage.sessions.nextGeneration('2023000001');
    const { headers } = await callRead(two.url, studentReads.finishedCount, token, { 'x-copy': 'only' });
    expect(headers.get('cache-status')).toBe(hit);
  });

  it('another room on the second is another reading on the first', async () => {
    await warm(studentReads.electricity);
    await bindRoom(two, token, '010102');
    expect(await from(one, studentReads.electricity)).toBe(miss);
  });
});

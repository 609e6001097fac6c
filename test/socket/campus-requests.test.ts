import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { first } from '../support/campus-rig.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';

describe('what one student may ask of the campus', () => {
  let clock: ManualClock;
  let gateway: Gateway;
  beforeEach(async () => {
    clock = new ManualClock();
    gateway = await startGateway({ clock });
  });
  afterEach(() => gateway.close());

  const read = (token: string, directives?: string, path = '/jwc/academic/info') =>
    fetch(gateway.url + path, {
      headers: { authorization: `Bearer ${token}`, ...(directives ? { 'cache-control': directives } : {}) },
    });
  const statusOf = async (asking: Promise<Response>): Promise<number> => {
    const { status, body } = await asking;
    await body?.cancel();
    return status;
  };

  it('beyond its budget is a copy that says how old it is, where the call allows one, else 429 and when to come again; no write is sent', async () => {
    const token = await gateway.register(first);
    expect(await statusOf(read(token, undefined, '/ldjlb/labor/joined/clubs'))).toBe(200);
    for (let call = 0; call < 200; call += 1) await statusOf(read(token));
    gateway.demo.resetRequests();
    clock.advance(5_000);
    const copied = await read(token, 'stale-if-error=3600');
    const body = JSON.parse(await copied.text());
    expect([copied.status, body.success, body.message]).toEqual([200, true, expect.stringContaining('（数据更新于 ')]);
    expect(copied.headers.get('cache-status')).toContain('fwd=stale; detail=COOLDOWN');
    const [v1, none, allowed, tooOld] = await Promise.all([
      gateway.a('/jwc/fetch_academic_info', { token }),
      read(token, 'no-cache'),
      read(token, 'no-cache, stale-if-error=60'),
      read(token, 'stale-if-error=0'),
    ]);
    // It has no way to allow one, and the operator allows none.
    expect(v1.body.code).toBe(429);
    for (const refused of [none, tooOld]) {
      const { error, data } = JSON.parse(await refused.text());
      expect([refused.status, error.code, data]).toEqual([429, 'COOLDOWN', null]);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(70);
    }
    expect(await statusOf(Promise.resolve(allowed))).toBe(200);
    // There is no copy of a page that was never read.
    expect(await statusOf(read(token, undefined, '/jwc/competition/info'))).toBe(429);
    const applied = await gateway.b('POST', '/ldjlb/labor/activity/101/apply', { token });
    expect([applied.status, applied.body.error.code]).toEqual([429, 'COOLDOWN']);
    expect(gateway.wire()).toEqual([]);
  }, 60_000);
});

it('the failing pages of one student are left alone for a while, then asked for again one by one', async () => {
  const clock = new ManualClock();
  const gateway = await startGateway({ clock });
  onTestFinished(() => gateway.close());
  const token = await gateway.register(first);
  const read = () => gateway.b('GET', '/jwc/academic/info', { token });
  const rule = gateway.demo.fault({ system: 'jwc', userid: first.userid, fault: { kind: 'status', status: 500 } });
  await gateway.b('GET', '/jwc/competition/info', { token });
  for (let call = 0; call < 5; call += 1) expect((await read()).headers.get('retry-after')).toBeNull();
  gateway.demo.resetRequests();
  const held = await read();
  expect([held.status, held.body.error.code, held.headers.get('retry-after')]).toEqual([
    502,
    'REMOTE_SERVICE_ERROR',
    '2',
  ]);
  expect(gateway.wire()).toEqual([]);
  expect(gateway.log()).toContain('student-paused');
  // Calls to another system still go.
  expect((await gateway.b('GET', '/jwc/competition/info', { token })).status).toBe(200);
  clock.advance(2_000);
  gateway.demo.resetRequests();
  const probes = await Promise.all(
    Array.from({ length: 5 }, () => gateway.b('GET', '/jwc/academic/training_plan', { token })),
  );
  expect(probes.map(({ status }) => status)).toEqual([502, 502, 502, 502, 502]);
  expect(gateway.wire().filter((line) => line.startsWith('jwc'))).toHaveLength(1);
  rule.remove();
  clock.advance(2_000);
  expect((await read()).status).toBe(200);
});

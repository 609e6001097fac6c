import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { jsonAnswer, nullResponse } from '../support/application-faults.ts';
import { crowded, damaged, first, second } from '../support/campus-rig.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';

const reads = {
  total: {
    path: '/User/Center/DoGetScoreInfo',
    a: (g: Gateway, token: string) => g.a('/aac/fetch_score_info', { token }),
    b: (g: Gateway, token: string) => g.b('GET', '/aac/credit/info', { token }),
  },
  list: {
    path: '/User/Center/DoGetScoreList',
    a: (g: Gateway, token: string) => g.a('/aac/fetch_score_list', { token }),
    b: (g: Gateway, token: string) => g.b('GET', '/aac/credit/list', { token }),
  },
} as const;
type Read = keyof typeof reads;
const wireOfRead = (name: Read) => `aac POST ${reads[name].path}`;
const KEPT_MS = 300_000;

describe('the activity score over real sockets', () => {
  let gateway: Gateway;
  let tokens: Record<'first' | 'second' | 'damaged' | 'newcomer' | 'crowded', string>;
  beforeAll(async () => {
    gateway = await startGateway();
    const newcomer = { userid: '2023000009', password: 'newcomer-pass', vpnPassword: 'newcomer-vpn' };
    gateway.demo.addStudent({ ...newcomer, newcomer: true });
    gateway.demo.addStudent(crowded);
    tokens = {
      damaged: await gateway.register(damaged),
      crowded: await gateway.register(crowded),
      first: await gateway.register(first),
      second: await gateway.register(second),
      newcomer: await gateway.register(newcomer),
    };
  });
  afterAll(() => gateway.close());

  const onBoth = async (name: Read, token: string): Promise<unknown> => {
    const [a, b] = [await reads[name].a(gateway, token), await reads[name].b(gateway, token)];
    expect([a.status, a.body.code, b.status, b.body.success, b.body.error]).toEqual([200, 200, 200, true, null]);
    expect([a.body.message, b.body.message]).toEqual(
      name === 'total' ? ['总分信息获取成功', '获取活动分总分信息成功'] : ['分数明细获取成功', '获取活动分明细成功'],
    );
    expect(a.body.data).toEqual(b.body.data);
    return a.body.data;
  };

  it('has all categories of a student who has more than a page of them', async () => {
    await reads.total.b(gateway, tokens.crowded);
    gateway.demo.resetRequests();
    const { body } = await reads.list.b(gateway, tokens.crowded);
    expect(new Set(body.data.map(({ ID }: { ID: string }) => ID)).size).toBe(104);
    expect(body.data.every(({ children }: { children: unknown[] }) => children.length === 1)).toBe(true);
    expect(gateway.wire()).toEqual([wireOfRead('list'), wireOfRead('list')]);
  });

  it('is an empty list, and no error, for a student without any', async () => {
    expect(await onBoth('list', tokens.newcomer)).toEqual([]);
  });
});

describe('requests of the activity score at the campus', () => {
  let gateway: Gateway;
  let clock: ManualClock;
  let token: string;
  beforeAll(async () => {
    clock = new ManualClock();
    gateway = await startGateway({ clock: clock.skipping(300) });
    token = await gateway.register();
    await reads.list.b(gateway, token);
  });
  afterAll(() => gateway.close());

  it('total: 1, and none for 300 s on either surface', async () => {
    expect(await gateway.wireOf(() => reads.total.a(gateway, token))).toEqual([wireOfRead('total')]);
    clock.advance(KEPT_MS - 1);
    expect(await gateway.wireOf(() => reads.total.b(gateway, token))).toEqual([]);
    clock.advance(1);
    expect(await gateway.wireOf(() => reads.total.b(gateway, token))).toEqual([wireOfRead('total')]);
  });
});

describe('an activity score system that misbehaves', () => {
  let gateway: Gateway;
  let clock: ManualClock;
  let token: string;
  beforeAll(async () => {
    clock = new ManualClock();
    gateway = await startGateway({ clock: clock.skipping(300) });
    token = await gateway.register();
    await reads.list.b(gateway, token);
  });
  afterEach(() => gateway.demo.clearFaults());
  afterAll(() => gateway.close());

  const down = '活动分系统暂不可用，请稍后重试';

  it('answers an empty object for the total: that is no total of 0', async () => {
    clock.advance(KEPT_MS);
    gateway.demo.fault({ system: 'aac', path: reads.total.path, fault: jsonAnswer({ code: 0, msg: '', data: {} }) });
    const [a, b] = [await reads.total.a(gateway, token), await reads.total.b(gateway, token)];
    expect([a.body, b.status, b.body.error.code]).toEqual([{ code: 500, message: down, data: null }, ...nullResponse]);
  });
});

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { DemoFault } from '../../src/demo/types.ts';
import { jsonAnswer, remoteError } from '../support/application-faults.ts';
import { crowded, damaged, second } from '../support/campus-rig.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { clubId, laborReadNames, laborReads } from '../support/labor-calls.ts';
import { ManualClock } from '../support/manual-clock.ts';

describe('the labor club over real sockets', () => {
  let gateway: Gateway;
  let tokens: Record<'damaged' | 'second' | 'newcomer' | 'crowded', string>;
  beforeAll(async () => {
    gateway = await startGateway({ clock: new ManualClock().skipping(300) });
    const newcomer = { userid: '2023000009', password: 'newcomer-pass', vpnPassword: 'newcomer-vpn' };
    gateway.demo.addStudent({ ...newcomer, newcomer: true });
    gateway.demo.addStudent(crowded);
    tokens = {
      crowded: await gateway.register(crowded),
      damaged: await gateway.register(damaged),
      second: await gateway.register(second),
      newcomer: await gateway.register(newcomer),
    };
  });
  afterAll(() => gateway.close());

  const get = (path: string, token = tokens.damaged) => gateway.b('GET', `/ldjlb/labor/${path}`, { token });
  const dataOf = async (path: string, token = tokens.damaged) => {
    const { status, body } = await get(path, token);
    expect([status, body.success, body.error]).toEqual([200, true, null]);
    return body.data;
  };

  it('has all activities of a student who joined more than a page of them, as one page', async () => {
    await get('progress', tokens.crowded);
    gateway.demo.resetRequests();
    const { data, pageInfo } = await dataOf('joined/activities', tokens.crowded);
    expect(gateway.wire()).toEqual(Array(2).fill(`ldjlb POST ${laborReads.joinedActivities.upstream}`));
    expect(new Set(data.map(({ ID }: { ID: string }) => ID)).size).toBe(104);
    expect(pageInfo).toEqual({ TotalItemCount: 104, PageSize: 100, CurrentPageIndex: 1 });
    const { IsJson, IsClose } = data[0];
    expect(data.every((row: Record<string, unknown>) => row.IsJson === IsJson)).toBe(true);
    expect([IsJson, IsClose]).toEqual([true, false]);
  });

  it('is empty, and no error, for a student without anything', async () => {
    expect(await dataOf('joined/clubs', tokens.newcomer)).toEqual({ data: [] });
    expect(await dataOf('joined/activities', tokens.newcomer)).toEqual({
      data: [],
      pageInfo: { TotalItemCount: 0, PageSize: 100, CurrentPageIndex: 1 },
    });
  });

  it('pages the activities of a club as asked, with 100 from the first as default', async () => {
    const path = `club/${clubId(20)}/activities`;
    const lengths = [];
    for (const query of ['', '?page_index=2', '?page_index=3', '?page_index=5&page_size=30', '?page_size=1']) {
      const { data, pageInfo } = await dataOf(path + query);
      lengths.push([data.length, pageInfo.TotalItemCount, pageInfo.PageSize, pageInfo.CurrentPageIndex]);
    }
    expect(lengths).toEqual([
      [100, 130, 100, 1],
      [30, 130, 100, 2],
      [0, 130, 100, 3],
      [10, 130, 30, 5],
      [1, 130, 1, 1],
    ]);
  });

  it('takes ids as they are, whatever characters they hold, and fixed paths before ids', async () => {
    const odd = encodeURIComponent('c/1?a=1&clubID=x#y%20 +');
    expect((await dataOf(`club/${odd}/activities`)).data).toEqual([]);
    expect((await get(`${odd}/detail`)).body.data.code).toBe(1);
    expect(await dataOf('joined/activities')).toHaveProperty('pageInfo');
    for (const name of ['joined', 'club', 'activity', 'progress']) {
      const { body } = await get(`${name}/detail`);
      expect([body.message, body.data.code]).toEqual(['获取活动详情失败', 1]);
    }
  });
});

describe('requests of the labor club at the campus', () => {
  let gateway: Gateway;
  let clock: ManualClock;
  let token: string;
  beforeAll(async () => {
    clock = new ManualClock();
    gateway = await startGateway({ clock: clock.skipping(300) });
    token = await gateway.register(damaged);
  });
  afterAll(() => gateway.close());

  it('the ticket is not that of the activity score: each system renews its own', async () => {
    await gateway.b('GET', '/aac/credit/list', { token });
    await laborReads.progress.call(gateway, token);
    gateway.demo.student(damaged.userid).expireTicket('aac');
    const wire = await gateway.wireOf(() => laborReads.progress.call(gateway, token));
    expect(wire).toEqual([`ldjlb POST ${laborReads.progress.upstream}`]);
  });
});

describe('a labor club that misbehaves', () => {
  let gateway: Gateway;
  let clock: ManualClock;
  let token: string;
  beforeAll(async () => {
    clock = new ManualClock();
    gateway = await startGateway({ clock: clock.skipping(300) });
    token = await gateway.register(damaged);
    await laborReads.progress.call(gateway, token);
  });
  afterEach(() => gateway.demo.clearFaults());
  afterAll(() => gateway.close());

  /** Every read under a fault of its own path; the minute between them lets each renew its ticket. */
  const underFault = async (
    fault: DemoFault,
    names: ReadonlyArray<(typeof laborReadNames)[number]> = laborReadNames,
  ) => {
    const answers = [];
    for (const name of names) {
      clock.advance(61_000);
      const rule = gateway.demo.fault({ system: 'ldjlb', path: laborReads[name].upstream, fault });
      answers.push({ name, ...(await laborReads[name].call(gateway, token)) });
      rule.remove();
      // A good read in between keeps the breaker closed.
      const good = name === 'progress' ? 'joinedClubs' : 'progress';
      expect((await laborReads[good].call(gateway, token)).status).toBe(200);
    }
    return answers;
  };

  it('refuses: an error where the answer has no place for it, else passed on', async () => {
    gateway.demo.fault({
      system: 'ldjlb',
      path: '/User/Center/DoGetScoreInfo',
      fault: { kind: 'status', status: 500 },
    });
    const answers = await underFault(jsonAnswer({ code: 7, msg: null, data: null }));
    const seen = answers.map(({ name, status, body }) => [
      name,
      status,
      body.success,
      body.error?.code ?? body.data.code,
    ]);
    expect(seen).toEqual([
      ['progress', 502, false, remoteError[1]],
      ['joinedActivities', 502, false, remoteError[1]],
      ['joinedClubs', 502, false, remoteError[1]],
      ['clubActivities', 502, false, remoteError[1]],
      ['signList', 200, false, 7],
      ['detail', 200, false, 7],
      ['clubs', 502, false, remoteError[1]],
      ['applications', 502, false, remoteError[1]],
    ]);
  });

  it('has no count but a percentage: that one is read', async () => {
    for (const fault of [{ kind: 'status', status: 404 } as const, jsonAnswer({ code: 1, msg: '', data: null })]) {
      clock.advance(61_000);
      const rule = gateway.demo.fault({ system: 'ldjlb', path: laborReads.progress.upstream, fault });
      const { status, body } = await laborReads.progress.call(gateway, token);
      rule.remove();
      expect([status, body.data.data]).toEqual([200, 1]);
    }
  });
});

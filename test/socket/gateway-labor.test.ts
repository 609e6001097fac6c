import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { damaged, first, second } from '../support/campus-rig.ts';
import { type Answer, type Gateway, startGateway } from '../support/gateway-rig.ts';
import { apply, joinClub, scan, signItemId } from '../support/labor-calls.ts';
import { ManualClock } from '../support/manual-clock.ts';

const directoryLine = 'ldjlb POST /User/Club/DoGetPageList';
const openClub = 'd7f1b3a8-5555-4c22-9e10-000000000001';
const because = { reason: '希望参与劳动实践' };
const lasting = { content: `SIGN|${signItemId(77)}`, location: '120.100012,30.200034' };

let clock: ManualClock;
let gateway: Gateway;
let token: string;
const startWith = async (student: typeof first): Promise<void> => {
  clock = new ManualClock();
  gateway = await startGateway({ movingClock: clock, env: { FRESH_SECONDS: '10' } });
  token = await gateway.register(student);
};
afterEach(() => gateway.close());

const wireOf = async (work: () => Promise<Answer>): Promise<[Answer, string[]]> => {
  gateway.demo.resetRequests();
  const answer = await work();
  return [answer, gateway.wire()];
};
const get = (path: string, who = token): Promise<Answer> => gateway.b('GET', `/ldjlb/labor/${path}`, { token: who });

describe('clubs', () => {
  beforeEach(() => startWith(damaged));

  it('a club without activities is told from one that does not exist, which costs the directory once', async () => {
    const activities = (id: string) => get(`club/${id}/activities`);
    await get('progress');
    const [none, wire] = await wireOf(() => activities('no-such-club'));
    const told = [none.status, none.body.success, none.body.message, none.body.data.data];
    expect(told).toEqual([200, true, '劳动俱乐部目录中没有该俱乐部', []]);
    expect(wire).toHaveLength(4);
    clock.advance(60_000);
    const [empty, again] = await wireOf(() => activities(openClub.toUpperCase()));
    expect([empty.body.message, empty.body.data.data]).toEqual(['获取俱乐部活动列表成功', []]);
    // The directory is still cached.
    expect(again).toHaveLength(1);
  });

  it('one reading of the directory answers every search, and an application ends its freshness', async () => {
    const searches = async (...keywords: string[]) => {
      gateway.demo.resetRequests();
      for (const keyword of keywords) expect((await get(`clubs?keyword=${keyword}`)).body.data.data).toHaveLength(46);
      return gateway.wire().filter((line) => line === directoryLine).length;
    };
    expect(await searches('maker', 'green')).toBe(3);
    await joinClub(gateway, token, openClub, because);
    expect(await searches('maker')).toBe(3);
  });

  it('a search fails as a whole when a further page of the directory does', async () => {
    const path = '/User/Club/DoGetPageList';
    gateway.demo.fault({ system: 'ldjlb', path, times: 1, fault: { kind: 'gbk' } });
    gateway.demo.fault({ system: 'ldjlb', path, fault: { kind: 'status', status: 500 } });
    const { status, body } = await get('clubs?keyword=maker');
    expect([status, body.error.code, body.data]).toEqual([502, 'REMOTE_SERVICE_ERROR', null]);
  });

  it('an application is sent once without blanks around its reason, and shows to its student alone', async () => {
    await get('progress');
    const reason = '  想 <学> & 做+🌱  ';
    const [{ status, body }, wire] = await wireOf(() => joinClub(gateway, token, openClub, { reason }));
    expect([status, body.success, body.message, body.error]).toEqual([200, true, '申请已提交', null]);
    expect(body.data).toEqual({ code: 0, msg: '申请已提交' });
    expect(wire).toEqual(['ldjlb POST /User/Club/DoApplyJoin']);
    const [own] = (await get('club/applications')).body.data.data;
    expect(own).toMatchObject({ ClubID: openClub, Reason: reason.trim(), status: 'pending' });
    await gateway.services.reads.close();
    expect(gateway.databaseBytes().includes('想 <学>')).toBe(false);
    expect(gateway.log()).not.toContain('想 <学>');
    expect((await get('club/applications', await gateway.register(second))).text).not.toContain('想 <学>');
  });

  it.each([
    ['{"code":0,"msg":null}', true, '申请已提交', { code: 0, msg: '' }],
    ['{"code":"0","msg":" "}', true, '申请已提交', { code: 0, msg: ' ' }],
    ['{"code":9,"msg":null}', false, '申请提交失败', { code: 9, msg: '' }],
    ['{"code":9,"msg":"人数已满","data":{}}', false, '人数已满', { code: 9, msg: '人数已满' }],
  ])('an application answered %s has our words only where the campus has none', async (body, ...told) => {
    const fault = { kind: 'body', type: 'application/json', body } as const;
    gateway.demo.fault({ system: 'ldjlb', path: '/User/Club/DoApplyJoin', fault });
    const answer = await joinClub(gateway, token, openClub, because);
    expect([answer.body.success, answer.body.message, answer.body.data]).toEqual(told);
  });
});

describe('activities', () => {
  beforeEach(() => startWith(first));

  it('a second scan within three seconds is 429 for that student alone, without asking the campus', async () => {
    const other = await gateway.register(second);
    await scan(gateway, token, { ...lasting, location: '0,0' });
    clock.advance(2_000);
    const [again, wire] = await wireOf(() => scan(gateway, token, lasting));
    expect([again.status, again.body.error.code, again.headers.get('retry-after')]).toEqual([429, 'COOLDOWN', '3']);
    expect(wire).toEqual([]);
    expect((await scan(gateway, other, lasting)).status).toBe(200);
    clock.advance(1_000);
    const { body } = await scan(gateway, token, lasting);
    expect([body.success, body.message, body.data.data.ID]).toEqual([true, '签到成功', signItemId(77)]);
  });

  it('a scan with a location that is none, or too much content, is refused without repeating it or asking the campus', async () => {
    const noPair = ['180.1,0', '0,90.0001', '-181,0', '1e2,3', '120.1', '120.1,30.2,5', '120.1，30.2', ' 120.1,30.2'];
    const noPairEither = ['120.1,30.2\n', 'NaN,NaN', ''];
    const bodies = [
      ...[...noPair, ...noPairEither].map((location) => ({ content: 'x', location })),
      { ...lasting, content: '' },
      { ...lasting, content: 'x'.repeat(4_097) },
    ];
    for (const body of bodies) {
      const [answer, wire] = await wireOf(() => scan(gateway, token, body));
      expect([answer.status, answer.body.error.details.length, wire]).toEqual([422, 1, []]);
      if (noPair.includes(body.location)) expect(answer.text).not.toContain(body.location);
    }
  });

  it('what a scan and a sign-up tell of a student is in no log line, no failure and no byte of the database', async () => {
    const body = { content: 'MARKcontent', location: '121.987654,31.123456' };
    const send = async () => [await scan(gateway, token, body), await apply(gateway, token, 3, '?reason=MARKreason')];
    const answers = await send();
    for (const kind of ['reset-after', 'html', 'truncated', 'hang'] as const) {
      const rule = gateway.demo.fault({ system: 'ldjlb', fault: { kind } });
      clock.advance(3_000);
      answers.push(...(await send()));
      rule.remove();
    }
    answers.push(await scan(gateway, token, { ...body, location: '121.987654;31.123456' }));
    answers.push(await get('MARKcontent'));
    const stored = await gateway.services.storage.sessions.load(first.userid);
    const sealed = stored?.entries.find(({ system }) => system === 'ldjlb')?.state ?? '';
    const ticket = String(JSON.parse(sealed).ticket);
    expect(ticket.length).toBeGreaterThan(8);
    expect(gateway.log()).toContain('/ldjlb/labor/scan_sign');
    const places = {
      log: gateway.log(),
      answers: answers.map(({ text }) => text).join('\n'),
      database: gateway.databaseBytes().toString('latin1'),
    };
    const secrets = ['MARKcontent', '121.987654', '31.123456', 'MARKreason', ticket, encodeURIComponent(ticket), token];
    for (const secret of secrets)
      for (const [place, text] of Object.entries(places))
        expect(text.includes(secret), `${place}: ${secret}`).toBe(false);
    expect(gateway.log()).not.toContain(first.userid);
  });
});

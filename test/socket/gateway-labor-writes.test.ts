import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tooLate } from '../support/application-faults.ts';
import { first, second } from '../support/campus-rig.ts';
import { type Answer, type Gateway, startGateway } from '../support/gateway-rig.ts';
import { activityId, apply, laborReads, scan, signItemId } from '../support/labor-calls.ts';
import { ManualClock } from '../support/manual-clock.ts';

const signUpLine = 'ldjlb POST /User/Activity/DoApplyJoin';
const scanLine = 'ldjlb POST /User/Center/DoScanSignQRImage';
const proving = 'ldjlb POST /User/Club/DoGetJoinList';
const walk = ['cas GET /cas/login', 'ldjlb GET /User/Index/CoreLoginCallback'];
const portalLogin = ['vpn GET /por/login_auth.csp', 'vpn POST /por/login_psw.csp'];
const checkTheResult = '无法确认操作是否已生效，请查询结果后再决定是否重试';

const here = '120.100012,30.200034';
const lasting = { content: `SIGN|${signItemId(77)}`, location: here };

let clock: ManualClock;
let gateway: Gateway;
let token: string;
const startWith = async (env: Record<string, string> = {}): Promise<void> => {
  clock = new ManualClock();
  gateway = await startGateway({ movingClock: clock, env });
  token = await gateway.register();
};
afterEach(() => gateway.close());

const wireOf = async (work: () => Promise<Answer>): Promise<[Answer, string[]]> => {
  gateway.demo.resetRequests();
  const answer = await work();
  return [answer, gateway.wire()];
};
const joined = async (who = token): Promise<string[]> =>
  (await laborReads.joinedActivities.call(gateway, who)).body.data.data.map(({ ID }: { ID: string }) => ID);
const refused = (answer: Answer, msg: string) => {
  const { status, body } = answer;
  expect([status, body.success, body.message, body.error]).toEqual([200, false, msg, null]);
  expect(body.data).toMatchObject({ code: 1, msg });
};

describe('signing up', () => {
  beforeEach(() => startWith());

  it('is accepted with the words of the campus, and shows in the lists', async () => {
    const { status, body } = await apply(gateway, token, 3, `?reason=${encodeURIComponent('想参加 & 学习+')}`);
    expect([status, body.success, body.message, body.data, body.error]).toEqual([
      200,
      true,
      '报名成功',
      { code: 0, msg: '报名成功' },
      null,
    ]);
    expect(await joined()).toContain(activityId(3));
    const detail = (await gateway.b('GET', `/ldjlb/labor/${activityId(3)}/detail`, { token })).body.data.data;
    expect([detail.IsMember, detail.MemberNum]).toEqual([true, 4]);
  });

  it('is refused in the words of the campus, at the cost of one request', async () => {
    await laborReads.progress.call(gateway, token);
    for (const [activity, msg] of [
      [1, '请勿重复报名'],
      [2, '不在报名时间内'],
      [4, '报名人数已满'],
      [5, '活动已关闭'],
      [8, '不在报名时间内'],
      [999, '活动不存在'],
    ] as const) {
      const [answer, wire] = await wireOf(() => apply(gateway, token, activity));
      refused(answer, msg);
      expect(answer.body.data).toEqual({ code: 1, msg });
      expect(wire).toEqual([signUpLine]);
    }
  });

  it('costs one proving read while nothing is known of the ticket, and none for minutes after a good answer', async () => {
    const [, cold] = await wireOf(() => apply(gateway, token, 3));
    expect(cold).toEqual([...walk, proving, signUpLine]);
    clock.advance(8 * 60_000);
    const [, warm] = await wireOf(() => apply(gateway, token, 3));
    expect(warm).toEqual([signUpLine]);
    clock.advance(3 * 60_000);
    const [, later] = await wireOf(() => apply(gateway, token, 3));
    expect(later).toEqual([proving, signUpLine]);
  });

  it('with a ticket that died long ago meets a new one', async () => {
    await laborReads.progress.call(gateway, token);
    gateway.demo.student(first.userid).expireTicket('ldjlb');
    clock.advance(10 * 60_000);
    const [answer, wire] = await wireOf(() => apply(gateway, token, 3));
    expect(answer.body.success).toBe(true);
    expect(wire).toEqual([proving, ...walk, proving, signUpLine]);
  });

  it('that a dead ticket refuses is an answer: nothing is renewed, nothing repeated', async () => {
    await laborReads.progress.call(gateway, token);
    gateway.demo.student(first.userid).expireTicket('ldjlb');
    const [{ status, body }, wire] = await wireOf(() => apply(gateway, token, 3));
    expect([status, body.success, body.data]).toEqual([200, false, { code: 401, msg: '登录已失效' }]);
    expect(wire).toEqual([signUpLine]);
  });

  it('that meets the redirect of a dead portal session has provably done nothing, and is sent again', async () => {
    await laborReads.progress.call(gateway, token);
    gateway.demo.student(first.userid).expirePortal();
    const [answer, wire] = await wireOf(() => apply(gateway, token, 3));
    expect(answer.body.success).toBe(true);
    expect(wire).toEqual([signUpLine, ...portalLogin, signUpLine]);
  });
});

describe('a write whose answer is lost or makes no sense', () => {
  const start = async () => {
    await startWith();
    await laborReads.progress.call(gateway, token);
  };

  const unknown = (answer: Answer, expected: readonly [number, string]) => {
    const { status, body } = answer;
    expect([status, body.error.code, body.error.message]).toEqual([...expected, checkTheResult]);
    expect([body.success, body.data]).toEqual([false, null]);
  };

  it('may have done its work, which the lists then show', async () => {
    await start();
    gateway.demo.fault({ system: 'ldjlb', path: '/User/Activity/DoApplyJoin', fault: { kind: 'reset-after' } });
    unknown(await apply(gateway, token, 3), tooLate);
    expect(await joined()).toContain(activityId(3));
  });

  it('is told apart from a write that was never sent, because its proving read failed', async () => {
    await start();
    clock.advance(10 * 60_000);
    gateway.demo.fault({ system: 'ldjlb', path: '/User/Club/DoGetJoinList', fault: { kind: 'hang' } });
    const [answer, wire] = await wireOf(() => apply(gateway, token, 3));
    expect([answer.status, answer.body.error.code, answer.body.error.message]).toEqual([
      504,
      'TIMEOUT',
      '请求远程服务超时',
    ]);
    expect(wire).not.toContain(signUpLine);
  });
});

describe('scanning', () => {
  beforeEach(() => startWith());

  const scanAfterPause = (body: unknown, who = token) => {
    clock.advance(3_000);
    return scan(gateway, who, body);
  };

  it('near the place signs in, once, and shows in the sign-in list', async () => {
    const { status, body } = await scan(gateway, token, lasting);
    expect([status, body.success, body.message, body.error]).toEqual([200, true, '签到成功', null]);
    expect(body.data).toEqual({
      code: 0,
      msg: '签到成功',
      data: { ID: signItemId(77), SignTime: '2026-03-18 10:00:00' },
    });
    const items = (await laborReads.signList.call(gateway, token)).body.data.data;
    expect(items[0]).toMatchObject({ IsSign: true, SignTime: '2026-03-18 10:00:00' });
    refused(await scanAfterPause(lasting), '已签到，请勿重复签到');
  });

  it('twice within three seconds is 429 for that student alone, without asking the campus', async () => {
    const other = await gateway.register(second);
    await scan(gateway, token, { ...lasting, location: '0,0' });
    clock.advance(2_000);
    const [again, wire] = await wireOf(() => scan(gateway, token, lasting));
    expect([again.status, again.body.error.code, again.headers.get('retry-after')]).toEqual([429, 'COOLDOWN', '3']);
    expect(wire).toEqual([]);
    expect((await scan(gateway, other, lasting)).status).toBe(200);
    clock.advance(1_000);
    expect((await scan(gateway, token, lasting)).body.success).toBe(true);
  });

  it('of one code ten times at once reaches the campus once', async () => {
    await laborReads.progress.call(gateway, token);
    gateway.demo.resetRequests();
    const answers = await Promise.all(Array.from({ length: 10 }, () => scan(gateway, token, lasting)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(429)]);
    expect(gateway.wire()).toEqual([scanLine]);
  });

  it('refuses what is no location, or no content, and says of neither what it was', async () => {
    const noPair = ['180.1,0', '0,90.0001', '-181,0', '1e2,3', '120.1', '120.1,30.2,5', '120.1，30.2', ' 120.1,30.2'];
    const rows: ReadonlyArray<readonly [body: Record<string, unknown>, member: string, type: string]> = [
      ...[...noPair, '120.1,30.2\n', 'NaN,NaN', ''].map(
        (location) => [{ content: 'x', location }, 'location', 'string_pattern_mismatch'] as const,
      ),
      [{ content: 'x', location: null }, 'location', 'string_type'],
      [{ content: 'x', location: [120.1, 30.2] }, 'location', 'string_type'],
      [{ content: 'x' }, 'location', 'missing'],
      [{ content: '', location: here }, 'content', 'string_too_short'],
      [{ content: 'x'.repeat(4_097), location: here }, 'content', 'string_too_long'],
      [{ content: 7, location: here }, 'content', 'string_type'],
      [{ location: here }, 'content', 'missing'],
    ];
    for (const [body, member, type] of rows) {
      const [answer, wire] = await wireOf(() => scan(gateway, token, body));
      expect([answer.status, answer.body.error.code, wire]).toEqual([422, 'VALIDATION_ERROR', []]);
      expect(answer.body.error.details).toMatchObject([{ loc: ['body', member], type, msg: expect.any(String) }]);
      if (noPair.includes(String(body.location))) expect(answer.text).not.toContain(String(body.location));
    }
  });
});

describe('the way in which a scan is sent', () => {
  it.each(['form', 'json'])('is a setting: as %s', async (SCAN_SIGN_BODY) => {
    await startWith({ SCAN_SIGN_BODY });
    expect((await scan(gateway, token, lasting)).body.success).toBe(true);
  });
});

describe('what a scan and a sign-up tell of a student', () => {
  beforeEach(() => startWith());

  it('is in no log line, no answer of a failure and no byte of the database', async () => {
    const secrets = ['MARKcontent', '121.987654', '31.123456', 'MARKreason'];
    const body = { content: 'MARKcontent', location: '121.987654,31.123456' };
    const answers = [await scan(gateway, token, body), await apply(gateway, token, 3, '?reason=MARKreason')];
    for (const kind of ['reset-after', 'html', 'truncated', 'hang'] as const) {
      const rule = gateway.demo.fault({ system: 'ldjlb', fault: { kind } });
      clock.advance(3_000);
      answers.push(await scan(gateway, token, body), await apply(gateway, token, 3, '?reason=MARKreason'));
      rule.remove();
    }
    answers.push(await scan(gateway, token, { ...body, location: '121.987654;31.123456' }));
    answers.push(await gateway.b('GET', '/ldjlb/labor/MARKcontent', { token }));
    const stored = await gateway.services.storage.sessions.load(first.userid);
    const sealed = stored?.entries.find(({ system }) => system === 'ldjlb')?.state ?? '';
    const ticket = String(JSON.parse(sealed).ticket);
    expect(ticket.length).toBeGreaterThan(8);
    const [log, database] = [gateway.log(), gateway.databaseBytes()];
    expect(log).toContain('/ldjlb/labor/scan_sign');
    for (const secret of [...secrets, ticket, encodeURIComponent(ticket), token]) {
      expect(log.includes(secret), `log: ${secret}`).toBe(false);
      expect(
        answers.some(({ text }) => text.includes(secret)),
        `answers: ${secret}`,
      ).toBe(false);
      expect(database.includes(Buffer.from(secret)), `database: ${secret}`).toBe(false);
    }
    expect(log.includes(first.userid)).toBe(false);
  });
});

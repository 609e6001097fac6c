import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { remoteError } from '../support/application-faults.ts';
import { crowded, damaged, second } from '../support/campus-rig.ts';
import { type Answer, type Gateway, startGateway } from '../support/gateway-rig.ts';
import { clubId, joinClub, laborReads } from '../support/labor-calls.ts';
import { ManualClock } from '../support/manual-clock.ts';

const directoryLine = 'ldjlb POST /User/Club/DoGetPageList';
const applicationsLine = 'ldjlb POST /User/Center/DoGetApplyClubList';
const joinLine = 'ldjlb POST /User/Club/DoApplyJoin';

const series = (number: number): string => `d7f1b3a8-5555-4c22-9e10-000000000${String(number).padStart(3, '0')}`;
const [open, applied, closed] = [series(1), series(2), series(4)];
const because = { reason: '希望参与劳动实践' };

let clock: ManualClock;
let gateway: Gateway;
let token: string;
const startWith = async (env: Record<string, string> = {}): Promise<void> => {
  clock = new ManualClock();
  gateway = await startGateway({ movingClock: clock, env });
  token = await gateway.register(damaged);
};
beforeEach(() => startWith());
afterEach(() => gateway.close());

type Row = Record<string, unknown>;
const get = (path: string, who = token): Promise<Answer> => gateway.b('GET', `/ldjlb/labor/${path}`, { token: who });
const dataOf = async (path: string, who = token): Promise<{ data: Row[]; pageInfo: Row }> => {
  const { status, body, text } = await get(path, who);
  expect([status, body.success, body.error], text).toEqual([200, true, null]);
  return body.data;
};
const wireOf = async <T>(work: () => Promise<T>): Promise<[T, string[]]> => {
  gateway.demo.resetRequests();
  const answer = await work();
  return [answer, gateway.wire()];
};
const applications = async (who = token): Promise<Row[]> => (await dataOf('club/applications', who)).data;

describe('a club without activities', () => {
  const activities = (id: string) => get(`club/${id}/activities`);
  const listed = '获取俱乐部活动列表成功';
  const unknown = '劳动俱乐部目录中没有该俱乐部';

  it('is told from one that does not exist, which costs the directory once', async () => {
    await laborReads.progress.call(gateway, token);
    const [none, wire] = await wireOf(() => activities('no-such-club'));
    expect([none.status, none.body.success, none.body.message, none.body.data.data]).toEqual([200, true, unknown, []]);
    expect(wire).toHaveLength(4);
    clock.advance(60_000);
    const [empty, again] = await wireOf(() => activities(open.toUpperCase()));
    expect([empty.body.message, empty.body.data.data]).toEqual([listed, []]);
    // It is in the list that is kept.
    expect(again).toHaveLength(1);
  });

  it('is one of the first page or a joined one for nothing', async () => {
    await dataOf('joined/clubs');
    await dataOf('clubs');
    const [empty, wire] = await wireOf(() => activities(open));
    expect([empty.body.message, wire.length]).toEqual([listed, 1]);
  });

  it('is not denied where the directory cannot be had', async () => {
    gateway.demo.fault({ system: 'ldjlb', path: '/User/Club/DoGetPageList', fault: { kind: 'status', status: 500 } });
    const { status, body } = await activities('no-such-club');
    expect([status, body.message, body.data.data]).toEqual([200, listed, []]);
  });
});

describe('the directory of clubs', () => {
  it('is paged by the campus, and drops what is no club', async () => {
    const third = await dataOf('clubs?page_index=3&page_size=100');
    expect([third.data.length, third.pageInfo]).toEqual([
      34,
      { TotalItemCount: 235, PageSize: 100, CurrentPageIndex: 3 },
    ]);
    expect((await dataOf('clubs?page_index=9&page_size=50')).data).toEqual([]);
    expect(
      (await dataOf('clubs', await gateway.register(second))).data.slice(0, 3).map(({ IsJoin }) => IsJoin),
    ).toEqual([false, false, true]);
  });

  it.each([
    ['maker', 'Maker 工坊3', 46],
    ['<a&b>', '食堂帮厨 <A&B>2', 46],
    ['  Green  ', 'GREEN 种植园5', 46],
  ])('is searched for %j over all its pages', async (keyword, name, total) => {
    await laborReads.progress.call(gateway, token);
    const path = `clubs?page_size=10&keyword=${encodeURIComponent(keyword)}`;
    const [{ data, pageInfo }, wire] = await wireOf(() => dataOf(path));
    expect(wire).toEqual(Array(3).fill(directoryLine));
    expect([data.length, data[0]?.Name]).toEqual([10, name]);
    expect(pageInfo).toEqual({ TotalItemCount: total, PageSize: 10, CurrentPageIndex: 1 });
    expect((await dataOf(`${path}&page_index=5`)).data).toHaveLength(total - 40);
  });

  it('finds a repeated club once, and nothing for a word that no name has', async () => {
    expect((await dataOf(`clubs?keyword=${encodeURIComponent('重复')}`)).data).toEqual([]);
    expect((await dataOf('clubs?keyword=.*')).pageInfo).toEqual({
      TotalItemCount: 0,
      PageSize: 100,
      CurrentPageIndex: 1,
    });
    expect((await dataOf('clubs?keyword=%20')).data).toHaveLength(100);
  });

  it('fails as a whole when one of the pages of a search does', async () => {
    await laborReads.progress.call(gateway, token);
    const fault = { kind: 'status', status: 500 } as const;
    await get('clubs?keyword=maker');
    gateway.demo.fault({ system: 'ldjlb', path: '/User/Club/DoGetPageList', fault });
    const { status, body } = await get('clubs?keyword=maker');
    expect([status, body.error.code, body.data]).toEqual([...remoteError, null]);
  });
});

describe('a copy of the directory', () => {
  it('answers every search, and holds nothing of what was looked for', async () => {
    await gateway.close();
    await startWith({ FRESH_SECONDS: '10' });
    const [, wire] = await wireOf(async () => {
      await get('clubs?keyword=maker');
      await get('clubs?keyword=green');
    });
    expect(wire.filter((line) => line === directoryLine)).toHaveLength(3);
    // An application may change what the directory says of the caller.
    await joinClub(gateway, token, open, because);
    const [, later] = await wireOf(() => get('clubs?keyword=maker'));
    expect(later).toHaveLength(3);
  });
});

describe('the applications of a student', () => {
  it('come newest first with their state, whatever order and forms the campus sends', async () => {
    await laborReads.progress.call(gateway, token);
    const [rows, wire] = await wireOf(() => applications());
    expect(wire).toEqual([applicationsLine]);
    expect(rows).toEqual([
      {
        ID: 'apply-4',
        ClubID: applied,
        ClubName: '食堂帮厨 <A&B>2',
        Reason: '想学 <做饭> & 刀工',
        AddTime: '2026-03-18 08:00:00',
        ReplyComment: '',
        IsAgree: null,
        StateName: '',
        status: 'pending',
      },
      expect.objectContaining({
        ID: 'apply-3',
        AddTime: '2026-03-15T10:00:00',
        StateName: '已失效',
        status: 'rejected',
      }),
      expect.objectContaining({ ID: 'apply-2', IsAgree: true, ReplyComment: '同意加入', status: 'approved' }),
      expect.objectContaining({ ID: 'apply-1', IsAgree: false, status: 'rejected' }),
    ]);
  });

  it('are all of them for a student with more than a page, and none for a newcomer', async () => {
    gateway.demo.addStudent(crowded);
    const other = await gateway.register(crowded);
    await laborReads.progress.call(gateway, other);
    const [rows, wire] = await wireOf(() => applications(other));
    expect(wire).toEqual([applicationsLine, applicationsLine]);
    expect([rows.length, new Set(rows.map(({ ID }) => ID)).size]).toEqual([104, 104]);
    const times = rows.map(({ AddTime }) => String(AddTime));
    expect(times).toEqual(times.toSorted().toReversed());
    const newcomer = { userid: '2023000009', password: 'newcomer-pass', vpnPassword: 'newcomer-vpn' };
    gateway.demo.addStudent({ ...newcomer, newcomer: true });
    expect(await applications(await gateway.register(newcomer))).toEqual([]);
  });
});

describe('applying for a club', () => {
  it('is accepted in the words of the campus, sent once without blanks around the reason, and shows', async () => {
    await laborReads.progress.call(gateway, token);
    const reason = '  想 <学> & 做+🌱  ';
    const [{ status, body }, wire] = await wireOf(() => joinClub(gateway, token, open, { reason }));
    expect([status, body.success, body.message, body.data, body.error]).toEqual([
      200,
      true,
      '申请已提交',
      { code: 0, msg: '申请已提交' },
      null,
    ]);
    expect(wire).toEqual([joinLine]);
    const [own] = await applications();
    expect(own).toMatchObject({ ClubID: open, Reason: reason.trim(), status: 'pending' });
    // Personal text: not in the log, not in clear in the database, not at another student's.
    await gateway.services.reads.close();
    expect(gateway.databaseBytes().includes('想 <学>')).toBe(false);
    expect(gateway.log()).not.toContain('想 <学>');
    const other = await gateway.register(second);
    expect(JSON.stringify(await applications(other))).not.toContain('想 <学>');
  });

  it('is refused in the words of the campus, at the cost of one request', async () => {
    await laborReads.progress.call(gateway, token);
    for (const [club, code, msg] of [
      ['unknown', 1, '俱乐部不存在'],
      [closed, 1, '俱乐部未开放申请'],
      [clubId(10), 2, '您已加入该俱乐部'],
      [applied, 3, '您的申请正在审核中'],
    ] as const) {
      const [{ status, body }, wire] = await wireOf(() => joinClub(gateway, token, club, because));
      expect([status, body.success, body.message]).toEqual([200, false, msg]);
      expect([body.data, body.error]).toEqual([{ code, msg }, null]);
      expect(wire).toEqual([joinLine]);
    }
  });

  it('passes a club on as it is given', async () => {
    const { body } = await joinClub(gateway, token, encodeURIComponent('a/b?&=%<中>'), because);
    expect(body.data).toEqual({ code: 1, msg: '俱乐部不存在' });
  });

  it.each([
    ['{"code":0,"msg":null}', true, '申请已提交', { code: 0, msg: '' }],
    ['{"code":"0","msg":" "}', true, '申请已提交', { code: 0, msg: ' ' }],
    ['{"code":9,"msg":null}', false, '申请提交失败', { code: 9, msg: '' }],
    ['{"code":9,"msg":"人数已满","data":{}}', false, '人数已满', { code: 9, msg: '人数已满' }],
  ])('answered %s has our words only where the campus has none', async (body, success, message, data) => {
    const fault = { kind: 'body', type: 'application/json', body } as const;
    gateway.demo.fault({ system: 'ldjlb', path: '/User/Club/DoApplyJoin', fault });
    const answer = await joinClub(gateway, token, open, because);
    expect([answer.status, answer.body.success, answer.body.message, answer.body.data]).toEqual([
      200,
      success,
      message,
      data,
    ]);
  });

  it('whose answer is lost may have done its work, which the applications then show', async () => {
    await laborReads.progress.call(gateway, token);
    gateway.demo.fault({ system: 'ldjlb', path: '/User/Club/DoApplyJoin', fault: { kind: 'reset-after' } });
    expect((await joinClub(gateway, token, open, because)).status).toBe(504);
    expect((await applications())[0]).toMatchObject({ ClubID: open, status: 'pending' });
  });
});

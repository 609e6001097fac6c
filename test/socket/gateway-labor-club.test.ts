import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { DemoFault } from '../../src/demo/types.ts';
import {
  jsonAnswer,
  lateAnswers,
  nullResponse,
  remoteError,
  spoiltReads,
  spoiltWalks,
  tooLate,
} from '../support/application-faults.ts';
import { crowded, damaged, second } from '../support/campus-rig.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { activityId, clubId, laborReadNames, laborReads, signItemId } from '../support/labor-calls.ts';
import { ManualClock } from '../support/manual-clock.ts';

const messages = {
  progress: '获取劳动俱乐部修课进度成功',
  joinedActivities: '获取已加入的劳动活动列表成功',
  joinedClubs: '获取已加入的劳动俱乐部列表成功',
  clubActivities: '获取俱乐部活动列表成功',
  signList: '获取签到列表成功',
  detail: '获取活动详情成功',
  clubs: '获取劳动俱乐部目录成功',
  applications: '获取俱乐部申请记录成功',
} as const;

const walk = ['cas GET /cas/login', 'ldjlb GET /User/Index/CoreLoginCallback'];
const renewals = (wire: string[]) => wire.filter((line) => !line.startsWith('ldjlb POST'));

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

  it.each(laborReadNames)('%s succeeds for both students', async (name) => {
    for (const token of [tokens.damaged, tokens.second]) {
      const { status, body } = await laborReads[name].call(gateway, token);
      expect([status, body.success, body.message, body.error]).toEqual([200, true, messages[name], null]);
    }
  });

  it('has every member of the progress', async () => {
    expect(await dataOf('progress')).toEqual({ data: 1, finish_count: 1, progress_percentage: 10 });
    expect(await dataOf('progress', tokens.second)).toEqual({ data: 12, finish_count: 12, progress_percentage: 100 });
    expect(await dataOf('progress', tokens.newcomer)).toEqual({ data: 0, finish_count: 0, progress_percentage: 0 });
  });

  const facts = {
    ID: activityId(1),
    Ico: null,
    State: 5,
    TypeID: '0b7a4c1e-1111-4c53-8f0e-000000000001',
    TypeName: '校园服务',
    Title: '图书馆书架整理',
    StartTime: '2026-03-18 09:00:00',
    EndTime: '2026-04-17 10:00:00',
    ChargeUserNo: 'T1024',
    ChargeUserName: '梁秋',
    ClubID: clubId(10),
    ClubName: '园艺劳动俱乐部',
    MemberNum: 18,
    AddTime: '2026-03-07 10:00:00',
    PeopleNum: 20,
    PeopleNumMin: 5,
    IsClose: false,
    SignUpStartTime: '2026-03-08 10:00:00',
    SignUpEndTime: '2026-03-17 10:00:00',
  };

  it('has every member of the joined activities', async () => {
    const { data, pageInfo } = await dataOf('joined/activities');
    expect(data).toHaveLength(2);
    expect(data[0]).toEqual({ ...facts, StateName: '进行中', IsJson: true });
    expect(pageInfo).toEqual({ TotalItemCount: 2, PageSize: 100, CurrentPageIndex: 1 });
  });

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

  it('has every member of the clubs, named as the campus spells them', async () => {
    const club = {
      ID: clubId(10),
      Name: '园艺劳动俱乐部',
      TypeID: '0b7a4c1e-1111-4c53-8f0e-000000000009',
      PeopleNum: 200,
      ProjectID: '9a8b7c6d-3333-4b22-9d11-000000000003',
      PorjectName: '劳动教育',
      TypeName: '校级',
      Ico: '/upload/club/10.png',
      Desc: null,
      ChairmanNo: 'T1010',
      CairmanName: '梁秋',
      DepartCode: '0301',
      Contact: null,
      IsEnable: true,
      DpeartName: '后勤中心',
      MemberNum: 156,
    };
    const odd = { TypeName: '', Ico: '', PeopleNum: 60, MemberNum: 0, IsEnable: true, DepartCode: '302' };
    expect(await dataOf('joined/clubs')).toEqual({
      data: [club, { ...club, ...odd, ID: clubId(11), Name: '木工坊', ChairmanNo: 'T1011' }],
    });
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
    const { data } = await dataOf(`club/${clubId(10)}/activities`);
    expect(data[0]).toEqual({ ...facts, StateName: '进行中', IsJson: true });
    expect(data.map(({ StateName }: { StateName: string }) => StateName)).toEqual([
      '进行中',
      '未开始',
      '报名中',
      '已报满',
    ]);
    expect(data.map(({ IsJson }: { IsJson: unknown }) => IsJson)).toEqual([true, false, null, false]);
  });

  it.each([
    'page_index=0',
    'page_index=x',
    'page_index=1.5',
    'page_index=',
    'page_size=0',
    'page_size=101',
    'page_size=-1',
  ])('refuses %s without asking the campus', async (query) => {
    gateway.demo.resetRequests();
    const { status, body } = await get(`club/${clubId(20)}/activities?${query}`);
    expect([status, body.error.code, body.error.details[0].loc]).toEqual([
      422,
      'VALIDATION_ERROR',
      ['query', query.split('=')[0]],
    ]);
    expect(gateway.wire()).toEqual([]);
  });

  it('has every member of the sign-in list: two items, one, and none', async () => {
    const item = (number: number, StartTime: string, EndTime: string, SignTime: string) => {
      const ID = signItemId(number);
      return { ID, Type: 1, TypeName: '签到', StartTime, EndTime, IsSign: SignTime !== '', SignTime };
    };
    expect(await dataOf(`${activityId(1)}/sign_list`)).toEqual({
      code: 0,
      data: [
        item(77, '2026-03-18 09:00:00', '2026-04-17 10:00:00', ''),
        item(78, '2026-03-18 10:00:00', '2026-03-18 10:02:00', ''),
      ],
    });
    expect(await dataOf(`${activityId(6)}/sign_list`)).toEqual({
      code: 0,
      data: [item(61, '2026-02-26 10:00:00', '2026-02-26 11:00:00', '2026-02-26 10:00:00')],
    });
    expect(await dataOf(`${activityId(3)}/sign_list`)).toEqual({ code: 0, data: [] });
  });

  const step = (number: number, more: object) => ({
    ID: `e0000000-6666-4000-8000-00000000000${number}`,
    FlowType: number,
    FlowTypeName: number === 1 ? '指导老师审核' : '院系审核',
    UserNo: null,
    UserName: '梁秋',
    ...more,
  });
  const approved = (AddTime: string, ExamTime: string) =>
    step(1, { IsAdopt: true, ExamUserNo: 'T2048', ExamUserName: '周宁', ExamComment: '同意', AddTime, ExamTime });

  it('has every member of the detail', async () => {
    const detail = await dataOf(`${activityId(1)}/detail`);
    expect(detail).toEqual({
      code: 0,
      data: { ...facts, ApplyIsNeedExam: false, IsMember: true, IsManager: false },
      formData: [
        {
          ID: 'f0000000-5555-4000-8000-000000000001',
          Name: '活动地址',
          IsMust: true,
          FieldType: 1,
          Value: '图书馆二楼',
        },
        {
          ID: 'f0000000-5555-4000-8000-000000000002',
          Name: '活动内容',
          IsMust: false,
          FieldType: 2,
          Value: '图书馆书架整理',
        },
      ],
      flowData: [approved('2026-03-07 10:00:00', '2026-03-07 16:00:00')],
      VenueReserveData: [{ VenueName: '图书馆二楼', Floor: 2 }],
      teacherList: [
        {
          UserName: '梁秋',
          ID: 'd0000000-7777-4000-8000-000000000001',
          ActivityID: activityId(1),
          UserNo: 'T1024',
          AddTime: '2026-03-07 10:00:00',
          AddUserNo: 'T1024',
        },
      ],
    });
  });

  it('has a pending step, a missing form value and null lists in the detail as what they are: empty', async () => {
    const detail = await dataOf(`${activityId(3)}/detail`);
    const AddTime = '2026-03-14 10:00:00';
    const pending = { IsAdopt: false, ExamUserNo: '', ExamUserName: '', ExamComment: '', AddTime, ExamTime: '' };
    expect(detail.flowData).toEqual([approved(AddTime, '2026-03-14 16:00:00'), step(2, pending)]);
    expect([detail.formData[1].Value, detail.VenueReserveData, detail.data.ApplyIsNeedExam]).toEqual(['', [], true]);
    expect([detail.data.IsMember, detail.data.IsClose]).toEqual([false, null]);
  });

  it('passes the refusal of an unknown activity on', async () => {
    const detail = await get('nobody-knows/detail');
    expect([detail.status, detail.body]).toMatchObject([
      200,
      {
        success: false,
        message: '获取活动详情失败',
        error: null,
        data: { code: 1, data: null, formData: [], flowData: [], VenueReserveData: [], teacherList: [] },
      },
    ]);
    const signList = await get('nobody-knows/sign_list');
    expect([signList.status, signList.body]).toMatchObject([
      200,
      { success: false, message: '获取签到列表失败', error: null, data: { code: 1, data: [] } },
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

  it.each([
    ['GET', 'club//activities'],
    ['GET', 'club/%20%20/activities'],
    ['GET', '/sign_list'],
    ['GET', '%20/sign_list'],
    ['GET', '/detail'],
    ['GET', '%09/detail'],
    ['POST', 'activity//apply'],
    ['POST', 'activity/%E3%80%80/apply'],
  ])(
    'answers a blank path value of %s %s with 400, after the token, without asking the campus',
    async (method, path) => {
      gateway.demo.resetRequests();
      const answer = await gateway.b(method, `/ldjlb/labor/${path}`, { token: tokens.damaged });
      expect([answer.status, answer.body.error.code]).toEqual([400, 'EMPTY_PATH']);
      const stranger = await gateway.b(method, `/ldjlb/labor/${path}`);
      expect([stranger.status, stranger.body.error.code]).toEqual([401, 'INVALID_AUTHENTICATION']);
      expect(gateway.wire()).toEqual([]);
    },
  );

  it('never mixes two students who ask at the same time', async () => {
    const students = ['damaged', 'second'] as const;
    const paths = ['progress', 'joined/clubs', 'joined/activities'];
    const alone = new Map<string, unknown>();
    for (const who of students) {
      for (const path of paths) alone.set(who + path, await dataOf(path, tokens[who]));
    }
    const mixed = await Promise.all(
      Array.from({ length: 24 }, async (_, i) => {
        const [who, path] = [students[i % 2] ?? 'damaged', paths[i % 3] ?? ''];
        return [who + path, await dataOf(path, tokens[who])] as const;
      }),
    );
    for (const [key, data] of mixed) expect(data).toEqual(alone.get(key));
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

  it('the first read after a login: a ticket by the ticket-granting cookie, and the read', async () => {
    const wire = await gateway.wireOf(() => laborReads.progress.call(gateway, token));
    expect(wire).toEqual([...walk, `ldjlb POST ${laborReads.progress.upstream}`]);
  });

  it.each(laborReadNames)('%s: 1', async (name) => {
    const { upstream, call } = laborReads[name];
    expect(await gateway.wireOf(() => call(gateway, token))).toEqual([`ldjlb POST ${upstream}`]);
  });

  it('a dead ticket: one renewal, whatever the number of concurrent calls', async () => {
    gateway.demo.student(damaged.userid).expireTicket('ldjlb');
    const calls = Array.from({ length: 4 }, () => laborReadNames).flat();
    const wire = await gateway.wireOf(...calls.map((name) => () => laborReads[name].call(gateway, token)));
    expect(renewals(wire)).toEqual(walk);
  });

  it('an unknown activity: one renewal a minute at most, not one per call', async () => {
    clock.advance(60_000);
    gateway.demo.resetRequests();
    for (const id of ['a', 'b', 'c']) await gateway.b('GET', `/ldjlb/labor/${id}/detail`, { token });
    expect(renewals(gateway.wire())).toEqual(walk);
    expect(gateway.wire()).toHaveLength(4 + walk.length);
  });

  it('the ticket is not that of the activity score: each system renews its own', async () => {
    await gateway.b('GET', '/aac/credit/list', { token });
    gateway.demo.student(damaged.userid).expireTicket('aac');
    const wire = await gateway.wireOf(() => laborReads.progress.call(gateway, token));
    expect(wire).toEqual([`ldjlb POST ${laborReads.progress.upstream}`]);
  });

  it('a new portal session goes with the stored ticket', async () => {
    gateway.demo.student(damaged.userid).expirePortal();
    const read = `ldjlb POST ${laborReads.joinedClubs.upstream}`;
    expect(await gateway.wireOf(() => laborReads.joinedClubs.call(gateway, token))).toEqual([
      read,
      'vpn GET /por/login_auth.csp',
      'vpn POST /por/login_psw.csp',
      read,
    ]);
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
  const others = laborReadNames.filter((name) => name !== 'progress');

  it.each(spoiltReads)('%s: every read says so and shows no data', async (name, fault, expected) => {
    // The finished count has a second source where its address is missing.
    const asked = name === 'answers 404' ? others : laborReadNames;
    for (const { status, body } of await underFault(fault, asked)) {
      expect([status, body.error?.code, body.success, body.data]).toEqual([...expected, false, null]);
    }
  });

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

  it('answers null data: no activity is an error, no rows are an empty list', async () => {
    const [progress, joined, clubs, ofClub, signs, detail] = await underFault(jsonAnswer({ code: 0, data: null }));
    expect([progress, joined, clubs, ofClub, signs].map((answer) => answer?.status)).toEqual(Array(5).fill(200));
    expect([progress?.body.data.data, joined?.body.data.data, clubs?.body.data.data]).toEqual([0, [], []]);
    expect([ofClub?.body.data.data, signs?.body.data.data]).toEqual([[], []]);
    expect([detail?.status, detail?.body.error.code]).toEqual([...nullResponse]);
  });

  it.each(spoiltWalks)('gives no ticket when its way in %s: an error of the campus', async (_name, fault) => {
    clock.advance(61_000);
    gateway.demo.student(damaged.userid).expireTicket('ldjlb');
    gateway.demo.fault({ system: 'ldjlb', path: '/User/Index/CoreLoginCallback', fault });
    const { status, body } = await laborReads.joinedClubs.call(gateway, token);
    expect([status, body.error.code, body.data]).toEqual([...remoteError, null]);
    gateway.demo.clearFaults();
    expect((await laborReads.joinedClubs.call(gateway, token)).status).toBe(200);
  });

  it('behind a portal that wants a captcha: an error of the campus that says when to come back', async () => {
    gateway.demo.student(damaged.userid).expirePortal();
    gateway.demo.fault({ system: 'vpn', fault: { kind: 'captcha' } });
    const { status, body, headers } = await laborReads.detail.call(gateway, token);
    expect([status, body.error.code]).toEqual([...remoteError]);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('a labor club that is late', () => {
  it.each(lateAnswers)('%s: every read says so', async (_name, fault) => {
    const gateway = await startGateway({ movingClock: new ManualClock() });
    try {
      const token = await gateway.register(damaged);
      await laborReads.progress.call(gateway, token);
      gateway.demo.fault({ system: 'ldjlb', fault });
      const answers = await Promise.all(laborReadNames.map((name) => laborReads[name].call(gateway, token)));
      expect(answers.map(({ status, body }) => [status, body.error?.code])).toEqual(
        laborReadNames.map(() => [...tooLate]),
      );
    } finally {
      await gateway.close();
    }
  });
});

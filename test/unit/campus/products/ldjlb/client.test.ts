import { beforeEach, describe, expect, it } from 'vitest';
import { createLdjlbClient } from '../../../../../src/campus/products/ldjlb/index.ts';
import { failures } from '../../../../../src/domain/errors.ts';
import { callContext } from '../../../../support/campus-rig.ts';
import { FakeTicketCampus, formOf, student } from '../../../../support/fake-ticket-campus.ts';
import { ManualClock } from '../../../../support/manual-clock.ts';

const path = {
  count: '/User/Activity/GetMyFinishCount',
  info: '/User/Center/DoGetScoreInfo',
  joined: '/User/Activity/DoGetJoinPageList',
  clubs: '/User/Club/DoGetJoinList',
  ofClub: '/User/Activity/DoGetPageList',
  apply: '/User/Activity/DoApplyJoin',
  scan: '/User/Center/DoScanSignQRImage',
  signs: '/User/Activity/DoGetSignList',
  detail: '/User/Activity/DoGetDetail',
  directory: '/User/Club/DoGetPageList',
  applications: '/User/Center/DoGetApplyClubList',
};
const ok = (data: unknown, more: object = {}) => ({ code: 0, msg: '', data, ...more });
const refusal = { code: 7, msg: '活动不存在', data: null };

let campus: FakeTicketCampus;
let clock: ManualClock;
let client: ReturnType<typeof createLdjlbClient>;
beforeEach(() => {
  campus = new FakeTicketCampus();
  clock = new ManualClock();
  client = createLdjlbClient({ sessions: campus, clock, scanBody: 'form' });
});

const context = callContext();

describe('progress', () => {
  const finished = () => client.finishedCount(student, context);

  it.each([
    [3, 3],
    ['3', 3],
    [0, 0],
    [3.9, 3],
    [null, 0],
    [undefined, 0],
    ['', 0],
    [{ SumScore: 6, Progress: 37.5 }, 3],
    [{ Progress: '100' }, 10],
    [{ Progress: -5 }, 0],
    [{ Progress: null }, 0],
  ])('reads %j as %d finished activities', async (data, count) => {
    campus.answers(path.count, { code: 0, data });
    expect(await finished()).toBe(count);
    expect(campus.paths).toEqual([path.count]);
  });

  it.each([[[]], [{}], ['many'], [true], [-1], [{ Progress: '30%' }], [{ Progress: {} }]])(
    'does not show %j as no activity',
    async (data) => {
      campus.answers(path.count, ok(data));
      await expect(finished()).rejects.toMatchObject({ kind: 'upstream-unreadable' });
    },
  );

  it('asks for the percentage where the count is not offered', async () => {
    campus.does(path.count, () =>
      Promise.reject(failures.upstreamUnavailable(undefined, undefined, { upstreamStatus: 404 })),
    );
    campus.answers(path.info, ok({ SumScore: 6, Progress: 30 }));
    expect(await finished()).toBe(3);
    expect([campus.paths, campus.renewals]).toEqual([[path.count, path.info], 0]);
  });

  it('asks for the percentage after a refusal that a new ticket does not heal', async () => {
    campus.answers(path.count, refusal);
    campus.answers(path.info, ok({ Progress: 45 }));
    expect(await finished()).toBe(4);
    expect([campus.paths, campus.renewals]).toEqual([[path.count, path.count, path.info], 1]);
  });

  it.each([
    [ok(null), 'upstream-empty'],
    [ok({ SumScore: 6 }), 'upstream-unreadable'],
    [ok({ SumScore: 6, Progress: '…' }), 'upstream-unreadable'],
    [refusal, 'upstream-refused'],
  ])('is an error when neither source says it: %j', async (answer, kind) => {
    campus.answers(path.count, refusal);
    campus.answers(path.info, answer);
    await expect(finished()).rejects.toMatchObject({ kind });
  });

  it('does not fall back when the campus is down', async () => {
    campus.does(path.count, () =>
      Promise.reject(failures.upstreamUnavailable(undefined, undefined, { upstreamStatus: 503 })),
    );
    await expect(finished()).rejects.toMatchObject({ kind: 'upstream-unavailable' });
    expect(campus.paths).toEqual([path.count]);
  });
});

const full = (from: number, count = 100) =>
  Array.from({ length: count }, (_, index) => ({ ID: `a${from + index}`, Title: 'T' }));
const info = (TotalItemCount: unknown, PageSize: unknown = 100, CurrentPageIndex: unknown = 1) => ({
  pageInfo: { TotalItemCount, PageSize, CurrentPageIndex },
});

describe('activities', () => {
  const joined = () => client.joinedActivities(student, context);
  const pages = (...all: object[]) =>
    campus.does(path.joined, (request) => JSON.stringify(all[Number(formOf(request).pageIndex) - 1] ?? ok([])));

  it('have the members that are declared, each of its type', async () => {
    const row = {
      Title: ' 图书馆 ',
      State: '2',
      ChargeUserNo: 1024,
      IsJson: '1',
      IsClose: 'False',
      SignUpEndTime: null,
    };
    pages(ok([{ ...row, Unknown: 1 }], info(1)));
    const { data, pageInfo } = await joined();
    const read = { State: 2, ChargeUserNo: '1024', IsJson: true, IsClose: false, SignUpEndTime: '' };
    expect(data).toMatchObject([{ Title: ' 图书馆 ', ...read }]);
    expect(data[0]).not.toHaveProperty('Unknown');
    expect(pageInfo).toEqual({ TotalItemCount: 1, PageSize: 100, CurrentPageIndex: 1 });
  });

  it('are counted as the campus counts them, with its usual page where it says none', async () => {
    pages(ok(null, info(0, null, null)));
    expect((await joined()).pageInfo).toEqual({ TotalItemCount: 0, PageSize: 20, CurrentPageIndex: 1 });
    pages(ok(null, info('3')));
    await expect(joined()).rejects.toMatchObject({ kind: 'upstream-unreadable' });
  });

  it('keep the id of a row that a number cannot hold', async () => {
    campus.answers(path.joined, '{"code":0,"data":[{"ID":1298765432109876543,"Title":"T"}]}');
    expect((await joined()).data[0]?.ID).toBe('1298765432109876543');
  });

  it('are read to the stated total, 100 at a time, and are one page then', async () => {
    pages(ok(full(0), info(250)), ok(full(100), info(250, 100, 2)), ok(full(200, 50), info(250, 100, 3)));
    const { data, pageInfo } = await joined();
    expect([data.length, pageInfo]).toEqual([250, { TotalItemCount: 250, PageSize: 100, CurrentPageIndex: 1 }]);
    expect(campus.requests.map((request) => formOf(request))).toEqual([
      { pageIndex: '1', pageSize: '100' },
      { pageIndex: '2', pageSize: '100' },
      { pageIndex: '3', pageSize: '100' },
    ]);
  });

  it('count at least the rows received, even if the last page states fewer', async () => {
    pages(ok(full(0), info(150)), ok([], info(0)));
    expect((await joined()).pageInfo).toEqual({ TotalItemCount: 100, PageSize: 100, CurrentPageIndex: 1 });
  });
});

describe.each<[string, string, () => Promise<unknown>]>([
  ['joined activities', path.joined, async () => (await client.joinedActivities(student, context)).data],
  [
    'activities of a club',
    path.ofClub,
    async () => (await client.clubActivities(student, { clubId: 'c', page: 1, pageSize: 30 }, context)).data,
  ],
  ['joined clubs', path.clubs, async () => (await client.joinedClubs(student, context)).data],
  ['sign-in items', path.signs, async () => (await client.signItems(student, 'a1', context)).data],
  [
    'the directory',
    path.directory,
    async () => (await client.directoryPage(student, { page: 1, pageSize: 100 }, context)).data,
  ],
  ['applications', path.applications, () => client.clubApplications(student, context)],
])('the list of %s', (_, at, read) => {
  it.each([[null], [[]], [{ rows: [] }]])('is empty when the data is %j', async (data) => {
    campus.answers(at, ok(data));
    expect(await read()).toEqual([]);
  });

  it.each([['text'], [{}], [5], [[{ url: '/login' }, 'x']]])('is unreadable when the data is %j', async (data) => {
    campus.answers(at, ok(data));
    await expect(read()).rejects.toMatchObject({ kind: 'upstream-unreadable' });
  });
});

describe('activities of a club', () => {
  const ofClub = (page = 2) => client.clubActivities(student, { clubId: 'c', page, pageSize: 30 }, context);

  it.each([
    [full(0, 12), { TotalItemCount: 42, PageSize: 30, CurrentPageIndex: 2 }],
    [[], { TotalItemCount: 0, PageSize: 30, CurrentPageIndex: 2 }],
    [null, { TotalItemCount: 0, PageSize: 30, CurrentPageIndex: 2 }],
  ])('have a page description of our own where the campus sends none', async (data, page) => {
    campus.answers(path.ofClub, ok(data));
    expect((await ofClub()).pageInfo).toEqual(page);
  });

  it('are an empty list behind the last page, but unreadable on a first page that counts some and has none', async () => {
    campus.answers(path.ofClub, ok([], info(75, 30, 2)));
    expect((await ofClub(4)).data).toEqual([]);
    await expect(ofClub(1)).rejects.toMatchObject({ kind: 'upstream-unreadable' });
  });
});

describe('clubs', () => {
  const clubs = () => client.joinedClubs(student, context);

  it('are the same when the campus corrects its misspellings', async () => {
    campus.answers(path.clubs, ok([{ ID: 'c', PorjectName: '劳动教育', CairmanName: '林晓', DpeartName: '后勤中心' }]));
    const misspelled = await clubs();
    expect(misspelled.data).toMatchObject([{ PorjectName: '劳动教育', CairmanName: '林晓', DpeartName: '后勤中心' }]);
    campus.answers(
      path.clubs,
      ok([{ ID: 'c', ProjectName: '劳动教育', ChairmanName: '林晓', DepartName: '后勤中心' }]),
    );
    expect(await clubs()).toEqual(misspelled);
  });

  it('are enabled unless the campus says otherwise', async () => {
    campus.answers(path.clubs, ok([{ ID: 'c' }, { ID: 'd', IsEnable: null }, { ID: 'e', IsEnable: '0' }]));
    expect((await clubs()).data.map(({ IsEnable }) => IsEnable)).toEqual([true, true, false]);
  });
});

describe('sign-in items', () => {
  const signs = () => client.signItems(student, 'a&1', context);

  it('are of kind 1, with an empty time while not signed', async () => {
    const row = { ID: 's', TypeName: '签到', StartTime: 'x', EndTime: 'y', IsSign: 'true', SignTime: 'z' };
    campus.answers(path.signs, ok([row, { ID: 's2', Type: 2, IsSign: null, SignTime: null }]));
    expect(await signs()).toEqual({
      code: 0,
      data: [
        { ID: 's', Type: 1, TypeName: '签到', StartTime: 'x', EndTime: 'y', IsSign: true, SignTime: 'z' },
        { ID: 's2', Type: 2, TypeName: '', StartTime: '', EndTime: '', IsSign: false, SignTime: '' },
      ],
    });
    expect(formOf(campus.requests[0]!)).toEqual({ activityID: 'a&1', type: '1', pageIndex: '1', pageSize: '100' });
  });

  it.each([
    [refusal, 7],
    [{ data: [] }, -1],
  ])('carry the code of a refusal that a new ticket does not heal: %j', async (answer, code) => {
    campus.answers(path.signs, answer);
    expect(await signs()).toEqual({ code, data: [] });
    expect(campus.renewals).toBe(1);
  });
});

describe('the detail of an activity', () => {
  const detail = () => client.activityDetail(student, 'a1', context);

  it('takes the lists beside the data, null as empty, and passes reserved places on', async () => {
    const step = { ID: 'e', IsAdopt: null, FlowType: 1, UserNo: null, ExamComment: null };
    const more = { formData: [{ ID: 'f', Value: null }], flowData: [step, 7], VenueReserveData: [1, { a: [2] }] };
    campus.answers(
      path.detail,
      ok({ ID: 'a1', IsMember: '1', PeopleNumMin: null, SignList: [] }, { ...more, teacherList: null }),
    );
    expect(await detail()).toEqual({
      code: 0,
      data: expect.objectContaining({ ID: 'a1', IsMember: true, IsManager: false, PeopleNumMin: null, Title: '' }),
      formData: [{ ID: 'f', Name: '', IsMust: false, FieldType: 1, Value: '' }],
      flowData: [
        {
          ...{ ID: 'e', IsAdopt: false, FlowType: 1, FlowTypeName: '', UserNo: null, UserName: '' },
          ...{ ExamUserNo: '', ExamUserName: '', ExamComment: '', AddTime: '', ExamTime: '' },
        },
      ],
      VenueReserveData: [1, { a: [2] }],
      teacherList: [],
    });
    expect(formOf(campus.requests[0]!)).toEqual({ id: 'a1' });
  });

  it('has only a code when refused', async () => {
    campus.answers(path.detail, { ...refusal, formData: null });
    const nothing = { data: null, formData: [], flowData: [], VenueReserveData: [], teacherList: [] };
    expect(await detail()).toEqual({ code: 7, ...nothing });
  });

  it.each([
    [null, 'upstream-empty'],
    [[], 'upstream-unreadable'],
    [{}, 'upstream-unreadable'],
  ])('is an error when the data is %j', async (data, kind) => {
    campus.answers(path.detail, ok(data));
    await expect(detail()).rejects.toMatchObject({ kind });
  });

  it('is unreadable when a list is no list', async () => {
    campus.answers(path.detail, ok({ ID: 'a1' }, { flowData: 'text' }));
    await expect(detail()).rejects.toMatchObject({ kind: 'upstream-unreadable' });
  });
});

describe('a write', () => {
  beforeEach(() => campus.answers(path.clubs, ok([])));
  const signUp = () => client.signUp(student, { activityId: 'a&1', reason: '加入 课程' }, context);
  const scan = (content = 'SIGN|1', of = client) => of.scan(student, { content, location: '120.1,30.2' }, context);
  const accepted = { code: 0, msg: '报名成功', data: null };
  const read = () => client.joinedClubs(student, context);

  it('is preceded by one cheap read while the ticket is unproven, and goes alone afterwards', async () => {
    campus.answers(path.apply, accepted);
    expect(await signUp()).toEqual({ code: 0, message: '报名成功' });
    expect(await signUp()).toEqual({ code: 0, message: '报名成功' });
    expect(campus.paths).toEqual([path.clubs, path.apply, path.apply]);
    expect(campus.requests.map(({ write = false }) => write)).toEqual([false, true, true]);
    expect(formOf(campus.requests[1]!)).toEqual({ activityID: 'a&1', reason: '加入 课程' });
  });

  it.each([
    [8, 0],
    [11, 1],
  ])('%d minutes after any good answer costs %d proving reads', async (minutes, proving) => {
    campus.answers(path.apply, accepted);
    await read();
    clock.advance(minutes * 60_000);
    campus.requests.length = 0;
    await signUp();
    expect(campus.paths).toEqual([...Array(proving).fill(path.clubs), path.apply]);
  });

  it.each([
    ['a refusal proves nothing', { code: 1, msg: '报名人数已满' }, 8, 4, 1],
    ['an acceptance does', accepted, 8, 4, 0],
    ['a clock that was set back proves nothing', accepted, 0, -2, 1],
  ])('%s', async (_, answer, before, between, proving) => {
    campus.answers(path.apply, answer);
    await read();
    clock.advance(before * 60_000);
    await signUp();
    clock.advance(between * 60_000);
    campus.requests.length = 0;
    await signUp();
    expect(campus.paths).toEqual([...Array(proving).fill(path.clubs), path.apply]);
  });

  it('meets a new ticket when the proving read was refused', async () => {
    let refused = 0;
    campus.does(path.clubs, () => JSON.stringify(refused++ === 0 ? refusal : ok([])));
    campus.answers(path.apply, accepted);
    await signUp();
    expect([campus.paths, campus.renewals]).toEqual([[path.clubs, path.clubs, path.apply], 1]);
  });

  it('is not sent when no ticket can be proven', async () => {
    campus.answers(path.clubs, refusal);
    await expect(signUp()).rejects.toMatchObject({ kind: 'upstream-refused' });
    expect(campus.paths).not.toContain(path.apply);
  });

  it('that is refused is a result: no renewal, no repetition', async () => {
    campus.answers(path.apply, { code: 401, msg: '登录已失效', data: null });
    expect(await signUp()).toEqual({ code: 401, message: '登录已失效' });
    expect([campus.paths, campus.renewals]).toEqual([[path.clubs, path.apply], 0]);
  });

  it.each([
    'text',
    '[]',
    '{"code":0,"ms',
    '{}',
    '{"code":null}',
    '{"code":"0.0"}',
    '{"msg":"ok"}',
    '{"code":0,"success":false}',
  ])('whose answer is %s has an unknown outcome and is not repeated', async (answer) => {
    campus.answers(path.apply, answer);
    await expect(signUp()).rejects.toMatchObject({ kind: 'outcome-unknown', upstreamStatus: 200 });
    expect([campus.paths, campus.renewals]).toEqual([[path.clubs, path.apply], 0]);
  });

  it('of a scan carries the details of the campus as texts', async () => {
    const data = { ID: 'x', Count: 2, Ok: true, Nothing: null, Deep: { a: [1] } };
    campus.answers(path.scan, { code: 0, msg: null, data });
    expect(await scan()).toEqual({
      code: 0,
      message: '',
      details: { ID: 'x', Count: '2', Ok: 'true', Nothing: 'null', Deep: '{"a":[1]}' },
    });
  });

  it.each([[null], [undefined], ['text'], [[1]], [7]])('of a scan has no details when the data is %j', async (data) => {
    campus.answers(path.scan, { code: 1, msg: '不在签到范围内', data });
    expect(await scan()).toEqual({ code: 1, message: '不在签到范围内', details: {} });
  });

  it('of a scan is a form by default and JSON by setting, the content byte for byte', async () => {
    const content = ' SIGN|%7C&a=b 二维码\n';
    campus.answers(path.scan, accepted);
    await scan(content);
    await scan(content, createLdjlbClient({ sessions: campus, clock, scanBody: 'json' }));
    const [asForm, asJson] = campus.requests.filter((request) => request.path === path.scan);
    expect(formOf(asForm!)).toEqual({ content, location: '120.1,30.2' });
    expect(asForm?.jsonBody).toBeUndefined();
    expect(asJson?.jsonBody).toEqual({ content, location: '120.1,30.2' });
    expect(asJson?.form).toBeUndefined();
  });

  it('never holds half a character, which no form can carry', async () => {
    campus.answers(path.scan, accepted);
    await scan('half \ud800');
    expect(formOf(campus.requests[1]!).content?.isWellFormed()).toBe(true);
  });
});

describe('the directory', () => {
  const page = (query = { page: 1, pageSize: 100 }) => client.directoryPage(student, query, context);
  const club = (ID: unknown, more: object = {}) => ({ ID, Name: `俱乐部${ID}`, ...more });
  const clubPages = (...all: object[]) =>
    campus.does(path.directory, (request) => JSON.stringify(all[Number(formOf(request).pageIndex) - 1] ?? ok([])));

  it('is one upstream page, and nothing else', async () => {
    const row = { ID: 'c1', Name: '园艺 <A&B>', PeopleNum: '100', IsEnable: '1', IsJoin: 'TRUE', PorjectName: '劳动' };
    campus.answers(path.directory, ok([{ ...row, teacherData: [{ name: 'x' }] }], info(57, 20, 3)));
    const { data, pageInfo } = await page({ page: 3, pageSize: 20 });
    expect(data).toMatchObject([{ ...row, PeopleNum: 100, IsEnable: true, IsJoin: true }]);
    expect(data[0]).not.toHaveProperty('teacherData');
    expect(pageInfo).toEqual({ TotalItemCount: 57, PageSize: 20, CurrentPageIndex: 3 });
    expect(campus.requests.map(formOf)).toEqual([{ pageIndex: '3', pageSize: '20' }]);
  });

  it('drops rows without id or name, and takes the first of one id, ignoring case', async () => {
    const rows = [club('A'), club(''), { ID: 'x', Name: null }, 7, club('a'), club('b')];
    campus.answers(path.directory, ok(rows, info(6)));
    expect((await page()).data.map(({ ID }) => ID)).toEqual(['A', 'b']);
    clubPages(
      ok(
        Array.from({ length: 100 }, (_, at) => club(`C${at}`)),
        info(102),
      ),
      ok([club('c1'), club('d')], info(102)),
    );
    expect((await client.directory(student, context)).map(({ ID }) => ID).slice(99)).toEqual(['C99', 'd']);
  });

  it('without page information is told from the request and its rows', async () => {
    campus.answers(path.directory, ok({ rows: [club('a'), club('b')] }));
    expect((await page({ page: 3, pageSize: 10 })).pageInfo).toEqual({
      TotalItemCount: 22,
      PageSize: 10,
      CurrentPageIndex: 3,
    });
  });

  it('that does not end within 20 pages is unreadable, and never cut silently', async () => {
    const hundred = (from: number) => Array.from({ length: 100 }, (_, at) => club(String(from + at)));
    campus.does(path.directory, (request) =>
      JSON.stringify(ok(hundred(Number(formOf(request).pageIndex) * 100), info(9_999))),
    );
    await expect(client.directory(student, context)).rejects.toMatchObject({ kind: 'upstream-unreadable' });
    expect(campus.paths).toHaveLength(20);
  });
});

it('a first page of the directory that counts clubs and has none is unreadable, searched or not', async () => {
  campus.answers(path.directory, ok([], info(1)));
  expect((await client.directoryPage(student, { page: 2, pageSize: 100 }, context)).data).toEqual([]);
  const first = client.directoryPage(student, { page: 1, pageSize: 100 }, context);
  for (const read of [first, client.directory(student, context)]) {
    await expect(read).rejects.toMatchObject({ kind: 'upstream-unreadable' });
  }
});

describe('applications for clubs', () => {
  const applications = () => client.clubApplications(student, context);

  it('have every member, under each of its names', async () => {
    const usual = {
      ID: 'apply-1',
      ClubID: 'c1',
      ClubName: '园艺',
      Reason: ' 参与 ',
      AddTime: '2026-07-17T12:30:00',
      ReplyComment: '同意加入',
      IsAgree: 1,
      StateName: '已通过',
    };
    const other = { ID: 2, ClubId: 'c2', Name: '木工', ExamComment: '不行', IsAgree: '0', StatusName: '已驳回' };
    campus.answers(path.applications, ok([usual, other, { ID: '3', Reply: 'x', ApplyStateName: 'y' }]));
    const nothing = { ID: '', ClubID: '', ClubName: '', Reason: '', AddTime: '', IsAgree: null };
    expect(await applications()).toEqual([
      { ...usual, IsAgree: true },
      {
        ...{ ...nothing, ID: '2', ClubID: 'c2', ClubName: '木工' },
        ...{ ReplyComment: '不行', IsAgree: false, StateName: '已驳回' },
      },
      { ...nothing, ID: '3', ReplyComment: 'x', StateName: 'y' },
    ]);
    expect(campus.requests.map(formOf)).toEqual([{ pageIndex: '1', pageSize: '100' }]);
  });

  it.each([
    ['1', true],
    ['通过', true],
    [' 同意 ', true],
    ['未通过', false],
    ['失效', false],
    ['不同意', null],
    [2, null],
  ])('are agreed to with %j: %j', async (IsAgree, agreed) => {
    campus.answers(path.applications, ok([{ ID: '1', IsAgree }]));
    expect((await applications()).map((each) => each.IsAgree)).toEqual([agreed]);
  });

  it('are read over all pages; the application shows its last one again', async () => {
    const pages = [ok(full(0)), ok(full(100))];
    campus.does(path.applications, (request) =>
      JSON.stringify(pages[Number(formOf(request).pageIndex) - 1] ?? pages[1]),
    );
    expect(await applications()).toHaveLength(200);
    expect(campus.paths).toHaveLength(3);
  });
});

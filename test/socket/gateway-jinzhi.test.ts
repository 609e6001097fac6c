import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { drivers } from '../../src/campus/drivers.ts';
import { EmapSwitches, Jinzhi, startJinzhi } from '../../src/demo/emap/campus.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';

type Campus = Awaited<ReturnType<typeof startJinzhi>>;

/** 金智 emap behind 金智 authserver, whose applications are opened at another host. */
let gateway: Gateway;
let campus: Campus;
let token: string;
const clock = new ManualClock(Date.parse('2026-11-18T12:00:00+08:00'));
const student = { userid: 'J2026001', password: 'jinzhi-password', vpnPassword: '' };
const second = { userid: 'J2026002', password: 'jinzhi-password-2', vpnPassword: '' };

const isJinzhi = (served: unknown): served is Campus =>
  typeof served === 'object' && served !== null && 'model' in served && served.model instanceof Jinzhi;

beforeAll(async () => {
  gateway = await startGateway({ env: { CAMPUS: 'demo-jinzhi' }, clock });
  const served: unknown = gateway.services.simulated;
  if (!isJinzhi(served)) throw new Error('another campus is served');
  campus = served;
});
afterEach(() => {
  Object.assign(campus.model.switches, new EmapSwitches());
  campus.clearFaults();
});
afterAll(() => gateway.close());

const fresh = { 'cache-control': 'max-age=0' };
const get = (path: string, bearer = token) => gateway.b('GET', path, { token: bearer, headers: fresh });
const wireOf = (of: Campus) =>
  of.requests().map(({ system, method, path }) => `${system} ${method} ${path.replace('/jwapp/sys', '')}`);
/** A call, and what it costs the campus. */
const asked = async (path: string) => {
  campus.resetRequests();
  const { status, body } = await get(path);
  return { status, body, wire: wireOf(campus) };
};
const passwords = () => campus.requests().filter(({ system, method }) => system === 'cas' && method === 'POST').length;
/** All sessions of applications end; what was opened there is closed. */
const newSession = () => {
  campus.expireSessions();
  clock.advance(600_000);
};

const term = '2026-2027-1-1';
const schedule = `/jwc/schedule/${term}/table`;
const page = 'cas GET /authserver/login';
const question = 'cas GET /authserver/checkNeedCaptcha.htl';
const index = (name: string) => `emap GET /${name}/*default/index.do`;
/** An application at the hall, which leads to its page: with a ticket for that, unless it has been entered. */
const opens = (name: string) => ['ehall GET /appShow', index(name), page, index(name), index(name)];
const read = (path: string) => `emap POST /${path}.do`;
const table = [
  read('wdkb/modules/xskcb/cxxszhxqkb'),
  read('wdkb/modules/xskcb/xsdkkc'),
  read('wdkb/modules/xskcb/cxxsllsywpk'),
];
const scores = read('cjcx/modules/cjcx/xscjcx');

describe('its students', () => {
  it('are verified by a ticket that the entrance asks for, and nothing behind it is opened', async () => {
    campus.resetRequests();
    token = await gateway.register(student);
    expect(wireOf(campus)).toEqual([index('wdkb'), page, question, 'cas POST /authserver/login']);
  });

  it('are refused with a wrong password, which is sent once', async () => {
    campus.resetRequests();
    const { status, body } = await gateway.b('POST', '/auth/login/next', {
      body: { userid: student.userid, password: 'wrong' },
    });
    expect([status, body.error.code, passwords()]).toEqual([403, 'REMOTE_CREDENTIALS_INVALID', 1]);
  });

  it('are told what the campus offers, and 501 for the rest', async () => {
    const { data } = (await gateway.b('GET', '/campus', {})).body;
    expect(data).toMatchObject({ id: 'demo-jinzhi', name: { en: 'Yunxi University' }, sign_in: 'unattended' });
    expect(data.capabilities).toEqual(
      [
        ...['allScores', 'calendarText', 'currentScores', 'exams', 'schedule', 'scoreComponents', 'scorePage'],
        ...['termStart', 'terms', 'wholeRecord'],
      ].map((method) => `academics.${method}`),
    );
    for (const path of ['/jwc/academic/info', '/profile/student', '/jwc/plan/current', '/jwc/evaluation/courses'])
      expect([path, (await get(path)).body.error.code]).toEqual([path, 'NOT_OFFERED']);
  });
});

describe('each application', () => {
  it('is opened once in a session, with a ticket of the live login', async () => {
    expect((await asked(schedule)).wire).toEqual([...opens('wdkb'), ...table]);
    expect((await asked(schedule)).wire).toEqual(table);
    expect((await asked('/jwc/score/all')).wire).toEqual([...opens('cjcx'), scores]);
    expect((await asked('/jwc/score/all')).wire).toEqual([scores]);
    const exams = read('studentWdksapApp/modules/wdksap/wdksap');
    const current = read('wdkb/modules/jshkcb/dqxnxq');
    const firstDay = read('wdkb/modules/jshkcb/cxjcs');
    expect((await asked('/jwc/exam/info')).wire).toEqual([current, firstDay, ...opens('studentWdksapApp'), exams]);
    expect((await asked('/jwc/exam/info')).wire).toEqual([exams]);
    // The session knows the current term for an hour.
    expect((await asked('/jwc/term/all')).wire).toEqual([read('wdkb/modules/jshkcb/xnxqcx')]);
    expect((await asked('/jwc/term/current')).wire).toEqual([current]);
  });

  it('is opened once for calls at the same time', async () => {
    newSession();
    await get(schedule);
    campus.resetRequests();
    await Promise.all(
      ['/jwc/score/all', `/jwc/score/${term}/list`, '/jwc/score/current/list'].map((path) => get(path)),
    );
    expect(wireOf(campus).filter((line) => line.startsWith('ehall'))).toHaveLength(1);
  });

  it('is opened once more where it has forgotten that it is open', async () => {
    campus.model.switches.forgets = true;
    const { status, wire } = await asked('/jwc/score/all');
    expect([status, wire]).toEqual([200, [scores, 'ehall GET /appShow', index('cjcx'), scores]]);
  });

  it('is refused to a student who would have to choose a role, after one more try', async () => {
    newSession();
    await get('/jwc/term/all');
    campus.model.switches.role = true;
    const { status, body, wire } = await asked('/jwc/score/all');
    expect([status, body.error.reason]).toEqual([502, 'application_refused']);
    expect(body.message).toContain('没有向该账号开放');
    const again = ['ehall GET /appShow', index('cjcx'), scores];
    expect(wire).toEqual([...opens('cjcx'), scores, ...again]);
    newSession();
  });

  it('is renewed with the session: by a ticket while the login lives, else by one password', async () => {
    await get(schedule);
    newSession();
    const alive = await asked('/jwc/score/all');
    expect([alive.status, passwords()]).toEqual([200, 0]);
    await get(schedule);
    newSession();
    campus.expireLogins();
    const dead = await asked(schedule);
    expect([dead.status, passwords()]).toEqual([200, 1]);
    expect(dead.wire).toEqual([
      // The read that finds it dead names the service.
      table[0],
      page,
      question,
      'cas POST /authserver/login',
      index('wdkb'),
      'ehall GET /appShow',
      index('wdkb'),
      ...table,
    ]);
  });

  it('is asked again where the page of the login stands in place of an answer', async () => {
    await get(schedule);
    campus.fault('emap', { kind: 'login-page' });
    const { status, body } = await get(schedule);
    expect([status, body.error.system]).toEqual([502, 'academics']);
    campus.clearFaults();
    clock.advance(600_000);
    expect((await get(schedule)).status).toBe(200);
  });
});

describe('its reads', () => {
  it('show terms with their third index, and a first day without weeks', async () => {
    const terms = (await get('/jwc/term/all')).body.data;
    expect(terms.map(({ term_code }: { term_code: string }) => term_code)).toEqual([
      '2026-2027-1-1',
      '2025-2026-3-1',
      '2025-2026-2-1',
      '2025-2026-1-1',
      '2024-2025-2-1',
    ]);
    expect((await get('/jwc/term/current')).body.data).toMatchObject({
      ...{ term_code: term, academic_year: '2026-2027', start_at: '2026-09-07', week_number: 0 },
    });
  });

  it('show the timetable after its changes, courses without a time, and no weeks beyond 24', async () => {
    const { courses, time_slots } = (await get(schedule)).body.data;
    expect(time_slots).toEqual([]);
    const byCode = new Map<string, Record<string, unknown> & { time_locations: Array<Record<string, unknown>> }>(
      courses.map((course: { course_code: string }) => [course.course_code, course]),
    );
    const placesOf = (code: string) =>
      byCode
        .get(code)
        ?.time_locations.map(({ class_day, class_sessions, class_week, classroom_name }) =>
          [class_day, class_sessions, class_week, classroom_name].join(' '),
        );
    expect(placesOf('ECO1201')).toEqual([
      '1 1 101000101111111100000000 明理楼308',
      '3 3 010101010101010100000000 明理楼310',
      // Moved twice.
      '5 7 000000100000000000000000 明理楼314',
    ]);
    expect(placesOf('MAT1102')).toEqual([
      '2 1 111111101111111100000000 求是楼204',
      '6 3 000000001000000000000000 求是楼206',
    ]);
    expect(placesOf('LAW2104')).toEqual(['4 7 000000000000000000011111 明理楼112']);
    expect(byCode.get('LAW2104')).toMatchObject({ remark: expect.stringContaining('调课') });
    expect([byCode.get('PED1001'), byCode.get('PRA3001')]).toMatchObject([
      { is_no_schedule: true },
      { is_no_schedule: true },
    ]);
    expect(gateway.log()).toMatch(/"page":"timetable","dropped":1/);
    expect(gateway.log()).toMatch(/"page":"changes","dropped":1/);
  });

  it('show words, retakes as rows of their own term, and why a course is not passed', async () => {
    const { records } = (await get('/jwc/score/all')).body.data;
    expect(
      records.map((row: Record<string, unknown>) => [
        ...[row.term_id, row.course_code, row.course_class, row.score, row.grade_point, row.not_passed_reason],
        ...[row.passed, row.retake_score],
      ]),
    ).toEqual([
      ['2025-2026-2-1', 'ECO1201', '01', '88', 3.8, null, true, null],
      ['2025-2026-2-1', 'PED1001', '07', '优秀', null, null, true, null],
      ['2025-2026-2-1', 'PHY1001', '09', '71', 2.1, null, true, null],
      ['2025-2026-1-1', 'PHY1001', '02', '52', 0, null, false, null],
      ['2025-2026-1-1', 'LAW2104', '02', '', null, '缺考', false, null],
    ]);
    const { records: ofTerm } = (await get('/jwc/score/2025-2026-2-1/list')).body.data;
    expect(ofTerm).toHaveLength(3);
    const key = 'term_code=2025-2026-2-1&course_code=ECO1201&course_class=01&exam_time=J-ECO1201';
    const detail = (await get(`/jwc/score/current/detail?${key}`)).body.data;
    expect(detail.items).toMatchObject([
      {
        regular: '90',
        midterm: null,
        final: '87',
        total: '88',
        regular_weight: 0.4,
        final_weight: 0.6,
        remark: '实验 85',
      },
    ]);
    expect((await get('/jwc/score/current/list')).body.data.records).toEqual([]);
  });

  it('show exams in any spelling of their hours, and one that is not arranged', async () => {
    const { exams } = (await get('/jwc/exam/info')).body.data;
    expect(
      exams.map((exam: Record<string, unknown>) => [
        ...[exam.course_name, exam.exam_date, exam.exam_time, exam.exam_location, exam.note],
      ]),
    ).toEqual([
      ['体育(二)', '', '', '', ''],
      ['微观经济学', '2027-01-11', '09:00-11:00', '东校区 明理楼 308', '座位号: 12'],
      ['线性代数', '2027-01-13', '14:00-16:00', '东校区 明理楼310', '座位号: 7'],
    ]);
  });

  it('show a start page, a calendar and news', async () => {
    const { parts } = (await get('/home?include=term,today,next,exams')).body.data;
    expect(Object.values<{ error: unknown }>(parts).map(({ error }) => error)).toEqual([null, null, null, null]);
    // A Wednesday of the eleventh week: an odd one.
    expect(parts.today.data.classes).toEqual([]);
    expect(parts.next.data.next_exam).toMatchObject({ course_name: '微观经济学' });
    expect(parts.next.data.next_class).toMatchObject([{ course_name: '微观经济学', date: '2026-11-23', begin: null }]);
    const feed = await gateway.b('POST', '/calendar/feeds', {
      token,
      body: { name: 'one', include: ['classes', 'exams'] },
    });
    const { text } = await gateway.b('GET', new URL(feed.body.data.url).pathname, {});
    expect(text).toContain('SUMMARY:微观经济学');
    expect(text).toContain('SUMMARY:考试：微观经济学');
    expect(text).not.toContain('SUMMARY:社会实践');
  });

  it('tell what has changed since they were read last', async () => {
    campus.model.switches.changes = 'none';
    await get(schedule);
    await get('/jwc/score/all');
    const before = (await get('/events?after=0')).body.data.next;
    campus.model.switches.changes = 'usual';
    await get(schedule);
    const { events } = (await get(`/events?after=${before}`)).body.data;
    expect(events.map(({ type }: { type: string }) => type)).toContain('schedule.changed');
  });

  it('are the same over surface A', async () => {
    const a = async (path: string, body: object) => (await gateway.a(path, body)).body;
    const [terms, table, exams, listed] = await Promise.all([
      a('/jwc/fetch_all_terms', { token }),
      a('/jwc/fetch_course_schedule', { request: { plan_code: term }, AuthmeRequest: { token } }),
      a('/jwc/fetch_exam_info', { token }),
      a('/jwc/fetch_term_score', { request: { term_id: '2025-2026-2-1' }, AuthmeRequest: { token } }),
    ]);
    expect([terms.code, table.code, exams.code, listed.code]).toEqual([200, 200, 200, 200]);
    // It has no exams without a day.
    expect([table.data.courses.length, exams.data.exams.length, listed.data.records.length]).toEqual([5, 2, 3]);
  });

  it('show each student what is his', async () => {
    const other = await gateway.register(second);
    const { records } = (await get('/jwc/score/all', other)).body.data;
    expect(records.map(({ course_code, score }: Record<string, unknown>) => [course_code, score])).toContainEqual([
      ...['ART2001', '95'],
    ]);
    const { courses } = (await get(schedule, other)).body.data;
    expect(courses.find(({ course_code }: { course_code: string }) => course_code === 'ART2001')).toMatchObject({
      course_properties: '辅修',
      time_locations: [{ class_day: 6, class_week: '111111110000000000000000' }],
    });
  });

  it('never show rows of another student', async () => {
    campus.model.switches.rowsOf = second.userid;
    for (const path of [schedule, '/jwc/score/all', '/jwc/exam/info']) {
      const { status, text } = await get(path);
      expect([path, status]).toEqual([path, 502]);
      expect(text).not.toMatch(/ECO1201|微观/);
    }
  });
});

describe('a refusal of the campus', () => {
  it('is told in its words, and is no empty term', async () => {
    campus.model.switches.notPublished = true;
    const { status, body } = await asked(schedule);
    expect([status, body.error.reason, body.message]).toEqual([502, 'application_refused', '查询学年学期的课程未发布']);
    const a = await gateway.a('/jwc/fetch_course_schedule', { request: { plan_code: term }, AuthmeRequest: { token } });
    expect([a.body.code, a.body.data]).toEqual([500, null]);
  });

  it('of the changes is one of the timetable: without them it would be wrong', async () => {
    campus.model.switches.changes = 'refused';
    const { status, body, wire } = await asked(schedule);
    expect([status, body.message, body.data]).toEqual([502, '调课信息暂不开放查询', null]);
    expect(wire).toEqual(table.slice(0, 2));
    campus.fault('emap', { kind: 'body', type: 'application/json', body: '{"code":"0","datas":{}}' });
    expect((await get(schedule)).body.message).toBe('无法获取课表信息，请稍后再试');
  });

  it.each([
    ['a failure of the server', '{"code":"-1","msg":"系统异常"}', '系统异常'],
    [
      'a verdict as number',
      '{"code":0,"datas":{"xscjcx":{"rows":[],"extParams":{"code":0,"msg":"请先评教"}}}}',
      '请先评教',
    ],
  ])('stays one: %s', async (_, body, words) => {
    await get('/jwc/score/all');
    campus.fault('emap', { kind: 'body', type: 'application/json', body });
    const answer = await get('/jwc/score/all');
    expect([answer.status, answer.body.error.reason, answer.body.message]).toEqual([502, 'application_refused', words]);
  });

  it.each([
    ['no rows', '{"code":"0","datas":{"xscjcx":{"totalSize":0,"rows":null}}}'],
    ['another page', '{"code":"0","datas":{"table":{"rows":[]}}}'],
    ['no code', '{"datas":{"xscjcx":{"rows":[]}}}'],
  ])('is none where the answer has %s: that is unreadable', async (_, body) => {
    await get('/jwc/score/all');
    campus.fault('emap', { kind: 'body', type: 'application/json', body });
    const answer = await get('/jwc/score/all');
    const { code, reason, retryable } = answer.body.error;
    expect([answer.status, code, reason, retryable]).toEqual([502, 'REMOTE_SERVICE_ERROR', undefined, false]);
  });
});

describe('what schools do differently', () => {
  it.each<[Partial<EmapSwitches>, string[]]>([
    [{ table: 'xskcb' }, [table[0] ?? '', read('wdkb/modules/xskcb/xskcb'), ...table.slice(1)]],
    [{ untimed: 'xswpkc' }, [...table, read('wdkb/modules/xskcb/xswpkc')]],
    [{ untimed: 'none' }, [...table, read('wdkb/modules/xskcb/xswpkc')]],
    [{ changes: 'none' }, table],
  ])('is asked for once in a session: %o', async (switches, wire) => {
    newSession();
    await get('/jwc/term/all');
    Object.assign(campus.model.switches, switches);
    const first = await asked(schedule);
    expect([first.status, first.wire]).toEqual([200, wire]);
    const again = await asked(schedule);
    expect(again.body.data).toEqual(first.body.data);
    expect(again.wire).toHaveLength(switches.untimed === 'none' ? 2 : 3);
  });

  it('is no course less where a page that has answered is gone', async () => {
    newSession();
    const first = await asked(schedule);
    campus.model.switches.untimed = 'none';
    const { status, wire } = await asked(schedule);
    expect([status, wire]).toEqual([502, [...table, read('wdkb/modules/xskcb/xswpkc')]]);
    campus.model.switches.untimed = 'xswpkc';
    expect((await asked(schedule)).body.data).toEqual(first.body.data);
  });

  it('are exams of the other name', async () => {
    newSession();
    await get('/jwc/exam/info');
    newSession();
    campus.model.switches.exams = 'cxxsksap';
    await get('/jwc/exam/info');
    const { body, wire } = await asked('/jwc/exam/info');
    expect(body.data.exams).toHaveLength(3);
    expect(wire).toEqual([read('studentWdksapApp/WdksapController/cxxsksap')]);
  });
});

it('its queues bear the name of the system, no matter which address they lie in front of', async () => {
  await get(schedule);
  await get('/jwc/score/all');
  expect([...gateway.services.watch.queues().keys()]).toEqual(expect.arrayContaining(['academics', 'unified-login']));
  expect([...gateway.services.watch.queues().keys()]).not.toContain('');
});

it('without a hall, applications are opened at their own pages', async () => {
  const own = await startJinzhi({ clock });
  const url = own.origins['http://academics.jinzhi.test'];
  const other = await startGateway({
    clock,
    drivers,
    manifest: () => ({
      name: { zh: '云溪大学', en: 'Yunxi' },
      time_zone: 'Asia/Shanghai',
      portal: null,
      login: { driver: 'authserver', url: `${own.origins['http://login.jinzhi.test']}/authserver` },
      applications: [{ driver: 'emap', url }],
    }),
  });
  try {
    const bearer = await other.register(student);
    own.resetRequests();
    const { status } = await other.b('GET', '/jwc/score/all', { token: bearer });
    expect([status, wireOf(own)]).toEqual([200, [index('cjcx'), page, index('cjcx'), index('cjcx'), scores]]);
  } finally {
    await other.close();
    await own.close();
  }
});

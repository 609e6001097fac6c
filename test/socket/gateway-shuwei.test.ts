import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { startShuwei } from '../../src/demo/eams5/campus.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';

type Campus = Awaited<ReturnType<typeof startShuwei>>;

/** An academic system with its own login, and nothing else. */
let gateway: Gateway;
let campus: Campus;
let token: string;
const clock = new ManualClock(Date.parse('2026-11-18T12:00:00+08:00'));
const student = { userid: 'S2026001', password: 'shuwei-password', vpnPassword: '' };

const isShuwei = (served: unknown): served is Campus =>
  typeof served === 'object' && served !== null && 'model' in served;

beforeAll(async () => {
  gateway = await startGateway({ env: { CAMPUS: 'demo-shuwei' }, clock });
  const served: unknown = gateway.services.simulated;
  if (!isShuwei(served)) throw new Error('another campus is served');
  campus = served;
  token = await gateway.register(student);
});
afterEach(() => {
  Object.assign(campus.model.switches, {
    quotedSalt: false,
    salt404: false,
    captcha: 'off',
    locked: false,
    twoProgrammes: false,
    sunday: false,
    vm: 'list',
    layout: 'inside',
    exams: 'four',
    pageInsteadOfRedirect: false,
    otherTimetable: false,
  });
  campus.clearFaults();
});
afterAll(() => gateway.close());

const fresh = { 'cache-control': 'max-age=0' };
const get = (path: string) => gateway.b('GET', path, { token, headers: fresh });
const passwords = () => campus.requests().filter(({ method }) => method === 'POST').length;
const wire = () => campus.requests().map(({ method, path }) => `${method} ${path.replace('/student', '')}`);
const login = (password = student.password) =>
  gateway.b('POST', '/auth/login/next', { body: { userid: student.userid, password } });

describe('a campus whose academic system takes the password itself', () => {
  it('is signed in with one password, and proven by the session that it opened', async () => {
    clock.advance(600_000);
    campus.expireSessions();
    campus.resetRequests();
    expect((await get('/jwc/term/all')).status).toBe(200);
    expect(wire()).toEqual([
      // The read that finds it dead.
      'GET /for-std/course-table/info/152113',
      'GET /login-salt',
      'POST /login',
      'GET /for-std/course-table',
      'GET /for-std/course-table/info/152113',
    ]);
  });

  it('offers what it has a source for, and says 501 for the rest', async () => {
    const { data } = (await gateway.b('GET', '/campus', {})).body;
    expect(data).toMatchObject({ id: 'demo-shuwei', name: { en: 'Wutong University' } });
    for (const path of ['/jwc/academic/info', '/profile/student', '/jwc/plan/current', '/aac/credit/info'])
      expect([path, (await get(path)).body.error.code]).toEqual([path, 'NOT_OFFERED']);
  });

  it('shows terms, timetable, scores and exams as the school states them', async () => {
    const terms = (await get('/jwc/term/all')).body.data;
    expect(terms.map(({ term_code }: { term_code: string }) => term_code)).toEqual([
      '2026-2027-1-1',
      '2025-2026-2-1',
      '2025-2026-1-1',
      '2024-2025-2-1',
    ]);
    expect((await get('/jwc/term/current')).body.data).toMatchObject({
      term_code: '2026-2027-1-1',
      start_at: '2026-09-07',
      week_number: 11,
    });
    const table = (await get('/jwc/schedule/2026-2027-1-1/table')).body.data;
    const economics = table.courses.find(({ course_code }: { course_code: string }) => course_code === 'ECO1201');
    expect(economics).toMatchObject({
      course_name: '微观经济学',
      course_sequence: 'ECO1201.01',
      teacher_name: '周明 许静',
    });
    expect(economics.time_locations.map(({ class_week }: { class_week: string }) => class_week)).toEqual([
      '101010101000000000000000',
      '000000000111111100000000',
    ]);
    expect(table.courses.find(({ course_code }: { course_code: string }) => course_code === 'PRA3001')).toMatchObject({
      is_no_schedule: true,
    });
    const record = (await get('/jwc/score/all')).body.data;
    expect(record.records).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ course_code: 'PED1001', score: '优秀', score_number: null }),
        expect.objectContaining({
          course_code: 'PHY1001',
          score: '52',
          score_number: 52,
          grade_point: 0,
          passed: false,
        }),
        expect.objectContaining({ course_code: 'PHY1001', score: '71', passed: true }),
      ]),
    );
    // What is not published yet is no row.
    expect(JSON.stringify(record)).not.toContain('ENG1001');
    const { exams } = (await get('/jwc/exam/info')).body.data;
    expect(exams.map((exam: Record<string, unknown>) => [exam.course_name, exam.exam_date, exam.exam_time])).toEqual([
      ['体育(二)', '', ''],
      ['微观经济学', '2027-01-11', '08:30-10:30'],
      ['经济法', '2027-01-13', '08:30-10:30'],
    ]);
    expect(exams[1]).toMatchObject({ exam_location: '东校区 明理楼 301', note: '座位号: 14' });
  });

  it('has a start page and a calendar made of them', async () => {
    const { parts } = (await get('/home?include=term,today,next,exams')).body.data;
    expect(Object.values<{ error: unknown }>(parts).map(({ error }) => error)).toEqual([null, null, null, null]);
    expect(parts.next.data.next_exam).toMatchObject({ course_name: '微观经济学' });
    const feed = await gateway.b('POST', '/calendar/feeds', {
      token,
      body: { name: 'one', include: ['classes', 'exams'] },
    });
    const { text } = await gateway.b('GET', new URL(feed.body.data.url).pathname, {});
    expect(text).toContain('SUMMARY:微观经济学');
    expect(text).toContain('SUMMARY:考试：微观经济学');
  });
});

describe('its login', () => {
  it.each([
    ['a wrong password', {}, 403, 'REMOTE_CREDENTIALS_INVALID'],
    ['a wrong password beside the wish for an image', { captcha: 'with-refusal' }, 403, 'REMOTE_CREDENTIALS_INVALID'],
  ])('refuses %s as one', async (_, switches, status, code) => {
    Object.assign(campus.model.switches, switches);
    campus.resetRequests();
    const answer = await login(`wrong-${JSON.stringify(switches).length}`);
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
    expect(passwords()).toBe(1);
    clock.advance(25 * 3_600_000);
  });

  it.each([
    ['an image or slider', { captcha: 'wanted' }],
    ['a lock', { locked: true }],
  ])('never takes %s for a wrong password, and sends it once for four reads', async (_, switches) => {
    clock.advance(24 * 3_600_000);
    Object.assign(campus.model.switches, switches);
    campus.expireSessions();
    campus.resetRequests();
    for (let read = 0; read < 4; read += 1) {
      const { status, body } = await get('/jwc/term/all');
      expect([403, 502]).toContain(status);
      expect(body.error.code).not.toMatch(/PASSWORD_ERROR|CREDENTIALS/);
    }
    expect(passwords()).toBe(1);
    Object.assign(campus.model.switches, { captcha: 'off', locked: false });
    clock.advance(24 * 3_600_000);
    token = (await login()).body.data.token;
  });

  it.each([{ quotedSalt: true }, { salt404: true }, { pageInsteadOfRedirect: true }])(
    'is walked with %o',
    async (switches) => {
      clock.advance(600_000);
      Object.assign(campus.model.switches, switches);
      campus.expireSessions();
      expect((await get('/jwc/term/all')).status).toBe(200);
    },
  );
});

describe('what schools do differently', () => {
  it.each([[{ vm: 'single' }], [{ layout: 'beside' }], [{ otherTimetable: true }]])(
    'reads the timetable with %o',
    async (switches) => {
      Object.assign(campus.model.switches, switches);
      const { status, body } = await get('/jwc/schedule/2026-2027-1-1/table');
      expect([status, body.data?.courses.length]).toEqual([200, 4]);
    },
  );

  it('reads exams of six cells', async () => {
    campus.model.switches.exams = 'six';
    const { exams } = (await get('/jwc/exam/info')).body.data;
    expect(exams[1]).toMatchObject({
      course_name: '微观经济学',
      exam_location: '东校区 明理楼 301',
      note: '座位号: 14',
    });
  });

  it.each([
    ['between two programmes', { twoProgrammes: true }],
    ['what weekday 1 is where weeks begin on Sunday', { sunday: true }],
  ])('refuses to choose %s', async (_, switches) => {
    clock.advance(600_000);
    campus.expireSessions();
    Object.assign(campus.model.switches, switches);
    const { status, body } = await get('/jwc/schedule/2026-2027-1-1/table');
    expect([status, body.error.system]).toEqual([502, 'academics']);
  });

  it('never shows another student’s table', async () => {
    campus.fault('eams5', {
      kind: 'body',
      type: 'application/json',
      body: '{"studentTableVms":[{"id":999,"activities":[{"courseName":"他人"}]}]}',
    });
    const { status, text } = await get('/jwc/schedule/2026-2027-1-1/table');
    expect(status).toBe(502);
    expect(text).not.toContain('他人');
  });
});

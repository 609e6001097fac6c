import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { startZhengfang } from '../../src/demo/jwglxt/campus.ts';
import type { JwglxtSwitches } from '../../src/demo/jwglxt/login-page.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';

type Campus = Awaited<ReturnType<typeof startZhengfang>>;
type Switches = Partial<JwglxtSwitches>;

/** An academic system with its own login, and nothing else. */
let gateway: Gateway;
let campus: Campus;
let token: string;
const clock = new ManualClock(Date.parse('2026-11-18T12:00:00+08:00'));
const student = { userid: 'Z2026001', password: 'zhengfang-password', vpnPassword: '' };
const other = { userid: 'Z2026002', password: 'zhengfang-password-2', vpnPassword: '' };

const isZhengfang = (served: unknown): served is Campus =>
  typeof served === 'object' && served !== null && 'model' in served;

beforeAll(async () => {
  gateway = await startGateway({ env: { CAMPUS: 'demo-zhengfang' }, clock });
  const served: unknown = gateway.services.simulated;
  if (!isZhengfang(served)) throw new Error('another campus is served');
  campus = served;
  token = await gateway.register(student);
});
afterEach(() => {
  campus.model.reset();
  campus.clearFaults();
});
afterAll(() => gateway.close());

const set = (switches: Switches): void => void Object.assign(campus.model.switches, switches);
const fresh = { 'cache-control': 'max-age=0' };
const get = (path: string, as = token) => gateway.b('GET', path, { token: as, headers: fresh });
const passwords = () =>
  campus.requests().filter(({ method, path }) => method === 'POST' && path.endsWith('login_slogin.html')).length;
const wire = () =>
  campus.requests().map(({ method, path }) => `${method} ${path.replace(/^.*\//, '').replace('.html', '')}`);
const asked = async (path: string) => {
  campus.resetRequests();
  const answer = await get(path);
  return { ...answer, wire: wire() };
};
const login = (password = student.password, bearer?: string) =>
  gateway.b('POST', '/auth/login/next', {
    body: { userid: student.userid, password },
    ...(bearer !== undefined && { token: bearer }),
  });
/** As if the session had ended long ago. */
const ended = (): void => {
  clock.advance(600_000);
  campus.expireSessions();
  campus.resetRequests();
};
/** Longer than the guard remembers. */
const later = (): void => clock.advance(25 * 3_600_000);
/** The student with a token, no matter what was refused before. */
const again = async (): Promise<void> => {
  campus.model.reset();
  later();
  const { status, body } = await login();
  expect(status).toBe(200);
  token = body.data.token;
};

const [TERMS, TABLE, SCORES] = ['GET xskbcx_cxXskbcxIndex', 'POST xskbcx_cxXsgrkb', 'POST cjcx_cxXsgrcj'];
const [PAGE, KEY, POST, MENU] = [
  'GET login_slogin',
  'GET login_getPublicKey',
  'POST login_slogin',
  'GET index_initMenu',
];

describe('a campus whose academic system takes the password itself', () => {
  it('offers what it has a source for, and says 501 for the rest', async () => {
    const { data } = (await gateway.b('GET', '/campus', {})).body;
    expect(data).toMatchObject({
      id: 'demo-zhengfang',
      sign_in: 'unattended',
      login: { challenges: ['captcha', 'elsewhere'] },
    });
    expect(data.capabilities).toEqual(
      [
        'allScores',
        'calendarText',
        'currentScores',
        'exams',
        'schedule',
        'scoreComponents',
        'scorePage',
        'studentFile',
        'summary',
        'termStart',
        'terms',
        'wholeRecord',
      ].map((name) => `academics.${name}`),
    );
    for (const path of ['/jwc/plan/current', '/jwc/course/selection', '/jwc/evaluation/courses', '/aac/credit/info'])
      expect([path, (await get(path)).body.error?.code ?? 404]).toEqual([
        path,
        expect.stringMatching(/NOT_OFFERED|NOT_FOUND/),
      ]);
  });

  it('shows terms with the third of a year, and the current one by the day', async () => {
    const terms = (await get('/jwc/term/all')).body.data;
    expect(terms.slice(0, 3).map(({ term_code }: { term_code: string }) => term_code)).toEqual([
      '2026-2027-3-1',
      '2026-2027-2-1',
      '2026-2027-1-1',
    ]);
    expect((await get('/jwc/term/current')).body.data).toMatchObject({
      term_code: '2026-2027-1-1',
      start_at: '2026-09-07',
      week_number: 11,
    });
  });

  it('shows the timetable, cut after week 24, with practice that has no day', async () => {
    const { courses, time_slots } = (await get('/jwc/schedule/2026-2027-1-1/table')).body.data;
    const named = (name: string) => courses.find(({ course_name }: { course_name: string }) => course_name === name);
    expect(time_slots[0]).toMatchObject({ session: 1, start_time: '0800', end_time: '0845', time_length: '45' });
    expect(
      named('微观经济学').time_locations.map((place: Record<string, unknown>) => [
        place.class_day,
        place.class_sessions,
        place.class_week,
      ]),
    ).toEqual([
      [1, 1, '101010100101010100000000'],
      [3, 1, '010101010101010100000000'],
      [3, 5, '010101010101010100000000'],
    ]);
    expect(named('经济法').time_locations[0]).toMatchObject({
      class_week: '000000000000000000011111',
      week_description: '20-26周',
    });
    expect(named('社会实践')).toMatchObject({ is_no_schedule: true, course_code: '', remark: '17-18周' });
    expect((await get('/jwc/schedule/2025-2026-2-1/table')).body.data.courses).toEqual([]);
  });

  it('shows scores with make-ups inside and retakes of other classes beside', async () => {
    const { records } = (await get('/jwc/score/all')).body.data;
    expect(records).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ course_code: 'PED1001', score: '优秀', score_number: null, grade_name: '优秀' }),
        expect.objectContaining({ course_class: '大学物理-0002', score: '52', makeup_score: '58', passed: false }),
        expect.objectContaining({ course_class: '大学物理-0009', score: '71', exam_type: '重修', passed: true }),
        expect.objectContaining({ course_code: 'ENG1001', score: '缺考', term_id: '2025-2026-2-1' }),
      ]),
    );
    expect(records.filter(({ course_code }: { course_code: string }) => course_code === 'PHY1001').length).toBe(2);
    const text = JSON.stringify((await get('/jwc/score/2025-2026-1-1/list')).body.data.records);
    expect(text).toContain('58');
    expect(text).not.toContain('2025-2026-2-1');
    expect((await get('/jwc/score/current/list')).body.data.records).toMatchObject([
      { course_code: 'MIL1001', score: '88', grade_point: '3.8', class_rank: null, is_published: true },
    ]);
    const query = new URLSearchParams({
      term_code: '2026-2027-1-1',
      course_code: 'MIL1001',
      course_class: '军事理论-0001',
      exam_time: 'of nobody',
    });
    expect((await get(`/jwc/score/current/detail?${query}`)).body.data.items).toEqual([]);
  });

  it('shows exams, the file and the summary', async () => {
    const { exams } = (await get('/jwc/exam/info')).body.data;
    expect(
      exams.map((exam: Record<string, unknown>) => [exam.course_name, exam.exam_date, exam.exam_time, exam.note]),
    ).toEqual([
      ['体育(二)', '', '', ''],
      ['线性代数', '', '', ''],
      ['微观经济学', '2027-01-11', '09:00-11:00', '座位号: 11'],
      ['经济法', '2027-01-13', '09:00-11:00', '座位号: 12'],
    ]);
    const file = await get('/profile/student');
    expect(file.body.data).toMatchObject({ name: '林晓', college: '经济学院', entry_year: 2023, campus: null });
    expect(file.text).not.toMatch(/110101|6222/);
    expect((await get('/jwc/academic/info')).body.data).toMatchObject({
      completed_courses: 44,
      failed_courses: 1,
      gpa: 3.62,
      current_term: '2026-2027-1-1',
    });
  });

  it('has a start page, a calendar and daily readings made of them, and shows the second student her own', async () => {
    const { parts } = (await get('/home?include=term,today,next,exams,summary')).body.data;
    expect(Object.values<{ error: unknown }>(parts).map(({ error }) => error)).toEqual([null, null, null, null, null]);
    const feed = await gateway.b('POST', '/calendar/feeds', {
      token,
      body: { name: 'one', include: ['classes', 'exams'] },
    });
    const { text } = await gateway.b('GET', new URL(feed.body.data.url).pathname, {});
    expect(text).toContain('SUMMARY:微观经济学');
    expect(text).toContain('SUMMARY:考试：微观经济学');
    const second = await gateway.register(other);
    const [mine, hers] = [
      await get('/jwc/schedule/2026-2027-1-1/table'),
      await get('/jwc/schedule/2026-2027-1-1/table', second),
    ];
    expect([mine.text.includes('经济法'), hers.text.includes('经济法'), hers.text.includes('线性代数')]).toEqual([
      true,
      false,
      true,
    ]);
    expect((await get('/profile/student', second)).body.data.name).toBe('苏禾');
  });
});

describe('what it costs', () => {
  it.each<[string, Switches, string[]]>([
    ['an old page', {}, [PAGE, KEY, POST, MENU]],
    ['a plain password', { mmsfjm: '0' }, [PAGE, POST, MENU]],
    ['a page that says nothing of it', { mmsfjm: 'left out' }, [PAGE, KEY, POST, MENU]],
    ['a new page', { page: 'new' }, [PAGE, 'POST yhgl_cxXxqrCheck', 'POST login_logoutAccount', KEY, POST, MENU]],
    [
      'the question of failures',
      { page: 'new', lock: true },
      [PAGE, 'POST yhgl_cxXxqrCheck', 'POST login_cxDlxgxx', 'POST login_logoutAccount', KEY, POST, MENU],
    ],
    ['a redirect by a page', { success: 'meta' }, [PAGE, KEY, POST, MENU]],
    ['a redirect back to the login', { success: 'back-to-login' }, [PAGE, KEY, POST, MENU]],
  ])('to sign in by %s', async (_, switches, expected) => {
    set(switches);
    ended();
    expect((await get('/jwc/term/all')).status).toBe(200);
    expect(wire()).toEqual([TERMS, ...expected, TERMS]);
    expect(passwords()).toBe(1);
  });

  it('to read, after a sign-in and again', async () => {
    ended();
    await get('/jwc/term/all');
    const reads: Array<[string, string[], string[]]> = [
      ['/jwc/term/current', [TERMS], [TERMS]],
      ['/jwc/schedule/2026-2027-1-1/table', [TABLE], [TABLE]],
      ['/jwc/score/all', [SCORES], [SCORES]],
      ['/jwc/score/2025-2026-2-1/list', [SCORES], [SCORES]],
      ['/jwc/exam/info', ['POST kscx_cxXsksxxIndex'], ['POST kscx_cxXsksxxIndex']],
      ['/profile/student', ['GET xsgrxxwh_cxXsgrxx'], ['GET xsgrxxwh_cxXsgrxx']],
      ['/jwc/academic/info', ['GET xsxyqk_cxXsxyqkIndex'], ['GET xsxyqk_cxXsxyqkIndex']],
    ];
    for (const [path, cold, warm] of reads) {
      expect([path, (await asked(path)).wire]).toEqual([path, cold]);
      expect([path, (await asked(path)).wire]).toEqual([path, warm]);
    }
  });

  it('to read components: the list once, then the table alone', async () => {
    ended();
    await get('/jwc/term/all');
    const list = await asked('/jwc/score/current/list');
    expect(list.wire).toEqual([SCORES]);
    const { term_id: term_code, course_code, course_class, exam_time } = list.body.data.records[0];
    const path = `/jwc/score/current/detail?${new URLSearchParams({ term_code, course_code, course_class, exam_time })}`;
    const { body, wire: table } = await asked(path);
    expect(table).toEqual(['POST cjcx_cxCjxqGjh']);
    expect(body.data.items).toMatchObject([
      { regular: '77.5', regular_weight: 0.4, final: '90', total: '88', remark: '实验 85 (20%)' },
    ]);
    ended();
    await get('/jwc/term/all');
    expect((await asked(path)).wire).toEqual([SCORES, 'POST cjcx_cxCjxqGjh']);
  });
});

describe('its login', () => {
  it('refuses a wrong password as one, once', async () => {
    campus.resetRequests();
    const { status, body } = await login('wrong');
    expect([status, body.error]).toMatchObject([
      403,
      { code: 'REMOTE_CREDENTIALS_INVALID', system: 'academics', reason: 'login_refused' },
    ]);
    expect(campus.model.passwords).toEqual(new Map([[student.userid, 1]]));
    await again();
  });

  it('sends no password for a number that nobody has, and remembers none', async () => {
    set({ lock: true, page: 'new' });
    campus.resetRequests();
    const invite = await gateway.b('POST', '/auth/register/invite', { body: { invite_code: 'DEMO-2026' } });
    const { invite_token } = invite.body.data;
    const nobody = { userid: 'Z2026404', password: 'of nobody' };
    const refused = await gateway.b('POST', '/auth/register/next', { body: { ...nobody, invite_token } });
    expect([refused.status, refused.body.error.code]).toEqual([400, 'UAAP_PASSWORD_ERROR']);
    expect(passwords()).toBe(0);
    // The school has admitted him since: the same password is asked about.
    campus.addStudent({ id: nobody.userid, password: nobody.password });
    clock.advance(3_600_000);
    await gateway.register({ ...nobody, vpnPassword: '' });
    expect(passwords()).toBe(1);
  });

  const stays = { kind: 'nothing is sent' } as const;
  const sent = { kind: 'one password' } as const;
  it.each<[string, Switches, typeof stays | typeof sent, object]>([
    ['an image', { image: 'shown' }, stays, { code: 'PERSON_NEEDED' }],
    ['an image that the page only shows', { image: 'dlsfbxyzm' }, stays, { code: 'PERSON_NEEDED' }],
    ['a slider', { slider: 'page' }, stays, { code: 'PERSON_NEEDED' }],
    ['a login by SMS', { sms: 'page' }, stays, { code: 'PERSON_NEEDED' }],
    ['an identity to be confirmed', { page: 'new', confirm: true }, stays, { code: 'PERSON_NEEDED' }],
    ['a firewall of 202', { firewall: '202' }, stays, {}],
    ['a firewall of 412', { firewall: '412' }, stays, {}],
    ['a firewall by script', { firewall: 'script' }, stays, {}],
    ['the night', { night: 'page' }, stays, {}],
    ['a slider in answer', { slider: 'tip' }, sent, {}],
    ['a code by SMS in answer', { sms: 'answer' }, sent, {}],
    ['the night in answer', { night: 'tip' }, sent, {}],
  ])('never takes %s for a wrong password, no matter how often it is read', async (_, switches, how, expected) => {
    await again();
    later();
    campus.expireSessions();
    set(switches);
    campus.resetRequests();
    for (let read = 0; read < 4; read += 1) {
      const { status, body } = await get('/jwc/term/all');
      expect([403, 502, 503]).toContain(status);
      expect(body.error).toMatchObject(expected);
      expect(body.error.code).not.toMatch(/PASSWORD_ERROR|CREDENTIALS/);
    }
    expect(passwords()).toBe(how === sent ? 1 : 0);
    await again();
  });

  it('sends no password while the school has locked the account', async () => {
    await again();
    set({ lock: true });
    ended();
    campus.model.failures.set(student.userid, { count: 5, last: clock.now() - 60_000 });
    const { status, body } = await get('/jwc/term/all');
    expect([status, body.error.code]).not.toContain('REMOTE_CREDENTIALS_INVALID');
    expect(status).toBeGreaterThanOrEqual(400);
    expect(passwords()).toBe(0);
    await again();
  });

  it('takes a lock in words for one, with its time', async () => {
    await again();
    campus.model.failures.set(student.userid, { count: 5, last: clock.now() });
    campus.resetRequests();
    const { body } = await login('anything', token);
    expect(body.error).toMatchObject({ reason: 'account_locked' });
    expect(passwords()).toBe(1);
    await again();
  });

  it('shows the image to a person, and a new one after a wrong answer, without sending the password before', async () => {
    later();
    set({ image: 'shown' });
    campus.resetRequests();
    const opened = await login();
    expect([opened.status, opened.body.data.challenge]).toMatchObject([
      428,
      { kind: 'captcha', image_png_base64: expect.any(String) },
    ]);
    expect(wire()).toEqual([PAGE, 'GET kaptcha']);
    const { id } = opened.body.data.challenge;
    const wrong = await gateway.b('POST', `/auth/challenges/${id}/answer`, { body: { answer: 'zzzz' } });
    expect(wrong.status).not.toBe(200);
    expect(passwords()).toBe(1);
    const next = wrong.body.data?.challenge?.id ?? id;
    const right = await gateway.b('POST', `/auth/challenges/${next}/answer`, { body: { answer: 'k7x4' } });
    expect([right.status, passwords()]).toEqual([200, 2]);
    token = right.body.data.token;
    campus.model.reset();
  });
});

describe('the death of a session', () => {
  it.each<[string, Parameters<Campus['fault']>[1]]>([
    ['a redirect to the login', { kind: 'login-redirect' }],
    ['the page of the login', { kind: 'login-page' }],
    ['a notice', { kind: 'body', type: 'text/html', body: '<p>登录超时</p>' }],
    ['a notice in JSON', { kind: 'body', type: 'application/json', body: '{"message":"请先登录"}' }],
  ])('by %s is no data', async (_, fault) => {
    await again();
    await get('/jwc/term/all');
    campus.fault('jwglxt', fault);
    campus.resetRequests();
    const { status } = await get('/jwc/score/all');
    expect(status).toBeGreaterThanOrEqual(400);
    expect(passwords()).toBeLessThanOrEqual(1);
    campus.clearFaults();
    await again();
    expect((await get('/jwc/score/all')).status).toBe(200);
  });

  it('by its own status, 901, is one sign-in and the read once more', async () => {
    ended();
    expect((await get('/jwc/score/all')).status).toBe(200);
    expect(wire()).toEqual([SCORES, PAGE, KEY, POST, MENU, SCORES]);
  });
});

describe('what schools do differently', () => {
  it('is found out once for the names of a page, and remembered', async () => {
    set({ timetable: 'second', scores: 'second', sections: 'absent' });
    ended();
    await get('/jwc/term/all');
    expect((await asked('/jwc/schedule/2026-2027-1-1/table')).wire.slice(0, 2)).toEqual([TABLE, 'POST xskbcx_cxXsKb']);
    expect((await asked('/jwc/schedule/2026-2027-1-1/table')).wire).toEqual(['POST xskbcx_cxXsKb']);
    expect((await asked('/jwc/score/all')).wire).toEqual([SCORES, 'POST cjcx_cxDgXscj']);
    const again = await asked('/jwc/score/all');
    expect([again.wire, again.body.data.records.length]).toEqual([['POST cjcx_cxDgXscj'], 12]);
  });

  it('is an empty first list where the second one is filled', async () => {
    set({ scores: 'second-filled' });
    ended();
    await get('/jwc/term/all');
    const { body, wire: asks } = await asked('/jwc/score/all');
    expect([asks, body.data.records.length]).toEqual([[SCORES, 'POST cjcx_cxDgXscj'], 12]);
  });

  it('is a list that is empty by both names, which the campus says', async () => {
    ended();
    const { wire: asks, body } = await asked('/jwc/score/2024-2025-2-1/list');
    expect([asks.slice(-2), body.data.records]).toEqual([[SCORES, 'POST cjcx_cxDgXscj'], []]);
    // Once one has had rows, an empty answer of it is none in doubt.
    await get('/jwc/score/all');
    expect((await asked('/jwc/score/2024-2025-2-1/list')).wire).toEqual([SCORES]);
  });

  it('is a timetable that wants its page first', async () => {
    set({ timetable: 'after-its-page' });
    ended();
    expect(
      (await asked('/jwc/schedule/2026-2027-1-1/table')).wire.slice(-4).filter((each) => !each.endsWith('Rjc')),
    ).toEqual(expect.arrayContaining([TABLE, TERMS, TABLE]));
  });

  it('is a list in pages, read to its end', async () => {
    set({ most: 5 });
    const { wire: asks, body } = await asked('/jwc/score/all');
    expect([asks, body.data.records.length]).toEqual([[SCORES, SCORES, SCORES], 12]);
  });

  it.each(['absent', 'other-term'] as const)('is a first day that it does not state for the term: %s', async (area) => {
    await again();
    clock.advance(26 * 3_600_000);
    set({ area });
    const { status, body } = await get('/jwc/term/current');
    expect([status, body.error.system]).toEqual([502, 'academics']);
  });
});

describe('a refusal', () => {
  it.each(['未完成评价，不能查询成绩！', '课程未发布', '该功能暂未开放'])(
    'is told in the words of the campus: %s',
    async (words) => {
      set({ alert: words });
      for (const path of [
        '/jwc/term/all',
        '/jwc/schedule/2026-2027-1-1/table',
        '/jwc/score/all',
        '/jwc/exam/info',
        '/profile/student',
        '/jwc/academic/info',
      ]) {
        const { status, body } = await get(path);
        expect([path, status, body.error]).toMatchObject([path, 502, { reason: 'application_refused' }]);
        expect(body.error.message).toContain(words.slice(0, 4));
      }
    },
  );

  it('of a function that the account lacks is one, too', async () => {
    const page =
      '<html><head><title>错误提示</title></head><body><h5>错误提示</h5><p>无功能权限，请与管理员联系</p></body></html>';
    campus.fault('jwglxt', { kind: 'body', type: 'text/html', body: page });
    const { status, body, wire: asks } = await asked('/jwc/score/all');
    expect([status, body.error.message]).toEqual([502, expect.stringContaining('无功能权限')]);
    expect(asks).toEqual([SCORES, 'POST cjcx_cxDgXscj']);
  });

  it('of section times names its part, but where the school has none', async () => {
    const free = await startGateway({ env: { CAMPUS: 'demo-zhengfang' }, clock });
    const served: unknown = free.services.simulated;
    if (!isZhengfang(served)) throw new Error('another campus is served');
    const bearer = await free.register(student);
    for (const sections of ['absent', 'empty'] as const) {
      served.model.switches.sections = sections;
      served.expireSessions();
      clock.advance(600_000);
      const { status, body } = await free.b('GET', '/jwc/schedule/2026-2027-1-1/table', {
        token: bearer,
        headers: fresh,
      });
      expect([status, body.data?.time_slots]).toEqual([200, []]);
    }
    await free.close();
  });
});

describe('another student’s data', () => {
  it.each<[string, string]>([
    ['/jwc/score/all', '{"items":[{"xh":"Z2026002","kch":"A","kcmc":"他人"}],"totalResult":1}'],
    ['/jwc/exam/info', '{"items":[{"xh":"Z2026002","kcmc":"他人"}],"totalResult":1}'],
    [
      '/jwc/schedule/2026-2027-1-1/table',
      '{"xsxx":{"XH":"Z2026002"},"kbList":[{"kch":"A","kcmc":"他人","xqj":"1","jcs":"1"}]}',
    ],
    [
      '/profile/student',
      '<label class="control-label">学号：</label><p>Z2026002</p><label>姓名</label><p>他人</p></body>',
    ],
  ])('is never shown by %s, and drops the session', async (path, body) => {
    await again();
    await get('/jwc/term/all');
    campus.fault('jwglxt', {
      kind: 'body',
      type: path === '/profile/student' ? 'text/html' : 'application/json',
      body,
    });
    campus.resetRequests();
    const { status, text } = await get(path);
    expect([status, text.includes('他人')]).toEqual([502, false]);
    expect(passwords()).toBe(0);
    campus.clearFaults();
    await again();
    expect((await get(path)).status).toBe(200);
  });
});

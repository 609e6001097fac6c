import { expect, it, onTestFinished } from 'vitest';
import { startDemoCampus } from '../../src/demo/demo-campus.ts';
import { first } from '../support/campus-rig.ts';
import { until } from '../support/evaluation-rig.ts';
import { type Answer, startGateway } from '../support/gateway-rig.ts';
import { pictures } from '../support/images.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { profileCalls } from '../support/profile-calls.ts';
import { TEST_KEY_PEM } from '../unit/demo/test-key.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are inspected member by member
type Json = any;

const { userid, password, vpnPassword } = first;
const pair = { password, vpn_password: vpnPassword };

/** The reads of a student over the term, step by step: surface, step, message and result. */
const tale = `
B invited: 200 邀请码验证成功
B registered: 200 注册成功
A logged in: 200 登录成功
B sessions: 200 获取登录会话成功 | 2
B terms: 200 获取学期信息成功 | 8
A terms: 200 学期信息获取成功 | 8
B week: 200 获取当前学期信息成功 | 2025-2026 week 3
B timetable: 200 获取课表信息成功 | 人工智能导论 体育（五） 刑法学 形势与政策（六） 数据库课程设计 社会实践 算法设计与分析 编译原理 计算机图形学
A timetable: 200 success | 人工智能导论 体育（五） 刑法学 形势与政策（六） 数据库课程设计 社会实践 算法设计与分析 编译原理 计算机图形学
B no such term: 200 教务系统的学期列表中没有该学期 | 0
B room: 200 宿舍绑定成功
B electricity: 200 获取寝室电费信息成功 | {"remaining_purchased":1234.56,"remaining_subsidy":36.8}
B clubs: 200 获取劳动俱乐部目录成功 | 233
B club wanted: 200 申请已提交
B application: 200 获取俱乐部申请记录成功 | 古籍修复劳动社 pending
B activities: 200 获取已加入的劳动活动列表成功 | 2
B sign-ins: 200 获取签到列表成功 | 2
B signed in: 200 签到成功 | 0
B progress: 200 获取劳动俱乐部修课进度成功 | 1
B activity score: 200 获取活动分总分信息成功 | 83.5
A activity score: 200 总分信息获取成功 | 83.5
B profile: 200 更新用户资料成功 | 小林
A profile: 200 获取用户资料成功 | 小林
B calendar: 200 日历订阅创建成功
B exams: 200 获取考试信息成功 | 6, first 2026-03-13 形势与政策（六）
A exams: 200 考试信息获取成功 | 6, first 2026-03-13 形势与政策（六）
B to evaluate: 200 评教课程列表获取成功 | 2
B evaluation: 200 初始化完成，找到 2 门待评价课程
B preview: 200 评教预览获取成功 | 20
B started: 200 任务已启动
B scores: 200 获取成绩单成功 | 8, first 操作系统 87
A scores: 200 success | 8, first 操作系统 87
B summary: 200 获取学业信息成功 | 42 1
A summary: 200 学业信息获取成功 | 42 1
B plan: 200 获取培养方案完成信息成功 | 2023级计算机科学与技术本科培养方案(主修) 39
A plan: 200 培养方案信息获取成功 | 2023级计算机科学与技术本科培养方案 42
B competitions: 200 获取竞赛信息成功 | 12
B erased: 200 账号已删除
`.trim();

it('a student lives through a term on both surfaces, from the invitation to the erasure', async () => {
  const clock = new ManualClock();
  const demo = await startDemoCampus({ clock, portalKeyPem: TEST_KEY_PEM });
  onTestFinished(() => demo.close());
  demo.switches.evaluationWaitSeconds = 30;
  demo.switches.portalIdleSeconds = 100_000;
  demo.student(userid).setEvaluation(2);
  const env = { EVALUATION_WAIT_SECONDS: '40', EVALUATION_OPEN_EVERY_SECONDS: '6' };
  const gateway = await startGateway({ clock: clock.skipping(300), demo, env });
  onTestFinished(() => gateway.close());

  const told: string[] = [];
  const tell = (head: string, message: string, data: Json, sum: (data: Json) => unknown): Json => {
    const comesTo = sum(data);
    told.push(`${head} ${message}${comesTo === undefined ? '' : ` | ${comesTo}`}`);
    return data;
  };
  const none = (): undefined => undefined;
  const bOf = (step: string, { status, body }: Answer, sum: (data: Json) => unknown = none): Json =>
    tell(`B ${step}: ${status}`, body.message, body.data, sum);
  const aOf = (step: string, { body }: Answer, sum: (data: Json) => unknown = none): Json =>
    tell(`A ${step}: ${body.code}`, body.message, body.data, sum);

  const { invite_token } = bOf(
    'invited',
    await gateway.b('POST', '/auth/register/invite', { body: { invite_code: 'DEMO-2026' } }),
  );
  const { token } = bOf(
    'registered',
    await gateway.b('POST', '/auth/register/next', { body: { userid, ...pair, invite_token } }),
  );
  const login = aOf('logged in', await gateway.a('/user/login', { userid, ...pair }));
  const old = { token: login.authme_token };
  const b = async (step: string, path: string, sum?: (data: Json) => unknown) =>
    bOf(step, await gateway.b('GET', path, { token }), sum);
  const order = async (step: string, method: string, path: string, body?: unknown, sum?: (data: Json) => unknown) =>
    bOf(step, await gateway.b(method, path, { token, ...(body === undefined ? {} : { body }) }), sum);
  const a = async (step: string, path: string, sum?: (data: Json) => unknown, request?: unknown) =>
    aOf(step, await gateway.a(path, request === undefined ? old : { request, AuthmeRequest: old }), sum);
  const length = (rows: Json): number => (Array.isArray(rows) ? rows : Object.keys(rows)).length;

  await b('sessions', '/auth/sessions', ({ sessions }) => length(sessions));

  const terms = await b('terms', '/jwc/term/all', length);
  await a('terms', '/jwc/fetch_all_terms', length);
  await b('week', '/jwc/term/current', ({ academic_year, week_number }) => `${academic_year} week ${week_number}`);
  const now = terms.find(({ is_current }: Json) => is_current).term_code;
  const names = ({ courses }: Json) =>
    courses
      .map(({ course_name }: Json) => course_name)
      .toSorted()
      .join(' ');
  await b('timetable', `/jwc/schedule/${now}/table`, names);
  await a('timetable', '/jwc/fetch_course_schedule', names, { plan_code: now });
  await b('no such term', '/jwc/schedule/1999-2000-1-1/table', ({ courses }) => length(courses));

  const room = { room_id: '010101' };
  await order('room', 'POST', '/isim/room/bind', room);
  await b('electricity', '/isim/elec/info', ({ balance }) => JSON.stringify(balance));
  const clubs = await b('clubs', '/ldjlb/labor/clubs', ({ pageInfo }) => pageInfo.TotalItemCount);
  const wanted = clubs.data.find(({ IsEnable, IsJoin }: Json) => IsEnable && !IsJoin);
  await order('club wanted', 'POST', `/ldjlb/labor/club/${wanted.ID}/apply`, { reason: '希望参与劳动实践' });
  await b('application', '/ldjlb/labor/club/applications', ({ data }) => `${data[0].ClubName} ${data[0].status}`);
  const joined = await b('activities', '/ldjlb/labor/joined/activities', ({ data }) => length(data));
  const { data: items } = await b('sign-ins', `/ldjlb/labor/${joined.data[0].ID}/sign_list`, ({ data }) =>
    length(data),
  );
  const scan = { content: `SIGN|${items[0].ID}`, location: '120.1,30.2' };
  await order('signed in', 'POST', '/ldjlb/labor/scan_sign', scan, ({ code }) => code);
  await b('progress', '/ldjlb/labor/progress', ({ finish_count }) => finish_count);
  await b('activity score', '/aac/credit/info', ({ TotalScore }) => TotalScore);
  await a('activity score', '/aac/fetch_score_info', ({ TotalScore }) => TotalScore);

  const calls = profileCalls(gateway, token);
  const avatar = await calls.stage('avatar', pictures.png);
  const profile = await order(
    'profile',
    'PUT',
    '/profile/user/update',
    { nickname: '小林', avatar_uuid: avatar },
    (data) => data.nickname,
  );
  const picture = new URL(profile.avatar_url);
  await a('profile', '/user/profile/get', ({ nickname }) => nickname);
  const feed = await order('calendar', 'POST', '/calendar/feeds', { name: '课表', include: ['classes', 'exams'] });
  const calendar = new URL(feed.url).pathname;
  await gateway.b('GET', '/jwc/exam/info', { token });
  const poll = async () => (await gateway.b('GET', calendar)).text.match(/BEGIN:VEVENT/g)?.length ?? 0;
  expect(await poll()).toBeGreaterThan(50);

  const ends = ({ exams, total_count }: Json) => `${total_count}, first ${exams[0].exam_date} ${exams[0].course_name}`;
  await b('exams', '/jwc/exam/info', ends);
  await a('exams', '/jwc/fetch_exam_info', ends);
  await b('to evaluate', '/jwc/evaluation/courses', length);
  const { course_list: courses } = await order('evaluation', 'POST', '/jwc/evaluation/initialize');
  await b('preview', `/jwc/evaluation/preview?course_key=${courses[0].course_key}`, ({ ratings }) => length(ratings));
  await order('started', 'POST', '/jwc/evaluation/start');
  const status = async () => (await gateway.a('/jwc/evaluation/status', old)).body.data;
  const resting = () => 1 + gateway.services.evaluation.running;
  await until(clock, resting, async () => (await status()).status === 'completed');
  const { success_count: done, fail_count: failed } = await status();
  expect([done, failed]).toEqual([2, 0]);

  const past = terms.find(({ is_current, term_code }: Json) => !is_current && term_code < now).term_code;
  const marks = ({ total_count, records }: Json) =>
    `${total_count}, first ${records[0].course_name_cn} ${records[0].score}`;
  await b('scores', `/jwc/score/${past}/list`, marks);
  await a('scores', '/jwc/fetch_term_score', marks, { term_id: past });
  await b('summary', '/jwc/academic/info', ({ completed_courses: all, failed_courses: not }) => `${all} ${not}`);
  await a('summary', '/jwc/fetch_academic_info', ({ count, countNotPass }) => `${count} ${countNotPass}`);
  await b('plan', '/jwc/plan/current', ({ plan_name, passed_courses }) => `${plan_name} ${passed_courses}`);
  await a('plan', '/jwc/fetch_education_plan_info', ({ pyfa, courseCount }) => `${pyfa} ${courseCount}`);
  await b('competitions', '/jwc/competition/info', ({ total_awards_count: awards }) => awards);

  await order('erased', 'DELETE', '/auth/account', pair);
  const gone = await gateway.b('GET', '/auth/authme/token', { token });
  const goneToo = await gateway.a('/user/authme', old);
  const statuses = [gone.status, goneToo.body.code];
  for (const path of [calendar, picture.pathname + picture.search])
    statuses.push((await gateway.b('GET', path)).status);
  expect(statuses).toEqual([401, 401, 404, 404]);
  const again = await gateway.register(first);
  const left = await gateway.b('GET', '/calendar/feeds', { token: again });
  expect([left.body.data.feeds, (await gateway.b('GET', '/profile/user/get', { token: again })).status]).toEqual([
    [],
    404,
  ]);
  expect((await gateway.a('/jwc/evaluation/status', { token: again })).body.data).toBeNull();

  expect(told.join('\n')).toBe(tale);
  expect(gateway.log()).not.toMatch(/"level":"(warn|error|fatal)"/);
}, 60_000);

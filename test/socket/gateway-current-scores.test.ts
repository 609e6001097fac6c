import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { DemoFault } from '../../src/demo/types.ts';
import { damaged, second } from '../support/campus-rig.ts';
import { type Answer, type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { springNoon } from '../support/study-reads.ts';

const base = '/student/integratedQuery/scoreQuery';
const indexPath = `${base}/thisTermScores/index`;
const dataPath = `${base}/*/thisTermScores/data`;
const componentsPath = `${base}/*/thisterm/coursePropertyScores/serchScoreDetail`;
const index = `jwc GET ${indexPath}`;
const data = `jwc GET ${dataPath}`;
const components = `jwc POST ${componentsPath}`;

const LIST = '/jwc/score/current/list';
const keyOf = (more: Record<string, string> = {}) =>
  new URLSearchParams({
    term_code: '2025-2026-2-1',
    course_code: 'SY3202001',
    course_class: '02',
    exam_time: ' 20260610 ',
    ...more,
  }).toString();
const detail = (more: Record<string, string> = {}) => `/jwc/score/current/detail?${keyOf(more)}`;

let gateway: Gateway;
let tokens: Record<'damaged' | 'second', string>;
beforeAll(async () => {
  gateway = await startGateway({ movingClock: new ManualClock(springNoon) });
  tokens = { damaged: await gateway.register(damaged), second: await gateway.register(second) };
});
afterEach(() => gateway.demo.clearFaults());
afterAll(() => gateway.close());

const get = (path: string, who: 'damaged' | 'second' = 'damaged'): Promise<Answer> =>
  gateway.b('GET', path, { token: tokens[who] });
const shown = async (path: string, who: 'damaged' | 'second' = 'damaged') => {
  const { status, body, text } = await get(path, who);
  expect([status, body.success, body.error], text).toEqual([200, true, null]);
  return { message: body.message, data: body.data };
};
const score = (code: string, sequence: string, examTime: string, more: object) => ({
  term_id: '2025-2026-2-1',
  course_code: code,
  course_class: sequence,
  course_name_cn: '',
  course_name_en: '',
  credits: '3',
  hours: 48,
  course_type: '必修',
  exam_type: '考试',
  score: '',
  exam_time: examTime,
  is_published: true,
  grade_point: null,
  class_average: null,
  class_highest: null,
  class_lowest: null,
  class_rank: null,
  ...more,
});
const component = (code: string, type: string, more: object) => ({
  score_type_code: code,
  score_type: type,
  regular: null,
  midterm: null,
  final: null,
  total: null,
  remark: '',
  regular_weight: null,
  midterm_weight: null,
  final_weight: null,
  weight: null,
  ...more,
});

describe('the scores of this term', () => {
  it('have every member; what the campus does not send is null, what is not published says so', async () => {
    expect(await shown(LIST)).toEqual({
      message: '获取本学期成绩成功',
      data: {
        total_count: 3,
        records: [
          score('SY3202001', '02', ' 20260610 ', {
            course_name_cn: '数据结构',
            course_name_en: 'Data Structures',
            score: '87',
            grade_point: '3.7',
            class_average: '81.20',
            class_highest: '99',
            class_lowest: '40',
            class_rank: '3/78',
          }),
          score('SY3202004', '11', '1', {
            course_name_cn: '体育（六）',
            credits: '1.0',
            hours: 32,
            exam_type: '',
            score: '优秀',
          }),
          score('SY3202002', '05', '20260612', { course_name_cn: '线性代数(B)', is_published: false }),
        ],
      },
    });
    const theirs = (await shown(LIST, 'second')).data;
    expect(theirs.total_count).toBe(5);
    expect(theirs.records.at(-1)).toEqual(
      score('RW3202005', '01', '20260312', {
        course_name_cn: '经典研读：《楚辞》',
        course_name_en: 'Classics Reading: Songs of Chu',
        credits: '1',
        hours: 16,
        course_type: '任选',
        exam_type: '考查',
        score: '92',
      }),
    );
    expect(theirs.records.filter((row: { is_published: boolean }) => row.is_published)).toHaveLength(1);
  });

  it('have components, each with the weights of its own type', async () => {
    const asked = { term_code: '2025-2026-2-1', course_code: 'SY3202001', course_class: '02', exam_time: ' 20260610 ' };
    expect(await shown(detail())).toEqual({
      message: '获取成绩明细成功',
      data: {
        ...asked,
        items: [
          component('001', '课堂成绩', {
            regular: '90',
            midterm: '82',
            final: '88.5',
            total: '87.3',
            regular_weight: 0.3,
            midterm_weight: 0.2,
            final_weight: 0.5,
            weight: 0.6,
          }),
          component('002', '实验成绩', {
            regular: '85',
            total: '86',
            remark: '实验六次',
            regular_weight: 1,
            weight: 0.4,
          }),
          component('', '成绩分类', {}),
        ],
      },
    });
  });

  it.each<[string, Record<string, string>]>([
    ['an unknown course', { course_code: 'SY1' }],
    ['another class', { course_class: '2' }],
    ['an exam time without its blanks', { exam_time: '20260610' }],
    ['no exam time', { exam_time: '' }],
    ['a score that is not published', { course_code: 'SY3202002', course_class: '05', exam_time: '20260612' }],
    ['a score of another student', { course_code: 'RW3202005', course_class: '01', exam_time: '20260312' }],
    ['an earlier term', { term_code: '2025-2026-1-1' }],
  ])('have no components for %s', async (_, more) => {
    expect((await shown(detail(more))).data.items).toEqual([]);
  });

  it.each([
    ['term_code', '2025-2026-1'],
    ['course_code', ''],
    ['course_code', 'K'.repeat(41)],
    ['course_class', ''],
    ['exam_time', ' '.repeat(41)],
  ])('are not asked for with %s %j', async (name, value) => {
    gateway.demo.resetRequests();
    const answer = await get(detail({ [name]: value }));
    expect([answer.status, answer.body.error.code, answer.body.error.details[0].loc]).toEqual([
      422,
      'VALIDATION_ERROR',
      ['query', name],
    ]);
    expect(gateway.wire()).toEqual([]);
  });

  it.each(['term_code', 'course_code', 'course_class', 'exam_time'])('are not asked for without %s', async (name) => {
    const query = new URLSearchParams(keyOf());
    query.delete(name);
    const answer = await get(`/jwc/score/current/detail?${query}`);
    expect([answer.status, answer.body.error.details[0].loc]).toEqual([422, ['query', name]]);
  });

  it('leave the scores of a term where they are', async () => {
    expect((await shown('/jwc/score/2025-2026-1-1/list')).data.total_count).toBeGreaterThan(0);
  });
});

describe('requests at the campus', () => {
  it('are 2 cold and 1 warm; a list and k details are 1 + 1 + k', async () => {
    gateway.demo.student(damaged.userid).expireService('jwc');
    await get('/jwc/academic/info');
    expect(await gateway.wireOf(() => get(LIST))).toEqual([index, data]);
    expect(await gateway.wireOf(() => get(LIST))).toEqual([data]);
    expect(await gateway.wireOf(() => get(detail()))).toEqual([components]);
    expect(await gateway.wireOf(() => get(detail({ course_code: 'SY3202004' })))).toEqual([components]);
    gateway.demo.student(damaged.userid).expireService('jwc');
    await get('/jwc/academic/info');
    expect(await gateway.wireOf(() => get(detail()))).toEqual([index, components]);
    expect(await gateway.wireOf(() => get(LIST))).toEqual([data]);
  });

  it('are one page more for a segment that is gone', async () => {
    await get(LIST);
    const gone: DemoFault = { kind: 'body', body: '{"result":"error","msg":"页面已失效"}' };
    for (const [path, read, request] of [
      [dataPath, LIST, data],
      [componentsPath, detail(), components],
    ] as const) {
      gateway.demo.fault({ system: 'jwc', path, times: 1, fault: gone });
      expect(await gateway.wireOf(() => get(read))).toEqual([request, index, request]);
    }
  });

  it('share one page when lists and details are asked for at once', async () => {
    gateway.demo.student(damaged.userid).expireService('jwc');
    await get('/jwc/academic/info');
    const calls = [LIST, detail(), detail({ course_code: 'SY3202004' })].map((path) => () => get(path));
    const wire = await gateway.wireOf(...calls);
    expect(wire.toSorted()).toEqual([index, data, components, components].toSorted());
  });
});

describe('a campus that misbehaves', () => {
  const refused = ({ status, body }: Answer) => [status, body.error?.code, body.data];

  // Each page alone; the fault matrix tries all faults at the whole system.
  it.each<[string, DemoFault, readonly [number, string]]>([
    ['resets the connection', { kind: 'reset' }, [502, 'REMOTE_SERVICE_ERROR']],
    ['answers with an unrelated page', { kind: 'html' }, [502, 'REMOTE_SERVICE_ERROR']],
    ['goes on showing the login page', { kind: 'login-page' }, [502, 'REMOTE_SERVICE_ERROR']],
    ['never answers', { kind: 'hang' }, [504, 'TIMEOUT']],
  ])('%s: no scores and no components are shown', async (_, fault, expected) => {
    for (const [path, read] of [
      [dataPath, LIST],
      [componentsPath, detail()],
      [indexPath, LIST],
    ] as const) {
      // A good call in between keeps the breaker out of this; without its session the page is asked for.
      for (let i = 0; i < 3; i += 1) expect((await get('/jwc/academic/info')).status).toBe(200);
      if (path === indexPath) {
        gateway.demo.student(damaged.userid).expireService('jwc');
        expect((await get('/jwc/academic/info')).status).toBe(200);
      } else await shown(read);
      const rule = gateway.demo.fault({ system: 'jwc', path, fault });
      expect(refused(await get(read))).toEqual([...expected, null]);
      rule.remove();
    }
  });

  it('and goes on refusing its segments is an error in its words', async () => {
    const fault: DemoFault = { kind: 'body', body: '{"result":"error","msg":"成绩查询暂未开放"}' };
    gateway.demo.fault({ system: 'jwc', path: dataPath, fault });
    const answer = await get(LIST);
    expect([...refused(answer), answer.body.message]).toEqual([502, 'REMOTE_SERVICE_ERROR', null, '成绩查询暂未开放']);
  });

  it.each(['truncated', 'malformed'] as const)(
    'and sends a %s list, or page, never shows a shorter one',
    async (kind) => {
      for (const path of [dataPath, componentsPath]) {
        const rule = gateway.demo.fault({ system: 'jwc', path, fault: { kind } });
        expect(refused(await get(path === dataPath ? LIST : detail()))).toEqual([502, 'REMOTE_SERVICE_ERROR', null]);
        rule.remove();
        await get(LIST);
      }
    },
  );
});

describe('two students at once', () => {
  const theirs = { course_code: 'RW3202005', course_class: '01', exam_time: '20260312' };
  const calls = [
    [LIST, 'damaged'],
    [LIST, 'second'],
    [detail(), 'damaged'],
    [detail(), 'second'],
    [detail(theirs), 'second'],
    [detail(theirs), 'damaged'],
  ] as const;

  it('never see each other’s scores', async () => {
    const ask = ([path, who]: (typeof calls)[number]) => shown(path, who).then(({ data: answer }) => answer);
    const alone = [];
    for (const call of calls) alone.push(await ask(call));
    expect(await Promise.all([...calls, ...calls].map(ask))).toEqual([...alone, ...alone]);
    expect(alone.map((answer) => answer.total_count ?? answer.items.length)).toEqual([3, 5, 3, 0, 1, 0]);
  });

  it('leave no secret in the log, and no score in the database', () => {
    for (const { userid, password, vpnPassword } of [damaged, second]) {
      for (const secret of [`"${password}"`, `"${vpnPassword}"`, userid]) expect(gateway.log()).not.toContain(secret);
    }
    for (const token of Object.values(tokens)) expect(gateway.log()).not.toContain(token);
    for (const text of ['数据结构', 'SY3202001', '20260610']) {
      expect(gateway.log()).not.toContain(text);
      expect(gateway.databaseBytes().includes(text)).toBe(false);
    }
  });
});

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { DemoFault } from '../../src/demo/types.ts';
import { damaged, second } from '../support/campus-rig.ts';
import { type Answer, type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { paths, springNoon } from '../support/study-reads.ts';

const micro = '202503110042';
const termPage = '/student/courseSelect/calendarSemesterCurriculum/index';
const scoreIndex = '/student/integratedQuery/scoreQuery/allTermScores/index';
const scoreData = '/student/integratedQuery/scoreQuery/*/allTermScores/data';
const get = (path: string) => `jwc GET ${path}`;
const post = (path: string) => `jwc POST ${path}`;

const clock = new ManualClock(springNoon);
let gateway: Gateway;
let tokens: Record<'damaged' | 'second', string>;
beforeAll(async () => {
  gateway = await startGateway({ movingClock: clock });
  tokens = { damaged: await gateway.register(damaged), second: await gateway.register(second) };
});
afterEach(() => {
  gateway.demo.clearFaults();
  // Nothing that is kept for minutes answers the next test.
  clock.advance(301_000);
});
afterAll(() => gateway.close());

const ask = (path: string, who: 'damaged' | 'second' = 'damaged'): Promise<Answer> =>
  gateway.b('GET', `/jwc/plan/${path}`, { token: tokens[who] });
const shown = async (path: string, who: 'damaged' | 'second' = 'damaged') => {
  const { status, body, text } = await ask(path, who);
  expect([status, body.success], text).toEqual([200, true]);
  return body;
};
const refused = ({ status, body }: Answer) => [status, body.error?.code, body.data];

describe('a student without a plan', () => {
  it('is told that there is none, not that the login may be over', async () => {
    const planless = { userid: '2023000040', password: 'p-40', vpnPassword: 'v-40' };
    gateway.demo.addStudent({ ...planless, newcomer: true });
    const token = await gateway.register(planless);
    const none = '教务系统中没有您的培养方案';
    for (const path of ['/jwc/plan/current', '/jwc/plan/options', '/jwc/academic/training_plan']) {
      const { status, body } = await gateway.b('GET', path, { token });
      expect([status, body.error.code, body.message, body.data]).toEqual([502, 'NULL_RESPONSE', none, null]);
    }
    const a = await gateway.a('/jwc/fetch_education_plan_info', { token });
    expect(a.body).toEqual({ code: 500, message: none, data: null });
  });
});

describe('the choice of plans', () => {
  it('has every plan with its kind, and one default; a student with one plan has none', async () => {
    expect(await shown('options')).toMatchObject({
      message: '获取培养方案选项成功',
      data: {
        needs_selection: true,
        hint: '提示：您有多个培养方案， 请选择要查看的方案',
        options: [
          { plan_id: '7410', plan_name: '2024级法学本科培养方案 (辅修)', plan_type: '辅修', is_default: false },
          {
            plan_id: '7352',
            plan_name: '2023级计算机科学与技术 本科培养方案(主修)',
            plan_type: '主修',
            is_default: true,
          },
          { plan_id: micro, plan_name: '数字法治（微专业）教学计划', plan_type: '微专业', is_default: false },
        ],
      },
    });
    expect((await shown('options', 'second')).data).toEqual({ needs_selection: false, hint: null, options: [] });
  });

  it('shows the plan that is asked for, and the default one without a word', async () => {
    expect((await shown('current')).data).toMatchObject({ plan_id: '7352', nothing_passed: false, estimate: null });
    expect((await shown('current?plan_id=7410')).data).toMatchObject({
      plan_id: '7410',
      plan_name: '2024级法学本科培养方案(辅修)',
      total_courses: 1,
    });
    expect((await shown('current', 'second')).data).toMatchObject({ plan_id: null, total_courses: 119 });
  });

  it('names a plan as the choice does where its own page does not', async () => {
    expect((await shown(`current?plan_id=${micro}`)).data).toMatchObject({
      plan_id: micro,
      plan_name: '数字法治（微专业）教学计划',
      major: '',
      grade: '',
      nothing_passed: true,
      estimate: null,
    });
  });

  it('never asks the campus for a plan that the student was not offered', async () => {
    for (const [who, id] of [
      ['damaged', '6120'],
      ['damaged', '735'],
      ['second', '6120'],
      ['second', '7352'],
    ] as const) {
      gateway.demo.resetRequests();
      const answer = await ask(`current?plan_id=${id}`, who);
      expect(refused(answer)).toEqual([404, 'PLAN_NOT_FOUND', null]);
      expect(answer.body.message).toBe('培养方案不存在');
      expect(gateway.wire()).not.toContain(get(paths.chosenPlan));
      expect(await gateway.wireOf(() => ask('options', who))).toEqual([]);
    }
    expect([damaged, second].flatMap(({ userid }) => gateway.demo.student(userid).foreignPlans())).toEqual([]);
  });

  it('that is known does not make the plan look older than it is', async () => {
    await shown('options');
    clock.advance(200_000);
    const headers = { authorization: `Bearer ${tokens.damaged}` };
    const response = await fetch(`${gateway.url}/jwc/plan/current`, { headers });
    expect([response.headers.get('age'), response.headers.get('cache-status')]).toEqual([
      null,
      'campus-gateway; fwd=miss',
    ]);
    expect(await response.json()).toMatchObject({ message: '获取培养方案完成信息成功' });
  });

  const body = (text: string): DemoFault => ({ kind: 'body', body: text, type: 'text/html;charset=UTF-8' });

  it('is not asked for again when the campus wants patience', async () => {
    await shown('options');
    const fault = body('<html><body>请勿频繁刷新</body></html>');
    gateway.demo.fault({ system: 'jwc', path: '/student/integratedQuery/planCompletion', fault });
    gateway.demo.resetRequests();
    const answer = await ask('current');
    expect([...refused(answer), answer.body.message]).toEqual([502, 'REMOTE_SERVICE_ERROR', null, '请勿频繁刷新']);
    expect(gateway.wire()).toEqual([get(paths.chosenPlan)]);
  });
});

describe('an estimate', () => {
  const wanted = `current?plan_id=${micro}&estimate=true`;

  it('costs the term list, the score page once, and one request per term, one after the other', async () => {
    gateway.demo.student(damaged.userid).expireService('jwc');
    await gateway.b('GET', '/jwc/academic/info', { token: tokens.damaged });
    const data = Array(9).fill(post(scoreData));
    const plan = [get(paths.planPage), get(paths.chosenPlan), get(termPage)];
    expect(await gateway.wireOf(() => ask(wanted))).toEqual([...plan, get(scoreIndex), ...data]);
    expect(await gateway.wireOf(() => ask(wanted))).toEqual([...plan.slice(1), ...data]);
    expect(await gateway.wireOf(() => ask(`current?plan_id=${micro}`))).toEqual(plan.slice(1, 2));
    expect(await gateway.wireOf(() => ask(`current?plan_id=${micro}&estimate=false`))).toEqual(plan.slice(1, 2));
  });

  it('is made of copies alone where the caller wants it, and waits for its reads on one listener', async () => {
    const warnings: string[] = [];
    const note = ({ name }: Error) => warnings.push(name);
    process.on('warning', note);
    const { data } = await shown(wanted);
    await gateway.services.reads.close();
    process.off('warning', note);
    expect(warnings).not.toContain('MaxListenersExceededWarning');
    gateway.demo.resetRequests();
    const headers = { authorization: `Bearer ${tokens.damaged}`, 'x-copy': 'only' };
    const ofCopies = await fetch(`${gateway.url}/jwc/plan/${wanted}`, { headers });
    expect(await ofCopies.json()).toMatchObject({ data });
    const ofNone = await fetch(`${gateway.url}/jwc/plan/current?plan_id=7777`, { headers });
    expect([ofNone.status, gateway.wire()]).toEqual([504, []]);
  });

  it.each<[string, string, DemoFault, readonly [number, string]]>([
    ['the term list', termPage, { kind: 'status', status: 404 }, [502, 'REMOTE_SERVICE_ERROR']],
    ['the score page', scoreData, { kind: 'malformed' }, [502, 'REMOTE_SERVICE_ERROR']],
    ['the score page', scoreData, { kind: 'truncated' }, [502, 'REMOTE_SERVICE_ERROR']],
    ['the score page', scoreData, { kind: 'hang' }, [504, 'TIMEOUT']],
  ])('without %s of every term is a failure, never half an estimate (%s)', async (_, path, fault, expected) => {
    await shown(`current?plan_id=${micro}`);
    if (path === scoreData) {
      const good = gateway.demo.fault({ system: 'jwc', path, times: 3, fault: { kind: 'gbk' } });
      gateway.demo.fault({ system: 'jwc', path, fault });
      expect(refused(await ask(wanted))).toEqual([...expected, null]);
      good.remove();
    } else {
      gateway.demo.fault({ system: 'jwc', path, fault });
      expect(refused(await ask(wanted))).toEqual([...expected, null]);
    }
    // What the plan itself says is there all the same.
    expect((await shown(`current?plan_id=${micro}`)).data.nothing_passed).toBe(true);
  });
});

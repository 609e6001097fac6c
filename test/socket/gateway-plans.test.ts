import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
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
});

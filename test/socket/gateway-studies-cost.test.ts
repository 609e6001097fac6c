import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { damaged, second } from '../support/campus-rig.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { paths, type StudyName, springNoon, studyReads } from '../support/study-reads.ts';

const get = (path: string) => `jwc GET ${path}`;
const post = (path: string) => `jwc POST ${path}`;
const summary = post(paths.summary);
const plan = get(paths.plan);
const home = get(paths.home);
const calendar = get(paths.calendar);
const evaluationList = post(paths.evaluationList);
const planPage = get(paths.planPage);
const chosenPlan = get(paths.chosenPlan);

describe('requests at the campus', () => {
  const clock = new ManualClock(springNoon);
  let gateway: Gateway;
  let tokens: Record<'damaged' | 'second', string>;
  beforeAll(async () => {
    gateway = await startGateway({ clock });
    tokens = { damaged: await gateway.register(damaged), second: await gateway.register(second) };
  });
  afterAll(() => gateway.close());

  /** Requests of one read, in the order in which they arrived. */
  const wireOf = (name: StudyName, who: 'damaged' | 'second' = 'damaged'): Promise<string[]> =>
    gateway.wireOf(() => studyReads[name].ask(gateway, tokens[who]));

  it('plan: 2 cold on surface A; then 1 there, and none on surface B, for 300 s and for this student alone', async () => {
    expect((await wireOf('planA')).toSorted()).toEqual([plan, summary].toSorted());
    expect(await wireOf('planA')).toEqual([summary]);
    expect(await wireOf('planB')).toEqual([]);
    expect(await wireOf('planB', 'second')).toEqual([plan]);
    clock.advance(299_999);
    expect(await wireOf('planB')).toEqual([]);
    clock.advance(1);
    expect(await wireOf('planB')).toEqual([plan]);
    expect(await wireOf('planB')).toEqual([]);
  });

  it('evaluation list: 1, and 2 when the campus counts more courses than it sends', async () => {
    expect(await wireOf('evaluationList')).toEqual([evaluationList]);
    gateway.demo.student(second.userid).setEvaluation(63);
    expect(await wireOf('evaluationList', 'second')).toEqual([evaluationList, evaluationList]);
    const answer = await studyReads.evaluationList.ask(gateway, tokens.second);
    expect(answer.body.data).toHaveLength(63);
  });

  it('current term: 2 cold; then 1 for every student, for a day', async () => {
    expect(await wireOf('term')).toEqual([home, calendar]);
    expect(await wireOf('term', 'second')).toEqual([home]);
    clock.advance(24 * 3_600_000 - 1);
    await studyReads.selection.ask(gateway, tokens.damaged);
    expect(await wireOf('term')).toEqual([home]);
    clock.advance(1);
    expect(await wireOf('term')).toEqual([home, calendar]);
  });

  it('plan completion: 1, and 2 with several plans; then 1, the choice being kept for 300 s', async () => {
    await studyReads.selection.ask(gateway, tokens.second);
    for (let round = 0; round < 2; round += 1) {
      expect(await wireOf('completion', 'second')).toEqual([planPage]);
      expect(await wireOf('completion')).toEqual([planPage, chosenPlan]);
      clock.advance(299_999);
      expect(await wireOf('completion', 'second')).toEqual([planPage]);
      expect(await wireOf('completion')).toEqual([chosenPlan]);
      expect(await wireOf('planOptions')).toEqual([]);
      clock.advance(1);
    }
  });

  it('plan options: 1; then 0, and 1 for each plan, of several or the only one', async () => {
    expect(await wireOf('planOptions')).toEqual([planPage]);
    expect(await wireOf('planOptions')).toEqual([]);
    expect(await wireOf('completion')).toEqual([chosenPlan]);
    expect(await wireOf('planOptions', 'second')).toEqual([planPage]);
    expect(await wireOf('completion', 'second')).toEqual([planPage]);
    clock.advance(300_000);
  });

  it('a failed plan and a failed first day are not kept', async () => {
    clock.advance(24 * 3_600_000);
    await studyReads.selection.ask(gateway, tokens.damaged);
    for (const [name, path, wire] of [
      ['planB', paths.plan, [plan]],
      ['term', paths.calendar, [home, calendar]],
    ] as const) {
      const rule = gateway.demo.fault({ system: 'jwc', path, fault: { kind: 'status', status: 404 } });
      expect((await studyReads[name].ask(gateway, tokens.damaged)).status).toBe(502);
      rule.remove();
      expect(await wireOf(name)).toEqual(wire);
    }
  });
});

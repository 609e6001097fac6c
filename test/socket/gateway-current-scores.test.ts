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

describe('the scores of this term', () => {
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
});

describe('requests at the campus', () => {
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

  it('and goes on refusing its segments is an error in its words', async () => {
    const fault: DemoFault = { kind: 'body', body: '{"result":"error","msg":"成绩查询暂未开放"}' };
    gateway.demo.fault({ system: 'jwc', path: dataPath, fault });
    const answer = await get(LIST);
    expect([...refused(answer), answer.body.message]).toEqual([502, 'REMOTE_SERVICE_ERROR', null, '成绩查询暂未开放']);
  });
});

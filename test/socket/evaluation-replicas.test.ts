import { describe, expect, it, vi } from 'vitest';
import type { DemoCampus } from '../../src/demo/types.ts';
import { first } from '../support/campus-rig.ts';
import { countsOf, expectAllStoredOnce } from '../support/evaluation-rig.ts';
import { type Cluster, call, cluster, enroll, type Replica, type Reply } from '../support/replicas.ts';
import type { AtEnd } from '../support/service-process.ts';

const quick = { EVALUATION_WAIT_SECONDS: '2', EVALUATION_OPEN_EVERY_SECONDS: '1' };
/** A campus with that many courses to evaluate, which wants a second for each. */
const campusWith = async (courses: number, atEnd: AtEnd): Promise<Cluster> => {
  const replicas = await cluster(atEnd);
  replicas.demo.switches.evaluationWaitSeconds = 1;
  replicas.demo.student(first.userid).setEvaluation(courses);
  return replicas;
};
const order = (replica: Replica, token: string, operation: string): Promise<Reply> =>
  call(replica.address, 'POST', `/api/v1/jwc/evaluation/${operation}`, { body: { token } });
const counts = (demo: DemoCampus) =>
  countsOf(demo.requests().map(({ system, method, path }) => `${system} ${method} ${path}`));

const begin = async (replica: Replica, token: string): Promise<void> => {
  expect((await order(replica, token, 'initialize')).body.code).toBe(200);
  expect((await order(replica, token, 'start')).body.data).toEqual({ task_status: 'running' });
};

/** Long enough for a killed process to be seen dead. */
const patience = { timeout: 90_000, interval: 200 };
const finished = async (replica: Replica, token: string): Promise<Reply['body']> => {
  let data: Reply['body'] = null;
  await vi.waitFor(async () => {
    ({ data } = (await order(replica, token, 'status')).body);
    expect(data.status).not.toBe('running');
  }, patience);
  return data;
};

// Each has its own campus, database and processes, and mostly waits.
describe.concurrent('evaluation runs of real processes on one PostgreSQL', () => {
  it('a run that one is at work on is seen, refused a second time and stopped by the other, and has failed at once when its process ends in order', async ({
    onTestFinished,
  }) => {
    const { demo, start } = await campusWith(4, onTestFinished);
    const [one, two] = await Promise.all([start({ EVALUATION_WAIT_SECONDS: '60' }), start(quick)]);
    const token = await enroll(one.address, first);
    await begin(one, token);
    expect((await order(two, token, 'status')).body.data).toMatchObject({ status: 'running', total_courses: 4 });
    expect((await order(two, token, 'current')).body.data).toMatchObject({ is_evaluating: true });
    expect((await order(two, token, 'initialize')).body).toMatchObject({ code: 400, data: null });
    expect((await order(two, token, 'start')).body).toMatchObject({ code: 400, data: { task_status: 'running' } });
    await vi.waitFor(() => expect(counts(demo).page).toBe(2), patience);
    expect((await order(two, token, 'terminate')).body).toEqual({
      code: 200,
      message: '任务已终止',
      data: { task_status: 'terminated' },
    });
    await one.printed(/evaluation run ended/);
    expect(counts(demo)).toMatchObject({ page: 2, submission: 0, list: 1, index: 1 });
    expect((await order(one, token, 'status')).body.data).toMatchObject({ status: 'terminated', fail_count: 0 });

    demo.resetRequests();
    await begin(one, token);
    await vi.waitFor(() => expect(counts(demo).page).toBeGreaterThan(0), patience);
    one.kill('SIGTERM');
    await one.ended;
    const failed = { status: 'failed', error_message: '评价任务异常: 评教曾经中断，请重新开始，已提交的课程仍然有效' };
    expect((await order(two, token, 'status')).body.data).toMatchObject({ ...failed, fail_count: 0 });
    expect((await call(two.address, 'GET', '/jwc/evaluation/status', { token })).body.data).toMatchObject(failed);
    await begin(two, token);
    expect(await finished(two, token)).toMatchObject({ status: 'completed', success_count: 4 });
    expectAllStoredOnce(demo);
  }, 90_000);

  it('a run whose process is killed has failed a minute later at the other, where its student begins again', async ({
    onTestFinished,
  }) => {
    const { demo, start } = await campusWith(4, onTestFinished);
    const [one, two] = await Promise.all([start(quick), start(quick)]);
    const token = await enroll(one.address, first);
    await begin(one, token);
    await vi.waitFor(() => expect(counts(demo).submission).toBe(2), patience);
    one.kill('SIGKILL');
    await one.ended;
    expect(await finished(two, token)).toMatchObject({
      status: 'failed',
      error_message: expect.stringContaining('评教曾经中断，请重新开始，已提交的课程仍然有效'),
    });
    await begin(two, token);
    expect(await finished(two, token)).toMatchObject({ status: 'completed', fail_count: 0 });
    expectAllStoredOnce(demo);
  }, 120_000);
});

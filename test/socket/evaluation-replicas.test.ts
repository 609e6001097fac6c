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

/** Long enough for the lease of a killed process to end. */
const patience = { timeout: 60_000, interval: 200 };
const finished = async (replica: Replica, token: string): Promise<Reply['body']> => {
  let data: Reply['body'] = null;
  await vi.waitFor(async () => {
    ({ data } = (await order(replica, token, 'status')).body);
    expect(data.status).not.toBe('running');
  }, patience);
  return data;
};

// Each has a campus, a database and processes of its own, and mostly waits.
describe.concurrent('evaluation runs of real processes on one PostgreSQL', () => {
  it('a run that one is at work on is seen, refused anew and stopped by the other', async ({ onTestFinished }) => {
    const { demo, start } = await campusWith(5, onTestFinished);
    const [one, two] = await Promise.all([start({ EVALUATION_WAIT_SECONDS: '60' }), start()]);
    const token = await enroll(one.address, first);
    await begin(one, token);
    expect((await order(two, token, 'status')).body.data).toMatchObject({ status: 'running', total_courses: 5 });
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
  }, 90_000);

  it('a run whose process is killed is resumed by the other', async ({ onTestFinished }) => {
    const { demo, start } = await campusWith(4, onTestFinished);
    const [one, two] = await Promise.all([start(quick), start(quick)]);
    const token = await enroll(one.address, first);
    await begin(one, token);
    await vi.waitFor(() => expect(counts(demo).submission).toBe(2), patience);
    one.kill('SIGKILL');
    await one.ended;
    expect(await finished(two, token)).toMatchObject({ status: 'completed', success_count: 4, fail_count: 0 });
    expectAllStoredOnce(demo);
    expect(
      demo
        .student(first.userid)
        .evaluations()
        .map(({ received }) => received),
    ).toEqual([1, 1, 1, 1]);
  }, 90_000);

  it('a run that began with a preview and left a course out is followed on both surfaces, killed, taken up and stopped', async ({
    onTestFinished,
  }) => {
    const { demo, start } = await campusWith(4, onTestFinished);
    let replica = await start(quick);
    const token = await enroll(replica.address, first);
    const b = (method: string, operation: string, body?: unknown): Promise<Reply> =>
      call(replica.address, method, `/jwc/evaluation/${operation}`, { token, ...(body === undefined ? {} : { body }) });
    const keys = (await b('POST', 'initialize')).body.data.course_list.map((each: Reply['body']) => each.course_key);
    const drawn = (await b('GET', `preview?course_key=${keys[1]}`)).body.data;
    const comments = drawn.comments.map(({ key }: Reply['body']) => ({ key, text: '讲得很清楚，谢谢老师' }));
    const edited = await b('PUT', 'preview', { course_key: keys[1], answers: { ...drawn, comments } });
    expect(edited.status).toBe(200);
    const shown = edited.body.data;
    expect((await b('POST', 'start', { exclude: [keys[0]] })).body.data).toEqual({ task_status: 'running' });
    expect((await order(replica, token, 'status')).body.data).toMatchObject({ status: 'running', pending_courses: 4 });
    replica.kill('SIGKILL');
    await replica.ended;
    replica = await start({ ...quick, EVALUATION_OPEN_EVERY_SECONDS: '30' });
    // Courses 2 and 3 may be open by now; the third waits long enough to be stopped before it is opened.
    await vi.waitFor(() => expect(demo.student(first.userid).evaluations()[1]?.stored).toBe(1), patience);
    const followed = (await order(replica, token, 'status')).body.data;
    expect(followed).toMatchObject({ status: 'running', total_courses: 4 });
    expect((await b('GET', 'status')).body.data).toMatchObject({ status: 'running', excluded_courses: 1 });
    expect((await b('POST', 'terminate')).body).toMatchObject({ success: true, data: { task_status: 'terminated' } });
    const evaluations = demo.student(first.userid).evaluations();
    expect(evaluations.map(({ received }) => received)[0]).toBe(0);
    expect(evaluations.map(({ stored }) => stored)[3]).toBe(0);
    const answers = [...shown.ratings, ...shown.comments].map(({ key, value, text }) => [key, value ?? text]);
    expect(Object.fromEntries(evaluations[1]?.answers ?? [])).toEqual(Object.fromEntries(answers));
    expect((await order(replica, token, 'status')).body.data).toMatchObject({ status: 'terminated', fail_count: 0 });
    replica.kill('SIGKILL');
    await replica.ended;
    replica = await start(quick);
    const last = (await b('GET', 'status')).body.data;
    expect(last).toMatchObject({
      status: 'terminated',
      pending_courses: 3 - (evaluations[2]?.stored ?? 0),
      excluded_courses: 1,
    });
    expect(last.course_list.map(({ excluded }: Reply['body']) => excluded)).toEqual([true, false, false, false]);
  }, 90_000);
});

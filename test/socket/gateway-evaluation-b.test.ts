import { afterEach, describe, expect, it } from 'vitest';
import { first, second } from '../support/campus-rig.ts';
import { type EvaluationRig, startEvaluationRig } from '../support/evaluation-rig.ts';
import type { Answer } from '../support/gateway-rig.ts';

let rig: EvaluationRig;
afterEach(() => rig.close());

const get = (operation: string, token = rig.token): Promise<Answer> =>
  rig.gateway.b('GET', `/jwc/evaluation/${operation}`, { token });
const post = (operation: string, body?: unknown, token = rig.token): Promise<Answer> =>
  rig.gateway.b('POST', `/jwc/evaluation/${operation}`, { token, ...(body === undefined ? {} : { body }) });

const initialized = async (token = rig.token): Promise<string[]> => {
  const { status, body, text } = await post('initialize', undefined, token);
  expect(status, text).toBe(200);
  return body.data.course_list.map(({ course_key }: { course_key: string }) => course_key);
};
const preview = async (key: string | undefined, token = rig.token): Promise<Answer['body']> => {
  const { status, body, text } = await get(`preview?course_key=${key}`, token);
  expect(status, text).toBe(200);
  return body.data;
};
interface Option {
  readonly value: string;
}
interface Shown {
  readonly ratings: ReadonlyArray<{ key: string; value: string }>;
  readonly comments: ReadonlyArray<{ key: string; text: string }>;
}
const answersOf = ({ ratings, comments }: Shown): Record<string, string> =>
  Object.fromEntries([
    ...ratings.map(({ key, value }) => [key, value]),
    ...comments.map(({ key, text }) => [key, text]),
  ]);
const storedAnswers = (userid = first.userid) =>
  rig.demo
    .student(userid)
    .evaluations()
    .map(({ stored, answers }) => (stored === 1 ? Object.fromEntries(answers) : stored));

describe('an evaluation begun on the surface with the bearer header', () => {
  it('with previews and exclusions sends what was shown, leaves out what was excluded, and costs 2 + p + 3n', async () => {
    rig = await startEvaluationRig({ courses: 5 });
    const keys = await initialized();
    expect(rig.counts()).toEqual({ page: 0, submission: 0, list: 1, index: 1, other: [] });
    const [one, two] = [await preview(keys[0]), await preview(keys[1])];
    expect(one).toMatchObject({ course_key: keys[0], course_name: '评教课程1', teacher_name: '教师1' });
    expect(await preview(keys[0])).toEqual(one);
    expect(rig.counts()).toEqual({ page: 2, submission: 0, list: 1, index: 1, other: [] });

    const started = await post('start', { exclude: [keys[2], keys[4]] });
    expect([started.status, started.body.message, started.body.data]).toEqual([
      200,
      '任务已启动',
      { task_status: 'running' },
    ]);
    expect((await get('status')).body.data).toMatchObject({ pending_courses: 5, excluded_courses: 2 });
    expect((await get('current')).body.data).toMatchObject({ is_evaluating: true, total_pending: 3 });
    // The same task on the other surface.
    expect(await rig.status()).toMatchObject({ status: 'running', total_courses: 5, pending_courses: 5 });
    expect((await rig.call('current')).body.data).toMatchObject({ total_pending: 3 });
    expect(await preview(keys[0])).toEqual(one);
    const late = await get(`preview?course_key=${keys[4]}`);
    expect([late.status, late.body.message, late.body.data]).toEqual([
      409,
      '该课程当前不能预览',
      { task_status: 'running' },
    ]);

    expect(await rig.finished()).toMatchObject({ status: 'completed', success_count: 3, pending_courses: 2 });
    expect((await get('status')).body).toMatchObject({
      message: '评价完成！成功: 3，失败: 0',
      data: { excluded_courses: 2 },
    });
    const stored = storedAnswers();
    expect(stored).toEqual([answersOf(one), answersOf(two), 0, expect.any(Object), 0]);
    expect(rig.counts()).toEqual({ page: 2 + 3, submission: 3, list: 1 + 3, index: 1, other: [] });
    // Answers are the student's: neither logged nor kept once they are sent.
    for (const { text } of [...one.comments, ...two.comments]) {
      expect(rig.gateway.log()).not.toContain(text);
    }
    expect((await get('courses')).body.data[0]).toMatchObject({ isEvaluated: '是', course_key: keys[0] });
    expect(rig.counts().list).toBe(1 + 3 + 1);
  });

  it('sends what its student has put in place of what was drawn, in the run that follows a stop as well', async () => {
    rig = await startEvaluationRig({ courses: 3, env: { EVALUATION_PLAN: 'sequential' } });
    const keys = await initialized();
    const drawn = await preview(keys[1]);
    const answers = {
      ratings: drawn.ratings.map(({ key, options }: { key: string; options: Option[] }) => ({
        key,
        value: options.at(-1)?.value,
      })),
      comments: drawn.comments.map(({ key }: { key: string }, at: number) => ({
        key,
        text: `第 ${at} 条，讲得很清楚`,
      })),
    };
    const put = (course_key: string | undefined, own: unknown): Promise<Answer> =>
      rig.gateway.b('PUT', '/jwc/evaluation/preview', { token: rig.token, body: { course_key, answers: own } });
    const wrong = await put(keys[1], { ...answers, comments: answers.comments.slice(0, 2) });
    expect([wrong.status, wrong.body.error.details[0].loc]).toEqual([422, ['body', 'answers', 'comments', 2]]);
    const stored = await put(keys[1], answers);
    expect([stored.status, stored.body.message]).toEqual([200, '评教预览修改成功']);
    expect(stored.body.data.comments[1].text).toBe('第1条，讲得很清楚');
    expect(stored.body.data.ratings[0].choice).toBe(drawn.ratings[0].options.at(-1).choice);
    expect(await preview(keys[1])).toEqual(stored.body.data);
    const before = await put(keys[2], answers);
    expect([before.status, before.body.message]).toEqual([409, '该课程还没有预览，请先预览']);

    await post('start', { exclude: [keys[2]] });
    await rig.until(async () => (await rig.status()).current_countdown > 0);
    expect((await get(`preview?course_key=${keys[0]}`)).status).toBe(409);
    await rig.answered(post('terminate'));
    const kept = await post('initialize');
    expect(kept.body.data.course_list.map(({ excluded }: { excluded: boolean }) => excluded)).toEqual([
      false,
      false,
      true,
    ]);
    expect(await preview(keys[1])).toEqual(stored.body.data);
    // The other surface starts without a word about exclusions, and leaves out what is shown as left out.
    expect((await rig.call('start')).body.data).toEqual({ task_status: 'running' });
    expect(await rig.finished()).toMatchObject({ status: 'completed', success_count: 2, pending_courses: 1 });
    expect(storedAnswers()).toEqual([expect.any(Object), answersOf(stored.body.data), 0]);
    for (const { text } of stored.body.data.comments) expect(rig.gateway.log()).not.toContain(text);
  });

  it('is stopped here when it was begun there, and the other way round; two starts at once are one', async () => {
    rig = await startEvaluationRig({ courses: 2 });
    await rig.begin();
    const busy = await post('initialize');
    expect([busy.status, busy.body.data]).toEqual([409, { task_status: 'running' }]);
    const stopped = await rig.answered(post('terminate'));
    expect([stopped.status, stopped.body.message, stopped.body.data]).toEqual([
      200,
      '任务已终止',
      { task_status: 'terminated' },
    ]);
    expect(await rig.status()).toMatchObject({ status: 'terminated', success_count: 0 });
    await initialized();
    const starts = await Promise.all([post('start'), post('start')]);
    expect(starts.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await rig.call('start')).body).toMatchObject({ code: 400, data: { task_status: 'running' } });
    const ended = await rig.answered(rig.call('terminate'));
    expect(ended.body).toMatchObject({ code: 200, data: { task_status: 'terminated' } });
    expect((await get('status')).body.data.status).toBe('terminated');
    expect((await post('terminate')).body).toMatchObject({ message: '终止失败', data: { task_status: 'terminated' } });
  });

  it('of two students at once: each sees, excludes and sends the own', async () => {
    rig = await startEvaluationRig({ courses: 2 });
    rig.demo.student(second.userid).setEvaluation(2);
    const other = await rig.gateway.register(second);
    const [own, others] = await Promise.all([initialized(), initialized(other)]);
    const [mine, theirs] = await Promise.all([preview(own[0]), preview(others[1], other)]);
    const starts = [post('start', { exclude: [own[1]] }), post('start', { exclude: [others[0]] }, other)];
    for (const { status } of await Promise.all(starts)) expect(status).toBe(200);
    await rig.finished();
    expect(storedAnswers(first.userid)).toEqual([answersOf(mine), 0]);
    expect(storedAnswers(second.userid)).toEqual([0, answersOf(theirs)]);
    expect(
      (await get('status', other)).body.data.course_list.map(({ excluded }: { excluded: boolean }) => excluded),
    ).toEqual([true, false]);
  });
});

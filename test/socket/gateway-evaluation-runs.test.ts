import { afterEach, describe, expect, it } from 'vitest';
import { first, second } from '../support/campus-rig.ts';
import {
  type EvaluationRig,
  evaluationPaths,
  expectAllStoredOnce,
  startEvaluationRig,
} from '../support/evaluation-rig.ts';

let rig: EvaluationRig;
afterEach(() => rig.close());

const seconds = ({ start_time, end_time }: { start_time: string; end_time: string }): number =>
  (Date.parse(end_time) - Date.parse(start_time)) / 1000;

/** A busy machine lets a second pass during a request now and then. */
const expectBetween = (value: number, least: number, most: number): void => {
  expect(value).toBeGreaterThanOrEqual(least);
  expect(value).toBeLessThanOrEqual(most);
};

describe('seven courses', () => {
  it('overlapped: each evaluated once, 2 + 3N requests, in (N − 1) × 6 + 40 seconds', async () => {
    rig = await startEvaluationRig();
    const initialized = await rig.call('initialize');
    expect(initialized.body).toMatchObject({
      code: 200,
      message: '初始化完成，找到 7 门待评价课程',
      data: { total_courses: 7, pending_courses: 7 },
    });
    expect(initialized.body.data.course_list[0]).toEqual({
      course_id: '01',
      course_name: '评教课程1',
      teacher_name: '教师1',
      is_evaluated: '否',
      evaluation_content: '评教课程1',
    });
    expect(rig.counts()).toEqual({ page: 0, submission: 0, list: 1, index: 1, other: [] });
    expect((await rig.call('start')).body.data).toEqual({ task_status: 'running' });
    const end = await rig.finished();
    expect(end).toMatchObject({
      status: 'completed',
      total_courses: 7,
      pending_courses: 0,
      success_count: 7,
      fail_count: 0,
      current_index: 7,
      current_countdown: 0,
      error_message: '',
    });
    expect(end.start_time).toMatch(/^2026-03-18T10:0\d:\d\d\+08:00$/);
    expectAllStoredOnce(rig.demo);
    expect(rig.counts()).toEqual({ page: 7, submission: 7, list: 8, index: 1, other: [] });
    expectBetween(seconds(end), 76, 82);
    expect((await rig.call('status')).body.message).toBe('评价完成！成功: 7，失败: 0');
  });

  it('sequential: each evaluated once, 2 + 3N requests, in N × 40 + (N − 1) × 3 seconds', async () => {
    rig = await startEvaluationRig({ env: { EVALUATION_PLAN: 'sequential' } });
    await rig.begin();
    const end = await rig.finished();
    expect(end).toMatchObject({ status: 'completed', success_count: 7, fail_count: 0, pending_courses: 0 });
    expectAllStoredOnce(rig.demo);
    expect(rig.counts()).toEqual({ page: 7, submission: 7, list: 8, index: 1, other: [] });
    expectBetween(seconds(end), 298, 304);
  });

  // 36 s of openings: the first submission comes 4 s after the last opening, before the campus allows it.
  it.each([
    ['time', 'session'],
    ['page token', 'latest'],
  ] as const)(
    'fall back to one at a time after a refusal for its %s; that course is tried once more',
    async (_, mode) => {
      rig = await startEvaluationRig();
      rig.demo.switches.evaluationClock = mode;
      await rig.begin();
      const end = await rig.finished();
      expect(end).toMatchObject({ status: 'completed', success_count: 7, fail_count: 0, pending_courses: 0 });
      expectAllStoredOnce(rig.demo);
      const received = rig.demo
        .student(first.userid)
        .evaluations()
        .map((each) => each.received);
      expect(received).toEqual([2, 1, 1, 1, 1, 1, 1]);
      // Seven pages opened in vain, and the refused submission with its list.
      expect(rig.counts()).toEqual({ page: 14, submission: 8, list: 9, index: 1, other: [] });
      expect(seconds(end)).toBeGreaterThanOrEqual(40 + 298);
    },
  );
});

describe('termination', () => {
  it('in the countdown is at once; the interrupted course is neither success nor failure', async () => {
    rig = await startEvaluationRig({ env: { EVALUATION_PLAN: 'sequential' } });
    await rig.begin();
    await rig.until(
      async () => (await rig.status()).current_countdown === 27 && (await rig.status()).current_index === 1,
    );
    const ended = await rig.call('terminate');
    expect(ended.body).toEqual({ code: 200, message: '任务已终止', data: { task_status: 'terminated' } });
    const status = await rig.status();
    expect(status).toMatchObject({ status: 'terminated', success_count: 1, fail_count: 0, current_countdown: 0 });
    expect(status.end_time).not.toBeNull();
    expect((await rig.call('current')).body.data).toMatchObject({ is_evaluating: false, current_index: -1 });
    expect((await rig.call('terminate')).body).toEqual({
      code: 400,
      message: '终止失败',
      data: { task_status: 'terminated' },
    });
    for (let minute = 0; minute < 10; minute += 1) {
      rig.clock.advance(60_000);
      await rig.status();
    }
    expect(rig.counts()).toMatchObject({ page: 2, submission: 1 });
  });

  it('waits for a submission that is on its way and counts it', async () => {
    rig = await startEvaluationRig();
    await rig.begin();
    rig.demo.fault({ system: 'jwc', path: evaluationPaths.submission, times: 1, fault: { kind: 'delay', ms: 2_000 } });
    await rig.until(() => rig.counts().submission === 1);
    const ended = await rig.answered(rig.call('terminate'));
    expect(ended.body.data).toEqual({ task_status: 'terminated' });
    expect(await rig.status()).toMatchObject({
      status: 'terminated',
      success_count: 1,
      fail_count: 0,
      pending_courses: 6,
    });
    expect(rig.counts()).toMatchObject({ submission: 1 });
  });

  it('does not wait longer than 5 s for it, and then counts it neither way', async () => {
    rig = await startEvaluationRig();
    await rig.begin();
    rig.demo.fault({ system: 'jwc', path: evaluationPaths.submission, times: 1, fault: { kind: 'hang' } });
    await rig.until(() => rig.counts().submission === 1);
    const before = rig.clock.now();
    const ended = await rig.answered(rig.call('terminate'));
    expect(ended.body.data).toEqual({ task_status: 'terminated' });
    expect(rig.clock.now() - before).toBeGreaterThanOrEqual(4_900);
    expect(rig.clock.now() - before).toBeLessThan(6_500);
    expect(await rig.status()).toMatchObject({ status: 'terminated', success_count: 0, fail_count: 0 });
  });
});

describe('a campus that misbehaves during a run', () => {
  it('an answer lost after acceptance is looked up in the list and never sent again', async () => {
    rig = await startEvaluationRig({ courses: 3 });
    rig.demo.fault({ system: 'jwc', path: evaluationPaths.submission, times: 1, fault: { kind: 'reset-after' } });
    await rig.begin();
    expect(await rig.finished()).toMatchObject({ status: 'completed', success_count: 3, fail_count: 0 });
    expectAllStoredOnce(rig.demo);
    expect(rig.counts()).toMatchObject({ page: 3, submission: 3, list: 4 });
  });

  it('a token of the entrance that is no good any more is replaced, once', async () => {
    rig = await startEvaluationRig({ courses: 2 });
    rig.demo.fault({ system: 'jwc', path: evaluationPaths.page, times: 1, fault: { kind: 'html' } });
    await rig.begin();
    expect(await rig.finished()).toMatchObject({ status: 'completed', success_count: 2, fail_count: 0 });
    expect(rig.counts()).toMatchObject({ page: 3, submission: 2, index: 2 });
  });

  it('a season that ends meanwhile: what was accepted stays, the rest fails', async () => {
    rig = await startEvaluationRig({ env: { EVALUATION_PLAN: 'sequential' }, courses: 3 });
    await rig.begin();
    await rig.until(async () => (await rig.status()).current_index === 1);
    rig.demo.switches.evaluationOpen = false;
    rig.demo.student(first.userid).expireService('jwc');
    const end = await rig.finished();
    expect(end).toMatchObject({
      status: 'failed',
      success_count: 1,
      error_message: '评价任务异常: 评教尚未开放或已经结束',
    });
  });

  it('a session that dies between opening and submission: nothing is lost and nothing sent twice', async () => {
    rig = await startEvaluationRig({ courses: 3 });
    await rig.begin();
    await rig.until(async () => (await rig.status()).current_countdown === 20);
    rig.demo.student(first.userid).expireService('jwc');
    expect(await rig.finished()).toMatchObject({ status: 'completed', success_count: 3, fail_count: 0 });
    expectAllStoredOnce(rig.demo);
    // One submission met the dead session; nothing that was opened under it reached the application.
    expect(rig.counts()).toMatchObject({ page: 6, submission: 4, list: 4 });
    const received = rig.demo.student(first.userid).evaluations();
    expect(received.map((each) => each.received)).toEqual([1, 1, 1]);
  });
});

describe('lists and students', () => {
  it('reads a list longer than one page completely, with one request per reading once the length is known', async () => {
    rig = await startEvaluationRig({ courses: 53 });
    const initialized = await rig.call('initialize');
    expect(initialized.body.data).toMatchObject({ total_courses: 53, pending_courses: 53 });
    await rig.call('start');
    expect(await rig.finished()).toMatchObject({ status: 'completed', success_count: 53, pending_courses: 0 });
    expectAllStoredOnce(rig.demo);
    expect(rig.counts()).toEqual({ page: 53, submission: 53, list: 55, index: 1, other: [] });
  });

  it('two students run at once and see only their own task; two devices of one share it', async () => {
    rig = await startEvaluationRig({ courses: 3 });
    const other = await rig.gateway.register(second);
    rig.demo.student(second.userid).setEvaluation(5, { refused: [1] });
    const { userid, password, vpnPassword } = first;
    const device = await rig.gateway.a('/user/login', { userid, password, vpn_password: vpnPassword });
    const own = device.body.data.authme_token;
    await rig.begin();
    expect((await rig.call('status', other)).body.data).toBeNull();
    expect((await rig.call('terminate', other)).body.code).toBe(400);
    await rig.call('initialize', other);
    expect((await rig.call('start', other)).body.data).toEqual({ task_status: 'running' });
    expect((await rig.call('start', own)).body).toMatchObject({ code: 400, data: { task_status: 'running' } });
    expect(await rig.status(own)).toEqual(await rig.status());
    expect(await rig.finished()).toMatchObject({ total_courses: 3, success_count: 3, fail_count: 0 });
    expect(await rig.finished(other)).toMatchObject({ total_courses: 5, success_count: 4, fail_count: 1 });
    expectAllStoredOnce(rig.demo);
  });
});

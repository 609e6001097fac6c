import { afterEach, describe, expect, it } from 'vitest';
import { first, second } from '../support/campus-rig.ts';
import {
  type EvaluationRig,
  evaluationPaths,
  expectAllStoredOnce,
  startEvaluationRig,
} from '../support/evaluation-rig.ts';

const HOUR_MS = 3_600_000;
let rig: EvaluationRig;
afterEach(() => rig.close());

const refusedList = { total_courses: 0, pending_courses: 0, course_list: [] };

describe('initialization', () => {
  it('outside the season is refused with its cause, which status keeps telling', async () => {
    rig = await startEvaluationRig();
    rig.demo.switches.evaluationOpen = false;
    const message = '初始化异常: 评教尚未开放或已经结束';
    expect((await rig.call('initialize')).body).toEqual({ code: 400, message, data: refusedList });
    expect(rig.counts()).toEqual({ page: 0, submission: 0, list: 0, index: 1, other: [] });
    expect(await rig.status()).toMatchObject({ status: 'failed', error_message: message, start_time: null });
    expect((await rig.status()).end_time).not.toBeNull();
    expect((await rig.call('start')).body).toMatchObject({ code: 400, data: { task_status: 'failed' } });
    rig.demo.switches.evaluationOpen = true;
    expect((await rig.call('initialize')).body).toMatchObject({ code: 200, data: { total_courses: 7 } });
    expect(await rig.status()).toMatchObject({ status: 'idle', error_message: '', end_time: null });
  });

  it.each(['malformed', 'truncated', 'empty', 'reset'] as const)(
    'with a course list that is %s is refused, and is no empty list',
    async (kind) => {
      rig = await startEvaluationRig();
      rig.demo.fault({ system: 'jwc', path: evaluationPaths.list, fault: { kind } });
      const message = '没有获取到课程列表，请稍后重试';
      expect((await rig.call('initialize')).body).toEqual({ code: 400, message, data: refusedList });
      expect(await rig.status()).toMatchObject({ status: 'failed', error_message: message });
    },
  );

  it('with a page where the list is due, also on a new session, is an outage', async () => {
    rig = await startEvaluationRig();
    rig.demo.fault({ system: 'jwc', path: evaluationPaths.list, fault: { kind: 'html' } });
    const message = '教务系统暂不可用，请稍后重试';
    expect((await rig.call('initialize')).body).toEqual({ code: 500, message, data: null });
    expect((await rig.status()).status).toBe('failed');
  });

  it('with an empty list says so', async () => {
    rig = await startEvaluationRig({ courses: 0 });
    const message = '课程列表为空，没有可评价的课程';
    expect((await rig.call('initialize')).body).toEqual({ code: 400, message, data: refusedList });
  });

  it('is refused while a task runs, and the run goes on', async () => {
    rig = await startEvaluationRig({ courses: 2 });
    await rig.begin();
    expect((await rig.call('initialize')).body).toEqual({ code: 400, message: '已有评价任务在进行', data: null });
    expect(await rig.finished()).toMatchObject({ status: 'completed', success_count: 2 });
    expect(rig.counts()).toMatchObject({ index: 1 });
  });

  it('where the campus refuses the stored passwords answers as every operation does', async () => {
    rig = await startEvaluationRig();
    rig.demo.student(first.userid).changePasswords({ password: 'another' });
    rig.demo.student(first.userid).expirePortal();
    rig.demo.student(first.userid).expireUnifiedLogin();
    rig.demo.student(first.userid).expireService('jwc');
    const { body } = await rig.call('initialize');
    expect(body).toEqual({ code: 400, message: '大学登录失败，请检查用户名和密码' });
    expect((await rig.status()).status).toBe('failed');
  });
});

describe('limits', () => {
  it('no more runs than EVALUATION_MAX_RUNNING: the task stays ready, and starts once a place is free', async () => {
    rig = await startEvaluationRig({ courses: 2, env: { EVALUATION_MAX_RUNNING: '1' } });
    const other = await rig.gateway.register(second);
    rig.demo.student(second.userid).setEvaluation(2);
    await rig.begin();
    await rig.call('initialize', other);
    expect((await rig.call('start', other)).body).toEqual({
      code: 400,
      message: '当前评价任务过多，请稍后再试',
      data: { task_status: 'idle' },
    });
    await rig.finished();
    expect((await rig.call('start', other)).body.data).toEqual({ task_status: 'running' });
    expect(await rig.finished(other)).toMatchObject({ status: 'completed', success_count: 2 });
    expectAllStoredOnce(rig.demo, second.userid);
  });

  it('a finished task can be read for 24 hours, then there is none', async () => {
    rig = await startEvaluationRig({ courses: 1 });
    await rig.begin();
    await rig.finished();
    rig.clock.advance(24 * HOUR_MS - 60_000);
    expect(await rig.status()).toMatchObject({ status: 'completed', success_count: 1 });
    rig.clock.advance(120_000);
    expect((await rig.call('status')).body).toEqual({ code: 200, message: '无活跃任务', data: null });
    await rig.gateway.services.storage.sweep(rig.clock.now());
    expect(await rig.gateway.services.storage.evaluation.read(first.userid, rig.clock.now())).toBeNull();
  });

  it('a list that is not started is kept for two hours', async () => {
    rig = await startEvaluationRig({ courses: 1 });
    await rig.call('initialize');
    rig.clock.advance(2 * HOUR_MS - 1_000);
    expect((await rig.status()).status).toBe('idle');
    rig.clock.advance(2_000);
    expect((await rig.call('status')).body.data).toBeNull();
    expect((await rig.call('start')).body).toEqual({
      code: 400,
      message: '任务管理器不存在，请先初始化',
      data: { task_status: 'idle' },
    });
    expect((await rig.call('status')).body.data).toBeNull();
  });

  it('calls out of turn are refused with the state as it is', async () => {
    rig = await startEvaluationRig({ courses: 1 });
    const refusal = (code: number, message: string, status: string) => ({
      code,
      message,
      data: { task_status: status },
    });
    expect((await rig.call('terminate')).body).toEqual(refusal(400, '任务管理器不存在', 'idle'));
    await rig.call('initialize');
    expect((await rig.call('terminate')).body).toEqual(refusal(400, '终止失败', 'idle'));
    await rig.call('start');
    expect((await rig.call('start')).body).toEqual(refusal(400, '评价任务已在运行中', 'running'));
    await rig.finished();
    expect((await rig.call('start')).body).toEqual(refusal(400, '任务管理器不存在，请先初始化', 'completed'));
    expect((await rig.call('terminate')).body).toEqual(refusal(400, '终止失败', 'completed'));
    expect((await rig.call('initialize')).body.code).toBe(200);
    expect((await rig.call('start')).body).toEqual({
      code: 200,
      message: '所有课程已评价完成！',
      data: { task_status: 'completed' },
    });
  });

  it('an account that is deleted takes its run with it', async () => {
    rig = await startEvaluationRig({ courses: 2 });
    await rig.begin();
    const { password, vpnPassword: vpn_password } = first;
    const body = { userid: first.userid, password, vpn_password };
    expect((await rig.gateway.b('DELETE', '/auth/account', { token: rig.token, body })).status).toBe(200);
    await rig.until(() => rig.gateway.services.evaluation.running === 0);
    expect(rig.counts()).toMatchObject({ submission: 0 });
  });
});

it('neither log nor database holds a password, a token, or an answer', async () => {
  rig = await startEvaluationRig({ courses: 2 });
  await rig.begin();
  await rig.finished();
  const texts = [rig.gateway.log(), rig.gateway.databaseBytes().toString('latin1')];
  for (const secret of [first.password, first.vpnPassword, rig.token]) {
    for (const text of texts) expect(text.includes(secret)).toBe(false);
  }
  expect(texts[0]).not.toContain(first.userid);
  expect(texts[0]).not.toMatch(/tokenValue|老师备课|zgpj/);
});

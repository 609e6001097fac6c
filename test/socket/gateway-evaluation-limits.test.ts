import { afterEach, describe, expect, it } from 'vitest';
import { first, second } from '../support/campus-rig.ts';
import { type EvaluationRig, expectAllStoredOnce, startEvaluationRig } from '../support/evaluation-rig.ts';

const HOUR_MS = 3_600_000;
let rig: EvaluationRig;
afterEach(() => rig.close());

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

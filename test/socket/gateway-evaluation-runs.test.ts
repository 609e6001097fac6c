import { afterEach, describe, expect, it } from 'vitest';
import { entryOf, first } from '../support/campus-rig.ts';
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
    await rig.call('initialize');
    expect(rig.counts()).toEqual({ page: 0, submission: 0, list: 1, index: 1, other: [] });
    expect((await rig.call('start')).body.data).toEqual({ task_status: 'running' });
    const end = await rig.finished();
    expect(end).toMatchObject({ status: 'completed', pending_courses: 0, success_count: 7, fail_count: 0 });
    expect(end.start_time).toMatch(/^2026-03-18T10:0\d:\d\d\+08:00$/);
    expectAllStoredOnce(rig.demo);
    expect(rig.counts()).toEqual({ page: 7, submission: 7, list: 8, index: 1, other: [] });
    expectBetween(seconds(end), 76, 82);
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

describe('a campus that misbehaves during a run', () => {
  it('an answer lost after acceptance is looked up in the list and never sent again', async () => {
    rig = await startEvaluationRig({ courses: 3 });
    rig.demo.fault({ system: 'jwc', path: evaluationPaths.submission, times: 1, fault: { kind: 'reset-after' } });
    await rig.begin();
    expect(await rig.finished()).toMatchObject({ status: 'completed', success_count: 3, fail_count: 0 });
    expectAllStoredOnce(rig.demo);
    expect(rig.counts()).toMatchObject({ page: 3, submission: 3, list: 4 });
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

const credentials = ['vpn POST /por/login_psw.csp', 'cas POST /cas/login'];
/** How often passwords were sent to the campus since the last reset. */
const passwordsSent = (): number[] =>
  credentials.map((line) => rig.gateway.wire().filter((each) => each === line).length);

/** A run in the countdown of its second course. */
const halfway = async (): Promise<void> => {
  await rig.begin();
  await rig.until(async () => {
    const { current_index, current_countdown } = await rig.status();
    return current_index === 1 && current_countdown > 0;
  });
  rig.demo.resetRequests();
};

const sessionsEnd = (): void => {
  const student = rig.demo.student(first.userid);
  student.expireService('jwc');
  student.expireUnifiedLogin();
  student.expirePortal();
};

const logIn = async (password = first.password): Promise<string> => {
  const { body } = await rig.gateway.a('/user/login', { ...entryOf(first), password });
  return body.data.authme_token;
};

const sequential = { env: { EVALUATION_PLAN: 'sequential' }, courses: 4 };

describe('during a run', () => {
  it('a password changed at the campus ends it; the old one is sent once and never again', async () => {
    rig = await startEvaluationRig(sequential);
    await halfway();
    rig.demo.student(first.userid).changePasswords({ password: 'another' });
    sessionsEnd();
    expect(await rig.finished()).toMatchObject({
      status: 'failed',
      error_message: '评价任务异常: 登录校园系统失败，请重新登录后再试',
      success_count: 1,
    });
    expect(passwordsSent()).toEqual([1, 1]);
  });

  it('a login with a changed password hands the run the new session', async () => {
    rig = await startEvaluationRig(sequential);
    await halfway();
    rig.demo.student(first.userid).changePasswords({ password: 'another' });
    sessionsEnd();
    const token = await logIn('another');
    expect(await rig.finished(token)).toMatchObject({ status: 'completed', pending_courses: 0 });
    expectAllStoredOnce(rig.demo);
    expect(passwordsSent()).toEqual([1, 1]);
  });

  it('a logout from everywhere leaves it running; a later login reads and may stop it', async () => {
    rig = await startEvaluationRig(sequential);
    await halfway();
    expect((await rig.gateway.b('POST', '/auth/logout/all', { token: rig.token })).status).toBe(200);
    expect((await rig.call('status')).body).toMatchObject({ code: 401 });
    const evaluated = () =>
      rig.demo
        .student(first.userid)
        .evaluations()
        .filter(({ done }) => done).length;
    await rig.until(() => evaluated() === 2);
    // The run signs in once for itself.
    expect(passwordsSent()).toEqual([1, 1]);
    const token = await logIn();
    expect(await rig.status(token)).toMatchObject({ status: 'running' });
    expect((await rig.call('terminate', token)).body.data).toEqual({ task_status: 'terminated' });
    expect(await rig.status(token)).toMatchObject({ status: 'terminated', fail_count: 0 });
  });

  it('an account that is deleted takes its run with it', async () => {
    rig = await startEvaluationRig({ courses: 2 });
    await rig.begin();
    const body = entryOf(first);
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

it('a finished task can be read for 24 hours, and a list that is not started for two', async () => {
  const hour = 3_600_000;
  rig = await startEvaluationRig({ courses: 1 });
  for (const [begin, hours, status] of [
    [() => rig.call('initialize'), 2, 'idle'],
    [() => rig.begin().then(() => rig.finished()), 24, 'completed'],
  ] as const) {
    await begin();
    rig.clock.advance(hours * hour - 60_000);
    expect((await rig.status()).status).toBe(status);
    rig.clock.advance(120_000);
    expect((await rig.call('status')).body).toEqual({ code: 200, message: '无活跃任务', data: null });
  }
});

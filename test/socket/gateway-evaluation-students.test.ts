import { afterEach, describe, expect, it } from 'vitest';
import { first } from '../support/campus-rig.ts';
import { type EvaluationRig, expectAllStoredOnce, startEvaluationRig } from '../support/evaluation-rig.ts';

let rig: EvaluationRig;
afterEach(() => rig.close());

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
  const { body } = await rig.gateway.a('/user/login', {
    userid: first.userid,
    password,
    vpn_password: first.vpnPassword,
  });
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
    // What the run needs for itself, once.
    expect(passwordsSent()).toEqual([1, 1]);
    const token = await logIn();
    expect(await rig.status(token)).toMatchObject({ status: 'running' });
    expect((await rig.call('terminate', token)).body.data).toEqual({ task_status: 'terminated' });
    expect(await rig.status(token)).toMatchObject({ status: 'terminated', fail_count: 0 });
  });

  it('a second device that logs in takes no session away from it', async () => {
    rig = await startEvaluationRig(sequential);
    await halfway();
    const token = await logIn();
    expect(await rig.finished(token)).toMatchObject({ status: 'completed', success_count: 4, fail_count: 0 });
    expectAllStoredOnce(rig.demo);
  });
});

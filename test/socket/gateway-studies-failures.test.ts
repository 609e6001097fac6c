import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { DemoFault } from '../../src/demo/types.ts';
import { damaged } from '../support/campus-rig.ts';
import { type Answer, type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { paths, type StudyName, studyNames, studyReads } from '../support/study-reads.ts';

const academicsDown = '教务系统暂不可用，请稍后重试';
const unavailable = [502, 'REMOTE_SERVICE_ERROR'];

/** Kind of a failed answer on its surface; fails the test when there is data. */
const failureOf = (name: StudyName, { status, body, text }: Answer) => {
  expect(body.data, text).toBeNull();
  return studyReads[name].surface === 'a' ? [status, body.code, body.message] : [status, body.error?.code];
};

describe('an answer of the wrong kind', () => {
  let gateway: Gateway;
  let token: string;
  beforeAll(async () => {
    gateway = await startGateway({ movingClock: new ManualClock() });
    token = await gateway.register(damaged);
  });
  afterEach(() => gateway.demo.clearFaults());
  afterAll(() => gateway.close());

  const ask = (name: StudyName) => studyReads[name].ask(gateway, token);
  /** The answer of a read while one page of the campus is out of order; a good call closes the breaker again. */
  const during = async (name: StudyName, path: string, fault: DemoFault, as = token): Promise<Answer> => {
    const { system } = studyReads[name];
    const rule = gateway.demo.fault({ system, path, exact: true, fault });
    const answer = await studyReads[name].ask(gateway, as);
    rule.remove();
    expect((await studyReads.selection.ask(gateway, token)).status).toBe(200);
    return answer;
  };
  /** As `during`, but the first request of that kind still gets its answer. */
  const afterTheFirst = async (name: StudyName, path: string, fault: DemoFault): Promise<Answer> => {
    const { system } = studyReads[name];
    const method = 'POST';
    const good = gateway.demo.fault({ system, path, method, times: 1, fault: { kind: 'gbk' } });
    const bad = gateway.demo.fault({ system, path, method, fault });
    const answer = await ask(name);
    good.remove();
    bad.remove();
    return answer;
  };
  const body = (text: string): DemoFault => ({ kind: 'body', body: text });
  const status: DemoFault = { kind: 'status', status: 404 };

  it.each(studyNames)('cut half-way is never read as a smaller one: %s', async (name) => {
    gateway.demo.resetRequests();
    const { data } = (await ask(name)).body;
    const asked = new Set(gateway.demo.requests().map(({ path }) => path));
    // The plan is kept from the read on surface A.
    if (name !== 'planB') expect(asked.size).toBeGreaterThan(0);
    for (const path of asked) {
      const answer = await during(name, path, { kind: 'truncated' });
      // Where only a part of the answer is missing, surface A says so; that is tested below.
      if (answer.body.data !== null && (name === 'planA' || name === 'examsA')) continue;
      if (answer.body.data === null) failureOf(name, answer);
      else expect(answer.body.data, path).toEqual(data);
    }
  });

  it.each([
    ['cannot be had', status],
    ['is empty', body('[]')],
    ['is unreadable', body('{"courseNum":1}')],
    ['resets', { kind: 'reset' } as const],
  ])('plan: a summary that %s leaves its members empty', async (_, fault) => {
    const { body: answer } = await during('planA', paths.summary, fault);
    expect(answer.code).toBe(200);
    expect(answer.data).toMatchObject({ term: '', courseCount: 0, grade: '2023' });
    expect(answer.data.pyfa).not.toBe('');
  });

  type Kind = { exam_type: string; note: string };
  const sources = [
    ['校统考信息', paths.examCalendar, '其他考试'],
    ['其他考试信息', paths.otherExams, '校统考'],
  ] as const;
  const outages: ReadonlyArray<readonly [string, DemoFault, readonly [number, string]]> = [
    ['answers 404', status, [502, 'REMOTE_SERVICE_ERROR']],
    ['resets', { kind: 'reset' }, [502, 'REMOTE_SERVICE_ERROR']],
    ['goes on redirecting to the login', { kind: 'login-redirect' }, [502, 'REMOTE_SERVICE_ERROR']],
    ['is of the wrong type', body('{"records":{}}'), [502, 'REMOTE_SERVICE_ERROR']],
    ['never answers', { kind: 'hang' }, [504, 'TIMEOUT']],
  ];
  describe.each(sources)('exams without %s', (part, path, left) => {
    it.each(outages)('because it %s: surface A shows the rest and says so, surface B fails', async (_, fault, b) => {
      const answer = await during('examsA', path, fault);
      expect([answer.status, answer.body.code, answer.body.message]).toEqual([
        200,
        200,
        `考试信息部分获取成功，${part}暂不可用`,
      ]);
      const { exams, total_count } = answer.body.data;
      expect(new Set(exams.map(({ exam_type }: Kind) => exam_type))).toEqual(new Set([left]));
      expect(total_count).toBe(exams.length);
      expect(failureOf('examsB', await during('examsB', path, fault))).toEqual(b);
    });
  });

  it('exams: seats that cannot be had leave the notes empty; surface A says so, surface B fails', async () => {
    for (const fault of [status, { kind: 'truncated' }, { kind: 'login-redirect' }] as const) {
      const answer = await during('examsA', paths.examPage, fault);
      expect(answer.body).toMatchObject({ code: 200, message: '考试信息部分获取成功，座位信息暂不可用' });
      const school = answer.body.data.exams.filter(({ exam_type }: Kind) => exam_type === '校统考');
      expect(school.map(({ note }: Kind) => note)).toEqual(school.map(() => ''));
      expect(school.length).toBeGreaterThan(0);
      expect(failureOf('examsB', await during('examsB', paths.examPage, fault))).toEqual(unavailable);
    }
  });

  it('exams: one renewal for a page and its calendar that both redirect to the login, and the other exams are shown', async () => {
    const redirect = { kind: 'login-redirect' } as const;
    const rule = gateway.demo.fault({ system: 'jwc', path: paths.examPage, fault: redirect });
    const before = gateway.demo.requests({ path: paths.otherExams }).length;
    const answer = await during('examsA', paths.examCalendar, redirect);
    rule.remove();
    expect(answer.body.message).toBe('考试信息部分获取成功，校统考信息、座位信息暂不可用');
    expect(answer.body.data.total_count).toBeGreaterThan(0);
    // Two rounds of two pages each.
    expect(gateway.demo.requests({ path: paths.otherExams })).toHaveLength(before + 4);
  });

  it('exams: both sources failing is an error on both surfaces, never "no exams"', async () => {
    const redirect = { kind: 'login-redirect' } as const;
    for (const [name, fault] of [
      ['examsA', status],
      ['examsB', status],
      ['examsA', redirect],
    ] as const) {
      const other = gateway.demo.fault({ system: 'jwc', path: paths.otherExams, fault });
      const answer = await during(name, paths.examCalendar, fault);
      other.remove();
      expect(failureOf(name, answer)).toEqual(name === 'examsA' ? [200, 500, academicsDown] : unavailable);
    }
  });

  it('exams: a second page that fails is no shorter list', async () => {
    const answer = await afterTheFirst('examsA', paths.otherExams, status);
    expect(answer.body.message).toBe('考试信息部分获取成功，其他考试信息暂不可用');
    expect(answer.body.data.exams.filter(({ exam_type }: Kind) => exam_type === '其他考试')).toEqual([]);
    expect(failureOf('examsB', await afterTheFirst('examsB', paths.otherExams, status))).toEqual(unavailable);
  });

  it('competitions: a further page that fails is no shorter list', async () => {
    const answer = await afterTheFirst('competitions', paths.competition, status);
    expect(failureOf('competitions', answer)).toEqual(unavailable);
  });

  it('evaluation list: 63 courses of which only 50 can be had are an error', async () => {
    gateway.demo.student(damaged.userid).setEvaluation(63);
    const answer = await afterTheFirst('evaluationList', paths.evaluationList, status);
    expect(failureOf('evaluationList', answer)).toEqual([200, 500, academicsDown]);
    expect((await ask('evaluationList')).body.data).toHaveLength(63);
  });
});

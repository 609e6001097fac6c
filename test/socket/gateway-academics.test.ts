import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { damaged } from '../support/campus-rig.ts';
import { type Answer, type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { paths } from '../support/study-reads.ts';

const calendar = 'jwc GET /student/courseSelect/calendarSemesterCurriculum/index';

describe('academic reads over real sockets', () => {
  let gateway: Gateway;
  let token: string;
  beforeAll(async () => {
    gateway = await startGateway({ movingClock: new ManualClock() });
    token = await gateway.register(damaged);
  });
  afterEach(() => gateway.demo.clearFaults());
  afterAll(() => gateway.close());

  it('say that the campus does not tell how many courses were failed, where a 0 would be taken for good news', async () => {
    const switches = gateway.demo.student(damaged.userid);
    const [words, none] = ['（教务系统未提供未通过课程数）', undefined];
    for (const [coursePas, count, said] of [
      [null, 0, words],
      [undefined, 0, words],
      ['?', 0, words],
      [-1, 0, words],
      [0, 0, none],
      ['2', 2, none],
    ]) {
      switches.setSummary({ coursePas });
      const a = await gateway.a('/jwc/fetch_academic_info', { token });
      const b = await gateway.b('GET', '/jwc/academic/info', { token });
      expect([a.body.data.countNotPass, b.body.data.failed_courses]).toEqual([count, count]);
      expect([a.body.message, b.body.message]).toEqual([
        `学业信息获取成功${said ?? ''}`,
        `获取学业信息成功${said ?? ''}`,
      ]);
    }
  });

  it('with a 304 only where the words are the same as well', async () => {
    const switches = gateway.demo.student(damaged.userid);
    const ask = async (tag = '') =>
      fetch(`${gateway.url}/jwc/academic/info`, {
        headers: { authorization: `Bearer ${token}`, 'if-none-match': tag, 'cache-control': 'max-age=0' },
      });
    switches.setSummary({ coursePas: 0 });
    const tag = (await ask()).headers.get('etag') ?? '';
    expect((await ask(tag)).status).toBe(304);
    switches.setSummary({ coursePas: null });
    expect((await ask(tag)).status).toBe(200);
  });

  it('tell a term that the campus does not list from one without courses, at the cost of one request at most', async () => {
    const fresh = await startGateway();
    const token = await fresh.register(damaged);
    const paths = {
      scores: (t: string) => `/jwc/score/${t}/list`,
      schedule: (t: string) => `/jwc/schedule/${t}/table`,
    };
    const unknown = '教务系统的学期列表中没有该学期';
    for (const path of Object.values(paths)) {
      const { status, body } = await fresh.b('GET', path('1999-2000-1-1'), { token });
      expect([status, body.success, body.message]).toEqual([200, true, unknown]);
    }
    const terms: Array<{ term_code: string }> = (await fresh.b('GET', '/jwc/term/all', { token })).body.data;
    fresh.demo.resetRequests();
    for (const path of Object.values(paths)) {
      for (const { term_code } of terms) {
        const { body } = await fresh.b('GET', path(term_code), { token });
        expect(body.message).not.toBe(unknown);
      }
    }
    // A kept list is enough to know a term.
    expect(fresh.wire().filter((line) => line === calendar)).toEqual([]);
    const wrapped = (request: object) => ({ request, AuthmeRequest: { token } });
    const a = [
      await fresh.a('/jwc/fetch_term_score', wrapped({ term_id: '1999-2000-1-1' })),
      await fresh.a('/jwc/fetch_course_schedule', wrapped({ plan_code: '1999-2000-1-1' })),
    ];
    for (const { body } of a) expect([body.code, body.message]).toEqual([200, unknown]);
    const found = await fresh.a('/jwc/fetch_term_score', wrapped({ term_id: '1999-2000-1-1', course_name: 'C++' }));
    expect(found.body.message).toBe('success');
    const noTerm = await fresh.a('/jwc/fetch_term_score', wrapped({ term_id: 'x', course_name: 'C++' }));
    expect([noTerm.body.code, noTerm.body.message]).toEqual([200, unknown]);
    fresh.demo.fault({
      system: 'jwc',
      path: '/student/courseSelect/calendarSemesterCurriculum/index',
      fault: { kind: 'status', status: 500 },
    });
    const blind = await fresh.b('GET', paths.scores('1998-1999-1-1'), { token });
    expect([blind.status, blind.body.message]).toEqual([200, '获取成绩单成功']);
    await fresh.close();
  });

  it('exams that the campus shows in part are shown with words by surface A, and fail on surface B', async () => {
    const exams = () => gateway.a('/jwc/fetch_exam_info', { token });
    const types = ({ body }: Answer) => new Set(body.data.exams.map((each: { exam_type: string }) => each.exam_type));
    for (const [path, part, left] of [
      [paths.examCalendar, '校统考信息', ['其他考试']],
      [paths.otherExams, '其他考试信息', ['校统考']],
      [paths.examPage, '座位信息', ['校统考', '其他考试']],
    ] as const) {
      const rule = gateway.demo.fault({ system: 'jwc', path, exact: true, fault: { kind: 'status', status: 404 } });
      const answer = await exams();
      expect([answer.body.code, answer.body.message]).toEqual([200, `考试信息部分获取成功，${part}暂不可用`]);
      expect(types(answer)).toEqual(new Set(left));
      const { status, body } = await gateway.b('GET', '/jwc/exam/info', { token });
      expect([status, body.error.code, body.data]).toEqual([502, 'REMOTE_SERVICE_ERROR', null]);
      rule.remove();
    }
    for (const path of [paths.examCalendar, paths.otherExams])
      gateway.demo.fault({ system: 'jwc', path, fault: { kind: 'status', status: 404 } });
    const { body } = await exams();
    expect(body).toEqual({ code: 500, message: '教务系统暂不可用，请稍后重试', data: null });
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crowded, damaged, first, second } from '../support/campus-rig.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';

const term = '2025-2026-1-1';

/** The academic reads, each over both surfaces. */
const reads = {
  summary: {
    a: (g: Gateway, token: string) => g.a('/jwc/fetch_academic_info', { token }),
    b: (g: Gateway, token: string) => g.b('GET', '/jwc/academic/info', { token }),
  },
  terms: {
    a: (g: Gateway, token: string) => g.a('/jwc/fetch_all_terms', { token }),
    b: (g: Gateway, token: string) => g.b('GET', '/jwc/term/all', { token }),
  },
  scores: {
    a: (g: Gateway, token: string) =>
      g.a('/jwc/fetch_term_score', { request: { term_id: term }, AuthmeRequest: { token } }),
    b: (g: Gateway, token: string) => g.b('GET', `/jwc/score/${term}/list`, { token }),
  },
  schedule: {
    a: (g: Gateway, token: string) =>
      g.a('/jwc/fetch_course_schedule', { request: { plan_code: term }, AuthmeRequest: { token } }),
    b: (g: Gateway, token: string) => g.b('GET', `/jwc/schedule/${term}/table`, { token }),
  },
} as const;
const calendar = 'jwc GET /student/courseSelect/calendarSemesterCurriculum/index';

describe('academic reads over real sockets', () => {
  let gateway: Gateway;
  let tokens: Record<'first' | 'second' | 'damaged' | 'crowded', string>;
  beforeAll(async () => {
    gateway = await startGateway();
    gateway.demo.addStudent(crowded);
    tokens = {
      first: await gateway.register(first),
      second: await gateway.register(second),
      damaged: await gateway.register(damaged),
      crowded: await gateway.register(crowded),
    };
  });
  afterAll(() => gateway.close());

  it('say that the campus does not tell how many courses were failed, where a 0 would be taken for good news', async () => {
    const switches = gateway.demo.student(second.userid);
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
      const [a, b] = [await reads.summary.a(gateway, tokens.second), await reads.summary.b(gateway, tokens.second)];
      expect([a.body.data.countNotPass, b.body.data.failed_courses]).toEqual([count, count]);
      expect([a.body.message, b.body.message]).toEqual([
        `学业信息获取成功${said ?? ''}`,
        `获取学业信息成功${said ?? ''}`,
      ]);
    }
  });

  it('with a 304 only where the words are the same as well', async () => {
    const switches = gateway.demo.student(second.userid);
    const ask = async (tag = '') =>
      fetch(`${gateway.url}/jwc/academic/info`, {
        headers: { authorization: `Bearer ${tokens.second}`, 'if-none-match': tag, 'cache-control': 'max-age=0' },
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
    fresh.demo.fault({
      system: 'jwc',
      path: '/student/courseSelect/calendarSemesterCurriculum/index',
      fault: { kind: 'status', status: 500 },
    });
    const blind = await fresh.b('GET', paths.scores('1998-1999-1-1'), { token });
    expect([blind.status, blind.body.message]).toEqual([200, '获取成绩单成功']);
    await fresh.close();
  });
});

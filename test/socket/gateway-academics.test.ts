import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { first, second } from '../support/campus-rig.ts';
import { type Answer, type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';

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
type Read = keyof typeof reads;
const names = Object.keys(reads) as Read[];

const portalLogin = ['vpn GET /por/login_auth.csp', 'vpn POST /por/login_psw.csp'];
const passwordLogin = ['cas GET /cas/login', 'cas POST /cas/login'];
const redeem = 'jwc GET /j_spring_cas_security_check';
const calendar = 'jwc GET /student/courseSelect/calendarSemesterCurriculum/index';
const scoreIndex = 'jwc GET /student/integratedQuery/scoreQuery/allTermScores/index';
const scoreData = 'jwc POST /student/integratedQuery/scoreQuery/*/allTermScores/data';
const courses = 'jwc POST /student/courseSelect/thisSemesterCurriculum/*/ajaxStudentSchedule/past/callback';
const sections = 'jwc POST /ajax/getSectionAndTime';
const summary = 'jwc POST /main/academicInfo';

const isA = (surface: 'a' | 'b', answer: Answer) => (surface === 'a' ? answer.body.code === 200 : answer.body.success);

describe('academic reads over real sockets', () => {
  let gateway: Gateway;
  let tokens: Record<'first' | 'second', string>;
  beforeAll(async () => {
    gateway = await startGateway();
    tokens = { first: await gateway.register(first), second: await gateway.register(second) };
  });
  afterAll(() => gateway.close());

  it.each(names)('%s succeed on both surfaces, for both students, with different data', async (name) => {
    for (const surface of ['a', 'b'] as const) {
      const one = await reads[name][surface](gateway, tokens.first);
      const two = await reads[name][surface](gateway, tokens.second);
      expect([one.status, two.status, isA(surface, one), isA(surface, two)]).toEqual([200, 200, true, true]);
      if (name !== 'terms') expect(one.body.data).not.toEqual(two.body.data);
    }
  });

  it('tell the same facts on both surfaces', async () => {
    const [a, b] = [await reads.summary.a(gateway, tokens.first), await reads.summary.b(gateway, tokens.first)];
    expect(a.body.data).toEqual({
      count: b.body.data.completed_courses,
      countNotPass: b.body.data.failed_courses,
      gpa: b.body.data.gpa,
    });
    const terms = (await reads.terms.b(gateway, tokens.first)).body.data;
    expect((await reads.terms.a(gateway, tokens.first)).body.data).toEqual(
      Object.fromEntries(terms.map((t: { term_code: string; term_name: string }) => [t.term_code, t.term_name])),
    );
    expect(terms.filter((t: { is_current: boolean }) => t.is_current)).toHaveLength(1);
    const schedules = [await reads.schedule.a(gateway, tokens.first), await reads.schedule.b(gateway, tokens.first)];
    expect(schedules[0]?.body.data).toEqual(schedules[1]?.body.data);
  });

  it('show average, rank and cohort, each null by itself where the campus has none, on surface B alone', async () => {
    const shown = async () => {
      const { average_score, rank, rank_total } = (await reads.summary.b(gateway, tokens.second)).body.data;
      return [average_score, rank, rank_total];
    };
    expect((await reads.summary.b(gateway, tokens.first)).body.data).toMatchObject({
      average_score: 85.37,
      rank: 21,
      rank_total: null,
    });
    expect(await shown()).toEqual([87.9, 6, 64]);
    const switches = gateway.demo.student(second.userid);
    for (const [members, expected] of [
      [{ sspjf_jd: '91.255', sspjf_pm: '1', sspjf_rs: '64' }, [91.255, 1, 64]],
      [{ sspjf_jd: null, sspjf_pm: '', sspjf_rs: 64 }, [null, null, 64]],
      [{ sspjf_jd: 0, sspjf_pm: 0, sspjf_rs: '0' }, [null, null, null]],
      [{ sspjf_jd: undefined, sspjf_pm: 70, sspjf_rs: undefined }, [null, 70, null]],
    ] as const) {
      switches.setSummary(members);
      expect(await shown()).toEqual(expected);
    }
    const a = await reads.summary.a(gateway, tokens.second);
    expect(Object.keys(a.body.data)).toEqual(['count', 'countNotPass', 'gpa']);
  });

  it('read 120 scores of one term: a page at a time on surface A, all of them on surface B', async () => {
    const token = tokens.second;
    const terms: Array<{ term_code: string }> = (await reads.terms.b(gateway, token)).body.data;
    const totals = await Promise.all(
      terms.map(async ({ term_code }) => {
        const { body } = await gateway.b('GET', `/jwc/score/${term_code}/list`, { token });
        return [term_code, body.data.total_count] as const;
      }),
    );
    const [long] = totals.filter(([, total]) => total === 120);
    expect(long, JSON.stringify(totals)).toBeDefined();
    expect(totals.some(([, total]) => total === 0)).toBe(true);
    const page = (page_num: number) =>
      gateway.a('/jwc/fetch_term_score', {
        request: { term_id: long?.[0], page_num, page_size: 50 },
        AuthmeRequest: { token },
      });
    const sizes = [];
    for (const number of [1, 2, 3, 4]) sizes.push((await page(number)).body.data.records.length);
    expect(sizes).toEqual([50, 50, 20, 0]);
    expect((await page(1)).body.data).toMatchObject({ total_count: 120, page_num: 1, page_size: 50 });
  });
});

describe('requests at the campus', () => {
  let gateway: Gateway;
  let token: string;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  it('registration: 5; login with the same pair on a live session: 0; token check: 0', async () => {
    gateway.demo.resetRequests();
    token = await gateway.register();
    expect(gateway.wire()).toEqual([...portalLogin, ...passwordLogin, redeem]);
    const { userid, password, vpnPassword } = first;
    const login = () =>
      gateway.b('POST', '/auth/login/next', { body: { userid, password, vpn_password: vpnPassword } });
    expect(await gateway.wireOf(login)).toEqual([]);
    expect(await gateway.wireOf(() => gateway.b('GET', '/auth/authme/token', { token }))).toEqual([]);
    expect(await gateway.wireOf(() => gateway.a('/user/authme', { token }))).toEqual([]);
  });

  it('summary: 1 and 1', async () => {
    expect(await gateway.wireOf(() => reads.summary.a(gateway, token))).toEqual([summary]);
    expect(await gateway.wireOf(() => reads.summary.b(gateway, token))).toEqual([summary]);
  });

  it('scores: 2 cold, 1 warm, one more per further page', async () => {
    expect(await gateway.wireOf(() => reads.scores.a(gateway, token))).toEqual([scoreIndex, scoreData]);
    expect(await gateway.wireOf(() => reads.scores.a(gateway, token))).toEqual([scoreData]);
    const { total_count } = (await reads.scores.b(gateway, token)).body.data;
    const pages = Math.max(1, Math.ceil(total_count / 50));
    expect(await gateway.wireOf(() => reads.scores.b(gateway, token))).toEqual(Array(pages).fill(scoreData));
  });

  it('schedule: 3 cold, 1 warm', async () => {
    const cold = await gateway.wireOf(() => reads.schedule.a(gateway, token));
    expect(cold.toSorted()).toEqual([sections, calendar, courses].toSorted());
    expect(await gateway.wireOf(() => reads.schedule.b(gateway, token))).toEqual([courses]);
  });

  it('terms: 1, and its segment serves the next schedule', async () => {
    expect(await gateway.wireOf(() => reads.terms.a(gateway, token))).toEqual([calendar]);
    expect(await gateway.wireOf(() => reads.schedule.b(gateway, token))).toEqual([courses]);
  });

  it('a segment gone stale costs one page and one repeat', async () => {
    gateway.demo.student(first.userid).expireService('jwc');
    const wire = await gateway.wireOf(() => reads.scores.a(gateway, token));
    expect(wire).toEqual([scoreData, 'cas GET /cas/login', redeem, scoreIndex, scoreData]);
  });

  it('terms read beside schedules retire their segment and fail none of them', async () => {
    const beside = Array.from({ length: 12 }, (_, i) => (i % 3 === 0 ? reads.terms : reads.schedule));
    for (let round = 0; round < 10; round += 1) {
      const answers = await Promise.all(beside.map((read) => read.b(gateway, token)));
      expect(answers.map(({ status }) => status)).toEqual(beside.map(() => 200));
    }
  });

  it('50 concurrent first calls of one student cost one login', async () => {
    const fresh = await startGateway();
    try {
      const own = await fresh.register(second);
      await fresh.services.sessions.forget(second.userid);
      fresh.demo.resetRequests();
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, i) => reads.summary[i % 2 ? 'a' : 'b'](fresh, own)),
      );
      expect(answers.every((answer) => answer.status === 200)).toBe(true);
      const posts = fresh.wire().filter((line) => line.includes(' POST ') && !line.startsWith('jwc'));
      expect(posts).toEqual(['vpn POST /por/login_psw.csp', 'cas POST /cas/login']);
    } finally {
      await fresh.close();
    }
  });
});

describe('a campus that misbehaves', () => {
  let gateway: Gateway;
  let token: string;
  beforeAll(async () => {
    gateway = await startGateway({ movingClock: new ManualClock() });
  });
  afterEach(() => gateway.demo.clearFaults());
  afterAll(() => gateway.close());

  it('in GBK is read all the same', async () => {
    token = await gateway.register();
    gateway.demo.fault({ system: 'jwc', fault: { kind: 'gbk' } });
    const answer = await reads.terms.b(gateway, token);
    expect(answer.body.data[0].term_name).toContain('学年');
  });

  it('recovers by itself when a session dies between two calls', async () => {
    gateway.demo.student(first.userid).expirePortal();
    expect((await reads.summary.b(gateway, token)).status).toBe(200);
    gateway.demo.student(first.userid).expireService('jwc');
    gateway.demo.student(first.userid).expireUnifiedLogin();
    expect((await reads.scores.a(gateway, token)).body.code).toBe(200);
  });

  it('is left alone while its breaker is open, and both surfaces say when to come back', async () => {
    const rule = gateway.demo.fault({ system: 'jwc', fault: { kind: 'status', status: 500 } });
    for (let i = 0; i < 5; i += 1) await reads.summary.b(gateway, token);
    gateway.demo.resetRequests();
    const [a, b] = [await reads.summary.a(gateway, token), await reads.summary.b(gateway, token)];
    expect(gateway.wire()).toEqual([]);
    expect([a.status, a.body.code, b.status, b.body.error.code]).toEqual([200, 500, 502, 'REMOTE_SERVICE_ERROR']);
    for (const answer of [a, b]) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    rule.remove();
  });
});

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { damaged, first } from '../support/campus-rig.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { springNoon } from '../support/study-reads.ts';

const base = '/student/integratedQuery/scoreQuery';
const index = `jwc GET ${base}/schemeScores/index`;
const data = `jwc GET ${base}/*/schemeScores/callback`;
const scoreIndex = `jwc GET ${base}/allTermScores/index`;
const scores = `jwc POST ${base}/*/allTermScores/data`;
const termList = 'jwc GET /student/courseSelect/calendarSemesterCurriculum/index';
const file = '/student/rollManagement/rollInfo/index';

const clock = new ManualClock(springNoon);
let gateway: Gateway;
let tokens: Record<'first' | 'damaged', string>;
const usual = { schemeForm: 'lnList', schemeSegment: true, schemePage: 'offered', emptyTerm: 'all' } as const;
const set = (switches: Partial<Gateway['demo']['switches']>) => Object.assign(gateway.demo.switches, switches);
beforeAll(async () => {
  gateway = await startGateway({ clock });
  tokens = { first: await gateway.register(first), damaged: await gateway.register(damaged) };
});
afterEach(() => {
  gateway.demo.clearFaults();
  set({ ...usual, foreignFile: false });
});
afterAll(() => gateway.close());

const get = (path: string, who: 'first' | 'damaged' = 'first') => gateway.b('GET', path, { token: tokens[who] });
const wireOf = async (path: string, who: 'first' | 'damaged' = 'first') => {
  const wire = await gateway.wireOf(() => get(path, who));
  return wire.filter((line) => line.startsWith('jwc') && !line.includes('security_check'));
};
const withNewSession = async () => {
  gateway.demo.student(first.userid).expireService('jwc');
  // Signs in again, without a page of scores.
  await get('/jwc/academic/course_selection_status');
};

describe('the whole record', () => {
  it('costs two requests, and one while its address is known; its rows are those of all terms', async () => {
    await withNewSession();
    expect(await wireOf('/jwc/score/all')).toEqual([index, data]);
    expect(await wireOf('/jwc/score/all')).toEqual([data]);
    const { body } = await get('/jwc/score/all');
    const { records, total_count, passed_count, failed_count, undecided_count, source } = body.data;
    expect([source, records.length, body.message]).toEqual(['scheme', total_count, '获取全部成绩成功']);
    expect(passed_count + failed_count + undecided_count).toBe(total_count);
    const terms = (await get('/jwc/term/all')).body.data;
    const rows: object[] = [];
    for (const { term_code } of terms) rows.push(...(await get(`/jwc/score/${term_code}/list`)).body.data.records);
    const nameOf = (row: Record<string, unknown>) => [row.term_id, row.course_code, row.course_class, row.credits];
    const sorted = (list: readonly object[]) => list.map((row) => JSON.stringify(nameOf({ ...row }))).toSorted();
    expect(sorted(records)).toEqual(sorted(rows));
    expect(records.filter((row: { passed: boolean }) => !row.passed).length).toBe(failed_count);
    const failed = (await get('/jwc/score/all?passed=false')).body.data;
    expect([failed.total_count, failed.records.length]).toEqual([failed_count, failed_count]);
    expect([failed.passed_count, failed.failed_count]).toEqual([passed_count, failed_count]);
    expect((await get('/jwc/score/all?passed=true')).body.data.total_count).toBe(passed_count);
    expect((await get('/jwc/score/all?passed=1')).status).toBe(422);
  });

  it('keeps odd rows: without term, with numbers as text, a term of words, a course of two plans, a plan without rows', async () => {
    const { groups, records, terms, ...counts } = (await get('/jwc/score/all', 'damaged')).body.data;
    expect(counts).toEqual({
      source: 'scheme',
      total_count: 6,
      passed_count: 4,
      failed_count: 1,
      undecided_count: 1,
      rows_without_term: 3,
    });
    // One course of two plans; 优秀 has the number that the campus states beside it.
    expect(terms).toMatchObject([
      { term_id: '2025-2026-1-1', courses: 1, credits: 3, mean: 95, mean_credits: 3 },
      { term_id: '2024-2025-3-1', courses: 1, credits: 2, mean: null, mean_credits: 0, grade_point_average: null },
    ]);
    expect(groups).toEqual([
      expect.objectContaining({ group_index: 0, plan_number: '7352', credits_taken: 41.5, passed: null }),
      expect.objectContaining({ group_index: 1, plan_number: '7410', credits_taken: null }),
      expect.objectContaining({ group_index: 2, label: '其他', plan_number: null }),
    ]);
    const shown = records.map((row: Record<string, unknown>) => [
      row.group_index,
      row.term_id,
      row.course_code,
      row.course_class,
      row.course_name_en,
      row.credits,
      row.score,
      row.score_number,
      row.grade_point,
      row.passed,
    ]);
    expect(shown).toEqual([
      [0, '2025-2026-1-1', 'SY3201003', '03', '', '3', '优秀', 95, 4, true],
      [0, null, 'SY1102004', '05', 'Linear Algebra', '2.5', '不及格', 52, 0, false],
      [0, null, 'SY3201006', '', '', '0.5', '71', 71, null, true],
      [0, null, '', '', '', '', '缓考', null, null, null],
      [0, '2024-2025-3-1', 'SY3203002', '05', '', '2', '合格', null, null, true],
      [1, '2025-2026-1-1', 'SY3201003', '03', '', '3', '优秀', 95, 4, true],
    ]);
    expect(gateway.log()).toMatch(/"page":"scheme-scores","dropped":1/);
  });

  it.each([
    ['a bare list', { schemeForm: 'array' }],
    ['an address without a segment', { schemeSegment: false }],
  ] as const)('is the same as %s', async (_, switches) => {
    const { data: before } = (await get('/jwc/score/all')).body;
    await withNewSession();
    set(switches);
    expect((await get('/jwc/score/all')).body.data).toEqual(before);
  });

  it.each([
    ['a page without any sign of a dead session', { kind: 'html' }],
    ['status 404', { kind: 'status', status: 404 }],
    ['an error', { kind: 'body', body: '{"result":"error","msg":"页面已失效"}' }],
  ] as const)('loads its page once more where a kept address is answered with %s', async (_, fault) => {
    await get('/jwc/score/all');
    gateway.demo.fault({ system: 'jwc', path: `${base}/*/schemeScores/callback`, times: 1, fault });
    expect(await wireOf('/jwc/score/all')).toEqual([data, index, data]);
  });

  it.each(['missing', 'without address'] as const)(
    'is the score list of all terms where its page is %s',
    async (page) => {
      const { total_count } = (await get('/jwc/score/all')).body.data;
      await withNewSession();
      set({ schemePage: page });
      expect(await wireOf('/jwc/score/all')).toEqual([index, scoreIndex, scores]);
      // Remembered with the session.
      expect(await wireOf('/jwc/score/all')).toEqual([scores]);
      const { data: record } = (await get('/jwc/score/all')).body;
      expect([record.source, record.groups, record.total_count]).toEqual(['all_terms', [], total_count]);
      expect(record.records[0]).toMatchObject({ group_index: null, score_number: null, grade_point: null });
      // This source tells of a retake and two make-ups: such a course has two marks, and neither is the term's.
      const unclear = record.terms.filter((term: { unclear: number }) => term.unclear > 0);
      expect(unclear.map((term: { term_id: string; unclear: number }) => [term.term_id, term.unclear])).toEqual([
        ['2024-2025-2-1', 1],
        ['2024-2025-1-1', 1],
        ['2023-2024-2-1', 1],
      ]);
      expect(gateway.log().split('page not offered by this campus')).toHaveLength(2);
    },
  );

  it('is read term by term where the campus takes "no term" for this term', async () => {
    const { total_count } = (await get('/jwc/score/all')).body.data;
    await withNewSession();
    set({ schemePage: 'missing', emptyTerm: 'current' });
    const terms = (await get('/jwc/term/all')).body.data.length;
    const wire = await wireOf('/jwc/score/all');
    expect(wire.slice(0, 4)).toEqual([index, scoreIndex, scores, termList]);
    expect(wire.slice(4)).toEqual(Array.from({ length: terms }, () => scores));
    expect((await get('/jwc/score/all')).body.data).toMatchObject({ source: 'term_by_term', total_count });
    gateway.demo.fault({ system: 'jwc', path: `${base}/*/allTermScores/data`, fault: { kind: 'status', status: 500 } });
    expect((await get('/jwc/score/all')).status).toBe(502);
  });
});

it('a record of two thousand rows is whole', async () => {
  await withNewSession();
  const rows = Array.from({ length: 2_000 }, (_, at) => ({
    id: { courseNumber: String(at) },
    courseName: 'x',
    cj: '1',
  }));
  const body = JSON.stringify([{ cjList: rows }]);
  gateway.demo.fault({ system: 'jwc', path: `${base}/*/schemeScores/callback`, fault: { kind: 'body', body } });
  expect((await get('/jwc/score/all')).body.data.total_count).toBe(2_000);
});

describe('the student record', () => {
  /** Past what is fresh for an hour. */
  const asked = async () => {
    const headers = { authorization: `Bearer ${tokens.first}`, 'cache-control': 'max-age=0' };
    const response = await fetch(`${gateway.url}/profile/student`, { headers });
    return { status: response.status, body: JSON.parse(await response.text()) };
  };

  it('has a closed list of members', async () => {
    const { class_name, ...rest } = (await get('/profile/student', 'damaged')).body.data;
    const unknown = { name: null, college: null, major: null, campus: null, entry_year: null };
    // The first label that is there counts, also where its value is blank.
    expect(rest).toEqual({ userid: damaged.userid, ...unknown });
    expect(class_name).toHaveLength(100);
  });

  it('lets nothing else of the page through: not into answers, log or storage', async () => {
    const answers = [await get('/profile/student'), await get('/profile/student', 'damaged')];
    await gateway.services.reads.close();
    for (const place of [
      ...answers.map(({ text }) => text),
      gateway.log(),
      gateway.databaseBytes().toString('latin1'),
    ]) {
      expect(place).not.toContain('MARKER-');
    }
  });

  it('of another student is a failure', async () => {
    set({ foreignFile: true });
    const answer = await asked();
    expect([answer.status, answer.body.error.code]).toEqual([502, 'REMOTE_SERVICE_ERROR']);
    expect(gateway.log()).not.toContain('2023999999');
  });

  it.each([
    [
      'a page without its lines',
      '<div class="profile-info-name">民族</div><div class="profile-info-value">汉</div></body>',
    ],
    ['a page without its end', '<div class="profile-info-name">姓名</div><div class="profile-info-value">林</div>'],
    ['an unrelated page', '<html><body>系统维护</body></html>'],
  ])('is unreadable on %s', async (_, body) => {
    gateway.demo.fault({ system: 'jwc', path: file, fault: { kind: 'body', body } });
    expect((await asked()).body.error).toMatchObject({ code: 'REMOTE_SERVICE_ERROR', retryable: false });
  });
});

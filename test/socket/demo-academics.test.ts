import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startDemoCampus } from '../../src/demo/demo-campus.ts';
import type { DemoCampus } from '../../src/demo/types.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type Answer, Browser } from './demo-browser.ts';

const TWO = ['2023000002', 'demo-password-2', 'demo-vpn-2'] as const;
const DAMAGED = ['2023000003', 'demo-password-3', 'demo-vpn-3'] as const;
const CROWDED = ['2023000008', 'p', 'v'] as const;
const SCORE_INDEX = '/student/integratedQuery/scoreQuery/allTermScores/index';
const TERM_INDEX = '/student/courseSelect/calendarSemesterCurriculum/index';

let clock: ManualClock;
let campus: DemoCampus;
let one: Browser;

const at = (path: string): string => `${campus.wiring.jwcUrl}${path}`;

const segmentOf = async (browser: Browser, page: string): Promise<string> => {
  const { text } = await browser.ask(at(page));
  const segment = /\/([A-Za-z0-9]{10})\/(?:allTermScores\/data|ajaxStudentSchedule\/past\/callback)/.exec(text)?.[1];
  if (!segment) throw new Error('no segment on the page');
  return segment;
};

const scoreForm = (term: string, change: Record<string, string> = {}): Record<string, string> => ({
  zxjxjhh: term,
  kch: '',
  kcm: '',
  pageNum: '1',
  pageSize: '50',
  sf_request_type: 'ajax',
  ...change,
});

const scoresAt = (browser: Browser, segment: string, form: Record<string, string>): Promise<Answer> =>
  browser.ask(at(`/student/integratedQuery/scoreQuery/${segment}/allTermScores/data`), { form });

const scores = async (browser: Browser, term: string, change: Record<string, string> = {}) =>
  JSON.parse((await scoresAt(browser, await segmentOf(browser, SCORE_INDEX), scoreForm(term, change))).text);

const timetableAt = (browser: Browser, segment: string, term: string): Promise<Answer> =>
  browser.ask(at(`/student/courseSelect/thisSemesterCurriculum/${segment}/ajaxStudentSchedule/past/callback`), {
    form: { planCode: term, sf_request_type: 'ajax' },
  });

const timetable = async (browser: Browser, term: string) =>
  JSON.parse((await timetableAt(browser, await segmentOf(browser, TERM_INDEX), term)).text);

const termCodes = async (browser: Browser): Promise<readonly string[]> =>
  [...(await browser.ask(at(TERM_INDEX))).text.matchAll(/<option value="([\d-]+)"/g)].map((found) => found[1] ?? '');

beforeEach(async () => {
  clock = new ManualClock();
  campus = await startDemoCampus({ clock });
  one = await new Browser(campus.wiring).signIn();
});

afterEach(() => campus.close());

describe('a page without a session', () => {
  it('is reached again over the unified login, which remembers it', async () => {
    campus.student('2023000001').expireService('jwc');
    const wanted = `${TERM_INDEX}?x=1`;
    const bounce = await one.ask(at(wanted));
    expect(bounce.location).toBe(one.loginUrl(campus.wiring.jwcService));
    const granted = await one.ask(bounce.location);
    const redeemed = await one.ask(granted.location);
    expect(redeemed.location).toBe(at(wanted));
    expect((await one.ask(redeemed.location)).text).toContain('id="planCode"');
  });

  it('leads to the landing page without the remembering cookie', async () => {
    campus.student('2023000001').expireService('jwc');
    const bounce = await one.ask(at(TERM_INDEX));
    one.setCookie(campus.wiring.jwcUrl, 'JSESSIONID', null);
    const granted = await one.ask(bounce.location);
    expect((await one.ask(granted.location)).location).toBe(at('/index'));
  });

  it('is refused to the cookie of another system', async () => {
    const stolen = one.cookie(campus.wiring.casUrl, 'JSESSIONID') ?? '';
    one.setCookie(campus.wiring.jwcUrl, 'JSESSIONID', stolen);
    expect((await one.ask(at('/'))).status).toBe(302);
  });

  it('bounces a data request as well', async () => {
    campus.student('2023000001').expireService('jwc');
    const answer = await one.ask(at('/main/academicInfo?sf_request_type=ajax'), { form: { flag: '' } });
    expect(answer.location).toBe(one.loginUrl(campus.wiring.jwcService));
    expect(answer.bytes).toHaveLength(0);
  });
});

describe('plain pages', () => {
  it('carry the calendar line by the clock, and the first day of the term', async () => {
    clock.advance(7 * 24 * 3_600_000);
    await one.signIn();
    expect((await one.ask(at('/'))).text).toContain('第4周');
    const calendar = await one.ask(at('/indexCalendar'));
    expect(calendar.text).toMatch(/var rq = "20260302"; \/\//);
    expect(calendar.text).toMatch(/var zs = 18/);
  });

  it('send the summary as JSON under the type of a page, to a POST only', async () => {
    const summary = await one.ask(at('/main/academicInfo?sf_request_type=ajax'), { form: { flag: '' } });
    expect(summary.headers['content-type']).toBe('text/html;charset=UTF-8');
    expect(JSON.parse(summary.text)).toMatchObject([{ courseNum: 43, coursePas: 1, zxjxjhh: '2025-2026-2-1' }]);
    const bare = await one.ask(at('/main/academicInfo'), { method: 'POST' });
    expect(JSON.parse(bare.text)).toHaveLength(1);
    expect((await one.ask(at('/main/academicInfo'))).status).toBe(405);
  });

  it('answer 404 where nothing lives', async () => {
    expect((await one.ask(at('/nowhere'))).status).toBe(404);
    expect(campus.requests({ path: '/nowhere' })).toHaveLength(1);
  });
});

describe('the list of terms', () => {
  it('marks the current term in the text, and has white space and entities around the labels', async () => {
    const damaged = await new Browser(campus.wiring).signIn(...DAMAGED);
    const { text } = await damaged.ask(at(TERM_INDEX));
    expect(text).toContain('<option value="">全部</option>');
    expect(text).toContain(
      '<option value="2025-2026-2-1" selected="selected">\r\n\t\t2025-2026学年春（当前）\r\n\t</option>',
    );
    expect(text).toContain('2024-2025学年春&nbsp;');
    expect(await termCodes(one)).toHaveLength(8);
    expect((await one.ask(at(TERM_INDEX))).text).not.toMatch(/&nbsp;|&#|\t/);
  });
});

describe('term scores', () => {
  it('come by the segment of the latest index page only', async () => {
    const old = await segmentOf(one, SCORE_INDEX);
    const fresh = await segmentOf(one, SCORE_INDEX);
    expect(old).not.toBe(fresh);
    const stale = JSON.parse((await scoresAt(one, old, scoreForm('2025-2026-1-1'))).text);
    expect(stale).toEqual({ result: 'error', msg: expect.any(String) });
    for (const term of ['2025-2026-1-1', '2024-2025-1-1']) {
      expect(JSON.parse((await scoresAt(one, fresh, scoreForm(term))).text).list.records.length).toBeGreaterThan(0);
    }
    expect(campus.requests({ path: '/student/integratedQuery/scoreQuery/*/allTermScores/data' })).toHaveLength(3);
  });

  it('die with the session: a segment is not carried over', async () => {
    const segment = await segmentOf(one, SCORE_INDEX);
    await one.signIn();
    expect(JSON.parse((await scoresAt(one, segment, scoreForm('2025-2026-1-1'))).text).result).toBe('error');
  });

  it('need every field of the form', async () => {
    const segment = await segmentOf(one, SCORE_INDEX);
    for (const name of ['zxjxjhh', 'kch', 'kcm', 'pageNum', 'pageSize']) {
      const form = scoreForm('2025-2026-1-1');
      delete form[name];
      expect(JSON.parse((await scoresAt(one, segment, form)).text).result).toBe('error');
    }
    expect(JSON.parse((await scoresAt(one, segment, scoreForm('2025-2026-1-1', { pageNum: '0' }))).text).result).toBe(
      'error',
    );
  });

  it('come in pages, with the total of all', async () => {
    campus.addStudent({ userid: '2023000008', password: 'p', vpnPassword: 'v', crowded: true });
    const two = await new Browser(campus.wiring).signIn(...CROWDED);
    const first = await scores(two, '2024-2025-2-1');
    expect(first.list).toMatchObject({ pageSize: 50, pageNum: 1, pageContext: { totalCount: 120 } });
    expect(first.list.records).toHaveLength(50);
    const last = await scores(two, '2024-2025-2-1', { pageNum: '3' });
    expect(last.list.records).toHaveLength(20);
    expect((await scores(two, '2024-2025-2-1', { pageNum: '4' })).list.records).toEqual([]);
  });

  it('are filtered by course number and name, and are those of all terms without a term', async () => {
    expect((await scores(one, '', { pageSize: '100' })).list.records.length).toBeGreaterThan(15);
    expect((await scores(one, '', { kcm: '英语' })).list.records).toHaveLength(5);
    expect((await scores(one, '2025-2026-1-1', { kch: 'KJ3201002' })).list.records).toHaveLength(1);
    expect((await scores(one, '2025-2026-1-1', { kch: 'XX' })).list).toMatchObject({ records: [] });
  });

  it('are absent in each way the real system knows', async () => {
    const damaged = await new Browser(campus.wiring).signIn(...DAMAGED);
    expect(await scores(damaged, '2023-2024-2-1')).toEqual({ list: null });
    expect(await scores(damaged, '2023-2024-3-1')).toEqual({ msg: '' });
    expect(await scores(damaged, '2025-2026-3-1')).toEqual({ list: {} });
    expect((await scores(damaged, '2024-2025-3-1')).list.records).toBeNull();
    expect((await scores(damaged, '1999-2000-1-1')).list.records).toEqual([]);
  });

  it('of the damaged student have short rows, text for numbers, numbers for text, words and nulls', async () => {
    const damaged = await new Browser(campus.wiring).signIn(...DAMAGED);
    const rows: unknown[][] = (await scores(damaged, '2025-2026-1-1')).list.records;
    expect(rows.map((row) => row.length)).toEqual([13, 13, 13, 13, 12, 11]);
    expect([rows[1]?.[7], rows[1]?.[10], rows[2]?.[6], rows[2]?.[10], rows[4]?.[8]]).toEqual([
      '56',
      91.5,
      3,
      '优秀',
      null,
    ]);
  });
});

describe('the timetable', () => {
  it('comes by POST and by GET, with the segment of the latest page only', async () => {
    const old = await segmentOf(one, TERM_INDEX);
    const fresh = await segmentOf(one, TERM_INDEX);
    expect(JSON.parse((await timetableAt(one, old, '2025-2026-2-1')).text)).toMatchObject({
      errorMessage: expect.stringMatching(/./),
      xkxx: null,
      dateList: null,
    });
    const posted = await timetableAt(one, fresh, '2025-2026-2-1');
    const path = `/student/courseSelect/thisSemesterCurriculum/${fresh}/ajaxStudentSchedule/past/callback`;
    const got = await one.ask(at(`${path}?planCode=2025-2026-2-1&sf_request_type=ajax`));
    expect(got.text).toBe(posted.text);
    expect(JSON.parse(got.text).errorMessage).toBe('');
  });

  it('has courses without a time, odd masks and a class split over two entries', async () => {
    const damaged = await new Browser(campus.wiring).signIn(...DAMAGED);
    const { xkxx, allUnits } = await timetable(damaged, '2025-2026-2-1');
    expect(allUnits).toBe('21.5');
    expect(xkxx).toHaveLength(2);
    expect(xkxx[0].SY3204004_01.timeAndPlaceList).toBeNull();
    expect(xkxx[0].SY3204002_01.attendClassTeacher).toBe('陈立＊ 高远* 苏岩');
    const masks = xkxx[0].SY3204002_01.timeAndPlaceList.map(({ classWeek }: { classWeek: string }) => classWeek.length);
    expect(masks).toEqual([10, 32]);
    expect(xkxx[0].SY3204007_01.timeAndPlaceList[0].classDay).toBe(0);
    expect(xkxx[1].SY3204001_02.timeAndPlaceList).toHaveLength(1);
  });

  it('may stand in the other list, or nowhere', async () => {
    const damaged = await new Browser(campus.wiring).signIn(...DAMAGED);
    const spring = await timetable(damaged, '2024-2025-2-1');
    expect(spring.xkxx).toBeNull();
    expect(spring.dateList[0].selectCourseList).toHaveLength(2);
    expect(await timetable(damaged, '2023-2024-1-1')).toMatchObject({ allUnits: 0, xkxx: [{}], dateList: [] });
  });

  it('has the same sections for everybody, in blocks', async () => {
    const ask = (browser: Browser, form: Record<string, string>) =>
      browser.ask(at('/ajax/getSectionAndTime'), { form });
    const two = await new Browser(campus.wiring).signIn(...TWO);
    const form = { planNumber: '', ff: 'f', sf_request_type: 'ajax' };
    const mine = await ask(one, form);
    expect((await ask(two, form)).text).toBe(mine.text);
    const blocks = JSON.parse(mine.text).sectionTime.map(({ djjc }: { djjc: unknown }) => djjc);
    expect(blocks).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 5]);
    expect((await ask(one, {})).status).toBe(400);
  });
});

describe('students side by side', () => {
  it('share no course code, in scores or timetables', async () => {
    campus.addStudent({ userid: '2023000077', password: 'p', vpnPassword: 'v' });
    const two = await new Browser(campus.wiring).signIn(...TWO);
    const copy = await new Browser(campus.wiring).signIn('2023000077', 'p', 'v');
    const codesOf = async (browser: Browser): Promise<ReadonlySet<string>> => {
      const rows: unknown[] = (await scores(browser, '', { pageSize: '500' })).list.records;
      const codes = rows.flatMap((row) => (Array.isArray(row) ? [String(row[2])] : []));
      const tables = await Promise.all(['2025-2026-2-1', '2025-2026-1-1'].map((term) => timetable(browser, term)));
      const timetabled = tables.flatMap(({ xkxx }) => xkxx ?? []).flatMap((entry: object) => Object.keys(entry));
      return new Set([...codes, ...timetabled]);
    };
    const [mine, theirs, copied] = [await codesOf(one), await codesOf(two), await codesOf(copy)];
    expect([...mine].every((code) => /^KJ\d{7}(_\d\d)?$/.test(code))).toBe(true);
    expect([...theirs].every((code) => /^RW\d{7}(_\d\d)?$/.test(code))).toBe(true);
    expect([...copied].every((code) => code.includes('-2023000077'))).toBe(true);
    expect(copied.size).toBe(mine.size);
  });

  it('are told apart in the log, and lose their own sessions only', async () => {
    const two = await new Browser(campus.wiring).signIn(...TWO);
    campus.resetRequests();
    await Promise.all([one.ask(at('/')), two.ask(at('/')), two.ask(at('/'))]);
    expect(campus.requests({ userid: '2023000001' })).toHaveLength(1);
    expect(campus.requests({ userid: '2023000002', path: '/' })).toHaveLength(2);
    campus.student('2023000001').expireService('jwc');
    expect((await one.ask(at('/'))).status).toBe(302);
    expect((await two.ask(at('/'))).status).toBe(200);
    expect(() => campus.student('nobody')).toThrow();
    expect(() => campus.addStudent({ userid: '2023000001', password: 'p', vpnPassword: 'v' })).toThrow();
  });
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startDemoCampus } from '../../src/demo/demo-campus.ts';
import type { DemoCampus } from '../../src/demo/types.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { TEST_KEY_PEM } from '../unit/demo/test-key.ts';
import { type Answer, Browser } from './demo-browser.ts';

const TWO = ['2023000002', 'demo-password-2', 'demo-vpn-2'] as const;
const DAMAGED = ['2023000003', 'demo-password-3', 'demo-vpn-3'] as const;
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

beforeEach(async () => {
  clock = new ManualClock();
  campus = await startDemoCampus({ clock, portalKeyPem: TEST_KEY_PEM });
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

describe('term scores', () => {
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

  it('are absent in each way the real system knows', async () => {
    const damaged = await new Browser(campus.wiring).signIn(...DAMAGED);
    expect(await scores(damaged, '2023-2024-2-1')).toEqual({ list: null });
    expect(await scores(damaged, '2023-2024-3-1')).toEqual({ msg: '' });
    expect(await scores(damaged, '2025-2026-3-1')).toEqual({ list: {} });
    expect((await scores(damaged, '2024-2025-3-1')).list.records).toBeNull();
    expect((await scores(damaged, '1999-2000-1-1')).list.records).toEqual([]);
  });
});

describe('the timetable', () => {
  it('may stand in the other list, or nowhere', async () => {
    const damaged = await new Browser(campus.wiring).signIn(...DAMAGED);
    const spring = await timetable(damaged, '2024-2025-2-1');
    expect(spring.xkxx).toBeNull();
    expect(spring.dateList[0].selectCourseList).toHaveLength(2);
    expect(await timetable(damaged, '2023-2024-1-1')).toMatchObject({ allUnits: 0, xkxx: [{}], dateList: [] });
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

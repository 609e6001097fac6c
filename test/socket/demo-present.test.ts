import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { campusDate, campusTimestamp, dayNumber } from '../../src/lib/time.ts';
import { damaged, first, second } from '../support/campus-rig.ts';
import { type Answer, type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';

const zone = 'Asia/Shanghai';
const dayMs = 24 * 60 * 60 * 1000;
const at = (moment: string): number => Date.parse(`${moment.replace(' ', 'T')}+08:00`);

interface Reader {
  /** The `data` of an operation that has to succeed. */
  // biome-ignore lint/suspicious/noExplicitAny: test bodies are inspected member by member
  readonly read: (path: string) => Promise<any>;
  readonly over: (method: string, path: string, body?: unknown) => Promise<Answer>;
}

const openOn = async (moment: string) => {
  const clock = new ManualClock(at(moment));
  const gateway = await startGateway({ clock: clock.skipping(300) });
  return { clock, gateway };
};

const openForTest = async (moment: string) => {
  const opened = await openOn(moment);
  onTestFinished(() => opened.gateway.close());
  return opened;
};

const readerOf = async (gateway: Gateway, student: typeof first): Promise<Reader> => {
  const token = await gateway.register(student);
  const over = (method: string, path: string, body?: unknown) => gateway.b(method, path, { token, body });
  return {
    over,
    async read(path) {
      const answer = await over('GET', path);
      expect(answer.status, `${path} ${answer.text}`).toBe(200);
      return answer.body.data;
    },
  };
};

const warnings = (gateway: Gateway): string[] =>
  gateway
    .log()
    .split('\n')
    .filter((line) => /"level":"(warn|error|fatal)"/.test(line));

interface Shown {
  readonly term_code: string;
  readonly is_current: boolean;
}

/** The current term as three pages know it: they must agree. Returns its code, its weeks and the week of today. */
const currentTerm = async ({ read }: Reader, today: string) => {
  const [term, all, { current_term }]: [{ week_number: number; start_at: string }, Shown[], { current_term: string }] =
    [await read('/jwc/term/current'), await read('/jwc/term/all'), await read('/jwc/academic/info')];
  expect(all.filter(({ is_current }) => is_current)).toMatchObject([{ term_code: current_term }]);
  const codes = all.map(({ term_code }) => term_code);
  expect(codes).toEqual([...codes].sort().reverse());
  const [, years, season] = /^(\d{4}-\d{4})-([123])-1$/.exec(current_term) ?? [];
  expect(term).toMatchObject({
    academic_year: years,
    current_term_name: { 1: '秋', 2: '春', 3: '' }[season ?? ''],
    week_number: Math.floor(((dayNumber(today) ?? 0) - (dayNumber(term.start_at) ?? 0)) / 7) + 1,
  });
  return { code: current_term, codes, week: term.week_number, startAt: term.start_at };
};

describe.each([
  ['2026-11-22 01:00:00', 'an autumn'],
  ['2024-02-29 12:00:00', 'a leap day'],
  ['2026-12-31 23:59:59', 'the last second of a year'],
  ['2027-01-01 00:00:00', 'the first of the next'],
  ['2027-02-28 23:59:59', 'the last second of an autumn'],
  ['2027-03-01 00:00:00', 'the first second of a spring'],
  ['2026-07-05 12:00:00', 'the last Sunday of a spring'],
  ['2026-07-06 00:04:00', 'the first minutes of a summer'],
  ['2030-08-20 08:00:00', 'another summer'],
  ['2033-09-12 08:59:00', 'an autumn in other years'],
])('at %s, %s,', (moment) => {
  const today = moment.slice(0, 10);
  let gateway: Gateway;
  let readers: Readonly<Record<'one' | 'two', Reader>>;
  beforeAll(async () => {
    ({ gateway } = await openOn(moment));
    readers = { one: await readerOf(gateway, first), two: await readerOf(gateway, second) };
    return () => gateway.close();
  });

  it('both students find a term, courses of this week, exams and marks of the terms before', async () => {
    for (const reader of [readers.one, readers.two]) {
      const { code, codes, week, startAt } = await currentTerm(reader, today);
      const table = await reader.read(`/jwc/schedule/${code}/table`);
      const weeks = Number(table.semester_info.total_weeks);
      expect(week >= 1 && week <= weeks && weeks <= 24).toBe(true);
      const masks: string[] = table.courses.flatMap(
        ({ time_locations }: { time_locations: { class_week: string }[] }) =>
          time_locations.map(({ class_week }) => class_week),
      );
      expect(masks.length).toBeGreaterThan(4);
      for (const mask of masks) expect(mask.slice(weeks)).not.toContain('1');
      if (reader === readers.one) expect(masks.some((mask) => mask[week - 1] === '1')).toBe(true);

      const past = codes.slice(codes.indexOf(code) + 1).filter((each) => !each.endsWith('-3-1'));
      expect(past.length).toBeGreaterThan(3);
      const sheets = await Promise.all(past.map((each) => reader.read(`/jwc/score/${each}/list`)));
      expect(sheets.every(({ total_count }) => total_count > 3)).toBe(true);
      for (const [index, { records }] of sheets.entries()) {
        for (const { term_id } of records) expect(term_id).toBe(past[index]);
      }

      // Nothing is marked before the first course of a term has ended.
      const { records } = await reader.read('/jwc/score/current/list');
      const published = records.filter((row: { is_published: boolean }) => row.is_published);
      expect(published.length > 0).toBe(week > 3);
      for (const { term_id, course_code, course_class, exam_time } of published.slice(0, 1)) {
        expect(term_id).toBe(code);
        const asked = new URLSearchParams({ term_code: term_id, course_code, course_class, exam_time });
        expect((await reader.read(`/jwc/score/current/detail?${asked}`)).items).toHaveLength(1);
      }

      const { exams } = await reader.read('/jwc/exam/info');
      if (reader === readers.two) continue;
      const lastDay = campusDate(at(`${startAt} 12:00:00`) + (weeks * 7 - 1) * dayMs, zone);
      const dates: string[] = exams
        .map(({ exam_date }: { exam_date: string }) => exam_date)
        .filter((date: string) => date !== '');
      expect(dates.some((date) => date >= today && date <= lastDay)).toBe(true);
      if (week > 1) expect(dates.some((date) => date < today)).toBe(true);
      expect(dates.every((date) => date <= lastDay && date >= startAt)).toBe(true);
    }
    expect(warnings(gateway)).toEqual([]);
  });

  it('the meter was read this night, and nothing is paid ahead', async () => {
    const { read, over } = readers.one;
    expect((await over('POST', '/isim/room/bind', { room_id: '010101' })).status).toBe(200);
    const { usage_records, payments } = await read('/isim/elec/info');
    const times = (key: string, rows: Record<string, string>[]): string[] => rows.map((row) => row[key] ?? '');
    const [used, paid] = [times('record_time', usage_records), times('payment_time', payments)];
    for (const list of [used, paid]) {
      expect(list).toEqual([...list].sort().reverse());
      expect((list[0] ?? '') <= moment).toBe(true);
    }
    expect((used[0] ?? '') > campusTimestamp(at(moment) - 25 * 60 * 60 * 1000, zone)).toBe(true);
    expect(new Set(used).size).toBe(31);
    expect((paid.at(-1) ?? '') > campusTimestamp(at(moment) - 45 * dayMs, zone)).toBe(true);
  });
});

describe('a campus that runs on', () => {
  it('is in the next term at midnight, with other courses to evaluate', async () => {
    const { clock, gateway } = await openForTest('2026-07-05 23:59:00');
    const reader = await readerOf(gateway, first);
    const spring = await currentTerm(reader, '2026-07-05');
    expect(spring).toMatchObject({ code: '2025-2026-2-1', week: 18, startAt: '2026-03-02' });
    const list = async () => {
      const answer = await reader.over('GET', '/jwc/term/all');
      expect(answer.status).toBe(200);
      return gateway.demo
        .student(first.userid)
        .evaluations()
        .map(({ done }) => done);
    };
    gateway.demo.student(first.userid).evaluateByHand(1);
    expect(await list()).toEqual([true, false, true]);
    clock.advance(60_000);
    const summer = await currentTerm(reader, '2026-07-06');
    expect(summer).toMatchObject({ code: '2025-2026-3-1', week: 1, startAt: '2026-07-06' });
    expect(await list()).toEqual([false, false, true]);
    expect((await reader.read('/jwc/schedule/2025-2026-3-1/table')).courses.length).toBeGreaterThan(5);
    expect((await reader.read('/jwc/schedule/2025-2026-2-1/table')).courses.length).toBeGreaterThan(0);
  });

  it('has activities to join and such that are over in every week, and keeps what a student joined', async () => {
    const { clock, gateway } = await openForTest('2026-11-22 10:00:00');
    const reader = await readerOf(gateway, first);
    interface Activity {
      readonly ID: string;
      readonly Title: string;
      readonly StartTime: string;
      readonly EndTime: string;
      readonly SignUpStartTime: string;
      readonly SignUpEndTime: string;
    }
    const ofClubs = async (): Promise<Activity[]> => {
      const clubs: { ID: string }[] = (await reader.read('/ldjlb/labor/joined/clubs')).data;
      const lists = await Promise.all(clubs.map(({ ID }) => reader.read(`/ldjlb/labor/club/${ID}/activities`)));
      return lists.flatMap(({ data }) => data);
    };
    const joined = async (): Promise<Activity[]> => (await reader.read('/ldjlb/labor/joined/activities')).data;
    const seen = new Set<string>();
    for (let week = 0; week < 12; week += 1) {
      const now = campusTimestamp(clock.now(), zone);
      const activities = await ofClubs();
      const open = activities.filter((each) => each.SignUpStartTime <= now && each.SignUpEndTime > now);
      expect(open.length, now).toBeGreaterThan(0);
      expect(activities.some(({ StartTime }) => StartTime > now)).toBe(true);
      expect(activities.some(({ EndTime }) => EndTime < now)).toBe(true);
      // Nobody is in two places, and no list grows for ever.
      expect(new Set(activities.map(({ ID }) => ID)).size).toBe(activities.length);
      expect(activities.length).toBeLessThan(20);
      const mine = open.findLast(({ Title }) => Title === '校园清扫');
      expect(seen.has(mine?.ID ?? '')).toBe(false);
      seen.add(mine?.ID ?? '');
      const applied = await reader.over('POST', `/ldjlb/labor/activity/${mine?.ID}/apply`);
      expect(applied.body, applied.text).toMatchObject({ success: true });
      expect((await joined()).map(({ ID }) => ID)).toContain(mine?.ID);
      clock.advance(7 * dayMs);
      const kept = (await joined()).find(({ ID }) => ID === mine?.ID);
      expect(kept).toEqual(expect.objectContaining({ StartTime: mine?.StartTime, Title: '校园清扫' }));
    }
    // Two of this week's own, and the five of the last weeks that are not long over.
    expect(await joined()).toHaveLength(2 + 5);
  });
});

describe('a fresh campus', () => {
  const moment = '2026-11-24 10:00:00';
  const reads = [
    '/jwc/evaluation/courses',
    '/jwc/academic/info',
    '/jwc/academic/training_plan',
    '/jwc/exam/info',
    '/jwc/term/all',
    '/jwc/term/current',
    '/jwc/score/current/list',
    '/jwc/schedule/2026-2027-1-1/table',
  ];

  it('answers each read as the first one as it does after all others', async () => {
    const last = await readerOf((await openForTest(moment)).gateway, first);
    for (const path of reads) await last.read(path);
    for (const path of reads) {
      const fresh = await readerOf((await openForTest(moment)).gateway, first);
      expect(await fresh.read(path), path).toEqual(await last.read(path));
    }
  });
});

it('the pages of the third student are damaged, and the log says so', async () => {
  const { gateway } = await openForTest('2026-03-18 10:00:00');
  const { read } = await readerOf(gateway, damaged);
  const { total_count, records } = await read('/jwc/score/2024-2025-2-1/list');
  expect(records.length).toBe(total_count);
  await read('/jwc/plan/current');
  expect(warnings(gateway).length).toBeGreaterThan(1);
});

it('a scan sign works as the documents tell, once', async () => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/use/clients.md'), 'utf8');
  const [, form = '', location = ''] = /"content":"([A-Z]+\|)'\$SIGN'","location":"([\d.,]+)"/.exec(guide) ?? [];
  const { clock, gateway } = await openForTest('2026-11-22 09:00:00');
  const { read, over } = await readerOf(gateway, first);
  const { data } = await read('/ldjlb/labor/joined/activities');
  const signItems = async () => (await read(`/ldjlb/labor/${data[0].ID}/sign_list`)).data;
  const [item] = await signItems();
  const scan = () => over('POST', '/ldjlb/labor/scan_sign', { content: form + item.ID, location });
  expect((await scan()).body).toMatchObject({ success: true, message: '签到成功' });
  expect((await signItems())[0].IsSign).toBe(true);
  clock.advance(60_000);
  expect((await scan()).body).toMatchObject({ success: false, message: '已签到，请勿重复签到' });
});

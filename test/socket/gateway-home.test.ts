import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { first, second } from '../support/campus-rig.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { MovingTime } from '../support/moving-time.ts';
import { bindRoom } from '../support/student-reads.ts';
import { springNoon } from '../support/study-reads.ts';

const everything = 'term,today,next,exams,summary,card,electricity,activity,labor,evaluation';

let gateway: Gateway;
let tokens: Record<'first' | 'second', string>;
const clock = new ManualClock(springNoon);
beforeAll(async () => {
  gateway = await startGateway({ clock });
  const token = await gateway.register(second);
  tokens = { first: await gateway.register(first), second: token };
  await new MovingTime(clock).during(bindRoom(gateway, tokens.first));
});
afterEach(() => gateway.demo.clearFaults());
afterAll(() => gateway.close());

const home = (query = '', who: 'first' | 'second' = 'first', headers: Record<string, string> = {}) =>
  gateway.b('GET', `/home${query}`, { token: tokens[who], headers });
const get = async (path: string, who: 'first' | 'second' = 'first') =>
  (await gateway.b('GET', path, { token: tokens[who] })).body.data;

describe('the parts', () => {
  it.each(['first', 'second'] as const)('have the data of their own operations: the %s student', async (who) => {
    const { status, body } = await home(`?include=${everything}`, who);
    expect(status).toBe(200);
    const { parts } = body.data;
    expect(Object.keys(parts)).toEqual(everything.split(','));
    const data = Object.fromEntries(Object.entries<{ data: unknown }>(parts).map(([name, part]) => [name, part.data]));
    const exams = await get('/jwc/exam/info', who);
    const reading = who === 'first' ? await get('/isim/elec/info', who) : null;
    expect(data).toMatchObject({
      term: await get('/jwc/term/current', who),
      exams: {
        total_count: exams.total_count,
        exams: exams.exams.filter(({ exam_date }: { exam_date: string }) => exam_date >= '2026-06-10').slice(0, 5),
      },
      summary: await get('/jwc/academic/info', who),
      card: await get('/card/balance', who),
      electricity: reading && {
        room_code: reading.room_code,
        room_display: reading.room_display,
        balance: reading.balance,
      },
      activity: await get('/aac/credit/info', who),
      labor: await get('/ldjlb/labor/progress', who),
      evaluation: { task_status: null, total_courses: 0, pending_courses: null, success_count: 0, fail_count: 0 },
    });
    if (who === 'second') {
      expect(parts.electricity).toMatchObject({ source: 'none', read_at: null, error: { code: 'UNBOUND_ROOM' } });
      expect(body.message).toBe('部分信息暂时无法获取');
    } else expect(body.message).toBe('获取首页信息成功');
    expect(parts.evaluation).toMatchObject({ source: 'local', read_at: null });
    expect(parts.term.read_at).toMatch(/^2026-06-10 \d\d:\d\d:\d\d$/);
  });

  it('that a personal token has no scopes for say so, and not that they are missing for the moment', async () => {
    const made = { name: 'widget', scopes: ['events'], days: 7 };
    const { body: issued } = await gateway.b('POST', '/auth/tokens', { token: tokens.first, body: made });
    const { status, body } = await gateway.b('GET', '/home', { token: issued.data.token });
    expect([status, body.message]).toEqual([200, '部分信息无法获取：令牌缺少相应权限']);
    for (const name of ['term', 'today', 'exams', 'summary'])
      expect(body.data.parts[name]).toMatchObject({
        data: null,
        error: { code: 'INSUFFICIENT_SCOPE', retryable: false, message: expect.not.stringContaining('暂时') },
      });
  });
});

describe('a term other than autumn and spring', () => {
  it('is the one that the campus lists: home, timetable and feed have the same classes', async () => {
    const summer = new ManualClock(Date.parse('2026-08-03T12:00:00+08:00'));
    const campus = await startGateway({ clock: summer });
    try {
      const token = await campus.register(first);
      const { term, today } = (await campus.b('GET', '/home?include=term,today', { token })).body.data.parts;
      expect(term.data).toMatchObject({ academic_year: '2025-2026', current_term_name: '夏', week_number: 3 });
      expect(term.data.term_code).toBe('2025-2026-3-1');
      expect((await campus.b('GET', '/jwc/term/current', { token })).body.data).toEqual(term.data);
      expect(today.error).toBeNull();
      expect(today.data).toMatchObject({ term_code: '2025-2026-3-1', week_number: 3, weekday: 0 });
      const { data } = (await campus.b('GET', '/jwc/schedule/2025-2026-3-1/table', { token })).body;
      const onMonday = data.courses.flatMap(
        (course: { course_code: string; time_locations: Record<string, unknown>[] }) =>
          course.time_locations
            .filter(({ class_day, class_week }) => class_day === 1 && String(class_week)[2] === '1')
            .map(() => course.course_code),
      );
      expect(onMonday.length).toBeGreaterThan(0);
      expect(today.data.classes.map((each: { course_code: string }) => each.course_code).toSorted()).toEqual(
        onMonday.toSorted(),
      );
      const feed = await campus.b('POST', '/calendar/feeds', { token, body: { name: 'summer', include: ['classes'] } });
      const { text } = await campus.b('GET', new URL(feed.body.data.url).pathname, {});
      expect(text.match(/^DTSTART[^\n]*20260803T/gm) ?? []).toHaveLength(onMonday.length);
    } finally {
      await campus.close();
    }
  });
});

describe('what it costs', () => {
  it('takes four requests one after the other when a session is there, and no more than three parts at once', async () => {
    const STEP_MS = 500;
    await home('', 'first', { 'cache-control': 'max-age=0' });
    for (const path of ['/', '/student', '/main', '/indexCalendar', '/ajax'])
      gateway.demo.fault({ system: 'jwc', path, exact: path === '/', fault: { kind: 'delay', ms: STEP_MS } });
    gateway.demo.resetRequests();
    const calling = home('', 'first', { 'cache-control': 'max-age=0' });
    let done = false;
    calling.finally(() => {
      done = true;
    });
    /** How many were on their way at once, step by step. */
    const widths: number[] = [];
    for (let seen = 0; !done; ) {
      await vi.waitFor(() => expect(done || gateway.wire().length > seen).toBe(true), { timeout: 20_000 });
      for (let turn = 0; turn < 300; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      const all = gateway.wire().length;
      if (all > seen) widths.push(all - seen);
      seen = all;
      clock.advance(STEP_MS);
    }
    expect((await calling).status).toBe(200);
    expect(gateway.wire()).toHaveLength(6);
    expect(widths.length).toBeLessThanOrEqual(4);
    expect(Math.max(...widths)).toBeLessThanOrEqual(3);
  });
});

describe('a part that fails', () => {
  it.each([
    ['jwc', 'term,today,next,exams,summary'],
    ['card', 'card'],
    ['isim', 'electricity'],
    ['aac', 'activity'],
    ['ldjlb', 'labor'],
  ] as const)(
    'of %s has what its operation would have answered, and no data; the others are there',
    async (system, failing) => {
      gateway.demo.fault({ system, fault: { kind: 'status', status: 500 } });
      const { status, body, headers } = await home(`?include=${everything}`, 'first', { 'cache-control': 'max-age=0' });
      expect([status, body.success, body.message]).toEqual([200, true, '部分信息暂时无法获取']);
      expect([headers.get('etag'), headers.get('cache-control')]).toEqual([null, 'no-store']);
      for (const [name, part] of Object.entries<Record<string, unknown>>(body.data.parts)) {
        if (!failing.split(',').includes(name)) expect(part).toMatchObject({ error: null });
        else
          expect(part).toMatchObject({
            data: null,
            read_at: null,
            source: 'none',
            error: { code: 'REMOTE_SERVICE_ERROR', retryable: true, message: expect.any(String) },
          });
      }
    },
  );

  it('for want of time is left out one second before the end of the call, and the others are there', async () => {
    await home('?include=card');
    gateway.demo.student(first.userid).expireService('card');
    const pages = ['/casLogin.jsp', '/queryUserBalances.action'];
    for (const path of pages) gateway.demo.fault({ system: 'card', path, fault: { kind: 'delay', ms: 20_000 } });
    gateway.demo.resetRequests();
    const calling = home('?include=summary,card', 'first', { 'cache-control': 'max-age=0' });
    const asked = (path: string) =>
      expect.poll(() => gateway.wire().some((line) => line.endsWith(path)), { timeout: 20_000 }).toBe(true);
    await asked('/queryUserBalances.action');
    clock.advance(20_000);
    await asked('/casLogin.jsp');
    clock.advance(9_500);
    const { body } = await calling;
    expect(body.data.parts.summary.error).toBeNull();
    expect(body.data.parts.card.error).toMatchObject({ code: 'TIMEOUT', retryable: true, system: 'card' });
    gateway.demo.clearFaults();
    // Lets the reading finish.
    clock.advance(60_000);
  });

  it('may be stood in for by a copy, in words and as its source', async () => {
    await home('?include=term,summary');
    clock.advance(60_000);
    gateway.demo.fault({ system: 'jwc', path: '/', exact: true, fault: { kind: 'status', status: 500 } });
    const { body, headers } = await home('?include=term,summary', 'first', { 'cache-control': 'stale-if-error=3600' });
    expect(body.data.parts).toMatchObject({ term: { source: 'stand_in' }, summary: { source: 'campus' } });
    expect(body.message).toMatch(/^获取首页信息成功（数据更新于 2026-06-10 \d\d:\d\d）$/);
    expect([headers.get('etag'), headers.get('cache-control')]).toEqual([null, 'no-store']);
  });

  it('for want of a copy says so', async () => {
    const { body } = await home('?include=labor,evaluation', 'second', {
      'cache-control': 'only-if-cached, max-age=0',
    });
    expect(body.data.parts).toMatchObject({ labor: { error: { code: 'NO_COPY' } }, evaluation: { error: null } });
  });
});

describe('what comes next', () => {
  const next = async (query = 'next', headers: Record<string, string> = {}) =>
    (await home(`?include=${query}`, 'first', headers)).body.data.parts.next;

  it('is made of the readings of today and of the exams, which are shared', async () => {
    await home('?include=summary', 'first', { 'cache-control': 'max-age=0' });
    gateway.demo.resetRequests();
    await home('?include=today,exams', 'first', { 'cache-control': 'max-age=0' });
    const usual = gateway.wire().length;
    gateway.demo.resetRequests();
    const { body } = await home('?include=today,next,exams', 'first', { 'cache-control': 'max-age=0' });
    expect(gateway.wire()).toHaveLength(usual);
    const { next: part, exams, today } = body.data.parts;
    expect(part.error).toBeNull();
    expect(part.data.next_exam).toMatchObject({ course_name: exams.data.exams[0].course_name });
    const all = [...part.data.now, ...part.data.next_class];
    expect(all.length).toBeGreaterThan(0);
    const ofToday = all.filter(({ date }: { date: string }) => date === today.data.date);
    const shown = today.data.classes.map((each: { course_code: string }) => each.course_code);
    expect(shown).toEqual(expect.arrayContaining(ofToday.map((each: { course_code: string }) => each.course_code)));
    expect(part.data.valid_until > '2026-06-10 12').toBe(true);
  });

  it('says that exams could not be read, and has the classes all the same', async () => {
    gateway.demo.fault({
      system: 'jwc',
      path: '/student/examinationManagement',
      fault: { kind: 'status', status: 500 },
    });
    const part = await next('next', { 'cache-control': 'max-age=0' });
    expect(part).toMatchObject({ error: null, data: { next_exam: null, exam_left_out: 'failed' } });
    expect(part.data.next_class.length).toBeGreaterThan(0);
  });

  it('leaves exams out for a token that may not read them', async () => {
    const made = await gateway.b('POST', '/auth/tokens', {
      token: tokens.first,
      body: { name: 'timetable', scopes: ['schedule:read'], days: 7 },
    });
    const { body } = await gateway.b('GET', '/home?include=next,exams', { token: made.body.data.token });
    expect(body.data.parts.next).toMatchObject({ error: null, data: { next_exam: null, exam_left_out: 'scope' } });
    expect(body.data.parts.exams.error).toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
  });
});

describe('the call as a whole', () => {
  it('has one tag while all parts are whole', async () => {
    const headers = { 'cache-control': 'max-age=3600' };
    const { headers: told } = await home('?include=summary,term', 'first', headers);
    const tag = told.get('etag') ?? '';
    expect(told.get('cache-status')).toBe('campus-gateway; hit');
    expect((await home('?include=summary,term', 'first', { ...headers, 'if-none-match': tag })).status).toBe(304);
  });
});

import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { first, second } from '../support/campus-rig.ts';
import { type Answer, type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { freshPostgresUrl } from '../support/postgres.ts';
import { springNoon } from '../support/study-reads.ts';

const term = '2025-2026-2-1';
const rows = 'jwc POST /student/integratedQuery/course/courseSchdule/courseInfo';
const classCodes = { first: '080123001', second: '050123001' } as const;
const third = { userid: '2023000088', password: 'pass-3', vpnPassword: 'vpn-3' };
type Who = 'first' | 'second' | 'third';

interface Place {
  readonly class_day: number;
  readonly class_sessions: number;
  readonly continuing_session: number;
}
interface Shown {
  readonly course_code: string;
  readonly course_sequence: string;
  readonly course_name: string;
  readonly teacher_name: string;
  readonly time_locations: readonly Place[];
  readonly places_left: number;
}

describe.each(['sqlite', 'postgres'] as const)('offerings and classes (%s)', (kind) => {
  const clock = new ManualClock(springNoon);
  let gateway: Gateway;
  let tokens: Record<Who, string>;

  beforeAll(async () => {
    const env: Record<string, string> = kind === 'postgres' ? { DATABASE_URL: await freshPostgresUrl() } : {};
    gateway = await startGateway({ clock, env });
    gateway.demo.addStudent(third);
    tokens = {
      first: await gateway.register(first),
      second: await gateway.register(second),
      third: await gateway.register(third),
    };
  });
  afterEach(() => {
    gateway.demo.clearFaults();
    gateway.demo.switches.offeringsEverySeconds = 0;
    gateway.demo.switches.classTimetable = 'kbInfo';
  });
  afterAll(() => gateway.close());

  const get = (path: string, who: Who = 'first', headers: Record<string, string> = {}) =>
    gateway.b('GET', path, { token: tokens[who], headers });
  const search = (query = '', who: Who = 'first', headers: Record<string, string> = {}) =>
    get(`/jwc/offerings?term_code=${term}${query}`, who, headers);
  /** What the fill has done when it has ended. */
  const complete = async (who: Who, query = ''): Promise<Answer> => {
    let answer = await search(query, who);
    await vi.waitFor(
      async () => {
        answer = await search(query, who);
        expect(answer.body.data.complete).toBe(true);
      },
      { timeout: 20_000 },
    );
    return answer;
  };
  const all = async (who: Who, query = ''): Promise<Shown[]> => {
    const found: Shown[] = [];
    for (let page = 1; ; page += 1) {
      const { data } = (await search(`&page_size=100&page_index=${page}${query}`, who)).body;
      if (data.classes.length === 0) return found;
      found.push(...data.classes);
      expect(data.total_count).toBeGreaterThanOrEqual(found.length);
    }
  };

  it('a term is read once, page after page, for everybody', async () => {
    gateway.demo.resetRequests();
    const begun = await search();
    expect(begun.body.data).toMatchObject({
      complete: false,
      pages_read: 1,
      page_count: 3,
      page_index: 1,
      page_size: 20,
    });
    expect([begun.headers.get('retry-after'), begun.headers.get('etag')]).toEqual(['5', null]);
    expect(begun.headers.get('cache-control')).toBe('no-store');
    const whole = await complete('first');
    expect(whole.body.data).toMatchObject({ pages_read: 3, page_count: 3, complete: true });
    expect([whole.headers.get('retry-after'), whole.headers.get('etag')]).toEqual([null, expect.any(String)]);
    expect(gateway.wire(first.userid)).toEqual([rows, rows, rows]);

    gateway.demo.resetRequests();
    expect((await search('', 'second')).body.data).toEqual(whole.body.data);
    const queries = [
      '',
      '&course_name=a',
      '&teacher=b',
      '&weekday=3&session=2',
      '&course_code=KJ3202001',
      '&page_index=9',
    ];
    for (const query of queries)
      for (const who of ['first', 'second', 'third'] as const) {
        const { status, body, headers } = await search(query, who);
        expect([status, body.data.complete]).toEqual([200, true]);
        expect(headers.get('cache-status')).toBe('campus-gateway; hit');
      }
    expect(gateway.wire()).toEqual([]);
  });

  it('answers are conditional, each student with a tag of its own', async () => {
    await complete('first');
    const tags = await Promise.all(
      (['first', 'third'] as const).map(async (who) => (await search('', who)).headers.get('etag') ?? ''),
    );
    expect(tags[0]).not.toBe(tags[1]);
    expect((await search('', 'first', { 'if-none-match': tags[0] ?? '' })).status).toBe(304);
    expect((await search('', 'third', { 'if-none-match': tags[0] ?? '' })).status).toBe(200);
  });

  it.each(['first', 'second'] as const)('every course of the %s student is there, and in the class', async (who) => {
    await complete(who);
    const { courses } = (await get(`/jwc/schedule/${term}/table`, who)).body.data;
    const offered = await all(who);
    const ofClass = (await get(`/jwc/classes/${classCodes[who]}/schedule?term_code=${term}`, who)).body.data;
    expect(courses.length).toBeGreaterThan(4);
    for (const { course_code, course_sequence, course_name, teacher_name, time_locations } of courses) {
      const same = { course_code, course_sequence, course_name, teacher_name, time_locations };
      expect(offered).toContainEqual(expect.objectContaining(same));
      expect(ofClass.courses).toContainEqual(expect.objectContaining(same));
    }
    expect(ofClass.courses).toHaveLength(courses.length);
    gateway.demo.switches.classTimetable = 'lists';
    clock.advance(3_600_000);
    const again = (await get(`/jwc/classes/${classCodes[who]}/schedule?term_code=${term}`, who)).body.data;
    expect(again.courses).toEqual(ofClass.courses);
  });

  it('classes: filters, majors, pages of five hundred, a class without courses and one that nobody knows', async () => {
    const filters = (await get('/jwc/classes/filters')).body.data;
    expect(filters.departments.map((each: { department_code: string }) => each.department_code)).toEqual(['08', '05']);
    expect(filters.terms.filter((each: { is_default: boolean }) => each.is_default)).toMatchObject([
      { term_code: term },
    ]);
    expect(filters.grades).toContain('2023');
    expect((await get('/jwc/classes/majors?department_code=08')).body.data).toEqual([
      { major_code: '0801', major_name: '计算机科学与技术' },
    ]);
    expect((await get('/jwc/classes/majors?department_code=99')).body.data).toEqual([]);
    const page = async (query: string) =>
      (await get(`/jwc/classes?term_code=${term}&department_code=08${query}`)).body.data;
    const [one, two, three] = [await page(''), await page('&page_index=2'), await page('&page_index=3')];
    expect([one.classes.length, two.classes.length, three.classes]).toEqual([500, 3, []]);
    expect([one.total_count, one.page_count, two.page_index]).toEqual([503, 2, 2]);
    const own = (await page('&grade=2023&major_code=0801')).classes;
    expect(own[0]).toEqual({
      class_code: classCodes.first,
      class_name: '计科231',
      department_name: '信息工程学院',
      major_name: '计算机科学与技术',
    });
    for (const code of [own.at(-1).class_code, 'unknown-1']) {
      const { body } = await get(`/jwc/classes/${code}/schedule?term_code=${term}`);
      expect(body.data).toMatchObject({ term_code: term, class_code: code, courses: [] });
    }
  });

  it('nothing that is kept or answered is of the student on whose session it was read', async () => {
    await complete('first');
    if (kind === 'sqlite') {
      const { storage } = gateway.config;
      const database = new DatabaseSync(storage.kind === 'sqlite' ? storage.path : '');
      const kept = JSON.stringify(database.prepare('select * from campus_wide_copies').all());
      database.close();
      expect(kept).toContain('线性代数');
      expect(kept).not.toMatch(/2023000001|2023000002|2023000088|林晓|顾言/);
    }
    const { body } = await search('', 'third');
    expect(JSON.stringify(body)).not.toMatch(/2023000001|2023000002|林晓|顾言/);
  });

  it('a campus that was asked too often is left alone, by everybody, and says so', async () => {
    clock.advance(3_600_000);
    await get('/jwc/term/all', 'third');
    gateway.demo.switches.offeringsEverySeconds = 20;
    await search('&course_code=KJ3202003', 'third');
    gateway.demo.resetRequests();
    const busy = await search('&course_code=KJ3202004', 'third');
    expect([busy.status, busy.headers.get('retry-after'), busy.body.message]).toEqual([
      502,
      '10',
      '教务系统查询过于频繁，请稍后再试',
    ]);
    expect(busy.body.error).toMatchObject({
      code: 'REMOTE_SERVICE_ERROR',
      reason: 'campus_busy',
      system: 'academics',
      retryable: true,
    });
    expect(gateway.wire()).toEqual([rows]);
    for (const who of ['third', 'first'] as const) {
      const again = await search('&course_code=KJ3202005', who);
      expect([again.status, again.body.error.reason]).toEqual([502, 'campus_busy']);
    }
    expect(gateway.wire()).toEqual([rows]);
    expect(gateway.services.watch.breakers().get('academics')).toBe('closed');
    const kept = await search('&course_code=KJ3202003', 'third', { 'cache-control': 'max-age=0, stale-if-error=600' });
    expect(kept.status).toBe(200);
    // Leases and lines go by the time of the database where it has one, and that cannot be moved.
    if (kind === 'postgres') return;
    clock.advance(30_000);
    expect((await search('&course_code=KJ3202004', 'third')).status).toBe(200);
  });
});

it('is never asked faster than once in five seconds, by two replicas and whatever is searched for', async () => {
  const clock = new ManualClock(springNoon);
  const one = await startGateway({ clock, env: { OFFERINGS_EVERY_SECONDS: '5' } });
  const gateways = [one, await one.replica()];
  const tokens: string[] = [];
  for (const [at, student] of [first, second].entries()) tokens.push((await gateways[at]?.register(student)) ?? '');
  const began = clock.now();
  const times: number[] = [];
  const statuses = new Set<string>();
  const look = async () => {
    for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    const asked = one.demo.requests({ path: rows.split(' ')[2] ?? '' }).length;
    while (times.length < asked) times.push(clock.now());
  };
  const calls: Array<Promise<void>> = [];
  for (let round = 0; clock.now() - began < 60_000; round += 1) {
    const queries = ['', `&course_code=KJ320200${1 + (round % 7)}`, `&course_name=${round}`];
    for (const [at, gateway] of round % 4 === 0 ? gateways.entries() : [])
      for (const query of queries)
        calls.push(
          gateway.b('GET', `/jwc/offerings?term_code=${term}${query}`, { token: tokens[at] ?? '' }).then((answer) => {
            statuses.add(`${answer.status} ${answer.body.error?.reason ?? ''}`);
          }),
        );
    await look();
    clock.advance(500);
  }
  let open = true;
  const settled = Promise.all(calls).finally(() => {
    open = false;
  });
  while (open) {
    await look();
    clock.advance(500);
  }
  await settled;
  for (const gateway of gateways.toReversed()) await gateway.close();
  expect(times.length).toBeGreaterThan(5);
  // What is seen half a second late may seem half a second close to the next one.
  const pauses = times.slice(1).map((at, index) => at - (times[index] ?? 0));
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(4_500);
  expect([...statuses].toSorted()).toEqual(['200 ', '502 campus_busy']);
}, 60_000);

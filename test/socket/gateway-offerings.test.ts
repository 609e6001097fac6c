import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { first, second } from '../support/campus-rig.ts';
import { type Answer, type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { freshPostgresUrl } from '../support/postgres.ts';
import { springNoon } from '../support/study-reads.ts';

const term = '2025-2026-2-1';
const rows = 'jwc POST /student/integratedQuery/course/courseSchdule/courseInfo';
const third = { userid: '2023000088', password: 'pass-3', vpnPassword: 'vpn-3' };
type Who = 'first' | 'second' | 'third';

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
  /** The answer once the fill has ended. */
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

  it('answers are conditional, each student with its own tag', async () => {
    await complete('first');
    const tags = await Promise.all(
      (['first', 'third'] as const).map(async (who) => (await search('', who)).headers.get('etag') ?? ''),
    );
    expect(tags[0]).not.toBe(tags[1]);
    expect((await search('', 'first', { 'if-none-match': tags[0] ?? '' })).status).toBe(304);
    expect((await search('', 'third', { 'if-none-match': tags[0] ?? '' })).status).toBe(200);
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
});

it('two students ask the campus no sooner after each other than OFFERINGS_EVERY_SECONDS', async () => {
  const clock = new ManualClock(springNoon);
  const gateway = await startGateway({ movingClock: clock, env: { OFFERINGS_EVERY_SECONDS: '8' } });
  onTestFinished(() => gateway.close());
  const tokens = [await gateway.register(first), await gateway.register(second)];
  const moments: number[] = [];
  for (const [at, token] of tokens.entries()) {
    const path = `/jwc/offerings?term_code=${term}&course_code=KJ320200${1 + at}`;
    expect((await gateway.b('GET', path, { token })).status).toBe(200);
    moments.push(clock.now());
  }
  expect((moments[1] ?? 0) - (moments[0] ?? 0)).toBeGreaterThanOrEqual(7_000);
});

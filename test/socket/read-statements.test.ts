import { StatementSync } from 'node:sqlite';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { freshPostgresUrl } from '../support/postgres.ts';
import { bindRoom, callRead, readNames, studentReads } from '../support/student-reads.ts';

/**
 * Every statement that reaches the database from now on, no matter who sends it; only the outbox of the hooks looks for
 * deliveries whenever it likes.
 */
const watchStatements = (): { count(): number } => {
  const prepared = (['all', 'get', 'run'] as const).map((method) => vi.spyOn(StatementSync.prototype, method));
  const queries = vi.spyOn(pg.Client.prototype, 'query');
  const isOfRead = (sql: string): boolean => !sql.includes('hook_deliveries');
  const texts = (): string[] => [
    ...prepared.flatMap(({ mock }) => mock.contexts.map((statement) => (statement as StatementSync).sourceSQL)),
    ...queries.mock.calls.map((call: unknown[]) => JSON.stringify(call[0])),
  ];
  return { count: () => texts().filter(isOfRead).length };
};

/** The course list of the evaluation is always asked for over surface A. */
const kept = readNames.filter((name) => name !== 'evaluationCourses');

describe.each(['sqlite', 'postgres'] as const)('on %s', (kind) => {
  const clock = new ManualClock();
  let gateway: Gateway;
  let token = '';
  let personal = '';

  beforeAll(async () => {
    const database: Record<string, string> = kind === 'postgres' ? { DATABASE_URL: await freshPostgresUrl() } : {};
    gateway = await startGateway({ clock, env: { FRESH_SECONDS: '60', ...database } });
    token = await gateway.register();
    await bindRoom(gateway, token);
    // Later its login will be a day old.
    const body = { name: 'w', scopes: ['academics:read'], days: 7 };
    personal = (await gateway.b('POST', '/auth/tokens', { token, body })).body.data.token;
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });
  afterAll(() => gateway.close());

  it.each(kept)('%s costs one statement from memory, two from storage, a 304 no more', async (name) => {
    const read = studentReads[name];
    const ask = (headers: Record<string, string> = {}) => callRead(gateway.url, read, token, headers);
    const asked = await ask();
    expect(asked.headers.get('cache-status'), asked.text).toBe('campus-gateway; fwd=miss');
    await gateway.services.reads.close();
    const counting = async (headers: Record<string, string>) => {
      const statements = watchStatements();
      const { status, headers: said } = await ask(headers);
      const count = statements.count();
      vi.restoreAllMocks();
      return { status, count, from: said.get('cache-status') };
    };
    const hit = { status: 200, from: 'campus-gateway; hit' };
    // Surface A has no way to say how old an answer may be.
    if (read.surface === 'a') {
      expect(await counting({})).toEqual({ ...hit, count: 1 });
      return;
    }
    expect(await counting({ 'cache-control': 'max-age=30' })).toEqual({ ...hit, count: 1 });
    const etag = asked.headers.get('etag') ?? '';
    expect(await counting({ 'cache-control': 'max-age=30', 'if-none-match': etag })).toEqual({
      ...hit,
      status: 304,
      count: 1,
    });
    // Longer than anything is fresh.
    clock.advance(3_700_000);
    // The use of a token is written once an hour, for any kind of use.
    await gateway.b('GET', '/auth/authme/token', { token });
    // The card's state is answered with its balance: two reads, one look for the token.
    const reads = name === 'cardState' ? 2 : 1;
    expect(await counting({ 'x-copy': 'only' })).toEqual({ ...hit, count: 1 + reads });
  });

  it('a personal token costs one statement, and none where a character of it is wrong', async () => {
    const wrong = personal.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    const counting = async (as: string) => {
      const statements = watchStatements();
      const { status } = await gateway.b('GET', '/auth/authme/token', { token: as });
      const { code } = (await gateway.a('/user/authme', { token: as })).body;
      const count = statements.count();
      vi.restoreAllMocks();
      return [status, code, count];
    };
    // The hour of its use is noted once.
    await gateway.b('GET', '/auth/authme/token', { token: personal });
    expect(await counting(personal)).toEqual([200, 200, 2]);
    expect(await counting(wrong)).toEqual([401, 401, 0]);
  });

  it('a poll of a feed costs one statement for five minutes after it was made, then two', async () => {
    const body = { name: 'x', include: ['classes', 'exams', 'activities'] };
    const made = await gateway.b('POST', '/calendar/feeds', { token, body });
    const path = new URL(made.body.data.url).pathname;
    const counting = async (tag: string, address = path) => {
      const statements = watchStatements();
      const { status, headers } = await fetch(gateway.url + address, { headers: { 'if-none-match': tag } });
      const count = statements.count();
      vi.restoreAllMocks();
      return { status, count, tag: headers.get('etag') ?? '' };
    };
    // The hour of a poll is noted once.
    clock.advance(3_600_000 - (clock.now() % 3_600_000));
    await gateway.b('GET', '/auth/authme/token', { token });
    // With that note, the copies' outlines, what the feed keeps, four copies, and what it keeps from now on.
    const first = await counting('');
    expect(first).toMatchObject({ status: 200, count: 9 });
    const { tag } = first;
    expect(await counting(tag)).toEqual({ status: 304, count: 1, tag });
    expect(await counting('"x"')).toEqual({ status: 200, count: 1, tag });
    clock.advance(300_000);
    // Other work that waited for that moment asks the database now.
    await gateway.b('GET', '/auth/authme/token', { token });
    expect(await counting(tag)).toEqual({ status: 304, count: 2, tag });
    expect(await counting('"x"')).toEqual({ status: 200, count: 2, tag });
    expect(await counting('', '/calendar/unknown.ics')).toMatchObject({ status: 404, count: 1 });
    for (let more = 5; more < 60; more += 1) await counting(tag);
    expect(await counting(tag)).toMatchObject({ status: 429, count: 0 });
  });
});

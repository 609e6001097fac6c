import { StatementSync } from 'node:sqlite';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { freshPostgresUrl } from '../support/postgres.ts';
import { bindRoom, callRead, readNames, studentReads } from '../support/student-reads.ts';

/** Every statement that reaches the database from now on: whoever sends it, it goes through here. */
const watchStatements = (): { count(): number } => {
  const all = [
    vi.spyOn(StatementSync.prototype, 'all'),
    vi.spyOn(StatementSync.prototype, 'get'),
    vi.spyOn(StatementSync.prototype, 'run'),
    vi.spyOn(pg.Client.prototype, 'query'),
  ];
  return { count: () => all.reduce((sum, { mock }) => sum + mock.calls.length, 0) };
};

/** The course list of the evaluation is always asked for over surface A. */
const kept = readNames.filter((name) => name !== 'evaluationCourses');

describe.each(['sqlite', 'postgres'] as const)('on %s', (kind) => {
  const clock = new ManualClock();
  let gateway: Gateway;
  let token = '';

  beforeAll(async () => {
    const database: Record<string, string> = kind === 'postgres' ? { DATABASE_URL: await freshPostgresUrl() } : {};
    gateway = await startGateway({ clock, env: { FRESH_SECONDS: '60', ...database } });
    token = await gateway.register();
    await bindRoom(gateway, token);
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
    clock.advance(600_000);
    // The use of a token is written once an hour, whatever it is used for.
    await gateway.b('GET', '/auth/authme/token', { token });
    expect(await counting({ 'x-copy': 'only' })).toEqual({ ...hit, count: 2 });
  });
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Scope, scopeNames } from '../../src/domain/scopes.ts';
import { entryOf, first } from '../support/campus-rig.ts';
import { type Answer, type Gateway, type GatewayOptions, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { documentedOperations } from '../support/openapi-operations.ts';
import { freshPostgresUrl } from '../support/postgres.ts';

const login = entryOf(first);

let clock: ManualClock;
let gateway: Gateway;
let token: string;

const start = async (options: GatewayOptions = {}): Promise<void> => {
  clock = new ManualClock();
  gateway = await startGateway({ clock, ...options });
  token = await gateway.register();
};
afterEach(() => gateway.close());

const make = (scopes: readonly Scope[], more: object = {}, as = token): Promise<Answer> =>
  gateway.b('POST', '/auth/tokens', { token: as, body: { name: 'widget', scopes, days: 7, ...more } });
const secretOf = async (...args: Parameters<typeof make>): Promise<string> => {
  const { body } = await make(...args);
  return body.data.token;
};

describe('what a personal token may do', () => {
  beforeEach(() => start());

  it('every operation refuses a token with all scopes but its own, and names it; logins are for logins', async () => {
    const { document, operations } = documentedOperations(gateway.app);
    const without = new Map<string, string>();
    for (const scope of scopeNames) without.set(scope, await secretOf(scopeNames.filter((one) => one !== scope)));
    // The twentieth-odd token lacks nothing, and is no login.
    without.set('login', await secretOf(scopeNames));
    let refused = 0;
    gateway.demo.resetRequests();
    for (const { surface, method, path, bodyExample } of operations) {
      const need: string | undefined = document.paths[path][method.toLowerCase()]['x-token-scope'];
      const secret = without.get(need ?? '');
      if (need === undefined || need === 'any' || secret === undefined) continue;
      refused += 1;
      const words = need === 'login' ? '登录所得的令牌' : need;
      if (surface === 'a') {
        const body = structuredClone(bodyExample);
        if ('token' in body) body.token = secret;
        else body.AuthmeRequest.token = secret;
        const answer = await gateway.a(path.slice('/api/v1'.length), body);
        expect(answer.body, path).toMatchObject({ code: 403, message: expect.stringContaining(words) });
        continue;
      }
      const url = path.replace(/\{\w+\}/g, '1');
      const answer = await gateway.b(method, url, { token: secret, ...(method === 'GET' ? {} : { body: {} }) });
      expect(answer.status, `${method} ${path}`).toBe(403);
      expect(answer.body).toMatchObject({
        message: expect.stringContaining(words),
        error: { code: 'INSUFFICIENT_SCOPE' },
      });
      expect(answer.headers.get('www-authenticate')).toBe(
        `Bearer error="insufficient_scope"${need === 'login' ? '' : `, scope="${need}"`}`,
      );
    }
    expect(refused).toBeGreaterThan(70);
    expect(gateway.wire()).toEqual([]);
  });

  it('works on both surfaces where it is allowed, checks itself and ends itself', async () => {
    const secret = await secretOf(['academics:read']);
    expect((await gateway.b('GET', '/jwc/term/all', { token: secret })).status).toBe(200);
    expect((await gateway.a('/jwc/fetch_all_terms', { token: secret })).body.code).toBe(200);
    expect((await gateway.a('/user/authme', { token: secret })).body.code).toBe(200);
    expect((await gateway.b('GET', '/auth/authme/token', { token: secret })).status).toBe(200);
    const { body } = await gateway.b('GET', '/auth/sessions', { token });
    expect(body.data.sessions).toHaveLength(1);
    expect((await gateway.b('POST', '/auth/logout', { token: secret })).status).toBe(200);
    const ended = await gateway.b('GET', '/auth/authme/token', { token: secret });
    expect([ended.status, ended.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect((await gateway.b('GET', '/auth/tokens', { token })).body.data.tokens).toEqual([]);
  });

  it('a part of the home screen without its scope is an error of that part', async () => {
    const secret = await secretOf(['academics:read', 'exams:read']);
    const { status, body } = await gateway.b('GET', '/home?include=term,today,exams,summary', { token: secret });
    expect(status).toBe(200);
    const { term, today, exams, summary } = body.data.parts;
    expect([term.error, exams.error]).toEqual([null, null]);
    expect(today.error).toMatchObject({
      code: 'INSUFFICIENT_SCOPE',
      message: expect.stringContaining('schedule:read'),
    });
    expect(summary).toMatchObject({ data: null, error: { code: 'INSUFFICIENT_SCOPE' } });
  });

  it('120 calls a minute each and 300 together, and those of a login beside them', async () => {
    await gateway.close();
    // One that counts, for this test alone.
    await start({ app: {} });
    const secrets = await Promise.all([1, 2, 3].map(() => secretOf(['schedule:read'])));
    const check = (as: string) => gateway.b('GET', '/auth/authme/token', { token: as });
    const statuses = async (as: string) => {
      const all: number[] = [];
      for (let at = 0; at < 121; at += 1) all.push((await check(as)).status);
      return all.filter((status) => status === 429).length;
    };
    expect(await statuses(secrets[0] ?? '')).toBe(1);
    expect(await statuses(secrets[1] ?? '')).toBe(1);
    // 240 were counted of 300: what is refused counts for nothing.
    expect(await statuses(secrets[2] ?? '')).toBe(61);
    expect((await check(token)).status).toBe(200);
  });

  it('all of a student together begin 60 readings at the campus an hour, then a copy or 429', async () => {
    const secrets = await Promise.all([1, 2].map(() => secretOf(['academics:read', 'exams:read'])));
    const read = (path: string, at: number, headers = {}) =>
      gateway.b('GET', path, { token: secrets[at % 2] ?? '', headers });
    for (let at = 0; at < 60; at += 1) {
      expect((await read('/jwc/term/all', at)).status).toBe(200);
      clock.advance(1_000);
    }
    gateway.demo.resetRequests();
    const copy = await read('/jwc/term/all', 0, { 'cache-control': 'stale-if-error=7200' });
    expect([copy.status, copy.body.message]).toEqual([200, expect.stringContaining('数据更新于')]);
    const none = await read('/jwc/exam/info', 1);
    expect([none.status, Number(none.headers.get('retry-after')) > 3_000]).toEqual([429, true]);
    expect(gateway.wire()).toEqual([]);
    expect((await gateway.b('GET', '/jwc/exam/info', { token })).status).toBe(200);
    clock.advance(3_600_000);
    expect((await read('/jwc/exam/info', 1)).status).toBe(200);
  });
});

describe('a token for copies only', () => {
  beforeEach(() => start());

  it('never causes a request at the campus, on either surface, with any directive', async () => {
    const reading = scopeNames.filter((scope) => !scope.endsWith(':write'));
    expect((await make(['labor:read', 'labor:write'], { copies_only: true })).status).toBe(422);
    const secret = await secretOf(reading, { copies_only: true });
    await gateway.b('GET', '/jwc/term/all', { token });
    gateway.demo.resetRequests();
    const { document, operations } = documentedOperations(gateway.app);
    const statuses = new Set<number>();
    for (const { surface, method, path, bodyExample } of operations) {
      const need: string | undefined = document.paths[path][method.toLowerCase()]['x-token-scope'];
      if (need === undefined || !reading.some((scope) => scope === need)) continue;
      if (surface === 'a') {
        const body = { ...bodyExample, token: secret };
        const { code } = (await gateway.a(path.slice('/api/v1'.length), body)).body;
        statuses.add(code);
        continue;
      }
      const url = path
        .replace('{term_code}', '2025-2026-2-1')
        .replace('{mode}', 'light')
        .replace(/\{\w+\}/g, '1');
      for (const say of ['no-cache', 'max-age=0', 'stale-if-error=0']) {
        const answer = await fetch(gateway.url + url, {
          method,
          headers: { authorization: `Bearer ${secret}`, 'cache-control': say },
        });
        await answer.text();
        statuses.add(answer.status);
      }
    }
    expect(gateway.wire()).toEqual([]);
    expect([...statuses]).toEqual(expect.arrayContaining([200, 504]));
    expect(statuses.has(500)).toBe(false);
    const copy = await gateway.b('GET', '/jwc/term/all', { token: secret });
    expect([copy.status, copy.body.message]).toEqual([200, expect.stringContaining('数据更新于')]);
    const none = await gateway.b('GET', '/jwc/exam/info', { token: secret });
    expect([none.status, none.body.error.code]).toEqual([504, 'NO_COPY']);
    expect((await gateway.a('/jwc/fetch_exam_info', { token: secret })).body.code).toBe(504);
  });
});

describe.each(['sqlite', 'postgres'] as const)('what a stolen login has made, on %s', (kind) => {
  beforeEach(async () => start(kind === 'postgres' ? { env: { DATABASE_URL: await freshPostgresUrl() } } : {}));

  it('an owner gets rid of everything that a stolen login has made with one call', async () => {
    const stolen = (await gateway.b('POST', '/auth/login/next', { body: login })).body.data.token;
    const secrets = [await secretOf(scopeNames, {}, stolen), await secretOf(['export'], {}, stolen)];
    const feed = await gateway.b('POST', '/calendar/feeds', {
      token: stolen,
      body: { name: 'x', include: ['classes'] },
    });
    const hook = { url: 'https://receiver.example/x', types: ['score.published'], detail: 'full' };
    expect((await gateway.b('POST', '/events/hooks', { token: stolen, body: hook })).status).toBe(200);
    const ended = await gateway.b('POST', '/auth/logout/all', { token, body: { keep: [] } });
    expect(ended.headers.get('x-ended')).toBe('feeds=1, hooks=1, tokens=2');
    for (const gone of [stolen, token, ...secrets]) {
      expect((await gateway.b('GET', '/auth/authme/token', { token: gone })).status).toBe(401);
    }
    expect((await fetch(gateway.url + new URL(feed.body.data.url, gateway.url).pathname)).status).toBe(404);
    const next = (await gateway.b('POST', '/auth/login/next', { body: login })).body.data.token;
    expect((await gateway.b('GET', '/events/hooks', { token: next })).body.data.hooks).toEqual([]);
  });
});

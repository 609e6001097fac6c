import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { appUnderTest, overloadedApp } from '../support/app.ts';
import { campusCommand } from '../support/campus-command.ts';
import { damaged, entryOf, first, second } from '../support/campus-rig.ts';
import { exampleToken } from '../support/fake-services.ts';
import { type Gateway, type GatewayOptions, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { systemNames } from '../support/system-names.ts';

let gateway: Gateway | undefined;

const start = async (options: GatewayOptions = {}): Promise<Gateway> => {
  gateway = await startGateway({ ...options, env: { METRICS: 'on', ...options.env } });
  return gateway;
};

afterEach(async () => {
  await gateway?.close();
  gateway = undefined;
});

/** Value of the one sample with these labels; 0 when there is none. */
const sample = (text: string, name: string, labels: Record<string, string> = {}): number => {
  const found = text.split('\n').flatMap((line) => {
    const [, itsName, itsLabels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (itsName !== name) return [];
    const fits = Object.entries(labels).every(([key, wanted]) => `,${itsLabels}`.includes(`,${key}="${wanted}"`));
    return fits ? [Number(value)] : [];
  });
  if (found.length > 1) throw new Error(`${found.length} samples of ${name}`);
  return found[0] ?? 0;
};

/** Values of all samples of a metric without labels. */
const sampleLines = (text: string, name: string): string[] =>
  text.split('\n').flatMap((line) => (line.startsWith(`${name} `) ? [line.slice(name.length + 1)] : []));

const scrape = async ({ b }: Gateway): Promise<string> => {
  const { status, text } = await b('GET', '/metrics');
  expect(status).toBe(200);
  return text;
};

const upstream = (text: string, system: string, outcome: string): number =>
  sample(text, 'campus_upstream_requests_total', { system, outcome });

describe('/metrics', () => {
  it('is not there unless switched on', async () => {
    const { b, app } = await start({ env: { METRICS: 'off' } });
    const { status, body } = await b('GET', '/metrics');
    expect([status, body.success, body.error.code]).toEqual([404, false, 'NOT_FOUND']);
    expect(Object.keys(app.swagger().paths ?? {})).not.toContain('/metrics');
  });

  it('is plain text of the exposition format and in no interface description', async () => {
    const { b, app } = await start();
    const { headers } = await b('GET', '/metrics');
    expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(Object.keys(app.swagger().paths ?? {})).not.toContain('/metrics');
  });

  it('says when the database was last backed up, and 0 before', async () => {
    const gateway = await start();
    const shown = async () => sampleLines(await scrape(gateway), 'campus_last_backup_timestamp_seconds');
    await vi.waitFor(async () => expect(await shown()).toEqual(['0']), { timeout: 20_000 });
    await gateway.services.storage.noteBackup(1_773_800_000_000);
    await vi.waitFor(async () => expect(await shown()).toEqual(['1773800000']), { timeout: 20_000 });
    vi.spyOn(gateway.services.storage, 'lastBackup').mockRejectedValue(new Error('the database does not answer'));
    await vi.waitFor(async () => expect(await shown()).toEqual([]), { timeout: 20_000 });
  });

  it('answers while everything else is turned away', async () => {
    const { app } = await overloadedApp({}, { enabled: true, port: null });
    const call = { url: '/jwc/term/all', headers: { authorization: `Bearer ${exampleToken}` } };
    expect((await app.inject(call)).statusCode).toBe(503);
    expect((await app.inject('/metrics')).statusCode).toBe(200);
    await app.close();
  });

  it('counts requests by route pattern and status, and knows no path that a client made up', async () => {
    const gateway = await start();
    const token = await gateway.register();
    await gateway.b('GET', '/jwc/score/2025-2026-1-1/list', { token });
    await gateway.b('GET', '/jwc/score/2024-2025-1-1/list', { token });
    await gateway.b('GET', '/jwc/score/nonsense/list', { token });
    await gateway.b('GET', '/made-up-by-a-client');
    await gateway.b('GET', '/%ff');
    await gateway.a('/user/authme', { token });
    const text = await scrape(gateway);
    const requests = (method: string, route: string, status: string) =>
      sample(text, 'campus_http_request_duration_seconds_count', { method, route, status });
    expect(requests('GET', '/jwc/score/:term_code/list', '200')).toBe(2);
    expect(requests('GET', '/jwc/score/:term_code/list', '422')).toBe(1);
    expect(requests('GET', '(none)', '404')).toBe(2);
    expect(requests('POST', '/api/v1/user/authme', '200')).toBe(1);
    expect(text).not.toContain('made-up');
    expect(text).not.toContain('2025-2026');
  });

  it('counts open event streams', async () => {
    const gateway = await start();
    const token = await gateway.register();
    const open = async () => sample(await scrape(gateway), 'campus_event_streams');
    const left = new AbortController();
    const headers = { authorization: `Bearer ${token}` };
    for (const expected of [1, 2]) {
      await fetch(`${gateway.url}/events/stream`, { headers, signal: left.signal });
      await vi.waitFor(async () => expect(await open()).toBe(expected), { timeout: 5_000 });
    }
    left.abort();
    await vi.waitFor(async () => expect(await open()).toBe(0), { timeout: 5_000 });
  });

  it('counts logins by outcome', async () => {
    const gateway = await start();
    await gateway.register();
    const entry = entryOf(first);
    await gateway.a('/user/login', entry);
    await gateway.a('/user/login', { ...entry, userid: second.userid });
    await gateway.a('/user/login', { ...entry, password: 'wrong-password' });
    await gateway.a('/user/login', { ...entry, password: 'other-password' });
    const text = await scrape(gateway);
    const outcomes = (operation: string, outcome: string) =>
      sample(text, 'campus_account_attempts_total', { operation, outcome });
    expect(outcomes('registration', 'created')).toBe(1);
    expect(outcomes('login', 'user-unknown')).toBe(1);
    expect(outcomes('login', 'credentials-refused')).toBe(1);
    expect(outcomes('login', 'login-cool-down')).toBe(1);
    expect(sample(text, 'campus_wrong_asks_total', { callers: 'login', outcome: 'refused' })).toBe(1);
    expect(sample(text, 'campus_guard_refusals_total', { rule: 'ask-limit', callers: 'login' })).toBe(1);
    const logins = text.matchAll(/campus_account_attempts_total\{operation="login",outcome="[a-z-]+"\} (\d+)/g);
    expect([...logins].reduce((sum, [, count]) => sum + Number(count), 0)).toBe(4);
  });

  it('counts what an address is refused under the name that the log has', async () => {
    const gateway = await start();
    for (let at = 0; at < 12; at += 1) await gateway.a('/user/veryfy_invite_code', { invite_code: `WRONG-${at}` });
    for (let at = 0; at < 12; at += 1) await gateway.a('/user/login', entryOf(first));
    const text = await scrape(gateway);
    const refused = (callers: string) =>
      sample(text, 'campus_guard_refusals_total', { rule: 'address-limit', callers });
    expect([refused('invitation'), refused('login')]).toEqual([2, 2]);
  });

  it('counts every upstream request exactly once', async () => {
    const gateway = await start();
    const token = await gateway.register();
    await gateway.b('GET', '/jwc/academic/info', { token });
    await gateway.b('GET', '/jwc/term/all', { token });
    const text = await scrape(gateway);
    for (const at of ['vpn', 'cas', 'jwc'] as const) {
      const system = systemNames[at];
      const sent = gateway.demo.requests({}).filter((request) => request.system === at).length;
      expect([system, upstream(text, system, 'ok')]).toEqual([system, sent]);
      expect(sample(text, 'campus_upstream_answer_seconds_count', { system })).toBe(sent);
    }
    expect(text).not.toMatch(/campus_upstream_requests_total\{system="[\w-]+",outcome="(?!ok")/);
    const states = gateway.services.systemStates();
    expect(states).toContainEqual(expect.objectContaining({ name: 'academics', state: 'answers' }));
  });

  it('tells failures, time-outs, dead sessions and unsent requests apart', async () => {
    const gateway = await start({ env: { CAMPUS_ATTEMPT_SECONDS: '0.3' } });
    const token = await gateway.register();
    const read = () => gateway.b('GET', '/jwc/academic/info', { token });
    await read();
    const before = await scrape(gateway);

    gateway.demo.fault({ system: 'jwc', times: 1, fault: { kind: 'login-redirect' } });
    expect((await read()).status).toBe(200);
    const afterExpiry = await scrape(gateway);
    expect(upstream(afterExpiry, 'academics', 'expired') - upstream(before, 'academics', 'expired')).toBe(1);

    gateway.demo.fault({ system: 'jwc', times: 1, fault: { kind: 'hang' } });
    expect((await read()).status).toBe(504);
    expect(upstream(await scrape(gateway), 'academics', 'timed-out')).toBe(1);

    gateway.demo.fault({ system: 'jwc', fault: { kind: 'status', status: 500 } });
    for (let call = 0; call < 6; call += 1) expect((await read()).status).toBe(502);
    const text = await scrape(gateway);
    // One hang and four errors in a row pause this student; what comes after is not sent.
    expect(upstream(text, 'academics', 'failed')).toBe(4);
    expect(upstream(text, 'academics', 'refused')).toBe(2);
    expect(sample(text, 'campus_paused_students', { system: 'academics' })).toBe(1);
    expect(sample(text, 'campus_paused_students', { system: 'portal' })).toBe(0);
    expect(sample(text, 'campus_breaker_state', { system: 'academics', state: 'closed' })).toBe(1);

    // Two others who fail as well open the breaker for all students.
    for (const other of [second, damaged]) {
      const token = await gateway.register(other);
      for (let call = 0; call < 2; call += 1) await gateway.b('GET', '/jwc/academic/info', { token });
    }
    const open = await scrape(gateway);
    expect(sample(open, 'campus_breaker_state', { system: 'academics', state: 'open' })).toBe(1);
    expect(sample(open, 'campus_breaker_state', { system: 'academics', state: 'closed' })).toBe(0);
    expect(sample(open, 'campus_breaker_state', { system: 'portal', state: 'closed' })).toBe(1);
  });

  it('counts failed calls by operation and failure on both surfaces, for every status of the answer', async () => {
    const gateway = await start();
    const token = await gateway.register();
    gateway.demo.fault({ system: 'jwc', path: '/main/academicInfo', fault: { kind: 'malformed' } });
    expect((await gateway.a('/jwc/fetch_academic_info', { authme_token: token, token })).status).toBe(200);
    expect((await gateway.b('GET', '/jwc/academic/info', { token })).status).toBe(502);
    await gateway.b('GET', '/jwc/academic/info');
    await gateway.b('GET', '/nowhere');
    const text = await scrape(gateway);
    const failed = [
      ...text.matchAll(/^campus_call_failures_total\{surface="(\w)",operation="(.*)",failure="(.*)"\} (\d+)$/gm),
    ];
    expect(failed.map(([, ...members]) => members).sort()).toEqual([
      ['a', 'v1FetchAcademicInfo', 'upstream-unreadable', '1'],
      ['b', 'getAcademicInfo', 'token-missing', '1'],
      ['b', 'getAcademicInfo', 'upstream-unreadable', '1'],
    ]);
  });

  describe('of pages', () => {
    const pages = (text: string) =>
      Object.fromEntries(
        [...text.matchAll(/^campus_page_readings_total\{system="([\w-]+)",page="([\w-]+)"\} (\d+)$/gm)].map(
          ([, system = '', page = '', count]) => [
            `${system} ${page}`,
            [sample(text, 'campus_pages_unreadable_total', { system, page }), Number(count)],
          ],
        ),
      );

    it('say which page has changed under the running service', async () => {
      const gateway = await start({ env: { FRESH_SECONDS: '0' } });
      const token = await gateway.register();
      const read = async (path: string) => (await gateway.b('GET', path, { token })).status;
      const scores = '/jwc/score/2025-2026-1-1/list';
      expect([await read(scores), await read('/jwc/term/all')]).toEqual([200, 200]);
      const before = pages(await scrape(gateway));
      expect(before).toMatchObject({ 'academics scores': [0, 1], 'academics calendar-index': [0, 1] });

      gateway.demo.fault({
        system: 'jwc',
        path: '/student/integratedQuery/scoreQuery/*/allTermScores/data',
        fault: { kind: 'malformed' },
      });
      expect([await read(scores), await read(scores), await read('/jwc/term/all')]).toEqual([502, 502, 200]);
      expect(pages(await scrape(gateway))).toEqual({
        ...before,
        'academics scores': [2, 3],
        'academics calendar-index': [0, 2],
      });
    });

    // Words that no table of logins knows.
    const html = { kind: 'body', body: '<html><body><p>welcome</p></body></html>' } as const;
    const json = (body: unknown) => ({ kind: 'body', type: 'application/json', body: JSON.stringify(body) }) as const;
    const promised = {
      code: 0,
      msg: '',
      data: [],
      pageInfo: { TotalItemCount: 5, PageSize: 100, CurrentPageIndex: 1 },
    };

    it.each([
      ['that lost its mark', 'jwc', '/indexCalendar', html, '/jwc/term/current', 'academics term-start'],
      ['of HTML for JSON', 'jwc', '/main/academicInfo', html, '/jwc/academic/info', 'academics academic-summary'],
      ['of a ticket application', 'aac', '/User/Center', html, '/aac/credit/info', 'activity-score total'],
      [
        'with other data',
        'ldjlb',
        '/User/Club',
        json({ code: 0, data: 7 }),
        '/ldjlb/labor/joined/clubs',
        'labor-club joined-clubs',
      ],
      [
        'that contradicts itself',
        'ldjlb',
        '/User/Activity',
        json(promised),
        '/ldjlb/labor/joined/activities',
        'labor-club joined-activities',
      ],
    ] as const)(
      'count one %s, no matter what the session does about it',
      async (_, system, path, fault, route, page) => {
        const gateway = await start({ env: { FRESH_SECONDS: '0' } });
        const token = await gateway.register();
        gateway.demo.fault({ system, path, fault });
        expect((await gateway.b('GET', route, { token })).status).toBe(502);
        expect(pages(await scrape(gateway))[page]).toEqual([1, 1]);
      },
    );

    it.each([
      ['the challenge of the portal', 'vpn', '/por/login_auth.csp', 'portal challenge', [3, 4]],
      ['the answer to a password at the portal', 'vpn', '/por/login_psw.csp', 'portal password', [1, 2]],
      ['the page of the unified login', 'cas', '/cas/login', 'unified-login login', [3, 4]],
    ] as const)('count %s, without which no one signs in', async (_, system, path, page, counts) => {
      const gateway = await start();
      await gateway.register();
      const signIns = async (outcome: string) => sample(await scrape(gateway), 'campus_sign_ins_total', { outcome });
      expect(await signIns('signed-in')).toBe(1);
      gateway.demo.fault({ system, path, fault: html });
      await expect(gateway.register(second)).rejects.toThrow('registration failed');
      expect(pages(await scrape(gateway))[page]).toEqual(counts);
      expect(await signIns('sign-in-unavailable')).toBe(1);
    });

    it('count the entrance of an application', async () => {
      const gateway = await start();
      await gateway.register();
      const entrance = async () => pages(await scrape(gateway))['academics entrance'];
      expect(await entrance()).toEqual([0, 1]);
      const changed = gateway.demo.fault({ system: 'jwc', fault: { kind: 'status', status: 404 } });
      // A login needs no more than the ticket for it.
      await gateway.register(second);
      expect(await entrance()).toEqual([1, 2]);
      changed.remove();
      gateway.demo.fault({ system: 'jwc', fault: { kind: 'status', status: 503 } });
      await gateway.register(damaged);
      expect(await entrance()).toEqual([1, 2]);
    });

    it('count none as unreadable that was a dead session', async () => {
      const gateway = await start({ env: { FRESH_SECONDS: '0' } });
      const token = await gateway.register();
      const read = async (path: string) => (await gateway.b('GET', path, { token })).status;
      expect([await read('/aac/credit/info'), await read('/jwc/academic/info')]).toEqual([200, 200]);
      gateway.demo.fault({ system: 'aac', path: '/User/Center', times: 1, fault: { kind: 'html' } });
      gateway.demo.fault({ system: 'jwc', path: '/main/academicInfo', times: 1, fault: { kind: 'html' } });
      expect([await read('/aac/credit/info'), await read('/jwc/academic/info')]).toEqual([200, 200]);
      const counted = Object.values(pages(await scrape(gateway)));
      expect(counted.length).toBeGreaterThan(1);
      expect(counted.map(([unreadable]) => unreadable)).toEqual(counted.map(() => 0));
    });

    it('count rows that could not be used, and begin with none', async () => {
      const gateway = await start({ env: { FRESH_SECONDS: '0' } });
      const token = await gateway.register();
      const rows = async () => {
        expect((await gateway.b('GET', '/jwc/score/2025-2026-1-1/list', { token })).status).toBe(200);
        const line = /^campus_rows_dropped_total\{system="academics",page="scores"\} (\d+)$/m.exec(
          await scrape(gateway),
        );
        return line?.[1];
      };
      expect(await rows()).toBe('0');
      const body = readFileSync(join(import.meta.dirname, '../fixtures/urp/scores-malformed.json'), 'utf8');
      const fault = { kind: 'body', type: 'application/json', body } as const;
      gateway.demo.fault({ system: 'jwc', path: '/student/integratedQuery/scoreQuery/*/allTermScores/data', fault });
      // A row that is null is left out by a rule, and is not dropped.
      expect(await rows()).toBe('4');
    });
  });

  it('shows the sessions held and the lines before the campus', async () => {
    const clock = new ManualClock();
    const gateway = await start({ clock });
    const token = await gateway.register();
    const idle = await scrape(gateway);
    expect(sample(idle, 'campus_sessions_held')).toBe(1);
    const { card: _, ...connected } = systemNames;
    for (const line of ['login', ...Object.values(connected)]) {
      expect(idle).toContain(`campus_line_waiting{line="${line}"} 0`);
    }

    gateway.demo.fault({ system: 'jwc', times: 1, fault: { kind: 'delay', ms: 10_000 } });
    const slow = gateway.b('GET', '/jwc/academic/info', { token });
    while (sample(await scrape(gateway), 'campus_line_active', { line: 'academics' }) === 0);
    clock.advance(10_000);
    expect((await slow).status).toBe(200);
    expect(sample(await scrape(gateway), 'campus_line_active', { line: 'academics' })).toBe(0);
  });

  it('shows the evaluation runs of the process', async () => {
    const gateway = await start({ env: { EVALUATION_WAIT_SECONDS: '600' } });
    const token = await gateway.register();
    const runs = async () => sample(await scrape(gateway), 'campus_evaluation_runs');
    expect(await runs()).toBe(0);
    await gateway.a('/jwc/evaluation/initialize', { token });
    await gateway.a('/jwc/evaluation/start', { token });
    expect(await runs()).toBe(1);
    await gateway.a('/jwc/evaluation/terminate', { token });
    expect(await runs()).toBe(0);
  });

  it('names no student, in clear or hashed', async () => {
    const gateway = await start();
    const token = await gateway.register();
    await gateway.b('GET', '/jwc/term/all', { token });
    const text = await scrape(gateway);
    const tag = /"student":"(\w{12})"/.exec(gateway.log())?.[1] ?? 'no tag';
    for (const word of [first.userid, tag, token, first.password, first.vpnPassword]) {
      expect(text).not.toContain(word);
    }
  });

  it('of one application are not those of another in the same process', async () => {
    const gateway = await start();
    await gateway.register();
    const { app } = await appUnderTest({}, {}, {}, { enabled: true, port: null });
    const { body } = await app.inject('/metrics');
    expect(sample(body, 'campus_account_attempts_total', { operation: 'registration' })).toBe(0);
    await app.close();
  });
});

describe('what pages have that we do not expect', () => {
  const odd = { courseNumber: { strange: 'a value' } };
  const body = JSON.stringify([
    {
      state: 1,
      list: [{ id: { courseNumber: 'A' }, courseName: '甲', studyHour: 'vierzig', avgcj: -999 }, { id: odd }],
    },
    null,
  ]);
  const path = '/student/integratedQuery/scoreQuery/*/thisTermScores/data';

  it('is counted by page and kind, named once in the log and by doctor --pages, and never with a value', async () => {
    const { demo, b, url, register, log } = await start();
    const token = await register();
    demo.fault({ system: 'jwc', path, fault: { kind: 'body', type: 'application/json', body } });
    for (let times = 0; times < 2; times += 1) {
      expect((await b('GET', '/jwc/score/current/list', { token })).status).toBe(200);
    }
    const text = await scrape({ b } as Gateway);
    const page = { system: 'academics', page: 'this-term-scores' };
    expect(sample(text, 'campus_page_oddities_total', { ...page, kind: 'default' })).toBeGreaterThanOrEqual(2);
    expect(sample(text, 'campus_page_oddities_total', { ...page, kind: 'dropped' })).toBe(2);
    expect(sample(text, 'campus_page_oddity_names_total', { ...page, kind: 'unpublished', name: 'avgcj' })).toBe(1);
    const told = log()
      .split('\n')
      .filter((line) => line.includes('page differs from the one we know'));
    expect(told.filter((line) => line.includes('"studyHour"'))).toHaveLength(1);

    const env = { METRICS: 'on', HOST: '127.0.0.1', PORT: new URL(url).port, DATABASE_URL: 'sqlite:/nowhere/x.db' };
    const { code, out } = await campusCommand(['doctor', '--pages'], env);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^warning +academics\/this-term-scores +\d+ × default: .*"studyHour"/m),
    ]);
    expect(out).toMatch(/^ok +academics\/this-term-scores +\d+ × unpublished: "avgcj"/m);
    for (const shown of [out, text, ...told]) expect(shown).not.toMatch(/vierzig|a value|-999/);
  });

  it('needs a service that counts: doctor --pages says what is missing', async () => {
    const env = { HOST: '127.0.0.1', DATABASE_URL: 'sqlite:/nowhere/x.db', PORT: '1' };
    const off = await campusCommand(['doctor', '--pages'], env);
    expect([off.code, off.err]).toEqual([1, expect.stringContaining('METRICS=on')]);
    const none = await campusCommand(['doctor', '--pages'], { ...env, METRICS: 'on' });
    expect([none.code, none.err]).toEqual([
      1,
      expect.stringContaining('no service answers at http://127.0.0.1:1/metrics'),
    ]);
  });
});

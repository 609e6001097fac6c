import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type FaultCampus, faultsOf } from '../faults/campuses.ts';
import { first as demoStudent, entryOf } from '../support/campus-rig.ts';
import { type Answer, type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { testCampuses } from '../support/test-campuses.ts';

type Student = typeof demoStudent;

let gateway: Gateway;
let campus: FaultCampus;
let clock: ManualClock;

const loginB = (student: Student) => gateway.b('POST', '/auth/login/next', { body: entryOf(student) });
const summaryA = (token: string) => gateway.a('/jwc/fetch_academic_info', { token });
const summaryB = (token: string) => gateway.b('GET', '/jwc/academic/info', { token });

describe.each(testCampuses)('behind $name', ({ env, first, second, ownRows }) => {
  beforeEach(async () => {
    clock = new ManualClock();
    gateway = await startGateway({ clock, env });
    campus = faultsOf(gateway);
  });
  afterEach(() => gateway.close());

  describe('a token', () => {
    it('is dead on both surfaces after a logout, and the last one takes the sealed session with it', async () => {
      const one = await gateway.register(first);
      const two = (await loginB(first)).body.data.token;
      expect((await gateway.b('POST', '/auth/logout', { token: one })).body.data).toEqual({ success: true });
      expect((await summaryB(one)).status).toBe(401);
      expect((await summaryA(one)).body).toMatchObject({ code: 401 });
      expect((await summaryB(two)).status).toBe(200);
      await gateway.b('POST', '/auth/logout', { token: two });
      expect((await gateway.services.storage.sessions.load(first.userid))?.entries).toEqual([]);
    });
  });

  describe('two students', () => {
    it('at once, through random calls, see no row of the other', async () => {
      const tokens = { [first.userid]: await gateway.register(first), [second.userid]: await gateway.register(second) };
      const terms = ['2025-2026-2-1', '2025-2026-1-1', '2024-2025-2-1'];
      // A small generator instead of Math.random: a failure can be run again.
      let seed = 20261121;
      const random = (below: number) => {
        seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
        return seed % below;
      };
      const own = { [first.userid]: ownRows.first, [second.userid]: ownRows.second };
      const foreign = { [first.userid]: ownRows.second, [second.userid]: ownRows.first };
      const seen = new Set<string>();
      for (let round = 0; round < 40; round += 1) {
        await Promise.all(
          [first, second, first, second].map(async ({ userid }) => {
            const token = tokens[userid] ?? '';
            const term = terms[random(terms.length)] ?? '';
            const AuthmeRequest = { token };
            const calls = [
              () => gateway.b('GET', `/jwc/score/${term}/list`, { token }),
              () => gateway.b('GET', `/jwc/schedule/${term}/table`, { token }),
              () => gateway.a('/jwc/fetch_term_score', { request: { term_id: term }, AuthmeRequest }),
              () => gateway.a('/jwc/fetch_course_schedule', { request: { plan_code: term }, AuthmeRequest }),
            ];
            const answer = await (calls[random(calls.length)] ?? calls[0])?.();
            expect(answer?.status).toBe(200);
            expect(answer?.text).not.toMatch(foreign[userid] ?? /never/);
            if (own[userid]?.test(answer?.text ?? '')) seen.add(userid);
          }),
        );
        if (round % 10 === 5) campus.endings(first.userid)['all sessions over']?.();
        if (round % 10 === 8) campus.endings(second.userid)['application session over']?.();
      }
      expect([...seen].toSorted()).toEqual([first.userid, second.userid]);
    });
  });
});

describe('behind a portal', () => {
  const first = demoStudent;
  beforeEach(async () => {
    clock = new ManualClock();
    gateway = await startGateway({ clock });
    campus = faultsOf(gateway);
  });
  afterEach(() => gateway.close());

  describe('a login and a read that sign in at the same moment', () => {
    it('the captcha that the read meets is shown to the login before its second password is sent', async () => {
      const token = await gateway.register();
      await gateway.services.sessions.forget(first.userid);
      gateway.demo.fault({ system: 'vpn', path: '/por/login_auth.csp', fault: { kind: 'delay', ms: 500 }, times: 1 });
      gateway.demo.fault({ system: 'vpn', path: '/por/login_psw.csp', fault: { kind: 'captcha' } });
      gateway.demo.resetRequests();
      const reading = summaryB(token);
      await vi.waitFor(() => expect(gateway.wire()).toHaveLength(1));
      const login = loginB({ ...first, password: 'another' });
      await vi.waitFor(() => expect(clock.waiting).toBeGreaterThan(1));
      clock.advance(500);
      expect((await reading).status).toBe(502);
      const refused = await login;
      expect([refused.status, refused.body.error.code]).toEqual([428, 'LOGIN_CHALLENGE']);
    });
  });
});

describe.each(testCampuses)('secrets behind $name', ({ env }) => {
  let own: Gateway;
  const marked = { userid: '2023000077', password: 'MARKpassword77', vpnPassword: 'MARKvpnpassword77' };
  const seen: string[] = [];

  beforeAll(async () => {
    // A repeated read must not wait for a clock that stands still.
    own = await startGateway({ clock: new ManualClock().skipping(300), env });
    faultsOf(own).addStudent(marked);
  });
  afterAll(() => own.close());

  it('leave no trace in logs, answers or the database file', async () => {
    const keep = (answer: Answer) => {
      seen.push(answer.text, JSON.stringify([...answer.headers]));
      return answer;
    };
    const token = await own.register(marked);
    for (const path of ['/jwc/academic/info', '/jwc/term/all', '/jwc/schedule/2025-2026-1-1/table', '/aac/none']) {
      keep(await own.b('GET', path, { token }));
    }
    keep(await own.a('/jwc/fetch_academic_info', { token, password: marked.password }));
    keep(await own.a('/user/login', { ...entryOf(marked), userid: 7 }));
    keep(await own.a('/user/register', { ...entryOf(marked), invite_token: 'MARKinvite' }));
    keep(await own.b('POST', '/auth/login/next', { body: { ...entryOf(marked), password: 'MARKwrong' } }));
    keep(await own.b('POST', '/auth/register/invite', { body: { invite_code: 'MARKcode' } }));
    keep(await own.b('GET', `/MARKpath?token=${token}`, { token }));
    keep(
      await own.b('POST', '/auth/login/next', {
        token: 'MARKunlock',
        body: { ...entryOf(marked), password: 'MARKold' },
      }),
    );
    keep(await own.b('GET', '/files/avatars/MARKname.png?expires=9999999999&signature=MARKsignature'));
    keep(await own.b('GET', `/calendar/MARK${'s'.repeat(39)}.ics`));
    const faults = ['reset', 'html', 'malformed', 'login-page', 'captcha', 'truncated'] as const;
    for (const kind of faults) {
      const system = faultsOf(own).at(kind === 'captcha' ? 'portal' : 'application', 'jwc');
      if (system !== null) faultsOf(own).fault(system, { kind });
      keep(await own.b('GET', '/jwc/academic/info', { token }));
      faultsOf(own).clearFaults();
    }
    await own.b('GET', '/jwc/academic/info', { token });

    const stored = await own.services.storage.sessions.load(marked.userid);
    const texts = (stored?.entries ?? []).map((entry) => entry.state);
    expect(texts.length).toBeGreaterThan(1);
    // Every cookie value, session id and ticket that the campus handed out.
    const campusSecrets = texts.flatMap((text) => text.match(/[A-Za-z0-9-]{16,}/g) ?? []);
    expect(campusSecrets.length).toBeGreaterThan(2);
    const names =
      /^(twfid|unified-login|MemoryCookieStore|allowSpecialUseDomain|prefixSecurity|rejectPublicSuffixes|enableLooseMode)$/;
    const secrets = [
      token,
      marked.password,
      marked.vpnPassword,
      'MARK',
      ...campusSecrets.filter((s) => !names.test(s)),
    ];

    const log = own.log();
    expect(log).toContain('/jwc/academic/info');
    const database = own.databaseBytes();
    expect(database.includes(Buffer.from(marked.userid))).toBe(true);
    for (const secret of secrets) {
      expect(log.includes(secret), `log: ${secret}`).toBe(false);
      expect(
        seen.some((text) => text.includes(secret)),
        `answers: ${secret}`,
      ).toBe(false);
      expect(database.includes(Buffer.from(secret)), `database: ${secret}`).toBe(false);
    }
    expect(log.includes(marked.userid)).toBe(false);
  });
});

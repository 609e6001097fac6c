import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startDemoCampus } from '../../src/demo/demo-campus.ts';
import { jsonAnswer, nullResponse, remoteError, spoiltWalks } from '../support/application-faults.ts';
import { crowded, damaged, first, second } from '../support/campus-rig.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { TEST_KEY_PEM } from '../unit/demo/test-key.ts';

const reads = {
  total: {
    path: '/User/Center/DoGetScoreInfo',
    a: (g: Gateway, token: string) => g.a('/aac/fetch_score_info', { token }),
    b: (g: Gateway, token: string) => g.b('GET', '/aac/credit/info', { token }),
  },
  list: {
    path: '/User/Center/DoGetScoreList',
    a: (g: Gateway, token: string) => g.a('/aac/fetch_score_list', { token }),
    b: (g: Gateway, token: string) => g.b('GET', '/aac/credit/list', { token }),
  },
} as const;
type Read = keyof typeof reads;
const names = Object.keys(reads) as Read[];

const portalLogin = ['vpn GET /por/login_auth.csp', 'vpn POST /por/login_psw.csp'];
const walk = ['cas GET /cas/login', 'aac GET /User/Index/CoreLoginCallback'];
const wireOfRead = (name: Read) => `aac POST ${reads[name].path}`;
const KEPT_MS = 300_000;

describe('the activity score over real sockets', () => {
  let gateway: Gateway;
  let tokens: Record<'first' | 'second' | 'damaged' | 'newcomer' | 'crowded', string>;
  beforeAll(async () => {
    gateway = await startGateway();
    const newcomer = { userid: '2023000009', password: 'newcomer-pass', vpnPassword: 'newcomer-vpn' };
    gateway.demo.addStudent({ ...newcomer, newcomer: true });
    gateway.demo.addStudent(crowded);
    tokens = {
      damaged: await gateway.register(damaged),
      crowded: await gateway.register(crowded),
      first: await gateway.register(first),
      second: await gateway.register(second),
      newcomer: await gateway.register(newcomer),
    };
  });
  afterAll(() => gateway.close());

  const onBoth = async (name: Read, token: string): Promise<unknown> => {
    const [a, b] = [await reads[name].a(gateway, token), await reads[name].b(gateway, token)];
    expect([a.status, a.body.code, b.status, b.body.success, b.body.error]).toEqual([200, 200, 200, true, null]);
    expect([a.body.message, b.body.message]).toEqual(
      name === 'total' ? ['总分信息获取成功', '获取活动分总分信息成功'] : ['分数明细获取成功', '获取活动分明细成功'],
    );
    expect(a.body.data).toEqual(b.body.data);
    return a.body.data;
  };

  it('has all categories of a student who has more than a page of them', async () => {
    await reads.total.b(gateway, tokens.crowded);
    gateway.demo.resetRequests();
    const { body } = await reads.list.b(gateway, tokens.crowded);
    expect(new Set(body.data.map(({ ID }: { ID: string }) => ID)).size).toBe(104);
    expect(body.data.every(({ children }: { children: unknown[] }) => children.length === 1)).toBe(true);
    expect(gateway.wire()).toEqual([wireOfRead('list'), wireOfRead('list')]);
  });

  it('is an empty list, and no error, for a student without any', async () => {
    expect(await onBoth('list', tokens.newcomer)).toEqual([]);
  });

  it('never mixes two students who ask at the same time', async () => {
    const students = ['first', 'second'] as const;
    const [one, two] = await Promise.all(students.map((who) => reads.list.b(gateway, tokens[who])));
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, i) =>
        reads.list[i % 4 < 2 ? 'a' : 'b'](gateway, tokens[students[i % 2] ?? 'first']),
      ),
    );
    for (const [i, answer] of answers.entries()) {
      expect(answer.body.data).toEqual((i % 2 === 0 ? one : two)?.body.data);
    }
  });
});

describe('requests of the activity score at the campus', () => {
  let gateway: Gateway;
  let clock: ManualClock;
  let token: string;
  beforeAll(async () => {
    clock = new ManualClock();
    gateway = await startGateway({ clock: clock.skipping(300) });
    token = await gateway.register();
  });
  afterAll(() => gateway.close());

  it('the first read after a login: a ticket by the ticket-granting cookie, and the read', async () => {
    expect(await gateway.wireOf(() => reads.list.a(gateway, token))).toEqual([...walk, wireOfRead('list')]);
  });

  it.each(['a', 'b'] as const)('list on surface %s: 1', async (surface) => {
    expect(await gateway.wireOf(() => reads.list[surface](gateway, token))).toEqual([wireOfRead('list')]);
  });

  it('total: 1, and none for 300 s on either surface', async () => {
    expect(await gateway.wireOf(() => reads.total.a(gateway, token))).toEqual([wireOfRead('total')]);
    clock.advance(KEPT_MS - 1);
    expect(await gateway.wireOf(() => reads.total.b(gateway, token))).toEqual([]);
    clock.advance(1);
    expect(await gateway.wireOf(() => reads.total.b(gateway, token))).toEqual([wireOfRead('total')]);
  });

  it('a dead ticket: one renewal, whatever the number of concurrent calls on both surfaces', async () => {
    gateway.demo.student(first.userid).expireTicket('aac');
    clock.advance(KEPT_MS);
    const works = Array.from({ length: 24 }, (_, i) => () => {
      return reads[i % 3 === 0 ? 'total' : 'list'][i % 2 ? 'a' : 'b'](gateway, token);
    });
    const wire = await gateway.wireOf(...works);
    expect(wire.filter((line) => !line.startsWith('aac POST'))).toEqual(walk);
  });

  it.each(['code', 'http-500', 'html'] as const)('a dead ticket that shows as %s: 4', async (style) => {
    clock.advance(60_000);
    gateway.demo.switches.invalidTicketAnswer = style;
    gateway.demo.student(first.userid).expireTicket('aac');
    expect(await gateway.wireOf(() => reads.list.b(gateway, token))).toEqual([
      wireOfRead('list'),
      ...walk,
      wireOfRead('list'),
    ]);
  });

  it('a lasting refusal: one renewal a minute, not one per call', async () => {
    clock.advance(60_000);
    const rule = gateway.demo.fault({
      system: 'aac',
      path: reads.list.path,
      fault: { kind: 'body', type: 'application/json', body: '{"code":1,"msg":"系统繁忙，请稍后再试","data":null}' },
    });
    gateway.demo.resetRequests();
    for (let i = 0; i < 5; i += 1) expect((await reads.list.b(gateway, token)).status).toBe(502);
    rule.remove();
    expect(gateway.wire().filter((line) => !line.startsWith('aac POST'))).toEqual(walk);
    expect(gateway.wire()).toHaveLength(6 + walk.length);
  });
});

describe('the activity score after a restart', () => {
  it('needs 1 request while the portal session lives, and 3 with the stored ticket when it has ended over night', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'campus-restart-'));
    const clock = new ManualClock();
    const demo = await startDemoCampus({ clock, portalKeyPem: TEST_KEY_PEM });
    const start = () => startGateway({ clock, demo, env: { DATABASE_URL: `sqlite:${join(folder, 'campus.db')}` } });
    const wireAfterRestart = async (token: string) => {
      const gateway = await start();
      demo.resetRequests();
      const answer = await reads.list.b(gateway, token);
      await gateway.close();
      expect(answer.status, answer.text).toBe(200);
      return gateway.wire();
    };
    try {
      const gateway = await start();
      const token = await gateway.register();
      await reads.list.b(gateway, token);
      await gateway.close();
      expect(await wireAfterRestart(token)).toEqual([wireOfRead('list')]);
      clock.advance(10 * 60 * 60_000);
      expect(await wireAfterRestart(token)).toEqual([...portalLogin, wireOfRead('list')]);
    } finally {
      await demo.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('an activity score system that misbehaves', () => {
  let gateway: Gateway;
  let clock: ManualClock;
  let token: string;
  beforeAll(async () => {
    clock = new ManualClock();
    gateway = await startGateway({ clock: clock.skipping(300) });
    token = await gateway.register();
    await reads.list.b(gateway, token);
  });
  afterEach(() => gateway.demo.clearFaults());
  afterAll(() => gateway.close());

  const down = '活动分系统暂不可用，请稍后重试';
  const signInDown = '校园网络暂不可用，请稍后重试';

  it('answers an empty object for the total: that is no total of 0', async () => {
    clock.advance(KEPT_MS);
    gateway.demo.fault({ system: 'aac', path: reads.total.path, fault: jsonAnswer({ code: 0, msg: '', data: {} }) });
    const [a, b] = [await reads.total.a(gateway, token), await reads.total.b(gateway, token)];
    expect([a.body, b.status, b.body.error.code]).toEqual([{ code: 500, message: down, data: null }, ...nullResponse]);
  });

  it.each(spoiltWalks)(
    'gives no ticket when its way in %s: an error of the campus on both surfaces',
    async (_name, fault) => {
      for (const surface of ['a', 'b'] as const) {
        clock.advance(KEPT_MS);
        gateway.demo.student(first.userid).expireTicket('aac');
        const rule = gateway.demo.fault({ system: 'aac', path: '/User/Index/CoreLoginCallback', fault });
        const { status, body } = await reads.list[surface](gateway, token);
        rule.remove();
        if (surface === 'a') expect([status, body]).toEqual([200, { code: 500, message: down, data: null }]);
        else expect([status, body.error.code]).toEqual([...remoteError]);
        expect((await reads.list.b(gateway, token)).status).toBe(200);
      }
    },
  );

  it('is left alone while its breaker is open, and both surfaces say when to come back', async () => {
    const rule = gateway.demo.fault({ system: 'aac', fault: { kind: 'status', status: 503 } });
    for (let i = 0; i < 5; i += 1) await reads.list.b(gateway, token);
    gateway.demo.resetRequests();
    const [a, b] = [await reads.list.a(gateway, token), await reads.list.b(gateway, token)];
    expect(gateway.wire()).toEqual([]);
    expect([a.status, a.body.code, b.status, b.body.error.code]).toEqual([200, 500, ...remoteError]);
    for (const answer of [a, b]) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    rule.remove();
    clock.advance(30_000);
    expect((await reads.list.b(gateway, token)).status).toBe(200);
  });

  it('behind a portal that is down while signing in: both surfaces say that the campus network is', async () => {
    gateway.demo.student(first.userid).expirePortal();
    gateway.demo.fault({ system: 'vpn', fault: { kind: 'status', status: 503 } });
    const a = await reads.list.a(gateway, token);
    const b = await reads.list.b(gateway, token);
    expect([a.status, a.body]).toEqual([200, { code: 500, message: signInDown, data: null }]);
    expect([b.status, b.body.error.code]).toEqual([...remoteError]);
  });
});

describe('students who may not read the activity score', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  it('have no token that anybody knows: no request at the campus', async () => {
    gateway.demo.resetRequests();
    for (const name of names) {
      const a = await reads[name].a(gateway, 'unknown');
      expect([a.status, a.body]).toEqual([200, { code: 401, message: '无效的令牌或用户不存在' }]);
      const b = await reads[name].b(gateway, 'unknown');
      expect([b.status, b.body.error.code]).toEqual([401, 'INVALID_AUTHENTICATION']);
      const none = await gateway.b('GET', name === 'total' ? '/aac/credit/info' : '/aac/credit/list');
      expect([none.status, none.body.error.code]).toEqual([401, 'INVALID_AUTHENTICATION']);
    }
    expect(gateway.wire()).toEqual([]);
  });

  it.each([
    [first, { vpnPassword: 'changed-at-the-campus' }, 'VPN登录失败，请检查用户名和密码'],
    [second, { password: 'changed-at-the-campus' }, '大学登录失败，请检查用户名和密码'],
  ])(
    'have changed a password at the campus (%#): told so, and the campus is asked once',
    async (who, pair, message) => {
      const token = await gateway.register(who);
      const campus = gateway.demo.student(who.userid);
      campus.changePasswords(pair);
      campus.expirePortal();
      campus.expireUnifiedLogin();
      gateway.demo.resetRequests();
      for (const name of names) {
        const a = await reads[name].a(gateway, token);
        expect([a.status, a.body]).toEqual([200, { code: 400, message }]);
        const b = await reads[name].b(gateway, token);
        expect([b.status, b.body.error.code]).toEqual([403, 'USER_NEED_RESET_PASSWORD']);
      }
      const asked = who === first ? 'vpn POST /por/login_psw.csp' : 'cas POST /cas/login';
      expect(gateway.wire(who.userid).filter((line) => line === asked)).toHaveLength(1);
    },
  );
});

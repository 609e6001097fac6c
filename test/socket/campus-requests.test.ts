import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { first, second } from '../support/campus-rig.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';

describe('what one student may ask of the campus', () => {
  let clock: ManualClock;
  let gateway: Gateway;
  beforeEach(async () => {
    clock = new ManualClock();
    gateway = await startGateway({ clock });
  });
  afterEach(() => gateway.close());

  const read = (token: string, directives?: string, path = '/jwc/academic/info') =>
    fetch(gateway.url + path, {
      headers: { authorization: `Bearer ${token}`, ...(directives ? { 'cache-control': directives } : {}) },
    });
  const statusOf = async (asking: Promise<Response>): Promise<number> => {
    const { status, body } = await asking;
    await body?.cancel();
    return status;
  };
  const again = async (): Promise<string> => {
    const { userid, password, vpnPassword } = first;
    const login = await gateway.a('/user/login', { userid, password, vpn_password: vpnPassword });
    return login.body.data.authme_token;
  };

  it('is 300 requests a minute over all tokens, two thirds of it with one; another student has his own', async () => {
    const tokens = [await gateway.register(first)];
    for (let at = 0; at < 2; at += 1) tokens.push(await again());
    const other = await gateway.register(second);
    const perToken: number[] = [];
    gateway.demo.resetRequests();
    for (const [at, token] of tokens.entries()) {
      let good = 0;
      for (let call = 0; call < [210, 110, 5][at]!; call += 1) {
        if ((await statusOf(read(token, 'no-cache'))) === 200) good += 1;
      }
      perToken.push(good);
    }
    expect(gateway.wire(first.userid).length).toBeLessThanOrEqual(300);
    expect(gateway.wire(first.userid).length).toBeGreaterThan(290);
    expect(perToken[2]).toBe(0);
    expect(perToken[0]).toBeLessThanOrEqual(200);
    for (let call = 0; call < 20; call += 1) expect(await statusOf(read(other, 'no-cache'))).toBe(200);
    clock.advance(70_000);
    expect(await statusOf(read(tokens[2] ?? '', 'no-cache'))).toBe(200);
  }, 60_000);

  it('beyond: a copy that says how old it is, where the call allows one, else 429 and when to come again; no write is sent', async () => {
    const token = await gateway.register(first);
    expect(await statusOf(read(token, undefined, '/ldjlb/labor/joined/clubs'))).toBe(200);
    for (let call = 0; call < 200; call += 1) await statusOf(read(token));
    gateway.demo.resetRequests();
    clock.advance(5_000);
    const copied = await read(token);
    const body = JSON.parse(await copied.text());
    expect([copied.status, body.success, body.message]).toEqual([200, true, expect.stringContaining('（数据更新于 ')]);
    expect(copied.headers.get('cache-status')).toContain('fwd=stale; detail=COOLDOWN');
    const [v1, none, allowed, tooOld] = await Promise.all([
      gateway.a('/jwc/fetch_academic_info', { token }),
      read(token, 'no-cache'),
      read(token, 'no-cache, stale-if-error=60'),
      read(token, 'stale-if-error=0'),
    ]);
    expect([v1.body.code, v1.body.message]).toEqual([200, expect.stringContaining('（数据更新于 ')]);
    for (const refused of [none, tooOld]) {
      const { error, data } = JSON.parse(await refused.text());
      expect([refused.status, error.code, data]).toEqual([429, 'COOLDOWN', null]);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(70);
    }
    expect(await statusOf(Promise.resolve(allowed))).toBe(200);
    // Of what was never read there is no copy.
    expect(await statusOf(read(token, undefined, '/jwc/competition/info'))).toBe(429);
    const applied = await gateway.b('POST', '/ldjlb/labor/activity/101/apply', { token });
    expect([applied.status, applied.body.error.code]).toEqual([429, 'COOLDOWN']);
    expect(gateway.wire()).toEqual([]);
  }, 60_000);
});

describe('three students whose portal says "maybe attacked" at every sign-in', () => {
  const troubled = Array.from({ length: 3 }, (_, at) => ({
    userid: `320000000${at}`,
    password: `unified-${at}`,
    vpnPassword: `portal-${at}`,
  }));

  it('keep nobody else from signing in', async () => {
    const clock = new ManualClock();
    const gateway = await startGateway({ clock });
    try {
      const tokens = [];
      for (const student of troubled) {
        gateway.demo.addStudent(student);
        tokens.push(await gateway.register(student));
      }
      const other = await gateway.register(second);
      for (const { userid } of troubled) gateway.demo.fault({ system: 'vpn', userid, fault: { kind: 'attacked' } });
      const signIn = async (userid: string, token: string) => {
        await gateway.services.sessions.forget(userid);
        return (await gateway.b('GET', '/jwc/academic/info', { token })).status;
      };
      let good = 0;
      for (let minute = 0; minute < 20; minute += 1) {
        for (const [at, { userid }] of troubled.entries()) expect(await signIn(userid, tokens[at] ?? '')).toBe(502);
        if ((await signIn(second.userid, other)) === 200) good += 1;
        clock.advance(60_000);
      }
      expect(good).toBe(20);
      // Each of them is left alone between tries.
      const posts = gateway.demo.requests({ path: '/por/login_psw.csp', userid: troubled[0]?.userid ?? '' });
      expect(posts.length).toBeLessThanOrEqual(12);
    } finally {
      await gateway.close();
    }
  }, 60_000);
});

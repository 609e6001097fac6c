import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { first, second } from '../support/campus-rig.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const others = [3, 4, 5].map((number) => ({
  userid: `202300001${number}`,
  password: `pass-${number}`,
  vpnPassword: `vpn-${number}`,
}));

let gateway: Gateway;
let clock: ManualClock;
beforeEach(async () => {
  clock = new ManualClock();
  gateway = await startGateway({ clock });
});
afterEach(() => gateway.close());

const read = (token: string, path = '/jwc/academic/info') => gateway.b('GET', path, { token });
const statuses = async (token: string, times: number): Promise<number[]> => {
  const seen = [];
  for (let at = 0; at < times; at += 1) seen.push((await read(token)).status);
  return seen;
};
const endAll = (userid: string): void => {
  const student = gateway.demo.student(userid);
  student.expirePortal();
  student.expireUnifiedLogin();
  student.expireService('jwc');
};
const posts = (path: string, userid?: string): number =>
  gateway.wire(userid).filter((line) => line === `${path}`).length;
const portalPosts = (userid?: string): number => posts('vpn POST /por/login_psw.csp', userid);
const loginPosts = (userid?: string): number => posts('cas POST /cas/login', userid);

describe('a student whose session has held, and whose renewals meet', () => {
  it.each(['attacked', 'captcha'] as const)('%s: 60 reads send one password', async (kind) => {
    const token = await gateway.register();
    // Some minutes of reading show that the session holds.
    for (let at = 0; at < 6; at += 1, clock.advance(49 * SECOND)) expect((await read(token)).status).toBe(200);
    gateway.demo.fault({ system: 'vpn', fault: { kind } });
    endAll(first.userid);
    gateway.demo.resetRequests();
    expect(await statuses(token, 60)).not.toContain(200);
    expect(portalPosts()).toBe(1);
    for (const rest of [MINUTE, 5 * MINUTE, 30 * MINUTE]) {
      clock.advance(rest);
      await statuses(token, 3);
    }
    expect(portalPosts()).toBe(4);
    // A session that is opened after all of it, and holds, lets the next rest begin with a minute.
    gateway.demo.clearFaults();
    clock.advance(30 * MINUTE);
    for (let at = 0; at < 6; at += 1, clock.advance(49 * SECOND)) expect((await read(token)).status).toBe(200);
    gateway.demo.fault({ system: 'vpn', fault: { kind } });
    endAll(first.userid);
    await read(token);
    expect((await read(token)).headers.get('retry-after')).toBe('60');
  });
});

describe('the renewal of a student is one sign-in', () => {
  it('while the campus is in trouble: it opens a whole session, and its end closes the breaker', async () => {
    const tokens = [];
    for (const student of others) {
      gateway.demo.addStudent(student);
      tokens.push(await gateway.register(student));
    }
    const fourth = await gateway.register(first);
    const fifth = await gateway.register(second);
    clock.advance(5 * MINUTE);
    const { remove } = gateway.demo.fault({ system: 'vpn', fault: { kind: 'attacked' } });
    for (const [at, { userid }] of others.entries()) {
      endAll(userid);
      await read(tokens[at] ?? '');
    }
    remove();
    endAll(first.userid);
    endAll(second.userid);
    gateway.demo.resetRequests();
    expect((await read(fourth)).status).toBe(200);
    expect([portalPosts(first.userid), loginPosts(first.userid)]).toEqual([1, 1]);
    expect((await read(fifth)).status).toBe(200);
  });

  it('is not cut between its halves where it is the seventh early one', async () => {
    const token = await gateway.register();
    for (let at = 0; at < 7; at += 1) {
      clock.advance(MINUTE);
      endAll(first.userid);
      expect((await read(token)).status, `${at}`).toBe(200);
    }
    gateway.demo.resetRequests();
    clock.advance(SECOND);
    endAll(first.userid);
    expect((await read(token)).status).toBe(502);
    expect([portalPosts(), loginPosts()]).toEqual([0, 0]);
  });
});

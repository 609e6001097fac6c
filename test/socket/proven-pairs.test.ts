import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { entryOf, first } from '../support/campus-rig.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { readGuard } from '../support/guard-rows.ts';
import { ManualClock } from '../support/manual-clock.ts';

let gateway: Gateway;
let clock: ManualClock;
let token: string;
beforeEach(async () => {
  clock = new ManualClock();
  gateway = await startGateway({ clock });
  token = await gateway.register();
  clock.advance(5 * 60_000);
  gateway.demo.resetRequests();
});
afterEach(() => gateway.close());

const login = (student = first) => gateway.b('POST', '/auth/login/next', { body: entryOf(student) });
const loginPosts = (): number => gateway.wire().filter((line) => line === 'cas POST /cas/login').length;

describe('a unified login that hands out tickets at once', () => {
  it('is asked for the password: a wrong one is refused, and replaces nothing', async () => {
    gateway.demo.switches.unifiedLoginKnows = { userid: first.userid, heedsRenew: true };
    const wrong = await login({ ...first, password: 'wrong' });
    expect([wrong.status, wrong.body.error.code]).toEqual([403, 'REMOTE_CREDENTIALS_INVALID']);
    expect((await gateway.b('GET', '/jwc/academic/info', { token })).status).toBe(200);
    clock.advance(60_000);
    expect((await login()).status).toBe(200);
  });

  it('also where it should not: such a ticket proves nothing, and no password was tried', async () => {
    gateway.demo.switches.unifiedLoginKnows = { userid: first.userid, heedsRenew: false };
    const wrong = await login({ ...first, password: 'wrong' });
    expect([wrong.status, wrong.body.data]).toEqual([502, null]);
    expect(loginPosts()).toBe(0);
    expect((await readGuard(gateway.services.storage, first.userid)).student.asks).toEqual([]);
  });

  it('renewals take such a ticket', async () => {
    const { demo } = gateway;
    demo.switches.unifiedLoginKnows = { userid: first.userid, heedsRenew: true };
    const student = demo.student(first.userid);
    student.expirePortal();
    student.expireUnifiedLogin();
    student.expireService('jwc');
    expect((await gateway.b('GET', '/jwc/academic/info', { token })).status).toBe(200);
    expect(loginPosts()).toBe(0);
  });
});

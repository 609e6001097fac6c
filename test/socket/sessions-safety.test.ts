import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CampusSessions } from '../../src/campus/session/sessions.ts';
import {
  type Application,
  asStranger,
  type CampusRig,
  callContext,
  first,
  provingRead,
  second,
  startCampusRig,
  textOf,
} from '../support/campus-rig.ts';
import { inTurn } from '../support/in-turn.ts';
import { loginOf, portalKinds } from '../support/portal-kinds.ts';

describe.each(portalKinds)('behind the portal of kind $name:', (portal) => {
  const [, credentials] = loginOf(portal);
  let rig: CampusRig;
  beforeEach(async () => {
    rig = await startCampusRig({ portal });
    await rig.enroll(first);
    await rig.enroll(second);
  });
  afterEach(() => rig.close());

  const pairOf = ({ password, vpnPassword }: { password: string; vpnPassword: string }) => ({ password, vpnPassword });

  const read = (
    system: Application,
    {
      student = first,
      sessions = rig.sessions,
      context = callContext(),
    }: Partial<{
      student: { userid: string };
      sessions: CampusSessions;
      context: ReturnType<typeof callContext>;
    }> = {},
  ) => sessions.with(student, system, context, (session) => textOf(session, provingRead[system]));

  const count = (line: string) => rig.wire().filter((other) => other === line).length;
  const portalPosts = () => count(credentials);
  const loginPosts = () => count('cas POST /cas/login');

  describe('many calls of one student', () => {
    it('50 concurrent first calls cost one portal login and one unified login', async () => {
      const answers = await Promise.all(Array.from({ length: 50 }, () => read('jwc')));
      expect(new Set(answers).size).toBe(1);
      expect([portalPosts(), loginPosts(), count('jwc GET /j_spring_cas_security_check')]).toEqual([1, 1, 1]);
    });

    it('first calls to all systems at once cost one portal login and one unified login', async () => {
      await Promise.all((['jwc', 'aac', 'ldjlb', 'isim', 'competition'] as const).map((system) => read(system)));
      expect([portalPosts(), loginPosts()]).toEqual([1, 1]);
    });

    it('never have more than four requests at the campus at once', async () => {
      await read('jwc');
      await read('jwc', { student: second });
      rig.demo.fault({ system: 'jwc', userid: first.userid, fault: { kind: 'delay', ms: 300 } });
      rig.demo.resetRequests();
      const burst = Promise.all(Array.from({ length: 12 }, () => read('jwc')));
      for (const arrived of [4, 8, 12]) {
        await vi.waitFor(() => expect(rig.wire(first.userid)).toHaveLength(arrived));
        // Whole round trips of another student leave time for a fifth request, if there were one.
        for (let i = 0; i < 3; i += 1) await read('jwc', { student: second });
        expect(rig.wire(first.userid)).toHaveLength(arrived);
        await vi.waitFor(() => expect(rig.delayed).toBe(4));
        rig.clock.advance(300);
      }
      await burst;
    });
  });

  describe('a late answer to a session that has been renewed', () => {
    it('does not overwrite the cookies of the new session', async () => {
      await read('jwc');
      rig.demo.student(first.userid).expireService('jwc');
      // The first call's answer, a redirect that sets its own cookie, arrives after the second has renewed.
      rig.demo.fault({ system: 'jwc', path: '/main/academicInfo', fault: { kind: 'delay', ms: 500 }, times: 1 });
      const late = read('jwc');
      await vi.waitFor(() => expect(rig.delayed).toBe(1));
      expect(await read('jwc')).toContain('courseNum');
      rig.demo.resetRequests();
      rig.clock.advance(500);
      expect(await late).toContain('courseNum');
      expect(await read('jwc')).toContain('courseNum');
      expect(rig.wire()).toEqual(['jwc POST /main/academicInfo', 'jwc POST /main/academicInfo']);
    });
  });

  describe('passwords', () => {
    it('a refused stored password is not tried again, however many calls follow', async () => {
      rig.demo.student(first.userid).changePasswords({ vpnPassword: 'changed' });
      for (let i = 0; i < 5; i += 1) {
        await expect(read('jwc')).rejects.toMatchObject({ kind: 'stored-credentials-refused', step: 'portal' });
      }
      await expect(read('aac', { sessions: rig.replica() })).rejects.toMatchObject({
        kind: 'stored-credentials-refused',
      });
      expect(portalPosts()).toBe(1);
    });

    it('a submitted pair is verified on a fresh session and leaves the live one alone when it is wrong', async () => {
      await read('jwc');
      const wrong = { ...pairOf(first), password: 'wrong' };
      await expect(
        inTurn(rig.sessions, [first.userid, wrong, callContext(), asStranger], (signIn) => signIn()),
      ).rejects.toMatchObject({
        kind: 'credentials-refused',
        step: 'unified-login',
      });
      rig.demo.resetRequests();
      await read('jwc');
      expect(rig.wire()).toHaveLength(1);
    });
  });

  describe('writes', () => {
    const write = { ...provingRead.ldjlb, write: true } as const;
    const send = (context = callContext()) =>
      rig.sessions.with(first, 'ldjlb', context, (session) => textOf(session, write));
    const sent = () => count('ldjlb POST /User/Club/DoGetJoinList');
    beforeEach(async () => {
      await read('ldjlb');
      rig.demo.resetRequests();
    });

    it('whose caller leaves while they are under way may have been done: the outcome is unknown', async () => {
      rig.demo.fault({ system: 'ldjlb', fault: { kind: 'delay', ms: 250 } });
      const context = callContext();
      const left = send(context);
      await vi.waitFor(() => expect(rig.delayed).toBe(1));
      context.hangUp();
      await expect(left).rejects.toMatchObject({ kind: 'outcome-unknown', reason: 'aborted' });
      expect(sent()).toBe(1);
    });
  });

  describe('generations', () => {
    const slow = { kind: 'delay', ms: 250 } as const;

    it('what is still on its way at a logout is dropped, and no session is opened behind the student’s back', async () => {
      await read('jwc');
      rig.demo.fault({ system: 'jwc', fault: slow });
      const late = read('jwc');
      await vi.waitFor(() => expect(rig.delayed).toBe(1));
      await rig.sessions.forget(first.userid);
      rig.clock.advance(250);
      await expect(late).rejects.toMatchObject({ kind: 'session-lost' });
      expect((await rig.storage.sessions.load(first.userid))?.entries).toEqual([]);
    });

    it('what is still on its way at an account deletion is dropped', async () => {
      await read('jwc');
      rig.demo.fault({ system: 'jwc', fault: slow });
      const late = read('jwc');
      await vi.waitFor(() => expect(rig.delayed).toBe(1));
      await rig.storage.accounts.deleteUser(first.userid);
      rig.clock.advance(250);
      await expect(late).rejects.toMatchObject({ kind: 'token-user-gone' });
      expect(await rig.storage.sessions.load(first.userid)).toBeNull();
    });

    it('a read that a new login overtakes is repeated on the new session', async () => {
      await read('jwc');
      const verified = await inTurn(rig.sessions, [first.userid, pairOf(first), callContext(), asStranger], (signIn) =>
        signIn(),
      );
      rig.demo.fault({ system: 'jwc', fault: slow, times: 1 });
      rig.demo.resetRequests();
      const late = read('jwc');
      await vi.waitFor(() => expect(rig.delayed).toBe(1));
      await rig.sessions.adopt(verified);
      rig.clock.advance(250);
      expect(await late).toContain('courseNum');
      expect([portalPosts(), loginPosts()]).toEqual([0, 0]);
    });

    it('a read that new logins overtake again and again is given up', async () => {
      const pairs = Array.from({ length: 3 }, () =>
        inTurn(rig.sessions, [first.userid, pairOf(first), callContext(), asStranger], (signIn) => signIn()),
      );
      const verified = await Promise.all(pairs);
      await read('jwc');
      let rounds = 0;
      const overtaken = rig.sessions.with(first, 'jwc', callContext(), async (session) => {
        rounds += 1;
        const text = await textOf(session, provingRead.jwc);
        const next = verified.pop();
        if (next) await rig.sessions.adopt(next);
        return text;
      });
      await expect(overtaken).rejects.toMatchObject({ kind: 'session-lost' });
      expect(rounds).toBe(3);
    });

    it('a new login on one replica replaces the session on the other', async () => {
      const other = rig.replica();
      await read('jwc', { sessions: other });
      const verified = await inTurn(rig.sessions, [first.userid, pairOf(first), callContext(), asStranger], (signIn) =>
        signIn(),
      );
      await rig.sessions.adopt(verified);
      rig.demo.resetRequests();
      await read('jwc', { sessions: other });
      expect(rig.wire()).toEqual(['jwc POST /main/academicInfo']);
    });
  });
});

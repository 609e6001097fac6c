import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type Application,
  asStranger,
  type CampusRig,
  callContext,
  first,
  provingRead,
  shows,
  startCampusRig,
  textOf,
} from '../support/campus-rig.ts';
import { inTurn } from '../support/in-turn.ts';
import { loginOf, portalKinds } from '../support/portal-kinds.ts';

const summaryPath = '/main/academicInfo';

describe.each(portalKinds)('behind the portal of kind $name:', (portal) => {
  const startRig = async (): Promise<CampusRig> => {
    const rig = await startCampusRig({ portal });
    await rig.enroll(first);
    return rig;
  };

  const readOf = (rig: CampusRig, system: Application, sessions = rig.sessions) =>
    sessions.with(first, system, callContext(), (session) => textOf(session, provingRead[system]));
  const readFrom = (rig: CampusRig, student: { userid: string } = first) =>
    rig.sessions.with(student, 'jwc', callContext(), (session) => textOf(session, provingRead.jwc));

  describe('what a read costs a failing campus', () => {
    it('a reading behind the scenes never signs in, and asks a system that is in doubt no more often than others', async () => {
      const rig = await startRig();
      const unattended = Object.assign(callContext(), { unattended: true });
      const behind = () =>
        rig.sessions
          .with(first, 'jwc', unattended, (session) => textOf(session, provingRead.jwc))
          .catch(({ kind }) => kind);
      try {
        expect([await behind(), rig.wire()]).toEqual(['session-lost', []]);
        await readFrom(rig);
        rig.demo.resetRequests();
        expect([await behind(), rig.wire()]).toEqual([expect.any(String), [`jwc POST ${summaryPath}`]]);
        rig.demo.student(first.userid).expireService('jwc');
        rig.demo.resetRequests();
        expect([await behind(), rig.wire()]).toEqual(['session-lost', [`jwc POST ${summaryPath}`]]);
        await readFrom(rig);
        rig.demo.fault({ system: 'jwc', fault: { kind: 'status', status: 500 } });
        for (let call = 0; call < 5; call += 1) await expect(readFrom(rig)).rejects.toBeDefined();
        rig.demo.resetRequests();
        expect([await behind(), rig.wire()]).toEqual(['upstream-unavailable', []]);
        // Without other calls, the system would be in doubt for ever.
        rig.demo.clearFaults();
        rig.clock.advance(60_000);
        expect([await behind(), rig.wire()]).toEqual([expect.any(String), [`jwc POST ${summaryPath}`]]);
        expect(rig.sessions.pausedStudents().get('academics')).toBe(0);
      } finally {
        await rig.close();
      }
    });
  });

  describe('over one rig', () => {
    let rig: CampusRig;
    beforeEach(async () => {
      rig = await startRig();
      await readFrom(rig);
      rig.demo.resetRequests();
    });
    afterEach(() => rig.close());
    const [challenge, credentials] = loginOf(portal);
    const portalPosts = () => rig.wire().filter((line) => line === credentials).length;

    const wireOf = async (work: () => Promise<unknown>): Promise<string[]> => {
      rig.demo.resetRequests();
      await work();
      return rig.wire();
    };

    it('a second system needs no second password', async () => {
      expect(await wireOf(() => readOf(rig, 'aac'))).toEqual([
        'cas GET /cas/login',
        'aac GET /User/Index/CoreLoginCallback',
        'aac POST /User/Center/DoGetScoreInfo',
      ]);
      expect(await wireOf(() => readOf(rig, 'isim'))).toEqual(['isim GET /go', 'isim GET /about']);
    });

    it('a stored ticket that meets a dead portal session after a restart costs no unified login', async () => {
      await readOf(rig, 'aac');
      rig.demo.student(first.userid).expirePortal();
      const data = 'aac POST /User/Center/DoGetScoreInfo';
      const restarted = rig.replica();
      expect(await wireOf(() => readOf(rig, 'aac', restarted))).toEqual([data, challenge, credentials, data]);
    });

    it.each(['aac', 'ldjlb'] as const)(
      'a read of %s on the next day signs in at the portal before it asks, also after a restart',
      async (system) => {
        await readOf(rig, system);
        const data = `${system} POST ${provingRead[system].path.replace(/\?.*/, '')}`;
        for (const sessions of [rig.sessions, rig.replica()]) {
          rig.demo.student(first.userid).expirePortal();
          rig.clock.advance(8 * 60 * 60_000);
          expect(await wireOf(() => readOf(rig, system, sessions))).toEqual([challenge, credentials, data]);
        }
      },
    );

    it('the session is sealed when something changed, and its use once a minute: not on every call', async () => {
      const sealed = vi.spyOn(rig.storage.sessions, 'save');
      rig.clock.advance(60_000);
      await readFrom(rig);
      const perMinute = sealed.mock.calls.length;
      expect(perMinute).toBeGreaterThan(0);
      for (let call = 0; call < 10; call += 1) await readFrom(rig);
      expect(sealed).toHaveBeenCalledTimes(perMinute);
      rig.clock.advance(60_000);
      for (let call = 0; call < 10; call += 1) await readFrom(rig);
      expect(sealed).toHaveBeenCalledTimes(2 * perMinute);
    });

    it.each([502, 503, 504])('a read that is answered %i is sent once more', async (status) => {
      rig.demo.fault({ system: 'jwc', fault: { kind: 'status', status } });
      await expect(readFrom(rig)).rejects.toMatchObject({ kind: 'upstream-unavailable' });
      expect(rig.wire()).toEqual(Array(2).fill(`jwc POST ${summaryPath}`));
    });

    it('refused passwords never open the breaker of the portal', async () => {
      for (let student = 1; student <= 12; student += 1) {
        const pair = { password: 'x', vpnPassword: 'wrong' };
        await expect(
          inTurn(rig.sessions, [`20240000${student}`, pair, callContext(), asStranger], (signIn) => signIn()),
        ).rejects.toMatchObject({
          kind: 'credentials-refused',
        });
      }
      rig.demo.student(first.userid).expirePortal();
      expect(await readFrom(rig)).toContain('courseNum');
    });

    it('a redirect loop is left at the third visit, and the next read starts without its cookies', async () => {
      const path = '/student/courseSelect/calendarSemesterCurriculum/index';
      const page = {
        page: 'calendar-index',
        method: 'GET',
        path,
        expect: 'page',
        alive: shows('planCode'),
      } as const;
      const readPage = () => rig.sessions.with(first, 'jwc', callContext(), (session) => textOf(session, page));
      const fault = rig.demo.fault({ system: 'jwc', path, fault: { kind: 'redirect-loop' } });
      await expect(readPage()).rejects.toMatchObject({ kind: 'upstream-unavailable', reason: 'redirect loop' });
      expect(rig.wire()).toEqual(Array(3).fill(`jwc GET ${path}`));
      fault.remove();
      rig.demo.resetRequests();
      expect(await readPage()).toContain('planCode');
      expect(rig.wire()).toEqual(['cas GET /cas/login', 'jwc GET /j_spring_cas_security_check', `jwc GET ${path}`]);
    });

    it('a portal that dies behind an accepted password does not get that password a second time', async () => {
      const redeem = { system: 'jwc', path: '/j_spring_cas_security_check', times: 1 } as const;
      rig.demo.student(first.userid).expireUnifiedLogin();
      rig.demo.student(first.userid).expireService('jwc');
      rig.demo.fault({ ...redeem, fault: { kind: 'delay', ms: 500 } });
      rig.demo.fault({ ...redeem, fault: { kind: 'portal-redirect' } });
      const reading = readFrom(rig);
      await vi.waitFor(() => expect(rig.delayed).toBe(1));
      rig.demo.student(first.userid).expireUnifiedLogin();
      rig.clock.advance(500);
      await expect(reading).rejects.toMatchObject({ kind: 'sign-in-unavailable', step: 'unified-login' });
      expect(rig.wire().filter((line) => line === 'cas POST /cas/login')).toHaveLength(1);
      expect(portalPosts()).toBe(1);
    });

    it('a portal whose new session is dead at once is not logged in to again', async () => {
      rig.demo.student(first.userid).expirePortal();
      rig.demo.fault({ system: 'cas', fault: { kind: 'portal-redirect' } });
      const reading = readOf(rig, 'aac');
      await expect(reading).rejects.toMatchObject({ kind: 'sign-in-unavailable', step: 'portal' });
      expect(portalPosts()).toBe(1);
    });

    it('a portal that was renewed in a call and stands in front of the ticket then is not logged in to again', async () => {
      await readFrom(rig);
      rig.demo.student(first.userid).expirePortal();
      rig.demo.student(first.userid).expireService('jwc');
      rig.demo.fault({ system: 'jwc', path: '/j_spring_cas_security_check', fault: { kind: 'portal-redirect' } });
      rig.demo.resetRequests();
      await expect(readFrom(rig)).rejects.toMatchObject({ kind: 'sign-in-unavailable' });
      expect(portalPosts()).toBe(1);
    });

    it('tickets that are not to be had pause the student at their application, each call counted once', async () => {
      const readScore = () => readOf(rig, 'aac');
      await readScore();
      rig.clock.advance(60_000);
      rig.demo.fault({ system: 'aac', path: '/User/Center', fault: { kind: 'status', status: 403 } });
      rig.demo.fault({ system: 'aac', path: '/User/Index', fault: { kind: 'status', status: 500 } });
      for (let call = 1; call <= 5; call += 1) {
        expect(rig.sessions.pausedStudents().get('activity-score')).toBe(0);
        await expect(readScore()).rejects.toMatchObject({ kind: 'ticket-unavailable' });
      }
      expect(rig.sessions.pausedStudents().get('activity-score')).toBe(1);
    });

    it('a portal session that is found dead on the way to another system is renewed, and nothing else', async () => {
      rig.demo.student(first.userid).expirePortal();
      await readOf(rig, 'aac');
      expect(rig.wire()).toEqual([
        'cas GET /cas/login',
        challenge,
        credentials,
        'cas GET /cas/login',
        'aac GET /User/Index/CoreLoginCallback',
        'aac POST /User/Center/DoGetScoreInfo',
      ]);
    });

    it('what pages handed out to a dead session is not kept for the new one', async () => {
      const memoAfterRead = (known?: string) =>
        rig.sessions.with(first, 'jwc', callContext(), async (session) => {
          await textOf(session, provingRead.jwc);
          if (known !== undefined) session.memo.set('segment', known);
          return session.memo.get('segment');
        });
      expect(await memoAfterRead('of the first session')).toBe('of the first session');
      rig.demo.student(first.userid).expireService('jwc');
      expect(await memoAfterRead()).toBeUndefined();
    });
  });
});

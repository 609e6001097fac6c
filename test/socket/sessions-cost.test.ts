import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CampusSessions } from '../../src/campus/session/sessions.ts';
import { refusedSession } from '../../src/campus/session/upstream-session.ts';
import { Failure } from '../../src/domain/errors.ts';
import {
  type Application,
  asStranger,
  type CampusRig,
  callContext,
  first,
  provingRead,
  startCampusRig,
  textOf,
} from '../support/campus-rig.ts';
import { loginOf, portalKinds } from '../support/portal-kinds.ts';

const passwordLogin = ['cas GET /cas/login', 'cas POST /cas/login'];
const cookieLogin = ['cas GET /cas/login'];
const redeem = 'jwc GET /j_spring_cas_security_check';
const summary = 'jwc POST /main/academicInfo';
const walk = (system: 'aac' | 'ldjlb') => `${system} GET /User/Index/CoreLoginCallback`;

describe.each(portalKinds)('behind the portal of kind $name:', (portal) => {
  const portalLogin = loginOf(portal);
  let rig: CampusRig;
  beforeEach(async () => {
    rig = await startCampusRig({ portal });
    await rig.enroll(first);
  });
  afterEach(() => rig.close());

  const read = (system: Application, sessions: CampusSessions = rig.sessions) =>
    sessions.with(first, system, callContext(), (session) => textOf(session, provingRead[system]));

  const wireOf = async (work: () => Promise<unknown>): Promise<string[]> => {
    rig.demo.resetRequests();
    await work();
    return rig.wire();
  };

  describe('requests on the wire, cold', () => {
    it('a second system needs no second password', async () => {
      await read('jwc');
      expect(await wireOf(() => read('aac'))).toEqual([
        ...cookieLogin,
        walk('aac'),
        'aac POST /User/Center/DoGetScoreInfo',
      ]);
      expect(await wireOf(() => read('isim'))).toEqual(['isim GET /go', 'isim GET /about']);
    });

    it('a login is 5, and the first read after it 1', async () => {
      const { userid, password, vpnPassword } = first;
      const login = await wireOf(async () => {
        const proven = await rig.sessions.prove(
          userid,
          { password, vpnPassword },
          callContext(),
          asStranger,
          (signIn) => signIn(),
        );
        await rig.sessions.adopt(proven);
      });
      expect(login).toEqual([...portalLogin, ...passwordLogin, redeem]);
      expect(await wireOf(() => read('jwc'))).toEqual([summary]);
    });
  });

  describe('requests on the wire, warm', () => {
    it.each(['jwc', 'aac', 'ldjlb', 'competition'] as const)(
      '%s: nothing is written while nothing changes',
      async (system) => {
        await read(system);
        const save = vi.spyOn(rig.storage.sessions, 'save');
        await read(system);
        await read(system);
        expect(save).not.toHaveBeenCalled();
        rig.clock.advance(60_000);
        await read(system);
        expect(save.mock.calls.flatMap(([, , pieces]) => pieces.map((piece) => piece.system))).toContain(system);
      },
    );

    it('after a restart: 1, without any login', async () => {
      await read('jwc');
      const restarted = rig.replica();
      expect(await wireOf(() => read('jwc', restarted))).toEqual([summary]);
    });

    it('after idling long enough to leave memory: 1', async () => {
      rig.demo.switches.portalIdleSeconds = 100_000;
      await read('jwc');
      rig.clock.advance(400_000);
      await rig.sessions.answeredMs('nobody', 1);
      expect(await wireOf(() => read('jwc'))).toEqual([summary]);
    });

    it('a stored ticket under a dead portal session after a restart: 1 failed, 2 portal, the read; no unified login', async () => {
      await read('aac');
      rig.demo.student(first.userid).expirePortal();
      const restarted = rig.replica();
      const data = 'aac POST /User/Center/DoGetScoreInfo';
      expect(await wireOf(() => read('aac', restarted))).toEqual([data, ...portalLogin, data]);
    });

    it.each(['aac', 'ldjlb'] as const)(
      '%s on the next day, also after a restart: 2 portal, the read',
      async (system) => {
        await read(system);
        const restarted = rig.replica();
        for (const sessions of [rig.sessions, restarted]) {
          rig.demo.student(first.userid).expirePortal();
          rig.clock.advance(8 * 60 * 60_000);
          const wire = await wireOf(() => read(system, sessions));
          expect(wire).toEqual([...portalLogin, `${system} POST ${provingRead[system].path.replace(/\?.*/, '')}`]);
        }
      },
    );

    it('academics on the next day: no more than cold', async () => {
      await read('jwc');
      rig.demo.student(first.userid).expirePortal();
      rig.demo.student(first.userid).expireUnifiedLogin();
      rig.demo.student(first.userid).expireService('jwc');
      rig.clock.advance(8 * 60 * 60_000);
      expect(await wireOf(() => read('jwc'))).toEqual([...portalLogin, ...passwordLogin, redeem, summary]);
    });
  });

  describe('requests on the wire, recovering', () => {
    it('service session and ticket-granting cookie dead: 5, the portal left alone', async () => {
      await read('jwc');
      rig.demo.student(first.userid).expireService('jwc');
      rig.demo.student(first.userid).expireUnifiedLogin();
      expect(await wireOf(() => read('jwc'))).toEqual([summary, ...passwordLogin, redeem, summary]);
    });

    it.each(['aac', 'ldjlb'] as const)('%s ticket dead, ticket-granting cookie alive: 4', async (system) => {
      const readWithRefusal = () =>
        rig.sessions.with(first, system, callContext(), async (session) => {
          const text = await textOf(session, provingRead[system]);
          if (/"code":\s*401/.test(text)) throw refusedSession(new Failure('upstream-refused'));
          return text;
        });
      await readWithRefusal();
      rig.demo.student(first.userid).expireTicket(system);
      const wire = await wireOf(readWithRefusal);
      expect(wire).toHaveLength(4);
      expect(wire.slice(1, 3)).toEqual([...cookieLogin, walk(system)]);
    });

    it('portal and unified login dead, service session older than 20 minutes: 7', async () => {
      await read('jwc');
      rig.demo.student(first.userid).expirePortal();
      rig.demo.student(first.userid).expireUnifiedLogin();
      rig.demo.student(first.userid).expireService('jwc');
      rig.clock.advance(21 * 60_000);
      expect(await wireOf(() => read('jwc'))).toEqual([summary, ...portalLogin, ...passwordLogin, redeem, summary]);
    });

    it('a portal that answers nothing at all is recognised once the session is not trusted any more', async () => {
      await read('jwc');
      rig.demo.switches.expiryStyle = 'empty';
      rig.demo.student(first.userid).expirePortal();
      rig.clock.advance(241_000);
      const wire = await wireOf(() => read('jwc'));
      expect(wire.slice(0, 4)).toEqual([summary, summary, ...portalLogin]);
      expect(wire.at(-1)).toBe(summary);
    });
  });
});

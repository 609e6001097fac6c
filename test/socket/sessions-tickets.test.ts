import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { refusedSession, type UpstreamSession } from '../../src/campus/contract/upstream-session.ts';
import { failures } from '../../src/domain/errors.ts';
import {
  asStranger,
  type CampusRig,
  callContext,
  first,
  provingRead,
  startCampusRig,
  textOf,
} from '../support/campus-rig.ts';
import { inTurn } from '../support/in-turn.ts';
import { loginOf, portalKinds } from '../support/portal-kinds.ts';

const data = 'ldjlb POST /User/Club/DoGetJoinList';
const walk = ['cas GET /cas/login', 'ldjlb GET /User/Index/CoreLoginCallback'];
const write = { ...provingRead.ldjlb, write: true } as const;

describe.each(portalKinds)('behind the portal of kind $name:', (portal) => {
  let rig: CampusRig;
  beforeEach(async () => {
    rig = await startCampusRig({ portal });
    await rig.enroll(first);
  });
  afterEach(() => rig.close());

  const within = <T>(work: (session: UpstreamSession) => Promise<T>, sessions = rig.sessions) =>
    sessions.with(first, 'ldjlb', callContext(), work);

  /** A read as the clients make it: another code than 0 is a refusal of the ticket. */
  const read = (sessions = rig.sessions) =>
    within(async (session) => {
      const text = await textOf(session, provingRead.ldjlb);
      if (!text.includes('"code":0')) throw refusedSession(failures.upstreamRefused(undefined));
      return text;
    }, sessions);

  const wireOf = async (work: () => Promise<unknown>): Promise<string[]> => {
    rig.demo.resetRequests();
    await work();
    return rig.wire();
  };

  const refuseAlways = () =>
    rig.demo.fault({
      system: 'ldjlb',
      path: '/User/Club',
      fault: { kind: 'body', type: 'application/json', body: '{"code":1,"msg":"busy","data":null}' },
    });

  describe('a refused application ticket', () => {
    it('is renewed once for twenty calls that meet it', async () => {
      await read();
      rig.demo.student(first.userid).expireTicket('ldjlb');
      const wire = await wireOf(() => Promise.all(Array.from({ length: 20 }, () => read())));
      expect(wire.filter((line) => line !== data)).toEqual(walk);
    });

    it('is renewed once for two replicas that meet it', async () => {
      const other = rig.replica();
      await read();
      await read(other);
      rig.demo.student(first.userid).expireTicket('ldjlb');
      const wire = await wireOf(() => Promise.all([read(), read(other)]));
      expect(wire.filter((line) => line !== data)).toEqual(walk);
    });

    it('is not renewed again within a minute of the last renewal, on any replica', async () => {
      await read();
      const rule = refuseAlways();
      expect(await wireOf(() => expect(read()).rejects.toMatchObject({ kind: 'upstream-refused' }))).toEqual([
        data,
        ...walk,
        data,
      ]);
      for (const sessions of [rig.sessions, rig.replica()]) {
        expect(await wireOf(() => expect(read(sessions)).rejects.toMatchObject({ kind: 'upstream-refused' }))).toEqual([
          data,
        ]);
      }
      rig.clock.advance(60_000);
      rule.remove();
      rig.demo.student(first.userid).expireTicket('ldjlb');
      expect(await wireOf(() => read())).toEqual([data, ...walk, data]);
    });

    it('is renewed within that minute after a portal session that ended with it, for all calls that meet both', async () => {
      await read();
      rig.demo.student(first.userid).expireTicket('ldjlb');
      await read();
      rig.clock.advance(10_000);
      rig.demo.student(first.userid).expirePortal();
      rig.demo.student(first.userid).expireTicket('ldjlb');
      const wire = await wireOf(() => Promise.all(Array.from({ length: 5 }, () => read())));
      expect(wire.filter((line) => line !== data)).toEqual([...loginOf(portal), ...walk]);
    });

    it.each([401, 403, 500])('counts as one when the status is %s, also within that minute', async (status) => {
      await read();
      rig.demo.fault({ system: 'ldjlb', path: '/User/Club', fault: { kind: 'status', status } });
      expect(await wireOf(() => read().catch(() => {}))).toEqual([data, ...walk, data]);
      expect(await wireOf(() => read().catch(() => {}))).toEqual([data]);
    });

    it('ends as the failure that the client names, where it names one', async () => {
      const otherwise = failures.upstreamUnreadable('labor-club');
      const refused = within(() => Promise.reject(refusedSession(otherwise)));
      await expect(refused).rejects.toBe(otherwise);
    });
  });

  describe('a round that has written', () => {
    it('is repeated when the write met a redirect to the portal', async () => {
      await read();
      rig.demo.student(first.userid).expirePortal();
      const wire = await wireOf(() => within((session) => textOf(session, write)));
      expect(wire).toEqual([data, ...loginOf(portal), data]);
    });

    it('is not repeated when a later read of it finds the session dead', async () => {
      await read();
      rig.demo.resetRequests();
      const round = within(async (session) => {
        await textOf(session, write);
        rig.demo.student(first.userid).expirePortal();
        return textOf(session, provingRead.ldjlb);
      });
      await expect(round).rejects.toMatchObject({ kind: 'outcome-unknown' });
      expect(rig.wire()).toEqual([data, data]);
    });

    it('is not repeated when the student has logged in again', async () => {
      await read();
      const { userid, password, vpnPassword } = first;
      const verified = await inTurn(
        rig.sessions,
        [userid, { password, vpnPassword }, callContext(), asStranger],
        (signIn) => signIn(),
      );
      rig.demo.resetRequests();
      const round = within(async (session) => {
        const text = await textOf(session, write);
        await rig.sessions.adopt(verified);
        return text;
      });
      await expect(round).rejects.toMatchObject({ kind: 'outcome-unknown', system: 'labor-club' });
      expect(rig.wire()).toEqual([data]);
    });

    it('tells whether an answer arrived', async () => {
      await read();
      rig.demo.fault({ system: 'ldjlb', times: 1, fault: { kind: 'status', status: 500 } });
      await expect(within((session) => textOf(session, write))).rejects.toMatchObject({
        kind: 'outcome-unknown',
        upstreamStatus: 500,
      });
      rig.demo.fault({ system: 'ldjlb', times: 1, fault: { kind: 'reset-after' } });
      const silent = await within((session) => textOf(session, write)).catch((error: unknown) => error);
      expect(silent).toMatchObject({ kind: 'outcome-unknown' });
      expect(silent).not.toHaveProperty('upstreamStatus', expect.any(Number));
    });
  });
});

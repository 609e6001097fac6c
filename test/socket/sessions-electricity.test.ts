import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { UpstreamRequest } from '../../src/campus/session/upstream-session.ts';
import { type CampusRig, callContext, first, provingRead, startCampusRig } from '../support/campus-rig.ts';

const about = provingRead.isim;
const go = 'isim GET /go';
const page = 'isim GET /about';

let rig: CampusRig;
beforeEach(async () => {
  rig = await startCampusRig();
  await rig.enroll(first);
});
afterEach(() => rig.close());

const read = (request: UpstreamRequest = about) =>
  rig.sessions.with(first, 'isim', callContext(), (session) => session.text(request));

const wireOf = async (work: () => Promise<unknown>): Promise<string[]> => {
  rig.demo.resetRequests();
  await work();
  return rig.wire();
};

describe('an electricity session', () => {
  it('that rested for 25 minutes is opened anew without asking it first', async () => {
    rig.demo.switches.portalIdleSeconds = 100_000;
    await read();
    // Other systems keep the student's entry in memory meanwhile.
    for (let minutes = 0; minutes < 24; minutes += 4) {
      rig.clock.advance(4 * 60_000);
      await rig.sessions.with(first, 'jwc', callContext(), (session) => session.text(provingRead.jwc));
    }
    expect(await wireOf(read)).toEqual([page]);
    for (let minutes = 0; minutes < 28; minutes += 4) {
      rig.clock.advance(4 * 60_000);
      await rig.sessions.with(first, 'jwc', callContext(), (session) => session.text(provingRead.jwc));
    }
    expect(await wireOf(read)).toEqual([go, page]);
  });

  it('whose page lacks what was due is opened anew once, and then it is an error', async () => {
    await read();
    const strict = { ...about, alive: (text: string) => text.includes('pickerBuilding') };
    const foreign = { system: 'isim', path: '/about', fault: { kind: 'html' } } as const;
    rig.demo.fault({ ...foreign, times: 1 });
    expect(await wireOf(() => read(strict))).toEqual([page, go, page]);
    rig.demo.fault(foreign);
    const wire = await wireOf(() => expect(read(strict)).rejects.toMatchObject({ kind: 'session-lost' }));
    expect(wire).toEqual([page, go, page]);
  });

  it('that was replaced while a call was under way is not taken for the one the call began with', async () => {
    let rounds = 0;
    rig.demo.fault({ system: 'isim', path: '/about', times: 1, fault: { kind: 'delay', ms: 1_000 } });
    const slow = rig.sessions.with(first, 'isim', callContext(), (session) => {
      rounds += 1;
      return session.text(about);
    });
    await vi.waitFor(() => expect(rig.clock.waiting).toBe(1));
    rig.demo.fault({ system: 'isim', path: '/about', times: 1, fault: { kind: 'login-redirect' } });
    await read();
    rig.clock.advance(1_000);
    await slow;
    expect(rounds).toBe(2);
    expect(rig.wire().filter((line) => line === go)).toHaveLength(2);
  });
});

describe('a request of an electricity session that was replaced', () => {
  it('does not leave with the cookies of the new one', async () => {
    await read();
    rig.demo.resetRequests();
    const gate = Promise.withResolvers<void>();
    let rounds = 0;
    const late = rig.sessions.with(first, 'isim', callContext(), async (session) => {
      rounds += 1;
      await gate.promise;
      return session.text(about);
    });
    await vi.waitFor(() => expect(rounds).toBe(1));
    rig.demo.fault({ system: 'isim', path: '/about', times: 1, fault: { kind: 'login-redirect' } });
    await read();
    gate.resolve();
    await late;
    expect(rounds).toBe(2);
    expect(rig.wire()).toEqual([page, go, page, page]);
  });
});

describe('work that serves everybody', () => {
  it('has its own number of requests at once, beside the four of the student', async () => {
    await read();
    rig.demo.fault({ system: 'isim', fault: { kind: 'delay', ms: 100 } });
    rig.demo.resetRequests();
    const reads = (count: number, parallel?: number) =>
      rig.sessions.with(
        first,
        'isim',
        callContext(),
        (session) => Promise.all(Array.from({ length: count }, () => session.text(about))),
        parallel === undefined ? {} : { parallel },
      );
    const borrowed = reads(9, 8);
    await vi.waitFor(() => expect(rig.clock.waiting).toBe(8));
    const own = reads(5);
    await vi.waitFor(() => expect(rig.clock.waiting).toBe(12));
    rig.clock.advance(100);
    await vi.waitFor(() => expect(rig.clock.waiting).toBe(2));
    rig.clock.advance(100);
    await Promise.all([borrowed, own]);
  });

  it('is not sent twice by the session core when it repeats by its own rule', async () => {
    await read();
    rig.demo.fault({ system: 'isim', fault: { kind: 'status', status: 503 } });
    const failing = (request: UpstreamRequest) =>
      wireOf(() => expect(read(request)).rejects.toMatchObject({ kind: 'upstream-unavailable' }));
    expect(await failing(about)).toEqual([page, page]);
    expect(await failing({ ...about, once: true })).toEqual([page]);
  });
});

it('a session that dies after the student logged out is not opened again', async () => {
  await read();
  rig.demo.fault({ system: 'isim', path: '/about', times: 1, fault: { kind: 'delay', ms: 1_000 } });
  const underWay = expect(read()).rejects.toMatchObject({ kind: 'session-lost' });
  await vi.waitFor(() => expect(rig.clock.waiting).toBe(1));
  await rig.sessions.forget(first.userid);
  rig.demo.student(first.userid).expirePortal();
  rig.demo.resetRequests();
  rig.clock.advance(1_000);
  await underWay;
  expect(rig.wire()).toEqual([]);
});

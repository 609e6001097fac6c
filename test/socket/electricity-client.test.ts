import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createIsimClient } from '../../src/campus/products/isim/index.ts';
import { DORMITORIES } from '../../src/demo/records/dormitories.ts';
import type { RoomDraft } from '../../src/domain/electricity/reads.ts';
import { type CampusRig, callContext, first, second, startCampusRig } from '../support/campus-rig.ts';

const buildings = DORMITORIES.length;
const floors = DORMITORIES.flatMap((building) => building.floors).length;
const wholeTree = 1 + buildings + floors;

const go = 'isim GET /go';
const about = 'isim GET /about';
const bind = 'isim POST /about/rebinding';
const portalLogin = ['vpn GET /por/login_auth.csp', 'vpn POST /por/login_psw.csp'];

const rich = { code: '010101', displayText: '松园1号学生公寓/1-1层/1-101' };
const overdrawn = { code: '010102', displayText: '松园1号学生公寓/1-1层/1-102' };

let rig: CampusRig;
let client: ReturnType<typeof createIsimClient>;
beforeEach(async () => {
  rig = await startCampusRig();
  client = createIsimClient({ sessions: rig.sessions, clock: rig.clock });
  await rig.enroll(first);
  await rig.enroll(second);
});
afterEach(() => rig.close());

const readRooms = (draft: RoomDraft = new Map(), student = first) => client.readRooms(student, draft, callContext());
const readMeter = (room = rich, student = first) => client.readMeter(student, room, callContext());

const wireOf = async (work: () => Promise<unknown>): Promise<string[]> => {
  rig.demo.resetRequests();
  await work();
  return rig.wire();
};
const count = (line: string) => rig.wire().filter((other) => other === line).length;
/** Moves the clock on, again and again, until the work has ended. */
const pumped = async <T>(work: Promise<T>, ms = 1_000): Promise<T> => {
  let over = false;
  const ended = work.finally(() => {
    over = true;
  });
  ended.catch(() => {});
  while (!over) {
    await new Promise((resolve) => setImmediate(resolve));
    if (rig.clock.waiting > 0) rig.clock.advance(ms);
  }
  return ended;
};

describe('the room tree', () => {
  it('is read with one request per building and floor and one for the buildings', async () => {
    const wire = await wireOf(() => readRooms());
    expect(wire.slice(0, 4)).toEqual([...portalLogin, go, about]);
    expect(wire).toHaveLength(3 + wholeTree);
    expect(await wireOf(() => readRooms())).toHaveLength(wholeTree);
  });

  it.each([1, 8])('is never asked for by more than %i requests at once', async (parallel) => {
    await readRooms();
    client = createIsimClient({ sessions: rig.sessions, clock: rig.clock, parallel });
    rig.demo.fault({ system: 'isim', fault: { kind: 'delay', ms: 10 } });
    let most = 0;
    const advance = rig.clock.advance.bind(rig.clock);
    vi.spyOn(rig.clock, 'advance').mockImplementation((ms) => {
      most = Math.max(most, rig.clock.waiting);
      advance(ms);
    });
    await pumped(readRooms(), 10);
    expect(most).toBe(parallel);
  });

  it('continues where it stopped when the session dies under way', async () => {
    await readRooms();
    const tree = await readRooms();
    rig.demo.resetRequests();
    rig.demo.fault({ system: 'isim', path: '/about/rooms/', times: 8, fault: { kind: 'delay', ms: 5 } });
    const reading = readRooms();
    await vi.waitFor(() => expect(rig.clock.waiting).toBe(8));
    rig.demo.student(first.userid).expireService('isim');
    rig.clock.advance(5);
    expect(await reading).toEqual(tree);
    // The eight that were under way are asked for again, what had been read before is not.
    expect(rig.wire()).toHaveLength(wholeTree + 1 + 8);
    expect([count(about), count(go)]).toEqual([1, 1]);
  });

  it('survives a logout that finds its last parts under way, but no logout that leaves parts unread', async () => {
    await readRooms();
    rig.demo.fault({ system: 'isim', path: '/about/floors/', times: 8, fault: { kind: 'delay', ms: 5 } });
    const reading = readRooms();
    await vi.waitFor(() => expect(rig.clock.waiting).toBe(8));
    await rig.sessions.forget(first.userid);
    rig.clock.advance(5);
    expect(await reading).toHaveLength(7);

    rig.demo.fault({ system: 'isim', path: '/about/floors/', times: 8, fault: { kind: 'delay', ms: 5 } });
    const other = readRooms(new Map(), second);
    await vi.waitFor(() => expect(rig.clock.waiting).toBe(8));
    await rig.sessions.forget(second.userid);
    rig.demo.student(second.userid).expirePortal();
    rig.clock.advance(5);
    await expect(other).rejects.toMatchObject({ kind: 'session-lost' });
  });

  it('repeats a failed part twice, a second apart, and is then no tree at all', async () => {
    await readRooms();
    const path = '/about/rooms/';
    const failing = { system: 'isim', path, fault: { kind: 'status', status: 500 } } as const;
    rig.demo.fault({ ...failing, times: 2 });
    expect(await pumped(readRooms())).toHaveLength(7);

    client = createIsimClient({ sessions: rig.sessions, clock: rig.clock, parallel: 1 });
    rig.demo.fault({ ...failing, times: 1 });
    rig.demo.resetRequests();
    const patient = readRooms();
    await vi.waitFor(() => expect(rig.clock.waiting).toBe(1));
    rig.clock.advance(999);
    expect([rig.clock.waiting, count('isim GET /about/rooms/*')]).toEqual([1, 1]);
    rig.clock.advance(1);
    await patient;

    rig.demo.fault(failing);
    rig.demo.resetRequests();
    const draft: RoomDraft = new Map();
    await expect(pumped(readRooms(draft))).rejects.toMatchObject({ kind: 'upstream-unavailable' });
    expect(count('isim GET /about/rooms/*')).toBe(3);
    // The next attempt uses the pages that were read.
    rig.demo.clearFaults();
    rig.demo.resetRequests();
    await readRooms(draft);
    expect(rig.wire()).toEqual(Array(floors).fill('isim GET /about/rooms/*'));
  });

  it.each<[string, string]>([
    ['nonsense', 'oops'],
    ['a picker without its lists', '[{}]'],
  ])('takes %s for a failed part after the session has proven alive', async (_name, body) => {
    await readRooms();
    rig.demo.fault({ system: 'isim', path: '/about/rooms/', times: 1, fault: { kind: 'body', body } });
    const wire = await wireOf(() => pumped(readRooms()));
    expect(wire).toHaveLength(wholeTree + 2);
    expect(count(about)).toBe(2);
    expect(count(go)).toBe(0);
  });

  it('takes a bare empty list for what it says after the session has proven alive, once per reading', async () => {
    await readRooms();
    rig.demo.fault({ system: 'isim', path: '/about/rooms/', times: 2, fault: { kind: 'body', body: '[]' } });
    let tree: Awaited<ReturnType<typeof readRooms>> = [];
    const wire = await wireOf(async () => {
      tree = await readRooms();
    });
    expect(wire).toHaveLength(wholeTree + 1);
    expect(tree.flatMap((building) => building.floors).filter(({ rooms }) => rooms.length === 0)).toHaveLength(3);
  });

  it('renews the session when a bare empty list came from a dead one', async () => {
    const known: RoomDraft = new Map();
    const tree = await readRooms(known);
    const expired = '<html><body><div class="content-block">会话已过期，请重新进入</div></body></html>';
    rig.demo.fault({ system: 'isim', path: '/about/rooms/', times: 1, fault: { kind: 'body', body: '[]' } });
    rig.demo.fault({ system: 'isim', path: '/about', exact: true, times: 1, fault: { kind: 'body', body: expired } });
    rig.demo.resetRequests();
    expect(await readRooms(new Map([...known].slice(0, 1)))).toEqual(tree);
    expect([count(about), count(go)]).toEqual([1, 1]);
  });
});

describe('a meter reading', () => {
  it('never trusts a session on which a binding was left open', async () => {
    await readMeter(rich);
    // The binding arrives, its answer does not.
    rig.demo.fault({ system: 'isim', path: '/about/rebinding', times: 1, fault: { kind: 'reset-after' } });
    const lost = await wireOf(() => readMeter(overdrawn));
    expect(lost.slice(0, 3)).toEqual([bind, go, bind]);

    rig.demo.fault({ system: 'isim', path: '/about/rebinding', times: 1, fault: { kind: 'hang' } });
    const context = callContext();
    const given = client.readMeter(first, rich, context);
    await vi.waitFor(() => expect(rig.wire().at(-1)).toBe(bind));
    context.hangUp();
    await expect(given).rejects.toMatchObject({ kind: 'client-gone' });
    const after = await wireOf(() => readMeter(overdrawn));
    expect(after.slice(0, 2)).toEqual([go, bind]);
  });

  it('whose binding is answered with something else enters again, once', async () => {
    await readMeter(overdrawn);
    for (const body of ['[]', '[{}]', 'oops', '<html></html>']) {
      const fault = { system: 'isim', path: '/about/rebinding', fault: { kind: 'body', body } } as const;
      rig.demo.fault({ ...fault, times: 1 });
      await readMeter(rich);
      rig.demo.fault({ ...fault, times: 2 });
      await expect(readMeter(overdrawn)).rejects.toMatchObject({
        kind: expect.stringMatching(/^(upstream-refused|session-lost)$/),
      });
      rig.demo.clearFaults();
      expect((await readMeter(overdrawn)).balance.remaining_purchased).toBe(-3.2);
    }
  });

  it('of one student in two rooms at once never mixes them', async () => {
    const rooms = [rich, overdrawn];
    const readings = await Promise.all(Array.from({ length: 20 }, (_, i) => readMeter(rooms[i % 2])));
    expect(readings.map(({ balance }) => balance.remaining_purchased)).toEqual(
      Array.from({ length: 20 }, (_, i) => (i % 2 ? -3.2 : 1234.56)),
    );
  });
});

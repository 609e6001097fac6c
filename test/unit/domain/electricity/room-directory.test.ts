import { beforeEach, describe, expect, it, vi } from 'vitest';
import { withSignal } from '../../../../src/domain/context.ts';
import type { RoomDirectory } from '../../../../src/domain/electricity/room-directory.ts';
import { failureOf, failures } from '../../../../src/domain/errors.ts';
import { callContext } from '../../../support/campus-rig.ts';
import { buildingsOf, RoomWorld } from '../../../support/room-world.ts';

const [ann, ben, cleo, dora] = ['1', '2', '3', '4'].map((userid) => ({ userid }));
if (!ann || !ben || !cleo || !dora) throw new Error('four students');
const minute = 60_000;
const week = 7 * 24 * 60 * minute;

let world: RoomWorld;
let directory: RoomDirectory;
beforeEach(async () => {
  world = await RoomWorld.open();
  directory = world.directory();
});

const markOf = async (student = ann, from = directory) =>
  (await from.rooms(student, callContext())).tree.buildings[0]?.name;
const soon = { interval: 1 };
const reading = (number: number) => vi.waitFor(() => expect(world.campus.readings).toHaveLength(number), soon);
const finish = async (number: number): Promise<void> => {
  await reading(number);
  world.campus.latest.finish();
};
const fail = async (number: number, failure: unknown): Promise<void> => {
  await reading(number);
  world.campus.latest.fail(failure);
};
const idle = () => vi.waitFor(() => expect(world.leases).toEqual([]), soon);

/** A tree in storage, read now. */
const fill = async (): Promise<void> => {
  await world.trees.replace({ readAt: world.clock.now(), buildings: JSON.stringify(buildingsOf('0')) });
};
const refused = (kind: 'stored-credentials-refused' | 'sign-in-guarded' | 'session-lost') => failureOf(kind);
const down = () => failures.upstreamUnavailable('electricity');

it('a stored tree that is damaged or of another version counts as none', async () => {
  for (const buildings of [
    '[{"code":"01"',
    '{}',
    '[{"code":1,"name":"x","floors":[]}]',
    '[{"code":"01","name":"x"}]',
  ]) {
    await world.trees.replace({ readAt: world.clock.now(), buildings });
    expect(await directory.readKnown()).toBeNull();
  }
  await fill();
  expect((await directory.readKnown())?.tree).toMatchObject({ buildings: buildingsOf('0') });
});

describe('the first reading', () => {
  it('serves a hundred callers at once', async () => {
    const calls = Array.from({ length: 100 }, (_, i) => markOf({ userid: String(i) }));
    await finish(1);
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['松园1']));
    expect(world.campus.readings).toHaveLength(1);
    const loads = vi.spyOn(world.trees, 'load');
    expect(await markOf()).toBe('松园1');
    expect([loads.mock.calls.length, world.clock.timers]).toEqual([0, 0]);
  });

  it('continues when its only caller has no time left, and serves the next one', async () => {
    const context = callContext();
    const call = directory.rooms(ann, context);
    await reading(1);
    context.hangUp();
    await expect(call).rejects.toMatchObject({ kind: 'client-gone' });
    expect(world.campus.latest.context.signal.aborted).toBe(false);
    const next = markOf(ben);
    world.campus.latest.finish();
    expect(await next).toBe('松园1');
    expect(world.campus.readings).toHaveLength(1);
  });

  it('that fails fails all callers that wait, stores nothing, and is tried again by the next caller', async () => {
    const calls = [ann, ben].map((student) => directory.rooms(student, callContext()));
    await fail(1, down());
    for (const call of calls) await expect(call).rejects.toMatchObject({ kind: 'upstream-unavailable' });
    expect([world.trees.kept, world.leases]).toEqual([null, []]);
    const again = markOf();
    await finish(2);
    expect(await again).toBe('松园2');
  });

  it('takes over what an earlier one that failed has got, for ten minutes', async () => {
    const failing = async (number: number): Promise<void> => {
      const call = directory.rooms(ann, callContext());
      await fail(number, down());
      await expect(call).rejects.toThrow();
    };
    for (const number of [1, 2]) await failing(number);
    world.clock.advance(10 * minute);
    await failing(3);
    const whole = markOf();
    await finish(4);
    await whole;
    world.trees.kept = null;
    await failing(5);
    const [one, two, three, four, five] = world.campus.readings.map(({ draft }) => draft);
    expect([two === one, four === three, three === two, five === four]).toEqual([true, true, false, false]);
  });

  it('takes nothing over from one that found no room at all', async () => {
    for (const number of [1, 2]) {
      const call = directory.rooms(ann, callContext());
      await fail(number, failures.upstreamEmpty(undefined));
      await expect(call).rejects.toMatchObject({ kind: 'upstream-empty' });
    }
    expect(world.campus.readings[1]?.draft).not.toBe(world.campus.readings[0]?.draft);
  });

  it('ends by its own deadline', async () => {
    const call = directory.rooms(ann, withSignal(callContext(), new AbortController().signal));
    const outcome = expect(call).rejects.toMatchObject({ kind: 'timed-out', system: 'electricity' });
    await reading(1);
    world.clock.advance(5 * minute);
    await outcome;
    await idle();
  });

  it('that meets a defect of ours fails as such and logs what it was', async () => {
    const context = callContext();
    const call = directory.rooms(ann, context);
    await reading(1);
    const defect = new TypeError('defect');
    world.campus.latest.fail(defect);
    await expect(call).rejects.toMatchObject({ kind: 'internal', cause: defect });
    expect(context.log).toMatchObject({ lines: [{ level: 'warn', fields: { failure: 'internal', err: defect } }] });
  });
});

describe('the session that a reading borrows', () => {
  it('passes to another student who still waits when the first one’s fails for a reason that only its student is told', async () => {
    const own = directory.rooms(ann, callContext());
    const context = callContext();
    const gone = directory.rooms(dora, context);
    const others = [ben, cleo].map((student) => markOf(student));
    await reading(1);
    context.hangUp();
    await expect(gone).rejects.toThrow();
    world.campus.latest.fail(refused('stored-credentials-refused'));
    await expect(own).rejects.toMatchObject({ kind: 'stored-credentials-refused' });
    await reading(2);
    expect(world.campus.readings.map(({ student }) => student)).toEqual([ann, ben]);
    world.campus.latest.finish();
    expect(await Promise.all(others)).toEqual(['松园2', '松园2']);
  });

  it('is that of three students at most', async () => {
    const calls = [ann, ben, cleo, dora].map((student) => directory.rooms(student, callContext()));
    const outcomes = Promise.allSettled(calls);
    for (const number of [1, 2, 3]) {
      await fail(number, refused('session-lost'));
    }
    expect((await outcomes).map((outcome) => (outcome.status === 'rejected' ? outcome.reason.kind : 'read'))).toEqual([
      'session-lost',
      'session-lost',
      'session-lost',
      'upstream-unavailable',
    ]);
    expect(world.campus.readings).toHaveLength(3);
  });
});

describe('a tree older than seven days', () => {
  it('serves while one reading runs in the background, and then the new one does', async () => {
    await fill();
    world.clock.advance(week - 1);
    expect(await markOf()).toBe('松园0');
    // A reading in the background would begin only after the answer.
    for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(world.campus.readings).toEqual([]);
    world.clock.advance(1);
    // A process that has just started knows nothing but what is stored.
    directory = world.directory();
    expect(await Promise.all([markOf(ann), markOf(ben), markOf(cleo)])).toEqual(Array(3).fill('松园0'));
    await reading(1);
    expect(await markOf()).toBe('松园0');
    world.campus.latest.finish();
    await vi.waitFor(async () => expect(await markOf()).toBe('松园1'));
    expect(world.campus.readings).toHaveLength(1);
  });

  it('serves on after a failed reading; the next one is tried five minutes later', async () => {
    await fill();
    world.clock.advance(week);
    await markOf();
    await fail(1, down());
    await idle();
    expect([await markOf(), await markOf(ben)]).toEqual(['松园0', '松园0']);
    world.clock.advance(5 * minute - 1);
    await markOf();
    expect(world.campus.readings).toHaveLength(1);
    world.clock.advance(1);
    await markOf();
    await reading(2);
  });

  it('is never read again where only the stored tree is wanted', async () => {
    expect(await directory.readKnown()).toBeNull();
    await fill();
    world.clock.advance(2 * week);
    expect((await directory.readKnown())?.findRoom('010101')?.display_text).toBe('松园0/1-1层/1-101');
    expect(world.campus.readings).toEqual([]);
  });
});

describe('a refresh', () => {
  const refresh = (from = directory) => from.refresh(ann, callContext());

  it('replaces the tree, which serves until then, on every replica', async () => {
    await fill();
    const other = world.directory();
    const done = refresh();
    await reading(1);
    expect([await markOf(), await markOf(ann, other)]).toEqual(['松园0', '松园0']);
    world.campus.latest.finish();
    await done;
    expect([await markOf(), await markOf(ann, other)]).toEqual(['松园1', '松园1']);
    expect(world.leases).toEqual([]);
  });

  it('is refused for thirty minutes after one that succeeded, by every replica and after a restart', async () => {
    const done = refresh();
    await reading(1);
    world.clock.advance(minute);
    world.campus.latest.finish();
    await done;
    for (const from of [directory, world.directory()]) {
      await expect(refresh(from)).rejects.toMatchObject({
        kind: 'room-refresh-cool-down',
        remainingMs: 30 * minute,
        retryAfterSeconds: 1_800,
      });
    }
    world.clock.advance(30 * minute - 1);
    await expect(refresh()).rejects.toMatchObject({ remainingMs: 1, retryAfterSeconds: 1 });
    world.clock.advance(1);
    const again = refresh();
    await finish(2);
    await again;
  });

  it('may be tried again at once after one that failed, and begins from scratch', async () => {
    await fill();
    const failed = refresh();
    await fail(1, down());
    await expect(failed).rejects.toMatchObject({ kind: 'upstream-unavailable' });
    expect(await markOf()).toBe('松园0');
    const again = refresh();
    await reading(2);
    expect(world.campus.readings[1]?.draft).not.toBe(world.campus.readings[0]?.draft);
    world.campus.latest.finish();
    await again;
  });

  it('continues when its administrator no longer waits, and then the thirty minutes begin', async () => {
    await fill();
    const context = callContext();
    const left = directory.refresh(ann, context);
    await reading(1);
    context.hangUp();
    await expect(left).rejects.toMatchObject({ kind: 'client-gone' });
    await expect(refresh()).rejects.toMatchObject({ kind: 'room-refresh-running' });
    world.campus.latest.finish();
    await idle();
    expect(await markOf()).toBe('松园1');
    await expect(refresh()).rejects.toMatchObject({ kind: 'room-refresh-cool-down' });
  });

  it('does not wait longer than thirty minutes when the clock was set back', async () => {
    world.trees.refreshedAtMs = world.clock.now() + week;
    await expect(refresh()).rejects.toMatchObject({ remainingMs: 30 * minute });
  });

  it('joins a first reading that is running, and continues it where that one’s student cannot', async () => {
    const first = markOf(ben);
    await reading(1);
    const done = refresh();
    await vi.waitFor(() => expect(world.leases).toHaveLength(2));
    world.campus.latest.fail(refused('session-lost'));
    await expect(first).rejects.toMatchObject({ kind: 'session-lost' });
    await finish(2);
    await done;
    const [begun, continued] = world.campus.readings;
    expect(continued).toMatchObject({ student: ann });
    expect(continued?.draft).toBe(begun?.draft);
  });
});

describe('two replicas', () => {
  /** Lets both look for the lease, or for the tree, once more. */
  const look = async (): Promise<void> => {
    await vi.waitFor(() => expect(world.clock.waiting).toBeGreaterThan(0));
    world.clock.advance(500);
  };

  it('read the tree once', async () => {
    const calls = [directory, world.directory()].map((replica) => markOf(ann, replica));
    await reading(1);
    await look();
    world.campus.latest.finish();
    await idle();
    await look();
    expect(await Promise.all(calls)).toEqual(['松园1', '松园1']);
    expect(world.campus.readings).toHaveLength(1);
  });

  it('never both store: one that was believed dead gives up, and has what the other one read', async () => {
    const outcome = expect(markOf()).rejects.toMatchObject({ kind: 'internal' });
    await reading(1);
    world.stores.execute("update leases set owner = 'other' where name = 'room-tree'");
    world.clock.advance(10_000);
    await vi.waitFor(() => expect(world.campus.latest.context.signal.aborted).toBe(true));
    await outcome;
    await fill();
    expect(await markOf()).toBe('松园0');
    expect(world.trees.kept?.revision).toBe(1);
  });
});

describe('closing', () => {
  it('lets no reading begin afterwards', async () => {
    await directory.close();
    await expect(directory.rooms(ann, callContext())).rejects.toMatchObject({ kind: 'overloaded' });
    expect(world.campus.readings).toEqual([]);
  });

  it('ends what is running, tells who waits, and frees every lease', async () => {
    const calls = [directory.rooms(ben, callContext()), directory.refresh(ann, callContext())];
    const outcomes = Promise.allSettled(calls);
    await reading(1);
    await vi.waitFor(() => expect(world.leases).toHaveLength(2));
    const { release } = world.stores.leases;
    vi.spyOn(world.stores.leases, 'release').mockImplementation(async (name, owner) => {
      if (name === 'room-refresh') await new Promise((resolve) => setImmediate(resolve));
      return release(name, owner);
    });
    await expect(directory.refresh(ann, callContext())).rejects.toMatchObject({ kind: 'room-refresh-running' });
    await directory.close();
    expect(world.leases).toEqual([]);
    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { kind: 'overloaded' } });
    }
    expect([world.trees.kept, world.trees.refreshedAtMs]).toEqual([null, null]);
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import { ElectricityService } from '../../../../src/domain/electricity/electricity.ts';
import type { RoomBinding, RoomBindingStore } from '../../../../src/domain/electricity/reads.ts';
import { RoomIndex } from '../../../../src/domain/electricity/room-directory.ts';
import { callContext } from '../../../support/campus-rig.ts';
import { buildingsOf, emptyReading, RoomWorld } from '../../../support/room-world.ts';
import { testReads, testWrites } from '../../../support/test-reads.ts';

const ann = { userid: '1' };
const ben = { userid: '2' };
const pine = { roomCode: '010101', roomName: '1-101', displayText: '松园0/1-1层/1-101' };
/** A room that has left the tree since it was bound. */
const gone = { roomCode: '990101', roomName: '9-101', displayText: '拆除公寓/1层/9-101' };

let world: RoomWorld;
let bindings: Map<string, RoomBinding>;
let written: number;
let electricity: ElectricityService;
beforeEach(async () => {
  world = await RoomWorld.open();
  bindings = new Map();
  written = 0;
  const store: RoomBindingStore = {
    find: async (userid) => bindings.get(userid) ?? null,
    bind: async (userid, binding) => {
      if (userid === ben.userid) return 'user-gone';
      written += 1;
      bindings.set(userid, binding);
      return 'bound';
    },
  };
  electricity = new ElectricityService({
    rooms: world.directory(),
    bindings: store,
    campus: world.campus,
    reads: testReads(world.clock),
    writes: testWrites(world.clock),
    clock: world.clock,
    adminUserIds: [ann.userid],
  });
  await world.trees.replace({ readAt: world.clock.now(), buildings: JSON.stringify(buildingsOf('0')) });
});

describe('binding a room', () => {
  it('stores code, name and full name, without a request at the campus', async () => {
    await electricity.bindRoom(ann, '010101', callContext());
    expect(bindings.get(ann.userid)).toEqual(pine);
    expect([world.campus.readings, world.campus.meters]).toEqual([[], []]);
  });

  it('again changes nothing, another one replaces it', async () => {
    bindings.set(ann.userid, gone);
    await electricity.bindRoom(ann, gone.roomCode, callContext());
    expect([written, bindings.get(ann.userid)]).toEqual([0, gone]);
    await electricity.bindRoom(ann, '010101', callContext());
    expect([written, bindings.get(ann.userid)]).toEqual([1, pine]);
  });

  it.each(['01', '0101', '999999', ''])('refuses %j, which is no room of the tree', async (code) => {
    await expect(electricity.bindRoom(ann, code, callContext())).rejects.toMatchObject({ kind: 'room-unknown' });
    expect(written).toBe(0);
  });

  it('is refused when the account was erased before it is stored', async () => {
    await expect(electricity.bindRoom(ben, '010101', callContext())).rejects.toMatchObject({ kind: 'token-user-gone' });
  });
});

describe('the bound room', () => {
  it('is null, the full name of the tree, or the name it was bound under', async () => {
    expect(await electricity.boundRoom(ann)).toBeNull();
    bindings.set(ann.userid, { ...pine, displayText: 'as it was' });
    expect(await electricity.boundRoom(ann)).toEqual({ code: '010101', displayText: '松园0/1-1层/1-101' });
    bindings.set(ann.userid, gone);
    expect(await electricity.boundRoom(ann)).toEqual({ code: '990101', displayText: '9-101' });
  });

  it('is shown without a tree, which is not read for it', async () => {
    world.trees.kept = null;
    bindings.set(ann.userid, pine);
    expect(await electricity.boundRoom(ann)).toEqual({ code: '010101', displayText: '1-101' });
    expect(world.campus.readings).toEqual([]);
  });
});

describe('a reading', () => {
  it('without a bound room asks no campus', async () => {
    await expect(electricity.reading(ann, callContext())).rejects.toMatchObject({ kind: 'room-unbound' });
    expect(world.campus.meters).toEqual([]);
  });

  it('is of the bound room under the name it has now', async () => {
    bindings.set(ann.userid, { ...pine, roomName: 'then', displayText: 'then' });
    const room = { room_code: '010101', room_text: 'then', room_display: '松园0/1-1层/1-101' };
    expect(await electricity.reading(ann, callContext())).toEqual({ ...emptyReading, ...room });
    expect(world.campus.meters).toEqual([{ student: ann, room: { code: '010101', displayText: '松园0/1-1层/1-101' } }]);
  });

  it('of a room that left the tree still names it to the site, and shows no name', async () => {
    bindings.set(ann.userid, gone);
    expect(await electricity.reading(ann, callContext())).toMatchObject({
      room_code: '990101',
      room_text: '9-101',
      room_display: '',
    });
    expect(world.campus.meters[0]?.room).toEqual({ code: '990101', displayText: '拆除公寓/1层/9-101' });
  });
});

it('a refresh is for administrators', async () => {
  await expect(electricity.refreshRooms(ben, callContext())).rejects.toMatchObject({ kind: 'forbidden' });
  world.trees.refreshedAtMs = world.clock.now();
  await expect(electricity.refreshRooms(ann, callContext())).rejects.toMatchObject({ kind: 'room-refresh-cool-down' });
  expect(world.campus.readings).toEqual([]);
});

describe('the index of a tree', () => {
  const building = (code: string, name: string, floor: string, rooms: Readonly<Record<string, string>>) => {
    const named = Object.entries(rooms).map(([room, as]) => ({ code: room, name: as }));
    return { code, name, floors: [{ code: '110', name: floor, rooms: named }] };
  };
  const buildings = [building('1', 'A', 'a', { 11001: 'x' }), building('11', 'B', 'b', { 11001: 'y', 11002: 'z' })];
  const index = new RoomIndex({ revision: 1, readAt: 0, buildings });

  it('takes parents from the lists and not from the beginning of codes', () => {
    expect(index.room('11002').display_text).toBe('B/b/z');
    expect(index.building('11').name).toBe('B');
  });

  it('gives a code that two parents name to the first', () => {
    expect([index.floor('110').building_code, index.room('11001').display_text]).toEqual(['1', 'A/a/x']);
  });
});

import { Type } from '@sinclair/typebox';
import type { Electricity } from '../../../domain/electricity/electricity.ts';
import { ElectricityReading } from '../../../domain/electricity/records.ts';
import { flag, integer, object, text } from '../../../domain/record.ts';
import { createTimestamper } from '../../../lib/campus-time.ts';
import { type Operation, operation, Told } from '../operation.ts';

const codeLike = (example?: string) => text('Code of the campus; opaque.', example);
const code = codeLike();
const name = text('Name, as the campus writes it.');

const campusTime = (description: string) =>
  Type.String({ description: `\`YYYY-MM-DD HH:MM:SS\`, campus time; ${description}` });

const BuildingPath = Type.Object({ building_code: codeLike('01') });
const FloorPath = Type.Object({ floor_code: codeLike('0101') });
const RoomPath = Type.Object({ room_code: codeLike('010101') });

const BindRoomRequest = object('BindRoomRequest', 'The room to bind.', {
  room_id: Type.String({ minLength: 1, maxLength: 20, description: 'Room code.' }),
});

const BindRoomResponse = object('BindRoomResponse', 'The room is bound.', {
  success: flag('Always true.', true),
});

const BuildingInfo = object('BuildingInfo', 'A building.', { code, name });
const RoomInfo = object('RoomInfo', 'A room.', { code, name });

const CacheFloorData = object('CacheFloorData', 'A floor with its rooms.', {
  code,
  name,
  rooms: Type.Array(RoomInfo, { description: 'In the order of the campus; may be empty.' }),
});

const CacheBuildingData = object('CacheBuildingData', 'A building with its floors.', {
  code,
  name,
  floors: Type.Array(CacheFloorData, { description: 'By code.' }),
});

const CacheRoomsData = object('CacheRoomsData', 'Buildings with their floors and rooms.', {
  datetime: campusTime('when the list was read at the campus.'),
  data: Type.Array(CacheBuildingData, { description: 'By code.' }),
});

const BuildingListResponse = object('BuildingListResponse', 'All buildings.', {
  buildings: Type.Array(BuildingInfo, { description: 'By code.' }),
  building_count: integer('Length of `buildings`.', 1),
  datetime: campusTime('when the list was read at the campus.'),
});

const FloorRoomsResponse = object('FloorRoomsResponse', 'The rooms of a floor.', {
  floor_code: code,
  floor_name: name,
  building_code: code,
  rooms: Type.Array(RoomInfo, { description: 'In the order of the campus.' }),
  room_count: integer('Length of `rooms`.', 1),
});

const displayText = text('`<building>/<floor>/<room>`, by name.');

const RoomDetailResponse = object('RoomDetailResponse', 'A room with its floor and building.', {
  room_code: code,
  room_name: name,
  floor_code: code,
  floor_name: name,
  building_code: code,
  building_name: name,
  display_text: displayText,
});

const CurrentRoomResponse = object('CurrentRoomResponse', 'The room that is bound.', {
  room_code: text('Empty when no room is bound.', '010101'),
  display_text: text(
    '`<building>/<floor>/<room>`; the name alone for a room that is not in the list; empty when unbound.',
  ),
});

const ForceRefreshResponse = object('ForceRefreshResponse', 'What became of a refresh.', {
  success: flag('The list was read anew.', true),
  message: text('Text for people.', '房间列表刷新成功'),
  remaining_cooldown: integer('Seconds until a refresh is possible again.', 0),
});

const exampleTime = '2026-03-15 03:00:00';

const exampleBuilding = {
  code: '01',
  name: '示例1号公寓',
  floors: [{ code: '0101', name: '1-1层', rooms: [{ code: '010101', name: '1-101' }] }],
};

const exampleRooms = { datetime: exampleTime, data: [exampleBuilding] };
const exampleDisplay = '示例1号公寓/1-1层/1-101';
const shared = { level: 'TU', tag: 'Electricity' } as const;
const read = { ...shared } as const;

/** What all readers of the list may be told about it. */
const fromList =
  'From the list of the whole service, which is read at the campus when there is none and then serves everybody; older than 7 days it is read anew behind the scenes.';

const refreshed = '房间列表刷新成功';
const cooling = '刷新操作冷却中，请在 12 分 31 秒后重试';

export const electricityOperations = (electricity: Electricity, timeZone: string): Operation[] => {
  const timestamp = createTimestamper(timeZone);
  return [
    operation({
      ...read,
      ageless: true,
      route: 'GET /isim/room/list',
      needs: ['electricity.readRooms'],
      operationId: 'listRooms',
      scope: 'electricity:read',
      summary: 'Full building/floor/room tree',
      description: fromList,
      data: CacheRoomsData,
      message: '获取寝室列表成功',
      example: { data: exampleRooms },
      run: async (call) => {
        const { tree } = await electricity.rooms(call.student, call);
        return { datetime: timestamp(tree.readAt), data: tree.buildings };
      },
    }),
    operation({
      ...read,
      ageless: true,
      route: 'GET /isim/room/list/buildings',
      needs: ['electricity.readRooms'],
      operationId: 'listBuildings',
      scope: 'electricity:read',
      summary: 'Building list only',
      description: fromList,
      data: BuildingListResponse,
      message: '获取楼栋列表成功，共 1 个楼栋',
      example: {
        data: { buildings: [{ code: '01', name: '示例1号公寓' }], building_count: 1, datetime: exampleTime },
      },
      run: async (call) => {
        const { tree } = await electricity.rooms(call.student, call);
        const { buildings, readAt } = tree;
        const data = { buildings, building_count: buildings.length, datetime: timestamp(readAt) };
        return new Told(data, `获取楼栋列表成功，共 ${buildings.length} 个楼栋`);
      },
    }),
    operation({
      ...read,
      ageless: true,
      route: 'GET /isim/room/list/building/:building_code',
      needs: ['electricity.readRooms'],
      operationId: 'getBuilding',
      scope: 'electricity:read',
      summary: 'Floors and rooms of a building',
      description: fromList,
      params: BuildingPath,
      data: CacheRoomsData,
      message: '获取楼栋 01 信息成功',
      example: { data: exampleRooms },
      failures: ['ROOM_NOT_FOUND'],
      run: async (call) => {
        const rooms = await electricity.rooms(call.student, call);
        const { building_code } = call.params;
        const data = { datetime: timestamp(rooms.tree.readAt), data: [rooms.building(building_code)] };
        return new Told(data, `获取楼栋 ${building_code} 信息成功`);
      },
    }),
    operation({
      ...read,
      ageless: true,
      route: 'GET /isim/room/list/floor/:floor_code',
      needs: ['electricity.readRooms'],
      operationId: 'getFloor',
      scope: 'electricity:read',
      summary: 'Rooms of a floor',
      description: fromList,
      params: FloorPath,
      data: FloorRoomsResponse,
      message: '获取楼层 0101 的房间信息成功，共 1 个房间',
      example: {
        data: {
          floor_code: '0101',
          floor_name: '1-1层',
          building_code: '01',
          rooms: [{ code: '010101', name: '1-101' }],
          room_count: 1,
        },
      },
      failures: ['ROOM_NOT_FOUND'],
      run: async (call) => {
        const rooms = await electricity.rooms(call.student, call);
        const { floor, building } = rooms.floor(call.params.floor_code);
        const data = {
          floor_code: floor.code,
          floor_name: floor.name,
          building_code: building.code,
          rooms: floor.rooms,
          room_count: floor.rooms.length,
        };
        return new Told(data, `获取楼层 ${floor.code} 的房间信息成功，共 ${floor.rooms.length} 个房间`);
      },
    }),
    operation({
      ...read,
      ageless: true,
      route: 'GET /isim/room/info/:room_code',
      needs: ['electricity.readRooms'],
      operationId: 'getRoom',
      scope: 'electricity:read',
      summary: 'Single-room detail',
      description: fromList,
      params: RoomPath,
      data: RoomDetailResponse,
      message: '获取房间 010101 的详细信息成功',
      example: {
        data: {
          room_code: '010101',
          room_name: '1-101',
          floor_code: '0101',
          floor_name: '1-1层',
          building_code: '01',
          building_name: '示例1号公寓',
          display_text: exampleDisplay,
        },
      },
      failures: ['ROOM_NOT_FOUND'],
      run: async (call) => {
        const { room, floor, building, displayText } = (await electricity.rooms(call.student, call)).room(
          call.params.room_code,
        );
        const data = {
          room_code: room.code,
          room_name: room.name,
          floor_code: floor.code,
          floor_name: floor.name,
          building_code: building.code,
          building_name: building.name,
          display_text: displayText,
        };
        return new Told(data, `获取房间 ${room.code} 的详细信息成功`);
      },
    }),
    operation({
      ...shared,
      route: 'POST /isim/room/bind',
      needs: ['electricity.readRooms'],
      operationId: 'bindRoom',
      scope: 'electricity:write',
      summary: 'Bind dormitory to current user',
      description: 'One room per student; the next one replaces it. Nothing is changed at the campus.',
      body: BindRoomRequest,
      data: BindRoomResponse,
      message: '宿舍绑定成功',
      example: { body: { room_id: '010101' } },
      failures: ['ROOM_NOT_FOUND'],
      run: async (call) => {
        await electricity.bindRoom(call.student, call.body.room_id, call);
        return { success: true };
      },
    }),
    operation({
      ...shared,
      level: 'T',
      route: 'GET /isim/room/current',
      needs: ['electricity.readRooms'],
      operationId: 'getBoundRoom',
      scope: 'electricity:read',
      summary: 'Get bound dormitory',
      description: 'Empty members when no room is bound. The campus is not asked.',
      data: CurrentRoomResponse,
      message: '获取宿舍信息成功',
      example: { data: { room_code: '010101', display_text: exampleDisplay } },
      run: async (call) => {
        const room = await electricity.boundRoom(call.student);
        return room === null
          ? new Told({ room_code: '', display_text: '' }, '获取宿舍信息成功，用户未绑定宿舍')
          : { room_code: room.code, display_text: room.displayText };
      },
    }),
    operation({
      ...read,
      route: 'GET /isim/elec/info',
      needs: ['electricity.readMeter'],
      operationId: 'getElectricity',
      scope: 'electricity:read',
      summary: 'Dormitory electricity info',
      description: 'What the meter of the bound room shows now. Always read at the campus.',
      data: ElectricityReading,
      message: '获取寝室电费信息成功',
      failures: ['UNBOUND_ROOM'],
      run: (call) => electricity.reading(call.student, call),
    }),
    operation({
      ...shared,
      route: 'POST /isim/room/refresh',
      needs: ['electricity.readRooms'],
      operationId: 'refreshRooms',
      scope: 'login',
      summary: 'Force refresh of the room-list cache (administrative)',
      description:
        'One at a time in the whole service, and not again for 30 minutes after one that succeeded. The old list serves until the new one is complete. A call whose time ends first leaves the refresh running.',
      data: ForceRefreshResponse,
      message: refreshed,
      failures: ['FORBIDDEN'],
      coolDown: {
        title: 'RoomRefreshRefusal',
        data: ForceRefreshResponse,
        example: { message: cooling, data: { success: false, message: cooling, remaining_cooldown: 751 } },
      },
      run: async (call) => {
        await electricity.refreshRooms(call.student, call);
        return { success: true, message: refreshed, remaining_cooldown: 0 };
      },
    }),
  ];
};

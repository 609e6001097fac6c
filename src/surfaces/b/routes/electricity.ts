import type { Electricity } from '../../../domain/electricity/electricity.ts';
import { createTimestamper } from '../../../lib/campus-time.ts';
import { type Operation, studentOperation } from '../operation.ts';
import {
  presentBoundRoom,
  presentBuildings,
  presentFloor,
  presentReading,
  presentRoom,
  presentRooms,
} from '../present-electricity.ts';
import {
  BindRoomRequest,
  BindRoomResponse,
  BuildingListResponse,
  BuildingPath,
  CacheRoomsData,
  CurrentRoomResponse,
  FloorPath,
  FloorRoomsResponse,
  ForceRefreshResponse,
  RoomDetailResponse,
  RoomPath,
  UniISIMInfoResponse,
} from '../schemas/electricity.ts';

const exampleTime = '2026-03-15 03:00:00';
const exampleBuilding = {
  code: '01',
  name: '示例1号公寓',
  floors: [{ code: '0101', name: '1-1层', rooms: [{ code: '010101', name: '1-101' }] }],
};
const exampleRooms = { datetime: exampleTime, data: [exampleBuilding] };
const exampleDisplay = '示例1号公寓/1-1层/1-101';

const shared = { level: 'TU', tag: 'Electricity' } as const;
const read = { ...shared, method: 'GET' } as const;
/** What all readers of the list may be told about it. */
const fromList =
  'From the list of the whole service, which is read at the campus when there is none and then serves everybody; older than 7 days it is read anew behind the scenes.';
const noCoolDown = 0;

const listOperations = (electricity: Electricity, timestamp: (epochMs: number) => string): Operation[] => [
  studentOperation({
    ...read,
    ageless: true,
    url: '/isim/room/list',
    operationId: 'listRooms',
    summary: 'Full building/floor/room tree',
    description: fromList,
    data: CacheRoomsData,
    message: '获取寝室列表成功',
    example: { data: exampleRooms },
    run: async ({ student, context }) => {
      const { tree } = await electricity.rooms(student, context);
      return presentRooms(tree, tree.buildings, timestamp);
    },
  }),
  studentOperation({
    ...read,
    ageless: true,
    url: '/isim/room/list/buildings',
    operationId: 'listBuildings',
    summary: 'Building list only',
    description: fromList,
    data: BuildingListResponse,
    message: '获取楼栋列表成功，共 1 个楼栋',
    messageOf: ({ building_count }) => `获取楼栋列表成功，共 ${building_count} 个楼栋`,
    example: {
      data: { buildings: [{ code: '01', name: '示例1号公寓' }], building_count: 1, datetime: exampleTime },
    },
    run: async ({ student, context }) => {
      const { tree } = await electricity.rooms(student, context);
      return presentBuildings(tree, timestamp);
    },
  }),
  studentOperation({
    ...read,
    ageless: true,
    url: '/isim/room/list/building/:building_code',
    operationId: 'getBuilding',
    summary: 'Floors and rooms of a building',
    description: fromList,
    params: BuildingPath,
    data: CacheRoomsData,
    message: '获取楼栋 01 信息成功',
    messageOf: (_data, { building_code }) => `获取楼栋 ${building_code} 信息成功`,
    example: { data: exampleRooms },
    failures: ['ROOM_NOT_FOUND'],
    run: async ({ student, params, context }) => {
      const rooms = await electricity.rooms(student, context);
      return presentRooms(rooms.tree, [rooms.building(params.building_code)], timestamp);
    },
  }),
  studentOperation({
    ...read,
    ageless: true,
    url: '/isim/room/list/floor/:floor_code',
    operationId: 'getFloor',
    summary: 'Rooms of a floor',
    description: fromList,
    params: FloorPath,
    data: FloorRoomsResponse,
    message: '获取楼层 0101 的房间信息成功，共 1 个房间',
    messageOf: ({ floor_code, room_count }) => `获取楼层 ${floor_code} 的房间信息成功，共 ${room_count} 个房间`,
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
    run: async ({ student, params, context }) =>
      presentFloor((await electricity.rooms(student, context)).floor(params.floor_code)),
  }),
  studentOperation({
    ...read,
    ageless: true,
    url: '/isim/room/info/:room_code',
    operationId: 'getRoom',
    summary: 'Single-room detail',
    description: fromList,
    params: RoomPath,
    data: RoomDetailResponse,
    message: '获取房间 010101 的详细信息成功',
    messageOf: ({ room_code }) => `获取房间 ${room_code} 的详细信息成功`,
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
    run: async ({ student, params, context }) =>
      presentRoom((await electricity.rooms(student, context)).room(params.room_code)),
  }),
];

const ownRoomOperations = (electricity: Electricity): Operation[] => [
  studentOperation({
    ...shared,
    method: 'POST',
    url: '/isim/room/bind',
    operationId: 'bindRoom',
    summary: 'Bind dormitory to current user',
    description: 'One room per student; the next one replaces it. Nothing is changed at the campus.',
    body: BindRoomRequest,
    data: BindRoomResponse,
    message: '宿舍绑定成功',
    example: { body: { room_id: '010101' }, data: { success: true } },
    details: [{ loc: ['body', 'room_id'], msg: 'Field required', type: 'missing' }],
    failures: ['ROOM_NOT_FOUND'],
    run: async ({ student, body, context }) => {
      await electricity.bindRoom(student, body.room_id, context);
      return { success: true };
    },
  }),
  studentOperation({
    ...shared,
    level: 'T',
    method: 'GET',
    url: '/isim/room/current',
    operationId: 'getBoundRoom',
    summary: 'Get bound dormitory',
    description: 'Empty members when no room is bound. The campus is not asked.',
    data: CurrentRoomResponse,
    message: '获取宿舍信息成功',
    messageOf: ({ room_code }) => (room_code === '' ? '获取宿舍信息成功，用户未绑定宿舍' : '获取宿舍信息成功'),
    example: { data: { room_code: '010101', display_text: exampleDisplay } },
    run: async ({ student }) => presentBoundRoom(await electricity.boundRoom(student)),
  }),
  studentOperation({
    ...read,
    url: '/isim/elec/info',
    operationId: 'getElectricity',
    summary: 'Dormitory electricity info',
    description: 'What the meter of the bound room shows now. Always read at the campus.',
    data: UniISIMInfoResponse,
    message: '获取寝室电费信息成功',
    example: {
      data: {
        room_code: '010101',
        room_text: '1-101',
        room_display: exampleDisplay,
        balance: { remaining_purchased: 120.5, remaining_subsidy: 30 },
        usage_records: [{ record_time: '2026-03-15 00:05:00', usage_amount: 1.2, meter_name: '1-101空调' }],
        payments: [{ payment_time: '2026-03-01 11:30:00', amount: 50, payment_type: '下发补助' }],
      },
    },
    failures: ['UNBOUND_ROOM'],
    run: async ({ student, context }) => presentReading(await electricity.reading(student, context)),
  }),
];

const refreshed = '房间列表刷新成功';
const cooling = '刷新操作冷却中，请在 12 分 30 秒后重试';

const refreshOperation = (electricity: Electricity): Operation =>
  studentOperation({
    ...shared,
    method: 'POST',
    url: '/isim/room/refresh',
    operationId: 'refreshRooms',
    summary: 'Force refresh of the room-list cache (administrative)',
    description:
      'One at a time in the whole service, and not again for 30 minutes after one that succeeded. The old list serves until the new one is complete. A call whose time ends first leaves the refresh running.',
    data: ForceRefreshResponse,
    message: refreshed,
    example: { data: { success: true, message: refreshed, remaining_cooldown: noCoolDown } },
    failures: ['FORBIDDEN'],
    coolDown: {
      title: 'RoomRefreshRefusal',
      data: ForceRefreshResponse,
      example: { message: cooling, data: { success: false, message: cooling, remaining_cooldown: 750.25 } },
    },
    run: async ({ student, context }) => {
      await electricity.refreshRooms(student, context);
      return { success: true, message: refreshed, remaining_cooldown: noCoolDown };
    },
  });

export const electricityOperations = (electricity: Electricity, timeZone: string): Operation[] => [
  ...listOperations(electricity, createTimestamper(timeZone)),
  ...ownRoomOperations(electricity),
  refreshOperation(electricity),
];

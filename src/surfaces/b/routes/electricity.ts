import { Type } from '@sinclair/typebox';
import {
  BuildingInfo,
  CacheBuildingData,
  display,
  ElectricityReading,
  FloorRooms,
  RoomDetail,
} from '../../../domain/electricity/records.ts';
import { flag, integer, listOf, object, text } from '../../../domain/record.ts';
import { createTimestamper } from '../../../lib/time.ts';
import type { SurfaceBDeps } from '../described.ts';
import { type Operation, operation } from '../operation.ts';
import { tellDone } from './account.ts';

const readAt = text('`YYYY-MM-DD HH:MM:SS`, campus time; when the list was read at the campus.', '2026-03-15 03:00:00');

const CacheRoomsData = object('CacheRoomsData', 'Buildings with their floors and rooms.', {
  datetime: readAt,
  data: listOf(CacheBuildingData, 'By code.'),
});

const ForceRefreshResponse = object('ForceRefreshResponse', 'What became of a refresh.', {
  success: flag('The list was read again.', true),
  message: text('Text for people.', '房间列表刷新成功'),
  remaining_cooldown: integer('Seconds until a refresh is possible again.', 0),
});

const defaults = {
  level: 'TU',
  tag: 'Electricity',
  needs: ['electricity.readRooms'],
  scope: 'electricity:read',
} as const;

const fromList = {
  ...defaults,
  ageless: true,
  description:
    'From the list of the whole service, which is read at the campus when there is none and then serves everybody; older than 7 days it is read again in the background.',
} as const;

const refreshed = '房间列表刷新成功';
const cooling = '刷新操作冷却中，请在 12 分 31 秒后重试';

export const electricityOperations = ({ services: { electricity }, timeZone }: SurfaceBDeps): Operation[] => {
  const timestamp = createTimestamper(timeZone);
  return [
    operation('GET /isim/room/list', 'listRooms', {
      ...fromList,
      summary: { en: 'Full building/floor/room tree', zh: '楼栋、楼层、房间' },
      data: CacheRoomsData,
      message: '获取寝室列表成功',
      run: async (call) => {
        const { tree } = await electricity.rooms(call.student, call);
        return { datetime: timestamp(tree.readAt), data: tree.buildings };
      },
    }),
    operation('GET /isim/room/list/buildings', 'listBuildings', {
      ...fromList,
      summary: { en: 'Building list only', zh: '楼栋列表' },
      data: object('BuildingListResponse', 'All buildings.', {
        buildings: listOf(BuildingInfo, 'By code.'),
        building_count: integer('Length of `buildings`.', 1),
        datetime: readAt,
      }),
      message: ({ buildings }) => `获取楼栋列表成功，共 ${buildings.length} 个楼栋`,
      run: async (call) => {
        const { buildings, readAt } = (await electricity.rooms(call.student, call)).tree;
        return { buildings, building_count: buildings.length, datetime: timestamp(readAt) };
      },
    }),
    operation('GET /isim/room/list/building/:building_code', 'getBuilding', {
      ...fromList,
      summary: { en: 'Floors and rooms of a building', zh: '楼栋的楼层和房间' },
      params: Type.Object({ building_code: RoomDetail.properties.building_code }),
      data: CacheRoomsData,
      message: ({ data: [building] }) => `获取楼栋 ${building?.code} 信息成功`,
      failures: ['ROOM_NOT_FOUND'],
      run: async (call) => {
        const rooms = await electricity.rooms(call.student, call);
        return { datetime: timestamp(rooms.tree.readAt), data: [rooms.building(call.params.building_code)] };
      },
    }),
    operation('GET /isim/room/list/floor/:floor_code', 'getFloor', {
      ...fromList,
      summary: { en: 'Rooms of a floor', zh: '楼层的房间' },
      params: Type.Object({ floor_code: RoomDetail.properties.floor_code }),
      data: FloorRooms,
      message: ({ floor_code, rooms }) => `获取楼层 ${floor_code} 的房间信息成功，共 ${rooms.length} 个房间`,
      failures: ['ROOM_NOT_FOUND'],
      run: async (call) => {
        const rooms = await electricity.rooms(call.student, call);
        return rooms.floor(call.params.floor_code);
      },
    }),
    operation('GET /isim/room/info/:room_code', 'getRoom', {
      ...fromList,
      summary: { en: 'Single-room detail', zh: '房间详情' },
      params: Type.Object({ room_code: RoomDetail.properties.room_code }),
      data: RoomDetail,
      message: ({ room_code }) => `获取房间 ${room_code} 的详细信息成功`,
      failures: ['ROOM_NOT_FOUND'],
      run: async (call) => {
        const rooms = await electricity.rooms(call.student, call);
        return rooms.room(call.params.room_code);
      },
    }),
    operation('POST /isim/room/bind', 'bindRoom', {
      ...defaults,
      scope: 'electricity:write',
      summary: { en: 'Bind dormitory to current user', zh: '绑定宿舍' },
      description: 'One room per student; the next one replaces it. Nothing is changed at the campus.',
      body: object('BindRoomRequest', 'The room to bind.', {
        room_id: text('Room code.', '010101', { minLength: 1, maxLength: 20 }),
      }),
      data: object('BoundRoom', 'The room is bound.', {
        success: flag('Always true.', true),
      }),
      message: '宿舍绑定成功',
      failures: ['ROOM_NOT_FOUND'],
      run: async (call) => tellDone(await electricity.bindRoom(call.student, call.body.room_id, call)),
    }),
    operation('GET /isim/room/current', 'getBoundRoom', {
      ...defaults,
      level: 'T',
      summary: { en: 'Get bound dormitory', zh: '已绑定的宿舍' },
      description: 'Empty members when no room is bound. The campus is not asked.',
      data: object('CurrentRoomResponse', 'The room that is bound.', {
        room_code: text('Empty when no room is bound.', '010101'),
        display_text: text(
          '`<building>/<floor>/<room>`; the name alone for a room that is not in the list; empty when unbound.',
          display,
        ),
      }),
      message: ({ room_code }) => (room_code === '' ? '获取宿舍信息成功，用户未绑定宿舍' : '获取宿舍信息成功'),
      run: async (call) => {
        const room = await electricity.boundRoom(call.student);
        return { room_code: room?.code ?? '', display_text: room?.displayText ?? '' };
      },
    }),
    operation('GET /isim/elec/info', 'getElectricity', {
      ...defaults,
      needs: ['electricity.readMeter'],
      summary: { en: 'Dormitory electricity info', zh: '宿舍电费' },
      description: 'What the meter of the bound room shows now. Always read at the campus.',
      data: ElectricityReading,
      message: '获取寝室电费信息成功',
      failures: ['UNBOUND_ROOM'],
      run: (call) => electricity.reading(call.student, call),
    }),
    operation('POST /isim/room/refresh', 'refreshRooms', {
      ...defaults,
      scope: 'login',
      summary: { en: 'Force refresh of the room-list cache (administrative)', zh: '刷新房间列表（管理员）' },
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

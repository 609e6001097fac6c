import { Type } from '@sinclair/typebox';

const code = Type.String({ description: 'Code of the campus; opaque.' });
const name = Type.String();
const campusTime = (description: string) =>
  Type.String({ description: `\`YYYY-MM-DD HH:MM:SS\`, campus time; ${description}` });

export const BuildingPath = Type.Object({ building_code: code });
export const FloorPath = Type.Object({ floor_code: code });
export const RoomPath = Type.Object({ room_code: code });

export const BindRoomRequest = Type.Object(
  { room_id: Type.String({ minLength: 1, maxLength: 20, description: 'Room code.' }) },
  { title: 'BindRoomRequest' },
);
export const BindRoomResponse = Type.Object({ success: Type.Boolean() }, { title: 'BindRoomResponse' });

export const BuildingInfo = Type.Object({ code, name }, { title: 'BuildingInfo' });
export const RoomInfo = Type.Object({ code, name }, { title: 'RoomInfo' });

const CacheFloorData = Type.Object(
  { code, name, rooms: Type.Array(RoomInfo, { description: 'In the order of the campus; may be empty.' }) },
  { title: 'CacheFloorData' },
);
const CacheBuildingData = Type.Object(
  { code, name, floors: Type.Array(CacheFloorData, { description: 'By code.' }) },
  { title: 'CacheBuildingData' },
);
export const CacheRoomsData = Type.Object(
  {
    datetime: campusTime('when the list was read at the campus.'),
    data: Type.Array(CacheBuildingData, { description: 'By code.' }),
  },
  { title: 'CacheRoomsData' },
);

export const BuildingListResponse = Type.Object(
  {
    buildings: Type.Array(BuildingInfo),
    building_count: Type.Integer(),
    datetime: campusTime('when the list was read at the campus.'),
  },
  { title: 'BuildingListResponse' },
);

export const FloorRoomsResponse = Type.Object(
  { floor_code: code, floor_name: name, building_code: code, rooms: Type.Array(RoomInfo), room_count: Type.Integer() },
  { title: 'FloorRoomsResponse' },
);

const displayText = Type.String({ description: '`<building>/<floor>/<room>`, by name.' });

export const RoomDetailResponse = Type.Object(
  {
    room_code: code,
    room_name: name,
    floor_code: code,
    floor_name: name,
    building_code: code,
    building_name: name,
    display_text: displayText,
  },
  { title: 'RoomDetailResponse' },
);

export const CurrentRoomResponse = Type.Object(
  {
    room_code: Type.String({ description: 'Empty when no room is bound.' }),
    display_text: Type.String({
      description:
        '`<building>/<floor>/<room>`; the name alone for a room that is not in the list; empty when unbound.',
    }),
  },
  { title: 'CurrentRoomResponse' },
);

export const ForceRefreshResponse = Type.Object(
  {
    success: Type.Boolean(),
    message: Type.String(),
    remaining_cooldown: Type.Number({ description: 'Seconds.' }),
  },
  { title: 'ForceRefreshResponse' },
);

const ElectricityBalance = Type.Object(
  {
    remaining_purchased: Type.Number({ description: 'kWh; negative when overdrawn.' }),
    remaining_subsidy: Type.Number({ description: 'kWh; 0 for dormitories without a subsidy.' }),
  },
  { title: 'ElectricityBalance' },
);

const ElectricityUsageRecord = Type.Object(
  {
    record_time: Type.String({ description: 'As the campus prints it, normally `YYYY-MM-DD HH:MM:SS`.' }),
    usage_amount: Type.Number({ description: 'kWh' }),
    meter_name: Type.String({ description: 'A room may have several meters; empty when not stated.' }),
  },
  { title: 'ElectricityUsageRecord' },
);

const PaymentRecord = Type.Object(
  {
    payment_time: Type.String({ description: 'As the campus prints it, normally `YYYY-MM-DD HH:MM:SS`.' }),
    amount: Type.Number({ description: 'Yuan; may be negative.' }),
    payment_type: Type.String({ description: 'e.g. `一卡通充值`; empty when not stated.' }),
  },
  { title: 'PaymentRecord' },
);

export const UniISIMInfoResponse = Type.Object(
  {
    room_code: code,
    room_text: Type.String({ description: 'Name of the room when it was bound.' }),
    room_display: Type.String({
      description: '`<building>/<floor>/<room>`; empty for a room that is not in the list.',
    }),
    balance: ElectricityBalance,
    usage_records: Type.Array(ElectricityUsageRecord, { description: 'In the order of the campus.' }),
    payments: Type.Array(PaymentRecord, { description: 'In the order of the campus.' }),
  },
  { title: 'UniISIMInfoResponse' },
);

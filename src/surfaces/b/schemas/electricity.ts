import { Type } from '@sinclair/typebox';

const code = Type.String({ description: 'Code of the campus; opaque.' });
const name = Type.String({ description: 'Name, as the campus writes it.' });
const campusTime = (description: string) =>
  Type.String({ description: `\`YYYY-MM-DD HH:MM:SS\`, campus time; ${description}` });

export const BuildingPath = Type.Object({ building_code: code });
export const FloorPath = Type.Object({ floor_code: code });
export const RoomPath = Type.Object({ room_code: code });

export const BindRoomRequest = Type.Object(
  { room_id: Type.String({ minLength: 1, maxLength: 20, description: 'Room code.' }) },
  { title: 'BindRoomRequest', description: 'The room to bind.' },
);
export const BindRoomResponse = Type.Object(
  { success: Type.Boolean({ description: 'Always true.' }) },
  { title: 'BindRoomResponse', description: 'The room is bound.' },
);

export const BuildingInfo = Type.Object({ code, name }, { title: 'BuildingInfo', description: 'A building.' });
export const RoomInfo = Type.Object({ code, name }, { title: 'RoomInfo', description: 'A room.' });

const CacheFloorData = Type.Object(
  { code, name, rooms: Type.Array(RoomInfo, { description: 'In the order of the campus; may be empty.' }) },
  { title: 'CacheFloorData', description: 'A floor with its rooms.' },
);
const CacheBuildingData = Type.Object(
  { code, name, floors: Type.Array(CacheFloorData, { description: 'By code.' }) },
  { title: 'CacheBuildingData', description: 'A building with its floors.' },
);
export const CacheRoomsData = Type.Object(
  {
    datetime: campusTime('when the list was read at the campus.'),
    data: Type.Array(CacheBuildingData, { description: 'By code.' }),
  },
  { title: 'CacheRoomsData', description: 'Buildings with their floors and rooms.' },
);

export const BuildingListResponse = Type.Object(
  {
    buildings: Type.Array(BuildingInfo, { description: 'By code.' }),
    building_count: Type.Integer({ description: 'Length of `buildings`.' }),
    datetime: campusTime('when the list was read at the campus.'),
  },
  { title: 'BuildingListResponse', description: 'All buildings.' },
);

export const FloorRoomsResponse = Type.Object(
  {
    floor_code: code,
    floor_name: name,
    building_code: code,
    rooms: Type.Array(RoomInfo, { description: 'In the order of the campus.' }),
    room_count: Type.Integer({ description: 'Length of `rooms`.' }),
  },
  { title: 'FloorRoomsResponse', description: 'The rooms of a floor.' },
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
  { title: 'RoomDetailResponse', description: 'A room with its floor and building.' },
);

export const CurrentRoomResponse = Type.Object(
  {
    room_code: Type.String({ description: 'Empty when no room is bound.' }),
    display_text: Type.String({
      description:
        '`<building>/<floor>/<room>`; the name alone for a room that is not in the list; empty when unbound.',
    }),
  },
  { title: 'CurrentRoomResponse', description: 'The room that is bound.' },
);

export const ForceRefreshResponse = Type.Object(
  {
    success: Type.Boolean({ description: 'The list was read anew.' }),
    message: Type.String({ description: 'Text for people.' }),
    remaining_cooldown: Type.Number({ description: 'Seconds until a refresh is possible again.' }),
  },
  { title: 'ForceRefreshResponse', description: 'What became of a refresh.' },
);

const ElectricityBalance = Type.Object(
  {
    remaining_purchased: Type.Number({ description: 'kWh; negative when overdrawn.' }),
    remaining_subsidy: Type.Number({ description: 'kWh; 0 for dormitories without a subsidy.' }),
  },
  { title: 'ElectricityBalance', description: 'What is left, in kWh.' },
);

const ElectricityUsageRecord = Type.Object(
  {
    record_time: Type.String({ description: 'As the campus prints it, normally `YYYY-MM-DD HH:MM:SS`.' }),
    usage_amount: Type.Number({ description: 'kWh' }),
    meter_name: Type.String({ description: 'A room may have several meters; empty when not stated.' }),
  },
  { title: 'ElectricityUsageRecord', description: 'Electricity used.' },
);

const PaymentRecord = Type.Object(
  {
    payment_time: Type.String({ description: 'As the campus prints it, normally `YYYY-MM-DD HH:MM:SS`.' }),
    amount: Type.Number({ description: 'Yuan; may be negative.' }),
    payment_type: Type.String({ description: 'e.g. `一卡通充值`; empty when not stated.' }),
  },
  { title: 'PaymentRecord', description: 'A payment for electricity.' },
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
  { title: 'UniISIMInfoResponse', description: 'Electricity of the bound room.' },
);

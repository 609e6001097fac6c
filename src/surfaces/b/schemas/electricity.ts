import { Type } from '@sinclair/typebox';
import { integer, object, text } from '../../records/atoms.ts';

const code = text('Code of the campus; opaque.');
const name = text('Name, as the campus writes it.');
const campusTime = (description: string) =>
  Type.String({ description: `\`YYYY-MM-DD HH:MM:SS\`, campus time; ${description}` });

export const BuildingPath = Type.Object({ building_code: code });
export const FloorPath = Type.Object({ floor_code: code });
export const RoomPath = Type.Object({ room_code: code });

export const BindRoomRequest = object('BindRoomRequest', 'The room to bind.', {
  room_id: Type.String({ minLength: 1, maxLength: 20, description: 'Room code.' }),
});
export const BindRoomResponse = object('BindRoomResponse', 'The room is bound.', {
  success: Type.Boolean({ description: 'Always true.' }),
});

export const BuildingInfo = object('BuildingInfo', 'A building.', { code, name });
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
export const CacheRoomsData = object('CacheRoomsData', 'Buildings with their floors and rooms.', {
  datetime: campusTime('when the list was read at the campus.'),
  data: Type.Array(CacheBuildingData, { description: 'By code.' }),
});

export const BuildingListResponse = object('BuildingListResponse', 'All buildings.', {
  buildings: Type.Array(BuildingInfo, { description: 'By code.' }),
  building_count: integer('Length of `buildings`.'),
  datetime: campusTime('when the list was read at the campus.'),
});

export const FloorRoomsResponse = object('FloorRoomsResponse', 'The rooms of a floor.', {
  floor_code: code,
  floor_name: name,
  building_code: code,
  rooms: Type.Array(RoomInfo, { description: 'In the order of the campus.' }),
  room_count: integer('Length of `rooms`.'),
});

const displayText = text('`<building>/<floor>/<room>`, by name.');

export const RoomDetailResponse = object('RoomDetailResponse', 'A room with its floor and building.', {
  room_code: code,
  room_name: name,
  floor_code: code,
  floor_name: name,
  building_code: code,
  building_name: name,
  display_text: displayText,
});

export const CurrentRoomResponse = object('CurrentRoomResponse', 'The room that is bound.', {
  room_code: text('Empty when no room is bound.'),
  display_text: text(
    '`<building>/<floor>/<room>`; the name alone for a room that is not in the list; empty when unbound.',
  ),
});

export const ForceRefreshResponse = object('ForceRefreshResponse', 'What became of a refresh.', {
  success: Type.Boolean({ description: 'The list was read anew.' }),
  message: text('Text for people.'),
  remaining_cooldown: Type.Number({ description: 'Seconds until a refresh is possible again.' }),
});

const ElectricityBalance = object('ElectricityBalance', 'What is left, in kWh.', {
  remaining_purchased: Type.Number({ description: 'kWh; negative when overdrawn.' }),
  remaining_subsidy: Type.Number({ description: 'kWh; 0 for dormitories without a subsidy.' }),
});

const ElectricityUsageRecord = object('ElectricityUsageRecord', 'Electricity used.', {
  record_time: text('As the campus prints it, normally `YYYY-MM-DD HH:MM:SS`.'),
  usage_amount: Type.Number({ description: 'kWh' }),
  meter_name: text('A room may have several meters; empty when not stated.'),
});

const PaymentRecord = object('PaymentRecord', 'A payment for electricity.', {
  payment_time: text('As the campus prints it, normally `YYYY-MM-DD HH:MM:SS`.'),
  amount: Type.Number({ description: 'Yuan; may be negative.' }),
  payment_type: text('e.g. `一卡通充值`; empty when not stated.'),
});

export const UniISIMInfoResponse = object('UniISIMInfoResponse', 'Electricity of the bound room.', {
  room_code: code,
  room_text: text('Name of the room when it was bound.'),
  room_display: text('`<building>/<floor>/<room>`; empty for a room that is not in the list.'),
  balance: ElectricityBalance,
  usage_records: Type.Array(ElectricityUsageRecord, { description: 'In the order of the campus.' }),
  payments: Type.Array(PaymentRecord, { description: 'In the order of the campus.' }),
});

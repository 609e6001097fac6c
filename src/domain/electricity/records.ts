import { decimal, integer, listOf, object, type RecordOf, text } from '../record.ts';

export interface ElectricityBalance extends RecordOf<typeof ElectricityBalance> {}
export const ElectricityBalance = object('ElectricityBalance', 'What is left, in kWh.', {
  remaining_purchased: decimal('kWh; negative when overdrawn.', 120.5),
  remaining_subsidy: decimal('kWh; 0 for dormitories without a subsidy.', 30),
});

export interface UsageRecord extends RecordOf<typeof UsageRecord> {}
export const UsageRecord = object('ElectricityUsageRecord', 'Electricity used.', {
  record_time: text('As the campus prints it, normally `YYYY-MM-DD HH:MM:SS`.', '2026-03-15 00:05:00'),
  usage_amount: decimal('kWh', 1.2),
  meter_name: text('A room may have several meters; empty when not stated.', '1-101空调'),
});

export interface Payment extends RecordOf<typeof Payment> {}
export const Payment = object('PaymentRecord', 'A payment for electricity.', {
  payment_time: text('As the campus prints it, normally `YYYY-MM-DD HH:MM:SS`.', '2026-03-01 11:30:00'),
  amount: decimal('Yuan; may be negative.', 50),
  payment_type: text('e.g. `一卡通充值`; empty when not stated.', '下发补助'),
});

export interface ElectricityReading extends RecordOf<typeof ElectricityReading> {}
export const ElectricityReading = object('UniISIMInfoResponse', 'Electricity of the bound room.', {
  room_code: text('Code of the campus; opaque.', '010101'),
  room_text: text('Name of the room when it was bound.', '1-101'),
  room_display: text(
    '`<building>/<floor>/<room>`; empty for a room that is not in the list.',
    '示例1号公寓/1-1层/1-101',
  ),
  balance: ElectricityBalance,
  usage_records: listOf(UsageRecord, 'In the order of the campus.'),
  payments: listOf(Payment, 'In the order of the campus.'),
});

export type MeterReading = Pick<ElectricityReading, 'balance' | 'usage_records' | 'payments'>;

const code = (example: string) => text('Code of the campus; opaque.', example);
const name = (example: string) => text('Name, as the campus writes it.', example);
const members = (ofCode: string, ofName: string) => ({ code: code(ofCode), name: name(ofName) });
const building = members('01', '示例1号公寓');
const floor = members('0101', '1-1层');
const room = members('010101', '1-101');
export const display = '示例1号公寓/1-1层/1-101';

export const BuildingInfo = object('BuildingInfo', 'A building.', building);

export const RoomInfo = object('RoomInfo', 'A room.', room);

const CacheFloorData = object('CacheFloorData', 'A floor with its rooms.', {
  ...floor,
  rooms: listOf(RoomInfo, 'In the order of the campus; may be empty.'),
});

export const CacheBuildingData = object('CacheBuildingData', 'A building with its floors.', {
  ...building,
  floors: listOf(CacheFloorData, 'By code.'),
});

export interface FloorRooms extends RecordOf<typeof FloorRooms> {}
export const FloorRooms = object('FloorRoomsResponse', 'The rooms of a floor.', {
  floor_code: floor.code,
  floor_name: floor.name,
  building_code: building.code,
  rooms: listOf(RoomInfo, 'In the order of the campus.'),
  room_count: integer('Length of `rooms`.', 1),
});

/** Holds the floor and building whose lists named the room: codes say nothing about parents. */
export interface RoomDetail extends RecordOf<typeof RoomDetail> {}
export const RoomDetail = object('RoomDetailResponse', 'A room with its floor and building.', {
  room_code: room.code,
  room_name: room.name,
  floor_code: floor.code,
  floor_name: floor.name,
  building_code: building.code,
  building_name: building.name,
  display_text: text('`<building>/<floor>/<room>`, by name.', display),
});

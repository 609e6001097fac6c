import type { Static } from '@sinclair/typebox';
import type {
  Building,
  CodeName,
  ElectricityReading,
  FloorPlace,
  RoomPlace,
  RoomTree,
} from '../../domain/electricity/types.ts';
import type {
  BuildingInfo,
  BuildingListResponse,
  CacheRoomsData,
  CurrentRoomResponse,
  FloorRoomsResponse,
  RoomDetailResponse,
  UniISIMInfoResponse,
} from './schemas/electricity.ts';

type Timestamp = (epochMs: number) => string;

const presentCodeName = ({ code, name }: CodeName): Static<typeof BuildingInfo> => ({ code, name });

export const presentRooms = (
  { readAt }: RoomTree,
  buildings: readonly Building[],
  timestamp: Timestamp,
): Static<typeof CacheRoomsData> => ({
  datetime: timestamp(readAt),
  data: buildings.map((building) => ({
    ...presentCodeName(building),
    floors: building.floors.map((floor) => ({ ...presentCodeName(floor), rooms: floor.rooms.map(presentCodeName) })),
  })),
});

export const presentBuildings = (
  { readAt, buildings }: RoomTree,
  timestamp: Timestamp,
): Static<typeof BuildingListResponse> => ({
  buildings: buildings.map(presentCodeName),
  building_count: buildings.length,
  datetime: timestamp(readAt),
});

export const presentFloor = ({ floor, building }: FloorPlace): Static<typeof FloorRoomsResponse> => ({
  floor_code: floor.code,
  floor_name: floor.name,
  building_code: building.code,
  rooms: floor.rooms.map(presentCodeName),
  room_count: floor.rooms.length,
});

export const presentRoom = (place: RoomPlace): Static<typeof RoomDetailResponse> => ({
  room_code: place.room.code,
  room_name: place.room.name,
  floor_code: place.floor.code,
  floor_name: place.floor.name,
  building_code: place.building.code,
  building_name: place.building.name,
  display_text: place.displayText,
});

export const presentBoundRoom = (
  room: { readonly code: string; readonly displayText: string } | null,
): Static<typeof CurrentRoomResponse> => ({
  room_code: room?.code ?? '',
  display_text: room?.displayText ?? '',
});

export const presentReading = ({
  room,
  balance,
  usage,
  payments,
}: ElectricityReading): Static<typeof UniISIMInfoResponse> => ({
  room_code: room.code,
  room_text: room.name,
  room_display: room.displayText,
  balance: { remaining_purchased: balance.purchased, remaining_subsidy: balance.subsidy },
  usage_records: usage.map(({ time, amount, meter }) => ({
    record_time: time,
    usage_amount: amount,
    meter_name: meter,
  })),
  payments: payments.map(({ time, amount, type }) => ({ payment_time: time, amount, payment_type: type })),
});

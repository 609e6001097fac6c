import { findRoom } from './dormitories.ts';

export interface MeterRow {
  readonly time: string;
  /** With its unit, as printed. */
  readonly amount: string;
  readonly label: string;
}

/** What the record pages of one room show. */
export interface RoomRecords {
  readonly purchased: string;
  readonly subsidy: string;
  readonly usage: readonly MeterRow[];
  readonly payments: readonly MeterRow[];
}

const DAYS = 31;
const NEWEST = Date.UTC(2026, 2, 18);

const days = (): readonly string[] =>
  Array.from({ length: DAYS }, (_, i) => new Date(NEWEST - i * 86_400_000).toISOString().slice(0, 10));

/** A month of readings, newest first: one row per meter and day. */
const usageOf = (number: number, meters: readonly string[]): readonly MeterRow[] =>
  days().flatMap((day, age) =>
    meters.map((meter, which) => ({
      time: `${day} 00:04:58`,
      amount: `${which === 1 ? '0.00' : (((number * 37 + age * 13) % 900) / 100 + 0.5).toFixed(2)}度`,
      label: `电表: ${meter}`,
    })),
  );

const paymentsOf = (number: number): readonly MeterRow[] => [
  { time: '2026-03-12 11:30:08', amount: '50.00元', label: '类型: 一卡通充值' },
  { time: '2026-03-01 09:00:00', amount: `${30 + (number % 7)}.00元`, label: '类型：下发补助' },
  { time: '2026-02-27 16:20:41', amount: '-12.50元', label: '类型: 退费' },
];

/** The room with everything: two meters, thousands with and without a sign. */
const RICH_ROOM = '010101';
/** The room that used more than it had and has no records yet. */
const OVERDRAWN_ROOM = '010102';

/** Null: the site knows no such room. */
export const recordsOf = (roomCode: string): RoomRecords | null => {
  const found = findRoom(roomCode);
  if (!found) return null;
  const { room, number } = found;
  if (roomCode === RICH_ROOM) {
    return {
      purchased: '1,234.56度',
      subsidy: '36.80度',
      usage: usageOf(number, [room.name, `${room.name}空调`]),
      payments: [
        { time: '2026-03-15 08:12:55', amount: '1,250.50元', label: '类型: 一卡通充值' },
        { time: '2026-03-14 17:45:00', amount: '-1,250.50元', label: '类型: 一卡通充值' },
        ...paymentsOf(number),
      ],
    };
  }
  if (roomCode === OVERDRAWN_ROOM) return { purchased: '-3.20度', subsidy: '0.00度', usage: [], payments: [] };
  return {
    purchased: `${(20 + number * 1.25).toFixed(2)}度`,
    subsidy: '30.00度',
    usage: usageOf(number, [room.name]),
    payments: paymentsOf(number),
  };
};

import { dayText } from '../../lib/time.ts';
import { campusDayOf, presentAt } from './calendar.ts';
import { findRoom } from './dormitories.ts';
import { PURCHASE_AMOUNT, PURCHASE_TIME, purchaseDaysOfRoom, SHARED_ROOM } from './purchases.ts';

export interface MeterRow {
  readonly time: string;
  /** With its unit, as printed. */
  readonly amount: string;
  readonly label: string;
}

export interface RoomRecords {
  readonly purchased: string;
  readonly subsidy: string;
  readonly usage: readonly MeterRow[];
  readonly payments: readonly MeterRow[];
}

const DAYS = 31;
const MINUTE_MS = 60_000;

/** A month of readings, newest first: one row per meter and day, soon after midnight. */
const usageOf = (number: number, meters: readonly string[], now: number): readonly MeterRow[] => {
  const newest = campusDayOf(now - 5 * MINUTE_MS);
  return Array.from({ length: DAYS }, (_, age) => age).flatMap((age) =>
    meters.map((meter, which) => ({
      time: `${dayText(newest - age)} 00:04:58`,
      amount: `${which === 1 ? '0.00' : (((number * 37 + age * 13) % 900) / 100 + 0.5).toFixed(2)}度`,
      label: `电表: ${meter}`,
    })),
  );
};

/** The nine o'clock of the first of a month that was last. */
const subsidyDay = (now: number): string => `${dayText(campusDayOf(now - 9 * 60 * MINUTE_MS)).slice(0, 8)}01`;

const CARD = '类型: 一卡通充值';

const CASH = '类型: 现金充值';

/** Newest first. The rich room has what the cards of those who live there have paid. */
const paymentsOf = (number: number, now: number, rich: boolean): readonly MeterRow[] => {
  const ago = (days: number, time: string): string => `${dayText(campusDayOf(now) - days)} ${time}`;
  const charged = [
    { time: ago(3, '08:12:55'), amount: '1,250.50元', label: CASH },
    { time: ago(4, '17:45:00'), amount: '-1,250.50元', label: CASH },
    ...purchaseDaysOfRoom(presentAt(now, true)).map((day) => ({
      time: `${dayText(day)} ${PURCHASE_TIME}:00`,
      amount: `${PURCHASE_AMOUNT}元`,
      label: CARD,
    })),
  ];
  const usual = [
    { time: `${subsidyDay(now)} 09:00:00`, amount: `${30 + (number % 7)}.00元`, label: '类型：下发补助' },
    { time: ago(19, '16:20:41'), amount: '-12.50元', label: '类型: 退费' },
  ];
  return [...(rich ? charged : [{ time: ago(6, '11:30:08'), amount: '50.00元', label: CARD }]), ...usual].sort(
    (one, other) => other.time.localeCompare(one.time),
  );
};

/** The room with everything: two meters, thousands with and without a sign. */
const RICH_ROOM = SHARED_ROOM.code;
/** The room that used more than it had and has no records yet. */
const OVERDRAWN_ROOM = '010102';

/** Null: there is no such room. */
export const recordsOf = (roomCode: string, now: number): RoomRecords | null => {
  const found = findRoom(roomCode);
  if (!found) return null;
  const { room, number } = found;
  if (roomCode === RICH_ROOM) {
    return {
      purchased: '1,234.56度',
      subsidy: '36.80度',
      usage: usageOf(number, [room.name, `${room.name}空调`], now),
      payments: paymentsOf(number, now, true),
    };
  }
  if (roomCode === OVERDRAWN_ROOM) return { purchased: '-3.20度', subsidy: '0.00度', usage: [], payments: [] };
  return {
    purchased: `${(20 + number * 1.25).toFixed(2)}度`,
    subsidy: '30.00度',
    usage: usageOf(number, [room.name], now),
    payments: paymentsOf(number, now, false),
  };
};

import { dayText } from '../../lib/calendar-day.ts';
import type { Present } from './calendar.ts';

/** The card system's data of a student on a day. Cells are HTML as the page carries them. */
export interface StudentCard {
  readonly balance: string;
  readonly accountStatus: string;
  readonly cardStatus: string;
  /** Day, and cells after the two times. */
  readonly transactions: ReadonlyArray<{ readonly day: number; readonly cells: readonly string[] }>;
  readonly purchases: ReadonlyArray<{ readonly day: number; readonly cells: readonly string[] }>;
}

const MEALS = [
  ['08:03', '8.50', '食堂消费', '东校区食堂', 'POS-101'],
  ['12:11', '14.00', '食堂消费', '东校区食堂', 'POS-104'],
  ['18:20', '11.20', '超市消费', '东校区超市', 'POS-207'],
] as const;
const DAYS = 40;
const RECHARGE_EVERY = 7;

/** Three purchases a day and a recharge a week; electricity once a month. */
export const cardOf = (userid: string, { today }: Present): StudentCard => {
  const own = Number(userid.slice(-1));
  const days = Array.from({ length: DAYS }, (_, index) => today - index);
  const meals = days.flatMap((day) =>
    MEALS.slice(0, 1 + ((day + own) % MEALS.length)).map(([time, price, type, place, terminal]) => {
      const moment = `${dayText(day)} ${time}`;
      return { day, cells: [moment, moment, price, '&nbsp;', type, '42.35', place, terminal] };
    }),
  );
  const recharges = days
    .filter((day) => (day + own) % RECHARGE_EVERY === 0)
    .map((day) => {
      const moment = `${dayText(day)} 09:00`;
      return {
        day,
        cells: [moment, moment, '', '<span>200.00</span>', '银行转账', '1,242.35', '自助终端', 'ATM&#45;1'],
      };
    });
  const purchases = days
    .filter((day) => day % 30 === own)
    .map((day) => ({
      day,
      cells: ['某人', userid, '东校区', '松园1号-101', '50.00', `${dayText(day)} 20:15:00`, '自助购电'],
    }));
  return {
    balance: own === 2 ? '1,042.35' : '42.35',
    accountStatus: '正常',
    cardStatus: own === 2 ? '挂失' : '正常',
    transactions: [...meals, ...recharges].toSorted((a, b) => b.day - a.day),
    purchases,
  };
};

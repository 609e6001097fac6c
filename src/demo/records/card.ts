import { dayText } from '../../lib/time.ts';
import type { Present } from './calendar.ts';
import { PURCHASE_AMOUNT, PURCHASE_TIME, purchaseDaysOf, SHARED_ROOM } from './purchases.ts';

const MEALS = [
  ['08:03', '8.50', '食堂消费', '东校区食堂', 'POS-101'],
  ['12:11', '14.00', '食堂消费', '东校区食堂', 'POS-104'],
  ['18:20', '11.20', '超市消费', '东校区超市', 'POS-207'],
] as const;
const DAYS = 40;

const cents = (text: string): number => Math.round(Number(text) * 100);
const yuan = (amount: number): string =>
  (amount / 100).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

interface Movement {
  readonly day: number;
  readonly time: string;
  readonly expense: string;
  readonly income: string;
  readonly words: readonly string[];
}

/**
 * Up to three purchases a day, and in the morning the bank pays in what the day before has cost; electricity once a month,
 * which the bank pays in at once, so that the card never owes anything. The rows end at this moment with the balance that the card has, and each says what was left behind it.
 */
export const cardOf = (userid: string, { today, time: now }: Present) => {
  const own = Number(userid.slice(-1));
  const days = Array.from({ length: DAYS }, (_, index) => today - index);
  const mealsOf = (day: number) => MEALS.slice(0, 1 + ((day + own) % MEALS.length));
  const bank = ['自动圈存', '网上', 'BANK&#45;1'];
  const bought = purchaseDaysOf(own, { today, time: now });
  // Of one minute, the later movement stands first.
  const electricity = bought.flatMap((day): Movement[] => [
    { day, time: PURCHASE_TIME, expense: PURCHASE_AMOUNT, income: '', words: ['自助购电', '东校区', 'POS-301'] },
    { day, time: PURCHASE_TIME, expense: '', income: PURCHASE_AMOUNT, words: bank },
  ]);
  const daily = days.flatMap((day): Movement[] => {
    const cost = mealsOf(day - 1).reduce((sum, [, expense]) => sum + cents(expense), 0);
    return [
      { day, time: '07:30', expense: '', income: yuan(cost), words: bank },
      ...mealsOf(day).map(([time, expense, ...words]) => ({ day, time, expense, income: '', words })),
    ];
  });
  const past = [...electricity, ...daily]
    .filter(({ day, time }) => day < today || time <= now)
    .toSorted((a, b) => b.day - a.day || b.time.localeCompare(a.time));
  let left = own === 2 ? 104_235 : 4_235;
  const transactions = past.map(({ day, time, expense, income, words: [type = '', ...where] }) => {
    const moment = `${dayText(day)} ${time}`;
    const cells = [moment, moment, expense || '&nbsp;', income && `<span>${income}</span>`, type, yuan(left), ...where];
    left += cents(expense) - cents(income);
    return { day, cells };
  });
  const purchases = bought.map((day) => ({
    day,
    cells: [
      '某人',
      userid,
      '东校区',
      SHARED_ROOM.name,
      PURCHASE_AMOUNT,
      `${dayText(day)} ${PURCHASE_TIME}:00`,
      '自助购电',
    ],
  }));
  return {
    balance: own === 2 ? '1,042.35' : '42.35',
    accountStatus: '正常',
    cardStatus: own === 2 ? '挂失' : '正常',
    transactions,
    purchases,
  };
};

/** Cells are HTML as the page carries them. */
export type StudentCard = ReturnType<typeof cardOf>;

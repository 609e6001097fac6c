import { Type } from '@sinclair/typebox';
import { rangeOf, sumOf } from '../../../domain/card/card.ts';
import { BalanceInYuan, CardPurchases, CardState, CardTransactions } from '../../../domain/card/records.ts';
import { decimal, flag, integer, object, text, unsaidOf } from '../../../domain/record.ts';
import { RequestInvalid, withPattern } from '../../../http/requests/findings.ts';
import { campusDate } from '../../../lib/time.ts';
import type { SurfaceBDeps } from '../described.ts';
import { type Operation, operation } from '../operation.ts';

export const notConnected = '本服务未接入校园一卡通';

const dateError = { en: 'Input should be a date such as 2026-03-18', zh: '应为日期，例如 2026-03-18' };
const day = (description: string) =>
  Type.Optional(withPattern({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description, examples: ['2026-03-18'] }, dateError));

const Range = Type.Object({
  from: day('First day. Left out: 29 days before `to`.'),
  to: day('Last day, at most 30 days behind `from`. Left out: today, or 30 days behind `from` where that is earlier.'),
});

const rangeError = {
  type: 'value_error',
  msg: {
    en: 'Input should be a real day of the last 366, in order, at most 31 days in all',
    zh: '应为近 366 天内的真实日期，起止有序且最多 31 天',
  },
};

const range = {
  from: text('First day, as asked for.', '2026-06-21'),
  to: text('Last day, as asked for.', '2026-07-20'),
};
const computedBy = Type.Literal('gateway', { description: 'These sums are made by this service, of the rows shown.' });

export const CardBalance = object('CardBalance', 'What is on the campus card.', {
  balance: BalanceInYuan,
  ...CardState.properties,
});

export const withoutState = unsaidOf(CardState);

const computed_by = 'gateway' as const;

export const cardOperations = ({ services: { card, clock }, timeZone }: SurfaceBDeps): Operation[] => {
  const defaults = {
    level: 'TU',
    tag: 'Campus card',
    scope: 'card:read',
    messages: { NOT_OFFERED: notConnected },
  } as const;
  const daysOf = (query: { readonly from?: string; readonly to?: string }) => {
    const found = rangeOf(query, campusDate(clock.now(), timeZone));
    if (typeof found === 'string') throw new RequestInvalid([{ ...rangeError, loc: ['query', found] }]);
    return found;
  };
  return [
    operation('GET /card/balance', 'getCardBalance', {
      ...defaults,
      needs: ['card.balance'],
      summary: { en: 'Balance of the campus card', zh: '校园卡余额' },
      description: 'May take half a minute: the card system is slow.',
      query: Type.Object({
        state: flag(
          'With the state of account and card: one more request to the campus, and both must succeed.',
          true,
          { default: false },
        ),
      }),
      data: CardBalance,
      message: '获取校园卡余额成功',
      run: async (call) => ({
        balance: await card.balance(call.student, call),
        ...(call.query.state ? await card.state(call.student, call) : withoutState),
      }),
    }),
    operation('GET /card/transactions', 'listCardTransactions', {
      ...defaults,
      needs: ['card.transactions'],
      summary: { en: 'Transactions of the campus card', zh: '校园卡流水' },
      description:
        'Of at most 31 days. Whether the campus shows all of them is not known: the sums are of the rows shown.',
      query: Range,
      data: object('CardTransactions', 'Transactions of the campus card in some days.', {
        ...range,
        totals: object('CardTotals', 'Sums of the rows shown.', {
          expense: decimal('Paid, in yuan.', 8.5),
          income: decimal('Paid in, in yuan.', 0),
          count: integer('Rows.', 1),
          computed_by: computedBy,
        }),
        records: CardTransactions,
      }),
      message: '获取校园卡流水成功',
      run: async (call) => {
        const { from, to } = daysOf(call.query);
        const records = await card.transactions(call.student, { from, to }, call);
        const expense = sumOf(records.map((each) => each.expense));
        const income = sumOf(records.map((each) => each.income));
        return { from, to, totals: { expense, income, count: records.length, computed_by }, records };
      },
    }),
    operation('GET /card/electricity_purchases', 'listCardPurchases', {
      ...defaults,
      needs: ['card.purchases'],
      summary: { en: 'Electricity bought with the campus card', zh: '校园卡购电记录' },
      description: 'Of at most 31 days.',
      query: Range,
      data: object('CardPurchases', 'Electricity bought with the campus card in some days.', {
        ...range,
        totals: object('CardPurchaseTotals', 'Sums of the rows shown.', {
          amount: decimal('Paid, in yuan.', 50),
          count: integer('Rows.', 1),
          computed_by: computedBy,
        }),
        records: CardPurchases,
      }),
      message: '获取校园卡购电记录成功',
      run: async (call) => {
        const { from, to } = daysOf(call.query);
        const records = await card.purchases(call.student, { from, to }, call);
        const amount = sumOf(records.map((each) => each.amount));
        return { from, to, totals: { amount, count: records.length, computed_by }, records };
      },
    }),
  ];
};

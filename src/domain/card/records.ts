import { Type } from '@sinclair/typebox';
import { ofRecord, SELDOM_SECONDS } from '../read-row.ts';
import { type PortOf, withParams } from '../reads/plain-reads.ts';
import { decimal, listOf, object, orNull, type RecordOf, text, textOrNull } from '../record.ts';

const amount = (description: string, example: number | null) => orNull(Type.Number(), description, example);

export const BalanceInYuan = decimal('Balance of the campus card in yuan; may be negative.', 42.35);

export interface CardState extends RecordOf<typeof CardState> {}
export const CardState = Type.Object({
  account_status: textOrNull(
    'State of the account, as the campus writes it; null unless asked for, or where it is blank.',
    null,
  ),
  card_status: textOrNull(
    'State of the card, e.g. `正常` or `挂失`; null unless asked for, or where it is blank.',
    null,
  ),
});

export interface CardTransaction extends RecordOf<typeof CardTransaction> {}
export const CardTransaction = object(
  'CardTransaction',
  'A transaction of the campus card. Times are as the campus writes them.',
  {
    booked_at: text('When it was booked.', '2026-07-20 08:05'),
    occurred_at: text('When it took place.', '2026-07-20 08:03'),
    expense: amount('What was paid; null where there is none.', 8.5),
    income: amount('What was paid in; null where there is none.', null),
    type: text('E.g. `食堂消费`.', '食堂消费'),
    balance: amount('Balance behind it; null where the campus states none.', 42.35),
    place: text('Where.', '东校区食堂'),
    terminal: text('Terminal.', 'POS-101'),
  },
);
export const CardTransactions = listOf(CardTransaction, 'In the order of the campus.');

export interface CardPurchase extends RecordOf<typeof CardPurchase> {}
export const CardPurchase = object('CardPurchase', 'Electricity that was bought with the campus card.', {
  area: text('Campus or quarter of the room.', '东校区'),
  room: text('Room.', '松园1号-101'),
  amount: amount('What was paid; null where the campus states none.', 50),
  purchased_at: text('When, as the campus writes it.', '2026-07-18 20:15:00'),
  office: text('Where it was bought.', '自助购电'),
});
export const CardPurchases = listOf(CardPurchase, 'In the order of the campus.');

/** These pages are slow: when a call runs out of time the reading continues for the next one. */
const cardPage = { fresh: SELDOM_SECONDS, outlivesCalls: true } as const;

/** Days, `YYYY-MM-DD`, both included. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

const daysOf = ({ from, to }: DayRange): readonly string[] => [from, to];

/** No more than 2,000 transactions and purchases; more are `upstream-unreadable`. */
export const cardReads = {
  balance: ofRecord(BalanceInYuan, 'card-balance', 'card', cardPage),
  state: ofRecord(CardState, 'card-state', 'card', cardPage),
  transactions: withParams(ofRecord(CardTransactions, 'card-transactions', 'card', cardPage), daysOf),
  purchases: withParams(ofRecord(CardPurchases, 'card-purchases', 'card', cardPage), daysOf),
} as const;

/**
 * Implemented by campus/products/card, and never pays, moves or binds anything. Failures: sign-in kinds,
 * `upstream-unavailable`, `upstream-unreadable`, `session-lost`, `timed-out`.
 */
export interface CardCampus extends PortOf<typeof cardReads> {}

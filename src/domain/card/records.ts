import { Type } from '@sinclair/typebox';
import { decimal, listOf, object, orNull, type RecordOf, text, textOrNull } from '../record.ts';

const amount = (description: string) => orNull(Type.Number(), description);

/** In yuan; may be negative. */
export const Balance = decimal('Balance of the campus card in yuan; may be negative.');

export interface CardState extends RecordOf<typeof CardState> {}
export const CardState = Type.Object({
  account_status: textOrNull(
    'State of the account, as the campus writes it; null unless asked for, or where it is blank.',
  ),
  card_status: textOrNull('State of the card, e.g. `正常` or `挂失`; null unless asked for, or where it is blank.'),
});

export interface CardTransaction extends RecordOf<typeof CardTransaction> {}
export const CardTransaction = object(
  'CardTransaction',
  'A transaction of the campus card. Times are as the campus writes them.',
  {
    booked_at: text('When it was booked.'),
    occurred_at: text('When it took place.'),
    expense: amount('What was paid; null where there is none.'),
    income: amount('What was paid in; null where there is none.'),
    type: text('E.g. `食堂消费`.'),
    balance: amount('Balance behind it; null where the campus states none.'),
    place: text('Where.'),
    terminal: text('Terminal.'),
  },
);
export const CardTransactions = listOf(CardTransaction, 'In the order of the campus.');

export interface CardPurchase extends RecordOf<typeof CardPurchase> {}
export const CardPurchase = object('CardPurchase', 'Electricity that was bought with the campus card.', {
  area: text('Campus or quarter of the room.'),
  room: text('Room.'),
  amount: amount('What was paid; null where the campus states none.'),
  purchased_at: text('When, as the campus writes it.'),
  office: text('Where it was bought.'),
});
export const CardPurchases = listOf(CardPurchase, 'In the order of the campus.');

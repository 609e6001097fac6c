import type { CardCampus } from '../../domain/card/card.ts';
import type { CallContext, Student } from '../../domain/context.ts';
import type { SessionAccess, UpstreamRequest } from '../session/upstream-session.ts';
import {
  balanceAlive,
  parseBalance,
  parsePurchases,
  parseState,
  parseTransactions,
  purchasesAlive,
  stateAlive,
  transactionsAlive,
} from './parse-card.ts';

/** Known to be slow. None of them has an effect: the page of the state is a payment form, which is opened only. */
const page = (
  name: string,
  path: string,
  alive: (page: string) => boolean,
  form?: UpstreamRequest['form'],
): UpstreamRequest => ({
  page: name,
  method: form ? 'POST' : 'GET',
  path,
  ...(form ? { form } : {}),
  expect: 'page',
  alive,
  slow: true,
  whole: true,
});

const balance = page('card-balance', '/queryUserBalances.action', balanceAlive);
const state = page('card-state', '/utilityUnBindUserPowerPayInit.action', stateAlive);
const transactions = (from: string, to: string) =>
  page('card-transactions', '/queryUserCostList.action', transactionsAlive, [
    ['startDate', from],
    ['endDate', to],
  ]);
const purchases = (from: string, to: string) =>
  page('card-purchases', '/utilityQueryRunningAccountInfo.action', purchasesAlive, [
    ['startDate', `${from} 00:00:00`],
    ['endDate', `${to} 23:59:59`],
  ]);

/** The campus card system. One request of a student at a time: its pages are slow enough as they are. */
export const createCardClient = ({ sessions }: { sessions: SessionAccess }): CardCampus => {
  const read = <T>(
    student: Student,
    context: CallContext,
    request: UpstreamRequest,
    parse: (text: string) => T,
    droppedOf: (value: T) => number = () => 0,
  ): Promise<T> =>
    sessions.with(student, 'card', context, (session) =>
      session.exclusively('pages', async () => {
        const value = await session.parse(parse, await session.text(request));
        session.dropped(request.page, droppedOf(value));
        return value;
      }),
    );
  return {
    balance: (student, context) => read(student, context, balance, parseBalance),
    state: (student, context) => read(student, context, state, parseState),
    transactions: async (student, from, to, context) => {
      const request = transactions(from, to);
      return (await read(student, context, request, parseTransactions, ({ dropped }) => dropped)).rows;
    },
    purchases: async (student, from, to, context) => {
      const request = purchases(from, to);
      return (await read(student, context, request, parsePurchases, ({ dropped }) => dropped)).rows;
    },
  };
};

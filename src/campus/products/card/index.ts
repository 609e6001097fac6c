import { Type } from '@sinclair/typebox';
import type { CardCampus, DayRange } from '../../../domain/card/records.ts';
import type { CallContext, Student } from '../../../domain/context.ts';
import { MINUTE_MS } from '../../../lib/time.ts';
import { address, application } from '../../contract/driver.ts';
import { readAnswer } from '../../contract/kit.ts';
import type { SessionAccess, UpstreamRequest } from '../../contract/upstream-session.ts';
import { usualRow } from '../../contract/upstreams.ts';
import type { PageReader } from '../../parsing/reading.ts';
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

/** Known to be slow. None of them has an effect: the page of the state is a payment form, which is only opened. */
const page = (
  name: string,
  path: string,
  alive: UpstreamRequest['alive'],
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
const transactions = ({ from, to }: DayRange) =>
  page('card-transactions', '/queryUserCostList.action', transactionsAlive, [
    ['startDate', from],
    ['endDate', to],
  ]);
const purchases = ({ from, to }: DayRange) =>
  page('card-purchases', '/utilityQueryRunningAccountInfo.action', purchasesAlive, [
    ['startDate', `${from} 00:00:00`],
    ['endDate', `${to} 23:59:59`],
  ]);

export const createCardClient = ({ sessions }: { sessions: SessionAccess }): CardCampus => {
  /** One request of a student at a time: its pages are slow enough as they are. */
  const read = <T>(student: Student, context: CallContext, request: UpstreamRequest, parse: PageReader<T>) =>
    sessions.with(student, 'card', context, async (session) => {
      using _turn = await session.takeTurn('pages');
      return await readAnswer(session, request, parse);
    });
  return {
    balance: (student, context) => read(student, context, balance, parseBalance),
    state: (student, context) => read(student, context, state, parseState),
    transactions: async (student, days, context) =>
      (await read(student, context, transactions(days), parseTransactions)).rows,
    purchases: async (student, days, context) => (await read(student, context, purchases(days), parsePurchases)).rows,
  };
};

/** The campus card system. */
export const card = application({
  options: Type.Object({ url: address }),
  row: {
    ...usualRow,
    system: 'card',
    entry: { kind: 'entrance', path: '/casLogin.jsp' },
    redirects: 'lost-after-form',
    deadPath: /\/login|casLogin\.jsp/,
    // Servers of its kind end a session after half an hour.
    longestIdleMs: 25 * MINUTE_MS,
  },
  supplies: (access) => ({ card: createCardClient(access) }),
});

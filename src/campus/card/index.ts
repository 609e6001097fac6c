import { Type } from '@sinclair/typebox';
import type { CardCampus } from '../../domain/card/card.ts';
import { address, application } from '../driver.ts';
import { methodsWithin, readAnswer } from '../kit.ts';
import type { SessionAccess, UpstreamRequest, UpstreamSession } from '../session/upstream-session.ts';
import { MINUTE_MS, usualRow } from '../upstreams.ts';
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

/** One request of a student at a time: its pages are slow enough as they are. */
export const createCardClient = ({ sessions }: { sessions: SessionAccess }): CardCampus => {
  const within = methodsWithin<UpstreamSession>((student, context, work) =>
    sessions.with(student, 'card', context, (session) => session.exclusively('pages', () => work(session))),
  );
  return {
    balance: within((session) => readAnswer(session, balance, parseBalance)),
    state: within((session) => readAnswer(session, state, parseState)),
    transactions: within(
      async (session, from: string, to: string) =>
        (await readAnswer(session, transactions(from, to), parseTransactions)).rows,
    ),
    purchases: within(
      async (session, from: string, to: string) =>
        (await readAnswer(session, purchases(from, to), parsePurchases)).rows,
    ),
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

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startDemoCampus } from '../../src/demo/demo-campus.ts';
import { first, second } from '../support/campus-rig.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { springNoon } from '../support/study-reads.ts';
import { TEST_KEY_PEM } from '../unit/demo/test-key.ts';

const page = 'card GET /queryUserBalances.action';
const costs = '/queryUserCostList.action';

let gateway: Gateway;
let tokens: Record<'first' | 'second', string>;
const usual = { cardBalance: 'beside a bank', cardExpiry: 'redirect' } as const;
const set = (switches: Partial<Gateway['demo']['switches']>) => Object.assign(gateway.demo.switches, switches);
beforeAll(async () => {
  gateway = await startGateway({ movingClock: new ManualClock(springNoon) });
  tokens = { first: await gateway.register(first), second: await gateway.register(second) };
});
afterEach(() => {
  gateway.demo.clearFaults();
  set(usual);
});
afterAll(async () => {
  // Nothing was ever paid, moved or bound.
  expect(gateway.demo.cardEffects()).toBe(0);
  await gateway.close();
});

/** Past what is fresh for five minutes. */
const ask = (path: string, who: 'first' | 'second' = 'first') =>
  gateway.b('GET', path, { token: tokens[who], headers: { 'cache-control': 'max-age=0' } });

describe('what a call costs', () => {
  it.each([
    ['first', { balance: 42.35, account_status: '正常', card_status: '正常' }],
    ['second', { balance: 1042.35, account_status: '正常', card_status: '挂失' }],
  ] as const)('shows the %s student nothing of the other', async (who, expected) => {
    const answers = await Promise.all([ask('/card/balance?state=true', who), ask('/card/balance?state=true')]);
    expect(answers[0]?.body.data).toEqual(expected);
  });
});

describe('a dead session', () => {
  it('that shows by a page without its mark is unreadable, and causes no sign-in', async () => {
    await ask('/card/balance');
    gateway.demo.student(first.userid).expireService('card');
    set({ cardExpiry: 'page' });
    gateway.demo.resetRequests();
    const answer = await ask('/card/balance');
    expect([answer.status, answer.body.error]).toMatchObject([502, { system: 'card', retryable: false }]);
    expect(gateway.wire()).toEqual([page]);
    set(usual);
    gateway.demo.student(first.userid).expireService('card');
  });
});

describe('the balance', () => {
  it.each([
    ['alone', 42.35],
    ['negative', -3.2],
  ] as const)('%s', async (cardBalance, balance) => {
    set({ cardBalance });
    expect((await ask('/card/balance')).body.data.balance).toBe(balance);
  });

  it('is never 0 where the page has none', async () => {
    set({ cardBalance: 'missing' });
    expect((await ask('/card/balance')).status).toBe(502);
  });

  it.each([
    ['20 s', '/queryUserBalances.action', { kind: 'delay', ms: 20_000 }, 200],
    ['a failing page of the state', '/utilityUnBindUserPowerPayInit.action', { kind: 'html' }, 502],
  ] as const)('with %s', async (_, path, fault, status) => {
    await ask('/card/balance');
    gateway.demo.fault({ system: 'card', path, fault });
    gateway.demo.resetRequests();
    expect((await ask('/card/balance?state=true')).status).toBe(status);
    expect(gateway.wire().filter((line) => line.endsWith(path))).toHaveLength(1);
  });
});

describe('transactions and purchases', () => {
  const get = (query: string) => ask(`/card/transactions${query}`);
  it('of the last thirty days go on from one another', async () => {
    const { from, to, records } = (await get('')).body.data;
    expect([from, to]).toEqual(['2026-05-12', '2026-06-10']);
    // The newest one leaves what the card has, each one what it says over the one before, and none is of later today.
    expect(records[0].balance).toBe((await ask('/card/balance')).body.data.balance);
    for (const [at, { balance, expense, income }] of records.slice(0, -1).entries()) {
      expect(balance).toBeCloseTo(records[at + 1].balance + (income ?? 0) - (expense ?? 0), 5);
      expect(balance).toBeGreaterThan(0);
    }
    expect(records[0].occurred_at <= '2026-06-10 10:00').toBe(true);
    const bought = (await ask('/card/electricity_purchases')).body.data;
    expect(JSON.stringify(bought)).not.toMatch(/某人|2023000001/);
  });

  it.each([
    ['?from=2026-06-01', '2026-06-01', '2026-06-10'],
    ['?from=2026-01-01', '2026-01-01', '2026-01-31'],
    ['?to=2026-06-09', '2026-05-11', '2026-06-09'],
    ['?from=2026-06-10&to=2026-06-10', '2026-06-10', '2026-06-10'],
    ['?from=2026-05-11&to=2026-06-10', '2026-05-11', '2026-06-10'],
    ['?from=2025-06-09&to=2025-06-09', '2025-06-09', '2025-06-09'],
  ])('%s', async (query, from, to) => {
    expect((await get(query)).body.data).toMatchObject({ from, to });
  });

  it.each([
    ['?from=2026-06-02&to=2026-06-01', 'from'],
    ['?from=2026-05-10&to=2026-06-10', 'from'],
    ['?from=2025-06-08', 'from'],
    ['?from=2026-06-11', 'from'],
    ['?to=2026-06-11', 'to'],
    ['?to=2025-06-14', 'to'],
    ['?from=2026-02-30', 'from'],
    ['?to=2026-13-01', 'to'],
  ])('%s: 422 for query.%s, without a request', async (query, member) => {
    gateway.demo.resetRequests();
    const answer = await get(query);
    expect([answer.status, answer.body.error.details[0].loc]).toEqual([422, ['query', member]]);
    expect(gateway.wire()).toEqual([]);
  });

  const table = (rows: string) => `<table><tr><th>记账时间</th></tr>${rows}</table></body>`;
  const row = (width: number) => `<tr>${'<td>1</td>'.repeat(width)}</tr>`;
  it.each([
    ['a notice', row(1), 200, 0],
    ['a row of another width among good ones', row(8) + row(7), 200, 1],
    ['rows of another width', row(7) + row(9), 502, 0],
    ['more rows than an account has', row(8).repeat(2_001), 502, 0],
    ['a good many rows', row(8).repeat(2_000), 200, 2_000],
    ['a last row that nothing closes', `</table>${row(8).replace('</tr>', '')}<!--`, 200, 1],
  ])('with %s', async (_, rows, status, count) => {
    gateway.demo.fault({ system: 'card', path: costs, fault: { kind: 'body', body: table(rows) } });
    const answer = await get('');
    expect([answer.status, answer.body.data?.records.length ?? 0]).toEqual([status, count]);
  });
});

it('what a student buys, where and when, is in no log line', async () => {
  await ask('/card/transactions?from=2026-06-03&to=2026-06-09');
  expect(gateway.log()).not.toMatch(/东校区食堂|POS-101|2026-06-03/);
});

describe('a campus whose card system is not connected', () => {
  it('starts, and refuses by name before anything is looked at or asked', async () => {
    const demo = await startDemoCampus({ card: false, portalKeyPem: TEST_KEY_PEM });
    const bare = await startGateway({ demo });
    const token = await bare.register(first);
    demo.resetRequests();
    for (const path of ['/card/balance', '/card/transactions?from=x', '/card/electricity_purchases']) {
      const { status, body } = await bare.b('GET', path, { token });
      const message = '本服务未接入校园一卡通';
      expect([status, body.message, body.error]).toMatchObject([
        501,
        message,
        { code: 'NOT_OFFERED', retryable: false },
      ]);
      expect((await bare.b('GET', path)).status).toBe(401);
    }
    expect(demo.requests()).toEqual([]);
    await bare.close();
    await demo.close();
  });
});

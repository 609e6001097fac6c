import { describe, expect, it } from 'vitest';
import { type AccountStores, openAccountStores } from '../../../../support/account-stores.ts';
import { AccountsRig, DAY_MS, failureOf, right } from '../../../../support/accounts-rig.ts';

const MINUTE = 60_000;
/** One id for a campus that knows no case. */
const spellings = ['abc1', 'ABC1', 'aBc1', 'Abc1'];
const home = '198.51.100.7';
const ways = ['registration by strangers', 'login by strangers', 'a neighbour', 'a holder', 'deletion'] as const;
type Way = (typeof ways)[number];

const orders = <T>(items: readonly T[]): T[][] =>
  items.length <= 1
    ? [[...items]]
    : items.flatMap((item, at) => orders(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));

/** Callers that ask the campus for one id as often as they can, in every way. */
class Everybody {
  readonly rig: AccountsRig;
  /** Of asks with a wrong password that reached the campus. */
  readonly askedAt: number[] = [];
  #token: string | undefined;
  #secrets = 0;

  constructor(stores: AccountStores) {
    this.rig = new AccountsRig(stores);
    for (const userid of spellings) this.rig.campus.truth.set(userid, right);
  }

  /** The student at home: registered unless the account is there. */
  async begin(userid: string): Promise<void> {
    const { rig } = this;
    await rig.code();
    const entry = { userid, pair: right, inviteToken: await rig.inviteToken() };
    await rig.accounts.register(entry, rig.context({ address: home })).then(
      ({ token }) => {
        this.#token = token;
      },
      () => {},
    );
    rig.campus.asked.length = 0;
  }

  async act(way: Way, userid: string): Promise<void> {
    const { rig } = this;
    this.#secrets += 1;
    const pair = { password: 'x', vpnPassword: `wrong ${this.#secrets}` };
    const elsewhere = rig.context({ address: `203.0.${this.#secrets % 250}.1` });
    if (way === 'registration by strangers') {
      const inviteToken = await rig.inviteToken();
      await failureOf(rig.accounts.register({ userid, pair, inviteToken }, elsewhere));
    } else if (way === 'login by strangers') {
      await failureOf(rig.login(pair, userid, elsewhere));
    } else if (way === 'a neighbour') {
      await failureOf(rig.login(pair, userid, rig.context({ address: home })));
    } else if (way === 'a holder') {
      const proof = this.#token === undefined ? {} : { bearer: this.#token };
      await failureOf(rig.login(pair, userid, rig.context({ address: home, ...proof })));
    } else {
      await failureOf(rig.accounts.deleteAccount({ userid }, right, rig.context({ address: home })));
    }
    for (const ask of rig.campus.asked.splice(0)) {
      if (ask.pair.vpnPassword !== right.vpnPassword) this.askedAt.push(rig.clock.now());
    }
  }

  mostInADay(): number {
    return Math.max(
      0,
      ...this.askedAt.map((end) => this.askedAt.filter((at) => at > end - DAY_MS && at <= end).length),
    );
  }

  shortestPause(): number {
    return Math.min(...this.askedAt.slice(1).map((at, before) => at - (this.askedAt[before] ?? 0)));
  }
}

/** A day and a half of asking in this order, again and again, each time with another spelling of the id. */
const day = async (everybody: Everybody, order: readonly Way[], stepMs: number): Promise<void> => {
  const { clock } = everybody.rig;
  const rounds = Math.ceil((1.5 * DAY_MS) / (order.length * stepMs));
  for (let round = 0; round < Math.min(rounds, 12); round += 1) {
    for (const [at, way] of order.entries()) {
      const userid = spellings[(round + at) % spellings.length] ?? '';
      if (!(await everybody.rig.stores.accounts.findUser(userid)) && way !== 'registration by strangers') {
        await everybody.begin(userid);
      }
      await everybody.act(way, userid);
      clock.advance(stepMs);
    }
  }
};

describe('four wrong passwords a day reach the campus for one id', () => {
  it.each([
    [31 * MINUTE, 12],
    [2 * 60 * MINUTE, 12],
  ])(
    'in any order, a step each %i ms: one of %i orders',
    async (stepMs, outOf) => {
      let most = 0;
      for (const order of orders(ways).filter((_, at) => at % outOf === 0)) {
        const everybody = new Everybody(await openAccountStores());
        await everybody.begin('abc1');
        await day(everybody, order, stepMs);
        most = Math.max(most, everybody.mostInADay());
        expect(everybody.mostInADay(), order.join(', ')).toBeLessThanOrEqual(4);
      }
      expect(most, 'they are really asked').toBeGreaterThanOrEqual(3);
    },
    120_000,
  );

  it.each([
    ['registrations', 'registration by strangers'],
    ['logins', 'login by strangers'],
  ] as const)('%s in four spellings at once: one, and a minute later the next', async (_, way) => {
    const everybody = new Everybody(await openAccountStores());
    await everybody.rig.code();
    if (way === 'login by strangers') for (const userid of spellings) await everybody.begin(userid);
    const burst = () => Promise.all(spellings.map((userid) => everybody.act(way, userid)));
    await burst();
    expect(everybody.askedAt).toHaveLength(1);
    everybody.rig.clock.advance(59_999);
    await burst();
    expect(everybody.askedAt).toHaveLength(1);
    everybody.rig.clock.advance(1);
    await burst();
    everybody.rig.clock.advance(DAY_MS / 2);
    await burst();
    expect(everybody.askedAt).toHaveLength(2);
    expect(everybody.shortestPause()).toBe(60_000);
  });

  it('while one spelling is being asked, the others wait for what the campus says', async () => {
    const everybody = new Everybody(await openAccountStores());
    const { rig } = everybody;
    await rig.code();
    rig.campus.mood = 'held';
    const asked = rig.campus.nextQuestion();
    const ends = spellings.map(async (userid, at) => {
      const entry = {
        userid,
        pair: { password: 'x', vpnPassword: `wrong ${at}` },
        inviteToken: await rig.inviteToken(),
      };
      return failureOf(rig.accounts.register(entry, rig.context({ address: `203.0.${at}.1` })));
    });
    await asked;
    for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(rig.campus.asked).toHaveLength(1);
    rig.campus.release();
    expect((await Promise.all(ends)).toSorted()).toEqual([
      'credentials-refused portal',
      ...Array(3).fill('registration-cool-down 60s'),
    ]);
    expect(rig.campus.asked).toHaveLength(1);
  });
});

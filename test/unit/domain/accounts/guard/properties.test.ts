import { describe, expect, it } from 'vitest';
import { standingOf } from '../../../../../src/domain/accounts/guard/comparing.ts';
import type { Caller } from '../../../../../src/domain/accounts/guard/events.ts';
import { Campus, seeded } from './simulation.ts';
import { DAY, HOUR, holder, MINUTE, SECOND, stranger } from './support.ts';

interface Entry {
  readonly at: number;
  readonly userid: string;
  readonly by: string;
  readonly network: string;
  /** The budget of comparing, and whose part of it. */
  readonly budget: string;
  readonly who: string;
}

const windows = { hour: HOUR, day: DAY };
const within = (rows: readonly Entry[], now: number, window: keyof typeof windows, of: Partial<Entry>): number =>
  rows.filter(
    (row) =>
      row.at > now - windows[window] && Object.entries(of).every(([key, value]) => Reflect.get(row, key) === value),
  ).length;

/** Owners, neighbours and strangers do what comes to their minds; the books are kept from outside. */
const play = (seed: number, steps: number): void => {
  const random = seeded(seed);
  const pick = <T>(values: readonly T[]): T => {
    const value = values[Math.floor(random() * values.length)];
    if (value === undefined) throw new Error('nothing to pick from');
    return value;
  };
  const campus = new Campus();
  const students = ['ann', 'ben', 'cho'];
  for (const userid of students) {
    campus.student(userid);
    campus.login(userid, `secret of ${userid}`, stranger(`home-of-${userid}`));
  }
  const asked: Entry[] = [];
  const compared: Entry[] = [];
  const rightLogins: Entry[] = [];
  let guesses = 0;

  const callerOf = (userid: string): Caller =>
    pick([
      () => stranger(`bot-${Math.floor(random() * 40)}`),
      () => stranger('one'),
      () => stranger(`home-of-${userid}`),
      () => holder(pick(['one', `home-of-${userid}`]), pick(['last token', 'other token'])),
    ])();

  for (let step = 0; step < steps; step += 1) {
    const userid = pick(students);
    const caller = callerOf(userid);
    const before = campus.memory(userid);
    const { by, booked } = standingOf(before.student, caller, campus.now);
    const budget = { budget: booked?.by ?? '', who: booked?.who ?? '' };
    const entry: Entry = { at: campus.now, userid, by, network: caller.network, ...budget };
    const atHome = caller.network === `home-of-${userid}`;
    const action = random();
    if (action < 0.55) {
      // A guess, now and then one that was tried before.
      if (random() < 0.8) guesses += 1;
      campus.login(userid, `guess ${guesses}`, caller);
    } else if (action < 0.8) {
      const kept = campus.kept.get(userid);
      if (!kept) throw new Error('nobody');
      const home = { userid, budget: 'home', who: `home-home-of-${userid}` };
      const spent = within(compared, campus.now, 'hour', home) >= 5 || within(compared, campus.now, 'day', home) >= 10;
      const busy = rightLogins.filter((row) => row.userid === userid && row.at > campus.now - 10 * MINUTE).length >= 30;
      const wasGood = !kept.setAside && campus.truth.get(userid) === kept.secret;
      const told = campus.login(userid, kept.secret, caller);
      if (told.in) rightLogins.push(entry);
      // The right stored pair at home, whatever others did, also with the same token.
      if (atHome && wasGood && campus.mood === 'normal' && !spent && !busy) expect(told.in).toBe(true);
    } else if (action < 0.9) {
      campus.signIn(userid);
    } else if (action < 0.93) {
      campus.useToken(userid, `home-of-${userid}`);
      expect(campus.memory(userid).student.networks.length).toBeLessThanOrEqual(8);
    } else {
      campus.now += pick([SECOND, MINUTE, 7 * MINUTE, HOUR, 6 * HOUR]);
      continue;
    }
    const after = campus.memory(userid);
    // Nobody's success, and no refusal either, returns what others have used up.
    for (const ask of before.student.asks) expect(after.student.asks.map(({ id }) => id)).toContain(ask.id);
    expect(after.student.mismatches.length).toBeGreaterThanOrEqual(before.student.mismatches.length);
    expect(after.gateway.refused.length).toBeGreaterThanOrEqual(before.gateway.refused.length);
    if (after.student.asks.length > before.student.asks.length) asked.push(entry);
    if (after.student.mismatches.length > before.student.mismatches.length) compared.push(entry);

    const { now } = campus;
    const strangers = within(asked, now, 'day', { userid, by: 'stranger' });
    const known = within(asked, now, 'day', { userid, by: 'known' });
    const holders = within(asked, now, 'day', { userid, by: 'holder' });
    expect(strangers).toBeLessThanOrEqual(2);
    expect(known === 0 || strangers + known <= 3).toBe(true);
    expect(strangers + known + holders).toBeLessThanOrEqual(4);
    const compares = (of: Partial<Entry>) => [within(compared, now, 'hour', of), within(compared, now, 'day', of)];
    const most: Record<string, [number, number]> = { stranger: [10, 30], known: [5, 10], holder: [5, 20] };
    const each: Record<string, [number, number]> = {
      stranger: [3, 6],
      home: [5, 10],
      holder: [4, 10],
      token: [3, 6],
    };
    for (const [rows, of] of [
      [most, { userid, budget: entry.budget }],
      [each, { userid, budget: entry.budget, who: entry.who }],
    ] as const) {
      const [hour = 0, day = 0] = compares(of);
      const [mostInHour, mostInDay] = rows[entry.budget] ?? [Infinity, Infinity];
      expect(hour).toBeLessThanOrEqual(mostInHour);
      expect(day).toBeLessThanOrEqual(mostInDay);
    }
    expect(within(asked, now, 'hour', { by: 'stranger', network: 'one' })).toBeLessThanOrEqual(10);
  }
  expect(asked.length).toBeGreaterThan(3);
  expect(compared.length).toBeGreaterThan(asked.length);
  expect(rightLogins.length).toBeGreaterThan(10);
};

describe('whatever owners, neighbours and strangers do, in any order', () => {
  it.each(Array.from({ length: 8 }, (_, seed) => seed + 1))('budgets hold and owners get in, sequence %i', (seed) => {
    play(seed, 400);
  });
});

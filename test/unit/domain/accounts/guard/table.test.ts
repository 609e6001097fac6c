import { beforeEach, describe, expect, it } from 'vitest';
import type {
  AskOutcome,
  Caller,
  GuardAnswer,
  SubmittedPair,
} from '../../../../../src/domain/accounts/guard/events.ts';
import { hasLoggedInFrom } from '../../../../../src/domain/accounts/guard/parts.ts';
import { type CallerClass, emptyStudent } from '../../../../../src/domain/accounts/records.ts';
import {
  DAY,
  foreign,
  HOUR,
  holder,
  MINUTE,
  SECOND,
  said,
  storedPair,
  storedPrints,
  stranger,
  TableWorld,
} from './support.ts';

const ann = 'ann';
const known = (network = 'net-1'): Caller => stranger(network, { home: ['home-of-ann'] });
const portalRefusal: AskOutcome = { type: 'refused', step: 'portal' };
const smsWanted: AskOutcome = { type: 'person', wanted: 'sms' };

let world: TableWorld;
let asks = 0;
beforeEach(() => {
  world = new TableWorld();
});

const login = (caller: Caller, pair: SubmittedPair, userid = ann, healthy = false): string =>
  said(world.tell(userid, { type: 'login-wanted', tag: userid, caller, pair, healthy }));

interface Ask {
  readonly id: string;
  readonly by: CallerClass;
  readonly caller: Caller;
  readonly pair: SubmittedPair;
}
const ended = (ask: Ask, outcome: AskOutcome, userid = ann): GuardAnswer =>
  world.tell(userid, { type: 'ask-ended', ...ask, tag: `tag of ${userid}`, outcome, storedPrints });

/** A login that goes as far as it may, with what the campus says if it is asked. */
const attempt = (caller: Caller, pair: SubmittedPair, outcome: AskOutcome = portalRefusal, userid = ann): string => {
  const wanted = world.tell(userid, { type: 'login-wanted', tag: userid, caller, pair, healthy: false });
  if (wanted.type !== 'ask') return said(wanted);
  asks += 1;
  const ask = { id: `ask-${asks}`, by: wanted.by, caller, pair };
  const begun = world.tell(userid, { type: 'ask-begins', ...ask });
  if (begun.type === 'refuse') return said(begun);
  const answer = ended(ask, outcome, userid);
  return answer.type === 'refuse' ? said(answer) : `asked ${outcome.type}`;
};

/** A fresh secret each time, so that only budgets and waits decide. */
let secrets = 0;
const guess = (): SubmittedPair => {
  secrets += 1;
  return foreign(`guess ${secrets}`);
};
const stored = (outcome: AskOutcome, userid = ann): string => {
  const wanted = world.tell(userid, {
    type: 'stored-wanted',
    attended: false,
    stored: 'good',
    tag: `tag of ${userid}`,
  });
  if (wanted.type === 'refuse') return said(wanted);
  const ended = world.tell(userid, { type: 'stored-ended', tag: `tag of ${userid}`, outcome, storedPrints });
  return ended.type === 'refuse' ? said(ended) : `asked ${outcome.type}`;
};
/** The same at a login with the stored pair. */
const attended = (outcome: AskOutcome, userid = ann): string => {
  const wanted = world.tell(userid, { type: 'stored-wanted', attended: true, stored: 'good', tag: 't' });
  if (wanted.type === 'refuse') return said(wanted);
  const tag = `tag of ${userid}`;
  const ended = world.tell(userid, { type: 'stored-ended', tag, outcome, home: [], storedPrints });
  return ended.type === 'refuse' ? said(ended) : `asked ${outcome.type}`;
};
const useToken = (userid = ann): void => void world.tell(userid, { type: 'token-used', home: ['home-of-ann'] });
/** As what a caller with a foreign pair counts. */
const classOf = (caller: Caller, pair = guess()): string => {
  const wanted = world.tell(ann, { type: 'login-wanted', tag: ann, caller, pair, healthy: false });
  return wanted.type === 'ask' ? wanted.by : said(wanted);
};
/** The owner logs in there with the stored passwords. */
const logIn = (network: string): void => {
  expect(login(stranger(network), storedPair(), ann, true)).toBe('token');
};
const pass = (ms: number): void => {
  world.now += ms;
};

describe('classes', () => {
  it('a network is known once a token was used there, for 30 days', () => {
    expect(classOf(known())).toBe('stranger');
    useToken();
    pass(2 * MINUTE);
    expect(classOf(known())).toBe('known');
    pass(30 * DAY);
    expect(classOf(known())).toBe('stranger');
  });

  it('at most eight networks are known: the four of the latest logins, the four latest others, and each is noted once a day', () => {
    for (let at = 0; at < 5; at += 1) logIn(`login-${at}`);
    for (let at = 0; at < 9; at += 1) world.tell(ann, { type: 'token-used', home: [`home-${at}`] });
    expect(world.memory(ann).student.networks.map(({ network }) => network)).toEqual([
      ...Array.from({ length: 4 }, (_, at) => `home-login-${at + 1}`),
      ...Array.from({ length: 4 }, (_, at) => `home-${at + 5}`),
    ]);
    const before = world.memory(ann).student.networks;
    pass(DAY - 1);
    world.tell(ann, { type: 'token-used', home: ['home-6'] });
    expect(world.memory(ann).student.networks).toEqual(before);
    pass(2);
    world.tell(ann, { type: 'token-used', home: ['home-6'] });
    expect(world.memory(ann).student.networks.at(-1)).toEqual({ network: 'home-6', at: world.now, login: false });
  });

  it('a network where a login succeeded is known for 180 days after the last use of a token there', () => {
    logIn('dorm');
    useToken();
    pass(30 * DAY);
    expect(world.memory(ann).student.networks.map(({ network }) => network)).toEqual(['home-dorm']);
    pass(140 * DAY);
    world.tell(ann, { type: 'token-used', home: ['home-dorm'] });
    pass(180 * DAY - 1);
    expect(hasLoggedInFrom(world.memory(ann).student, ['home-dorm'], world.now)).toBe(true);
    pass(1);
    expect(hasLoggedInFrom(world.memory(ann).student, ['home-dorm'], world.now)).toBe(false);
    expect(world.memory(ann).student.networks).toEqual([]);
  });

  it('use of a token alone proves no login; a login does, whatever was known of the network before', () => {
    useToken();
    expect(hasLoggedInFrom(world.memory(ann).student, ['home-of-ann'], world.now)).toBe(false);
    world.tell(ann, { type: 'stored-ended', tag: ann, outcome: { type: 'accepted' }, storedPrints });
    expect(hasLoggedInFrom(world.memory(ann).student, ['home-of-ann'], world.now)).toBe(false);
    const home = ['home-of-ann'];
    world.tell(ann, { type: 'stored-ended', tag: ann, outcome: { type: 'accepted' }, home, storedPrints });
    expect(hasLoggedInFrom(world.memory(ann).student, ['home-of-ann'], world.now)).toBe(true);
  });

  it('a network is found under the name of an older key and then keeps its new one', () => {
    useToken();
    pass(DAY + 1);
    world.tell(ann, { type: 'token-used', home: ['new name', 'home-of-ann'] });
    expect(world.memory(ann).student.networks).toEqual([{ network: 'new name', at: world.now, login: false }]);
  });

  it('an own backend or a proxy is never known', () => {
    world.tell(ann, { type: 'token-used', home: [] });
    expect(world.memory(ann).student.networks).toEqual([]);
  });

  it('the unlock token makes its bearer a holder for three tries and 30 minutes', () => {
    world.tell(ann, { type: 'unlocked', hash: 'unlock' });
    const bearer = stranger('net-9', { proof: 'unlock' });
    for (let at = 0; at < 3; at += 1) {
      expect(classOf(bearer, foreign('same'))).toBe('holder');
    }
    expect(classOf(bearer)).toBe('stranger');
    world.tell(ann, { type: 'unlocked', hash: 'second' });
    pass(30 * MINUTE);
    expect(classOf(stranger('n', { proof: 'second' }))).toBe('stranger');
  });
});

describe('G1, the stored pair', () => {
  it('proven within minutes: a token at once; else it is signed in again', () => {
    expect(login(stranger(), storedPair(), ann, true)).toBe('token');
    expect(login(stranger(), storedPair())).toBe('sign-in');
  });

  it('while foreign pairs are out of budget, an acceptance of the last 24 hours is enough', () => {
    expect(stored({ type: 'accepted' })).toBe('asked accepted');
    attempt(stranger(), guess());
    pass(MINUTE);
    expect(login(holder(), storedPair())).toBe('sign-in');
    attempt(stranger(), guess());
    expect(login(holder(), storedPair())).toBe('token');
    pass(DAY - MINUTE - 1);
    expect(login(holder(), storedPair())).toBe('token');
    pass(1);
    expect(login(holder(), storedPair())).toBe('sign-in');
  });

  it('and so it is while they are paused', () => {
    stored({ type: 'accepted' });
    attempt(stranger(), guess(), { type: 'marker' });
    expect(login(holder(), storedPair())).toBe('token');
  });

  it('thirty times in ten minutes', () => {
    for (let at = 0; at < 30; at += 1) expect(login(holder(), storedPair(), ann, true)).toBe('token');
    expect(login(holder(), storedPair(), ann, true)).toBe('G1 600');
    pass(10 * MINUTE);
    expect(login(holder(), storedPair(), ann, true)).toBe('token');
  });

  it('set aside it is signed in by nobody but its own login', () => {
    const wants = (stored: 'portal' | 'none') =>
      said(world.tell(ann, { type: 'stored-wanted', attended: false, stored, tag: 't' }));
    expect(wants('portal')).toBe('G3a portal');
    expect(wants('none')).toBe('G1');
    expect(login(stranger(), storedPair('portal'), ann, true)).toBe('ask');
  });

  it('a late acceptance is noted at most once an hour', () => {
    stored({ type: 'accepted' });
    for (let at = 0; at < 5; at += 1) stored({ type: 'accepted' });
    const before = world.memory(ann).student;
    pass(HOUR - 1);
    stored({ type: 'accepted' });
    expect(world.memory(ann).student.provenAt).toBe(before.provenAt);
    pass(1);
    stored({ type: 'accepted' });
    expect(world.memory(ann).student.provenAt).toBe(world.now);
  });
});

describe('G2, comparing', () => {
  const mismatches = (caller: (at: number) => Caller, most: number): number => {
    for (let at = 0; at < most; at += 1) if (login(caller(at), guess()).startsWith('G2')) return at;
    return most;
  };

  it('strangers: three an hour from one network, ten from all, thirty a day', () => {
    expect(mismatches(() => stranger('one'), 50)).toBe(3);
    expect(login(stranger('one'), guess())).toBe('G2 3600');
    expect(mismatches((at) => stranger(`net-${at}`), 50)).toBe(7);
    for (let hour = 0; hour < 2; hour += 1) {
      pass(HOUR);
      expect(mismatches((at) => stranger(`net-${hour}-${at}`), 50)).toBe(10);
    }
    pass(HOUR);
    expect(login(stranger('fresh'), guess())).toBe(`G2 ${21 * 3600}`);
  });

  it('one network six a day', () => {
    expect(mismatches(() => stranger('one'), 50)).toBe(3);
    pass(HOUR);
    expect(mismatches(() => stranger('one'), 50)).toBe(3);
    pass(HOUR);
    expect(mismatches(() => stranger('one'), 50)).toBe(0);
    expect(mismatches(() => stranger('two'), 50)).toBe(3);
  });

  it('an own backend: only what all strangers have together', () => {
    expect(mismatches(() => stranger('backend', { trusted: true }), 50)).toBe(10);
  });

  it('each network where a login succeeded five an hour and ten a day, whatever others spend', () => {
    for (const at of [1, 2, 3, 4]) logIn(`net-${at}`);
    for (let hour = 0; hour < 3; hour += 1) {
      for (const at of [1, 2, 3, 4]) expect(mismatches(() => stranger(`net-${at}`), 50)).toBe(hour < 2 ? 5 : 0);
      pass(HOUR);
    }
  });

  it('networks known by use alone five an hour and ten a day, all together', () => {
    for (const at of [1, 2, 3, 4]) world.tell(ann, { type: 'token-used', home: [`home-net-${at}`] });
    for (let hour = 0; hour < 3; hour += 1) {
      expect(mismatches((at) => stranger(`net-${(at % 4) + 1}`), 50)).toBe(hour < 2 ? 5 : 0);
      pass(HOUR);
    }
  });

  /** How many mismatches are booked on the tokens' budgets before the caller counts as his network says. */
  const asHolder = (caller: (at: number) => Caller): number => {
    for (let at = 0; ; at += 1) {
      login(caller(at), guess());
      const last = world.memory(ann).student.mismatches.at(-1);
      if (last?.by !== 'holder' && last?.by !== 'token') return at;
    }
  };

  it('one token four an hour and ten a day of what all tokens have', () => {
    expect(asHolder((at) => holder(`net-${at}`))).toBe(4);
    pass(HOUR);
    expect(asHolder((at) => holder(`net-${at}`))).toBe(4);
    pass(HOUR);
    expect(asHolder((at) => holder(`net-${at}`))).toBe(2);
  });

  it('all tokens five an hour and twenty a day, and beyond that each three and six of its own', () => {
    // The first has its share of the total, the second what is left of it and then its own three.
    expect(asHolder((at) => holder(`net-${at}`, 'one'))).toBe(4);
    expect(asHolder((at) => holder(`net-${at}`, 'two'))).toBe(1 + 3);
    // Now the total is spent, whoever spent it.
    expect(asHolder((at) => holder(`net-${at}`, 'one'))).toBe(3);
    expect(asHolder((at) => holder(`net-${at}`, 'three'))).toBe(3);
    for (let hour = 1; hour < 4; hour += 1) {
      pass(HOUR);
      for (const token of ['one', 'two', 'three']) asHolder((at) => holder(`net-${at}`, token));
    }
    const pooled = world.memory(ann).student.mismatches.filter(({ by }) => by === 'holder');
    expect(pooled).toHaveLength(20);
    const own = world.memory(ann).student.mismatches.filter(({ by, who }) => by === 'token' && who === 'three');
    expect(own.length).toBeLessThanOrEqual(6);
  });

  it('a token whose share is spent counts as its network says: the thief has a stranger’s, the owner his home', () => {
    logIn('dorm');
    const thief = (at: number): Caller => holder(`net-${at}`);
    expect(mismatches(thief, 50)).toBe(4 + 10);
    const asked = (caller: Caller) =>
      world.tell(ann, { type: 'login-wanted', tag: ann, caller, pair: guess(), healthy: false }).type;
    expect(asked(thief(99))).toBe('refuse');
    expect(mismatches(() => holder('dorm'), 50)).toBe(5);
  });

  it('a caller with a token waits until the first of his budgets is free again', () => {
    expect(mismatches(() => holder('net'), 50)).toBe(4 + 3);
    expect(login(holder('net'), guess())).toBe('G2 3600');
    world.tell(ann, { type: 'unlocked', hash: 'u' });
    expect(mismatches(() => stranger('net'), 50)).toBe(3);
    pass(30 * MINUTE);
    expect(mismatches(() => holder('net'), 50)).toBe(4);
    // The network is free in half an hour, the token in an hour.
    expect(login(holder('net'), guess())).toBe('G2 1800');
  });

  it('the unlock token compares where every other budget is spent, three times', () => {
    world.tell(ann, { type: 'unlocked', hash: 'unlock' });
    mismatches((at) => holder(`net-${at}`, `token-${at}`), 200);
    mismatches((at) => stranger(`net-${at}`), 50);
    const bearer = stranger('net-9', { proof: 'unlock', home: [] });
    expect(login(bearer, storedPair(), ann, true)).toBe('token');
    expect(mismatches(() => bearer, 50)).toBe(2);
    expect(login(bearer, storedPair(), ann, true)).toBe('G2 3600');
  });

  it('one mismatch per pair and caller within 24 hours: a repetition tells nothing', () => {
    const [wrong, other] = [guess(), guess()];
    const booked = () => world.memory(ann).student.mismatches.length;
    for (let at = 0; at < 9; at += 1) login(stranger('one'), wrong);
    expect(booked()).toBe(1);
    login(stranger('one'), other);
    login(stranger('two'), wrong);
    expect(booked()).toBe(3);
    login(stranger('two'), { ...wrong, prints: { ...wrong.prints, portal: ['another portal'] } });
    login(stranger('two'), { ...wrong, prints: { ...wrong.prints, 'unified-login': ['another login'] } });
    expect(booked(), 'either half makes it another pair').toBe(5);
    for (let at = 0; at < 9; at += 1) login(holder(`net-${at}`), wrong);
    expect(booked()).toBe(6);
    pass(DAY);
    login(stranger('one'), wrong);
    expect(booked()).toBe(1);
  });

  it('a pair is known again under the name of an older key', () => {
    const prints = { portal: ['new', 'old'], 'unified-login': ['new', 'old'] };
    login(stranger('one'), foreign('x', { prints: { portal: ['old'], 'unified-login': ['old'] } }));
    login(stranger('one'), foreign('x', { prints }));
    expect(world.memory(ann).student.mismatches).toHaveLength(1);
  });

  it('of many with one pair, from wherever they come, one is booked while it is put to the campus', () => {
    const pair = guess();
    expect(login(stranger('one'), pair)).toBe('ask');
    const ask = { id: 'a', by: 'stranger', caller: stranger('one'), pair } as const;
    world.tell(ann, { type: 'ask-begins', ...ask });
    for (const network of ['two', 'three']) login(stranger(network), pair);
    expect(world.memory(ann).student.mismatches).toHaveLength(1);
    ended(ask, portalRefusal);
    login(stranger('two'), pair);
    expect(world.memory(ann).student.mismatches).toHaveLength(2);
  });

  it('an accepted ask gives back what was booked for its pair, and nothing else', () => {
    const right = guess();
    login(stranger('one'), guess());
    login(stranger('two'), right);
    expect(attempt(holder(), right, { type: 'accepted' })).toBe('asked accepted');
    expect(world.memory(ann).student.mismatches.map(({ who }) => who)).toEqual(['one']);
  });

  it('what was booked for a pair while it was being stored is given back at the next login with it', () => {
    const { prints } = storedPair();
    login(stranger('one'), foreign('late', { prints }));
    expect(login(stranger('one'), storedPair(), ann, true)).toBe('token');
    expect(world.memory(ann).student.mismatches).toEqual([]);
  });

  it('beyond, the right pair is not told apart from a wrong one, and no other class pays', () => {
    mismatches((at) => stranger(`net-${at}`), 50);
    expect(login(stranger('fresh'), storedPair(), ann, true)).toBe('G2 3600');
    expect(login(holder(), storedPair(), ann, true)).toBe('token');
    useToken();
    expect(login(known(), storedPair(), ann, true)).toBe('token');
    expect(said(world.tell(ann, { type: 'comparing', by: 'stranger', caller: stranger('fresh') }))).toBe('G2 3600');
  });

  it('a pair that cannot be read, or is set aside and sent again, is no mismatch', () => {
    login(stranger(), foreign('a', { stored: 'none' }));
    login(stranger(), storedPair('portal'));
    expect(world.memory(ann).student.mismatches).toEqual([]);
  });
});

describe('G3, asking', () => {
  /** As many asks as are let through, with every wait waited for. */
  const all = (caller: (at: number) => Caller): number => {
    for (let at = 0; ; at += 1) {
      if (!attempt(caller(at), guess()).startsWith('asked')) return at;
      pass(31 * MINUTE);
    }
  };

  it.each([
    ['where a login succeeded', 'net-1'],
    ['known by use alone', 'used'],
  ])('strangers two a day, all others one more, %s, and the last one the owner, who proves it at home', (_, third) => {
    logIn('net-1');
    world.tell(ann, { type: 'token-used', home: ['home-used'] });
    expect(all((at) => stranger(`net-${at + 2}`))).toBe(2);
    expect(all(() => stranger(third))).toBe(1);
    expect(
      all(() => holder('net-2')),
      'a token elsewhere',
    ).toBe(0);
    expect(
      all(() => holder('used')),
      'a token where it was only used',
    ).toBe(0);
    expect(
      all(() => stranger('net-1')),
      'at home without a token',
    ).toBe(0);
    expect(all(() => holder('net-1'))).toBe(1);
    expect(all(() => holder('net-1'))).toBe(0);
  });

  it('the owner at home alone has all four, and leaves strangers none', () => {
    logIn('dorm');
    expect(all(() => holder('dorm'))).toBe(4);
    expect(all((at) => stranger(`net-${at}`))).toBe(0);
  });

  it('a copy of the token elsewhere has three, and leaves strangers none and the owner the last one', () => {
    logIn('net-1');
    expect(all(() => holder('net-2'))).toBe(3);
    expect(all((at) => stranger(`net-${at + 3}`))).toBe(0);
    expect(all(() => holder('net-1'))).toBe(1);
  });

  it('the last one stays with the owner, whoever had the others', () => {
    logIn('net-1');
    expect(attempt(holder('net-1'), guess())).toBe('asked refused');
    pass(MINUTE);
    expect(attempt(holder('net-1'), guess())).toBe('asked refused');
    pass(HOUR);
    expect(all((at) => stranger(`net-${at + 2}`))).toBe(1);
    expect(all(() => holder('net-1'))).toBe(1);
  });

  it('the last one is his also where a thief has spent what his token may compare', () => {
    logIn('dorm');
    expect(all((at) => stranger(`net-${at}`))).toBe(2);
    for (let at = 0; at < 20; at += 1) login(holder(`net-${at}`), guess());
    expect(all(() => holder('dorm'))).toBe(2);
  });

  it('the unlock token waits for nobody’s refusals but its own', () => {
    world.tell(ann, { type: 'unlocked', hash: 'unlock' });
    expect(attempt(holder(), guess())).toBe('asked refused');
    const bearer = stranger('net-9', { proof: 'unlock' });
    expect(attempt(bearer, guess())).toBe('asked refused');
    expect(attempt(bearer, guess())).toBe('G3 60');
    pass(MINUTE);
    expect(attempt(holder(), guess())).toBe('asked refused');
  });

  it('the last one is also the unlock token’s, at its third try as well', () => {
    expect(all(() => holder())).toBe(3);
    pass(29 * MINUTE);
    const { asks } = world.memory(ann).student;
    world.tell(ann, { type: 'unlocked', hash: 'unlock' });
    // Its budgets are returned with it; here they are spent again.
    world.students.set(ann, { ...world.memory(ann).student, asks });
    const bearer = stranger('net-9', { proof: 'unlock' });
    for (let at = 0; at < 2; at += 1) expect(login(bearer, storedPair(), ann, true)).toBe('token');
    expect(attempt(bearer, guess())).toBe('asked refused');
    expect(attempt(bearer, guess()), 'no fourth try').toMatch(/^G3 /);
  });

  it.each([3, 7, 10])('with N = %i', (perDay) => {
    world = new TableWorld(perDay);
    logIn('net-1');
    for (const network of ['a', 'b', 'c', 'd']) world.tell(ann, { type: 'token-used', home: [`home-${network}`] });
    expect(all((at) => stranger(`net-${at + 2}`))).toBe(perDay - 2);
    expect(all((at) => stranger('abcd'.charAt(at % 4)))).toBe(1);
    expect(all(() => holder('net-1'))).toBe(1);
  });

  it('waits 60 s, five minutes and half an hour after refusals of the same class', () => {
    logIn('dorm');
    const owner = holder('dorm');
    const next = () =>
      said(world.tell(ann, { type: 'ask-begins', id: 'next', by: 'holder', caller: owner, pair: guess() }));
    expect(attempt(owner, guess())).toBe('asked refused');
    expect(next()).toBe('G3 60');
    expect(attempt(stranger(), guess())).toBe('asked refused');
    pass(MINUTE);
    expect(attempt(owner, guess())).toBe('asked refused');
    expect(next()).toBe('G3 300');
    pass(5 * MINUTE);
    expect(attempt(owner, guess())).toBe('asked refused');
    pass(HOUR);
    expect(attempt(owner, guess())).toBe(`G3 ${DAY / SECOND - 3960}`);
  });

  it('waits half an hour after the third refusal of a class, and after every later one', () => {
    world = new TableWorld(6);
    for (const wait of [MINUTE, 5 * MINUTE, 30 * MINUTE, 30 * MINUTE]) {
      expect(attempt(holder(), guess())).toBe('asked refused');
      const next = { id: 'next', by: 'holder', caller: holder(), pair: guess() } as const;
      expect(said(world.tell(ann, { type: 'ask-begins', ...next }))).toBe(`G3 ${wait / SECOND}`);
      pass(wait);
    }
  });

  it('the wait runs from the answer and not from the question', () => {
    const ask = { id: 'slow', by: 'holder', caller: holder(), pair: guess() } as const;
    world.tell(ann, { type: 'ask-begins', ...ask });
    pass(20 * SECOND);
    ended(ask, portalRefusal);
    expect(attempt(holder(), guess())).toBe('G3 60');
  });

  it('is booked before the ask: of two at once one is within a budget of one', () => {
    attempt(stranger('a'), guess());
    pass(MINUTE);
    const [one, two] = [guess(), guess()];
    const begin = (id: string, pair: SubmittedPair) =>
      said(world.tell(ann, { type: 'ask-begins', id, by: 'stranger', caller: stranger(id), pair }));
    expect(begin('b', one)).toBe('go');
    expect(begin('c', two)).toBe(`G3 ${DAY / SECOND - 60}`);
  });

  it.each([
    ['accepted', 0],
    ['unsent', 0],
    ['passed', 0],
    ['unheld', 0],
    ['person', 0],
    ['unread', 1],
    ['unknown', 1],
    ['marker', 1],
  ] as const)('an ask that ended %s leaves %i booked', (type, booked) => {
    attempt(stranger(), guess(), type === 'person' ? smsWanted : { type });
    expect(world.memory(ann).student.asks).toHaveLength(booked);
    expect(world.gateway.refused).toHaveLength(booked);
  });

  it('only time or the operator returns budget, no right login does', () => {
    expect(all((at) => stranger(`net-${at}`))).toBe(2);
    stored({ type: 'accepted' });
    attempt(holder(), guess(), { type: 'accepted' });
    login(holder(), storedPair(), ann, true);
    expect(all((at) => stranger(`net-${at}`))).toBe(0);
    world.tell(ann, { type: 'unlocked', hash: 'u' });
    expect(all((at) => stranger(`other-${at}`))).toBe(2);
  });
});

describe('G3a, the set-aside pair', () => {
  it('one try after 60 s, then one per six hours, two of the day', () => {
    stored(portalRefusal);
    expect(attempt(holder(), storedPair('portal'))).toBe('G3a 60');
    pass(MINUTE);
    expect(attempt(holder(), storedPair('portal'))).toBe('asked refused');
    expect(attempt(holder(), storedPair('portal'))).toBe(`G3a ${6 * 3600}`);
    pass(6 * HOUR);
    expect(attempt(holder(), storedPair('portal'))).toBe('asked refused');
    pass(6 * HOUR);
    expect(attempt(holder(), storedPair('portal'))).toBe(`G3a ${12 * 3600}`);
    pass(12 * HOUR);
    expect(attempt(holder(), storedPair('portal'), { type: 'accepted' })).toBe('asked accepted');
    expect(world.memory(ann).student.setAsideAt).toBe(0);
  });

  it.each([
    [3, 1],
    [10, 5],
  ])('of N = %i at most half, %i a day', (perDay, most) => {
    world = new TableWorld(perDay);
    logIn('net-1');
    stored(portalRefusal);
    pass(MINUTE);
    const times = Array.from({ length: most + 1 }, (_, at) => ({ id: `${at}`, at: world.now - DAY + HOUR + at }));
    const tries = times
      .slice(1)
      .map(({ id, at }) => ({ id, at, network: 'n', endedAt: at, setAside: true, pair: 'p' }));
    const asks = tries.map((ask) => ({ ...ask, by: 'holder', state: 'unknown' }) as const);
    world.students.set(ann, { ...world.memory(ann).student, asks: asks.slice(1) });
    expect(attempt(holder(), storedPair('portal'))).toBe('asked refused');
    world.students.set(ann, { ...world.memory(ann).student, asks });
    expect(attempt(holder(), storedPair('portal'))).toBe('G3a 3601');
  });

  it('is one of the asks of its class', () => {
    stored(portalRefusal);
    pass(MINUTE);
    attempt(stranger('a'), guess());
    pass(HOUR);
    attempt(stranger('b'), guess());
    pass(HOUR);
    expect(attempt(stranger('c'), storedPair('portal'))).toMatch(/^G3a \d+$/);
    expect(attempt(holder(), storedPair('portal'))).toBe('asked refused');
  });

  it('a login that meets the refusal sets it aside, and a foreign pair with that half of it too', () => {
    const half = foreign('half', { equalAt: { portal: true, 'unified-login': false } });
    const ask = { id: 'half', by: 'stranger', caller: stranger(), pair: half } as const;
    world.tell(ann, { type: 'ask-begins', ...ask });
    expect(ended(ask, portalRefusal)).toMatchObject({ setAside: 'portal' });
    expect(ended(ask, { type: 'refused', step: 'unified-login' })).toMatchObject({ setAside: null });
  });
});

describe('G3b, never the same twice', () => {
  it('a refused secret: to strangers for a day, to holders for ten minutes', () => {
    expect(attempt(stranger(), foreign('same'))).toBe('asked refused');
    expect(attempt(stranger('other'), foreign('same'))).toBe('G3b portal');
    expect(attempt(holder(), foreign('same'))).toBe('G3b portal');
    pass(10 * MINUTE);
    expect(attempt(holder(), foreign('same'))).toBe('asked refused');
    pass(DAY - 1);
    expect(attempt(stranger('other'), foreign('same'))).toBe('G3b portal');
    pass(1);
    expect(attempt(stranger('other'), foreign('same'))).toBe('asked refused');
  });

  it('by its step: the password refused at the portal may be right at the unified login', () => {
    attempt(holder(), foreign('a'), { type: 'refused', step: 'unified-login' });
    pass(MINUTE);
    const prints = { portal: ['portal b'], 'unified-login': ['login a'] };
    expect(attempt(holder(), foreign('b', { prints }))).toBe('G3b unified-login');
    expect(attempt(holder(), foreign('c', { prints: { portal: ['portal a'], 'unified-login': ['login c'] } }))).toBe(
      'asked refused',
    );
  });

  it('a replaced pair: to strangers for 30 days, to holders for ten minutes, and good when it is accepted again', () => {
    attempt(holder(), foreign('new'), { type: 'accepted' });
    const old = foreign('', { prints: { portal: ['portal stored'], 'unified-login': ['login stored'] } });
    expect(attempt(holder(), old)).toBe('G3b portal');
    pass(30 * DAY - 1);
    expect(attempt(stranger('far'), old)).toBe('G3b portal');
    expect(attempt(holder(), old, { type: 'accepted' })).toBe('asked accepted');
    expect(world.memory(ann).student.refusedSecrets.map(({ print }) => print)).not.toContain('portal stored');
  });

  it('eight at most, and under the names of older keys too', () => {
    const rows = Array.from(
      { length: 8 },
      (_, at) => ({ print: `p${at}`, step: 'portal', at: world.now, replaced: false }) as const,
    );
    world.students.set(ann, { ...emptyStudent, refusedSecrets: rows });
    expect(attempt(stranger(), foreign('', { prints: { portal: ['new name', 'p0'], 'unified-login': [] } }))).toBe(
      'G3b portal',
    );
    attempt(stranger(), foreign('ninth'));
    expect(world.memory(ann).student.refusedSecrets).toHaveLength(8);
    expect(world.memory(ann).student.refusedSecrets[0]?.print).toBe('p1');
  });
});

describe('G4, markers', () => {
  it('a foreign pair pauses foreign pairs, 60 s doubling to 300; the stored pair gets a try of its own', () => {
    expect(attempt(holder(), guess(), { type: 'marker' })).toBe('asked marker');
    expect(attempt(stranger(), guess())).toBe('G4 60');
    expect(stored({ type: 'accepted' })).toBe('asked accepted');
    expect(attempt(stranger(), guess())).toBe('G4 60');
    const seconds: number[] = [];
    for (let at = 0; at < 4; at += 1) {
      seconds.push(world.memory(ann).student.foreignPause?.seconds ?? 0);
      pass(5 * MINUTE);
      ended({ id: 'x', by: 'holder', caller: holder(), pair: guess() }, { type: 'marker' });
    }
    expect(seconds).toEqual([60, 120, 240, 300]);
    pass(DAY + 5 * MINUTE);
    attempt(holder(), guess(), { type: 'marker' });
    expect(world.memory(ann).student.foreignPause?.seconds).toBe(60);
  });

  it('what the stored pair meets pauses the owner, and others too, because the campus watches', () => {
    expect(stored({ type: 'marker' })).toBe('asked marker');
    expect(stored({ type: 'accepted' })).toBe('G4 60');
    expect(attempt(stranger(), guess())).toBe('G4 60');
    pass(MINUTE);
    expect(stored({ type: 'accepted' })).toBe('asked accepted');
    expect(world.memory(ann).student.ownPause).toBeNull();
  });

  it('of three students within five minutes stop their class for five, and no other', () => {
    for (const userid of ['a', 'b', 'c']) attempt(stranger(userid), guess(), { type: 'marker' }, userid);
    expect(attempt(stranger(), guess())).toBe('G4 300');
    expect(attempt(holder(), guess())).toBe('asked refused');
    expect(stored({ type: 'accepted' })).toBe('asked accepted');
    pass(5 * MINUTE);
    expect(attempt(stranger(), guess())).toBe('asked refused');
  });

  it('one student counts once a day, however many markers are met for it', () => {
    for (let at = 0; at < 5; at += 1) {
      ended({ id: 'x', by: 'stranger', caller: stranger(), pair: guess() }, { type: 'marker' }, 'a');
    }
    expect(attempt(stranger(), guess())).toBe('asked refused');
  });

  it('of three students’ stored pairs stop everything but one stored pair per 30 s, until one is accepted', () => {
    for (const userid of ['a', 'b', 'c']) stored({ type: 'marker' }, userid);
    expect(attempt(holder(), guess())).toBe('G4 30');
    // The first to find out goes at once.
    expect(stored({ type: 'unknown' }, 'd')).toBe('asked unknown');
    expect(stored({ type: 'unknown' }, 'd')).toBe('G4 30');
    pass(30 * SECOND);
    expect(stored({ type: 'unknown' }, 'd')).toBe('asked unknown');
    expect(stored({ type: 'unknown' }, 'e')).toBe('G4 30');
    pass(30 * SECOND);
    expect(stored({ type: 'accepted' }, 'e')).toBe('asked accepted');
    expect(stored({ type: 'accepted' }, 'f')).toBe('asked accepted');
    expect(attempt(holder(), guess())).toBe('asked refused');
    // What was met before it was over says nothing any more.
    expect(stored({ type: 'marker' }, 'g')).toBe('asked marker');
    expect(world.gateway.brake).toBeNull();
  });

  it('the one who goes at once has met none', () => {
    stored({ type: 'marker' }, 'a');
    pass(MINUTE);
    for (const userid of ['b', 'c']) stored({ type: 'marker' }, userid);
    // The pause of the first is over by now.
    expect(stored({ type: 'accepted' }, 'a')).toBe('G4 30');
    expect(stored({ type: 'accepted' }, 'd')).toBe('asked accepted');
    expect(stored({ type: 'accepted' }, 'a')).toBe('asked accepted');
  });

  it.each([
    [12, 'G4 30'],
    [13, 'asked accepted'],
  ])('of three students, beside %i stored pairs that were accepted in these minutes: %s', (accepted, expected) => {
    for (let at = 0; at < accepted; at += 1) stored({ type: 'accepted' }, `good ${at}`);
    for (const userid of ['a', 'b', 'c']) stored({ type: 'marker' }, userid);
    // The one that goes at once, if there is anything to find out.
    const first = stored({ type: 'unknown' }, 'd');
    expect(first).toBe('asked unknown');
    expect(stored({ type: 'accepted' }, 'e')).toBe(expected);
  });

  it.each([
    [12, 'G4 300'],
    [13, 'asked refused'],
  ])('of three foreign pairs of a class, beside %i that the campus answered as usual: %s', (usual, expected) => {
    for (let at = 0; at < usual; at += 1) {
      attempt(stranger(`n${at}`), guess(), at % 2 ? { type: 'accepted' } : portalRefusal, `good ${at}`);
    }
    // What other classes came to, and what was never answered, is no measure.
    for (let at = 0; at < 20; at += 1) attempt(holder(`h${at}`), guess(), { type: 'accepted' }, `held ${at}`);
    for (let at = 0; at < 20; at += 1) attempt(stranger(`u${at}`), guess(), { type: 'unsent' }, `unsent ${at}`);
    for (const userid of ['a', 'b', 'c']) attempt(stranger(userid), guess(), { type: 'marker' }, userid);
    expect(attempt(stranger('x'), guess(), portalRefusal, 'x')).toBe(expected);
  });

  it('what was answered more than five minutes ago is no measure', () => {
    for (let at = 0; at < 100; at += 1) stored({ type: 'accepted' }, `good ${at}`);
    pass(5 * MINUTE);
    for (const userid of ['a', 'b', 'c']) stored({ type: 'marker' }, userid);
    expect(stored({ type: 'unknown' }, 'd')).toBe('asked unknown');
    expect(stored({ type: 'accepted' }, 'e')).toBe('G4 30');
  });

  it('three students who meet them again and again stop everything once a day at most', () => {
    const stops: boolean[] = [];
    for (let at = 0; at < 10; at += 1) {
      for (const userid of ['a', 'b', 'c']) stored({ type: 'marker' }, userid);
      stops.push(world.gateway.brake !== null);
      expect(stored({ type: 'accepted' }, 'd')).toBe('asked accepted');
      pass(6 * MINUTE);
    }
    expect(stops).toEqual([true, ...Array(9).fill(false)]);
    pass(DAY);
    for (const userid of ['a', 'b', 'c']) stored({ type: 'marker' }, userid);
    expect(world.gateway.brake).not.toBeNull();
  });

  it('markers of ever new students go on stopping everything: half an hour after the last one it ends', () => {
    for (const userid of ['a', 'b', 'c']) stored({ type: 'marker' }, userid);
    for (let at = 0; at < 60; at += 1) {
      pass(MINUTE);
      expect(stored({ type: 'marker' }, `probe ${at}`)).toBe('asked marker');
    }
    pass(30 * MINUTE - 1);
    expect(world.memory(ann).gateway.brake).not.toBeNull();
    pass(1);
    expect(world.memory(ann).gateway.brake).toBeNull();
  });

  it('accepted stored pairs are written down to within a tenth, and what is not yet comes with the next', () => {
    const accepted = (answers: number) =>
      world.tell(ann, { type: 'stored-ended', tag: 't', outcome: { type: 'accepted' }, answers, storedPrints });
    const known = () => world.gateway.answered.reduce((all, { count }) => all + count, 0);
    for (let at = 0; at < 100; at += 1) accepted(1);
    expect(known()).toBe(11);
    accepted(2);
    expect(known()).toBe(13);
    accepted(1);
    expect(known()).toBe(13);
    world.tell(ann, { type: 'stored-ended', tag: 't', outcome: { type: 'marker' }, answers: 2, storedPrints });
    expect(known()).toBe(15);
  });
});

describe('G5, registration', () => {
  let ids = 0;
  const register = (
    outcome: AskOutcome,
    caller: Caller = stranger(),
    userid = 'new',
    { code = 'CODE', invite, pair = guess() }: { code?: string; invite?: string; pair?: SubmittedPair } = {},
  ): string => {
    ids += 1;
    const id = `reg-${ids}`;
    const { prints } = pair;
    const wanted = world.tell(userid, { type: 'registration-wanted', caller }, code);
    if (wanted.type === 'refuse') return said(wanted);
    const begins = { type: 'registration-begins', invite: invite ?? id, id, caller, prints } as const;
    const begun = world.tell(userid, begins, code);
    if (begun.type === 'refuse') return said(begun);
    const ended = world.tell(userid, { type: 'registration-ended', id, caller, prints, tag: userid, outcome }, code);
    return ended.type === 'refuse' ? said(ended) : `asked ${outcome.type}`;
  };
  /** Somebody else has registered there. */
  const proves = (network: string): void => {
    expect(register({ type: 'accepted' }, stranger(network), `first in ${network}`, { code: 'FIRST' })).toBe(
      'asked accepted',
    );
  };

  it('of one student id: two refusals from all, a third from a network that proved itself, waits of 60 s and 5 min', () => {
    expect(register(portalRefusal)).toBe('asked refused');
    expect(register(portalRefusal)).toBe('G5 60');
    pass(MINUTE);
    expect(register(portalRefusal)).toBe('asked refused');
    expect(register(portalRefusal, stranger('two'))).toBe(`G5 ${DAY / SECOND - 60}`);
    proves('dorm');
    expect(register(portalRefusal, stranger('dorm'))).toBe('G5 300');
    pass(5 * MINUTE);
    expect(register(portalRefusal, stranger('two'))).toBe(`G5 ${DAY / SECOND - 360}`);
    expect(register(portalRefusal, stranger('dorm'))).toBe('asked refused');
    pass(30 * MINUTE);
    expect(register(portalRefusal, stranger('dorm'))).toBe(`G5 ${DAY / SECOND - 2160}`);
  });

  it('of one student id: two from one network, also from one that proved itself', () => {
    proves('dorm');
    for (const _ of [1, 2]) {
      expect(register(portalRefusal, stranger('dorm'))).toBe('asked refused');
      pass(5 * MINUTE);
    }
    expect(register(portalRefusal, stranger('dorm'))).toBe(`G5 ${DAY / SECOND - 600}`);
    proves('library');
    expect(register(portalRefusal, stranger('library'))).toBe('asked refused');
  });

  it('the wait after the third is half an hour, and an own backend has no part of its network', () => {
    const backend = stranger('backend', { trusted: true });
    for (const wait of [60, 300, 1800]) {
      expect(register(portalRefusal, backend)).toBe('asked refused');
      const refused = register(portalRefusal, backend);
      expect(Number(refused.split(' ')[1])).toBeGreaterThanOrEqual(wait);
      pass(wait * SECOND);
    }
    expect(world.memory('new').student.asks).toHaveLength(3);
  });

  it('a network has proved itself for 30 days, by a login as well, and not by the use of a token or a data call', () => {
    const third = (): string => {
      world.students.delete('new');
      for (const network of ['a', 'b']) {
        register(portalRefusal, stranger(network));
        pass(5 * MINUTE);
      }
      return register(portalRefusal, stranger('home-net'));
    };
    const free = /^G5 /;
    world.tell(ann, { type: 'token-used', home: ['home-home-net'] });
    stored({ type: 'accepted' });
    expect(third()).toMatch(free);
    logIn('home-net');
    expect(third()).toBe('asked refused');
    pass(30 * DAY);
    expect(third()).toMatch(free);
    expect(attempt(stranger('home-net'), guess(), { type: 'accepted' })).toBe('asked accepted');
    expect(third()).toBe('asked refused');
  });

  it('of one invite token: three refused asks, whatever ids they are for', () => {
    for (let at = 0; at < 3; at += 1) {
      expect(register(portalRefusal, stranger(`net-${at}`), `a${at}`, { invite: 'one' })).toBe('asked refused');
    }
    expect(register(portalRefusal, stranger('net-9'), 'a9', { invite: 'one' })).toBe('G5 3600');
    expect(register(portalRefusal, stranger('net-9'), 'a9', { invite: 'two' })).toBe('asked refused');
  });

  it('of one invite token: an accepted ask and one of which nothing left count for nothing', () => {
    for (const outcome of [{ type: 'unsent' }, { type: 'accepted' }, smsWanted, { type: 'unheld' }] as const) {
      expect(register(outcome, stranger(), `b-${outcome.type}`, { invite: 'one' })).toBe(`asked ${outcome.type}`);
    }
    for (let at = 0; at < 3; at += 1) {
      expect(register(portalRefusal, stranger(`net-${at}`), `a${at}`, { invite: 'one' })).toBe('asked refused');
    }
  });

  it('of one code: five an hour from a network, one more for each accepted there', () => {
    const here = stranger('here');
    for (let at = 0; at < 5; at += 1) expect(register(portalRefusal, here, `a${at}`)).toBe('asked refused');
    expect(register(portalRefusal, here, 'a5')).toBe('G5 3600');
    expect(register({ type: 'accepted' }, here, 'a6', { code: 'OTHER' })).toBe('asked accepted');
    expect(register(portalRefusal, here, 'a7')).toBe('G5 3600');
    expect(register(portalRefusal, stranger('here', { trusted: true }), 'a8')).toBe('asked refused');
    pass(HOUR);
    for (let at = 0; at < 3; at += 1) expect(register({ type: 'accepted' }, here, `b${at}`)).toBe('asked accepted');
    for (let at = 0; at < 8; at += 1) expect(register(portalRefusal, here, `c${at}`)).toBe('asked refused');
    expect(register(portalRefusal, here, 'c8')).toBe('G5 3600');
  });

  it('of one code: networks without an accepted registration have twenty an hour together', () => {
    register({ type: 'accepted' }, stranger('proven'), 'first');
    for (let at = 0; at < 20; at += 1) {
      expect(register(portalRefusal, stranger(`net-${at}`), `a${at}`)).toBe('asked refused');
    }
    expect(register(portalRefusal, stranger('net-20'), 'a20')).toBe('G5 3600');
    expect(register(portalRefusal, stranger('proven'), 'a21')).toBe('asked refused');
    expect(register(portalRefusal, stranger('net-20'), 'a22', { code: 'OTHER' })).toBe('asked refused');
  });

  it('an accepted one makes the network known and gives its booking back', () => {
    expect(register({ type: 'accepted' }, stranger('dorm'))).toBe('asked accepted');
    expect(world.memory('new').student).toMatchObject({ asks: [], networks: [{ network: 'home-dorm' }] });
    expect(world.gateway.refused).toEqual([]);
  });

  it('a marker pauses the student id, and three stop registrations only', () => {
    for (const userid of ['a', 'b', 'c']) register({ type: 'marker' }, stranger(userid), userid);
    expect(register(portalRefusal, stranger(), 'd')).toBe('G4 300');
    expect(attempt(stranger(), guess())).toBe('asked refused');
  });

  it('a password that was refused is refused again for ten minutes without being asked, and costs nothing', () => {
    const pair = guess();
    expect(register(portalRefusal, stranger(), 'new', { pair })).toBe('asked refused');
    pass(10 * MINUTE - 1);
    expect(register(portalRefusal, stranger(), 'new', { pair })).toBe('G3b portal');
    expect(world.memory('new').student.asks).toHaveLength(1);
    pass(1);
    expect(register({ type: 'accepted' }, stranger(), 'new', { pair })).toBe('asked accepted');
    expect(world.memory('new').student.refusedSecrets).toEqual([]);
  });

  it('the refused half alone is remembered: who is refused at the second step has passed the first', () => {
    const pair = guess();
    register(portalRefusal, stranger(), 'new', { pair });
    pass(HOUR);
    register({ type: 'refused', step: 'unified-login' }, stranger(), 'new', { pair });
    expect(world.memory('new').student.refusedSecrets.map(({ step }) => step)).toEqual(['unified-login']);
  });

  it('with an unlock token the student has one try more than all others, three times', () => {
    proves('dorm');
    for (const network of ['a', 'b', 'dorm']) {
      register(portalRefusal, stranger(network));
      pass(30 * MINUTE);
    }
    expect(register(portalRefusal, stranger('dorm'))).toMatch(/^G5 /);
    const { asks } = world.memory('new').student;
    world.tell('new', { type: 'unlocked', hash: 'u' });
    expect(world.memory('new').student.asks, 'what others have used up is returned').toEqual([]);
    world.students.set('new', { ...world.memory('new').student, asks });
    const bearer = stranger('dorm', { proof: 'u' });
    expect(register({ type: 'refused', step: 'portal' }, bearer)).toBe('asked refused');
    expect(world.memory('new').student.unlock).toMatchObject({ tries: 2 });
    expect(register(portalRefusal, bearer)).toMatch(/^G5 /);
  });

  it('with an unlock token it waits for its own refusals alone, and keeps no other token waiting', () => {
    world.tell('new', { type: 'unlocked', hash: 'u' });
    const bearer = stranger('dorm', { proof: 'u' });
    expect(register(portalRefusal)).toBe('asked refused');
    expect(register(portalRefusal, bearer)).toBe('asked refused');
    expect(register(portalRefusal, bearer)).toBe('G5 60');
    expect(attempt(holder(), guess(), portalRefusal, 'new')).toBe('asked refused');
  });
});

/** Of an id that is somebody's account by now. */
const registers = (id: string, caller: Caller, prints: SubmittedPair['prints'], outcome: AskOutcome): void => {
  world.tell(ann, { type: 'registration-begins', invite: id, id, caller, prints }, 'CODE');
  world.tell(ann, { type: 'registration-ended', id, caller, prints, tag: ann, outcome }, 'CODE');
};

describe('registrations and logins of one id', () => {
  it('while a registration puts a pair to the campus, a login with it books no mismatch', () => {
    const pair = guess();
    const { prints } = pair;
    const begins = { type: 'registration-begins', invite: 'i', id: 'r', caller: stranger('one'), prints } as const;
    world.tell(ann, begins, 'CODE');
    login(stranger('two'), pair);
    expect(world.memory(ann).student.mismatches).toEqual([]);
  });

  it('stand in one list: refused registrations count as asks of strangers after an accepted one', () => {
    const pair = guess();
    for (const network of ['a', 'b']) {
      registers(network, stranger(network), pair.prints, portalRefusal);
      pass(HOUR);
    }
    expect(attempt(stranger('c'), guess())).toBe(`G3 ${22 * 3600}`);
    expect(attempt(stranger('c'), pair)).toBe('G3b portal');
    logIn('home');
    expect(attempt(stranger('home'), guess())).toBe('asked refused');
    pass(HOUR);
    expect(attempt(stranger('home'), guess())).toMatch(/^G3 /);
    expect(attempt(holder('home'), guess())).toBe('asked refused');
    expect(world.memory(ann).student.asks).toHaveLength(4);
  });

  it('a stranger waits after both alike', () => {
    registers('r', stranger('a'), guess().prints, portalRefusal);
    expect(attempt(stranger('b'), guess())).toBe('G3 60');
  });
});

describe('G7, the one address of the service', () => {
  const students = (count: number, caller: (at: number) => Caller): number => {
    for (let at = 0; at < count; at += 1) {
      if (!attempt(caller(at), guess(), portalRefusal, `student-${secrets}`).startsWith('asked')) return at;
    }
    return count;
  };

  it('strangers: ten refused asks an hour from a network, sixty from all; owners have 120 of their own', () => {
    expect(students(50, () => stranger('one'))).toBe(10);
    expect(attempt(stranger('one'), guess(), portalRefusal, 'x')).toBe('G7 3600');
    expect(students(90, (at) => stranger(`net-${at}`))).toBe(50);
    expect(students(200, () => holder('one'))).toBe(120);
    pass(HOUR);
    expect(students(20, () => stranger('one'))).toBe(10);
  });

  it('an own backend has no part of its network, but the total', () => {
    expect(students(90, () => stranger('backend', { trusted: true }))).toBe(60);
  });

  it('accepted asks cost nothing', () => {
    for (let at = 0; at < 200; at += 1) {
      expect(attempt(stranger(), guess(), { type: 'accepted' }, `s${at}`)).toBe('asked accepted');
    }
  });
});

describe('G10, deletion', () => {
  const wants = (caller: Caller, pair = guess()): string =>
    said(world.tell(ann, { type: 'deletion-wanted', caller, pair }));

  it('compares in the budgets of its token and network, and makes no login wait', () => {
    // Four of the token, and then three as any other caller of that network.
    for (let at = 0; at < 7; at += 1) expect(wants(holder())).toBe('G10');
    expect(wants(holder(), storedPair())).toBe('G2 3600');
    expect(attempt(stranger('net-2'), guess())).toBe('asked refused');
    pass(HOUR);
    expect(wants(holder(), storedPair())).toBe('go');
  });

  it('with the stolen token from elsewhere stops no deletion by the owner at home', () => {
    logIn('dorm');
    for (let at = 0; at < 40; at += 1) wants(holder(`net-${at}`));
    expect(wants(holder('dorm'), storedPair())).toBe('go');
  });
});

describe('G11, a clock that was set back', () => {
  it('nobody waits longer than the longest wait, and nothing is forgotten', () => {
    attempt(stranger(), guess(), { type: 'marker' });
    stored({ type: 'marker' });
    pass(-10 * DAY);
    expect(attempt(stranger(), guess())).toBe('G3 60');
    expect(stored({ type: 'accepted' })).toBe('G4 300');
    expect(world.memory(ann).student.asks).toHaveLength(1);
    pass(5 * MINUTE);
    expect(stored({ type: 'accepted' })).toBe('asked accepted');
  });

  it('nor a class that markers have stopped', () => {
    for (const userid of ['a', 'b', 'c']) attempt(stranger(userid), guess(), { type: 'marker' }, userid);
    pass(-DAY);
    expect(attempt(stranger(), guess())).toBe('G4 300');
  });
});

describe('G13, a second step', () => {
  const accepted: AskOutcome = { type: 'accepted' };

  it.each([
    ['a read', () => stored(smsWanted)],
    ['a login with the stored pair', () => attended(smsWanted)],
    ['a login with another pair', () => attempt(holder(), guess(), smsWanted)],
  ])('that %s met: nobody sends a password unattended, however long it is ago', (_, meet) => {
    expect(meet()).toBe('asked person');
    for (const ms of [0, MINUTE, DAY, 100 * DAY]) {
      pass(ms);
      const answer = world.tell(ann, { type: 'stored-wanted', attended: false, stored: 'good', tag: 't' });
      expect(answer).toEqual({ type: 'refuse', rule: 'G13', why: 'person', wanted: 'sms', step: 'portal' });
    }
  });

  it.each([
    ['with the stored pair', () => attended(accepted)],
    ['with another pair', () => attempt(holder(), guess(), accepted)],
  ])('a login %s that went through without one lets unattended ones go for a day', (_, passes) => {
    stored(smsWanted);
    expect(passes()).toBe('asked accepted');
    pass(DAY - 1);
    expect(stored(accepted)).toBe('asked accepted');
    pass(1);
    expect(stored(accepted)).toBe('G13');
  });

  it('one that is met within that day counts at once', () => {
    stored(smsWanted);
    attended(accepted);
    expect(stored(smsWanted)).toBe('asked person');
    expect(stored(accepted)).toBe('G13');
  });

  it('logins that were refused, or of which nobody knows, lift nothing', () => {
    stored(smsWanted);
    for (const outcome of [{ type: 'unknown' }, { type: 'unsent' }, { type: 'passed' }, { type: 'unheld' }] as const) {
      attended(outcome);
      expect(stored(accepted)).toBe('G13');
      pass(HOUR);
    }
    login(holder(), storedPair(), ann, true);
    expect(stored(accepted)).toBe('G13');
  });

  it('of an id that registers counts for its account', () => {
    const { prints } = guess();
    registers('r', stranger(), prints, smsWanted);
    expect(stored(accepted)).toBe('G13');
    registers('r', stranger(), prints, accepted);
    expect(stored(accepted)).toBe('asked accepted');
  });

  it('a clock that was set back lengthens no such day', () => {
    stored(smsWanted);
    attended(accepted);
    pass(-10 * DAY);
    expect(world.memory(ann).student.person?.liftedUntil).toBe(world.now + DAY);
  });
});

describe('G13, sign-ins that do not hold', () => {
  const unheld: AskOutcome = { type: 'unheld' };
  const accepted: AskOutcome = { type: 'accepted' };

  it.each(['unheld', 'unread'] as const)('unattended and %s: three an hour, rests of 60 s and 5 min', (type) => {
    expect(stored({ type })).toBe(`asked ${type}`);
    expect(stored({ type })).toBe(`asked ${type}`);
    expect(stored({ type })).toBe('G13 60');
    pass(MINUTE);
    expect(stored({ type })).toBe(`asked ${type}`);
    expect(world.memory(ann).student.rest?.seconds).toBe(300);
    expect(stored({ type })).toBe(`G13 ${HOUR / SECOND - 60}`);
    pass(HOUR - MINUTE);
    expect(stored({ type })).toBe(`asked ${type}`);
  });

  it('the rests grow to half an hour, and are over with the first that holds', () => {
    const rest = () => world.memory(ann).student.rest?.seconds;
    const rests = [];
    for (let at = 0; at < 4; at += 1) {
      stored(unheld);
      stored(unheld);
      rests.push(rest());
      pass(HOUR);
    }
    expect(rests).toEqual([60, 300, 1800, 1800]);
    stored(unheld);
    stored({ type: 'accepted' });
    expect(rest()).toBeUndefined();
  });

  it('of three students within five minutes, a fifth of all sign-ins: one in 30 s, and every second of another', () => {
    const ids = ['u1', 'u2', 'u3'];
    for (const id of ids.slice(0, 2)) expect(stored(unheld, id)).toBe('asked unheld');
    expect(stored(unheld, 'u1')).toBe('asked unheld');
    expect(stored(accepted, 'fine')).toBe('asked accepted');
    expect(stored(unheld, 'u3')).toBe('asked unheld');
    // Those who met it wait, another student finds out at once.
    expect(stored(unheld, 'u2')).toBe('G13 30');
    expect(stored({ type: 'unknown' }, 'fine')).toBe('asked unknown');
    expect(stored({ type: 'unknown' }, 'fine')).toBe('G13 30');
    pass(30 * SECOND);
    expect(stored({ type: 'unknown' }, 'u2')).toBe('asked unknown');
    pass(30 * SECOND);
    expect(stored(unheld, 'u2')).toBe('G13 30');
    expect(stored({ type: 'unknown' }, 'other')).toBe('asked unknown');
    pass(60 * SECOND);
    expect(login(stranger(), guess(), 'other')).toBe('G4 1');
    expect(stored(accepted, 'u3')).toBe('asked accepted');
    expect(world.memory('u2').gateway.brake).toBeNull();
    // Each counts once a day.
    for (const id of ['u2', 'u3']) stored(unheld, id);
    expect(stored(accepted, 'fine')).toBe('asked accepted');
    expect(world.memory('u2').gateway.brake).toBeNull();
  });

  it('of three students: a marker met meanwhile changes nothing of what ends it', () => {
    for (const id of ['u1', 'u2', 'u3']) stored(unheld, id);
    expect(stored({ type: 'marker' }, 'u4')).toBe('asked marker');
    pass(30 * SECOND);
    expect(stored(accepted, 'u1')).toBe('asked accepted');
    expect(world.memory('u1').gateway).toMatchObject({ brake: null, heldAgain: { at: world.now } });
  });

  it('of three students among many sign-ins that hold they stop nobody', () => {
    for (let at = 0; at < 20; at += 1) stored(accepted, `held${at}`);
    for (const id of ['u1', 'u2', 'u3']) stored(unheld, id);
    expect(world.memory('u1').gateway.brake).toBeNull();
  });

  it('that all met: when one holds again, what they gained meanwhile is over', () => {
    for (const id of ['u1', 'u2', 'u3']) stored(unheld, id);
    const gained = [stored(unheld, 'u4'), pass(30 * SECOND), stored(unheld, 'u4')];
    expect(gained).toEqual(['asked unheld', undefined, 'asked unheld']);
    pass(45 * SECOND);
    expect(stored(unheld, 'u4')).toBe('G13 15');
    expect(stored(accepted, 'u5')).toBe('asked accepted');
    for (let at = 0; at < 2; at += 1) expect(stored(unheld, 'u4')).toBe('asked unheld');
    expect(stored(unheld, 'u4')).toBe('G13 60');
  });

  it('further apart than ten minutes nothing rests', () => {
    for (let at = 0; at < 20; at += 1) {
      expect(stored(unheld)).toBe('asked unheld');
      pass(20 * MINUTE);
    }
  });

  it('the reader is told how long the pair rests', () => {
    stored(unheld);
    world.tell(ann, { type: 'stored-wanted', attended: false, stored: 'good', tag: 't' });
    const ended = { type: 'stored-ended', tag: 't', outcome: unheld, storedPrints } as const;
    expect(world.tell(ann, ended)).toMatchObject({ pausedSeconds: 60 });
  });

  it('logins have three of their own, whatever pair they send, and rest for nothing', () => {
    stored(unheld);
    stored(unheld);
    expect(attended(unheld)).toBe('asked unheld');
    expect(attempt(holder(), guess(), smsWanted)).toBe('asked person');
    expect(attempt(stranger(), guess(), { type: 'passed' })).toBe('asked passed');
    expect(attempt(holder(), guess(), { type: 'accepted' })).toBe('G13 3600');
    expect(attended({ type: 'accepted' })).toBe('G13 3600');
    pass(HOUR);
    expect(attended({ type: 'accepted' })).toBe('asked accepted');
  });

  it('what is merely slow behind the portal counts for no stored pair', () => {
    for (let at = 0; at < 10; at += 1) expect(stored({ type: 'passed' })).toBe('asked passed');
  });

  it('the operator ends the wait of logins', () => {
    for (let at = 0; at < 3; at += 1) attended(unheld);
    expect(attended(unheld)).toBe('G13 3600');
    world.tell(ann, { type: 'unlocked', hash: 'u' });
    expect(attended(unheld)).toBe('asked unheld');
  });

  it('sessions that end early are opened again six times an hour, at each of the two logins', () => {
    const early = (step: 'portal' | 'unified-login') => said(world.tell(ann, { type: 'early-renewal', step }));
    for (let at = 0; at < 6; at += 1) expect(early('portal')).toBe('go');
    expect(early('portal')).toBe('G13 3600');
    expect(early('unified-login')).toBe('go');
    pass(HOUR);
    expect(early('portal')).toBe('go');
  });
});

describe('G12, the campus errs', () => {
  const everybodyRefused = (): void => {
    for (let at = 0; at < 20; at += 1) expect(stored(portalRefusal, `s${at}`)).toBe('asked refused');
  };

  it('after twenty refused students a refusal says nothing and sets nothing aside', () => {
    everybodyRefused();
    pass(30 * SECOND);
    expect(stored(portalRefusal, 'late')).toBe('G12 30');
    expect(stored(portalRefusal, 'later')).toBe('G12 30');
    expect(attempt(holder(), guess())).toBe('G12 30');
    expect(world.memory('late').student.setAsideAt).toBe(0);
  });

  it('foreign pairs go on, and an accepted one ends it: the whole campus got new passwords', () => {
    everybodyRefused();
    expect(attempt(holder(), guess(), { type: 'accepted' })).toBe('asked accepted');
    expect(stored(portalRefusal, 'y')).toBe('asked refused');
    expect(world.memory('y').student.setAsideAt).toBe(world.now);
  });

  it('an ask that was on its way is answered as a failure of the campus and stays booked', () => {
    const ask = { id: 'x', by: 'holder', caller: holder(), pair: guess() } as const;
    world.tell(ann, { type: 'ask-begins', ...ask });
    everybodyRefused();
    expect(said(ended(ask, portalRefusal))).toBe('G12 30');
    expect(world.memory(ann).student).toMatchObject({ asks: [{ state: 'unknown' }], refusedSecrets: [] });
  });

  it('a registration on its way is answered so too and stays booked, but an accepted one is accepted', () => {
    const caller = stranger();
    const { prints } = guess();
    const began = (id: string) =>
      world.tell(id, { type: 'registration-begins', invite: id, id, caller, prints }, 'CODE');
    const ended = (id: string, outcome: AskOutcome) =>
      world.tell(id, { type: 'registration-ended', id, caller, prints, tag: id, outcome }, 'CODE');
    for (const userid of ['x', 'y']) began(userid);
    everybodyRefused();
    expect(said(ended('x', portalRefusal))).toBe('G12 30');
    expect(world.memory('x').student.asks).toMatchObject([{ id: 'x', state: 'unknown' }]);
    expect(said(ended('y', { type: 'accepted' }))).toBe('noted');
    expect(world.memory('y').student.asks).toEqual([]);
  });

  it('a brake for captchas hides no refusal', () => {
    for (const userid of ['a', 'b', 'c']) stored({ type: 'marker' }, userid);
    pass(30 * SECOND);
    expect(stored(portalRefusal, 'd')).toBe('asked refused');
    expect(world.memory('d').student.setAsideAt).toBe(world.now);
  });

  it('one acceptance ends it; the refusals before it count no more', () => {
    everybodyRefused();
    pass(30 * SECOND);
    expect(stored({ type: 'accepted' }, 'x')).toBe('asked accepted');
    expect(stored(portalRefusal, 'y')).toBe('asked refused');
  });

  it('not where five others were accepted in the same time', () => {
    for (let at = 0; at < 5; at += 1) stored({ type: 'accepted' }, `good${at}`);
    for (let at = 0; at < 50; at += 1) expect(stored(portalRefusal, `s${at}`)).toBe('asked refused');
    expect(world.gateway.storedRefused, 'what is kept of them').toHaveLength(40);
  });

  it('ends by itself where nobody is left who could prove it over', () => {
    everybodyRefused();
    pass(30 * MINUTE);
    expect(attempt(holder(), guess())).toBe('asked refused');
  });

  it('acceptances of a busy day are written down a few times in five minutes, not each', () => {
    let writes = 0;
    for (let second = 0; second < 600; second += 1) {
      const before = world.gateway;
      stored({ type: 'accepted' }, `s${second}`);
      if (JSON.stringify(world.gateway.storedAccepted) !== JSON.stringify(before.storedAccepted)) writes += 1;
      pass(SECOND);
      if (second > 10) expect(world.memory('x').gateway.storedAccepted.length).toBeGreaterThanOrEqual(5);
    }
    expect(writes).toBeLessThan(60);
  });
});

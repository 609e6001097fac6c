import { beforeEach, describe, expect, it } from 'vitest';
import { beginsAsk, endsAsk } from '../../../../../src/domain/accounts/guard/asking.ts';
import type { Caller, SubmittedPair } from '../../../../../src/domain/accounts/guard/callers.ts';
import { opensChallenge, sendsCode, unsendsCode } from '../../../../../src/domain/accounts/guard/challenge-budgets.ts';
import { mayCompare, wantsDeletion } from '../../../../../src/domain/accounts/guard/comparing.ts';
import { unlocks } from '../../../../../src/domain/accounts/guard/guard.ts';
import { guardNumbers } from '../../../../../src/domain/accounts/guard/numbers.ts';
import {
  beginsStored,
  endsStored,
  meetsClosed,
  wantsLogin,
} from '../../../../../src/domain/accounts/guard/stored-pair.ts';
import { beginsEarly, holdBack } from '../../../../../src/domain/accounts/guard/trouble.ts';
import type { AskOutcome } from '../../../../../src/domain/accounts/guard/verdict.ts';
import type { SignInStep } from '../../../../../src/domain/errors.ts';
import { seeded } from './simulation.ts';
import {
  DAY,
  foreign,
  HOUR,
  holder,
  MINUTE,
  RuleWorld,
  SECOND,
  said,
  storedPair,
  storedPrints,
  stranger,
} from './support.ts';

const ann = 'ann';
const never = Number.POSITIVE_INFINITY;
const refused: AskOutcome = { type: 'refused', step: 'unified-login' };
const accepted: AskOutcome = { type: 'accepted' };
const met: AskOutcome = { type: 'person', wanted: 'sms', step: 'portal' };

let world: RuleWorld;
let asks: number;
beforeEach(() => {
  world = new RuleWorld();
  asks = 0;
});

const login = (pair: SubmittedPair, caller: Caller = stranger(), answeredMs = never, id = ann): string =>
  said(world.tell(id, (draft, at) => wantsLogin(draft, { caller, pair, tag: id, answeredMs }, at)));
/** Put to the campus, with this outcome; or why not. */
const ask = (pair: SubmittedPair, outcome: AskOutcome, caller: Caller = stranger(), id = ann): string => {
  asks += 1;
  const booked = { id: `${asks}`, caller, pair, tag: id };
  const begun = said(world.tell(id, (draft, at) => beginsAsk(draft, booked, at)));
  if (begun !== 'go') return begun;
  const end = { ...booked, outcome, storedPrints };
  return said(world.tell(id, (draft, at) => endsAsk(draft, end, at)));
};
const signIn = (outcome: AskOutcome, id = ann, caller?: Caller): string => {
  const attended = caller ? { caller } : {};
  const begun = said(world.tell(id, (draft, at) => beginsStored(draft, { stored: 'good', tag: id, ...attended }, at)));
  if (begun !== 'go') return begun;
  asks += 1;
  const end = { id: `${asks}`, tag: id, outcome, storedPrints, ...attended };
  return said(world.tell(id, (draft, at) => endsStored(draft, end, at)));
};
const atHome = (network = 'home', id = ann): void => void signIn(accepted, id, stranger(network));
const pass = (ms: number): void => {
  world.now += ms;
};

describe('R1 comparing', () => {
  it('strangers together compare ten pairs an hour, from however many networks, and then not even the right one', () => {
    for (let at = 0; at < 10; at += 1) expect(login(foreign(`${at}`), stranger(`n${at}`))).not.toContain('compare');
    expect(login(storedPair(), stranger('other'), 0)).toBe('compare-limit 3600');
  });

  it('home with a token, home without one and the token alone have a budget of an hour each', () => {
    const [{ most }] = guardNumbers.comparing.owner;
    atHome();
    for (const caller of [holder('home'), stranger('home'), holder('elsewhere')]) {
      for (let at = 0; at < most; at += 1) expect(login(foreign(`${at}`), caller)).not.toContain('compare');
      expect(login(foreign('more'), caller)).toBe('compare-limit 3600');
    }
  });

  it('a repetition tells nothing and costs nothing', () => {
    for (let at = 0; at < 50; at += 1) login(foreign('same'));
    expect(world.row(ann).guesses).toHaveLength(1);
  });

  it('the stored pair gets a token while its session has just answered, and is signed in again otherwise', () => {
    expect(login(storedPair(), stranger(), 239 * SECOND)).toBe('token');
    expect(login(storedPair(), stranger(), 240 * SECOND)).toBe('go');
  });

  it('the stored pair gets a token while sign-ins are paused, if the campus accepted it within a day', () => {
    atHome();
    for (const id of ['a', 'b', 'c']) signIn({ type: 'marker' }, id);
    signIn({ type: 'marker' }, 'd');
    expect(login(storedPair())).toBe('token');
    pass(DAY);
    expect(login(storedPair())).not.toBe('token');
  });

  it('thirty right logins in ten minutes, each handle: others take nothing of home', () => {
    atHome();
    const away = { home: [] };
    for (const caller of [stranger('x', away), { ...holder('x'), ...away }, stranger('home'), holder('home')]) {
      for (let at = 0; at < 30; at += 1) expect(login(storedPair(), caller, 0)).toBe('token');
      expect(login(storedPair(), caller, 0)).toBe('compare-limit 600');
    }
  });

  it('a student who needs a person gets a token only as an owner, within 30 minutes of the last answer after the step', () => {
    atHome();
    signIn(met);
    pass(29 * MINUTE);
    expect(login(storedPair(), stranger('home'), 29 * MINUTE - 1)).toBe('token');
    expect(login(storedPair(), stranger('away'), 29 * MINUTE - 1)).toBe('go');
    expect(login(storedPair(), stranger('home'), 29 * MINUTE + 1)).toBe('go');
    pass(2 * MINUTE);
    expect(login(storedPair(), stranger('home'), 30 * MINUTE)).toBe('go');
  });

  it('deletion compares within the same budgets, also with a pair that was set aside', () => {
    const remove = (pair: SubmittedPair): string =>
      said(world.tell(ann, (draft, at) => wantsDeletion(draft, stranger(), pair, at)));
    expect(remove(storedPair('portal'))).toBe('go');
    for (let at = 0; at < 10; at += 1) expect(remove(foreign(`${at}`))).toBe('compare-limit');
    expect(remove(storedPair())).toBe('compare-limit 3600');
  });
});

describe('R2 asking', () => {
  it('the third wrong password of strangers in a day waits, the fourth of an owner at home with a token passes', () => {
    atHome();
    expect(ask(foreign('1'), refused, stranger('x'))).toBe('noted');
    expect(ask(foreign('2'), refused, stranger('y'))).toBe('ask-limit 60');
    pass(MINUTE);
    expect(ask(foreign('2'), refused, stranger('y'))).toBe('noted');
    pass(5 * MINUTE);
    expect(ask(foreign('3'), refused, stranger('z'))).toBe(`ask-limit ${(DAY - 6 * MINUTE) / SECOND}`);
    expect(ask(foreign('3'), refused, stranger('home'))).toBe('noted');
    expect(ask(foreign('4'), refused, holder('elsewhere'))).toMatch(/^ask-limit/);
    expect(ask(foreign('4'), refused, holder('home'))).toBe('noted');
    pass(HOUR);
    expect(ask(foreign('5'), refused, holder('home'))).toMatch(/^ask-limit/);
  });

  it('waits grow by handle: a minute, five, thirty', () => {
    world = new RuleWorld(10);
    for (const wait of [60, 300, 1800, 1800]) {
      expect(ask(foreign(`${wait} ${world.now}`), refused)).toBe('noted');
      expect(ask(foreign('next'), refused)).toBe(`ask-limit ${wait}`);
      expect(ask(foreign(`of another ${world.now}`), { type: 'unsent' }, holder('away'))).toBe('noted');
      pass(wait * SECOND);
    }
  });

  it.each([
    ['accepted', 0],
    ['unsent', 0],
    ['passed', 0],
    ['unstable', 0],
    ['captcha', 0],
    ['unknown', 1],
    ['unread', 1],
    ['marker', 1],
  ] as const)('an outcome that is %s leaves %i asks booked', (type, left) => {
    ask(foreign(), { type });
    expect([world.row(ann).asks.length, world.gateway.asks.length]).toEqual([left, left]);
  });

  it('a second step gives the ask back, whether or not it is offered', () => {
    ask(foreign('a'), { ...met, offered: true });
    ask(foreign('b'), met);
    expect(world.row(ann).asks).toEqual([]);
  });

  it('a refused stored pair is asked after a minute and then every six hours, at most half of N a day', () => {
    world = new RuleWorld(6);
    signIn(refused);
    const again = () => ask(storedPair('unified-login'), refused, holder('away'));
    expect(again()).toBe('ask-limit 60');
    pass(MINUTE);
    expect(again()).toBe('noted');
    expect(again()).toBe('ask-limit 21600');
    pass(6 * HOUR);
    expect(again()).toBe('noted');
    expect(again()).toBe(`ask-limit ${(18 * HOUR - MINUTE) / SECOND}`);
  });

  it('a right stored pair that was set aside is accepted again', () => {
    signIn(refused);
    pass(MINUTE);
    expect(ask(storedPair('unified-login'), accepted, holder('away'))).toBe('noted');
    expect(signIn(accepted)).toBe('noted');
  });

  it('the refusal says how many tries are left', () => {
    const booked = { id: 'x', caller: stranger(), pair: foreign(), tag: ann };
    world.tell(ann, (draft, at) => beginsAsk(draft, booked, at));
    const end = { ...booked, outcome: refused, storedPrints };
    expect(world.tell(ann, (draft, at) => endsAsk(draft, end, at))).toMatchObject({ triesLeft: 1 });
  });
});

describe('R3 never the same twice', () => {
  it('a refused secret is refused again, a day to strangers, ten minutes to owners', () => {
    atHome();
    ask(foreign('1'), refused, holder('home'));
    const again = (caller: Caller) =>
      ask({ ...foreign('2'), fingerprints: foreign('1').fingerprints }, refused, caller);
    pass(9 * MINUTE);
    expect(again(holder('home'))).toBe('refused-before unified-login');
    pass(MINUTE);
    expect(again(stranger('x'))).toBe('refused-before unified-login');
    expect(again(holder('home'))).toBe('noted');
    // A secret that is refused twice stands in the list once.
    expect([...world.students.values()].map((row) => row.refused.length)).toEqual([1]);
    pass(DAY);
    expect(again(stranger('x'))).toBe('noted');
  });

  it('what a login replaced counts as refused, and the last twelve are kept', () => {
    ask(foreign('new'), accepted, holder());
    expect(login({ ...storedPair(), equalAt: { portal: false, 'unified-login': false } }, stranger('x'))).toBe(
      'refused-before portal',
    );
    world = new RuleWorld(10);
    for (let at = 0; at < 9; at += 1, pass(30 * MINUTE)) ask(foreign(`${at}`), refused, holder('home'));
    expect(world.row(ann).refused.length).toBeLessThanOrEqual(12);
  });

  it('a refusal at the second step says that the first was right', () => {
    ask(foreign('1'), { type: 'refused', step: 'portal' });
    pass(DAY);
    ask({ ...foreign('1') }, refused);
    expect(world.row(ann).refused.map(({ step }) => step)).toEqual(['unified-login']);
  });
});

describe('R4 the campus is in trouble', () => {
  const trouble = (ids: readonly string[], outcome: AskOutcome = { type: 'marker' }) => {
    for (const id of ids) signIn(outcome, id);
  };

  it('three students open it, if they are a fifth; then one sign-in per 30 s, first of those who met nothing', () => {
    trouble(['a', 'b']);
    expect(world.gateway.stored.open).toBeNull();
    trouble(['c']);
    expect(world.gateway.stored.open).not.toBeNull();
    expect(signIn({ type: 'marker' }, 'd')).toBe('noted');
    expect(signIn(accepted, 'e')).toBe('sign-in-breaker 30');
    pass(30 * SECOND);
    expect(signIn(accepted, 'e')).toBe('noted');
    expect(world.gateway.stored.open).toBeNull();
    expect(signIn(accepted, 'f')).toBe('noted');
  });

  it('beside twelve others it stays closed', () => {
    for (let at = 0; at < 13; at += 1) signIn(accepted, `s${at}`);
    trouble(['a', 'b', 'c']);
    expect(world.gateway.stored.open).toBeNull();
  });

  it('a student counts once an hour, also after it has closed', () => {
    trouble(['a', 'b', 'c']);
    signIn(accepted, 'd');
    pass(31 * MINUTE);
    trouble(['a', 'b', 'c']);
    expect(world.gateway.stored.open).toBeNull();
  });

  it('while it is open nothing is set aside for good', () => {
    trouble(['a', 'b', 'c']);
    const end = { id: 'x', tag: 'd', outcome: refused, storedPrints };
    expect(world.tell('d', (draft, at) => endsStored(draft, end, at))).toMatchObject({ setAside: null });
    pass(DAY);
    signIn(accepted, 'e');
    expect(signIn(accepted, 'd')).toBe('noted');
  });

  it('a renewal is one sign-in: the password for its other half waits for nothing, and keeps nobody waiting', () => {
    trouble(['a', 'b', 'c']);
    const begins = (id: string, isLater = false): string =>
      said(world.tell(id, (draft, at) => beginsStored(draft, { stored: 'good', tag: id, isLater }, at)));
    expect([begins('d'), begins('e'), begins('d', true)]).toEqual(['go', 'sign-in-breaker 30', 'go']);
    pass(29 * SECOND);
    expect(begins('d', true)).toBe('go');
    pass(SECOND);
    expect(begins('e')).toBe('go');
  });

  it('what the campus says of one account, or of a closed place, is not bad', () => {
    const begun: readonly AskOutcome[] = [
      { type: 'locked' },
      { ...met, wanted: 'password-change' },
      { type: 'closed' },
    ];
    for (const [at, outcome] of begun.entries()) trouble([`a${at}`, `b${at}`, `c${at}`], outcome);
    expect(world.gateway.stored).toMatchObject({ bad: [], open: null });
    for (const [at, outcome] of begun.entries()) {
      for (const id of ['x', 'y', 'z']) ask(foreign(), outcome, stranger(), `${id}${at}`);
    }
    expect(world.gateway.strangers).toMatchObject({ bad: [], open: null });
  });

  it('strangers’ asks have their own', () => {
    for (const id of ['a', 'b', 'c']) ask(foreign(), { type: 'marker' }, stranger(), id);
    expect(world.gateway.stored.open).toBeNull();
    expect(ask(foreign(), { type: 'marker' }, stranger(), 'd')).toBe('noted');
    expect(ask(foreign(), accepted, stranger(), 'e')).toBe('sign-in-breaker 30');
    expect(signIn(accepted)).toBe('noted');
    expect(ask(foreign('own'), accepted, holder())).toBe('noted');
  });

  it('three steps met unattended stop all unattended sign-ins until an attended one ends without a step', () => {
    trouble(['a', 'b', 'c'], met);
    expect(signIn(accepted, 'd')).toBe('sign-in-breaker');
    pass(DAY);
    expect(signIn({ type: 'accepted', stepped: true, trusts: true }, 'e', holder())).toBe('noted');
    expect(signIn(accepted, 'd')).toBe('sign-in-breaker');
    expect(signIn(accepted, 'e', holder())).toBe('noted');
    expect(signIn(accepted, 'd')).toBe('noted');
    // Each of the three needs a person, until an attended sign-in of theirs ends without a step.
    expect(signIn(accepted, 'a')).toBe('second-step');
    expect(signIn({ type: 'accepted', stepped: true }, 'a', holder())).toBe('noted');
    expect(signIn(accepted, 'a')).toBe('second-step');
    signIn(accepted, 'a', holder());
    expect(signIn(accepted, 'a')).toBe('noted');
    // Or until a step of theirs has earned the trust of the login, which says nothing for the others.
    expect(signIn({ type: 'accepted', stepped: true, trusts: true }, 'b', holder())).toBe('noted');
    expect([signIn(accepted, 'b'), signIn(accepted, 'c')]).toEqual(['noted', 'second-step']);
  });

  it('an hour has sixty refused asks of strangers, ten of one network, but for trusted callers', () => {
    for (let at = 0; at < 10; at += 1) expect(ask(foreign(), refused, stranger('n'), `a${at}`)).toBe('noted');
    expect(ask(foreign(), refused, stranger('n'), 'b')).toBe('gateway-limit 3600');
    for (let at = 10; at < 60; at += 1) ask(foreign(), refused, stranger('own', { trusted: true }), `a${at}`);
    expect(ask(foreign(), refused, stranger('m'), 'b')).toBe('gateway-limit 3600');
    expect(ask(foreign(), refused, holder('m'), 'b')).toBe('noted');
  });
});

describe('R5 one student in trouble', () => {
  it('rests after the third sign-in of an hour that does not hold: 60 s, 5 min, 30 min', () => {
    for (const _ of [1, 2, 3]) expect(signIn({ type: 'unstable' })).toBe('noted');
    for (const wait of [60, 300, 1800, 1800]) {
      expect(signIn(accepted)).toBe(`session-backoff ${wait}`);
      pass(wait * SECOND);
      expect(signIn({ type: 'unstable' })).toBe('noted');
    }
  });

  it('rests after the first marker, until a session that was opened after it has held', () => {
    const holds = (openedAt: number) => world.tell(ann, (draft) => holdBack(draft, openedAt));
    signIn({ type: 'captcha' });
    expect(signIn(accepted)).toBe('session-backoff 60');
    holds(world.now - 1);
    expect(signIn(accepted)).toBe('session-backoff 60');
    holds(world.now + 1);
    expect(signIn(accepted)).toBe('noted');
  });

  it('rests after the seventh session that ended early', () => {
    const early = (step: SignInStep = 'portal', isLater = false) =>
      said(world.tell(ann, (draft, at) => beginsEarly(draft, step, isLater, at)));
    for (let at = 0; at < 7; at += 1) expect(early()).toBe('go');
    // The other half of the seventh renewal.
    expect(early('unified-login', true)).toBe('go');
    expect(early('unified-login')).toBe('session-backoff 60');
    expect(early()).toBe('session-backoff 60');
  });

  it.each(['unstable', 'passed'] as const)('explicit logins that are %s have three an hour besides', (type) => {
    for (let at = 0; at < 3; at += 1) expect(signIn({ type }, ann, holder())).toBe('noted');
    expect(signIn(accepted, ann, holder())).toBe('session-backoff 3600');
    expect(signIn(accepted)).toBe('noted');
  });
});

describe('budgets of challenges and codes, a day', () => {
  const open = (caller: Caller, rings = true): string => {
    asks += 1;
    const opening = { id: `${asks}`, caller, why: 'login', rings } as const;
    return said(world.tell(ann, (draft, at) => opensChallenge(draft, opening, at)));
  };
  const many = (caller: Caller): number => {
    let count = 0;
    while (open(caller) === 'go') count += 1;
    return count;
  };

  it('strangers have two, one token four, and home what is left of ten', () => {
    atHome();
    expect([many(stranger('x')), many(holder('away')), many(stranger('home'))]).toEqual([2, 4, 6]);
    expect(many(holder('away', 'another'))).toBe(0);
  });

  it('three tokens have six together: the last four are for home', () => {
    atHome();
    expect(['a', 'b', 'c'].map((token) => many(holder('away', token)))).toEqual([4, 2, 0]);
    expect(many(holder('home'))).toBe(4);
  });

  it('a code counts for the challenge that asks for it, and not where it has not left', () => {
    atHome();
    open(stranger('home'));
    const id = `${asks}`;
    for (let at = 1; at < 10; at += 1)
      expect(said(world.tell(ann, (draft, at) => sendsCode(draft, id, at)))).toBe('go');
    expect(said(world.tell(ann, (draft, at) => sendsCode(draft, id, at)))).toBe('challenge-limit 86400');
    world.tell(ann, (draft) => unsendsCode(draft, id));
    expect(said(world.tell(ann, (draft, at) => sendsCode(draft, id, at)))).toBe('go');
  });
});

it('unlocking empties budgets and waits, and leaves homes, refused secrets and the need for a person', () => {
  atHome();
  signIn(met);
  for (let at = 0; at < 10; at += 1) login(foreign(`${at}`));
  ask(foreign('1'), refused);
  const { networks, refused: secrets, mark } = world.row(ann);
  world.tell(ann, unlocks);
  expect(world.row(ann)).toMatchObject({ guesses: [], asks: [], networks, refused: secrets, mark });
  expect(ask(foreign('2'), refused)).toBe('noted');
});

it('a clock that was set back makes no wait longer than its window', () => {
  for (let at = 0; at < 10; at += 1) login(foreign(`${at}`));
  pass(-DAY);
  expect(login(foreign('x'))).toBe('compare-limit 3600');
});

it('where a place says that it is closed, a pair is trusted that the campus accepted within a day, and no marked student', () => {
  const meets = (id = ann) => said(world.tell(id, (draft, at) => meetsClosed(draft, stranger(), at)));
  expect(meets()).toBe('go');
  atHome();
  expect(meets()).toBe('token');
  pass(DAY);
  expect(meets()).toBe('go');
  atHome();
  signIn(met);
  expect(meets()).toBe('go');
});

it('of 20,000 random events none makes the campus refuse more than N of an id in a day, nor N-2 of strangers', () => {
  const random = seeded(11);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const outcomes: readonly AskOutcome[] = [refused, refused, accepted, { type: 'unknown' }, { type: 'unsent' }, met];
  const callers = [stranger('x'), stranger('y'), stranger('home'), holder('home'), holder('away')];
  const seen: Array<{ at: number; isStranger: boolean }> = [];
  for (let event = 0; event < 20_000; event += 1, pass(random() * 5 * MINUTE)) {
    const caller = pick(callers);
    const outcome = pick(outcomes);
    const isStranger =
      caller.token.length === 0 && !world.row(ann).networks.some((row) => caller.home.includes(row.network));
    const pair = random() < 0.2 ? storedPair('portal') : foreign(`${Math.floor(random() * 1_000)}`);
    if (random() < 0.3) login(pair, caller);
    else if (random() < 0.2) world.tell(ann, (draft, at) => mayCompare(draft, caller, at) ?? { type: 'go' });
    else if (ask(pair, outcome, caller) === 'noted' && outcome.type === 'refused')
      seen.push({ at: world.now, isStranger });
  }
  const most = (list: typeof seen) =>
    Math.max(...list.map(({ at: end }) => list.filter(({ at }) => at > end - DAY && at <= end).length));
  expect(most(seen)).toBeLessThanOrEqual(4);
  expect(most(seen.filter(({ isStranger }) => isStranger))).toBeLessThanOrEqual(2);
});

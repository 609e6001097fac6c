import { beforeEach, describe, expect, it } from 'vitest';
import type { AskOutcome, Caller } from '../../../../../src/domain/accounts/guard/events.ts';
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
const offered: AskOutcome = { type: 'person', wanted: 'sms', offered: true };
const accepted: AskOutcome = { type: 'accepted' };
const stepped: AskOutcome = { type: 'accepted', stepped: true };

let world: TableWorld;
let ids = 0;
beforeEach(() => {
  world = new TableWorld();
});
const pass = (ms: number): void => {
  world.now += ms;
};
const open = (caller: Caller, wanted: 'sms' | 'totp' | 'captcha' = 'sms', userid = ann): string => {
  ids += 1;
  const id = `challenge-${ids}`;
  return said(world.tell(userid, { type: 'challenge-opens', id, caller, wanted, why: 'login-wait' }));
};
const send = (): string => said(world.tell(ann, { type: 'challenge-sends', id: `challenge-${ids}` }));
const loggedInAt = (network: string): void => {
  const caller = stranger(network);
  world.tell(ann, { type: 'login-wanted', tag: ann, caller, pair: storedPair(), healthy: true });
};
/** Attended where `home` is given. */
const signsIn = (userid: string, outcome: AskOutcome, home?: readonly string[]): void =>
  void world.tell(userid, {
    ...{ type: 'stored-ended', tag: userid, outcome, storedPrints },
    ...(home === undefined ? {} : { home }),
  });
const rings = (userid: string): void => signsIn(userid, { type: 'person', wanted: 'sms' });
const unattended = (userid: string): string =>
  said(world.tell(userid, { type: 'stored-wanted', stored: 'good', tag: userid, attended: false }));
const begin = (userid: string): string => said(world.tell(userid, { type: 'post-begins', tag: userid }));
const end = (userid: string): void => void world.tell(userid, { type: 'post-ended', tag: userid });
/** How many of a hundred are let through. */
const many = (times: number, what: () => string): number =>
  Array.from({ length: times }, what).filter((answer) => answer === 'go').length;

describe('G14, challenges and codes of a day', () => {
  it('strangers have two of each, all of them together', () => {
    expect(many(20, () => open(stranger(`net-${ids}`)))).toBe(2);
    pass(DAY);
    expect(open(stranger('other'))).toBe('go');
    // The password counted as the first code.
    expect([send(), send()]).toEqual(['go', 'G14 86400']);
    expect(open(stranger('third'))).toBe('G14 86400');
    expect(open(stranger('third'), 'totp')).toBe('go');
  });

  it('a network of strangers has twenty an hour that came to nothing', () => {
    let student = 0;
    const here = (): string => {
      student += 1;
      return open(stranger('campus'), 'totp', `student-${student}`);
    };
    expect(many(40, here)).toBe(20);
    world.tell('student-1', { type: 'challenge-passed', id: `challenge-${ids - 39}`, stepped: true });
    expect(many(40, here)).toBe(1);
    expect(open(stranger('campus', { trusted: true }), 'totp', 'backend')).toBe('go');
    pass(HOUR);
    expect(many(40, here)).toBe(20);
  });

  it('a token has eight and four, and a thief with a copy leaves the owner at home his own', () => {
    loggedInAt('home');
    expect(many(20, () => open(holder('elsewhere')))).toBe(4);
    expect(many(20, () => open(holder('elsewhere'), 'totp'))).toBe(4);
    // The same token, from where its owner has logged in.
    expect(many(20, () => open(holder('home')))).toBe(6);
    expect(many(20, () => open(holder('home'), 'totp'))).toBe(6);
  });

  it('many tokens and networks together leave what is kept for networks where a login succeeded', () => {
    loggedInAt('home');
    expect(many(40, () => open(holder(`net-${ids}`, `token-${ids}`)))).toBe(8);
    expect(many(40, () => open(holder(`net-${ids}`, `token-${ids}`), 'totp'))).toBe(8);
    expect(many(40, () => open(stranger('home')))).toBe(2);
    expect(many(40, () => open(stranger('home'), 'totp'))).toBe(2);
  });

  it('a network known by use has four and two', () => {
    world.tell(ann, { type: 'token-used', home: ['home-cafe'] });
    expect(many(20, () => open(stranger('cafe')))).toBe(2);
    expect(many(20, () => open(stranger('cafe'), 'totp'))).toBe(2);
  });

  it('no password goes where a code would ring that no budget is left for', () => {
    signsIn(ann, { type: 'person', wanted: 'sms' }, []);
    many(2, () => open(stranger()));
    const pair = foreign('right');
    const ask = { id: 'a', by: 'stranger', caller: stranger(), pair } as const;
    expect(said(world.tell(ann, { type: 'ask-begins', ...ask }))).toBe('G14 86400');
    const wanted = { type: 'stored-wanted', stored: 'good', tag: ann, attended: true, caller: stranger() } as const;
    expect(said(world.tell(ann, wanted))).toBe('G14 86400');
    expect(said(world.tell(ann, { ...wanted, caller: holder() }))).toBe('sign-in');
  });

  it.each([
    ['stranger', 1],
    ['holder', 0],
  ] as const)('the ask of a %s who was offered a step: %i stay booked until it is passed', (by, booked) => {
    const ask = { id: 'a', by, caller: by === 'holder' ? holder() : stranger(), pair: foreign('right') };
    world.tell(ann, { type: 'ask-begins', ...ask });
    world.tell(ann, { type: 'ask-ended', ...ask, tag: ann, outcome: offered, storedPrints });
    expect(world.memory(ann).student.asks).toHaveLength(booked);
    expect(world.gateway.refused).toHaveLength(0);
    world.tell(ann, { type: 'ask-ended', ...ask, tag: ann, outcome: stepped, storedPrints });
    expect(world.memory(ann).student.asks).toHaveLength(0);
  });

  it('an answer waits for no marker that went before it, but for the budget of asks', () => {
    const ask = { id: 'a', by: 'holder', caller: holder(), pair: foreign('right') } as const;
    world.tell(ann, { type: 'ask-begins', ...ask });
    world.tell(ann, { type: 'ask-ended', ...ask, tag: ann, outcome: { type: 'marker' }, storedPrints });
    expect(said(world.tell(ann, { type: 'ask-begins', ...ask, id: 'b' }))).toBe('G3 60');
    expect(said(world.tell(ann, { type: 'ask-begins', ...ask, id: 'b', resumed: true }))).toBe('go');
  });
});

describe('a registration that goes on after a step', () => {
  const { prints } = foreign('right at the portal');
  const caller = stranger('dorm');
  const registers = (userid: string): void =>
    void world.tell(userid, { type: 'registration-begins', invite: 'i', id: userid, caller, prints }, 'CODE');
  const registered = (userid: string, outcome: AskOutcome, from?: Caller): void => {
    const resumed = from && { resumed: 'i' };
    const ended = { type: 'registration-ended', id: userid, ...resumed, caller: from ?? caller, prints } as const;
    world.tell(userid, { ...ended, tag: userid, outcome }, 'CODE');
  };
  const booked = () => [world.gateway.refused, world.memory('x', 'CODE').code.refused];

  it.each([{ type: 'refused', step: 'unified-login' }, { type: 'unknown' }] as const)(
    '$type counts for code, invite token, network and address as one without a step',
    (outcome) => {
      registers('plain');
      registered('plain', outcome);
      registers('stepped');
      registered('stepped', offered);
      const [here, code] = booked();
      expect([here?.length, code?.length]).toEqual([1, 1]);
      // A wrong code first, and answered from somewhere else.
      for (const told of [offered, outcome]) registered('stepped', told, stranger('phone'));
      for (const [plain, stepped, ...others] of booked()) {
        expect([{ ...stepped, id: 'plain' }, others]).toEqual([plain, []]);
      }
    },
  );

  it('accepted gives all of it back', () => {
    registers('stepped');
    registered('stepped', offered);
    registered('stepped', stepped, caller);
    expect(booked()).toEqual([[], []]);
    expect(world.memory('stepped').student.asks).toEqual([]);
  });
});

describe('the mark of a student', () => {
  const stored = (attended: boolean): string =>
    said(world.tell(ann, { type: 'stored-wanted', stored: 'good', tag: ann, attended }));
  const ended = (outcome: AskOutcome): void => signsIn(ann, outcome, ['home']);

  it('stays when a challenge is passed, and is lifted for a day by a login without a step', () => {
    ended(offered);
    ended(stepped);
    expect([stored(false), stored(true)]).toEqual(['G13', 'sign-in']);
    ended(accepted);
    expect(stored(false)).toBe('sign-in');
    pass(DAY);
    expect(stored(false)).toBe('G13');
  });

  it('ten thousand unattended sign-ins in a month: none is let through', () => {
    ended(offered);
    const answers = new Set<string>();
    for (let at = 0; at < 10_000; at += 1, pass(4 * MINUTE)) answers.add(stored(false));
    expect([...answers]).toEqual(['G13']);
  });

  it('attended steps that were offered have budgets of their own', () => {
    for (let at = 0; at < 10; at += 1) ended(offered);
    expect(stored(true)).toBe('sign-in');
  });
});

describe('the known quiet after a passed step', () => {
  const students = ['a', 'b', 'c'];
  const passes = (userid: string): void => {
    signsIn(userid, offered, ['home']);
    ids += 1;
    world.tell(userid, { type: 'challenge-passed', id: `challenge-${ids}`, stepped: true });
    signsIn(userid, stepped, ['home']);
  };
  /** Asked again after ten days, all of them, and none of them at these distances. */
  const seen = (...distances: readonly number[]): void => {
    for (const userid of students) passes(userid);
    let at = 0;
    for (const [index, distance] of distances.entries()) {
      pass(distance - at);
      at = distance;
      signsIn(students[index] ?? '', accepted, ['home']);
    }
    pass(10 * DAY - at);
    for (const userid of students) passes(userid);
  };
  /** For how many hours after a step that is passed now an unattended sign-in goes through. */
  const restedHours = (userid: string): number => {
    let hours = 0;
    while (unattended(userid) === 'sign-in' && hours < 1_000) {
      pass(HOUR);
      hours += 1;
    }
    return hours;
  };

  it.each([
    ['the distance that three students had', [2 * DAY, 4 * DAY, 5 * DAY], 48],
    ['at most four fifths of the shortest at which one was asked again', [9 * DAY, 9 * DAY, 9 * DAY], 8 * 24],
    ['none while only two have shown it', [4 * DAY, 5 * DAY], 0],
  ] as const)('is %s', (_what, distances, hours) => {
    seen(...distances);
    expect(restedHours('a')).toBe(hours);
  });

  it('is none before one was asked again, and one who never passed a step has none', () => {
    for (const userid of students) passes(userid);
    pass(5 * DAY);
    for (const userid of students) signsIn(userid, accepted, ['home']);
    pass(DAY);
    expect(unattended('a')).toBe('G13');
    pass(DAY);
    passes('b');
    rings('d');
    expect([unattended('b'), unattended('d')]).toEqual(['sign-in', 'G13']);
  });

  it('one student who signs in many times, and passes many steps, is no three', () => {
    for (let at = 0; at < 5; at += 1) {
      passes('a');
      pass(2 * DAY);
      signsIn('a', accepted, ['home']);
      pass(2 * DAY);
    }
    passes('a');
    expect(unattended('a')).toBe('G13');
  });

  it('sign-ins that nobody waits for do not prolong it', () => {
    for (const userid of students) passes(userid);
    pass(2 * DAY);
    for (const userid of students) signsIn(userid, accepted, ['home']);
    // A login without a step has lifted the marks for a day.
    pass(20 * HOUR);
    for (const userid of students) signsIn(userid, accepted);
    pass(8 * DAY);
    for (const userid of students) passes(userid);
    expect(restedHours('a')).toBe(48);
  });

  it('is over for everybody when a step is met inside it, for seven days, and is shorter after that', () => {
    seen(2 * DAY, 2 * DAY, 2 * DAY);
    pass(DAY);
    expect([unattended('a'), begin('a'), unattended('b')]).toEqual(['sign-in', 'go', 'sign-in']);
    rings('a');
    // Of the others, one waited for its turn with its password in hand.
    expect([begin('b'), unattended('b'), unattended('c')]).toEqual(['G14', 'G13', 'G13']);
    pass(7 * DAY - SECOND);
    for (const userid of students) passes(userid);
    expect(unattended('a')).toBe('G13');
    pass(SECOND);
    expect(restedHours('a')).toBe(20);
  });

  it('marks that rest take turns as students without one do, and a stop is for them as well', () => {
    const all = ['a', 'b', 'c', 'd'];
    seen(2 * DAY, 2 * DAY, 2 * DAY);
    passes('d');
    expect(all.map(begin)).toEqual(['go', 'go', 'go', 'turn-awaited']);
    for (const userid of students) end(userid);
    for (const userid of ['x', 'y', 'z']) {
      begin(userid);
      rings(userid);
    }
    expect(all.map(unattended)).toEqual(['G14', 'G14', 'G14', 'G14']);
  });

  it('what was seen counts for ninety days', () => {
    seen(2 * DAY, 2 * DAY, 2 * DAY);
    pass(82 * DAY);
    for (const userid of students) passes(userid);
    expect(unattended('a')).toBe('G13');
  });
});

describe('codes that ring unasked', () => {
  it('three passwords are under way at once, and as many fewer as have met a step', () => {
    expect(['a', 'b', 'c', 'd'].map(begin)).toEqual(['go', 'go', 'go', 'turn-awaited']);
    end('a');
    expect(begin('d')).toBe('go');
    rings('b');
    expect(begin('e')).toBe('turn-awaited');
    end('c');
    end('d');
    expect([begin('e'), begin('f'), begin('g')]).toEqual(['go', 'go', 'turn-awaited']);
    rings('e');
    rings('f');
    expect([begin('g'), unattended('g')]).toEqual(['G14', 'G14']);
  });

  it('the place of a process that died is free after a minute', () => {
    for (const userid of ['a', 'b', 'c']) begin(userid);
    pass(MINUTE - SECOND);
    expect(begin('d')).toBe('turn-awaited');
    pass(SECOND);
    expect(begin('d')).toBe('go');
  });

  it('two within a day and a third after it stop nobody', () => {
    for (const userid of ['a', 'b']) {
      begin(userid);
      rings(userid);
    }
    pass(DAY);
    begin('c');
    rings('c');
    expect(unattended('d')).toBe('sign-in');
  });

  it('a stop lasts until one of the three signs in without a step; others lift it for themselves, for a day', () => {
    for (const userid of ['a', 'b', 'c']) {
      begin(userid);
      rings(userid);
    }
    pass(30 * DAY);
    expect(unattended('d')).toBe('G14');
    signsIn('d', accepted, ['home']);
    expect([unattended('d'), begin('d'), unattended('e')]).toEqual(['sign-in', 'go', 'G14']);
    pass(DAY);
    expect(unattended('d')).toBe('G14');
    signsIn('a', stepped, ['home']);
    expect(unattended('e')).toBe('G14');
    signsIn('a', accepted, ['home']);
    expect([unattended('e'), begin('e')]).toEqual(['sign-in', 'go']);
  });
});

describe('a portal that announces an image', () => {
  const look = (userid: string): string => said(world.tell(userid, { type: 'portal-wanted', tag: userid }));
  const another = (): string => {
    ids += 1;
    return look(`student-${ids}`);
  };

  it('is looked at once in five minutes by a student and six times a minute by all, until it announces none', () => {
    expect(look('a')).toBe('go');
    world.tell('a', { type: 'captcha-met' });
    expect(look('a')).toBe('G14');
    // The first one was a look as well.
    expect(many(20, another)).toBe(5);
    pass(MINUTE);
    expect(many(20, another)).toBe(6);
    pass(4 * MINUTE);
    expect(look('a')).toBe('go');
    world.tell('a', { type: 'post-begins', tag: 'a' });
    expect(many(20, another)).toBe(20);
  });
});

describe('an evening on which the campus turns second factors on for 3,000 students behind one address', () => {
  it.each([1, 3])(
    'rings three phones unasked, locks nobody out, and asks nobody by himself (%i replicas)',
    (replicas) => {
      const students = Array.from({ length: 3_000 }, (_, at) => `s${at}`);
      for (const userid of students) signsIn(userid, accepted, [`home-${userid}`]);
      pass(HOUR);
      let unasked = 0;
      let refusedLogins = 0;
      let passed = 0;
      // Every process has six sign-ins under way; those that wait for their turn come again in the next round.
      const reading = [...students, ...students, ...students];
      let under: string[] = [];
      const wants = (userid: string): boolean => unattended(userid) === 'sign-in';
      for (let at = 0; at < reading.length; pass(SECOND)) {
        while (under.length < 6 * replicas && at < reading.length) {
          const userid = reading[at] ?? '';
          at += 1;
          if (wants(userid)) under.push(userid);
        }
        const posted = under.filter((userid) => begin(userid) === 'go');
        for (const userid of posted) {
          unasked += 1;
          rings(userid);
          end(userid);
        }
        under = under.filter((userid) => !posted.includes(userid) && wants(userid));
      }
      for (const userid of students) {
        const caller = stranger(`dorm-${userid}`, { home: [`home-${userid}`] });
        const login = { type: 'stored-wanted', stored: 'good', tag: userid, attended: true, caller } as const;
        if (world.tell(userid, login).type !== 'sign-in') refusedLogins += 1;
        signsIn(userid, offered, caller.home);
        if (open(caller, 'sms', userid) === 'go') passed += 1;
        signsIn(userid, stepped, caller.home);
      }
      expect({ unasked, refusedLogins, passed }).toEqual({ unasked: 3, refusedLogins: 0, passed: 3_000 });
    },
  );

  it('a month of a stranger with the right password and no phone: two codes a day, and the owner logs in', () => {
    let rings = 0;
    let refused = 0;
    signsIn(ann, accepted, ['home-home']);
    for (let at = 0; at < 30 * 24; at += 1, pass(HOUR)) {
      for (const network of ['bot-1', 'bot-2', 'bot-3']) {
        const caller = stranger(`${network}-${at}`);
        const wanted = { type: 'stored-wanted', stored: 'good', tag: ann, attended: true, caller } as const;
        if (world.tell(ann, wanted).type !== 'sign-in') continue;
        signsIn(ann, offered, []);
        rings += 1;
        open(caller);
        if (send() === 'go') rings += 1;
      }
      if (at % 12 !== 0) continue;
      const owner = stranger('home');
      const login = { type: 'stored-wanted', stored: 'good', tag: ann, attended: true, caller: owner } as const;
      if (world.tell(ann, login).type !== 'sign-in' || open(owner) !== 'go') refused += 1;
    }
    // The very first one rings before the student bears the mark.
    expect(rings / 30).toBeLessThanOrEqual(2);
    expect(refused).toBe(0);
  });
});

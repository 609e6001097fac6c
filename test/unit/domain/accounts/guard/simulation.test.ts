import { describe, expect, it } from 'vitest';
import type { Caller } from '../../../../../src/domain/accounts/guard/events.ts';
import { Campus, Crowd, seeded } from './simulation.ts';
import { DAY, HOUR, holder, MINUTE, stranger } from './support.ts';

/** Every budget is over within a day: four of them show what a year would. */
const SPELL = 4 * DAY;
const ann = 'ann';

interface Attack {
  readonly wrongPerDay: number;
  readonly comparedPerDay: number;
  readonly ownerRefused: number;
  readonly ownerLogins: number;
}

/**
 * Days in which somebody guesses every minute, while the owner logs in twice a day from his known network, once a
 * week on a new device of that network, and his phone reads every quarter of an hour.
 */
const underAttack = (attacker: (at: number) => Caller, owner: Caller): Attack => {
  const campus = new Campus();
  campus.student(ann);
  campus.login(ann, `secret of ${ann}`, stranger('home'));
  let ownerRefused = 0;
  let ownerLogins = 0;
  const minutes = SPELL / MINUTE;
  for (let at = 0; at < minutes; at += 1) {
    campus.now = campus.begin + at * MINUTE;
    campus.login(ann, `guess ${at}`, attacker(at));
    if (at % 15 === 0 && !campus.signIn(ann).in) ownerRefused += 1;
    if (at % (12 * 60) === 30) {
      campus.useToken(ann, 'home');
      ownerLogins += 1;
      if (!campus.login(ann, `secret of ${ann}`, owner).in) ownerRefused += 1;
    }
  }
  return {
    wrongPerDay: campus.most(campus.wrongAsks),
    comparedPerDay: campus.most(campus.compared),
    ownerRefused,
    ownerLogins,
  };
};

describe('four days of attack on one student', () => {
  it('(a) from one address: the owner notices nothing', () => {
    const { wrongPerDay, comparedPerDay, ownerRefused } = underAttack(() => stranger('attacker'), stranger('home'));
    expect([wrongPerDay, comparedPerDay, ownerRefused]).toEqual([2, 6, 0]);
  });

  it('(b) from 65,536 networks: no more asks, and thirty comparisons a day', () => {
    const { wrongPerDay, comparedPerDay, ownerRefused } = underAttack(
      (at) => stranger(`bot-${at % 65_536}`),
      stranger('home'),
    );
    expect([wrongPerDay, comparedPerDay, ownerRefused]).toEqual([2, 30, 0]);
  });

  it('(c) from behind the same backend: the owner sends his last token', () => {
    const backend = stranger('backend', { trusted: true, home: [] });
    const { wrongPerDay, comparedPerDay, ownerRefused } = underAttack(() => backend, {
      ...backend,
      token: ['last token'],
    });
    expect([wrongPerDay, comparedPerDay, ownerRefused]).toEqual([2, 30, 0]);
  });

  it('(c) without it he is a stranger among strangers there: this is the price', () => {
    const backend = stranger('backend', { trusted: true, home: [] });
    const { ownerRefused, ownerLogins } = underAttack(() => backend, backend);
    expect(ownerLogins).toBe(8);
    expect(ownerRefused).toBeGreaterThan(4);
  });

  it('(d) from one network of the campus, where the owner is known: as a known network, within its budget', () => {
    const { wrongPerDay, comparedPerDay, ownerRefused } = underAttack(() => stranger('home'), holder('home'));
    expect([wrongPerDay, comparedPerDay, ownerRefused]).toEqual([3, 10, 0]);
  });

  it('(e) of a botnet on 1,000 students at once: sixty wrong pairs an hour reach the campus for all of them', () => {
    const campus = new Campus();
    const students = Array.from({ length: 1_000 }, (_, at) => `s${at}`);
    for (const userid of students) {
      campus.student(userid);
      campus.useToken(userid, `home of ${userid}`);
    }
    let ownersRefused = 0;
    const days = 1;
    for (let hour = 0; hour < days * 24; hour += 1) {
      for (const [index, userid] of students.entries()) {
        campus.now = campus.begin + hour * HOUR + index * 3_600;
        campus.login(userid, `guess ${hour}`, stranger(`bot-${hour}-${index}`));
        if (hour % 12 === 6 && !campus.login(userid, `secret of ${userid}`, stranger(`home of ${userid}`)).in) {
          ownersRefused += 1;
        }
      }
    }
    expect(campus.most(campus.wrongAsks)).toBeLessThanOrEqual(2);
    expect(campus.most(campus.wrongByDay)).toBeLessThanOrEqual(60 * 25);
    expect(campus.most(campus.compared)).toBeLessThanOrEqual(30);
    expect(ownersRefused).toBe(0);
  });
});

describe('thief and owner hold the same token', () => {
  const right = `secret of ${ann}`;

  /** Every minute the thief guesses with the token, in turn from nine networks where he uses it, and from others. */
  const steal = (campus: Campus, minute: number): void => {
    const network = minute % 2 === 0 ? `thief-${minute % 9}` : `bot-${minute % 1_000}`;
    if (minute % 2 === 0) campus.useToken(ann, network);
    campus.login(ann, `guess ${minute}`, holder(network));
  };
  const begun = (): Campus => {
    const campus = new Campus();
    campus.student(ann);
    campus.login(ann, right, stranger('home'));
    return campus;
  };

  it.each([
    ['with that token', holder('home')],
    ['with a later one', holder('home', 'later token')],
    ['without any', stranger('home')],
  ])('(f) four days: the owner with the right passwords at home is never refused, %s', (_with, owner) => {
    const campus = begun();
    let refused = 0;
    for (let minute = 0; minute < SPELL / MINUTE; minute += 1) {
      campus.now = campus.begin + minute * MINUTE;
      steal(campus, minute);
      if (minute % (12 * 60) === 30 && !campus.login(ann, right, owner).in) refused += 1;
      if (minute % 15 === 0 && !campus.signIn(ann).in) refused += 1;
    }
    expect(refused).toBe(0);
    // Ten with the token, ten from the networks where it was used, and thirty as strangers.
    expect([campus.most(campus.wrongAsks), campus.most(campus.compared)]).toEqual([3, 50]);
  });

  /** The password was changed at the campus after so many hours of theft: how long its owner is kept waiting. */
  const waits = (hours: number, owner: Caller, theft: typeof steal): number => {
    const campus = begun();
    let minute = 0;
    const until = (moment: number): void => {
      for (; campus.begin + minute * MINUTE < moment; minute += 1) {
        campus.now = campus.begin + minute * MINUTE;
        theft(campus, minute);
      }
      campus.now = moment;
    };
    const changedAt = campus.begin + hours * HOUR;
    until(changedAt);
    campus.truth.set(ann, 'new');
    for (let told = campus.login(ann, 'new', owner); !told.in; told = campus.login(ann, 'new', owner)) {
      until(campus.now + Math.max(told.retryMs, MINUTE));
      if (campus.now > changedAt + 7 * DAY) throw new Error('never let in');
    }
    return campus.now - changedAt;
  };
  /** Every ten minutes of the first hour, every four hours of the day. */
  const moments = [
    ...Array.from({ length: 6 }, (_, at) => at / 6),
    ...Array.from({ length: 6 }, (_, at) => 4 * at + 4),
  ];
  const longest = (owner: Caller, theft = steal): number =>
    Math.max(...moments.map((hours) => waits(hours, owner, theft)));
  /** Spends nothing on comparing and all that it can on waits for the owner. */
  const patient = (campus: Campus, minute: number): void => {
    if ([0, 1, 6].includes(minute % (24 * 60))) campus.login(ann, `guess ${minute}`, holder('thief'));
  };

  it('(g) a changed password is let in from home with the last token within 30 minutes', () => {
    expect(longest(holder('home'))).toBe(0);
    const most = longest(holder('home'), patient);
    expect(most).toBeGreaterThan(20 * MINUTE);
    expect(most).toBeLessThanOrEqual(30 * MINUTE);
  });

  it('(g) without a token at home, or with it where he never logged in, within a day: this is the price', () => {
    for (const owner of [stranger('home'), holder('elsewhere')]) {
      const wait = longest(owner);
      expect(wait).toBeGreaterThan(HOUR);
      expect(wait).toBeLessThanOrEqual(DAY);
    }
  });

  it('(h) in a network where he never logged in the right passwords may be refused, and an unlock token ends it', () => {
    const campus = begun();
    for (let minute = 0; minute < 600; minute += 1) {
      campus.now = campus.begin + minute * MINUTE;
      steal(campus, minute);
    }
    expect(campus.login(ann, right, holder('elsewhere')).in).toBe(false);
    campus.tell(ann, { type: 'unlocked', hash: 'unlock' });
    for (let minute = 600; minute < 620; minute += 1) steal(campus, minute);
    campus.truth.set(ann, 'new');
    expect(campus.login(ann, 'new', stranger('elsewhere', { proof: 'unlock' })).in).toBe(true);
  });
});

describe('a day of attack on students who are about to register', () => {
  /**
   * Every minute a stranger tries what he can, from an ever new network; every third minute a student comes to register
   * from the campus, where others have registered, waits as long as he is told, and comes again.
   */
  const under = (attack: (campus: Campus, minute: number) => void, students: readonly string[]) => {
    const campus = new Campus();
    campus.truth.set('first', 'right');
    campus.register('first', 'right', stranger('dorm'), 'WELCOME');
    let waited = 0;
    let longestMs = 0;
    let registered = 0;
    const due = students.map((userid, at) => ({ userid, first: at * 3 * MINUTE, at: at * 3 * MINUTE }));
    for (const { userid } of due) campus.truth.set(userid, 'right');
    for (let minute = 0; minute < (2 * DAY) / MINUTE; minute += 1) {
      campus.now = campus.begin + minute * MINUTE;
      if (minute < DAY / MINUTE) attack(campus, minute);
      for (const one of due.filter(({ at }) => at <= minute * MINUTE)) {
        const told = campus.register(one.userid, 'right', stranger('dorm'), 'WELCOME');
        const waitedMs = minute * MINUTE - one.first;
        if (told.in) {
          registered += 1;
          if (waitedMs > 0) waited += 1;
          longestMs = Math.max(longestMs, waitedMs);
        }
        one.at = told.in ? Number.POSITIVE_INFINITY : minute * MINUTE + told.retryMs;
      }
    }
    return { campus, waited, longestMs, registered };
  };

  it('with one unused code, on 240 of them: nobody waits longer than six minutes', () => {
    const students = Array.from({ length: 240 }, (_, at) => `fresh${at}`);
    const { campus, waited, longestMs, registered } = under((target, minute) => {
      const next = students.find((userid) => !target.kept.has(userid) && target.memory(userid).student.asks.length < 2);
      if (next) target.register(next, `guess ${minute}`, stranger(`bot-${minute}`), 'LEAKED');
    }, students);
    expect(campus.most(campus.wrongAsks)).toBeLessThanOrEqual(2);
    expect(campus.most(campus.wrongByDay)).toBeLessThanOrEqual(20 * 25);
    expect(registered).toBe(240);
    expect(waited).toBeGreaterThan(0);
    expect(longestMs).toBeLessThanOrEqual(6 * MINUTE);
  });

  it('on one of them, with a code for each try: two wrong passwords a day, and he registers from his campus', () => {
    const { campus, longestMs, registered } = under(
      (target, minute) => void target.register('fresh', `guess ${minute}`, stranger(`bot-${minute}`), `CODE-${minute}`),
      [...Array.from({ length: 100 }, (_, at) => `other${at}`), 'fresh'],
    );
    expect(campus.most(campus.wrongAsks)).toBe(2);
    expect(registered).toBe(101);
    expect(longestMs).toBeLessThanOrEqual(5 * MINUTE);
  });

  it('from the networks of the campus itself: three a day, and the price is a wait that unlocking ends', () => {
    const campus = new Campus();
    for (const network of ['dorm', 'library']) {
      campus.truth.set(`first of ${network}`, 'right');
      campus.register(`first of ${network}`, 'right', stranger(network), 'WELCOME');
    }
    for (let at = 0; at < DAY / MINUTE; at += 1) {
      campus.now = campus.begin + at * MINUTE;
      campus.register('fresh', `guess ${at}`, stranger(at % 2 ? 'dorm' : 'library'), `CODE-${at}`);
    }
    expect(campus.most(campus.wrongAsks)).toBe(3);
    campus.truth.set('fresh', 'right');
    campus.now = campus.begin + DAY - MINUTE;
    expect(campus.register('fresh', 'right', stranger('dorm'), 'WELCOME').in).toBe(false);
    campus.tell('fresh', { type: 'unlocked', hash: 'unlock' });
    expect(campus.register('fresh', 'right', stranger('dorm', { proof: 'unlock' }), 'WELCOME').in).toBe(true);
  });
});

describe('honest crowds', () => {
  it('welcome week: 3,000 registrations in one evening behind one address, a tenth mistyped, one code', () => {
    const campus = new Campus();
    const random = seeded(1);
    const place = stranger('campus');
    const arrivals = Array.from({ length: 3_000 }, (_, index) => {
      const userid = `fresh${index}`;
      campus.truth.set(userid, 'right');
      const mistypes = random() < 0.1;
      return {
        at: campus.begin + random() * 4 * HOUR,
        act: (attempt: number) =>
          campus.register(userid, mistypes && attempt === 0 ? 'mistyped' : 'right', place, 'WELCOME'),
      };
    });
    const crowd = new Crowd(campus);
    crowd.run(arrivals, DAY);
    expect(crowd).toMatchObject({ people: 3_000, never: 0 });
    // Who mistypes waits the minute that his own refusal costs; nobody else waits.
    expect(crowd.waited).toBeLessThanOrEqual(330);
    expect(crowd.longestMs).toBeLessThanOrEqual(5 * MINUTE);
    expect(campus.most(campus.wrongAsks)).toBe(1);
  });

  it('mass expiry of tokens: 3,000 students log in anew in one evening behind one address', () => {
    const campus = new Campus();
    const random = seeded(2);
    const arrivals = Array.from({ length: 3_000 }, (_, index) => {
      const userid = `s${index}`;
      campus.student(userid);
      const mistypes = random() < 0.1;
      return {
        at: campus.begin + random() * 4 * HOUR,
        // Their app sends the token that has ended.
        act: (attempt: number) =>
          campus.login(userid, mistypes && attempt === 0 ? 'mistyped' : `secret of ${userid}`, holder('campus')),
      };
    });
    const crowd = new Crowd(campus);
    crowd.run(arrivals, DAY);
    expect(crowd).toMatchObject({ people: 3_000, never: 0, waited: 0 });
    expect(campus.most(campus.wrongAsks)).toBe(1);
  });

  it('the same with an app that forgets its tokens, in a network that nobody was seen in', () => {
    const campus = new Campus();
    const random = seeded(3);
    const arrivals = Array.from({ length: 3_000 }, (_, index) => {
      const userid = `s${index}`;
      campus.student(userid);
      const mistypes = random() < 0.1;
      return {
        at: campus.begin + random() * HOUR,
        act: (attempt: number) =>
          campus.login(userid, mistypes && attempt === 0 ? 'mistyped' : `secret of ${userid}`, stranger('campus')),
      };
    });
    const crowd = new Crowd(campus);
    crowd.run(arrivals, DAY);
    // Ten mistyped pairs of one network reach the campus per hour; the others hear of it and then type the right one.
    expect(crowd.never).toBe(0);
    expect(campus.most(campus.wrongByDay)).toBeLessThanOrEqual(10 * 25);
  });

  it('a forced password reset: 3,000 stored pairs are refused over a day, then the new ones are typed', () => {
    const campus = new Campus();
    const random = seeded(4);
    const arrivals = Array.from({ length: 3_000 }, (_, index) => {
      const userid = `s${index}`;
      campus.student(userid);
      campus.truth.set(userid, 'new');
      return {
        at: campus.begin + random() * 12 * HOUR,
        act: (attempt: number) => {
          // The phone reads, is told, and the student types the new password.
          if (attempt === 0) campus.signIn(userid);
          return campus.login(userid, 'new', holder('campus'));
        },
      };
    });
    const crowd = new Crowd(campus);
    crowd.run(arrivals, 2 * DAY);
    expect(crowd).toMatchObject({ people: 3_000, never: 0 });
    expect(crowd.longestMs).toBeLessThanOrEqual(31 * MINUTE);
    expect(campus.most(campus.wrongAsks)).toBeLessThanOrEqual(2);
  });

  it('a captcha wave of ten minutes: nothing is asked but one stored pair per 30 s, and then all are in', () => {
    const campus = new Campus();
    const random = seeded(5);
    campus.mood = 'captcha';
    let asks = 0;
    const arrivals = Array.from({ length: 1_000 }, (_, index) => {
      const userid = `s${index}`;
      campus.student(userid);
      return {
        at: campus.begin + random() * 10 * MINUTE,
        act: () => {
          if (campus.now > campus.begin + 10 * MINUTE) campus.mood = 'normal';
          const told = campus.signIn(userid);
          if (campus.mood === 'captcha' && told.by === 'campus') asks += 1;
          return told;
        },
      };
    });
    const crowd = new Crowd(campus);
    crowd.run(arrivals, DAY);
    expect(asks).toBeLessThanOrEqual(3 + 20);
    expect(crowd.never).toBe(0);
    expect(crowd.longestMs).toBeLessThanOrEqual(16 * MINUTE);
  });

  /** How often others are kept from signing in, in a day in which so many sign in each minute and three meet markers. */
  const beside = (perMinute: number, marked: readonly string[]) => {
    const campus = new Campus();
    for (const userid of marked) campus.marked.add(userid);
    for (const userid of marked) campus.student(userid);
    for (let at = 0; at < 1_000; at += 1) campus.student(`s${at}`);
    let signIns = 0;
    let kept = 0;
    for (let minute = 0; minute < DAY / MINUTE; minute += 1) {
      for (let at = 0; at < perMinute; at += 1) {
        campus.now = campus.begin + minute * MINUTE + at * (MINUTE / perMinute);
        signIns += 1;
        if (!campus.signIn(`s${(minute * perMinute + at) % 1_000}`).in) kept += 1;
        if (at === 0) for (const userid of marked) campus.signIn(userid);
      }
    }
    return { signIns, kept };
  };

  it.each([
    [3, 0],
    [20, 0],
  ])(
    'three students whose portal always says "maybe attacked", beside %i others a minute: %i are kept waiting',
    (perMinute, kept) => {
      expect(beside(perMinute, ['a', 'b', 'c'])).toEqual({ signIns: perMinute * 24 * 60, kept });
    },
  );

  it('a unified login that calls every password wrong for an hour: twenty pairs are set aside, not thousands', () => {
    const campus = new Campus();
    const random = seeded(6);
    campus.mood = 'refuses-everybody';
    const arrivals = Array.from({ length: 500 }, (_, index) => {
      const userid = `s${index}`;
      campus.student(userid);
      return {
        at: campus.begin + random() * HOUR,
        act: () => {
          if (campus.now > campus.begin + HOUR) campus.mood = 'normal';
          if (campus.kept.get(userid)?.setAside) return campus.login(userid, `secret of ${userid}`, holder('campus'));
          return campus.signIn(userid);
        },
      };
    });
    const crowd = new Crowd(campus);
    crowd.run(arrivals, DAY);
    const setAside = [...campus.kept.values()].filter((kept) => kept.setAside).length;
    expect(setAside).toBe(0);
    expect(crowd.never).toBe(0);
    expect(crowd.longestMs).toBeLessThanOrEqual(7 * HOUR);
  });
});

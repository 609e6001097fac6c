import { describe, expect, it } from 'vitest';
import type { Caller } from '../../../../../src/domain/accounts/guard/callers.ts';
import { signInSteps } from '../../../../../src/domain/errors.ts';
import { Campus, Crowd, seeded } from './simulation.ts';
import { DAY, HOUR, holder, MINUTE, stranger } from './support.ts';

/** Of two halves, and of one: an open login of an application verifies alone, and the other half is its copy. */
describe.each(signInSteps)('a campus whose first place takes the half %s', (firstStep) => {
  /** Every budget is over within a day: four of them show what a year would. */
  const SPELL = 4 * DAY;
  const ann = 'ann';
  const right = `secret of ${ann}`;

  const atHome = (): Campus => {
    const campus = new Campus(firstStep);
    campus.student(ann);
    campus.login(ann, right, stranger('home'));
    return campus;
  };

  /** Days of a guess a minute, while the owner logs in twice a day and his phone reads every quarter of an hour. */
  const underAttack = (attacker: (at: number) => Caller, owner: Caller) => {
    const campus = atHome();
    let ownerRefused = 0;
    for (let at = 0; at < SPELL / MINUTE; at += 1) {
      campus.now = campus.begin + at * MINUTE;
      campus.login(ann, `guess ${at}`, attacker(at));
      if (at % 15 === 0 && !campus.signIn(ann).in) ownerRefused += 1;
      if (at % (12 * 60) === 30 && !campus.login(ann, right, owner).in) ownerRefused += 1;
    }
    return { wrong: campus.most(campus.wrongAsks), compared: campus.most(campus.compared), ownerRefused };
  };

  describe('four days of guesses on one student', () => {
    const backend = stranger('backend', { trusted: true, home: [] });
    it.each([
      ['from one address', () => stranger('attacker'), stranger('home'), { wrong: 2, compared: 30 }],
      [
        'from 65,536 networks',
        (at: number) => stranger(`bot-${at % 65_536}`),
        stranger('home'),
        { wrong: 2, compared: 30 },
      ],
      ['from behind the own backend', () => backend, { ...backend, token: ['last token'] }, { wrong: 2, compared: 30 }],
      ['from home, without a token', () => stranger('home'), holder('home'), { wrong: 3, compared: 10 }],
      [
        'with a copy of the token',
        (at: number) => holder(`thief-${at % 9}`),
        holder('home'),
        { wrong: 3, compared: 10 },
      ],
      ['with a copy of an older token', () => holder('thief', 'old token'), holder('home'), { wrong: 3, compared: 10 }],
    ])('%s: the owner is never refused', (_from, attacker, owner, seen) => {
      expect(underAttack(attacker, owner)).toEqual({ ...seen, ownerRefused: 0 });
    });

    it('without a token behind the own backend the owner waits like any stranger there: this is the price', () => {
      expect(underAttack(() => backend, backend).ownerRefused).toBeGreaterThan(4);
    });

    it('with a copy of the token from home the thief shares the budgets of home: this is the price', () => {
      expect(underAttack(() => holder('home'), holder('home')).ownerRefused).toBeGreaterThan(0);
    });

    it.each([
      ['without a token in a new network, under strangers', stranger('new'), stranger('attacker')],
      ['with a token away from home, under a thief with a copy', holder('elsewhere'), holder('thief')],
      ['at home without a token, under a neighbour', stranger('home'), stranger('home')],
    ])('%s: the owner waits up to a day with the right pair, which is the price', (_where, owner, attacker) => {
      const campus = atHome();
      for (let minute = 0; minute < 12 * 60; minute += 1) {
        campus.now = campus.begin + minute * MINUTE;
        campus.login(ann, `guess ${minute}`, attacker);
      }
      const { in: isIn, by, retryMs } = campus.login(ann, right, owner);
      expect([isIn, by]).toEqual([false, 'compare-limit']);
      expect(retryMs).toBeGreaterThan(HOUR);
      expect(retryMs).toBeLessThanOrEqual(DAY);
      expect(campus.login(ann, right, holder('home')).in).toBe(true);
    });

    it('of a botnet on 1,000 students sixty wrong pairs an hour reach the campus, two of each student', () => {
      const campus = new Campus(firstStep);
      const students = Array.from({ length: 1_000 }, (_, at) => `s${at}`);
      for (const userid of students) {
        campus.student(userid);
        campus.login(userid, `secret of ${userid}`, stranger(`home of ${userid}`));
      }
      let ownersRefused = 0;
      for (let hour = 0; hour < 24; hour += 1) {
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

  describe('a password that was changed at the campus while guesses continue', () => {
    /** How long its owner is kept waiting, where it was changed after so many hours. */
    const waits = (hours: number, owner: Caller, attack: (campus: Campus, minute: number) => void): number => {
      const campus = atHome();
      let minute = 0;
      const until = (moment: number): void => {
        for (; campus.begin + minute * MINUTE < moment; minute += 1) {
          campus.now = campus.begin + minute * MINUTE;
          attack(campus, minute);
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
    const thief = (campus: Campus, minute: number): void => {
      campus.login(ann, `guess ${minute}`, holder(`thief-${minute % 9}`));
    };
    const longest = (owner: Caller): number =>
      Math.max(...Array.from({ length: 12 }, (_, at) => waits(at < 6 ? at / 6 : 4 * at - 20, owner, thief)));

    it('is let in from home with the last token at once', () => {
      expect(longest(holder('home'))).toBe(0);
    });

    it('without a token at home, or with it elsewhere, within a day: this is the price', () => {
      for (const owner of [stranger('home'), holder('elsewhere')]) {
        const wait = longest(owner);
        expect(wait).toBeGreaterThan(HOUR);
        expect(wait).toBeLessThanOrEqual(DAY);
      }
    });
  });

  describe('students who are about to register', () => {
    const under = (attack: (campus: Campus, minute: number) => void, students: readonly string[]) => {
      const campus = new Campus(firstStep);
      let registered = 0;
      let longestMs = 0;
      const due = students.map((userid, at) => ({ userid, first: at * 3 * MINUTE, at: at * 3 * MINUTE }));
      for (const { userid } of due) campus.truth.set(userid, 'right');
      for (let minute = 0; minute < (2 * DAY) / MINUTE; minute += 1) {
        campus.now = campus.begin + minute * MINUTE;
        if (minute < DAY / MINUTE) attack(campus, minute);
        for (const one of due.filter(({ at }) => at <= minute * MINUTE)) {
          const told = campus.register(one.userid, 'right', stranger('dorm'));
          if (told.in) {
            registered += 1;
            longestMs = Math.max(longestMs, minute * MINUTE - one.first);
          }
          one.at = told.in ? Number.POSITIVE_INFINITY : minute * MINUTE + told.retryMs;
        }
      }
      return { campus, registered, longestMs };
    };

    it('a leaked code, on 240 of them from ever new networks: two wrong passwords each, and all register in a day', () => {
      const students = Array.from({ length: 240 }, (_, at) => `fresh${at}`);
      const { campus, registered, longestMs } = under((target, minute) => {
        const next = students.find((userid) => !target.kept.has(userid) && target.row(userid).asks.length < 2);
        if (next) target.register(next, `guess ${minute}`, stranger(`bot-${minute}`));
      }, students);
      expect(campus.most(campus.wrongAsks)).toBeLessThanOrEqual(2);
      expect(registered).toBe(240);
      expect(longestMs).toBeLessThanOrEqual(DAY);
    });

    it('one invite token is good for three refusals', () => {
      const campus = new Campus(firstStep);
      for (let at = 0; at < 40; at += 1) {
        campus.now = campus.begin + at * MINUTE;
        campus.register(`fresh${at}`, 'guess', stranger(`bot-${at}`), 'one token');
      }
      expect([...campus.wrongAsks.values()].reduce((sum, count) => sum + count, 0)).toBe(3);
    });
  });

  // What a crowd meets are budgets of the gateway and of the student, which do not know halves.
  if (firstStep !== 'portal') return;

  describe('honest crowds', () => {
    const arrivals = (
      count: number,
      spanMs: number,
      seed: number,
      act: (userid: string, mistypes: boolean) => (attempt: number) => ReturnType<Campus['signIn']>,
    ) => {
      const random = seeded(seed);
      return (campus: Campus) =>
        Array.from({ length: count }, (_, index) => ({
          at: campus.begin + random() * spanMs,
          act: act(`s${index}`, random() < 0.1),
        }));
    };

    it('welcome week: 3,000 registrations in one evening behind one address, a tenth mistyped', () => {
      const campus = new Campus(firstStep);
      const crowd = new Crowd(campus);
      const people = arrivals(3_000, 4 * HOUR, 1, (userid, mistypes) => (attempt) => {
        campus.truth.set(userid, 'right');
        return campus.register(userid, mistypes && attempt === 0 ? 'mistyped' : 'right', stranger('campus'));
      });
      crowd.run(people(campus), DAY);
      expect(crowd).toMatchObject({ people: 3_000, never: 0 });
      expect(crowd.longestMs).toBeLessThanOrEqual(5 * MINUTE);
      expect(campus.most(campus.wrongAsks)).toBe(1);
    });

    it('3,000 students whose tokens have ended log in within one evening behind one address, a tenth mistyped', () => {
      const campus = new Campus(firstStep);
      const crowd = new Crowd(campus);
      const people = arrivals(3_000, 4 * HOUR, 2, (userid, mistypes) => {
        campus.student(userid);
        return (attempt) =>
          campus.login(
            userid,
            mistypes && attempt === 0 ? 'mistyped' : `secret of ${userid}`,
            holder('campus', userid),
          );
      });
      crowd.run(people(campus), DAY);
      expect(crowd).toMatchObject({ people: 3_000, never: 0 });
      expect(campus.most(campus.wrongAsks)).toBe(1);
    });

    it.each([5, 2_000])(
      'a password reset of the whole campus, %i students: at most half of N refusals a day each',
      (count) => {
        const campus = new Campus(firstStep);
        const crowd = new Crowd(campus);
        const people = arrivals(count, 12 * HOUR, 4, (userid) => {
          campus.student(userid);
          campus.truth.set(userid, 'new');
          return () => {
            // The phone reads all day, and the student types the new password in the evening.
            if (campus.now >= campus.begin + 13 * HOUR) return campus.login(userid, 'new', holder('campus', userid));
            return { ...campus.signIn(userid), retryMs: 30 * MINUTE };
          };
        });
        crowd.run(people(campus), 3 * DAY);
        expect(campus.most(campus.wrongAsks)).toBeLessThanOrEqual(2);
        expect(crowd).toMatchObject({ people: count, never: 0 });
      },
    );

    it('ten minutes of markers: one sign-in per 30 s after the first three, and then all are in', () => {
      const campus = new Campus(firstStep);
      campus.mood = 'marker';
      let asked = 0;
      const crowd = new Crowd(campus);
      const people = arrivals(1_000, 10 * MINUTE, 5, (userid) => {
        campus.student(userid);
        return () => {
          if (campus.now > campus.begin + 10 * MINUTE) campus.mood = 'normal';
          const told = campus.signIn(userid);
          if (campus.mood === 'marker' && told.by === 'campus') asked += 1;
          return told;
        };
      });
      crowd.run(people(campus), DAY);
      expect(asked).toBeLessThanOrEqual(3 + 20);
      expect(crowd.never).toBe(0);
      expect(crowd.longestMs).toBeLessThanOrEqual(31 * MINUTE);
    });

    it('an evening on which the portal starts to ask for codes rings three phones', () => {
      const campus = new Campus(firstStep);
      const random = seeded(7);
      campus.mood = 'asks-for-codes';
      for (let at = 0; at < 10_000; at += 1) {
        const userid = `s${Math.floor(random() * 500)}`;
        if (!campus.kept.has(userid)) campus.student(userid);
        campus.now += 2_000;
        campus.signIn(userid);
      }
      expect(campus.rung).toBe(3);
      campus.mood = 'normal';
      expect(campus.login('s1', 'secret of s1', holder('campus')).in).toBe(true);
      expect(campus.gateway.stored.open).toBeNull();
      expect(campus.signIn('s2').in || campus.row('s2').mark !== null).toBe(true);
    });

    /** Three accounts of an attacker's own that the campus refuses, beside so many honest sign-ins a minute. */
    const beside = (perMinute: number) => {
      const campus = new Campus(firstStep);
      for (const userid of ['a', 'b', 'c']) {
        campus.student(userid);
        campus.marked.add(userid);
      }
      for (let at = 0; at < 1_000; at += 1) campus.student(`s${at}`);
      let kept = 0;
      for (let minute = 0; minute < DAY / MINUTE; minute += 1) {
        for (let at = 0; at < perMinute; at += 1) {
          campus.now = campus.begin + minute * MINUTE + at * (MINUTE / perMinute);
          if (at === 0) for (const userid of ['a', 'b', 'c']) campus.signIn(userid);
          if (!campus.signIn(`s${(minute * perMinute + at) % 1_000}`).in) kept += 1;
        }
      }
      return kept / (perMinute * 24 * 60);
    };

    it.each([1, 3, 20])(
      'three accounts that open the breaker, beside %i sign-ins a minute: the next one closes it',
      (perMinute) => {
        expect(beside(perMinute)).toBeLessThan(0.001);
      },
    );

    it('a unified login that calls every password wrong for an hour: at most three pairs are set aside', () => {
      const campus = new Campus(firstStep);
      campus.mood = 'refuses-everybody';
      const crowd = new Crowd(campus);
      const people = arrivals(500, HOUR, 6, (userid) => {
        campus.student(userid);
        return () => {
          if (campus.now > campus.begin + HOUR) campus.mood = 'normal';
          return campus.kept.get(userid)?.setAside
            ? campus.login(userid, `secret of ${userid}`, holder('campus', userid))
            : campus.signIn(userid);
        };
      });
      crowd.run(people(campus), 2 * DAY);
      expect([...campus.kept.values()].filter(({ setAside }) => setAside).length).toBe(0);
      expect(crowd.never).toBe(0);
      expect(campus.most(campus.wrongAsks)).toBeLessThanOrEqual(2);
    });
  });
});

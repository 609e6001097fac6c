import { describe, expect, it } from 'vitest';
import type { Caller } from '../../../../../src/domain/accounts/guard/events.ts';
import { Campus, Crowd, seeded } from './simulation.ts';
import { DAY, HOUR, holder, MINUTE, stranger } from './support.ts';

const MONTH = 30 * DAY;
const ann = 'ann';

interface Attack {
  readonly wrongPerDay: number;
  readonly comparedPerDay: number;
  readonly ownerRefused: number;
  readonly ownerLogins: number;
}

/**
 * A month in which somebody guesses every minute, while the owner logs in twice a day from his known network, once a
 * week on a new device of that network, and his phone reads every quarter of an hour.
 */
const month = (attacker: (at: number) => Caller, owner: Caller): Attack => {
  const campus = new Campus();
  campus.student(ann);
  campus.useToken(ann, 'home');
  let ownerRefused = 0;
  let ownerLogins = 0;
  const minutes = MONTH / MINUTE;
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

describe('a month of attack on one student', () => {
  it('(a) from one address: the owner notices nothing', () => {
    const { wrongPerDay, comparedPerDay, ownerRefused } = month(() => stranger('attacker'), stranger('home'));
    expect([wrongPerDay, comparedPerDay, ownerRefused]).toEqual([2, 6, 0]);
  });

  it('(b) from 65,536 networks: no more asks, and thirty comparisons a day', () => {
    const { wrongPerDay, comparedPerDay, ownerRefused } = month(
      (at) => stranger(`bot-${at % 65_536}`),
      stranger('home'),
    );
    expect([wrongPerDay, comparedPerDay, ownerRefused]).toEqual([2, 30, 0]);
  });

  it('(c) from behind the same backend: the owner sends his last token', () => {
    const backend = stranger('backend', { trusted: true, home: [] });
    const { wrongPerDay, comparedPerDay, ownerRefused } = month(() => backend, { ...backend, holder: true });
    expect([wrongPerDay, comparedPerDay, ownerRefused]).toEqual([2, 30, 0]);
  });

  it('(c) without it he is a stranger among strangers there: this is the price', () => {
    const backend = stranger('backend', { trusted: true, home: [] });
    const { ownerRefused, ownerLogins } = month(() => backend, backend);
    expect(ownerLogins).toBe(60);
    expect(ownerRefused).toBeGreaterThan(30);
  });

  it('(d) from one network of the campus, where the owner is known: as a known network, within its budget', () => {
    const { wrongPerDay, comparedPerDay, ownerRefused } = month(() => stranger('home'), holder('home'));
    expect([wrongPerDay, comparedPerDay, ownerRefused]).toEqual([3, 20, 0]);
  });

  it('(e) of a botnet on 2,000 students at once: sixty wrong pairs an hour reach the campus for all of them', () => {
    const campus = new Campus();
    const students = Array.from({ length: 2_000 }, (_, at) => `s${at}`);
    for (const userid of students) {
      campus.student(userid);
      campus.useToken(userid, `home of ${userid}`);
    }
    let ownersRefused = 0;
    const days = 1;
    for (let hour = 0; hour < days * 24; hour += 1) {
      for (const [index, userid] of students.entries()) {
        campus.now = campus.begin + hour * HOUR + index * 1_000;
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

import { beforeEach, describe, expect, it } from 'vitest';
import type { AskOutcome, Caller, SubmittedPair } from '../../../../../src/domain/accounts/guard/events.ts';
import { emptyStudent } from '../../../../../src/domain/accounts/guard/memory.ts';
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

let world: TableWorld;
let asks = 0;
beforeEach(() => {
  world = new TableWorld();
});

const login = (caller: Caller, pair: SubmittedPair, userid = ann, healthy = false): string =>
  said(world.tell(userid, { type: 'login-wanted', caller, pair, healthy }));

/** A login that goes as far as it may, with what the campus says if it is asked. */
const attempt = (caller: Caller, pair: SubmittedPair, outcome: AskOutcome = portalRefusal, userid = ann): string => {
  const wanted = world.tell(userid, { type: 'login-wanted', caller, pair, healthy: false });
  if (wanted.type !== 'ask') return said(wanted);
  asks += 1;
  const id = `ask-${asks}`;
  const { by } = wanted;
  const begun = world.tell(userid, { type: 'ask-begins', id, by, caller, pair });
  if (begun.type === 'refuse') return said(begun);
  const tag = `tag of ${userid}`;
  const ended = world.tell(userid, { type: 'ask-ended', id, by, caller, pair, tag, outcome, storedPrints });
  return ended.type === 'refuse' ? said(ended) : `asked ${outcome.type}`;
};

/** A fresh secret each time, so that only budgets and waits decide. */
let secrets = 0;
const guess = (): SubmittedPair => {
  secrets += 1;
  return foreign(`guess ${secrets}`);
};
const stored = (outcome: AskOutcome, userid = ann): string => {
  const wanted = world.tell(userid, { type: 'stored-wanted', stored: 'good' });
  if (wanted.type === 'refuse') return said(wanted);
  const ended = world.tell(userid, { type: 'stored-ended', tag: `tag of ${userid}`, outcome, storedPrints });
  return ended.type === 'refuse' ? said(ended) : `asked ${outcome.type}`;
};
const useToken = (userid = ann): void => void world.tell(userid, { type: 'token-used', home: ['home-of-ann'] });
const pass = (ms: number): void => {
  world.now += ms;
};

describe('classes', () => {
  it('a network is known once a token was used there, for 30 days', () => {
    expect(world.tell(ann, { type: 'login-wanted', caller: known(), pair: guess(), healthy: false })).toMatchObject({
      by: 'stranger',
    });
    useToken();
    pass(2 * MINUTE);
    expect(world.tell(ann, { type: 'login-wanted', caller: known(), pair: guess(), healthy: false })).toMatchObject({
      by: 'known',
    });
    pass(30 * DAY);
    expect(world.tell(ann, { type: 'login-wanted', caller: known(), pair: guess(), healthy: false })).toMatchObject({
      by: 'stranger',
    });
  });

  it('at most eight networks are known, the latest ones, and each is noted once a day', () => {
    for (let at = 0; at < 9; at += 1) world.tell(ann, { type: 'token-used', home: [`home-${at}`] });
    expect(world.memory(ann).student.networks.map(({ network }) => network)).toEqual(
      Array.from({ length: 8 }, (_, at) => `home-${at + 1}`),
    );
    const before = world.memory(ann).student.networks;
    pass(DAY - 1);
    world.tell(ann, { type: 'token-used', home: ['home-3'] });
    expect(world.memory(ann).student.networks).toEqual(before);
    pass(2);
    world.tell(ann, { type: 'token-used', home: ['home-3'] });
    expect(world.memory(ann).student.networks.at(-1)).toEqual({ network: 'home-3', at: world.now });
  });

  it('a network is found under the name of an older key and then keeps its new one', () => {
    useToken();
    pass(DAY + 1);
    world.tell(ann, { type: 'token-used', home: ['new name', 'home-of-ann'] });
    expect(world.memory(ann).student.networks).toEqual([{ network: 'new name', at: world.now }]);
  });

  it('an own backend or a proxy is never known', () => {
    world.tell(ann, { type: 'token-used', home: [] });
    expect(world.memory(ann).student.networks).toEqual([]);
  });

  it('the unlock token makes its bearer a holder for three tries and 30 minutes', () => {
    world.tell(ann, { type: 'unlocked', hash: 'unlock' });
    const bearer = stranger('net-9', { proof: 'unlock' });
    for (let at = 0; at < 3; at += 1) {
      expect(
        world.tell(ann, { type: 'login-wanted', caller: bearer, pair: foreign('same'), healthy: false }),
      ).toMatchObject({ by: 'holder' });
    }
    expect(world.tell(ann, { type: 'login-wanted', caller: bearer, pair: guess(), healthy: false })).toMatchObject({
      by: 'stranger',
    });
    world.tell(ann, { type: 'unlocked', hash: 'second' });
    pass(30 * MINUTE);
    expect(
      world.tell(ann, {
        type: 'login-wanted',
        caller: stranger('n', { proof: 'second' }),
        pair: guess(),
        healthy: false,
      }),
    ).toMatchObject({ by: 'stranger' });
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
    expect(said(world.tell(ann, { type: 'stored-wanted', stored: 'portal' }))).toBe('G3a portal');
    expect(said(world.tell(ann, { type: 'stored-wanted', stored: 'none' }))).toBe('G1');
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

  it('each known network five an hour, all of them twenty a day', () => {
    for (const at of [1, 2, 3, 4, 5]) world.tell(ann, { type: 'token-used', home: [`home-net-${at}`] });
    for (const at of [1, 2, 3, 4]) expect(mismatches(() => stranger(`net-${at}`), 50)).toBe(5);
    expect(mismatches(() => stranger('net-5'), 50)).toBe(0);
  });

  it('holders five an hour and twenty a day', () => {
    for (let hour = 0; hour < 4; hour += 1) {
      expect(mismatches((at) => holder(`net-${at}`), 50)).toBe(5);
      pass(HOUR);
    }
    expect(mismatches(() => holder(), 50)).toBe(0);
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

  it('strangers two a day, known networks one more, holders the last one', () => {
    expect(all((at) => stranger(`net-${at}`))).toBe(2);
    useToken();
    expect(all(() => known())).toBe(1);
    expect(all(() => holder())).toBe(1);
    expect(all(() => holder())).toBe(0);
  });

  it('holders alone have all four, and leave strangers none', () => {
    expect(all(() => holder())).toBe(4);
    expect(all((at) => stranger(`net-${at}`))).toBe(0);
  });

  it.each([3, 7, 10])('with N = %i', (perDay) => {
    world = new TableWorld(perDay);
    for (const network of ['a', 'b', 'c', 'd']) world.tell(ann, { type: 'token-used', home: [`home-${network}`] });
    expect(all((at) => stranger(`net-${at}`))).toBe(perDay - 2);
    expect(all((at) => stranger('abcd'.charAt(at % 4)))).toBe(1);
    expect(all(() => holder())).toBe(1);
  });

  it('waits 60 s, five minutes and half an hour after refusals of the same class', () => {
    expect(attempt(holder(), guess())).toBe('asked refused');
    expect(attempt(holder(), guess())).toBe('G3 60');
    expect(attempt(stranger(), guess())).toBe('asked refused');
    pass(MINUTE);
    expect(attempt(holder(), guess())).toBe('asked refused');
    expect(attempt(holder(), guess())).toBe('G3 300');
    pass(5 * MINUTE);
    expect(attempt(holder(), guess())).toBe('asked refused');
    pass(HOUR);
    expect(attempt(holder(), guess())).toBe(`G3 ${DAY / SECOND - 3960}`);
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
    const pair = guess();
    world.tell(ann, { type: 'ask-begins', id: 'slow', by: 'holder', caller: holder(), pair });
    pass(20 * SECOND);
    const ended = {
      type: 'ask-ended',
      id: 'slow',
      by: 'holder',
      caller: holder(),
      pair,
      tag: 't',
      storedPrints,
    } as const;
    world.tell(ann, { ...ended, outcome: portalRefusal });
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
    ['unknown', 1],
    ['marker', 1],
  ] as const)('an ask that ended %s leaves %i booked', (type, booked) => {
    attempt(stranger(), guess(), { type });
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
    const id = 'half';
    world.tell(ann, { type: 'ask-begins', id, by: 'stranger', caller: stranger(), pair: half });
    const ended = {
      type: 'ask-ended',
      id,
      by: 'stranger',
      caller: stranger(),
      pair: half,
      tag: 't',
      storedPrints,
    } as const;
    expect(world.tell(ann, { ...ended, outcome: portalRefusal })).toMatchObject({ setAside: 'portal' });
    expect(world.tell(ann, { ...ended, outcome: { type: 'refused', step: 'unified-login' } })).toMatchObject({
      setAside: null,
    });
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
      world.tell(ann, {
        type: 'ask-ended',
        id: 'x',
        by: 'holder',
        caller: holder(),
        pair: guess(),
        tag: 't',
        outcome: { type: 'marker' },
        storedPrints,
      });
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
      world.tell('a', {
        type: 'ask-ended',
        id: 'x',
        by: 'stranger',
        caller: stranger(),
        pair: guess(),
        tag: 'a',
        outcome: { type: 'marker' },
        storedPrints,
      });
    }
    expect(attempt(stranger(), guess())).toBe('asked refused');
  });

  it('of three students’ stored pairs stop everything but one stored pair per 30 s, until one is accepted', () => {
    for (const userid of ['a', 'b', 'c']) stored({ type: 'marker' }, userid);
    expect(attempt(holder(), guess())).toBe('G4 30');
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
});

describe('G5, registration', () => {
  let ids = 0;
  const register = (outcome: AskOutcome, place: Caller = stranger(), userid = 'new', code = 'CODE'): string => {
    ids += 1;
    const id = `reg-${ids}`;
    const wanted = world.tell(userid, { type: 'registration-wanted', place }, code);
    if (wanted.type === 'refuse') return said(wanted);
    const begun = world.tell(userid, { type: 'registration-begins', id, place }, code);
    if (begun.type === 'refuse') return said(begun);
    const ended = world.tell(
      userid,
      { type: 'registration-ended', id, place, home: place.home, tag: userid, outcome },
      code,
    );
    return ended.type === 'refuse' ? said(ended) : `asked ${outcome.type}`;
  };

  it('of one student id: two refusals from one network, three from all, with waits of 60 s, 5 min and 6 h', () => {
    expect(register(portalRefusal)).toBe('asked refused');
    expect(register(portalRefusal)).toBe('G5 60');
    pass(MINUTE);
    expect(register(portalRefusal)).toBe('asked refused');
    expect(register(portalRefusal, stranger('two'))).toBe('G5 300');
    pass(5 * MINUTE);
    expect(register(portalRefusal)).toBe(`G5 ${DAY / SECOND - 360}`);
    expect(register(portalRefusal, stranger('two'))).toBe('asked refused');
    pass(6 * HOUR);
    expect(register(portalRefusal, stranger('three'))).toBe(`G5 ${18 * 3600 - 360}`);
  });

  it('of one code: five an hour from a network, one more for each accepted there', () => {
    const here = stranger('here');
    for (let at = 0; at < 5; at += 1) expect(register(portalRefusal, here, `a${at}`)).toBe('asked refused');
    expect(register(portalRefusal, here, 'a5')).toBe('G5 3600');
    expect(register({ type: 'accepted' }, here, 'a6', 'OTHER')).toBe('asked accepted');
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
    expect(register(portalRefusal, stranger('net-20'), 'a22', 'OTHER')).toBe('asked refused');
  });

  it('an accepted one makes the network known and gives its booking back', () => {
    expect(register({ type: 'accepted' }, stranger('dorm'))).toBe('asked accepted');
    expect(world.memory('new').student).toMatchObject({ registrations: [], networks: [{ network: 'home-dorm' }] });
    expect(world.gateway.refused).toEqual([]);
  });

  it('a marker pauses the student id, and three stop registrations only', () => {
    for (const userid of ['a', 'b', 'c']) register({ type: 'marker' }, stranger(userid), userid);
    expect(register(portalRefusal, stranger(), 'd')).toBe('G4 300');
    expect(attempt(stranger(), guess())).toBe('asked refused');
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
  it('compares in the budget of holders and makes no login wait', () => {
    const wants = (equal: boolean) => said(world.tell(ann, { type: 'deletion-wanted', caller: holder(), equal }));
    for (let at = 0; at < 5; at += 1) expect(wants(false)).toBe('G10');
    expect(wants(true)).toBe('G2 3600');
    expect(attempt(stranger(), guess())).toBe('asked refused');
    pass(HOUR);
    expect(wants(true)).toBe('go');
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
    const pair = guess();
    world.tell(ann, { type: 'ask-begins', id: 'x', by: 'holder', caller: holder(), pair });
    everybodyRefused();
    const ended = { type: 'ask-ended', id: 'x', by: 'holder', caller: holder(), pair, tag: 't', storedPrints } as const;
    expect(said(world.tell(ann, { ...ended, outcome: portalRefusal }))).toBe('G12 30');
    expect(world.memory(ann).student).toMatchObject({ asks: [{ state: 'unknown' }], refusedSecrets: [] });
  });

  it('a registration on its way is answered so too and stays booked, but an accepted one is accepted', () => {
    const place = stranger();
    const began = (userid: string) => world.tell(userid, { type: 'registration-begins', id: userid, place }, 'CODE');
    const ended = (userid: string, outcome: AskOutcome) =>
      world.tell(userid, { type: 'registration-ended', id: userid, place, home: [], tag: userid, outcome }, 'CODE');
    for (const userid of ['x', 'y']) began(userid);
    everybodyRefused();
    expect(said(ended('x', portalRefusal))).toBe('G12 30');
    expect(world.memory('x').student.registrations).toMatchObject([{ id: 'x', state: 'unknown' }]);
    expect(said(ended('y', { type: 'accepted' }))).toBe('noted');
    expect(world.memory('y').student.registrations).toEqual([]);
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

import { describe, expect, it } from 'vitest';
import { draftOf } from '../../../../src/domain/accounts/guard/guard.ts';
import {
  type Breaker,
  emptyGateway,
  emptyStudent,
  type StudentRow,
} from '../../../../src/domain/accounts/guard/row.ts';
import { isQuiet } from '../../../../src/domain/accounts/guard/rules.ts';
import {
  afterSignal,
  candidatesFor,
  createOwnReads,
  firstDaily,
  isDue,
  isRefreshHour,
  type RefreshCandidate,
  type RefreshPlan,
  refreshTurn,
} from '../../../../src/domain/hooks/refresh.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const timeZone = 'Asia/Shanghai';
const midnight = Date.UTC(2026, 2, 18) - 8 * HOUR;
const at = (hour: number): number => midnight + hour * HOUR;
const today = '2026-03-18';

const scores: RefreshCandidate = { name: 'scores', readAt: 0, first: true };
const exams: RefreshCandidate = { name: 'exams', readAt: 0, first: false };
const term: RefreshCandidate = { name: 'term', readAt: 0, first: false };
const plan = (more: Partial<RefreshPlan> = {}): RefreshPlan => ({
  ...{ dailyAt: at(9), signalAt: null, day: '', readings: 0, signIns: 0 },
  ...more,
});
const turn = (of: RefreshPlan, now: number, more: object = {}) =>
  refreshTurn(of, {
    ...{ now, timeZone, share: 0.5, random: () => 0, isHeld: false, daily: [exams, scores], signal: [scores] },
    ...more,
  });
const names = ({ reads }: { readonly reads: readonly RefreshCandidate[] }) => reads.map(({ name }) => name);

describe('the turn of a student', () => {
  it('reads two things a day at most, scores first, then what was not read for longest', () => {
    const daily = [term, { ...exams, readAt: at(-20) }, { ...scores, readAt: at(-10) }];
    const first = turn(plan(), at(10), { daily });
    expect(names(first)).toEqual(['scores', 'term']);
    expect(first.plan).toEqual({ dailyAt: at(24 + 14.75), signalAt: null, day: today, readings: 2, signIns: 0 });
    // A signal of the same day finds nothing left, and waits for the next.
    const again = turn({ ...first.plan, signalAt: at(11) }, at(11));
    expect(names(again)).toEqual([]);
    expect(again.plan).toMatchObject({ dailyAt: first.plan.dailyAt, signalAt: at(24 + 7.25), readings: 2 });
    const next = turn(again.plan, at(24 + 8), { signal: [{ ...scores, readAt: at(10) }] });
    expect([names(next), next.plan.readings, next.plan.signalAt]).toEqual([['scores'], 1, null]);
  });

  it('does not read what was read within six hours, and reads for a signal what is left of the day', () => {
    const lately = turn(plan(), at(10), { daily: [{ ...scores, readAt: at(4.1) }, exams] });
    expect([names(lately), lately.plan.readings]).toEqual([['exams'], 1]);
    const old = turn(plan(), at(10), { daily: [{ ...scores, readAt: at(4) }] });
    expect(names(old)).toEqual(['scores']);
    // Read by a clock that was ahead, it says nothing.
    expect(names(turn(plan(), at(10), { daily: [{ ...scores, readAt: at(30) }] }))).toEqual(['scores']);
    const both = turn(plan({ signalAt: at(9) }), at(10));
    expect([names(both), both.plan.signalAt]).toEqual([['scores', 'exams'], null]);
    const signal = turn(plan({ dailyAt: null, signalAt: at(9), day: today, readings: 1, signIns: 1 }), at(10));
    expect([names(signal), signal.plan]).toEqual([
      ['scores'],
      { dailyAt: null, signalAt: null, day: today, readings: 2, signIns: 1 },
    ]);
  });

  it('is put off by an hour while something stands in the way, and to the morning at night', () => {
    for (const hour of [7, 12, 21.9]) {
      const held = turn(plan({ dailyAt: at(7), signalAt: at(7) }), at(hour), { isHeld: true });
      expect([held.reads, held.plan.dailyAt, held.plan.signalAt]).toEqual([[], at(hour + 1), at(hour + 1)]);
    }
    expect(turn(plan(), at(22.5), { isHeld: true }).plan.dailyAt).toBe(at(24 + 7));
    for (const hour of [0, 6.99]) expect(turn(plan({ dailyAt: at(-1) }), at(hour)).plan.dailyAt).toBe(at(7));
    expect(turn(plan(), at(23), { random: () => 0.5 }).plan.dailyAt).toBe(at(24 + 7.25));
  });

  it('spends nothing again that a clock set back makes a day of the past', () => {
    const spent = { day: '2026-03-19', readings: 2, signIns: 1 };
    const back = turn(plan(spent), at(10));
    expect([names(back), back.plan]).toMatchObject([[], { day: today, readings: 2, signIns: 1 }]);
    expect(isDue(at(10) + 4 * DAY, at(10))).toBe(true);
    expect(isDue(at(10) + 2 * DAY, at(10))).toBe(false);
  });

  it('always has a time within the day, the same for a student but for half an hour', () => {
    for (const share of [0, 0.3, 0.999]) {
      const times = [0, 0.5, 0.999].flatMap((luck) => {
        const of = { timeZone, share, random: () => luck };
        return [0, 8, 15, 23.5].map((hour) => firstDaily({ ...of, now: at(hour) }));
      });
      for (const time of times) expect(isRefreshHour(time, timeZone)).toBe(true);
      const ofDay = times.map((time) => (time - midnight) % DAY);
      expect(Math.max(...ofDay) - Math.min(...ofDay)).toBeLessThanOrEqual(HOUR / 2);
    }
    const signals = [0, 6.5, 12, 22.9, 23.5].map((hour) =>
      afterSignal({ now: at(hour), timeZone, share: 0, random: () => 0.5 }),
    );
    expect(signals).toEqual([7.25, 7.25, 12.25, 24 + 7.25, 24 + 7.25].map(at));
  });
});

describe('what may be read', () => {
  it('is what the types of the hooks need, with the term and the room that are known', () => {
    const reading = () => Promise.resolve();
    const of = new Proxy({}, { get: () => reading }) as never;
    const everything = { capabilities: { has: () => true } as never };
    const all = createOwnReads({ campus: everything, academics: of, electricity: of, laborClub: of });
    const known = { term: '2025-2026-2-1', room: null };
    let now = 10;
    const last = [
      { read: 'current-term', params: '[]', readAt: 7 },
      { read: 'all-scores', params: '["2025-2026-2-1"]', readAt: 5 },
      { read: 'all-scores', params: '["2024-2025-1-1"]', readAt: 9 },
      { read: 'schedule', params: '["2025-2026-2-1"]', readAt: 3 },
      { read: 'schedule', params: '["2024-2025-1-1"]', readAt: 8 },
    ];
    const found = (types: Parameters<typeof candidatesFor>[1], params = known as Parameters<typeof candidatesFor>[2]) =>
      candidatesFor(all, types, params, last, now).map(({ name, param, readAt }) => [name, param, readAt]);
    expect(found(['score.changed', 'schedule.changed', 'electricity.low', 'test.ping'])).toEqual([
      ['current-scores', '', 5],
      ['schedule', '2025-2026-2-1', 3],
    ]);
    // While the term is not known, or was read long ago, it is what has to be read.
    now = 8 * DAY;
    expect(found(['schedule.changed'])).toEqual([
      ['schedule', known.term, 3],
      ['current-term', '', 7],
    ]);
    expect(found(['schedule.changed'], { term: null, room: null })).toEqual([['current-term', '', 7]]);
    expect(found(['electricity.low'], { term: null, room: '01' })).toEqual([['electricity', '01', 0]]);
    const few = { capabilities: new Set(['academics.allScores'] as const) };
    const others = createOwnReads({ campus: few, academics: of, electricity: of, laborClub: of });
    expect(candidatesFor(others, ['score.published'], known, last, now)).toMatchObject([
      { name: 'all-scores', param: known.term, readAt: 5, first: true },
    ]);
    const nothing = { capabilities: new Set<never>() };
    expect(createOwnReads({ campus: nothing, academics: of, electricity: of, laborClub: of })).toEqual([]);
  });

  it('is nothing while the login guard has anything against it', () => {
    const now = at(10);
    const quiet = (student: Partial<StudentRow>, stored: Partial<Breaker> = {}) => {
      const gateway = { ...emptyGateway, stored: { ...emptyGateway.stored, ...stored } };
      return isQuiet(draftOf({ student: { ...emptyStudent, ...student }, gateway }), { now, perDay: 4 });
    };
    expect(quiet({})).toBe(true);
    expect(quiet({ mark: { at: now, wanted: 'sms', step: 'portal' } })).toBe(false);
    expect(quiet({ troubles: [{ at: now, kind: 'marker', by: 'unattended' }] })).toBe(false);
    expect(quiet({}, { open: { since: now, nextAt: now, by: 'trouble', wanted: null } })).toBe(false);
  });
});

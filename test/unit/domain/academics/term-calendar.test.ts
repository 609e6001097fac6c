import { describe, expect, it } from 'vitest';
import type { CalendarText, StatedTermStart } from '../../../../src/domain/academics/current-term.ts';
import { createAcademics } from '../../../../src/domain/academics/service.ts';
import { portsOf, type Supplies } from '../../../../src/domain/capabilities.ts';
import { failures } from '../../../../src/domain/errors.ts';
import type { CopyStore, FoundCopy } from '../../../../src/domain/reads/ports.ts';
import { callContext } from '../../../support/campus-rig.ts';
import { programmable } from '../../../support/fake-services.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { noCopies, testReads } from '../../../support/test-reads.ts';

const second = 1_000;
const student = { userid: '2023000001' };

/** Year and season as the start page words them, first day (a Monday), weeks. */
const terms = [
  ['2024-2025', '秋', '2024-09-02', 20],
  ['2024-2025', '春', '2025-02-17', 19],
] as const;

/** Keeps the copies of one student. */
const keptInMemory = (): CopyStore => {
  const kept = new Map<string, FoundCopy>();
  return {
    ...noCopies,
    find: async ({ read, params }) => kept.get(read + params) ?? null,
    keep: async (_userid, _generation, copies) => {
      for (const copy of copies) kept.set(copy.read + copy.params, copy);
    },
  };
};

/** A campus whose pages say what its term is, as of `clock`, and never which week it is. */
const start = (clock: ManualClock, freshSeconds = 0, supplied: Supplies['academics'] = {}) => {
  const termNow = () =>
    terms.findLast(([, , first]) => Date.parse(`${first}T00:00:00+08:00`) <= clock.now()) ?? terms[0];
  const termStart = programmable<[], StatedTermStart>(() => {
    const [, , firstDay, weeks] = termNow();
    return Promise.resolve({ firstDay, weeks });
  });
  const calendarText = programmable<[], CalendarText>(() => {
    const [academicYear, season] = termNow();
    return Promise.resolve({ academicYear, season, week: null, speaksOfEnd: false });
  });
  const reads = testReads(clock, { freshSeconds, copies: keptInMemory() });
  const academics = createAcademics({
    campus: portsOf([{ academics: { calendarText, termStart, ...supplied } }]).academics,
    reads,
    clock,
    timeZone: 'Asia/Shanghai',
  });
  const current = async () => {
    const term = await academics.currentTerm(student, callContext());
    await reads.close();
    return term;
  };
  return { termStart, calendarText, current };
};

it('the first day of a new term is asked for at once, though that of the old one is still cached', async () => {
  const clock = new ManualClock(Date.parse('2025-02-16T23:59:59+08:00'));
  const { current, termStart } = start(clock);
  expect(await current()).toMatchObject({ season: '秋', startAt: '2024-09-02', week: 0, weekday: 6 });
  clock.advance(second);
  expect(await current()).toMatchObject({ season: '春', startAt: '2025-02-17', week: 1, weekday: 0 });
  expect(await current()).toMatchObject({ startAt: '2025-02-17' });
  expect(termStart.calls).toHaveLength(2);
});

it('a first day that is stated by another clock is that of the campus', async () => {
  const clock = new ManualClock(Date.parse('2025-02-17T00:00:00+08:00'));
  const { current, termStart } = start(clock);
  termStart.does(() =>
    Promise.resolve({ firstDay: '2025-02-16T16:00:00.000Z', lastDay: '2025-06-28T16:00:00.000Z', weeks: 0 }),
  );
  expect(await current()).toMatchObject({ startAt: '2025-02-17', weeks: 19, week: 1, weekday: 0 });
});

it('a week that the campus stated counts for the day on which it was read, and is counted from the first day afterwards', async () => {
  const clock = new ManualClock(Date.parse('2025-02-23T23:59:59+08:00'));
  const { current, calendarText } = start(clock, 10);
  calendarText.returns({ academicYear: '2024-2025', season: '春', week: 9, speaksOfEnd: false });
  expect(await current()).toMatchObject({ week: 9, weekday: 6 });
  clock.advance(second);
  expect(await current()).toMatchObject({ week: 2, weekday: 0 });
  expect(calendarText.calls).toHaveLength(1);
});

const listed = (term_code: string, is_current = false) => ({ term_code, term_name: '', is_current });

describe('the code of the current term', () => {
  const day = 86_400 * second;
  const noon = () => new ManualClock(Date.parse('2025-03-03T12:00:00+08:00'));
  const startWith = (...all: ReturnType<typeof listed>[]) => {
    const clock = noon();
    const list = programmable(() => Promise.resolve(all));
    return { clock, list, ...start(clock, 0, { terms: list }) };
  };

  it('is that of the list, which is asked for once where it has the usual one', async () => {
    const { clock, list, current } = startWith(listed('2024-2025-2-1', true), listed('2024-2025-1-1'));
    for (let days = 0; days < 3; days += 1) {
      expect((await current()).code).toBe('2024-2025-2-1');
      clock.advance(day);
    }
    expect(list.calls).toHaveLength(1);
  });

  it('is asked for once a day where the campus has another one', async () => {
    const { clock, list, current } = startWith(listed('2024-2025-2-2', true), listed('2024-2025-1-1'));
    for (let reads = 0; reads < 3; reads += 1) expect((await current()).code).toBe('2024-2025-2-2');
    expect(list.calls).toHaveLength(1);
    clock.advance(day + second);
    expect((await current()).code).toBe('2024-2025-2-2');
    expect(list.calls).toHaveLength(2);
  });

  it('is unknown where the list does not have the term, and no code is made up', async () => {
    const { current } = startWith(listed('2024-2025-1-1', true));
    expect((await current()).code).toBeNull();
  });

  it('of a campus without a list is the usual one', async () => {
    expect((await start(noon()).current()).code).toBe('2024-2025-2-1');
  });

  it('fails with the list', async () => {
    const { list, current } = startWith();
    list.fails(failures.upstreamUnavailable('academics', 'status 502'));
    await expect(current()).rejects.toThrow('upstream-unavailable');
  });

  it('in vacations is that which the list selects, asked for again', async () => {
    const { list, current, calendarText } = startWith(listed('2025-2026-1-1'), listed('2024-2025-3-1', true));
    calendarText.returns({ academicYear: '', season: '', week: 0, speaksOfEnd: true });
    expect(await current()).toMatchObject({ code: '2024-2025-3-1', academicYear: '2024-2025', week: 0 });
    await current();
    expect(list.calls).toHaveLength(2);
  });
});

it('a week that is read over midnight is that of neither day', async () => {
  const clock = new ManualClock(Date.parse('2025-02-23T23:59:59+08:00'));
  const { current, termStart } = start(clock);
  termStart.does(async () => {
    clock.advance(second);
    return { firstDay: '2025-02-17', weeks: 19 };
  });
  expect(await current()).toMatchObject({ week: 2, stated: null });
});

import { describe, expect, it } from 'vitest';
import { PlanReads } from '../../../../src/domain/academics/plan-reads.ts';
import { defaultOption, type PlanEntry } from '../../../../src/domain/academics/plans.ts';
import { portsOf, type Supplies } from '../../../../src/domain/capabilities.ts';
import { type CacheDirectives, noDirectives, withReads } from '../../../../src/domain/context.ts';
import { failures } from '../../../../src/domain/errors.ts';
import { NotedReads } from '../../../../src/domain/reads/call-reads.ts';
import { callContext } from '../../../support/campus-rig.ts';
import { exampleChoice, exampleCompletion, exampleScore } from '../../../support/fake-services.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { testReads } from '../../../support/test-reads.ts';

const student = { userid: '2023000001' };
const several: PlanEntry = { kind: 'choice', choice: exampleChoice };
const only: PlanEntry = { kind: 'plan', completion: { ...exampleCompletion, planId: null } };
const blank = { ...exampleCompletion, passedCourses: 0 };

const noted = (directives: Partial<CacheDirectives> = {}) => new NotedReads({ ...noDirectives, ...directives });
const contextWith = (directives: Partial<CacheDirectives> = {}) => withReads(callContext(), noted(directives));

/** Plans of a student whose page shows this, and everything that was asked for. */
const plansOf = (first: PlanEntry, terms = ['t1', 't2']) => {
  const clock = new ManualClock();
  const asked: string[] = [];
  const page = { entry: first, lost: '' };
  const campus: Supplies['academics'] = {
    planEntry: async () => {
      asked.push('page');
      return page.entry;
    },
    chosenPlan: async (_student, { id }) => {
      asked.push(id);
      return { ...exampleCompletion, planId: id };
    },
    terms: async () => {
      asked.push('terms');
      return terms.map((code) => ({ term_code: code, term_name: code, is_current: false }));
    },
    allScores: async (_student, code) => {
      asked.push(code);
      if (code === page.lost) throw failures.timedOut(undefined, { system: 'academics' });
      return [{ ...exampleScore, courseCode: 'EX1002', score: code === 't2' ? '61' : '59' }];
    },
  };
  const plans = new PlanReads(portsOf([{ academics: campus }]).academics, testReads(clock));
  const take = () => asked.splice(0);
  return { clock, page, plans, take };
};

describe('the default plan', () => {
  it('is the first major one, else the first', () => {
    expect(defaultOption(exampleChoice)?.id).toBe('7352');
    expect(defaultOption({ ...exampleChoice, options: exampleChoice.options.toReversed() })?.id).toBe('7352');
    const [minor, , micro] = exampleChoice.options;
    if (!minor || !micro) throw new Error('no examples');
    expect(defaultOption({ hint: null, options: [micro, minor] })?.id).toBe('202503110042');
    expect(defaultOption({ hint: null, options: [] })).toBeUndefined();
  });
});

describe('one of several plans', () => {
  it('is asked for after the choice, which stays fresh for 300 s', async () => {
    const { clock, plans, take } = plansOf(several);
    expect((await plans.planCompletion(student, null, contextWith())).planId).toBe('7352');
    expect(take()).toEqual(['page', '7352']);
    expect((await plans.planCompletion(student, '7410', contextWith())).planId).toBe('7410');
    expect(await plans.planChoice(student, contextWith())).toEqual(exampleChoice);
    expect(take()).toEqual(['7410']);
    clock.advance(300_000);
    await plans.planCompletion(student, '7410', contextWith());
    expect(take()).toEqual(['page', '7410']);
  });

  it('is never asked for by an id that was not offered', async () => {
    const { plans, take } = plansOf(several);
    await expect(plans.planCompletion(student, '735', contextWith())).rejects.toMatchObject({ kind: 'plan-unknown' });
    expect(take()).toEqual(['page']);
    await expect(plans.planCompletion(student, '73520', contextWith())).rejects.toMatchObject({ kind: 'plan-unknown' });
    expect(take()).toEqual([]);
  });

  it('reads the choice again for a call that says no-cache, and stores nothing for one that says no-store', async () => {
    const { plans, take } = plansOf(several);
    await plans.planCompletion(student, null, contextWith({ noStore: true }));
    await plans.planCompletion(student, null, contextWith());
    expect(take()).toEqual(['page', '7352', 'page', '7352']);
    await plans.planCompletion(student, null, contextWith({ noCache: true }));
    expect(take()).toEqual(['page', '7352']);
    // The directives that `fetch` adds to a tag are about the plan, if about anything.
    await plans.planCompletion(student, null, contextWith({ noCache: true, noCacheOfFetch: true, maxAge: 0 }));
    expect(take()).toEqual(['7352']);
  });

  it('is as old as its own reading', async () => {
    const { clock, plans } = plansOf(several);
    await plans.planChoice(student, contextWith());
    clock.advance(200_000);
    const reads = noted();
    await plans.planCompletion(student, null, withReads(callContext(), reads));
    expect(reads.summary()).toMatchObject({ source: 'asked', readAt: null, oldSince: null });
  });
});

describe('the only plan', () => {
  it('is its page, every time; there is nothing to choose and no other plan', async () => {
    const { plans, take } = plansOf(only);
    expect(await plans.planCompletion(student, null, contextWith())).toBe(only.kind === 'plan' && only.completion);
    expect(take()).toEqual(['page']);
    expect(await plans.planChoice(student, contextWith())).toEqual({ hint: null, options: [] });
    await expect(plans.planCompletion(student, '7352', contextWith())).rejects.toMatchObject({ kind: 'plan-unknown' });
    expect(take()).toEqual([]);
    await plans.planCompletion(student, null, contextWith());
    expect(take()).toEqual(['page']);
  });

  it('that is one of several by now leads to the default one', async () => {
    const { page, plans, take } = plansOf(only);
    await plans.planChoice(student, contextWith());
    page.entry = several;
    expect((await plans.planCompletion(student, null, contextWith())).planId).toBe('7352');
    expect(take()).toEqual(['page', 'page', '7352']);
  });
});

describe('an estimate', () => {
  it('reads the terms one after the other, and only for a plan that shows nothing passed', async () => {
    const { plans, take } = plansOf(only);
    expect(await plans.planEstimate(student, exampleCompletion, contextWith())).toBeNull();
    expect(await plans.planEstimate(student, { ...blank, totalCourses: 0 }, contextWith())).toBeNull();
    expect(take()).toEqual([]);
    expect(await plans.planEstimate(student, blank, contextWith())).toMatchObject({ passed_courses: 1, terms_read: 2 });
    expect(take()).toEqual(['terms', 't1', 't2']);
  });

  it('is none when a term cannot be read, and none for more terms than a student can have', async () => {
    const { page, plans, take } = plansOf(only);
    page.lost = 't1';
    await expect(plans.planEstimate(student, blank, contextWith())).rejects.toMatchObject({ kind: 'timed-out' });
    expect(take()).toEqual(['terms', 't1']);
    const many = plansOf(
      only,
      Array.from({ length: 61 }, (_, at) => `${at}`),
    );
    await expect(many.plans.planEstimate(student, blank, contextWith())).rejects.toMatchObject({
      kind: 'upstream-unreadable',
    });
    expect(many.take()).toEqual(['terms']);
  });
});

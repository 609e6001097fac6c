import { describe, expect, it } from 'vitest';
import { PlanReads } from '../../../../src/domain/academics/plan-reads.ts';
import { trainingPlanOf } from '../../../../src/domain/academics/plans.ts';
import type { AcademicSummary } from '../../../../src/domain/academics/ports.ts';
import { portsOf } from '../../../../src/domain/capabilities.ts';
import { withSignal } from '../../../../src/domain/context.ts';
import { type Failure, type FailureKind, failureOf, isFailure } from '../../../../src/domain/errors.ts';
import { callContext } from '../../../support/campus-rig.ts';
import { exampleSummary } from '../../../support/fake-services.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { testReads } from '../../../support/test-reads.ts';

const student = { userid: '2023000001' };
const plan = trainingPlanOf('2023级会计学本科培养方案');
const summary = exampleSummary;

/** Plans whose campus answers with these, one after the other; the last one stays. */
const plansWith = (...summaries: ReadonlyArray<AcademicSummary | Failure>) => {
  const left = [...summaries];
  const asked = { plan: 0, summary: 0 };
  const campus = {
    trainingPlan: () => {
      asked.plan += 1;
      return Promise.resolve(plan);
    },
    summary: () => {
      asked.summary += 1;
      const next = left.length > 1 ? left.shift() : left[0];
      return isFailure(next) ? Promise.reject(next) : Promise.resolve(next ?? summary);
    },
  };
  return { asked, plans: new PlanReads(portsOf([{ academics: campus }]).academics, testReads(new ManualClock())) };
};
const failure = (kind: FailureKind) => failureOf(kind, { system: 'academics' });

describe('a plan with its summary', () => {
  it('asks for the plan once in a while and for the summary every time', async () => {
    const { plans, asked } = plansWith(summary);
    await plans.planOverview(student, callContext());
    expect(await plans.planOverview(student, callContext())).toEqual({ plan, summary });
    expect(asked).toEqual({ plan: 1, summary: 2 });
  });

  it.each<FailureKind>(['upstream-unavailable', 'upstream-unreadable', 'upstream-empty', 'timed-out', 'session-lost'])(
    'is a plan alone when the plan was read and the summary fails: %s',
    async (kind) => {
      const { plans } = plansWith(failure(kind));
      expect(await plans.planOverview(student, callContext())).toEqual({ plan, summary: null });
    },
  );

  it('is an error when only a stored plan speaks for the session', async () => {
    const lost = failure('session-lost');
    const { plans } = plansWith(summary, lost);
    await plans.planOverview(student, callContext());
    await expect(plans.planOverview(student, callContext())).rejects.toBe(lost);
  });

  it.each<FailureKind>(['stored-credentials-refused', 'sign-in-unavailable', 'token-user-gone'])(
    'is an error for what concerns the whole call: %s',
    async (kind) => {
      const { plans } = plansWith(failure(kind));
      await expect(plans.planOverview(student, callContext())).rejects.toMatchObject({ kind });
    },
  );

  it('is an error when the time of the call is up', async () => {
    const { plans } = plansWith(failure('timed-out'));
    const context = withSignal(callContext(), AbortSignal.abort(failure('timed-out')));
    await expect(plans.planOverview(student, context)).rejects.toMatchObject({ kind: 'timed-out' });
  });
});

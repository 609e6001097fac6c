import type { CallContext, Student } from '../context.ts';
import { isFailure } from '../errors.ts';
import { plainReads } from '../reads/plain.ts';
import type { Reads } from '../reads/reads.ts';
import { readRows } from '../reads/rows.ts';
import type { Academics } from './academics.ts';
import type { AcademicsCampus } from './ports.ts';
import type { TrainingPlan } from './training-plan.ts';

interface Deps {
  readonly campus: Pick<AcademicsCampus, 'trainingPlan' | 'summary'>;
  readonly reads: Reads;
}

/** Training plans and summaries, and both together. */
export const createTrainingPlans = ({
  campus,
  reads,
}: Deps): Pick<Academics, 'trainingPlan' | 'summary' | 'planOverview'> => {
  const planOf = (student: Student, context: CallContext, whenAsked = () => {}): Promise<TrainingPlan> =>
    reads.read(student, context, {
      row: readRows.trainingPlan,
      ask: (inner) => {
        whenAsked();
        return campus.trainingPlan(student, inner);
      },
    });
  const summaryOf = plainReads(reads)(readRows.summary, campus.summary);

  return {
    trainingPlan: (student, context) => planOf(student, context),
    summary: summaryOf,
    /** The plan decides; a summary that cannot be had leaves its place empty. What ends the call as a whole is thrown. */
    async planOverview(student, context) {
      let live = false;
      const whenAsked = (): void => {
        live = true;
      };
      const [plan, summary] = await Promise.allSettled([
        planOf(student, context, whenAsked),
        summaryOf(student, context),
      ]);
      if (plan.status === 'rejected') throw plan.reason;
      if (summary.status === 'fulfilled') return { plan: plan.value, summary: summary.value };
      const ofOneAnswer =
        isFailure(
          summary.reason,
          'upstream-unavailable',
          'upstream-unreadable',
          'upstream-refused',
          'upstream-empty',
          'timed-out',
          'not-offered',
        ) ||
        // The plan has just proven the session: then the loss is one of the summary page alone.
        (live && isFailure(summary.reason, 'session-lost'));
      if (!ofOneAnswer || context.signal.aborted) throw summary.reason;
      context.log.warn({ system: 'academics', page: 'summary', failure: summary.reason.kind }, 'plan without summary');
      return { plan: plan.value, summary: null };
    },
  };
};

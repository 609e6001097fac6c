import type { CallContext, Student } from '../context.ts';
import { isFailure } from '../errors.ts';
import type { Reads } from '../reads/reads.ts';
import { readRows } from '../reads/rows.ts';
import type { AcademicsCampus } from './ports.ts';
import type { TrainingPlan } from './training-plan.ts';
import type { AcademicSummary } from './types.ts';

/** A plan, and how far the student has come at a glance; null when only the plan could be had. */
export interface PlanOverview {
  readonly plan: TrainingPlan;
  readonly summary: AcademicSummary | null;
}

/** What of the campus tells plan and summary. */
type PlanCampus = Pick<AcademicsCampus, 'trainingPlan' | 'summary'>;

/** Training plans and summaries, and both together. */
export class TrainingPlans {
  readonly #campus: PlanCampus;
  readonly #reads: Reads;

  constructor({ campus, reads }: { campus: PlanCampus; reads: Reads }) {
    this.#campus = campus;
    this.#reads = reads;
  }

  plan(student: Student, context: CallContext, whenAsked = () => {}): Promise<TrainingPlan> {
    return this.#reads.read(student, context, {
      row: readRows.trainingPlan,
      ask: (inner) => {
        whenAsked();
        return this.#campus.trainingPlan(student, inner);
      },
    });
  }

  summary(student: Student, context: CallContext): Promise<AcademicSummary> {
    return this.#reads.read(student, context, {
      row: readRows.summary,
      ask: (inner) => this.#campus.summary(student, inner),
    });
  }

  /** The plan decides; a summary that cannot be had leaves its place empty. What ends the call as a whole is thrown. */
  async overview(student: Student, context: CallContext): Promise<PlanOverview> {
    let live = false;
    const whenAsked = (): void => {
      live = true;
    };
    const [plan, summary] = await Promise.allSettled([
      this.plan(student, context, whenAsked),
      this.summary(student, context),
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
      ) ||
      // The plan has just proven the session: then the loss is one of the summary page alone.
      (live && isFailure(summary.reason, 'session-lost'));
    if (!ofOneAnswer || context.signal.aborted) throw summary.reason;
    context.log.warn({ system: 'academics', page: 'summary', failure: summary.reason.kind }, 'plan without summary');
    return { plan: plan.value, summary: null };
  }
}

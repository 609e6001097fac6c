import type { Clock } from '../../lib/clock.ts';
import { TimedCache } from '../../lib/timed-cache.ts';
import type { CallContext, Student } from '../context.ts';
import { isFailure } from '../errors.ts';
import type { AcademicsCampus } from './ports.ts';
import type { TrainingPlan } from './training-plan.ts';
import type { AcademicSummary } from './types.ts';

/** A plan, and how far the student has come at a glance; null when only the plan could be had. */
export interface PlanOverview {
  readonly plan: TrainingPlan;
  readonly summary: AcademicSummary | null;
}

const keptMs = 300_000;
const mostKept = 10_000;

/** What of the campus tells plan and summary. */
type PlanCampus = Pick<AcademicsCampus, 'trainingPlan' | 'summary'>;

/** Names of training plans, kept for a few minutes per student. Failures are not kept. */
export class TrainingPlans {
  readonly #campus: PlanCampus;
  readonly #kept: TimedCache<TrainingPlan>;

  constructor({ campus, clock }: { campus: PlanCampus; clock: Clock }) {
    this.#campus = campus;
    this.#kept = new TimedCache({ clock, ttlMs: keptMs, limit: mostKept });
  }

  async plan(student: Student, context: CallContext): Promise<TrainingPlan> {
    const known = this.#kept.get(student.userid);
    if (known !== undefined) return known;
    const plan = await this.#campus.trainingPlan(student, context);
    this.#kept.set(student.userid, plan);
    return plan;
  }

  /** The plan decides; a summary that cannot be had leaves its place empty. What ends the call as a whole is thrown. */
  async overview(student: Student, context: CallContext): Promise<PlanOverview> {
    const live = this.#kept.get(student.userid) === undefined;
    const [plan, summary] = await Promise.allSettled([
      this.plan(student, context),
      this.#campus.summary(student, context),
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

import { type CallContext, noDirectives, type Student, withReads } from '../context.ts';
import { failures, isFailure } from '../errors.ts';
import { NotedReads } from '../reads/call-reads.ts';
import { skipsCopies } from '../reads/decide.ts';
import { type PortOf, plainReads } from '../reads/plain-reads.ts';
import type { Reads } from '../reads/reads.ts';
import {
  defaultOption,
  hasNothingPassed,
  onlyPlan,
  type PlanChoice,
  type PlanCompletion,
  type PlanEntry,
} from './plans.ts';
import { type AcademicsCampus, academicReads, plainAcademicReads } from './reads.ts';
import type { PlanEstimate } from './records.ts';
import { estimatePlan, type TermScores } from './score-marks.ts';

/** Each term costs a request. */
const mostTerms = 60;

/** The reads of training plans, and of the scores that estimates are made of. */
export class PlanReads {
  readonly #campus: AcademicsCampus;
  readonly #reads: Pick<Reads, 'read'>;
  /** What needs nothing but a reading. */
  readonly plain: PortOf<typeof plainAcademicReads>;

  constructor(campus: AcademicsCampus, reads: Pick<Reads, 'read'>) {
    this.#campus = campus;
    this.#reads = reads;
    this.plain = plainReads(reads, plainAcademicReads, campus);
  }

  /** Fails without a readable plan. An unreadable summary is left empty, unless the whole call has failed. */
  async planOverview(student: Student, context: CallContext) {
    let isLive = false;
    const planRead = this.#reads.read(student, context, {
      row: academicReads.trainingPlan,
      ask: (inner) => {
        isLive = true;
        return this.#campus.trainingPlan(student, inner);
      },
    });
    const [plan, summary] = await Promise.allSettled([planRead, this.plain.summary(student, context)]);
    if (plan.status === 'rejected') throw plan.reason;
    if (summary.status === 'fulfilled') return { plan: plan.value, summary: summary.value };
    const isOfOneAnswer =
      isFailure(
        summary.reason,
        'upstream-unavailable',
        'upstream-unreadable',
        'upstream-refused',
        'upstream-empty',
        'timed-out',
        'not-offered',
      ) ||
      // The plan has just verified the session, so only the summary page was lost.
      (isLive && isFailure(summary.reason, 'session-lost'));
    if (!isOfOneAnswer || context.signal.aborted) throw summary.reason;
    context.log.warn({ system: 'academics', page: 'summary', failure: summary.reason.kind }, 'plan without summary');
    return { plan: plan.value, summary: null };
  }

  planChoice(student: Student, context: CallContext): Promise<PlanChoice> {
    return this.#choice(student, context, () => {});
  }

  /** `planId` null: the default plan. @throws Failure `plan-unknown` for an id that this student is not offered */
  planCompletion(student: Student, planId: string | null, context: CallContext): Promise<PlanCompletion> {
    return this.#reads.read(student, context, {
      row: academicReads.planCompletion,
      params: planId === null ? [] : [planId],
      ask: async (inner) => {
        const entry = await this.#entry(student, planId, context, inner);
        if (entry.kind === 'plan' && planId === null) return entry.completion;
        const choice = entry.kind === 'plan' ? onlyPlan : entry.choice;
        // A stored choice spares the campus unknown ids; a new plan is known five minutes late at most.
        const option = planId === null ? defaultOption(choice) : choice.options.find(({ id }) => id === planId);
        if (option === undefined) throw failures.planUnknown();
        return this.#campus.chosenPlan(student, option, inner);
      },
    });
  }

  /**
   * Uses the scores of all terms, and fails if one is missing. Null for a plan that shows a passed course, or has no
   * course with a mark.
   */
  async planEstimate(student: Student, completion: PlanCompletion, context: CallContext): Promise<PlanEstimate | null> {
    if (!hasNothingPassed(completion)) return null;
    const { terms, allScores } = this.plain;
    const found = await terms(student, context);
    if (found.length > mostTerms) {
      throw failures.upstreamUnreadable('academics', 'more terms than a student can have');
    }
    const scored: TermScores[] = [];
    // Reads one term after the other, to spare the campus a dozen simultaneous requests.
    for (const { term_code: code } of found) scored.push({ code, scores: await allScores(student, code, context) });
    return estimatePlan(completion, scored);
  }

  #choice(student: Student, context: CallContext, whenAsked: (entry: PlanEntry) => void): Promise<PlanChoice> {
    return this.#reads.read(student, context, {
      row: academicReads.planChoice,
      ask: async (inner) => {
        const entry = await this.#campus.planEntry(student, inner);
        whenAsked(entry);
        return entry.kind === 'choice' ? entry.choice : onlyPlan;
      },
    });
  }

  /** The first page, or a stored choice in its place. An only plan is that page itself, which is then asked for. */
  async #entry(
    student: Student,
    planId: string | null,
    { reads }: CallContext,
    context: CallContext,
  ): Promise<PlanEntry> {
    const asked: { entry?: PlanEntry } = {};
    const directives = reads?.directives ?? noDirectives;
    // The answer tells the age of the plan, and not of the choice that led to it.
    const noCache = skipsCopies(directives) && !directives.noCacheOfFetch;
    const own = { ...noDirectives, noCache, noStore: directives.noStore, staleWhileRevalidate: 0 };
    const noted = new NotedReads(own, (work) => (reads ? reads.afterAnswer(work) : work()));
    const choice = await this.#choice(student, withReads(context, noted), (entry) => {
      asked.entry = entry;
    });
    if (asked.entry) return asked.entry;
    const isKnown = choice.options.length > 0 || planId !== null;
    return isKnown ? { kind: 'choice', choice } : this.#campus.planEntry(student, context);
  }
}

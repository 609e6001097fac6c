import { type CallContext, noDirectives, type Student, withReads } from '../context.ts';
import { Failure, isFailure } from '../errors.ts';
import { NotedReads } from '../reads/call-reads.ts';
import { skipsCopies } from '../reads/decide.ts';
import { plainRead, plainReadOf, type Reads } from '../reads/reads.ts';
import {
  defaultOption,
  nothingPassed,
  onlyPlan,
  type PlanChoice,
  type PlanCompletion,
  type PlanEntry,
} from './plans.ts';
import type { PlanOverview } from './ports.ts';
import { type AcademicsCampus, academicReads } from './reads.ts';
import type { PlanEstimate } from './records.ts';
import { estimatePlan, type ScoreHistory } from './score-marks.ts';

type PlanCampus = Pick<
  AcademicsCampus,
  'terms' | 'allScores' | 'summary' | 'trainingPlan' | 'planEntry' | 'chosenPlan'
>;

/** Each one costs a request. */
const mostTerms = 60;

/** The training plan, how far a student has come in it, and the reads that tell it. */
export class PlanReads {
  readonly #campus: PlanCampus;
  readonly #reads: Pick<Reads, 'read'>;
  readonly summary;
  readonly terms;
  readonly allScores;
  readonly trainingPlan;

  constructor(campus: PlanCampus, reads: Pick<Reads, 'read'>) {
    this.#campus = campus;
    this.#reads = reads;
    this.summary = plainRead(reads, academicReads.summary, campus.summary);
    this.terms = plainRead(reads, academicReads.terms, campus.terms);
    this.allScores = plainReadOf(reads, academicReads.allScores, campus.allScores);
    this.trainingPlan = plainRead(reads, academicReads.trainingPlan, campus.trainingPlan);
  }

  /** The plan decides; a summary that cannot be had is left empty. What ends the call as a whole is thrown. */
  async planOverview(student: Student, context: CallContext): Promise<PlanOverview> {
    let isLive = false;
    const planRead = this.#reads.read(student, context, {
      row: academicReads.trainingPlan,
      ask: (inner) => {
        isLive = true;
        return this.#campus.trainingPlan(student, inner);
      },
    });
    const [plan, summary] = await Promise.allSettled([planRead, this.summary(student, context)]);
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
      // The plan has just verified the session: then the loss is one of the summary page alone.
      (isLive && isFailure(summary.reason, 'session-lost'));
    if (!isOfOneAnswer || context.signal.aborted) throw summary.reason;
    context.log.warn({ system: 'academics', page: 'summary', failure: summary.reason.kind }, 'plan without summary');
    return { plan: plan.value, summary: null };
  }

  planChoice(student: Student, context: CallContext): Promise<PlanChoice> {
    return this.#choice(student, context, () => {});
  }

  /** Null: the default one. `plan-unknown` for an id that the campus does not offer to this student. */
  planCompletion(student: Student, planId: string | null, context: CallContext): Promise<PlanCompletion> {
    return this.#reads.read(student, context, {
      row: academicReads.planCompletion,
      params: planId === null ? [] : [planId],
      ask: async (inner) => {
        const entry = await this.#entry(student, planId, context, inner);
        if (entry.kind === 'plan' && planId === null) return entry.completion;
        const choice = entry.kind === 'plan' ? onlyPlan : entry.choice;
        // By a stored choice unknown ids cost the campus nothing, and a new plan is at most five minutes late.
        const option = planId === null ? defaultOption(choice) : choice.options.find(({ id }) => id === planId);
        if (option === undefined) throw new Failure('plan-unknown');
        return this.#campus.chosenPlan(student, option, inner);
      },
    });
  }

  /**
   * From the scores of all terms; null for a plan that shows a passed course, or has no course with a mark. Each term is
   * its own read; one that cannot be read is a failure, because half the scores are no estimate. Made for each
   * answer, so a changed rule needs no new copies.
   */
  async planEstimate(student: Student, completion: PlanCompletion, context: CallContext): Promise<PlanEstimate | null> {
    if (!nothingPassed(completion)) return null;
    const found = await this.terms(student, context);
    if (found.length > mostTerms) {
      throw new Failure('upstream-unreadable', { system: 'academics', reason: 'more terms than anybody studies' });
    }
    const terms: Array<ScoreHistory['terms'][number]> = [];
    // One after the other: the campus is spared a dozen questions at once.
    for (const { term_code: code } of found) terms.push({ code, scores: await this.allScores(student, code, context) });
    return estimatePlan(completion, { terms });
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

  /**
   * A known choice saves the request for its page. The page of an only plan is that plan, so it is needed unless another
   * one is wanted.
   */
  async #entry(
    student: Student,
    planId: string | null,
    { reads }: CallContext,
    context: CallContext,
  ): Promise<PlanEntry> {
    const asked: { entry?: PlanEntry } = {};
    const directives = reads?.directives ?? noDirectives;
    // The age in an answer is that of the plan, not of the choice that led to it.
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

import { type CallContext, type CallReads, noDirectives, type Student, withReads } from '../context.ts';
import { Failure } from '../errors.ts';
import { noteReads } from '../reads/call-reads.ts';
import { skipsCopies } from '../reads/decide.ts';
import type { Reads } from '../reads/reads.ts';
import {
  defaultOption,
  nothingPassed,
  onlyPlan,
  type PlanChoice,
  type PlanCompletion,
  type PlanEntry,
} from './plans.ts';
import type { AcademicsCampus } from './ports.ts';
import { academicReads } from './rows.ts';
import { estimatePlan, type ScoreHistory } from './score-marks.ts';

interface Deps {
  readonly campus: Pick<AcademicsCampus, 'planEntry' | 'chosenPlan'>;
  readonly reads: Reads;
  /** The reads of which an estimate is made. */
  readonly scores: Pick<AcademicsCampus, 'terms' | 'allScores'>;
}

/** Each one costs a request. */
const mostTerms = 60;

const silent: Pick<CallReads, 'directives' | 'afterAnswer'> = {
  directives: noDirectives,
  afterAnswer: (work) => work(),
};

/** The choice among plans, one plan, and what the scores say about it. */
export const createPlanReads = ({ campus, reads, scores }: Deps) => {
  const choiceOf = (
    student: Student,
    context: CallContext,
    whenAsked: (entry: PlanEntry) => void = () => {},
  ): Promise<PlanChoice> =>
    reads.read(student, context, {
      row: academicReads.planChoice,
      ask: async (inner) => {
        const entry = await campus.planEntry(student, inner);
        whenAsked(entry);
        return entry.kind === 'choice' ? entry.choice : onlyPlan;
      },
    });

  /**
   * A known choice saves the request for its page. The page of an only plan is that plan, so it is needed unless another
   * one is wanted.
   */
  const entryOf = async (
    student: Student,
    planId: string | null,
    call: CallReads | undefined,
    context: CallContext,
  ): Promise<PlanEntry> => {
    const asked: { entry?: PlanEntry } = {};
    const { directives } = call ?? silent;
    // The age in an answer is that of the plan, not of the choice that led to it.
    const noCache = skipsCopies(directives) && !directives.noCacheOfFetch;
    const own = noteReads({ ...noDirectives, noCache, noStore: directives.noStore, staleWhileRevalidate: 0 }, (work) =>
      (call ?? silent).afterAnswer(work),
    );
    const choice = await choiceOf(student, withReads(context, own), (entry) => {
      asked.entry = entry;
    });
    if (asked.entry) return asked.entry;
    const isKnown = choice.options.length > 0 || planId !== null;
    return isKnown ? { kind: 'choice', choice } : campus.planEntry(student, context);
  };

  return {
    planChoice: (student: Student, context: CallContext) => choiceOf(student, context),
    /** Null: the default one. `plan-unknown` for an id that the campus does not offer to this student. */
    planCompletion: (student: Student, planId: string | null, context: CallContext) =>
      reads.read(student, context, {
        row: academicReads.planCompletion,
        params: planId === null ? [] : [planId],
        async ask(inner) {
          const entry = await entryOf(student, planId, context.reads, inner);
          if (entry.kind === 'plan' && planId === null) return entry.completion;
          const choice = entry.kind === 'plan' ? onlyPlan : entry.choice;
          // By a kept choice unknown ids cost the campus nothing, and a new plan is at most five minutes late.
          const option = planId === null ? defaultOption(choice) : choice.options.find(({ id }) => id === planId);
          if (option === undefined) throw new Failure('plan-unknown');
          return campus.chosenPlan(student, option, inner);
        },
      }),
    /**
     * From the scores of all terms; null for a plan that shows a passed course, or has no course with a mark. Each term is
     * its own read; one that cannot be read is a failure, because half the scores are no estimate. Made for each
     * answer, so a changed rule needs no new copies.
     */
    async planEstimate(student: Student, completion: PlanCompletion, context: CallContext) {
      if (!nothingPassed(completion)) return null;
      const found = await scores.terms(student, context);
      if (found.length > mostTerms) {
        throw new Failure('upstream-unreadable', { system: 'academics', reason: 'more terms than anybody studies' });
      }
      const terms: Array<ScoreHistory['terms'][number]> = [];
      // One after the other: the campus is spared a dozen questions at once.
      for (const { term_code: code } of found)
        terms.push({ code, scores: await scores.allScores(student, code, context) });
      return estimatePlan(completion, { terms });
    },
  };
};

import { type CallContext, type Student, withReads } from '../context.ts';
import { Failure } from '../errors.ts';
import { noteReads } from '../reads/call-reads.ts';
import { asksAnew } from '../reads/decide.ts';
import type { Reads } from '../reads/reads.ts';
import { readRows } from '../reads/rows.ts';
import { type CallReads, nothingSaid } from '../reads/types.ts';
import { defaultOption, onlyPlan, type PlanChoice, type PlanEntry } from './plan-choice.ts';
import { nothingPassed, type PlanCompletion } from './plan-completion.ts';
import { estimatePlan, type PlanEstimate } from './plan-estimate.ts';
import type { AcademicsCampus } from './ports.ts';
import type { ScoreHistory } from './score-marks.ts';
import type { ScoreRecord, Term } from './types.ts';

/** What of the campus tells plans and how far they are completed. */
type PlanCampus = Pick<AcademicsCampus, 'planEntry' | 'chosenPlan'>;

/** The reads of which an estimate is made. */
interface ScoreReads {
  terms(student: Student, context: CallContext): Promise<readonly Term[]>;
  allScores(student: Student, termCode: string, context: CallContext): Promise<readonly ScoreRecord[]>;
}

/** Each one costs a request. */
const mostTerms = 60;

const silent: Pick<CallReads, 'wish' | 'afterAnswer'> = { wish: nothingSaid, afterAnswer: (work) => work() };

/** The choice among plans, one plan, and what the scores say about it. */
export class PlanReads {
  readonly #campus: PlanCampus;
  readonly #reads: Reads;
  readonly #scores: ScoreReads;

  constructor({ campus, reads, scores }: { campus: PlanCampus; reads: Reads; scores: ScoreReads }) {
    this.#campus = campus;
    this.#reads = reads;
    this.#scores = scores;
  }

  choice(
    student: Student,
    context: CallContext,
    whenAsked: (entry: PlanEntry) => void = () => {},
  ): Promise<PlanChoice> {
    return this.#reads.read(student, context, {
      row: readRows.planChoice,
      ask: async (inner) => {
        const entry = await this.#campus.planEntry(student, inner);
        whenAsked(entry);
        return entry.kind === 'choice' ? entry.choice : onlyPlan;
      },
    });
  }

  /** @throws Failure `plan-unknown` for an id that the campus does not offer to this student */
  completion(student: Student, planId: string | null, context: CallContext): Promise<PlanCompletion> {
    return this.#reads.read(student, context, {
      row: readRows.planCompletion,
      params: planId === null ? [] : [planId],
      ask: (inner) => this.#complete(student, planId, context.reads, inner),
    });
  }

  /**
   * Null where the plan shows a passed course, or no course of it has a mark. Each term is a read of its own; one that
   * cannot be read is a failure.
   */
  async estimate(student: Student, completion: PlanCompletion, context: CallContext): Promise<PlanEstimate | null> {
    if (!nothingPassed(completion)) return null;
    const found = await this.#scores.terms(student, context);
    if (found.length > mostTerms) {
      throw new Failure('upstream-unreadable', { system: 'academics', reason: 'more terms than anybody studies' });
    }
    const terms: Array<ScoreHistory['terms'][number]> = [];
    // One after the other: the campus is spared a dozen questions at once.
    for (const { code } of found) {
      terms.push({ code, scores: await this.#scores.allScores(student, code, context) });
    }
    return estimatePlan(completion, { terms });
  }

  async #complete(student: Student, planId: string | null, call: CallReads | undefined, context: CallContext) {
    const entry = await this.#entry(student, planId, call, context);
    if (entry.kind === 'plan' && planId === null) return entry.completion;
    const choice = entry.kind === 'plan' ? onlyPlan : entry.choice;
    const option = planId === null ? defaultOption(choice) : choice.options.find(({ id }) => id === planId);
    if (option === undefined) throw new Failure('plan-unknown');
    return this.#campus.chosenPlan(student, option, context);
  }

  /**
   * A known choice saves the request for its page. The page of an only plan is that plan, so it is needed unless another
   * one is wanted.
   */
  async #entry(
    student: Student,
    planId: string | null,
    call: CallReads | undefined,
    context: CallContext,
  ): Promise<PlanEntry> {
    const asked: { entry?: PlanEntry } = {};
    const { wish, afterAnswer } = call ?? silent;
    // What an answer says about its age is about the plan, and not about the choice that led to it.
    const reads = noteReads({ ...nothingSaid, noCache: asksAnew(wish), noStore: wish.noStore }, afterAnswer);
    const choice = await this.choice(student, withReads(context, reads), (entry) => {
      asked.entry = entry;
    });
    if (asked.entry) return asked.entry;
    const isKnown = choice.options.length > 0 || planId !== null;
    return isKnown ? { kind: 'choice', choice } : this.#campus.planEntry(student, context);
  }
}

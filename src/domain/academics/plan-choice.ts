import type { PlanCompletion } from './plan-completion.ts';

/** A plan among several, as the campus offers it. */
export interface PlanOption {
  readonly id: string;
  readonly name: string;
  readonly kind: 'major' | 'minor' | 'micro-major';
}

/** What a student with several plans chooses from; no option: the student has one plan, which has no id. */
export interface PlanChoice {
  /** In the words of the campus, null where it has none. */
  readonly hint: string | null;
  readonly options: readonly PlanOption[];
}

/** What the campus shows first: the plan of a student who has one, else the choice. */
export type PlanEntry =
  | { readonly kind: 'plan'; readonly completion: PlanCompletion }
  | { readonly kind: 'choice'; readonly choice: PlanChoice };

export const onlyPlan: PlanChoice = { hint: null, options: [] };

/** The plan that is meant where none is named: the first major one, else the first. */
export const defaultOption = ({ options }: PlanChoice): PlanOption | undefined =>
  options.find(({ kind }) => kind === 'major') ?? options[0];

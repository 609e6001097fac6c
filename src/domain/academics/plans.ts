export interface TrainingPlan {
  readonly name: string;
  /** `""` where the name does not tell. */
  readonly major: string;
  /** Four-digit year of entry, `""` where the name does not tell. */
  readonly grade: string;
}

const longestName = 200;

/** `2023级会计学本科培养方案` → 会计学, 2023: the major is between the grade and the first 本科 or 培养方案. */
export const trainingPlanOf = (name: string): TrainingPlan => {
  const [, grade = '', rest = ''] = /(\d{4})级(.*)/s.exec(name.slice(0, longestName)) ?? [];
  return { name, grade, major: /^(.*?)(?:本科|培养方案)/s.exec(rest)?.[1]?.trim() ?? '' };
};

export interface PlanCourse {
  readonly flagId: string;
  readonly flagType: string;
  /** `""` when the campus gives none. */
  readonly code: string;
  readonly name: string;
  readonly state: 'passed' | 'failed' | 'unread';
  readonly credits: number | null;
  /** A number or a word grade. */
  readonly score: string | null;
  /** `YYYYMMDD`. */
  readonly examDate: string | null;
  readonly type: string;
  /** Id of the node above; `-1` at the root. */
  readonly parentId: string;
  /** 2 course of the catalogue, 0 unknown. */
  readonly level: number;
}

/** A part of the plan. Numbers are as the campus prints them, 0 where it prints none. */
export interface PlanCategory {
  readonly flagId: string;
  readonly name: string;
  readonly minCredits: number;
  readonly completedCredits: number;
  readonly totalCourses: number;
  readonly passedCourses: number;
  readonly failedCourses: number;
  readonly missingRequiredCourses: number;
  readonly subcategories: readonly PlanCategory[];
  readonly courses: readonly PlanCourse[];
}

/** How far a student has come in a plan. The counts are of the whole tree. */
export interface PlanCompletion {
  /** Null for the only plan. */
  readonly planId: string | null;
  readonly plan: TrainingPlan;
  readonly categories: readonly PlanCategory[];
  readonly totalCourses: number;
  readonly passedCourses: number;
  readonly failedCourses: number;
  readonly unreadCourses: number;
}

/** True for a student who has just begun, but the campus shows some plans of other students like this too. */
export const hasNothingPassed = ({ totalCourses, passedCourses }: PlanCompletion): boolean =>
  totalCourses > 0 && passedCourses === 0;

export interface PlanOption {
  readonly id: string;
  readonly name: string;
  readonly kind: 'major' | 'minor' | 'micro-major';
}

/** The plans that a student can choose from. Without options there is one plan, which has no id. */
export interface PlanChoice {
  /** The campus's own words. */
  readonly hint: string | null;
  readonly options: readonly PlanOption[];
}

/** The first page of the campus: the only plan, or the choice of several. */
export type PlanEntry =
  | { readonly kind: 'plan'; readonly completion: PlanCompletion }
  | { readonly kind: 'choice'; readonly choice: PlanChoice };

export const onlyPlan: PlanChoice = { hint: null, options: [] };

export const defaultOption = ({ options }: PlanChoice): PlanOption | undefined =>
  options.find(({ kind }) => kind === 'major') ?? options[0];

/** A training plan by its name, and what the name says. */
export interface TrainingPlan {
  readonly name: string;
  /** `""` where the name does not tell. */
  readonly major: string;
  /** Four-digit year of entry, `""` where the name does not tell. */
  readonly grade: string;
}

const longestName = 200;

/**
 * `2023级会计学本科培养方案` → 会计学, 2023. The major stands between the grade and 本科 or 培养方案, whichever comes
 * first.
 */
export const trainingPlanOf = (name: string): TrainingPlan => {
  const [, grade = '', rest = ''] = /(\d{4})级(.*)/s.exec(name.slice(0, longestName)) ?? [];
  return { name, grade, major: /^(.*?)(?:本科|培养方案)/s.exec(rest)?.[1]?.trim() ?? '' };
};

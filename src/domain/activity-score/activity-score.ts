import type { ActivityScoreCampus } from './ports.ts';

/** Activity score for both surfaces: there is nothing to know beyond what the campus says. */
export type ActivityScore = ActivityScoreCampus;

export const createActivityScore = ({ campus }: { campus: ActivityScoreCampus }): ActivityScore => ({
  total: (student, context) => campus.total(student, context),
  categories: (student, context) => campus.categories(student, context),
});

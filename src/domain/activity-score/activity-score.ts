import type { Reads } from '../reads/reads.ts';
import { readRows } from '../reads/rows.ts';
import type { ActivityScoreCampus } from './ports.ts';

/** Activity score for both surfaces: there is nothing to know beyond what the campus says. */
export type ActivityScore = ActivityScoreCampus;

export const createActivityScore = (deps: {
  readonly campus: ActivityScoreCampus;
  readonly reads: Reads;
}): ActivityScore => {
  const { campus, reads } = deps;
  return {
    total: (student, context) =>
      reads.read(student, context, { row: readRows.activityTotal, ask: (inner) => campus.total(student, inner) }),
    categories: (student, context) =>
      reads.read(student, context, {
        row: readRows.activityCategories,
        ask: (inner) => campus.categories(student, inner),
      }),
  };
};

import type { CallContext, Student } from '../context.ts';
import type { Reads } from '../reads/reads.ts';
import { readRows } from '../reads/rows.ts';
import type { ActivityCategory, ActivityTotal } from './types.ts';

/**
 * What the activity score application offers to the domain; implemented by campus/aac. Every method throws `Failure`s of
 * the sign-in kinds, `ticket-unavailable`, `upstream-unavailable`, `upstream-unreadable`, `upstream-refused`
 * {upstreamMessage}, `upstream-empty`, `session-lost` or `timed-out`.
 */
export interface ActivityScoreCampus {
  total(student: Student, context: CallContext): Promise<ActivityTotal>;
  /** All categories in upstream order; empty for a student without any. */
  categories(student: Student, context: CallContext): Promise<readonly ActivityCategory[]>;
}

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

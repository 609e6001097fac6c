import type { CallContext, Student } from '../context.ts';
import type { MethodsOf } from '../read-row.ts';
import { plainRead, type Reads } from '../reads/reads.ts';
import type { ActivityCategory, ActivityTotal } from './records.ts';
import { activityScoreReads } from './records.ts';

/**
 * Implemented by campus/aac. Failures: sign-in kinds, `ticket-unavailable`, `upstream-unavailable`,
 * `upstream-unreadable`, `upstream-refused` {upstreamMessage}, `upstream-empty`, `session-lost`, `timed-out`.
 */
export interface ActivityScoreCampus {
  total(student: Student, context: CallContext): Promise<ActivityTotal>;
  /** All categories in upstream order; empty for a student without any. */
  categories(student: Student, context: CallContext): Promise<readonly ActivityCategory[]>;
}

export const activityScoreMethods: MethodsOf<ActivityScoreCampus> = { total: true, categories: true };

export type ActivityScore = ActivityScoreCampus;

export const createActivityScore = (campus: ActivityScoreCampus, reads: Reads): ActivityScore => ({
  total: plainRead(reads, activityScoreReads.activityTotal, campus.total),
  categories: plainRead(reads, activityScoreReads.activityCategories, campus.categories),
});

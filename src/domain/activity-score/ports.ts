import type { CallContext, Student } from '../context.ts';
import type { ActivityCategory, ActivityTotal } from './types.ts';

/**
 * What the activity score system offers to the domain; implemented by campus/aac. Every method throws `Failure`s of
 * the sign-in kinds, `ticket-unavailable`, `upstream-unavailable`, `upstream-unreadable`, `upstream-refused`
 * {upstreamMessage}, `upstream-empty`, `session-lost` or `timed-out`.
 */
export interface ActivityScoreCampus {
  total(student: Student, context: CallContext): Promise<ActivityTotal>;
  /** All categories in upstream order; empty for a student without any. */
  categories(student: Student, context: CallContext): Promise<readonly ActivityCategory[]>;
}

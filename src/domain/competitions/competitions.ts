import type { CallContext, Student } from '../context.ts';
import type { CompetitionRecord } from './types.ts';

/**
 * Subject competitions. Nothing is kept: every page is bound to the one before it.
 * @throws Failure sign-in kinds, `upstream-unavailable`, `upstream-unreadable`, `session-lost`, `timed-out`
 */
export interface Competitions {
  record(student: Student, context: CallContext): Promise<CompetitionRecord>;
}

/** Implemented by campus/competition. All result pages are read; a record is complete or a failure. */
export interface CompetitionsCampus {
  record(student: Student, context: CallContext): Promise<CompetitionRecord>;
}

export const createCompetitions = ({ campus }: { campus: CompetitionsCampus }): Competitions => ({
  record: (student, context) => campus.record(student, context),
});

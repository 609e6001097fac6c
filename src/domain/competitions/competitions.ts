import type { CallContext, Student } from '../context.ts';
import { plainRead, type Reads } from '../reads/reads.ts';
import type { CompetitionRecord } from './records.ts';
import { competitionReads } from './records.ts';

/**
 * Implemented by campus/competition. All result pages are read; a record is complete or a failure.
 * @throws Failure sign-in kinds, `upstream-unavailable`, `upstream-unreadable`, `session-lost`, `timed-out`
 */
export interface CompetitionsCampus {
  record(student: Student, context: CallContext): Promise<CompetitionRecord>;
}

/** The whole record is stored, and no page of it: every page is bound to the one before. */
export type Competitions = CompetitionsCampus;

export const createCompetitions = (campus: CompetitionsCampus, reads: Reads): Competitions => ({
  record: plainRead(reads, competitionReads.competitions, campus.record),
});

import type { CallContext, Student } from '../context.ts';
import type { MethodsOf } from '../read-row.ts';
import { plainRead, type Reads } from '../reads/reads.ts';
import type { CompetitionRecord } from './records.ts';
import { competitionReads } from './records.ts';

/**
 * Implemented by campus/competition, which reads all pages: a record is complete or a failure.
 * @throws Failure sign-in kinds, `upstream-unavailable`, `upstream-unreadable`, `session-lost`, `timed-out`
 */
export interface CompetitionsCampus {
  record(student: Student, context: CallContext): Promise<CompetitionRecord>;
}

export const competitionMethods: MethodsOf<CompetitionsCampus> = { record: true };

export type Competitions = CompetitionsCampus;

export const createCompetitions = (campus: CompetitionsCampus, reads: Reads): Competitions => ({
  record: plainRead(reads, competitionReads.competitions, campus.record),
});

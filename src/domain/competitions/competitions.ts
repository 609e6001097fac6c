import type { CallContext, Student } from '../context.ts';
import type { Reads } from '../reads/reads.ts';
import { readRows } from '../reads/rows.ts';
import type { CompetitionRecord } from './types.ts';

/**
 * Subject competitions. No page is kept: every one is bound to the one before it. Kept is the whole record.
 * @throws Failure sign-in kinds, `upstream-unavailable`, `upstream-unreadable`, `session-lost`, `timed-out`
 */
export interface Competitions {
  record(student: Student, context: CallContext): Promise<CompetitionRecord>;
}

/** Implemented by campus/competition. All result pages are read; a record is complete or a failure. */
export interface CompetitionsCampus {
  record(student: Student, context: CallContext): Promise<CompetitionRecord>;
}

export const createCompetitions = (deps: {
  readonly campus: CompetitionsCampus;
  readonly reads: Reads;
}): Competitions => ({
  record: (student, context) =>
    deps.reads.read(student, context, {
      row: readRows.competitions,
      ask: (inner) => deps.campus.record(student, inner),
    }),
});

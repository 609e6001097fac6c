import type { CallContext, Student } from '../context.ts';
import type { AcademicSummary, CourseTable, ScorePage, ScoreQuery, ScoreRecord, SectionTimes, Term } from './types.ts';

/**
 * What the academic-affairs system offers to the domain; implemented by campus/jwc. Every method throws `Failure`s
 * of the sign-in kinds, `upstream-unavailable`, `upstream-unreadable`, `session-lost` or `timed-out`; `summary`
 * also `upstream-empty`, scores and schedule also `upstream-refused` {upstreamMessage}.
 */
export interface AcademicsCampus {
  summary(student: Student, context: CallContext): Promise<AcademicSummary>;
  terms(student: Student, context: CallContext): Promise<Term[]>;
  scorePage(student: Student, query: ScoreQuery, context: CallContext): Promise<ScorePage>;
  /** All pages of 50, read one after the other within one session; the segment page is read once. */
  allScores(student: Student, termCode: string, context: CallContext): Promise<readonly ScoreRecord[]>;
  /**
   * Course table, and the section times unless `knownSections` is given (then they are not asked for). Sections are
   * read beside the index and course requests of the same session. A failure names its `part`: `courses` or `sections`.
   */
  schedule(
    student: Student,
    termCode: string,
    knownSections: SectionTimes | null,
    context: CallContext,
  ): Promise<{ table: CourseTable; sections: SectionTimes }>;
}

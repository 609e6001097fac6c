import type { CallContext, Student } from '../context.ts';
import type { AcademicSummary, Schedule, ScorePage, ScoreQuery, ScoreRecord, Term } from './types.ts';

/** Academic reads for both surfaces. Failures: those of `AcademicsCampus`. */
export interface Academics {
  summary(student: Student, context: CallContext): Promise<AcademicSummary>;
  /** In upstream order; never empty; exactly one is current. */
  terms(student: Student, context: CallContext): Promise<readonly Term[]>;
  scorePage(student: Student, query: ScoreQuery, context: CallContext): Promise<ScorePage>;
  allScores(student: Student, termCode: string, context: CallContext): Promise<readonly ScoreRecord[]>;
  schedule(student: Student, termCode: string, context: CallContext): Promise<Schedule>;
}

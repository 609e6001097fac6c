import type { Static } from '@sinclair/typebox';
import { termDisplayName } from '../../domain/academics/term-names.ts';
import type { AcademicSummary, ScoreRecord, Term } from '../../domain/academics/types.ts';
import { presentScore } from '../records/present.ts';
import type { AcademicInfo, TermItem, TermScoreResponse } from './schemas/academics.ts';

export const presentSummary = (summary: AcademicSummary): Static<typeof AcademicInfo> => ({
  completed_courses: summary.coursesTaken,
  failed_courses: summary.coursesFailed,
  pending_courses: summary.coursesPending,
  gpa: summary.gpa,
  current_term: summary.currentTerm,
  current_term_name: termDisplayName(summary.currentTerm),
  average_score: summary.averageScore,
  rank: summary.rank,
  rank_total: summary.rankTotal,
});

export const presentTerm = ({ code, name, isCurrent }: Term): Static<typeof TermItem> => ({
  term_code: code,
  term_name: name,
  is_current: isCurrent,
});

export const presentScores = (scores: readonly ScoreRecord[]): Static<typeof TermScoreResponse> => ({
  total_count: scores.length,
  records: scores.map(presentScore),
});

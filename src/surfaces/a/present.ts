import type { Static } from '@sinclair/typebox';
import type { AcademicSummary, ScorePage, Term } from '../../domain/academics/types.ts';
import { presentScore } from '../records/present.ts';
import type { AcademicInfo, TermScoreResponse, Terms } from './schemas/academics.ts';

export const presentSummary = (summary: AcademicSummary): Static<typeof AcademicInfo> => ({
  count: summary.coursesTaken,
  countNotPass: summary.coursesFailed,
  gpa: summary.gpa,
});

export const presentTerms = (terms: readonly Term[]): Static<typeof Terms> =>
  Object.fromEntries(terms.map(({ code, name }) => [code, name]));

export const presentScorePage = (page: ScorePage): Static<typeof TermScoreResponse> => ({
  page_size: page.pageSize,
  page_num: page.page,
  total_count: page.totalCount,
  records: page.records.map(presentScore),
});

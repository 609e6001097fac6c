import { renamed } from '../read-row.ts';
import { CurrentScore, ScorePage, ScoreRecord, Term } from './records.ts';

// Values as version 1.0 has stored them. To be removed when no copy can be that old any more.

type Former = Readonly<Record<string, unknown>>;

const scoredCourse = {
  term_id: 'termCode',
  course_code: 'courseCode',
  course_class: 'courseClass',
  course_name_cn: 'courseName',
  course_name_en: 'courseNameEnglish',
  credits: 'credits',
  hours: 'hours',
  course_type: 'courseType',
  exam_type: 'examType',
  score: 'score',
} as const;

const formerTerm = renamed(Term, { term_code: 'code', term_name: 'name', is_current: 'isCurrent' });
const formerScore = renamed(ScoreRecord, {
  ...scoredCourse,
  sequence: 'sequence',
  retake_score: 'retakeScore',
  makeup_score: 'makeupScore',
});
const formerCurrentScore = renamed(CurrentScore, {
  ...scoredCourse,
  exam_time: 'examTime',
  grade_point: 'gradePoint',
  class_average: 'classAverage',
  class_highest: 'classHighest',
  class_lowest: 'classLowest',
  class_rank: 'classRank',
});
const formerPage = renamed(ScorePage, {
  page_size: 'pageSize',
  page_num: 'page',
  total_count: 'totalCount',
  records: 'records',
});

export const formerTerms = (terms: readonly Former[]): readonly Term[] => terms.map(formerTerm);
export const formerScores = (scores: readonly Former[]): readonly ScoreRecord[] => scores.map(formerScore);
export const formerCurrentScores = (scores: readonly Former[]): readonly CurrentScore[] =>
  scores.map(formerCurrentScore);
export const formerScorePage = (page: Former & { readonly records: readonly Former[] }): ScorePage => ({
  ...formerPage(page),
  records: formerScores(page.records),
});

/** The members were the same, but for some that may be left out. */
export const asItWas = <V>(value: V): V => value;

import type { RecordRow, ScoreRecord, WholeRecord } from './records.ts';
import { verdictOf } from './score-marks.ts';

/** More rows than anybody studies: a page with more is not the record of one student. */
export const mostRecordRows = 2_000;

/**
 * Whether a course is passed, by our rule: not where the campus gives a reason why not, else by the better one of its
 * marks; null where they say nothing.
 */
export const passedOf = (row: RecordRow): boolean | null => {
  if (row.not_passed_reason !== null) return false;
  const verdicts = [row.retake_score, row.makeup_score, row.score].flatMap((mark) => verdictOf(mark ?? '') ?? []);
  return verdicts.length === 0 ? null : verdicts.some(({ passes }) => passes);
};

/** The record with our verdict on every row, the rows of one verdict alone where that is asked for. */
export const judgedRecord = ({ source, groups, records }: WholeRecord, wanted: boolean | undefined) => {
  const judged = records.map((row) => ({ ...row, passed: passedOf(row) }));
  const counted = (verdict: boolean | null): number => judged.filter(({ passed }) => passed === verdict).length;
  const shown = wanted === undefined ? judged : judged.filter(({ passed }) => passed === wanted);
  return {
    source,
    total_count: shown.length,
    passed_count: counted(true),
    failed_count: counted(false),
    undecided_count: counted(null),
    groups,
    records: shown,
  };
};

/** A row of a score page as one of the record. */
export const asRecordRow = (row: ScoreRecord): RecordRow => ({
  group_index: null,
  term_id: row.term_id || null,
  academic_year: null,
  term_name: null,
  course_code: row.course_code,
  course_class: row.course_class,
  course_name_cn: row.course_name_cn,
  course_name_en: row.course_name_en,
  credits: row.credits,
  hours: row.hours,
  course_type: row.course_type,
  exam_type: row.exam_type || null,
  score: row.score,
  score_number: null,
  retake_score: row.retake_score,
  makeup_score: row.makeup_score,
  grade_point: null,
  grade_name: null,
  exam_time: null,
  not_passed_reason: null,
});

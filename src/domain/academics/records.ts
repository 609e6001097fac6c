import { Type } from '@sinclair/typebox';
import {
  decimal,
  flag,
  integer,
  listOf,
  literals,
  object,
  oneOf,
  orNull,
  type RecordOf,
  text,
  textOrNull,
} from '../record.ts';

const numberOrNull = (description: string, example: number | null) => orNull(Type.Number(), description, example);
const integerOrNull = (description: string, example: number | null) => orNull(Type.Integer(), description, example);

export interface Term extends RecordOf<typeof Term> {}
export const Term = object('TermItem', 'A term.', {
  term_code: text('Term code, e.g. `2025-2026-1-1`.', '2025-2026-2-1'),
  term_name: text('Name of the term for people, as the campus writes it; operations take the code.', '2025-2026下'),
  is_current: flag('It is the term of today.', true),
});
export const Terms = listOf(Term, 'All terms, newest first.');

const scoredCourse = {
  course_code: text('Course number at the campus.', 'EX1001'),
  course_class: text('Class number.', '01'),
  course_name_cn: text('Course name in Chinese.', '示例课程'),
  course_name_en: text('Course name in English; may be empty.', 'Example'),
  credits: text('Credits as text.', '2.0'),
  hours: integer('Teaching hours.', 32),
  course_type: text('Kind of course, e.g. `必修`.', '必修'),
  exam_type: text('Kind of examination, e.g. `考试`.', '考试'),
};

export interface ScoreRecord extends RecordOf<typeof ScoreRecord> {}
export const ScoreRecord = object('ScoreRecord', 'One row of a score page.', {
  sequence: integer('Row number.', 1),
  term_id: text('Term code, the `term_code` of the list of terms.', '2025-2026-1-1'),
  ...scoredCourse,
  score: text('A number or a word grade.', '88'),
  retake_score: textOrNull('Mark after a retake, a number or a word; null without one.', null),
  makeup_score: textOrNull('Mark of the make-up examination, a number or a word; null without one.', null),
});

export interface ScorePage extends RecordOf<typeof ScorePage> {}
export const ScorePage = object('TermScoreResponse', 'The scores of a term.', {
  page_size: integer('Rows of a page, as asked for.', 50),
  page_num: integer('Page, as asked for.', 1),
  total_count: integer('All matching rows, of all pages.', 1),
  records: listOf(ScoreRecord, 'The rows of this page.'),
});

export interface CurrentScore extends RecordOf<typeof CurrentScore> {}
export const CurrentScore = Type.Object({
  term_id: text('Term code, the `term_code` of the list of terms.', '2025-2026-1-1'),
  ...scoredCourse,
  score: text('A number or a word grade; empty before it is published.', '87'),
  exam_time: text(
    'A code of the campus. Send it back unchanged, blanks included, to ask for the components.',
    '20260110',
  ),
  grade_point: textOrNull('Grade point of the score; null where the campus sends none.', '3.7'),
  class_average: textOrNull('Average of the class; null where the campus sends none.', '81.20'),
  class_highest: textOrNull('Highest score of the class; null where the campus sends none.', '99'),
  class_lowest: textOrNull('Lowest score of the class; null where the campus sends none.', '40'),
  class_rank: textOrNull('Place in the class, e.g. `3/78`; null where the campus sends none.', '3/78'),
});

/** A part of a score, such as lessons or laboratory. */
export interface ScoreComponent extends RecordOf<typeof ScoreComponent> {}
export const ScoreComponent = Type.Object({
  score_type_code: text('Code of the component.', '001'),
  regular: textOrNull('Mark of the work during the term; null without one.', '90'),
  midterm: textOrNull('Mark of the midterm examination; null without one.', '82'),
  final: textOrNull('Mark of the final examination; null without one.', '88.5'),
  total: textOrNull('Mark of the component; null without one.', '87.3'),
  remark: text('What the campus notes; may be empty.', ''),
  regular_weight: numberOrNull(
    'Share of `regular` in the component, 0.3 is 30 %; null where the campus sends none.',
    0.3,
  ),
  midterm_weight: numberOrNull('Share of `midterm` in the component; null where the campus sends none.', 0.2),
  final_weight: numberOrNull('Share of `final` in the component; null where the campus sends none.', 0.5),
  weight: numberOrNull('Share of the component in the score; null where the campus sends none.', 0.6),
});

export interface ExamExtras extends RecordOf<typeof ExamExtras> {}
export const ExamExtras = Type.Object({
  course_code: textOrNull('Course number; null where the campus names none.', 'EX1001'),
  course_sequence: textOrNull('Class number; null where the campus names none.', '01'),
  exam_name: textOrNull('E.g. `期末考试`; null where the campus names none.', '期末考试'),
  week: integerOrNull('Teaching week, as the campus prints it; null where it prints none.', 18),
  admission_ticket: textOrNull('Number of the admission ticket; null without one.', null),
  hint: textOrNull('What the campus asks for, plain text of at most 500 characters; null without one.', '携带学生证'),
});

export interface CourseExtras extends RecordOf<typeof CourseExtras> {}
export const CourseExtras = Type.Object({
  selection_status: textOrNull(
    'E.g. `选中` or `置入`; courses of any status are listed. Null where the campus says none.',
    '选中',
  ),
  study_mode: textOrNull('E.g. `正常` or `重修`; null where the campus says none.', '正常'),
  category: textOrNull('Category of the course; often null.', null),
  plan_name: textOrNull(
    'Plan that the course belongs to; null where the campus names none.',
    '2023级示例专业本科培养方案',
  ),
  remark: textOrNull('What the campus notes; null without a remark.', null),
});

export interface RecordGroup extends RecordOf<typeof RecordGroup> {}
export const RecordGroup = object('RecordGroup', 'A training plan in the whole record, with the sums of the campus.', {
  group_index: integer('Position, from 0.', 0),
  label: text('Name of the plan, as the campus writes it.', '2023级示例专业本科培养方案'),
  plan_number: textOrNull('Number of the plan; null where the campus names none.', '7352'),
  credits_taken: numberOrNull('Credits of the courses taken; null where the campus states none.', 41.5),
  courses: integerOrNull('Courses, as the campus counts them; null where it does not.', 18),
  passed: integerOrNull('Courses passed, as the campus counts them; null where it does not.', 17),
  failed: integerOrNull('Courses not passed, as the campus counts them; null where it does not.', 1),
});

/** Holds no verdict: whether the course is passed is worked out for each answer. */
export interface RecordRow extends RecordOf<typeof RecordRow> {}
export const RecordRow = Type.Object({
  group_index: integerOrNull('Its group; null without groups.', 0),
  term_id: textOrNull(
    'Term code, the `term_code` of the list of terms; null where the row states none.',
    '2024-2025-2-1',
  ),
  academic_year: textOrNull('E.g. `2024-2025`; null where the row states none.', '2024-2025'),
  term_name: textOrNull('In words for people, e.g. `春`; null where the row states none.', '春'),
  course_code: text('Course number at the campus.', 'EX1001'),
  course_class: text('Class number.', '02'),
  course_name_cn: text('Course name in Chinese.', '示例课程'),
  course_name_en: text('Course name in English; may be empty.', 'Example'),
  credits: text('Credits as text.', '3'),
  hours: integerOrNull('Teaching hours; null where the row states none.', null),
  course_type: text('Kind of course, e.g. `必修`.', '必修'),
  exam_type: textOrNull('Kind of examination; null where the row states none.', null),
  score: text('A number or a word grade.', '87'),
  score_number: numberOrNull('The score as a number; null where the row states none.', 87),
  retake_score: textOrNull('Mark after a retake; null without one.', null),
  makeup_score: textOrNull('Mark of the make-up examination; null without one.', null),
  grade_point: numberOrNull('Grade point of the score, 0 included; null where the campus sends none.', 3.7),
  grade_name: textOrNull('E.g. `B+`; null where the campus sends none.', 'B+'),
  exam_time: textOrNull('Day of the examination, `YYYYMMDD`; null where the row states none.', '20250628'),
  not_passed_reason: textOrNull('Why the campus counts it as not passed; null without a reason.', null),
});

export const recordSources = ['scheme', 'all_terms', 'term_by_term'] as const;

export interface WholeRecord extends RecordOf<typeof WholeRecord> {}
export const WholeRecord = Type.Object({
  source: literals(recordSources),
  groups: listOf(RecordGroup, 'Training plans; empty unless `source` is `scheme`.'),
  records: listOf(RecordRow, 'In the order of the campus.'),
});

export interface TermSums extends RecordOf<typeof TermSums> {}
export const TermSums = object(
  'TermSums',
  'Sums of a term, ours: the average of the campus is in `/jwc/academic/info`. Marks in words are in no mean.',
  {
    term_id: text('Term code.', '2024-2025-2-1'),
    courses: integer('Courses: each class once, whatever plans it stands in.', 8),
    credits: numberOrNull('Their credits; null where one of them states none.', 21.5),
    mean: numberOrNull('Mean by credits of the marks that are numbers; null where there is none.', 84.326),
    mean_credits: decimal('Credits that `mean` rests on.', 19.5),
    grade_point_average: numberOrNull('Mean by credits of the grade points; null where the campus states none.', 3.412),
    grade_point_credits: decimal('Credits that `grade_point_average` rests on.', 19.5),
    unclear: integer(
      'Courses with a mark of a retake or make-up, or with rows that contradict each other: in neither mean.',
      0,
    ),
  },
);

/** Adds our verdict to every row. */
export interface JudgedRecord extends RecordOf<typeof JudgedRecord> {}
export const JudgedRecord = object('WholeRecord', 'Every score of the student, of all terms.', {
  source: oneOf(
    recordSources,
    'How it was read: `scheme` from the page of the campus for it, `all_terms` or `term_by_term` from the score list where there is no such page.',
    'scheme',
  ),
  total_count: integer('Length of `records`.', 1),
  passed_count: integer('Rows passed, of all rows, by our rule.', 1),
  failed_count: integer('Rows not passed, of all rows, by our rule.', 0),
  undecided_count: integer('Rows whose marks say nothing, of all rows.', 0),
  groups: listOf(RecordGroup, 'Training plans; empty unless `source` is `scheme`.'),
  records: listOf(
    object('RecordRow', 'A score in the whole record.', {
      ...RecordRow.properties,
      passed: orNull(
        Type.Boolean(),
        'Our verdict: false where the campus gives a reason, else by the best mark; null where the marks say nothing.',
        true,
      ),
    }),
    'In the order of the campus; a course of two plans is two rows.',
  ),
  terms: listOf(TermSums, 'Sums of every term, whatever the filter; latest first.'),
  rows_without_term: integer('Rows that name no term and are in none of these sums.', 0),
});

/** A closed list: the page of the campus has far more. */
export interface StudentFile extends RecordOf<typeof StudentFile> {}
export const StudentFile = Type.Object({
  name: textOrNull('Name; null where the campus shows none or masks it.', '林晓'),
  college: textOrNull('College; null where the campus shows none.', '经济学院'),
  major: textOrNull('Major; null where the campus shows none.', '示例专业'),
  class_name: textOrNull('Administrative class, e.g. `会计231`; null where the campus shows none.', '示例231'),
  campus: textOrNull('Campus; null where the page shows none.', '东校区'),
  entry_year: integerOrNull('Year of entry; null where the campus shows none.', 2023),
});

export interface EstimatedCourse extends RecordOf<typeof EstimatedCourse> {}
export const EstimatedCourse = Type.Object({
  flag_id: text('Which course of the plan.', 'k1'),
  parent_id: text('Id of the node above it.', 'n1'),
  course_code: text('Course number, the same in plan and scores.'),
  is_passed: flag('Its mark passes.', true),
  score: text('The mark that counted: the best one of this course.'),
  score_source: text('Where it stood: `retake_score`, `makeup_score` or `score`.'),
  term_id: text('Term of that mark.'),
  credits: orNull(Type.Number(), 'Credits; null when neither plan nor score states them.'),
  credits_source: textOrNull('`plan` or `score`; null without credits.'),
});

const EstimatedCategory = object('EstimatedCategory', 'What the scores say about a category of the plan.', {
  category_id: text('Which category.', 'c1'),
  passed_courses: integer('Courses passed, those of subcategories included.'),
  failed_courses: integer('Courses not passed, those of subcategories included.'),
  completed_credits: decimal('Credits passed, those of subcategories included.', 34.4),
});

/** Estimates a plan that shows no passed course, by our rules and not the campus's. */
export interface PlanEstimate extends RecordOf<typeof PlanEstimate> {}
export const PlanEstimate = Type.Object({
  passed_courses: integer('Courses of the plan with a mark that passes.'),
  failed_courses: integer('Courses of the plan that are not passed.'),
  unread_courses: integer('The rest.', 0),
  completed_credits: decimal('Credits passed, each course code counted once.', 34.4),
  matched_courses: integer('Course codes of the plan that have a mark.'),
  score_records: integer('Score rows that were read.'),
  terms_read: integer('Terms whose scores were read.'),
  courses: listOf(EstimatedCourse, 'Courses with a mark, in the order of the plan.'),
  categories: listOf(EstimatedCategory, 'Every category, parents before children.'),
});

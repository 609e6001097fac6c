import { type Static, Type } from '@sinclair/typebox';
import { integer, object, orNull, text, textOrNull } from '../../records/atoms.ts';
import { examMembers } from '../../records/schemas.ts';

export const TrainingPlanInfo = object('TrainingPlanInfo', 'The training plan.', {
  plan_name: text('Name of the plan.'),
  major_name: text('Major, cut from the plan name.'),
  grade: text('Four-digit year of entry; empty where the plan name does not tell.'),
});

export const CourseSelectionStatus = object('CourseSelectionStatus', 'Whether courses can be chosen.', {
  can_select: Type.Boolean({ description: 'Courses can be chosen at the moment.' }),
});

export const CurrentTermInfo = object('CurrentTermInfo', 'The current term and week.', {
  academic_year: text('`YYYY-YYYY`'),
  current_term_name: text('`秋` or `春`; empty for other terms.'),
  week_number: integer('Teaching week; 0 is outside teaching weeks.'),
  start_at: text('First day of the term, `YYYY-MM-DD`.'),
  is_end: Type.Boolean({ description: 'The term is ending.' }),
  weekday: Type.Integer({ minimum: 0, maximum: 6, description: 'Of today at the campus; 0 is Monday.' }),
});

const UnifiedExamInfo = object('UnifiedExamInfo', 'An exam.', examMembers);

export const ExamInfoResponse = object('ExamInfoResponse', 'Exams of the current term.', {
  exams: Type.Array(UnifiedExamInfo, { description: 'Sorted by date, then time, as text.' }),
  total_count: integer('Length of `exams`.'),
});

export const PlanCompletionCourse = object(
  'PlanCompletionCourse',
  'A course of the plan, or a node that stands for one.',
  {
    flag_id: text('Id at the campus.'),
    flag_type: text('`001` category, `002` subcategory, `kch` course.'),
    course_code: text('Course number; empty for what is no course.'),
    course_name: text('Course, or name of the node.'),
    is_passed: Type.Boolean({ description: 'It is passed.' }),
    status_description: text('`未修读`, `已通过` or `未通过`.'),
    credits: orNull(Type.Number(), 'Credits; null when not stated.'),
    score: textOrNull('Number or grade word; null without one.'),
    exam_date: textOrNull('`YYYYMMDD`; null when not stated.'),
    course_type: text('e.g. `必修`'),
    parent_id: text('Id of the node above.'),
    level: integer('1 subcategory, 2 course, 0 unknown.'),
  },
);

/** By hand, because no schema type can name itself. */
export interface PlanCompletionCategoryValue {
  category_id: string;
  category_name: string;
  min_credits: number;
  completed_credits: number;
  total_courses: number;
  passed_courses: number;
  failed_courses: number;
  missing_required_courses: number;
  subcategories: PlanCompletionCategoryValue[];
  courses: Array<Static<typeof PlanCompletionCourse>>;
}

const categoryRef = Type.Unsafe<PlanCompletionCategoryValue>(Type.Ref('PlanCompletionCategory#'));

/** A schema shared by its id: a category holds categories, to any depth. */
export const PlanCompletionCategory = Type.Object(
  {
    category_id: text('Id at the campus.'),
    category_name: text('Name of the category.'),
    min_credits: Type.Number({ description: 'Credits required.' }),
    completed_credits: Type.Number({ description: 'Credits passed.' }),
    total_courses: integer('Courses taken.'),
    passed_courses: integer('Courses passed.'),
    failed_courses: integer('Courses not passed.'),
    missing_required_courses: integer('Required courses not yet taken.'),
    subcategories: Type.Array(categoryRef, { description: 'Categories below this one.' }),
    courses: Type.Array(PlanCompletionCourse, { description: 'Courses directly below this one.' }),
  },
  {
    $id: 'PlanCompletionCategory',
    description: 'The numbers are those that the campus prints; 0 where it prints none.',
  },
);

export const PlanOption = object('PlanOption', 'A training plan among several.', {
  plan_id: text('What `plan_id` of the plan completion takes.'),
  plan_name: text('Name of the plan, as the campus writes it.'),
  plan_type: text('`主修`, `辅修` or `微专业`.'),
  is_default: Type.Boolean({ description: 'It is the plan that is shown without `plan_id`; true for exactly one.' }),
});

export const PlanOptions = object('PlanOptions', 'The training plans among which a student chooses.', {
  needs_selection: Type.Boolean({ description: 'The campus lets this student choose among several plans.' }),
  hint: textOrNull('What the campus says about the choice; null without one.'),
  options: Type.Array(PlanOption, { description: 'In the order of the campus; empty for a student with one plan.' }),
});

export const PlanQuery = Type.Object({
  plan_id: Type.Optional(
    Type.String({
      pattern: '^\\d{1,20}$',
      description: 'A `plan_id` of `/jwc/plan/options`; the default plan without it.',
    }),
  ),
  estimate: Type.Union([Type.Literal('true'), Type.Literal('false')], {
    default: 'false',
    description: '`true`: where nothing is passed, also what the scores of all terms say. It may take long.',
  }),
});

const EstimatedCourse = object('EstimatedCourse', 'What the scores say about a course of the plan.', {
  flag_id: text('Which course of the plan.'),
  parent_id: text('Id of the node above it.'),
  course_code: text('Course number, the same in plan and scores.'),
  is_passed: Type.Boolean({ description: 'Its mark passes.' }),
  status_description: text('`已通过` or `未通过`.'),
  score: text('The mark that counted: the best one of this course.'),
  score_source: text('Where it stood: `retake_score`, `makeup_score` or `score`.'),
  term_id: text('Term of that mark.'),
  credits: orNull(Type.Number(), 'Credits; null when neither plan nor score states them.'),
  credits_source: textOrNull('`plan` or `score`; null without credits.'),
});

const EstimatedCategory = object('EstimatedCategory', 'What the scores say about a category of the plan.', {
  category_id: text('Which category.'),
  passed_courses: integer('Courses passed, those of subcategories included.'),
  failed_courses: integer('Courses not passed, those of subcategories included.'),
  completed_credits: Type.Number({ description: 'Credits passed, those of subcategories included.' }),
});

export const PlanEstimate = object(
  'PlanEstimate',
  'What the scores say about the plan, by rules of this service: show it as an estimate.',
  {
    passed_courses: integer('Courses of the plan with a mark that passes.'),
    failed_courses: integer('Courses of the plan that are not passed.'),
    unread_courses: integer('The rest.'),
    completed_credits: Type.Number({ description: 'Credits passed, each course code counted once.' }),
    matched_courses: integer('Course codes of the plan that have a mark.'),
    score_records: integer('Score rows that were read.'),
    terms_read: integer('Terms whose scores were read.'),
    courses: Type.Array(EstimatedCourse, { description: 'Courses with a mark, in the order of the plan.' }),
    categories: Type.Array(EstimatedCategory, { description: 'Every category, parents before children.' }),
  },
);

export const PlanCompletionInfo = object('PlanCompletionInfo', 'How far the training plan is completed.', {
  plan_id: textOrNull('The plan that is shown; null for the only plan of a student.'),
  plan_name: text('Name of the plan.'),
  major: text('Major, cut from the plan name.'),
  grade: text('Four-digit year of entry; empty where the plan name does not tell.'),
  categories: Type.Array(categoryRef, { description: 'Root categories.' }),
  total_categories: integer('Number of root categories.'),
  total_courses: integer('Courses in the whole tree.'),
  passed_courses: integer('Of these passed.'),
  failed_courses: integer('Of these failed.'),
  unread_courses: integer('The rest.'),
  nothing_passed: Type.Boolean({
    description: 'No course is passed: the student has just begun, or the campus shows the plan all zero.',
  }),
  estimate: orNull(PlanEstimate, 'On request, where nothing is passed and the scores know a course of the plan.'),
});

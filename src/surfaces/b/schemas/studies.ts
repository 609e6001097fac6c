import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { examMembers } from '../../records/schemas.ts';

const text = (description: string) => Type.String({ description });
const count = (description: string) => Type.Integer({ description });

export const TrainingPlanInfo = Type.Object(
  {
    plan_name: text('Name of the plan.'),
    major_name: text('Major, cut from the plan name.'),
    grade: Type.String({ description: 'Four-digit year of entry; empty where the plan name does not tell.' }),
  },
  { title: 'TrainingPlanInfo', description: 'The training plan.' },
);

export const CourseSelectionStatus = Type.Object(
  { can_select: Type.Boolean({ description: 'Courses can be chosen at the moment.' }) },
  { title: 'CourseSelectionStatus', description: 'Whether courses can be chosen.' },
);

export const CurrentTermInfo = Type.Object(
  {
    academic_year: Type.String({ description: '`YYYY-YYYY`' }),
    current_term_name: Type.String({ description: '`秋` or `春`; empty for other terms.' }),
    week_number: count('Teaching week; 0 is outside teaching weeks.'),
    start_at: Type.String({ description: 'First day of the term, `YYYY-MM-DD`.' }),
    is_end: Type.Boolean({ description: 'The term is ending.' }),
    weekday: Type.Integer({ minimum: 0, maximum: 6, description: 'Of today at the campus; 0 is Monday.' }),
  },
  { title: 'CurrentTermInfo', description: 'The current term and week.' },
);

export const UnifiedExamInfo = Type.Object(examMembers, { title: 'UnifiedExamInfo', description: 'An exam.' });

export const ExamInfoResponse = Type.Object(
  {
    exams: Type.Array(UnifiedExamInfo, { description: 'Sorted by date, then time, as text.' }),
    total_count: count('Length of `exams`.'),
  },
  { title: 'ExamInfoResponse', description: 'Exams of the current term.' },
);

export const PlanCompletionCourse = Type.Object(
  {
    flag_id: Type.String({ description: 'Id at the campus.' }),
    flag_type: Type.String({ description: '`001` category, `002` subcategory, `kch` course.' }),
    course_code: text('Course number; empty for what is no course.'),
    course_name: text('Course, or name of the node.'),
    is_passed: Type.Boolean({ description: 'It is passed.' }),
    status_description: Type.String({ description: '`未修读`, `已通过` or `未通过`.' }),
    credits: Type.Union([Type.Number(), Type.Null()], { description: 'Credits; null when not stated.' }),
    score: Type.Union([Type.String(), Type.Null()], { description: 'Number or grade word; null without one.' }),
    exam_date: Type.Union([Type.String(), Type.Null()], { description: '`YYYYMMDD`; null when not stated.' }),
    course_type: Type.String({ description: 'e.g. `必修`' }),
    parent_id: Type.String({ description: 'Id of the node above.' }),
    level: count('1 subcategory, 2 course, 0 unknown.'),
  },
  { title: 'PlanCompletionCourse', description: 'A course of the plan, or a node that stands for one.' },
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
    category_id: Type.String({ description: 'Id at the campus.' }),
    category_name: text('Name of the category.'),
    min_credits: Type.Number({ description: 'Credits required.' }),
    completed_credits: Type.Number({ description: 'Credits passed.' }),
    total_courses: count('Courses taken.'),
    passed_courses: count('Courses passed.'),
    failed_courses: count('Courses not passed.'),
    missing_required_courses: count('Required courses not yet taken.'),
    subcategories: Type.Array(categoryRef, { description: 'Categories below this one.' }),
    courses: Type.Array(PlanCompletionCourse, { description: 'Courses directly below this one.' }),
  },
  {
    $id: 'PlanCompletionCategory',
    description: 'The numbers are those that the campus prints; 0 where it prints none.',
  },
);

const nullable = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

export const PlanOption = Type.Object(
  {
    plan_id: Type.String({ description: 'What `plan_id` of the plan completion takes.' }),
    plan_name: text('Name of the plan, as the campus writes it.'),
    plan_type: Type.String({ description: '`主修`, `辅修` or `微专业`.' }),
    is_default: Type.Boolean({ description: 'It is the plan that is shown without `plan_id`; true for exactly one.' }),
  },
  { title: 'PlanOption', description: 'A training plan among several.' },
);

export const PlanOptions = Type.Object(
  {
    needs_selection: Type.Boolean({ description: 'The campus lets this student choose among several plans.' }),
    hint: nullable(Type.String(), 'What the campus says about the choice; null without one.'),
    options: Type.Array(PlanOption, { description: 'In the order of the campus; empty for a student with one plan.' }),
  },
  { title: 'PlanOptions', description: 'The training plans among which a student chooses.' },
);

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

export const EstimatedCourse = Type.Object(
  {
    flag_id: Type.String({ description: 'Which course of the plan.' }),
    parent_id: Type.String({ description: 'Id of the node above it.' }),
    course_code: text('Course number, the same in plan and scores.'),
    is_passed: Type.Boolean({ description: 'Its mark passes.' }),
    status_description: Type.String({ description: '`已通过` or `未通过`.' }),
    score: text('The mark that counted: the best one of this course.'),
    score_source: Type.String({ description: 'Where it stood: `retake_score`, `makeup_score` or `score`.' }),
    term_id: Type.String({ description: 'Term of that mark.' }),
    credits: nullable(Type.Number(), 'Credits; null when neither plan nor score states them.'),
    credits_source: nullable(Type.String(), '`plan` or `score`; null without credits.'),
  },
  { title: 'EstimatedCourse', description: 'What the scores say about a course of the plan.' },
);

export const EstimatedCategory = Type.Object(
  {
    category_id: Type.String({ description: 'Which category.' }),
    passed_courses: count('Courses passed, those of subcategories included.'),
    failed_courses: count('Courses not passed, those of subcategories included.'),
    completed_credits: Type.Number({ description: 'Credits passed, those of subcategories included.' }),
  },
  { title: 'EstimatedCategory', description: 'What the scores say about a category of the plan.' },
);

export const PlanEstimate = Type.Object(
  {
    passed_courses: count('Courses of the plan with a mark that passes.'),
    failed_courses: count('Courses of the plan that are not passed.'),
    unread_courses: count('The rest.'),
    completed_credits: Type.Number({ description: 'Credits passed, each course code counted once.' }),
    matched_courses: count('Course codes of the plan that have a mark.'),
    score_records: count('Score rows that were read.'),
    terms_read: count('Terms whose scores were read.'),
    courses: Type.Array(EstimatedCourse, { description: 'Courses with a mark, in the order of the plan.' }),
    categories: Type.Array(EstimatedCategory, { description: 'Every category, parents before children.' }),
  },
  {
    title: 'PlanEstimate',
    description: 'What the scores say about the plan, by rules of this service: show it as an estimate.',
  },
);

export const PlanCompletionInfo = Type.Object(
  {
    plan_id: nullable(Type.String(), 'The plan that is shown; null for the only plan of a student.'),
    plan_name: text('Name of the plan.'),
    major: text('Major, cut from the plan name.'),
    grade: text('Four-digit year of entry; empty where the plan name does not tell.'),
    categories: Type.Array(categoryRef, { description: 'Root categories.' }),
    total_categories: count('Number of root categories.'),
    total_courses: count('Courses in the whole tree.'),
    passed_courses: count('Of these passed.'),
    failed_courses: count('Of these failed.'),
    unread_courses: count('The rest.'),
    nothing_passed: Type.Boolean({
      description: 'No course is passed: the student has just begun, or the campus shows the plan all zero.',
    }),
    estimate: nullable(PlanEstimate, 'On request, where nothing is passed and the scores know a course of the plan.'),
  },
  { title: 'PlanCompletionInfo', description: 'How far the training plan is completed.' },
);

import { Type } from '@sinclair/typebox';
import { termDisplayName } from '../../../domain/academics/current-term.ts';
import { ScorePage } from '../../../domain/academics/records.ts';
import { decimal, flag, integer, listOf, text } from '../../../domain/record.ts';
import { bodyOfParts } from '../../../http/requests/validation.ts';
import { coursesText, evaluationCourseMembers, noCourses, presentEvaluationCourse } from '../../common/evaluation.ts';
import { Told, unlessUnknown } from '../../common/operation.ts';
import { summaryMessage, unknownTerm, withoutPlan } from '../../common/texts.ts';
import { presentSchedule, scheduleSchema } from '../../common/timetable.ts';
import { AuthmeRequest, component, exampleToken } from '../envelope.ts';
import { type Operation, operation, type SurfaceADeps } from '../operation.ts';

const filter = (description: string) => text(description, '', { default: '' });

const countParameter = (usual: number, maximum: number, description: string) =>
  integer(description, usual, { minimum: 1, maximum, default: usual });

const FetchTermScoreRequest = component('FetchTermScoreRequest', 'Which rows.', {
  term_id: text('Term code, e.g. `2024-2025-2-1`.', '2024-2025-2-1'),
  course_code: filter('Only rows whose course code contains it; empty: all.'),
  course_name: filter('Only rows whose course name contains it; empty: all.'),
  // A number that is not exact would be read as another page.
  page_num: countParameter(1, Number.MAX_SAFE_INTEGER, 'Page, from 1.'),
  page_size: countParameter(50, 100, 'Rows of a page.'),
});

/** The member order is the order in which defects are reported. */
export const TermScoreBody = bodyOfParts(
  component('FetchTermScoreBody', 'Whose call it is, and which rows.', {
    AuthmeRequest,
    request: FetchTermScoreRequest,
  }),
);

const defaults = { level: 'T', tag: 'v1 academics', group: 'academics' } as const;
const termForm = /^\d{4}-\d{4}-\d/;
const summaryRead = '学业信息获取成功';

export const academicsOperations = ({ services: { academics } }: SurfaceADeps): Operation[] => [
  operation('/jwc/fetch_academic_info', 'v1FetchAcademicInfo', {
    ...defaults,
    needs: ['academics.summary'],
    scope: 'scores:read',
    summary: { en: 'Academic summary', zh: '学业概况' },
    description: 'Counts of courses and the grade point average.',
    body: AuthmeRequest,
    response: 'AcademicInfoResponse',
    data: component('AcademicInfo', 'Academic summary of the student.', {
      count: integer('Courses completed.', 45),
      countNotPass: integer('Courses not passed.', 2),
      gpa: decimal('Grade point average.', 3.21),
    }),
    message: summaryRead,
    run: async (call) => {
      const summary = await academics.summary(call.student, call);
      const { coursesTaken, coursesFailed, gpa } = summary;
      const data = { count: coursesTaken, countNotPass: coursesFailed ?? 0, gpa };
      return new Told(data, summaryMessage(summaryRead, summary));
    },
  }),

  operation('/jwc/fetch_all_terms', 'v1FetchAllTerms', {
    ...defaults,
    needs: ['academics.terms'],
    scope: 'academics:read',
    summary: { en: 'All terms', zh: '全部学期' },
    description: 'The keys are the valid `term_id` and `plan_code` values.',
    body: AuthmeRequest,
    response: 'AllTermsResponse',
    data: Type.Record(Type.String(), Type.String(), {
      description: 'Term code to label, newest first.',
      examples: [{ '2024-2025-2-1': '2024-2025学年下(两学期)', '2024-2025-1-1': '2024-2025学年上(两学期)' }],
    }),
    message: '学期信息获取成功',
    run: async (call) => {
      const terms = await academics.terms(call.student, call);
      return Object.fromEntries(terms.map(({ term_code, term_name }) => [term_code, term_name]));
    },
  }),

  operation('/jwc/fetch_term_score', 'v1FetchTermScore', {
    ...defaults,
    needs: ['academics.scorePage'],
    scope: 'scores:read',
    summary: { en: 'One page of the scores of a term', zh: '某学期的一页成绩' },
    description:
      'Filtered as asked; `total_count` says how many rows there are, `message` when there is none because the campus does not list the term.',
    body: TermScoreBody,
    response: 'TermScoreAPIResponse',
    data: ScorePage,
    message: 'success',
    example: {
      body: {
        request: { term_id: '2024-2025-2-1', course_code: '', course_name: '', page_num: 1, page_size: 50 },
        AuthmeRequest: { token: exampleToken },
      },
    },
    run: async (call) => {
      const { term_id: termCode, course_code: courseCode, course_name: courseName, ...rest } = call.body.request;
      const query = { termCode, courseCode, courseName, page: rest.page_num, pageSize: rest.page_size };
      const data = await academics.scorePage(call.student, query, call);
      const isEmpty = data.total_count === 0 && termCode !== '';
      // A filtered query spends no request on the list of terms: any code of the right form counts as known.
      const isFiltered = courseCode !== '' || courseName !== '';
      const isKnown = async () =>
        isFiltered ? termForm.test(termCode) : academics.knowsTerm(call.student, termCode, call);
      return unlessUnknown(data, isEmpty, isKnown, unknownTerm);
    },
  }),

  operation('/jwc/fetch_course_schedule', 'v1FetchCourseSchedule', {
    ...defaults,
    needs: ['academics.schedule'],
    scope: 'schedule:read',
    summary: { en: 'Course schedule of a term', zh: '课表' },
    description: 'Courses with their times and places, and the sessions of a day.',
    body: bodyOfParts(
      component('FetchCourseScheduleBody', 'Whose call it is, and which term.', {
        AuthmeRequest,
        request: component('FetchScheduleRequest', 'Which term.', {
          plan_code: text('Term code, e.g. `2024-2025-2-1`.', '2024-2025-2-1'),
        }),
      }),
    ),
    response: 'ScheduleResponse',
    data: scheduleSchema(component, flag('True when the course has no concrete time.', false), {}),
    message: 'success',
    example: {
      body: { request: { plan_code: '2024-2025-2-1' }, AuthmeRequest: { token: exampleToken } },
    },
    run: async (call) => {
      const { plan_code: termCode } = call.body.request;
      const schedule = await academics.schedule(call.student, termCode, call);
      const isKnown = () => academics.knowsTerm(call.student, termCode, call);
      return unlessUnknown(presentSchedule(schedule), schedule.courses.length === 0, isKnown, unknownTerm);
    },
  }),
  operation('/jwc/fetch_education_plan_info', 'v1FetchEducationPlanInfo', {
    ...defaults,
    body: AuthmeRequest,
    needs: ['academics.trainingPlan'],
    scope: 'academics:read',
    summary: { en: 'Training plan', zh: '培养方案' },
    description: 'The first plan of the student. When only the plan can be had, `term` is empty and `courseCount` 0.',
    response: 'TrainingPlanInfoResponse',
    data: component('TrainingPlanInfo', 'The training plan.', {
      pyfa: text('Plan name, e.g. `2023级软件工程本科培养方案`.', '2023级软件工程本科培养方案'),
      term: text('Label of the current term, e.g. `2024-2025春季学期`; empty when unknown.', '2024-2025春季学期'),
      courseCount: integer('Courses completed; 0 when unknown.', 45),
      major: text('Major, cut from the plan name.', '软件工程'),
      grade: text('Four-digit year of entry, cut from the plan name.', '2023'),
    }),
    overrides: { 'upstream-empty': { code: 500, message: withoutPlan } },
    message: '培养方案信息获取成功',
    run: async (call) => {
      const { plan, summary } = await academics.planOverview(call.student, call);
      const term = termDisplayName(summary?.currentTerm ?? '');
      const courseCount = summary?.coursesTaken ?? 0;
      return { pyfa: plan.name, term, courseCount, major: plan.major, grade: plan.grade };
    },
  }),

  operation('/jwc/fetch_evaluation_course_list', 'v1FetchEvaluationCourseList', {
    ...defaults,
    body: AuthmeRequest,
    needs: ['academics.evaluationCourses'],
    scope: 'evaluation:read',
    summary: { en: 'Courses to evaluate', zh: '待评课程' },
    description: 'Evaluated and pending courses; an empty list while there is nothing to evaluate.',
    response: 'CourseListResponse',
    data: listOf(
      component('Course', 'A course to evaluate.', evaluationCourseMembers(component)),
      'All courses of the list.',
    ),
    message: coursesText,
    refusals: [{ name: 'no courses', code: 200, message: noCourses, data: [] }],
    run: async (call) => {
      const courses = await academics.evaluationCourses(call.student, call);
      return courses.map(presentEvaluationCourse);
    },
  }),
];

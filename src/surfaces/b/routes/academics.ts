import { type Static, Type } from '@sinclair/typebox';
import { termDisplayName } from '../../../domain/academics/current-term.ts';
import type { AcademicSummary, Schedule } from '../../../domain/academics/ports.ts';
import { CourseExtras, ScoreRecord, Terms } from '../../../domain/academics/records.ts';
import { decimal, flag, integer, listOf, object, orNull, text, unsaidOf } from '../../../domain/record.ts';
import { withPattern } from '../../../http/requests/findings.ts';
import { Told, unlessUnknown } from '../../common/operation.ts';
import { summaryMessage, unknownTerm, withoutPlan } from '../../common/texts.ts';
import { presentSchedule, scheduleSchema } from '../../common/timetable.ts';
import type { SurfaceBDeps } from '../described.ts';
import { type Operation, operation } from '../operation.ts';

/** `2025-2026-1-1`: years, term (1 autumn, 2 spring), index. */
export const TermCode = withPattern(
  {
    pattern: '^\\d{4}-\\d{4}-\\d+-\\d+$',
    maxLength: 32,
    description: 'Term code: year-year-term-index, e.g. `2025-2026-1-1`; term 1 is autumn, 2 is spring.',
    examples: ['2025-2026-1-1'],
  },
  { en: 'Input should be a term code such as 2025-2026-1-1', zh: '应为学期代码，例如 2025-2026-1-1' },
);

export const TermPath = Type.Object({ term_code: TermCode });

export const AcademicInfo = object('AcademicInfo', 'Academic summary of the student.', {
  completed_courses: integer('Courses finished.', 30),
  failed_courses: integer('Courses failed.', 1),
  pending_courses: integer('Courses to take this term.', 6),
  gpa: decimal('Grade point average.', 3.2),
  current_term: text('Term code; empty when unknown.', '2025-2026-2-1'),
  current_term_name: text('e.g. `2025-2026春季学期`; the code itself for other terms.', '2025-2026春季学期'),
  average_score: orNull(
    Type.Number(),
    'Average mark, 0 to 100, as the campus has it, not rounded; null when it states none.',
    85.37,
  ),
  rank: orNull(Type.Integer(), 'Place by average mark, 1 is best; null when the campus states none.', 21),
  rank_total: orNull(
    Type.Integer(),
    'Students ranked; null when the campus states none. It does not say which ones they are.',
    118,
  ),
});

export const TermScoreResponse = object('TermScoreResponse', 'The scores of a term.', {
  total_count: integer('Length of `records`.', 1),
  records: listOf(ScoreRecord, 'All rows of the term.'),
});

const ScheduleData = scheduleSchema(
  object,
  flag('True: the course has no concrete time.', false),
  CourseExtras.properties,
);

export const presentSummary = (summary: AcademicSummary): Static<typeof AcademicInfo> => ({
  completed_courses: summary.coursesTaken,
  failed_courses: summary.coursesFailed ?? 0,
  pending_courses: summary.coursesPending,
  gpa: summary.gpa,
  current_term: summary.currentTerm,
  current_term_name: termDisplayName(summary.currentTerm),
  average_score: summary.averageScore,
  rank: summary.rank,
  rank_total: summary.rankTotal,
});

const noExtras = unsaidOf(CourseExtras);

const withExtras = (schedule: Schedule): Static<typeof ScheduleData> => {
  const { courses, ...rest } = presentSchedule(schedule);
  return {
    ...rest,
    courses: courses.map((course, at) => ({ ...course, ...(schedule.courses[at]?.extras ?? noExtras) })),
  };
};

const defaults = { level: 'TU', tag: 'Academic affairs' } as const;
const summaryRead = '获取学业信息成功';

export const academicsOperations = ({ services: { academics } }: SurfaceBDeps): Operation[] => [
  operation('GET /jwc/academic/info', 'getAcademicInfo', {
    ...defaults,
    needs: ['academics.summary'],
    scope: 'scores:read',
    summary: { en: 'Academic info', zh: '学业概况' },
    description: 'Counts of courses, grade point average, average mark with rank, and the current term.',
    data: AcademicInfo,
    message: summaryRead,
    run: async (call) => {
      const summary = await academics.summary(call.student, call);
      return new Told(presentSummary(summary), summaryMessage(summaryRead, summary));
    },
  }),
  operation('GET /jwc/term/all', 'listTerms', {
    ...defaults,
    needs: ['academics.terms'],
    scope: 'academics:read',
    ofOneRead: true,
    summary: { en: 'All terms', zh: '全部学期' },
    description: 'Their codes are what the other operations take as `term_code`.',
    data: Terms,
    message: '获取学期信息成功',
    run: (call) => academics.terms(call.student, call),
  }),
  operation('GET /jwc/score/:term_code/list', 'listTermScores', {
    ...defaults,
    needs: ['academics.allScores'],
    scope: 'scores:read',
    ofOneRead: true,
    summary: { en: 'Term score list for a given term', zh: '某学期的成绩' },
    description:
      'All rows of the term at once; empty for a term without scores. `message` says when the campus does not list the term.',
    params: TermPath,
    data: TermScoreResponse,
    message: '获取成绩单成功',
    run: async (call) => {
      const { term_code: code } = call.params;
      const records = await academics.allScores(call.student, code, call);
      const isKnown = () => academics.knowsTerm(call.student, code, call);
      return unlessUnknown({ total_count: records.length, records }, records.length === 0, isKnown, unknownTerm);
    },
  }),
  operation('GET /jwc/schedule/:term_code/table', 'getSchedule', {
    ...defaults,
    needs: ['academics.schedule'],
    scope: 'schedule:read',
    ofOneRead: true,
    summary: { en: 'Schedule', zh: '课表' },
    description:
      'Courses of a term with their times and places, and the sessions of a day. `message` says when there is none because the campus does not list the term.',
    params: TermPath,
    data: ScheduleData,
    message: '获取课表信息成功',
    parts: ['sections', 'courses'],
    run: async (call) => {
      const { term_code: code } = call.params;
      const schedule = await academics.schedule(call.student, code, call);
      const isKnown = () => academics.knowsTerm(call.student, code, call);
      return unlessUnknown(withExtras(schedule), schedule.courses.length === 0, isKnown, unknownTerm);
    },
  }),
  operation('GET /jwc/academic/training_plan', 'getTrainingPlan', {
    ...defaults,
    needs: ['academics.trainingPlan'],
    scope: 'academics:read',
    summary: { en: 'Training plan', zh: '培养方案' },
    description: 'The first plan of the student.',
    data: object('TrainingPlanInfo', 'The training plan.', {
      plan_name: text('Name of the plan.', '2023级示例专业本科培养方案'),
      major_name: text('Major, cut from the plan name.', '示例专业'),
      grade: text('Four-digit year of entry; empty where the plan name does not tell.', '2023'),
    }),
    message: '获取培养方案信息成功',
    messages: { NULL_RESPONSE: withoutPlan },
    run: async (call) => {
      const { name, major, grade } = await academics.trainingPlan(call.student, call);
      return { plan_name: name, major_name: major, grade };
    },
  }),
  operation('GET /jwc/academic/course_selection_status', 'getCourseSelectionStatus', {
    ...defaults,
    needs: ['academics.courseSelection'],
    scope: 'academics:read',
    summary: { en: 'Course selection status', zh: '选课状态' },
    description: 'Whether the campus lets students choose courses now.',
    data: object('CourseSelectionStatus', 'Whether courses can be chosen.', {
      can_select: flag('Courses can be chosen at the moment.', false),
    }),
    message: '获取选课状态成功',
    run: async (call) => ({ can_select: (await academics.courseSelection(call.student, call)).open }),
  }),
];

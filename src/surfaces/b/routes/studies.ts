import { type Static, Type } from '@sinclair/typebox';
import { type CurrentTerm, derivedTermCode } from '../../../domain/academics/current-term.ts';
import { byTimeOfDay, type Exam, type ExamFindings } from '../../../domain/academics/exams.ts';
import { ExamExtras } from '../../../domain/academics/records.ts';
import { CompetitionRecord } from '../../../domain/competitions/records.ts';
import { flag, integer, object, text, textOrNull, unsaid } from '../../../domain/record.ts';
import { withoutPlan } from '../../common/texts.ts';
import { examMembers, presentExam as presentBare } from '../../common/timetable.ts';
import type { SurfaceBDeps } from '../described.ts';
import { type Operation, operation } from '../operation.ts';

export const CurrentTermInfo = object('CurrentTermInfo', 'The current term and week.', {
  academic_year: text('`YYYY-YYYY`', '2025-2026'),
  current_term_name: text(
    '`秋` or `春`, in words for people; empty for other terms. Operations take `term_code`.',
    '春',
  ),
  week_number: integer('Teaching week; 0 is outside teaching weeks.', 3),
  start_at: text('First day of the term, `YYYY-MM-DD`.', '2026-03-02'),
  is_end: flag('The term is ending.', false),
  weekday: integer('Of today at the campus; 0 is Monday, 6 Sunday. (`class_day` of timetables counts from 1.)', 2, {
    minimum: 0,
    maximum: 6,
  }),
  term_code: textOrNull(
    'Code of the term, derived from `academic_year` and `current_term_name`: the campus page prints none. Null where one of them is missing.',
    '2025-2026-2-1',
  ),
});

export const UnifiedExamInfo = object('UnifiedExamInfo', 'An exam.', { ...examMembers, ...ExamExtras.properties });

const ExamInfoResponse = object('ExamInfoResponse', 'Exams of the current term.', {
  exams: Type.Array(UnifiedExamInfo, { description: 'Sorted by date, then time, as text.' }),
  total_count: integer('Length of `exams`.', 1),
});

export const presentCurrentTerm = (term: CurrentTerm): Static<typeof CurrentTermInfo> => ({
  academic_year: term.academicYear,
  current_term_name: term.season,
  week_number: term.week,
  start_at: term.startAt,
  is_end: term.isEnding,
  weekday: term.weekday,
  term_code: derivedTermCode(term),
});

const noExtras = unsaid(ExamExtras);

export const presentExam = (exam: Exam): Static<typeof UnifiedExamInfo> => ({
  ...presentBare(exam),
  ...(exam.extras ?? noExtras),
});

/** @throws Failure of the first source that is missing: this surface shows no incomplete list */
export const presentExams = ({ exams, missing }: ExamFindings): Static<typeof ExamInfoResponse> => {
  const [first] = missing;
  if (first !== undefined) throw first.failure;
  return { exams: byTimeOfDay(exams).map(presentExam), total_count: exams.length };
};

const defaults = { level: 'TU', tag: 'Academic affairs' } as const;

export const studiesOperations = ({ services: { academics } }: SurfaceBDeps): Operation[] => [
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
  operation('GET /jwc/term/current', 'getCurrentTerm', {
    ...defaults,
    needs: ['academics.calendarText', 'academics.termStart'],
    scope: 'academics:read',
    summary: { en: 'Current term and week', zh: '当前学期和周次' },
    description: 'Of today, in the time zone of the campus.',
    data: CurrentTermInfo,
    message: '获取当前学期信息成功',
    run: async (call) => presentCurrentTerm(await academics.currentTerm(call.student, call)),
  }),
  operation('GET /jwc/exam/info', 'getExamInfo', {
    ...defaults,
    needs: ['academics.exams', 'academics.summary'],
    scope: 'exams:read',
    summary: { en: 'Exams of the current term', zh: '本学期考试' },
    description:
      'University-wide exams from today on and all other exams of the term; a list that is complete or fails.',
    data: ExamInfoResponse,
    message: '获取考试信息成功',
    parts: ['term'],
    run: async (call) => presentExams(await academics.exams(call.student, call, 'whole')),
  }),
];

const { student_id, ...awards } = CompetitionRecord.properties;

export const competitionsOperations = ({ services: { competitions } }: SurfaceBDeps): Operation[] => [
  operation('GET /jwc/competition/info', 'getCompetitionInfo', {
    ...defaults,
    needs: ['competitions.record'],
    scope: 'academics:read',
    summary: { en: 'Subject competitions', zh: '学科竞赛' },
    description: 'All awards declared by the student, and the credits they count for.',
    data: object('CompetitionFullResponse', 'Awards and the credits they count for.', {
      student_id,
      total_awards_count: integer('Length of `awards`.', 1),
      ...awards,
    }),
    message: '获取竞赛信息成功',
    run: async (call) => {
      const record = await competitions.record(call.student, call);
      return { ...record, total_awards_count: record.awards.length };
    },
  }),
];

import type { Academics } from '../../../domain/academics/academics.ts';
import { presentSchedule } from '../../records/present.ts';
import { type Operation, studentOperation } from '../operation.ts';
import { presentScores, presentSummary, presentTerm } from '../present.ts';
import { AcademicInfo, ScheduleData, TermItems, TermPath, TermScoreResponse } from '../schemas/academics.ts';

const read = { level: 'TU', method: 'GET', tag: 'Academic affairs' } as const;

const exampleScore = {
  sequence: 1,
  term_id: '2025-2026-1-1',
  course_code: 'EX1001',
  course_class: '01',
  course_name_cn: '示例课程',
  course_name_en: 'Example',
  credits: '2.0',
  hours: 32,
  course_type: '必修',
  exam_type: '考试',
  score: '88',
  retake_score: null,
  makeup_score: null,
};

const exampleSchedule = {
  total_units: 20.5,
  time_slots: [
    { session: 1, session_name: '第一节', start_time: '0800', end_time: '0845', time_length: '45', djjc: 1 },
  ],
  courses: [
    {
      course_name: '示例课程',
      course_code: 'EX1001',
      course_sequence: '01',
      teacher_name: '张三',
      course_properties: '必修',
      exam_type: '考试',
      unit: 4,
      time_locations: [
        {
          class_day: 1,
          class_sessions: 1,
          continuing_session: 2,
          class_week: '111111111111111100000000',
          week_description: '1-16周',
          campus_name: '示例校区',
          teaching_building_name: '一号楼',
          classroom_name: '101',
        },
      ],
      is_no_schedule: false,
    },
  ],
  semester_info: { total_weeks: '20', week_description: '第1-20周', total_sessions: '12', first_day: '1' },
};

export const academicsOperations = (academics: Academics): Operation[] => [
  studentOperation({
    ...read,
    url: '/jwc/academic/info',
    operationId: 'getAcademicInfo',
    summary: 'Academic info',
    description: 'Counts of courses, grade point average, average mark with rank, and the current term.',
    data: AcademicInfo,
    message: '获取学业信息成功',
    example: {
      data: {
        completed_courses: 30,
        failed_courses: 1,
        pending_courses: 6,
        gpa: 3.2,
        current_term: '2025-2026-2-1',
        current_term_name: '2025-2026春季学期',
        average_score: 85.37,
        rank: 21,
        rank_total: 118,
      },
    },
    run: async ({ student, context }) => presentSummary(await academics.summary(student, context)),
  }),
  studentOperation({
    ...read,
    url: '/jwc/term/all',
    operationId: 'listTerms',
    ofOneRead: true,
    summary: 'All terms',
    description: 'Their codes are what the other operations take as `term_code`.',
    data: TermItems,
    message: '获取学期信息成功',
    example: {
      data: [
        { term_code: '2025-2026-2-1', term_name: '2025-2026下', is_current: true },
        { term_code: '2025-2026-1-1', term_name: '2025-2026上', is_current: false },
      ],
    },
    run: async ({ student, context }) => (await academics.terms(student, context)).map(presentTerm),
  }),
  studentOperation({
    ...read,
    url: '/jwc/score/:term_code/list',
    operationId: 'listTermScores',
    ofOneRead: true,
    summary: 'Term score list for a given term',
    description: 'All rows of the term at once; empty for a term without scores.',
    params: TermPath,
    data: TermScoreResponse,
    message: '获取成绩单成功',
    example: { data: { total_count: 1, records: [exampleScore] } },
    run: async ({ student, params, context }) =>
      presentScores(await academics.allScores(student, params.term_code, context)),
  }),
  studentOperation({
    ...read,
    url: '/jwc/schedule/:term_code/table',
    operationId: 'getSchedule',
    ofOneRead: true,
    summary: 'Schedule',
    description: 'Courses of a term with their times and places, and the sessions of a day.',
    params: TermPath,
    data: ScheduleData,
    message: '获取课表信息成功',
    parts: ['sections', 'courses'],
    example: { data: exampleSchedule },
    run: async ({ student, params, context }) =>
      presentSchedule(await academics.schedule(student, params.term_code, context)),
  }),
];

import type { Academics } from '../../../domain/academics/academics.ts';
import { type Operation, studentOperation } from '../operation.ts';
import { presentComponents, presentCurrentScores } from '../present-current-scores.ts';
import { CurrentScoreDetail, CurrentScoreQuery, CurrentScoreResponse } from '../schemas/current-scores.ts';

const read = { level: 'TU', method: 'GET', tag: 'Academic affairs' } as const;

const exampleScore = {
  term_id: '2025-2026-1-1',
  course_code: 'EX1001',
  course_class: '02',
  course_name_cn: '示例课程',
  course_name_en: 'Example',
  credits: '3',
  hours: 48,
  course_type: '必修',
  exam_type: '考试',
  score: '87',
  exam_time: '20260110',
  is_published: true,
  grade_point: '3.7',
  class_average: '81.20',
  class_highest: '99',
  class_lowest: '40',
  class_rank: '3/78',
};

const exampleComponent = {
  score_type_code: '001',
  score_type: '课堂成绩',
  regular: '90',
  midterm: '82',
  final: '88.5',
  total: '87.3',
  remark: '',
  regular_weight: 0.3,
  midterm_weight: 0.2,
  final_weight: 0.5,
  weight: 0.6,
};

/** Scores of this term and what they are made of: the campus shows components of no other term. */
export const currentScoresOperations = (academics: Academics): Operation[] => [
  studentOperation({
    ...read,
    url: '/jwc/score/current/list',
    operationId: 'listCurrentScores',
    summary: 'Scores of this term',
    description: 'Courses whose score is not yet published included. Earlier terms: `/jwc/score/{term_code}/list`.',
    data: CurrentScoreResponse,
    message: '获取本学期成绩成功',
    example: { data: { total_count: 1, records: [exampleScore] } },
    run: async ({ student, context }) => presentCurrentScores(await academics.currentScores(student, context)),
  }),
  studentOperation({
    ...read,
    url: '/jwc/score/current/detail',
    operationId: 'getCurrentScoreDetail',
    summary: 'Components of a score of this term',
    description: 'For a published score of `/jwc/score/current/list`, by four of its members.',
    query: CurrentScoreQuery,
    data: CurrentScoreDetail,
    message: '获取成绩明细成功',
    details: [{ loc: ['query', 'course_code'], msg: 'Field required', type: 'missing' }],
    example: {
      data: {
        term_code: '2025-2026-1-1',
        course_code: 'EX1001',
        course_class: '02',
        exam_time: '20260110',
        items: [exampleComponent],
      },
    },
    run: async ({ student, query, context }) => {
      const key = {
        termCode: query.term_code,
        courseCode: query.course_code,
        courseClass: query.course_class,
        examTime: query.exam_time,
      };
      return presentComponents(query, await academics.scoreComponents(student, key, context));
    },
  }),
];

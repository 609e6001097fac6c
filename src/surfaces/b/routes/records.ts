import { Type } from '@sinclair/typebox';
import type { Academics } from '../../../domain/academics/academics.ts';
import { RecordGroup, RecordRow, recordSources, StudentFile } from '../../../domain/academics/records.ts';
import { judgedRecord } from '../../../domain/academics/whole-record.ts';
import { integer, listOf, object, orNull, text } from '../../../domain/record.ts';
import { type Operation, operation } from '../operation.ts';

const read = { level: 'TU' } as const;

const WholeRecord = object('WholeRecord', 'Every score of the student, of all terms.', {
  source: Type.Union(
    recordSources.map((each) => Type.Literal(each)),
    {
      description:
        'How it was read: `scheme` from the page of the campus for it, `all_terms` or `term_by_term` from the score list where there is no such page.',
    },
  ),
  total_count: integer('Length of `records`.'),
  passed_count: integer('Rows passed, of all rows, by our rule.'),
  failed_count: integer('Rows not passed, of all rows, by our rule.'),
  undecided_count: integer('Rows whose marks say nothing, of all rows.'),
  groups: listOf(RecordGroup, 'Training plans; empty unless `source` is `scheme`.'),
  records: listOf(
    object('RecordRow', 'A score in the whole record.', {
      ...RecordRow.properties,
      passed: orNull(
        Type.Boolean(),
        'Our verdict: false where the campus gives a reason, else by the best mark; null where the marks say nothing.',
      ),
    }),
    'In the order of the campus; a course of two plans is two rows.',
  ),
});

const StudentRecord = object('StudentRecord', 'Where the student belongs at the campus.', {
  userid: text('Student id.'),
  ...StudentFile.properties,
});

const exampleRow = {
  group_index: 0,
  term_id: '2024-2025-2-1',
  academic_year: '2024-2025',
  term_name: '春',
  course_code: 'EX1001',
  course_class: '02',
  course_name_cn: '示例课程',
  course_name_en: 'Example',
  credits: '3',
  hours: null,
  course_type: '必修',
  exam_type: null,
  score: '87',
  score_number: 87,
  retake_score: null,
  makeup_score: null,
  grade_point: 3.7,
  grade_name: 'B+',
  exam_time: '20250628',
  not_passed_reason: null,
  passed: true,
};

/** The whole record of scores, and what the campus keeps on file about the student. */
export const recordsOperations = (academics: Academics): Operation[] => [
  operation({
    ...read,
    tag: 'Academic affairs',
    route: 'GET /jwc/score/all',
    needs: ['academics.wholeRecord'],
    operationId: 'getWholeRecord',
    scope: 'scores:read',
    ofOneRead: true,
    summary: 'Whole record of scores',
    description:
      'All terms at once, with grade points where the campus has a page for it. It has no average: that of the campus is in `/jwc/academic/info`.',
    query: Type.Object({
      passed: Type.Optional(
        Type.Boolean({
          examples: [true],
          description: 'Only rows that are passed, or that are not; rows without a verdict are neither.',
        }),
      ),
    }),
    data: WholeRecord,
    message: '获取全部成绩成功',
    example: {
      data: {
        source: 'scheme',
        total_count: 1,
        passed_count: 1,
        failed_count: 0,
        undecided_count: 0,
        groups: [
          {
            group_index: 0,
            label: '2023级示例专业本科培养方案',
            plan_number: '7352',
            credits_taken: 41.5,
            courses: 18,
            passed: 17,
            failed: 1,
          },
        ],
        records: [exampleRow],
      },
    },
    run: async (call) => judgedRecord(await academics.wholeRecord(call.student, call), call.query.passed),
  }),
  operation({
    ...read,
    tag: 'User profile',
    route: 'GET /profile/student',
    needs: ['academics.studentFile'],
    operationId: 'getStudentRecord',
    scope: 'academics:read',
    summary: 'Student record',
    description:
      'Name, college, major, class and year as the campus has them on file. Nothing else of that page is read or kept.',
    data: StudentRecord,
    message: '获取学籍信息成功',
    example: {
      data: {
        userid: '2023000001',
        name: '林晓',
        college: '经济学院',
        major: '示例专业',
        class_name: '示例231',
        campus: '东校区',
        entry_year: 2023,
      },
    },
    run: async (call) => ({
      userid: call.student.userid,
      ...(await academics.studentFile(call.student, call)),
    }),
  }),
];

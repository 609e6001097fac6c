import { Type } from '@sinclair/typebox';
import type { Exam, ExamPart } from '../../../domain/academics/exams.ts';
import { integer } from '../../../domain/record.ts';
import { Told } from '../../common/operation.ts';
import { examMembers, presentExam } from '../../common/timetable.ts';
import { AuthmeRequest, component } from '../envelope.ts';
import { type Operation, operation, type SurfaceADeps } from '../operation.ts';

const UnifiedExamInfo = component('UnifiedExamInfo', 'An exam.', examMembers);

/** This surface does not show a calendar entry that is nothing but a name as an exam. */
const isNameOnly = ({ kind, time, location }: Exam): boolean => kind === 'university' && time === '' && location === '';

const partNames: Readonly<Record<ExamPart, string>> = {
  'university-exams': '校统考信息',
  'other-exams': '其他考试信息',
  'exam-seats': '座位信息',
};

const completeExams = '考试信息获取成功';

/** Names what is missing, so that a short list is not taken for a complete one. */
const examMessage = ({ missing }: { readonly missing: ReadonlyArray<{ readonly part: ExamPart }> }): string =>
  missing.length === 0
    ? completeExams
    : `考试信息部分获取成功，${missing.map(({ part }) => partNames[part]).join('、')}暂不可用`;

const universityExam = {
  course_name: '高等数学',
  exam_date: '2025-06-25',
  exam_time: '08:30-10:30',
  exam_location: '东校区 教学楼A-101',
  exam_type: '校统考',
  note: '座位号: 23',
};

const defaults = {
  level: 'T',
  tag: 'v1 academics',
  group: 'academics',
  body: AuthmeRequest,
} as const;

export const examOperations = ({ services: { academics } }: SurfaceADeps): Operation[] => [
  operation('/jwc/fetch_exam_info', 'v1FetchExamInfo', {
    ...defaults,
    needs: ['academics.exams'],
    scope: 'exams:read',
    summary: { en: 'Exams of the current term', zh: '本学期考试' },
    description:
      'University-wide exams from today on and all other exams of the term. When one of the two lists cannot be had, ' +
      'the other one is sent and `message` names what is missing.',
    response: 'ExamInfoAPIResponse',
    data: component('ExamInfoResponse', 'Exams of the current term.', {
      exams: Type.Array(UnifiedExamInfo, { description: 'Sorted by date as text.' }),
      total_count: integer('Length of `exams`.', 1),
    }),
    message: completeExams,
    refusals: [
      {
        name: 'other exams missing',
        code: 200,
        message: examMessage({ missing: [{ part: 'other-exams' }] }),
        data: { exams: [universityExam], total_count: 1 },
      },
      { name: 'no exams', code: 200, message: completeExams, data: { exams: [], total_count: 0 } },
    ],
    run: async (call) => {
      const findings = await academics.exams(call.student, call);
      const exams = findings.exams.filter((exam) => !isNameOnly(exam)).map(presentExam);
      return new Told({ exams, total_count: exams.length }, examMessage(findings));
    },
  }),
];

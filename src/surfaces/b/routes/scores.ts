import { Type } from '@sinclair/typebox';
import { CurrentScore, JudgedRecord, ScoreComponent, StudentFile } from '../../../domain/academics/records.ts';
import { judgeRecord } from '../../../domain/academics/score-marks.ts';
import { flag, integer, listOf, object, text } from '../../../domain/record.ts';
import type { SurfaceBDeps } from '../described.ts';
import { type Operation, operation } from '../operation.ts';
import { TermCode } from './academics.ts';

const { grade_point, class_average, class_highest, class_lowest, class_rank, ...score } = CurrentScore.properties;

const ShownScore = object('CurrentScore', 'A score of this term.', {
  ...score,
  is_published: flag('There is a score.', true),
  grade_point,
  class_average,
  class_highest,
  class_lowest,
  class_rank,
});

const id = (description: string, example: string) => text(description, example, { minLength: 1, maxLength: 40 });

const { score_type_code, ...componentMembers } = ScoreComponent.properties;

const ShownComponent = object('ScoreComponent', 'A component of a score. No mark in it is computed.', {
  score_type_code,
  score_type: text('`课堂成绩`, `实验成绩`, `实践成绩`, else `成绩分类`.', '课堂成绩'),
  ...componentMembers,
});

const typeNames: ReadonlyMap<string, string> = new Map([
  ['001', '课堂成绩'],
  ['002', '实验成绩'],
  ['003', '实践成绩'],
]);

const defaults = { level: 'TU', tag: 'Academic affairs', scope: 'scores:read' } as const;

export const scoreOperations = ({ services: { academics } }: SurfaceBDeps): Operation[] => [
  operation('GET /jwc/score/current/list', 'listCurrentScores', {
    ...defaults,
    needs: ['academics.currentScores'],
    summary: { en: 'Scores of this term', zh: '本学期成绩' },
    description: 'Courses whose score is not yet published included. Earlier terms: `/jwc/score/{term_code}/list`.',
    data: object('CurrentScoreResponse', 'The scores of this term.', {
      total_count: integer('Length of `records`.', 1),
      records: listOf(ShownScore, 'In the order of the campus.'),
    }),
    message: '获取本学期成绩成功',
    run: async (call) => {
      const scores = await academics.currentScores(call.student, call);
      const records = scores.map((score) => ({ ...score, is_published: score.score !== '' }));
      return { total_count: records.length, records };
    },
  }),
  operation('GET /jwc/score/current/detail', 'getCurrentScoreDetail', {
    ...defaults,
    needs: ['academics.scoreComponents'],
    summary: { en: 'Components of a score of this term', zh: '本学期某门成绩的组成' },
    description: 'For a published score of `/jwc/score/current/list`, by four of its members.',
    query: Type.Object({
      term_code: TermCode,
      course_code: id('`course_code` of the score.', 'CS1001'),
      course_class: id('`course_class` of the score.', '01'),
      exam_time: text('`exam_time` of the score, unchanged; may be empty.', '20260112', { maxLength: 40 }),
    }),
    data: object('CurrentScoreDetail', 'What a score of this term is made of.', {
      term_code: text('As asked.', '2025-2026-1-1'),
      course_code: text('As asked.', 'EX1001'),
      course_class: text('As asked.', '02'),
      exam_time: text('As asked.', '20260110'),
      items: Type.Array(ShownComponent, {
        description: 'Empty for a score that is not published, and for one that the campus does not know.',
      }),
    }),
    message: '获取成绩明细成功',
    run: async (call) => {
      const {
        term_code: termCode,
        course_code: courseCode,
        course_class: courseClass,
        exam_time: examTime,
      } = call.query;
      const key = { termCode, courseCode, courseClass, examTime };
      const items = (await academics.scoreComponents(call.student, key, call)).map((component) => ({
        ...component,
        score_type: typeNames.get(component.score_type_code) ?? '成绩分类',
      }));
      return { ...call.query, items };
    },
  }),
  operation('GET /jwc/score/all', 'getWholeRecord', {
    ...defaults,
    needs: ['academics.wholeRecord'],
    ofOneRead: true,
    summary: { en: 'Whole record of scores', zh: '全部成绩和绩点' },
    description:
      'All terms at once, with grade points where the campus has a page for it. `terms` has sums of each term, which are ours; the average of the campus is in `/jwc/academic/info`.',
    query: Type.Object({
      passed: Type.Optional(
        flag('Only rows that are passed, or that are not; rows without a verdict are neither.', true),
      ),
    }),
    data: JudgedRecord,
    message: '获取全部成绩成功',
    run: async (call) => judgeRecord(await academics.wholeRecord(call.student, call), call.query.passed),
  }),
  operation('GET /profile/student', 'getStudentRecord', {
    ...defaults,
    tag: 'User profile',
    needs: ['academics.studentFile'],
    scope: 'academics:read',
    summary: { en: 'Student record', zh: '学籍信息' },
    description:
      'Name, college, major, class and year as the campus has them on file. Nothing else of that page is read or kept.',
    data: object('StudentRecord', 'Where the student belongs at the campus.', {
      userid: text('Student id.', '2023000001'),
      ...StudentFile.properties,
    }),
    message: '获取学籍信息成功',
    run: async (call) => ({ userid: call.student.userid, ...(await academics.studentFile(call.student, call)) }),
  }),
];

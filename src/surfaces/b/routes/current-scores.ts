import { type Static, Type } from '@sinclair/typebox';
import type { Academics } from '../../../domain/academics/academics.ts';
import { CurrentScore, ScoreComponent } from '../../../domain/academics/records.ts';
import { flag, integer, listOf, object, type RecordOf, text } from '../../../domain/record.ts';
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

const CurrentScoreResponse = object('CurrentScoreResponse', 'The scores of this term.', {
  total_count: integer('Length of `records`.', 1),
  records: listOf(ShownScore, 'In the order of the campus.'),
});

const id = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 40, description, examples: [example] });

const CurrentScoreQuery = Type.Object({
  term_code: TermCode,
  course_code: id('`course_code` of the score.', 'CS1001'),
  course_class: id('`course_class` of the score.', '01'),
  exam_time: Type.String({
    maxLength: 40,
    examples: ['20260112'],
    description: '`exam_time` of the score, unchanged; may be empty.',
  }),
});

const { score_type_code, ...component } = ScoreComponent.properties;

const ShownComponent = object('ScoreComponent', 'A component of a score. No mark in it is computed.', {
  score_type_code,
  score_type: text('`课堂成绩`, `实验成绩`, `实践成绩`, else `成绩分类`.', '课堂成绩'),
  ...component,
});

const CurrentScoreDetail = object('CurrentScoreDetail', 'What a score of this term is made of.', {
  term_code: text('As asked.', '2025-2026-1-1'),
  course_code: text('As asked.', 'EX1001'),
  course_class: text('As asked.', '02'),
  exam_time: text('As asked.', '20260110'),
  items: Type.Array(ShownComponent, {
    description: 'Empty for a score that is not published, and for one that the campus does not know.',
  }),
});

const presentCurrentScores = (scores: readonly CurrentScore[]): RecordOf<typeof CurrentScoreResponse> => ({
  total_count: scores.length,
  records: scores.map((score) => ({ ...score, is_published: score.score !== '' })),
});

/** What the known components are called. */
const typeNames: ReadonlyMap<string, string> = new Map([
  ['001', '课堂成绩'],
  ['002', '实验成绩'],
  ['003', '实践成绩'],
]);

const presentComponents = (
  asked: Static<typeof CurrentScoreQuery>,
  components: readonly ScoreComponent[],
): Static<typeof CurrentScoreDetail> => ({
  term_code: asked.term_code,
  course_code: asked.course_code,
  course_class: asked.course_class,
  exam_time: asked.exam_time,
  items: components.map((component) => ({
    ...component,
    score_type: typeNames.get(component.score_type_code) ?? '成绩分类',
  })),
});

const read = { level: 'TU', tag: 'Academic affairs' } as const;

/** Scores of this term and what they are made of: the campus shows components of no other term. */
export const currentScoresOperations = (academics: Academics): Operation[] => [
  operation({
    ...read,
    route: 'GET /jwc/score/current/list',
    needs: ['academics.currentScores'],
    operationId: 'listCurrentScores',
    scope: 'scores:read',
    summary: 'Scores of this term',
    description: 'Courses whose score is not yet published included. Earlier terms: `/jwc/score/{term_code}/list`.',
    data: CurrentScoreResponse,
    message: '获取本学期成绩成功',
    run: async (call) => presentCurrentScores(await academics.currentScores(call.student, call)),
  }),
  operation({
    ...read,
    route: 'GET /jwc/score/current/detail',
    needs: ['academics.scoreComponents'],
    operationId: 'getCurrentScoreDetail',
    scope: 'scores:read',
    summary: 'Components of a score of this term',
    description: 'For a published score of `/jwc/score/current/list`, by four of its members.',
    query: CurrentScoreQuery,
    data: CurrentScoreDetail,
    message: '获取成绩明细成功',
    run: async (call) => {
      const key = {
        termCode: call.query.term_code,
        courseCode: call.query.course_code,
        courseClass: call.query.course_class,
        examTime: call.query.exam_time,
      };
      return presentComponents(call.query, await academics.scoreComponents(call.student, key, call));
    },
  }),
];

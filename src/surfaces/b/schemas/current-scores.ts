import { Type } from '@sinclair/typebox';
import { integer, object, text, textOrNull } from '../../records/atoms.ts';
import { scoredCourse } from '../../records/schemas.ts';
import { TermCode } from './academics.ts';

const share = (description: string) => Type.Union([Type.Number(), Type.Null()], { description });

export const CurrentScore = object('CurrentScore', 'A score of this term.', {
  term_id: text('Term code, e.g. `2025-2026-1-1`.'),
  ...scoredCourse,
  score: text('A number or a word grade; empty before it is published.'),
  exam_time: text('A code of the campus. Send it back unchanged, blanks included, to ask for the components.'),
  is_published: Type.Boolean({ description: 'There is a score.' }),
  grade_point: textOrNull('Grade point of the score; null where the campus sends none.'),
  class_average: textOrNull('Average of the class; null where the campus sends none.'),
  class_highest: textOrNull('Highest score of the class; null where the campus sends none.'),
  class_lowest: textOrNull('Lowest score of the class; null where the campus sends none.'),
  class_rank: textOrNull('Place in the class, e.g. `3/78`; null where the campus sends none.'),
});

export const CurrentScoreResponse = object('CurrentScoreResponse', 'The scores of this term.', {
  total_count: integer('Length of `records`.'),
  records: Type.Array(CurrentScore, { description: 'In the order of the campus.' }),
});

const id = (description: string) => Type.String({ minLength: 1, maxLength: 40, description });

export const CurrentScoreQuery = Type.Object({
  term_code: TermCode,
  course_code: id('`course_code` of the score.'),
  course_class: id('`course_class` of the score.'),
  exam_time: Type.String({ maxLength: 40, description: '`exam_time` of the score, unchanged; may be empty.' }),
});

export const ScoreComponent = object('ScoreComponent', 'A component of a score. No mark in it is computed.', {
  score_type_code: text('Code of the component.'),
  score_type: text('`课堂成绩`, `实验成绩`, `实践成绩`, else `成绩分类`.'),
  regular: textOrNull('Mark of the work during the term; null without one.'),
  midterm: textOrNull('Mark of the midterm examination; null without one.'),
  final: textOrNull('Mark of the final examination; null without one.'),
  total: textOrNull('Mark of the component; null without one.'),
  remark: text('What the campus notes; may be empty.'),
  regular_weight: share('Share of `regular` in the component, 0.3 is 30 %; null where the campus sends none.'),
  midterm_weight: share('Share of `midterm` in the component; null where the campus sends none.'),
  final_weight: share('Share of `final` in the component; null where the campus sends none.'),
  weight: share('Share of the component in the score; null where the campus sends none.'),
});

export const CurrentScoreDetail = object('CurrentScoreDetail', 'What a score of this term is made of.', {
  term_code: text('As asked.'),
  course_code: text('As asked.'),
  course_class: text('As asked.'),
  exam_time: text('As asked.'),
  items: Type.Array(ScoreComponent, {
    description: 'Empty for a score that is not published, and for one that the campus does not know.',
  }),
});

import type { Static } from '@sinclair/typebox';
import type { CurrentScore, ScoreComponent } from '../../domain/academics/current-scores.ts';
import { presentCourseScore } from '../records/present.ts';
import type {
  CurrentScoreDetail,
  CurrentScoreQuery,
  CurrentScoreResponse,
  CurrentScore as ScoreSchema,
} from './schemas/current-scores.ts';

const presentScore = (score: CurrentScore): Static<typeof ScoreSchema> => ({
  ...presentCourseScore(score),
  exam_time: score.examTime,
  is_published: score.score !== '',
  grade_point: score.gradePoint,
  class_average: score.classAverage,
  class_highest: score.classHighest,
  class_lowest: score.classLowest,
  class_rank: score.classRank,
});

export const presentCurrentScores = (scores: readonly CurrentScore[]): Static<typeof CurrentScoreResponse> => ({
  total_count: scores.length,
  records: scores.map(presentScore),
});

/** What the known components are called. */
const typeNames: ReadonlyMap<string, string> = new Map([
  ['001', '课堂成绩'],
  ['002', '实验成绩'],
  ['003', '实践成绩'],
]);

export const presentComponents = (
  asked: Static<typeof CurrentScoreQuery>,
  components: readonly ScoreComponent[],
): Static<typeof CurrentScoreDetail> => ({
  term_code: asked.term_code,
  course_code: asked.course_code,
  course_class: asked.course_class,
  exam_time: asked.exam_time,
  items: components.map((component) => ({
    score_type_code: component.typeCode,
    score_type: typeNames.get(component.typeCode) ?? '成绩分类',
    regular: component.regular,
    midterm: component.midterm,
    final: component.final,
    total: component.total,
    remark: component.remark,
    regular_weight: component.regularWeight,
    midterm_weight: component.midtermWeight,
    final_weight: component.finalWeight,
    weight: component.weight,
  })),
});

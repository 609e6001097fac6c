import type { Static } from '@sinclair/typebox';
import type { ActivityCategory, ActivityTotal } from '../../domain/activity-score/types.ts';
import type { ScoreCategory, ScoreInfo } from './schemas/activity-score.ts';

export const presentTotal = (total: ActivityTotal): Static<typeof ScoreInfo> => ({
  TotalScore: total.score,
  IsTypeAdopt: total.requirementMet,
  TypeAdoptResult: total.explanation,
});

export const presentCategory = (category: ActivityCategory): Static<typeof ScoreCategory> => ({
  ID: category.id,
  ShowNum: category.displayNumber,
  TypeName: category.name,
  TotalScore: category.score,
  children: category.items.map((item) => ({
    ID: item.id,
    Title: item.title,
    TypeName: item.category,
    UserNo: item.studentId,
    Score: item.score,
    AddTime: item.addedAt,
  })),
});

import type { Static } from '@sinclair/typebox';
import type { ActivityCategory, ActivityTotal } from '../../domain/activity-score/types.ts';
import type { CreditCategory, CreditInfo } from './schemas/activity-score.ts';

export const presentCreditInfo = (total: ActivityTotal): Static<typeof CreditInfo> => ({
  TotalScore: total.score,
  IsTypeAdopt: total.requirementMet,
  TypeAdoptResult: total.explanation,
});

export const presentCreditCategory = (category: ActivityCategory): Static<typeof CreditCategory> => ({
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

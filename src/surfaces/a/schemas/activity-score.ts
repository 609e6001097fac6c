import { Type } from '@sinclair/typebox';
import { component, envelope } from './envelope.ts';

const text = (description?: string) =>
  Type.String({ default: '', ...(description === undefined ? {} : { description }) });
const points = (description: string) => Type.Number({ default: 0, description });

export const ScoreInfo = component('ScoreInfo', {
  TotalScore: points('The total, as the campus has computed it.'),
  IsTypeAdopt: Type.Boolean({ default: false, description: 'The requirement is met.' }),
  TypeAdoptResult: text('Why it is not met.'),
});

export const ScoreItem = component('ScoreItem', {
  ID: text(),
  Title: text('The activity.'),
  TypeName: text('Its category.'),
  UserNo: text('Student number.'),
  Score: points('Points.'),
  AddTime: text('As the campus writes it: `2024-03-15 10:30:00` or `2024/09/02`.'),
});

export const ScoreCategory = component('ScoreCategory', {
  ID: text(),
  ShowNum: Type.Integer({ default: 0, description: 'Number to show.' }),
  TypeName: text('The category.'),
  TotalScore: points('Sum of the category.'),
  children: Type.Array(ScoreItem, { default: [] }),
});

export const ScoreCategories = Type.Array(ScoreCategory);

export const ScoreInfoResponse = envelope('ScoreInfoResponse', ScoreInfo);
export const ScoreListResponse = envelope('ScoreListResponse', ScoreCategories);

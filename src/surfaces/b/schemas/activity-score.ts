import { Type } from '@sinclair/typebox';
import { activityCategoryMembers, activityItemMembers, activityTotalMembers } from '../../records/schemas.ts';

export const CreditInfo = Type.Object(activityTotalMembers, {
  title: 'CreditInfo',
  description: 'The total of the activity score.',
});
const CreditItem = Type.Object(activityItemMembers, {
  title: 'CreditItem',
  description: 'An item of the activity score.',
});
const CreditCategory = Type.Object(activityCategoryMembers(CreditItem), {
  title: 'CreditCategory',
  description: 'A category of the activity score with its items.',
});
export const CreditCategories = Type.Array(CreditCategory, { description: 'All categories.' });

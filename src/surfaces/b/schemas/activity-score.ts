import { Type } from '@sinclair/typebox';
import { object } from '../../records/atoms.ts';
import { activityCategoryMembers, activityItemMembers, activityTotalMembers } from '../../records/schemas.ts';

export const CreditInfo = object('CreditInfo', 'The total of the activity score.', activityTotalMembers);
const CreditItem = object('CreditItem', 'An item of the activity score.', activityItemMembers);
const CreditCategory = object(
  'CreditCategory',
  'A category of the activity score with its items.',
  activityCategoryMembers(CreditItem),
);
export const CreditCategories = Type.Array(CreditCategory, { description: 'All categories.' });

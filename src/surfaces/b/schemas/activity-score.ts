import { Type } from '@sinclair/typebox';
import { activityCategoryMembers, activityItemMembers, activityTotalMembers } from '../../records/schemas.ts';

export const CreditInfo = Type.Object(activityTotalMembers, { title: 'CreditInfo' });
const CreditItem = Type.Object(activityItemMembers, { title: 'CreditItem' });
const CreditCategory = Type.Object(activityCategoryMembers(CreditItem), { title: 'CreditCategory' });
export const CreditCategories = Type.Array(CreditCategory);

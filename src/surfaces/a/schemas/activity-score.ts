import { Type } from '@sinclair/typebox';
import { activityCategoryMembers, activityItemMembers, activityTotalMembers } from '../../records/schemas.ts';
import { component, envelope } from './envelope.ts';

export const ScoreInfo = component('ScoreInfo', activityTotalMembers, 'The total of the activity score.');
const ScoreItem = component('ScoreItem', activityItemMembers, 'An item of the activity score.');
const ScoreCategory = component(
  'ScoreCategory',
  activityCategoryMembers(ScoreItem),
  'A category of the activity score with its items.',
);

export const ScoreCategories = Type.Array(ScoreCategory, { description: 'All categories.' });

export const ScoreInfoResponse = envelope('ScoreInfoResponse', ScoreInfo);
export const ScoreListResponse = envelope('ScoreListResponse', ScoreCategories);

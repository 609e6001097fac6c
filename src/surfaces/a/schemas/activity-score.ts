import { Type } from '@sinclair/typebox';
import { activityCategoryMembers, activityItemMembers, activityTotalMembers } from '../../records/schemas.ts';
import { component, envelope } from './envelope.ts';

export const ScoreInfo = component('ScoreInfo', 'The total of the activity score.', activityTotalMembers);
const ScoreItem = component('ScoreItem', 'An item of the activity score.', activityItemMembers);
const ScoreCategory = component(
  'ScoreCategory',
  'A category of the activity score with its items.',
  activityCategoryMembers(ScoreItem),
);

export const ScoreCategories = Type.Array(ScoreCategory, { description: 'All categories.' });

export const ScoreInfoResponse = envelope('ScoreInfoResponse', ScoreInfo);
export const ScoreListResponse = envelope('ScoreListResponse', ScoreCategories);

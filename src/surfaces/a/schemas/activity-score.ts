import { Type } from '@sinclair/typebox';
import { activityCategoryMembers, activityItemMembers, activityTotalMembers } from '../../records/schemas.ts';
import { component, envelope, withDefaults } from './envelope.ts';

export const ScoreInfo = component('ScoreInfo', withDefaults(activityTotalMembers));
const ScoreItem = component('ScoreItem', withDefaults(activityItemMembers));
const ScoreCategory = component('ScoreCategory', withDefaults(activityCategoryMembers(ScoreItem)));

export const ScoreCategories = Type.Array(ScoreCategory);

export const ScoreInfoResponse = envelope('ScoreInfoResponse', ScoreInfo);
export const ScoreListResponse = envelope('ScoreListResponse', ScoreCategories);

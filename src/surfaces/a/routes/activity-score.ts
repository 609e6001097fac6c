import { ActivityCategories, ActivityTotal } from '../../../domain/activity-score/records.ts';
import { AuthmeRequest } from '../envelope.ts';
import { type Operation, operation, type SurfaceADeps } from '../operation.ts';

const defaults = {
  level: 'T',
  tag: 'v1 activity score',
  group: 'activity-score',
  scope: 'activity:read',
  body: AuthmeRequest,
} as const;

export const activityScoreOperations = ({ services: { activityScore } }: SurfaceADeps): Operation[] => [
  operation('/aac/fetch_score_info', 'v1FetchScoreInfo', {
    ...defaults,
    needs: ['activityScore.total'],
    summary: { en: 'Total of the activity score', zh: '活动分总分' },
    description: 'May be up to 300 seconds old.',
    response: 'ScoreInfoResponse',
    data: ActivityTotal,
    message: '总分信息获取成功',
    run: async (call) => await activityScore.total(call.student, call),
  }),

  operation('/aac/fetch_score_list', 'v1FetchScoreList', {
    ...defaults,
    needs: ['activityScore.categories'],
    summary: { en: 'Activity score by category', zh: '活动分明细' },
    description: 'All categories with their items; empty for a student without any.',
    response: 'ScoreListResponse',
    data: ActivityCategories,
    message: '分数明细获取成功',
    run: async (call) => await activityScore.categories(call.student, call),
  }),
];

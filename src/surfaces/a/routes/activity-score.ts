import { ActivityCategories, ActivityTotal } from '../../../domain/activity-score/records.ts';
import { AuthmeRequest, asV1 } from '../envelope.ts';
import { type Operation, operation, type SurfaceADeps } from '../operation.ts';

const names = { CreditInfo: 'ScoreInfo', CreditItem: 'ScoreItem', CreditCategory: 'ScoreCategory' };
const ScoreInfo = asV1(ActivityTotal, names);
const ScoreCategories = asV1(ActivityCategories, names);
const tag = 'v1 activity score';

/** Total and list of the activity score. */
export const activityScoreOperations = ({ services: { activityScore } }: SurfaceADeps): Operation[] => [
  operation({
    level: 'T',
    path: '/aac/fetch_score_info',
    needs: ['activityScore.total'],
    operationId: 'v1FetchScoreInfo',
    scope: 'activity:read',
    tag,
    summary: 'Total of the activity score',
    description: 'May be up to 300 seconds old.',
    group: 'activity-score',
    body: AuthmeRequest,
    response: 'ScoreInfoResponse',
    data: ScoreInfo,
    message: '总分信息获取成功',
    run: async (call) => await activityScore.total(call.student, call),
  }),

  operation({
    level: 'T',
    path: '/aac/fetch_score_list',
    needs: ['activityScore.categories'],
    operationId: 'v1FetchScoreList',
    scope: 'activity:read',
    tag,
    summary: 'Activity score by category',
    description: 'All categories with their items; empty for a student without any.',
    group: 'activity-score',
    body: AuthmeRequest,
    response: 'ScoreListResponse',
    data: ScoreCategories,
    message: '分数明细获取成功',
    run: async (call) => await activityScore.categories(call.student, call),
  }),
];

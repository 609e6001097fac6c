import { ActivityCategories, ActivityTotal } from '../../../domain/activity-score/records.ts';
import type { SurfaceBDeps } from '../described.ts';
import { type Operation, operation } from '../operation.ts';

const defaults = {
  level: 'TU',
  tag: 'Activity score',
  wording: 'applications',
  scope: 'activity:read',
  ofOneRead: true,
} as const;

export const activityScoreOperations = ({ services: { activityScore } }: SurfaceBDeps): Operation[] => [
  operation('GET /aac/credit/info', 'getCreditInfo', {
    ...defaults,
    needs: ['activityScore.total'],
    summary: { en: 'Total score', zh: '活动分总分' },
    description: 'May be up to 300 seconds old.',
    data: ActivityTotal,
    message: '获取活动分总分信息成功',
    run: (call) => activityScore.total(call.student, call),
  }),
  operation('GET /aac/credit/list', 'listCredits', {
    ...defaults,
    needs: ['activityScore.categories'],
    summary: { en: 'Score details', zh: '活动分明细' },
    description: 'All categories with their items; empty for a student without any.',
    data: ActivityCategories,
    message: '获取活动分明细成功',
    run: (call) => activityScore.categories(call.student, call),
  }),
];

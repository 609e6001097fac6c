import type { ActivityScore } from '../../../domain/activity-score/activity-score.ts';
import { presentActivityCategory, presentActivityTotal } from '../../records/present.ts';
import { type Operation, studentOperation } from '../operation.ts';
import { CreditCategories, CreditInfo } from '../schemas/activity-score.ts';

const shared = {
  level: 'TU',
  method: 'GET',
  tag: 'Activity score',
  failures: ['UNKNOWN'],
  wording: 'applications',
} as const;

const exampleItem = {
  ID: 'i1',
  Title: '示例活动',
  TypeName: '示例类别',
  UserNo: '20990001',
  Score: 2.5,
  AddTime: '2098-10-01 10:00:00',
};

export const activityScoreOperations = (activityScore: ActivityScore): Operation[] => [
  studentOperation({
    ...shared,
    url: '/aac/credit/info',
    operationId: 'getCreditInfo',
    ofOneRead: true,
    summary: 'Total score',
    description: 'May be up to 300 seconds old.',
    data: CreditInfo,
    message: '获取活动分总分信息成功',
    example: { data: { TotalScore: 7.5, IsTypeAdopt: false, TypeAdoptResult: '示例类别不足' } },
    run: async ({ student, context }) => presentActivityTotal(await activityScore.total(student, context)),
  }),
  studentOperation({
    ...shared,
    url: '/aac/credit/list',
    operationId: 'listCredits',
    ofOneRead: true,
    summary: 'Score details',
    description: 'All categories with their items; empty for a student without any.',
    data: CreditCategories,
    message: '获取活动分明细成功',
    example: {
      data: [{ ID: 't1', ShowNum: 1, TypeName: '示例类别', TotalScore: 2.5, children: [exampleItem] }],
    },
    run: async ({ student, context }) =>
      (await activityScore.categories(student, context)).map(presentActivityCategory),
  }),
];

import type { FastifyInstance } from 'fastify';
import { presentActivityCategory, presentActivityTotal } from '../../records/present.ts';
import { addStudentOperation, type SurfaceADeps } from '../operation.ts';
import { ScoreCategories, ScoreInfo, ScoreInfoResponse, ScoreListResponse } from '../schemas/activity-score.ts';
import { AuthmeRequest, exampleToken } from '../schemas/user.ts';

const tag = 'v1 activity score';

const categoryExample = {
  ID: '1',
  ShowNum: 1,
  TypeName: '思想成长',
  TotalScore: 2,
  children: [
    { ID: '9', Title: '讲座', TypeName: '思想成长', UserNo: '2023000001', Score: 2, AddTime: '2024-11-05 10:00:00' },
  ],
};

/** Total and list of the activity score. */
export const addActivityScoreRoutes = (scope: FastifyInstance, deps: SurfaceADeps): void => {
  const { activityScore } = deps;

  addStudentOperation(scope, deps, {
    path: '/aac/fetch_score_info',
    operationId: 'v1FetchScoreInfo',
    tag,
    summary: 'Total of the activity score',
    description: 'May be up to 300 seconds old.',
    group: 'activity-score',
    fails: [],
    body: AuthmeRequest,
    response: ScoreInfoResponse,
    data: ScoreInfo,
    example: {
      body: { token: exampleToken },
      message: '总分信息获取成功',
      data: { TotalScore: 12.5, IsTypeAdopt: true, TypeAdoptResult: '已达标' },
    },
    token: (body) => body.token,
    run: async (student, _body, context) => ({
      data: presentActivityTotal(await activityScore.total(student, context)),
    }),
  });

  addStudentOperation(scope, deps, {
    path: '/aac/fetch_score_list',
    operationId: 'v1FetchScoreList',
    tag,
    summary: 'Activity score by category',
    description: 'All categories with their items; empty for a student without any.',
    group: 'activity-score',
    fails: [],
    body: AuthmeRequest,
    response: ScoreListResponse,
    data: ScoreCategories,
    example: { body: { token: exampleToken }, message: '分数明细获取成功', data: [categoryExample] },
    token: (body) => body.token,
    run: async (student, _body, context) => ({
      data: (await activityScore.categories(student, context)).map(presentActivityCategory),
    }),
  });
};

import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { ByteBudget } from '../../../src/http/limits/byte-budget.ts';
import { LargeBodies } from '../../../src/http/limits/large-bodies.ts';
import { RequestLimits } from '../../../src/http/limits/limits.ts';
import type { SurfaceADeps } from '../../../src/surfaces/a/index.ts';
import { type AppUnderTest, appUnderTest } from '../../support/app.ts';
import { exampleToken, type FakeServices } from '../../support/fake-services.ts';

interface SurfaceA extends AppUnderTest {
  /** POST below the prefix; objects are sent as JSON. */
  post(path: string, body: unknown): Promise<LightMyRequestResponse>;
  /** POST of raw text with any (or no) content type. */
  postText(path: string, payload: string | Buffer, contentType?: string): Promise<LightMyRequestResponse>;
}

/** Calls of the surface, for any application that has it. */
export const callsOf = (app: FastifyInstance): Pick<SurfaceA, 'post' | 'postText'> => ({
  post: (path, body) => app.inject({ method: 'POST', url: `/api/v1${path}`, payload: Object(body) }),
  postText: (path, payload, contentType) => {
    const headers = contentType === undefined ? {} : { 'content-type': contentType };
    return app.inject({ method: 'POST', url: `/api/v1${path}`, payload, headers });
  },
});

/** The application as `appUnderTest` gives it, with calls of this surface. */
export const surfaceA = async (...options: Parameters<typeof appUnderTest>): Promise<SurfaceA> => {
  const under = await appUnderTest(...options);
  return { ...under, ...callsOf(under.app) };
};

/** Registers the surface alone. */
export const depsOf = (services: FakeServices, http: Partial<SurfaceADeps['http']> = {}): SurfaceADeps => ({
  services,
  http: {
    limits: new RequestLimits({ anonymousPerMinute: 6_000, knownPerMinute: 600 }),
    answers: new ByteBudget(),
    bodies: new LargeBodies(services.clock),
    ...http,
  },
  timeZone: 'Asia/Shanghai',
  pageUrl: null,
  isTrustedCaller: () => false,
});

export const login = { userid: '2023000001', password: 'secret-password', vpn_password: 'secret-vpn' };
export const signedIn = { token: exampleToken };
export const termScore = { request: { term_id: '2024-2025-2-1' }, AuthmeRequest: signedIn };
export const schedule = { request: { plan_code: '2024-2025-2-1' }, AuthmeRequest: signedIn };

export const typedOperations = [
  ['/user/veryfy_invite_code', { invite_code: 'DEMO-2026' }],
  ['/user/register', { ...login, invite_token: 'secret-invite-token' }],
  ['/user/login', login],
  ['/user/authme', signedIn],
  ['/user/profile/get', signedIn],
  ['/user/profile/update', { ...signedIn, nickname: '张三' }],
  ['/jwc/fetch_academic_info', signedIn],
  ['/jwc/fetch_education_plan_info', signedIn],
  ['/jwc/fetch_evaluation_course_list', signedIn],
  ['/jwc/fetch_exam_info', signedIn],
  ['/jwc/fetch_all_terms', signedIn],
  ['/jwc/fetch_term_score', termScore],
  ['/jwc/fetch_course_schedule', schedule],
  ['/jwc/evaluation/initialize', signedIn],
  ['/jwc/evaluation/start', signedIn],
  ['/jwc/evaluation/terminate', signedIn],
  ['/jwc/evaluation/status', signedIn],
  ['/jwc/evaluation/current', signedIn],
  ['/aac/fetch_score_info', signedIn],
  ['/aac/fetch_score_list', signedIn],
] as const;

/** Operations of a signed-in student other than the look at the token itself. */
export const studentOperations = typedOperations.filter(([path]) => !path.startsWith('/user/'));

/** Everything behind the operations that a test can make fail; `lastKnown` tells a state and cannot. */
export const everyWork = ({ accounts, academics, activityScore, evaluation, profiles }: FakeServices) => {
  const { lastKnown: _, ...task } = evaluation;
  return [
    accounts.verifyInviteCode,
    accounts.register,
    accounts.login,
    profiles.appProfile,
    profiles.updateAppProfile,
    ...Object.values(academics),
    ...Object.values(activityScore),
    ...Object.values(task),
  ];
};

export const failAll = (services: FakeServices, error: unknown): void => {
  for (const work of everyWork(services)) work.fails(error);
};

export const serviceFault = '服务内部错误';
/** The operations of the profile name themselves when something inside fails. */
export const faultOf = (path: string): string =>
  ({ '/user/profile/get': '获取用户资料失败', '/user/profile/update': '更新用户资料失败' })[path] ?? serviceFault;

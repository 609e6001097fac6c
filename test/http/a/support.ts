import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import fastify from 'fastify';
import { afterEach } from 'vitest';
import { addCallContext } from '../../../src/platform/call/call-context.ts';
import { ByteBudget } from '../../../src/platform/limits/byte-budget.ts';
import { LargeBodies } from '../../../src/platform/limits/large-bodies.ts';
import { type LimitSettings, RequestLimits } from '../../../src/platform/limits/limits.ts';
import { addRequestLog, quietController } from '../../../src/platform/logs/request-log.ts';
import { bodyLimit } from '../../../src/platform/server/connections.ts';
import { addNotFound, collectRoutes } from '../../../src/platform/server/not-found.ts';
import { problemShapeA } from '../../../src/surfaces/a/error-handler.ts';
import { registerSurfaceA, type SurfaceADeps } from '../../../src/surfaces/a/index.ts';
import { exampleToken, type FakeServices, fakeServices } from '../../support/fake-services.ts';
import { standIns } from '../../support/stand-ins.ts';

export interface SurfaceA {
  readonly app: FastifyInstance;
  readonly services: FakeServices;
  /** Every log line written so far, as text. */
  readonly log: string[];
  /** POST below the prefix; objects are sent as JSON. */
  post(path: string, body?: unknown): Promise<LightMyRequestResponse>;
  /** POST of raw text with any (or no) content type. */
  postText(path: string, payload: string | Buffer, contentType?: string): Promise<LightMyRequestResponse>;
}

const open: FastifyInstance[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((app) => app.close()));
});

interface SurfaceOptions {
  readonly limits?: Partial<LimitSettings>;
  readonly timeoutMs?: number;
  readonly answers?: ByteBudget;
  readonly bodies?: LargeBodies;
}

/** What the surface is registered with. */
export const depsOf = (
  services: FakeServices,
  limits = new RequestLimits({ anonymousPerMinute: 6_000, knownPerMinute: 600 }),
  { answers = new ByteBudget(), bodies = new LargeBodies(services.clock) }: SurfaceOptions = {},
): SurfaceADeps => ({
  services,
  http: { limits, answers, bodies },
  timeZone: 'Asia/Shanghai',
  place: { pageUrl: null, timeZone: 'Asia/Shanghai' },
  isTrustedCaller: () => false,
});

const build = async (services: FakeServices, log: string[], options: SurfaceOptions): Promise<FastifyInstance> => {
  const { limits: limitSettings, timeoutMs = 30_000 } = options;
  const logger = { level: 'debug', stream: { write: (line: string) => log.push(line) } };
  const app = fastify({ bodyLimit, logger, logController: quietController() });
  addCallContext(app, timeoutMs);
  addRequestLog(app);
  const routes = collectRoutes(app);
  const limits = new RequestLimits({ anonymousPerMinute: 6_000, knownPerMinute: 600, ...limitSettings });
  addNotFound(app, routes, limits, () => problemShapeA);
  await registerSurfaceA(app, depsOf(services, limits, options));
  await app.ready();
  return app;
};

const surfaceOf = (app: FastifyInstance, services: FakeServices, log: string[]): SurfaceA => ({
  app,
  services,
  log,
  post: (path, body) =>
    app.inject({ method: 'POST', url: `/api/v1${path}`, ...(body === undefined ? {} : { payload: Object(body) }) }),
  postText: (path, payload, contentType) =>
    app.inject({
      method: 'POST',
      url: `/api/v1${path}`,
      payload,
      headers: contentType === undefined ? {} : { 'content-type': contentType },
    }),
});

const most = Number.MAX_SAFE_INTEGER;
/** Tests of one file count together, which none of them means. */
const limits = { anonymousPerMinute: most, knownPerMinute: most };

let shared: Promise<FastifyInstance> | null = null;
let current: FakeServices;
const sharedLog: string[] = [];

const sharedSurface = async (): Promise<SurfaceA> => {
  current = fakeServices();
  sharedLog.length = 0;
  shared ??= build(
    standIns(() => current),
    sharedLog,
    { limits },
  );
  return surfaceOf(await shared, current, sharedLog);
};

const ownSurface = async (options: SurfaceOptions): Promise<SurfaceA> => {
  const services = fakeServices();
  const log: string[] = [];
  const app = await build(services, log, options);
  open.push(app);
  return surfaceOf(app, services, log);
};

/**
 * The surface alone, over fake services of the test's own. The tests of one file share it; with options, even empty
 * ones, a test has its own to listen with, closed after it.
 */
export const surfaceA = (options?: SurfaceOptions): Promise<SurfaceA> =>
  options === undefined ? sharedSurface() : ownSurface(options);

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
/** The evaluation task: its failures are answers of the task, two of them with its state. */
export const taskOperations = studentOperations.filter(([path]) => path.startsWith('/jwc/evaluation/'));
/** Operations that read from academic affairs and answer with what was read. */
export const academicOperations = studentOperations.filter(([path]) => /^\/jwc\/(?!evaluation\/)/.test(path));

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

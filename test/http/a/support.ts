import fastify, { type FastifyInstance, type LightMyRequestResponse } from 'fastify';
import { afterEach } from 'vitest';
import { addCallContext, contextOf } from '../../../src/platform/call-context.ts';
import { createLimits, defaultLimits, type LimitSettings } from '../../../src/platform/limits.ts';
import { addMissing, collectRoutes } from '../../../src/platform/missing.ts';
import { addRequestLog, quietController } from '../../../src/platform/request-log.ts';
import { bodyLimit } from '../../../src/platform/server-options.ts';
import { registerSurfaceA } from '../../../src/surfaces/a/index.ts';
import { problemShapeA } from '../../../src/surfaces/a/problem.ts';
import { exampleToken, type FakeServices, fakeServices } from '../../support/fake-services.ts';

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

/** The surface alone, over fake services; closed after each test. */
export const surfaceA = async (
  options: { readonly limits?: Partial<LimitSettings>; readonly timeoutMs?: number } = {},
): Promise<SurfaceA> => {
  const { limits: limitSettings, timeoutMs = 30_000 } = options;
  const services = fakeServices();
  const log: string[] = [];
  const logger = { level: 'debug', stream: { write: (line: string) => log.push(line) } };
  const app = fastify({ bodyLimit, logger, logController: quietController() });
  open.push(app);
  addRequestLog(app);
  addCallContext(app, timeoutMs);
  const routes = collectRoutes(app);
  const limits = await createLimits(app, { ...defaultLimits, ...limitSettings });
  addMissing(app, routes, limits, () => problemShapeA);
  await registerSurfaceA(app, { ...services, timeZone: 'Asia/Shanghai', contextOf, limits });
  await app.ready();
  return {
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
  };
};

export const login = { userid: '2023000001', password: 'secret-password', vpn_password: 'secret-vpn' };
export const signedIn = { token: exampleToken };
export const termScore = { request: { term_id: '2024-2025-2-1' }, AuthmeRequest: signedIn };
export const schedule = { request: { plan_code: '2024-2025-2-1' }, AuthmeRequest: signedIn };

export const typedOperations = [
  ['/user/veryfy_invite_code', { invite_code: 'DEMO-2026' }],
  ['/user/register', { ...login, invite_token: 'secret-invite-token' }],
  ['/user/login', login],
  ['/user/authme', signedIn],
  ['/jwc/fetch_academic_info', signedIn],
  ['/jwc/fetch_all_terms', signedIn],
  ['/jwc/fetch_term_score', termScore],
  ['/jwc/fetch_course_schedule', schedule],
  ['/aac/fetch_score_info', signedIn],
  ['/aac/fetch_score_list', signedIn],
] as const;

/** Operations that ask the campus. */
export const campusOperations = typedOperations.filter(([path]) => !path.startsWith('/user/'));
export const academicOperations = typedOperations.filter(([path]) => path.startsWith('/jwc/'));

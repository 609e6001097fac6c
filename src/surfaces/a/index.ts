import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import { asFailure } from '../../domain/errors.ts';
import { callerUnit } from '../../lib/address.ts';
import { addBodyMeter } from '../../platform/large-bodies.ts';
import { createValidator } from '../../platform/validation.ts';
import { readBodiesOf } from './body.ts';
import { answerError, isInvalidBody } from './error-handler.ts';
import type { SurfaceADeps } from './operation.ts';
import { addAcademicsRoutes } from './routes/academics.ts';
import { addActivityScoreRoutes } from './routes/activity-score.ts';
import { addEvaluationRoutes } from './routes/evaluation.ts';
import { addProfileRoutes } from './routes/profiles.ts';
import { addStudiesRoutes } from './routes/studies.ts';
import { addUserRoutes } from './routes/user.ts';

export type { SurfaceADeps } from './operation.ts';

/** Where the surface lives. */
export const surfaceAPrefix = '/api/v1';

/** What the operations of this surface are grouped by. */
export const tagsA = [
  { name: 'v1 user', description: 'Invite codes, registration, login, the token check and the profile of the app.' },
  { name: 'v1 academics', description: 'Summary, terms, scores, schedule, training plan and exams.' },
  { name: 'v1 activity score', description: 'Total and items of the activity score.' },
  { name: 'v1 evaluation', description: 'The task that evaluates courses, one after another, in the background.' },
] as const;

/** Large bodies that one address may have under way: a campus often shares one. */
const largeBodiesPerAddress = 8;

/** Adds the operations under `/api/v1` as a scope of their own: own body reading, own errors, own schema names. */
export async function registerSurfaceA(app: FastifyInstance, deps: SurfaceADeps): Promise<void> {
  await app.register(
    async (scope) => {
      readBodiesOf(scope);
      scope.setValidatorCompiler(createValidator('lax'));
      // A call whose body does not fit has no valid token, so it counts against its address.
      scope.setErrorHandler<FastifyError>(async (error, request, reply) => {
        try {
          if (isInvalidBody(error, request)) deps.limits?.anonymous(request);
        } catch (refusal) {
          return answerError(asFailure(refusal), request, reply);
        }
        return answerError(error, request, reply);
      });
      const { bodies, isTrustedCaller = () => false } = deps;
      if (bodies) {
        const senderOf = ({ ip }: FastifyRequest) => ({
          key: callerUnit(ip),
          places: isTrustedCaller(ip) ? Number.POSITIVE_INFINITY : largeBodiesPerAddress,
        });
        addBodyMeter(scope, bodies, senderOf);
      }
      addUserRoutes(scope, deps);
      addProfileRoutes(scope, deps);
      addAcademicsRoutes(scope, deps);
      addStudiesRoutes(scope, deps);
      addActivityScoreRoutes(scope, deps);
      addEvaluationRoutes(scope, deps);
    },
    { prefix: surfaceAPrefix },
  );
}

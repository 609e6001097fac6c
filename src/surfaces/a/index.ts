import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import { asFailure } from '../../domain/errors.ts';
import { callerUnit } from '../../lib/address.ts';
import { addBodyMeter } from '../../platform/limits/large-bodies.ts';
import { createValidator } from '../../platform/requests/validation.ts';
import { readBodiesOf } from './body.ts';
import { answerError, isInvalidBody } from './error-handler.ts';
import type { SurfaceADeps } from './operation.ts';
import { academicsOperations } from './routes/academics.ts';
import { activityScoreOperations } from './routes/activity-score.ts';
import { evaluationOperations } from './routes/evaluation.ts';
import { profileOperations } from './routes/profiles.ts';
import { studiesOperations } from './routes/studies.ts';
import { userOperations } from './routes/user.ts';

export type { SurfaceADeps } from './operation.ts';

export const surfaceAPrefix = '/api/v1';

export const tagsA = [
  { name: 'v1 user', description: 'Invite codes, registration, login, the token check and the profile of the app.' },
  { name: 'v1 academics', description: 'Summary, terms, scores, schedule, training plan and exams.' },
  { name: 'v1 activity score', description: 'Total and items of the activity score.' },
  { name: 'v1 evaluation', description: 'The task that evaluates courses, one after another, in the background.' },
] as const;

/** Large bodies that one address may have under way, and their bytes: a campus often shares one. */
const perAddress = { places: 8, mostBytes: 32 * 1_048_576 };
const unlimited = { places: Number.POSITIVE_INFINITY };

const operationsA = [
  userOperations,
  profileOperations,
  academicsOperations,
  studiesOperations,
  activityScoreOperations,
  evaluationOperations,
];

/** Adds the operations under `/api/v1` as a separate scope: own body reading, own errors, own schema names. */
export async function registerSurfaceA(app: FastifyInstance, deps: SurfaceADeps): Promise<void> {
  const { http, pageUrl, isTrustedCaller } = deps;
  await app.register(
    async (scope) => {
      readBodiesOf(scope);
      scope.setValidatorCompiler(createValidator('lax'));
      // A call whose body does not fit has no valid token, so it counts against its address.
      scope.setErrorHandler<FastifyError>(async (error, request, reply) => {
        try {
          if (isInvalidBody(error, request)) http.limits.anonymous(request);
        } catch (refusal) {
          return answerError(asFailure(refusal), request, reply, pageUrl);
        }
        return answerError(error, request, reply, pageUrl);
      });
      addBodyMeter(scope, http.bodies, ({ call: { address } }: FastifyRequest) => ({
        key: callerUnit(address),
        // The token is inside.
        verified: false,
        ...(isTrustedCaller(address) ? unlimited : perAddress),
      }));
      for (const add of operationsA.flatMap((operationsOf) => operationsOf(deps))) add(scope, deps);
    },
    { prefix: surfaceAPrefix },
  );
}

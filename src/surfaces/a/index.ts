import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { asFailure, Failure } from '../../domain/errors.ts';
import { logFailure } from '../../platform/failure-log.ts';
import { noteForLog } from '../../platform/request-log.ts';
import { readBodiesOf } from './body.ts';
import { answerOf, bodyTooLarge } from './failures.ts';
import { InvalidBody, malformedJson, notAnObject } from './invalid-body.ts';
import type { SurfaceADeps } from './operation.ts';
import { sendFailure, sendInvalidBody } from './reply.ts';
import { addAcademicsRoutes } from './routes/academics.ts';
import { addUserRoutes } from './routes/user.ts';

export type { SurfaceADeps } from './operation.ts';

/** Where the surface lives. */
export const surfaceAPrefix = '/api/v1';

/** What the framework refuses before an operation sees the body. */
const answerUnreadBody = (code: string | undefined, reply: FastifyReply): FastifyReply | null => {
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return sendFailure(reply, bodyTooLarge);
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return sendInvalidBody(
        reply,
        new InvalidBody([{ type: 'model_attributes_type', loc: ['body'], msg: notAnObject }]),
      );
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return sendInvalidBody(reply, new InvalidBody([malformedJson(0)]));
    default:
      return null;
  }
};

/** What came out of hooks of the platform, body reading or serialization, as a failure. */
const failureOf = (error: FastifyError): Failure => {
  if (error.statusCode === 429) return new Failure('rate-limited', { cause: error });
  if (error.statusCode === 503) return new Failure('overloaded', { cause: error });
  // A body that stops in the middle: the client left while sending.
  if (error.code === 'ECONNRESET') return new Failure('client-gone', { cause: error });
  return asFailure(error);
};

const answerError = (error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const unread = answerUnreadBody(error.code, reply);
  if (unread) return unread;
  const failure = failureOf(error);
  const answer = answerOf(failure, 'user');
  noteForLog(request, { failure: failure.kind });
  logFailure(request.log, failure, answer.code);
  return sendFailure(reply, answer);
};

/** Adds the operations under `/api/v1` as a scope of their own: own body reading, own errors, own schema names. */
export async function registerSurfaceA(app: FastifyInstance, deps: SurfaceADeps): Promise<void> {
  await app.register(
    async (scope) => {
      readBodiesOf(scope);
      // Bodies are validated inside the operations; the schema of a route only documents them.
      scope.setValidatorCompiler(() => () => true);
      scope.setErrorHandler(answerError);
      addUserRoutes(scope, deps);
      addAcademicsRoutes(scope, deps);
    },
    { prefix: surfaceAPrefix },
  );
}

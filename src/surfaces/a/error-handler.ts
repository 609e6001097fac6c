import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { asFailure, Failure } from '../../domain/errors.ts';
import { logFailure } from '../../platform/failure-log.ts';
import { BodyTooSlow } from '../../platform/large-bodies.ts';
import { noteForLog } from '../../platform/request-log.ts';
import { answerOf, bodyTooLarge, bodyTooSlow } from './failures.ts';
import { InvalidBody, malformedJson } from './invalid-body.ts';
import { sendFailure, sendInvalidBody } from './reply.ts';

/** What came out of hooks of the platform, body reading or serialization, as a failure. */
const failureOf = (error: FastifyError | Error): Failure => {
  if ('statusCode' in error && error.statusCode === 429) return new Failure('rate-limited', { cause: error });
  if ('statusCode' in error && error.statusCode === 503) return new Failure('overloaded', { cause: error });
  // A body that stops in the middle: the client left while sending.
  if ('code' in error && error.code === 'ECONNRESET') return new Failure('client-gone', { cause: error });
  return asFailure(error);
};

/** Renders what was thrown outside the work of an operation, and logs it once. */
export const answerError = (
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply => {
  const code = 'code' in error ? error.code : undefined;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return sendFailure(reply, bodyTooLarge);
  if (error instanceof BodyTooSlow) return sendFailure(reply, bodyTooSlow);
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH') return sendInvalidBody(reply, new InvalidBody([malformedJson(0)]));
  const failure = failureOf(error);
  const answer = answerOf(failure, 'user');
  noteForLog(request, { failure: failure.kind });
  logFailure(request.log, failure, answer.code);
  return sendFailure(reply, answer);
};

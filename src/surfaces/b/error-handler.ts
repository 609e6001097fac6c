import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Failure } from '../../domain/errors.ts';
import { failureOf, recordFailure } from '../../platform/call/call.ts';
import { languageOf } from '../../platform/languages.ts';
import { BodyTooSlow } from '../../platform/limits/large-bodies.ts';
import { noteForLog } from '../../platform/logs/request-log.ts';
import { type Finding, malformedJson, notAnObject, RequestInvalid } from '../../platform/requests/findings.ts';
import type { ChallengePlace } from '../common/challenges.ts';
import { type Detail, detailOf, type Envelopes, operationKindOf } from './envelope.ts';
import { type answerOf, answerTo, type ErrorCode, errorTable, factsOf } from './failures.ts';
import { EmptyPath, NotJson } from './requests.ts';

export type RefusalAnswer = Pick<ReturnType<typeof answerOf>, 'code' | 'message'> & {
  readonly data?: unknown;
  readonly retryAfterSeconds?: number;
};

/** A refusal of an operation although nothing has failed: the domain returned a value, and this answers it. */
export class Refused extends Error {
  readonly answer: RefusalAnswer;

  constructor(answer: RefusalAnswer) {
    super(`refused: ${answer.code}`);
    this.name = 'Refused';
    this.answer = answer;
  }
}

/** In the language that the request wants. What was sent is not repeated. */
const detailsFor = (request: FastifyRequest, findings: readonly Finding[]): readonly Detail[] => {
  const language = languageOf(request.headers['accept-language']);
  return findings.map((finding) => detailOf(finding, language));
};

interface Refusal {
  readonly code: ErrorCode;
  readonly findings?: readonly Finding[];
  readonly message?: string;
  readonly data?: unknown;
  readonly retryAfterSeconds?: number;
}

/** Finds a fault of the request itself, or of the time it comes at; null when something else failed. */
const refusalOf = (error: FastifyError | Error, request: FastifyRequest): Refusal | null => {
  if (error instanceof RequestInvalid) return { code: 'VALIDATION_ERROR', findings: error.findings };
  if (error instanceof Refused) return error.answer;
  if (error instanceof EmptyPath) return { code: 'EMPTY_PATH' };
  if (error instanceof BodyTooSlow) return { code: 'BODY_TOO_SLOW' };
  const code = 'code' in error ? error.code : undefined;
  if (error instanceof NotJson || code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return request.routeOptions.config.refusesOtherTypes === true
      ? { code: 'UNSUPPORTED_MEDIA_TYPE' }
      : { code: 'VALIDATION_ERROR', findings: [{ ...notAnObject, loc: ['body'] }] };
  }
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return { code: 'BODY_TOO_LARGE' };
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return { code: 'VALIDATION_ERROR', findings: [{ ...malformedJson, loc: ['body'] }] };
    default:
      return null;
  }
};

const wordsOf = (request: FastifyRequest, code: ErrorCode): string | undefined =>
  request.routeOptions.config.messages?.[code];

const statusOf = (request: FastifyRequest, status: number): number =>
  request.routeOptions.config.statusInstead?.[status] ?? status;

/** RFC 6750. */
const challengeOf = ({ kind, scope }: Failure, status: number): string | null => {
  if (kind !== 'scope-missing') return status === 401 ? 'Bearer' : null;
  return `Bearer error="insufficient_scope"${scope ? `, scope="${scope}"` : ''}`;
};

/** Renders everything that is thrown on this surface, and logs it once. */
export const createErrorHandler =
  (envelopes: Envelopes, place: ChallengePlace) =>
  (error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const traceId = request.id;
    const operation = operationKindOf(request);
    const refusal = refusalOf(error, request);
    if (refusal) {
      const { code, findings, data, retryAfterSeconds, message = wordsOf(request, code) } = refusal;
      noteForLog(request, { failure: code });
      if (retryAfterSeconds !== undefined) reply.header('Retry-After', String(retryAfterSeconds));
      const details = findings && { details: detailsFor(request, findings) };
      const { status } = errorTable[code];
      const facts = factsOf(status, operation);
      const refused = envelopes.failure({ code, facts, message, traceId, data, ...details });
      return reply.code(statusOf(request, status)).send(refused);
    }
    const failure = failureOf(error);
    const answer = answerTo(failure, request.routeOptions.config.wording ?? 'data', place);
    const { code, retryAfterSeconds, data } = answer;
    const message = wordsOf(request, code) ?? answer.message;
    const facts = factsOf(errorTable[code].status, operation, failure);
    const status = statusOf(request, errorTable[code].status);
    recordFailure(request, failure, status);
    const challenge = challengeOf(failure, status);
    if (challenge !== null) reply.header('WWW-Authenticate', challenge);
    if (retryAfterSeconds !== undefined) reply.header('Retry-After', String(retryAfterSeconds));
    return reply.code(status).send(envelopes.failure({ code, facts, message, traceId, data }));
  };

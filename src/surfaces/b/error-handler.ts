import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { CampusFacts } from '../../domain/capabilities.ts';
import { type Failure, isFailure, toldOfCampus } from '../../domain/errors.ts';
import { failureOfError, recordFailure } from '../../http/call/call.ts';
import { languageOf } from '../../http/languages.ts';
import { BodyTooSlow } from '../../http/limits/large-bodies.ts';
import { noteForLog } from '../../http/logs/logger.ts';
import { malformedJson, notAnObject, type RequestFinding, RequestInvalid } from '../../http/requests/findings.ts';
import type { ChallengePlace } from '../common/challenges.ts';
import { detailOf, type Envelopes, operationKindOf } from './envelope.ts';
import { type ErrorCode, errorTable } from './error-codes.ts';
import { answerOf } from './failures.ts';

interface RefusalAnswer {
  readonly code: ErrorCode;
  /** Left out: that of the code. */
  readonly message?: string;
  readonly data?: unknown;
  readonly retryAfterSeconds?: number | undefined;
  readonly findings?: readonly RequestFinding[];
}

/** A refusal although nothing has failed: of the request, or by what the domain returned. */
export class RequestRefused extends Error {
  readonly answer: RefusalAnswer;

  constructor(answer: RefusalAnswer) {
    super(`refused: ${answer.code}`);
    this.name = 'Refused';
    this.answer = answer;
  }
}

/** Answers a body of another content type than JSON, which was not read. */
export const notJson = ({ routeOptions }: FastifyRequest): RequestRefused =>
  new RequestRefused(
    routeOptions.config.described?.failures?.includes('UNSUPPORTED_MEDIA_TYPE')
      ? { code: 'UNSUPPORTED_MEDIA_TYPE' }
      : { code: 'VALIDATION_ERROR', findings: [{ ...notAnObject, loc: ['body'] }] },
  );

/** Tells a fault of the request itself from everything else that failed. */
const faultOf = (error: FastifyError | Error, request: FastifyRequest): RefusalAnswer | Failure => {
  if (error instanceof RequestInvalid) return { code: 'VALIDATION_ERROR', findings: error.findings };
  if (error instanceof RequestRefused) return error.answer;
  if (error instanceof BodyTooSlow) return { code: 'BODY_TOO_SLOW' };
  switch ('code' in error ? error.code : undefined) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return notJson(request).answer;
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return { code: 'BODY_TOO_LARGE' };
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return { code: 'VALIDATION_ERROR', findings: [{ ...malformedJson, loc: ['body'] }] };
    default:
      return failureOfError(error);
  }
};

/** RFC 6750. */
const challengeOf = (failure: Failure | undefined, status: number): string | null => {
  if (failure?.kind !== 'scope-missing') return status === 401 ? 'Bearer' : null;
  return `Bearer error="insufficient_scope"${failure.scope ? `, scope="${failure.scope}"` : ''}`;
};

/** Renders everything that is thrown on this surface, and logs it once. */
export const createErrorHandler =
  (envelopes: Envelopes, place: ChallengePlace, campus: Pick<CampusFacts, 'hasPortal'>) =>
  (error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { statusInstead, described } = request.routeOptions.config;
    const found = faultOf(error, request);
    const fault = isFailure(found) ? toldOfCampus(found, campus) : found;
    const failure = isFailure(fault) ? fault : undefined;
    const answer: RefusalAnswer = isFailure(fault) ? answerOf(fault, described?.wording, place) : fault;
    const { code, data, retryAfterSeconds, findings, message } = answer;
    const usual = errorTable[code].status;
    const status = statusInstead?.[usual] ?? usual;
    if (failure) recordFailure(request, failure, status);
    else noteForLog(request, { failure: code });
    const challenge = challengeOf(failure, status);
    if (challenge !== null) reply.header('WWW-Authenticate', challenge);
    if (retryAfterSeconds !== undefined) reply.header('Retry-After', String(retryAfterSeconds));
    const language = languageOf(request.headers['accept-language']);
    return reply.code(status).send(
      envelopes.failure({
        code,
        operation: operationKindOf(request),
        failure,
        message: described?.messages?.[code] ?? (campus.hasPortal ? message : message?.replace('VPN密码或', '')),
        traceId: request.id,
        details: findings?.map((finding) => detailOf(finding, language)),
        data,
      }),
    );
  };

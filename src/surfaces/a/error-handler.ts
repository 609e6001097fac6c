import type { TSchema } from '@sinclair/typebox';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { isRecord } from '../../lib/records.ts';
import { failureOf, recordFailure } from '../../platform/call.ts';
import { RequestInvalid } from '../../platform/findings.ts';
import { BodyTooSlow } from '../../platform/large-bodies.ts';
import { noteForLog } from '../../platform/request-log.ts';
import { unreadBody } from '../../platform/request-values.ts';
import { answerOf, bodyTooLarge, bodyTooSlow, type OperationGroup, type Overrides } from './failures.ts';
import { malformedJson } from './invalid-body.ts';
import { sendFailure, sendInvalidBody } from './reply.ts';

/** How the failures of one operation are answered. */
export interface FailureStyle {
  readonly group: OperationGroup;
  readonly overrides: Overrides | undefined;
  /** Of the operation's own envelope, for failures with a payload. */
  readonly success: TSchema;
  /** Payload of failures whose code is 401; undefined where they have none. */
  readonly signedOutData: unknown;
  /** What is said about a body that is too large; undefined: the usual. */
  readonly tooLarge: string | undefined;
}

/** A failure on its way to the answer with the payload that its operation gives it. */
export class FailedWithData extends Error {
  readonly data: unknown;

  constructor(cause: unknown, data: unknown) {
    super('operation failed', { cause });
    this.data = data;
  }
}

/** What is wrong with the body of a request, or null when something else failed. */
const invalidBodyOf = (error: Error, request: FastifyRequest): RequestInvalid | null => {
  if (error instanceof RequestInvalid) return error;
  const code = 'code' in error ? error.code : undefined;
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH') return new RequestInvalid([malformedJson(0)]);
  if (code !== 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return null;
  // A content type that cannot even be taken apart is refused before the parser; it is not JSON all the same.
  const checked: unknown = request.getValidationFunction('body')?.(unreadBody);
  return isRecord(checked) && checked.error instanceof RequestInvalid ? checked.error : null;
};

export const isInvalidBody = (error: Error, request: FastifyRequest): boolean => invalidBodyOf(error, request) !== null;

/** Renders everything that is thrown on this surface, and logs it once. */
export const answerError = (
  thrown: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply => {
  const { failureStyle: style } = request.routeOptions.config;
  const invalid = invalidBodyOf(thrown, request);
  if (invalid) {
    noteForLog(request, { failure: 'invalid-body' });
    // The bodies of the account's operations hold credentials, and a client may write one into any member.
    return sendInvalidBody(reply, invalid.findings, style !== undefined && style.group !== 'user');
  }
  if (thrown instanceof BodyTooSlow) return sendFailure(reply, bodyTooSlow);
  if ('code' in thrown && thrown.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return sendFailure(reply, { ...bodyTooLarge, message: style?.tooLarge ?? bodyTooLarge.message });
  }
  const cause = thrown instanceof FailedWithData ? thrown.cause : thrown;
  const failure = failureOf(cause instanceof Error ? cause : thrown);
  const answer = answerOf(failure, style?.group ?? 'user', style?.overrides);
  recordFailure(request, failure, answer.code);
  if (style === undefined) return sendFailure(reply, answer);
  if (thrown instanceof FailedWithData) return sendFailure(reply, answer, { schema: style.success, data: thrown.data });
  return answer.code === 401 && style.signedOutData !== undefined
    ? sendFailure(reply, answer, { schema: style.success, data: style.signedOutData })
    : sendFailure(reply, answer);
};

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set on the operations of the surface below `/api/v1`. */
    failureStyle?: FailureStyle;
  }
}

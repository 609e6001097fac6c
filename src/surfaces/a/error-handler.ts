import type { TSchema } from '@sinclair/typebox';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { CampusFacts } from '../../domain/capabilities.ts';
import { toldOfCampus } from '../../domain/errors.ts';
import { failureOfError, recordFailure } from '../../http/call/call.ts';
import { type Language, languageOf } from '../../http/languages.ts';
import { BodyTooSlow } from '../../http/limits/large-bodies.ts';
import { noteForLog } from '../../http/logs/logger.ts';
import { malformedJson as malformed, type RequestFinding, RequestInvalid } from '../../http/requests/findings.ts';
import { unreadBody } from '../../http/requests/validation.ts';
import type { ProblemKind, ProblemShape } from '../../http/server/problems.ts';
import { isRecord } from '../../lib/text.ts';
import { AuthStatus, ErrorResponse } from './envelope.ts';
import { type Answer, answerOf, bodyTooLarge, bodyTooSlow, type OperationGroup, type Overrides } from './failures.ts';

/** Names of members whose values are never sent back, also where a client writes them a little differently. */
const secretName = /token|password|invite_?code|secret/i;
/** A token of this service, sent as the whole body or in place of another member. */
const tokenForm = /^\s*[A-Za-z0-9_-]{43}\s*$/;
const longest = 1024;

const isSecretName = (name: string): boolean => secretName.test(name) || name === 'AuthmeRequest';

/** @throws Error for a member that must not be sent back, and for a number that JSON cannot hold */
const hideSecrets = (name: string, member: unknown): unknown => {
  // A body that was encoded twice carries its secrets inside a text.
  const isSecret = typeof member === 'string' && (secretName.test(member) || tokenForm.test(member));
  const isEndless = typeof member === 'number' && !Number.isFinite(member);
  if (isSecret || isEndless || secretName.test(name)) throw new Error('not sent back');
  return member;
};

/** `{input}` with the offending value; empty where it is or holds a credential, or takes more than 1 KiB as JSON. */
export const echo = (value: unknown, name = ''): { input?: unknown } => {
  // A password of digits may well be sent as a number.
  if (isSecretName(name) && value !== null && typeof value !== 'boolean') return {};
  try {
    // Undefined for a body that was not read. One that is nested too deeply throws.
    const text: string | undefined = JSON.stringify(value, hideSecrets);
    return text === undefined || Buffer.byteLength(text) > longest ? {} : { input: value };
  } catch {
    return {};
  }
};

export const malformedJsonFinding = (offset: number): RequestFinding => ({
  ...malformed,
  loc: ['body', offset],
  value: {},
  ctx: { error: 'Expecting value' },
});

/** Whether `input` only says that nothing was sent, or nothing readable. */
const isConstant = ({ type, value }: RequestFinding): boolean =>
  type === 'json_invalid' || (type === 'missing' && value === null);

/** One entry of `detail`. `echoes` is false where a body holds credentials: nothing of it is sent back. */
export const findingItemOf = (finding: RequestFinding, echoes: boolean, language: Language) => {
  const { type, loc, msg, value, ctx } = finding;
  // A missing member is reported with what should hold it, which has no name.
  const name = type === 'missing' ? '' : String(loc.at(-1));
  const input = isConstant(finding) ? { input: value } : echoes ? echo(value, name) : {};
  return { type, loc, msg: msg[language], ...input, ...(ctx === undefined ? {} : { ctx }) };
};

/** Serializes by exactly this schema: choosing one from the documented union takes time and can lose members. */
export const sendAs = (reply: FastifyReply, schema: TSchema, value: unknown): FastifyReply =>
  reply
    .header('content-type', 'application/json; charset=utf-8')
    .serializer(reply.compileSerializationSchema(schema))
    .send(value);

/** `failureData`: the payload of an operation whose failures have one, with its schema. */
const sendFailure = (
  reply: FastifyReply,
  answer: Answer,
  failureData?: { readonly schema: TSchema; readonly data: unknown },
): FastifyReply => {
  reply.status(answer.status);
  if (answer.retryAfter !== undefined) reply.header('retry-after', String(answer.retryAfter));
  const { code, message } = answer;
  if (answer.variant === 'auth-status') return sendAs(reply, AuthStatus, { code, message });
  return failureData === undefined
    ? sendAs(reply, ErrorResponse, { code, message, data: null })
    : sendAs(reply, failureData.schema, { code, message, data: failureData.data });
};

const sendInvalidBody = (reply: FastifyReply, findings: readonly RequestFinding[], echoes: boolean): FastifyReply => {
  const language = languageOf(reply.request.headers['accept-language']);
  return reply
    .status(422)
    .header('content-type', 'application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send({ detail: findings.map((finding) => findingItemOf(finding, echoes, language)) });
};

/** How this surface words what the platform answers by itself: unknown paths, wrong methods, overload. */
const problems: Readonly<Record<ProblemKind, object>> = {
  'not-found': { detail: 'Not Found' },
  'method-not-allowed': { detail: 'Method Not Allowed' },
  'too-many-requests': { code: 429, message: '请求过于频繁，请稍后再试', data: null },
  unavailable: { code: 503, message: '服务繁忙，请稍后重试', data: null },
  internal: { code: 500, message: '服务内部错误', data: null },
};

export const problemShapeA: ProblemShape = ({ kind }) => problems[kind];

interface FailureStyle {
  readonly group: OperationGroup;
  readonly overrides: Overrides | undefined;
  /** The schema of the operation's envelope, for failures with a payload. */
  readonly success: TSchema;
  readonly signedOutData: unknown;
  /** Answers a body that is too large; without it the usual words do. */
  readonly tooLarge: string | undefined;
}

/** Carries a failure to its answer, with the payload of its operation. */
export class FailedWithData extends Error {
  readonly data: unknown;

  constructor(cause: unknown, data: unknown) {
    super('operation failed', { cause });
    this.data = data;
  }
}

/** Null when something other than the body is wrong. */
const invalidBodyOf = (error: Error, request: FastifyRequest): RequestInvalid | null => {
  if (error instanceof RequestInvalid) return error;
  const code = 'code' in error ? error.code : undefined;
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH') return new RequestInvalid([malformedJsonFinding(0)]);
  if (code !== 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return null;
  // A malformed content type is refused before the parser; it is not JSON either.
  const checked: unknown = request.getValidationFunction('body')?.(unreadBody);
  return isRecord(checked) && checked.error instanceof RequestInvalid ? checked.error : null;
};

export const isInvalidBody = (error: Error, request: FastifyRequest): boolean => invalidBodyOf(error, request) !== null;

/** Renders everything that is thrown on this surface, and logs it once. */
export const answerError = (
  thrown: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
  pageUrl: string | null,
  campus: Pick<CampusFacts, 'hasPortal'>,
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
  const failure = toldOfCampus(failureOfError(cause instanceof Error ? cause : thrown), campus);
  const answer = answerOf(failure, style?.group ?? 'user', style?.overrides, pageUrl);
  recordFailure(request, failure, answer.code);
  const signedOut = answer.code === 401 ? style?.signedOutData : undefined;
  const data = thrown instanceof FailedWithData ? thrown.data : signedOut;
  return sendFailure(reply, answer, style && data !== undefined ? { schema: style.success, data } : undefined);
};

declare module 'fastify' {
  interface FastifyContextConfig {
    failureStyle?: FailureStyle;
  }
}

import type { TSchema } from '@sinclair/typebox';
import { Type } from '@sinclair/typebox';
import type { FastifyReply } from 'fastify';
import type { Finding } from '../../platform/findings.ts';
import { languageOf } from '../../platform/languages.ts';
import type { Answer } from './failures.ts';
import { itemOf } from './invalid-body.ts';

const authStatus = Type.Object({ code: Type.Integer(), message: Type.String() });
const failed = Type.Object({ code: Type.Integer(), message: Type.String(), data: Type.Null() });

/**
 * Sends a value through the serializer of exactly the variant it is. The documented union of variants is never used
 * for this: choosing a branch by validation costs time on every row and can lose members.
 */
export const sendAs = (reply: FastifyReply, schema: TSchema, value: unknown): FastifyReply =>
  reply
    .header('content-type', 'application/json; charset=utf-8')
    .serializer(reply.compileSerializationSchema(schema))
    .send(value);

/** `failureData` replaces the null of an error that has a payload of its own, with the schema to write it. */
export const sendFailure = (
  reply: FastifyReply,
  answer: Answer,
  failureData?: { readonly schema: TSchema; readonly data: unknown },
): FastifyReply => {
  reply.status(answer.status);
  if (answer.retryAfter !== undefined) reply.header('retry-after', String(answer.retryAfter));
  const { code, message } = answer;
  if (answer.variant === 'auth-status') return sendAs(reply, authStatus, { code, message });
  return failureData === undefined
    ? sendAs(reply, failed, { code, message, data: null })
    : sendAs(reply, failureData.schema, { code, message, data: failureData.data });
};

/** The items are small and already complete, so they are written as they are. */
export const sendInvalidBody = (reply: FastifyReply, findings: readonly Finding[], echoes: boolean): FastifyReply => {
  const language = languageOf(reply.request.headers['accept-language']);
  return reply
    .status(422)
    .header('content-type', 'application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send({ detail: findings.map((finding) => itemOf(finding, echoes, language)) });
};

import { KindGuard, type TSchema, Type } from '@sinclair/typebox';
import type { FastifySchema } from 'fastify';
import { exampleOf } from '../../domain/record.ts';
import {
  type HeaderParameter,
  headerParameters,
  inLanguages,
  neededCapabilities,
  optionalBody,
  securityOf,
} from '../../platform/docs/openapi.ts';
import { type Described, routeOf } from './described.ts';
import { decisionEnvelope, type Envelopes, successEnvelope } from './envelope.ts';
import { everywhere, exampleDetails, exampleTimestamp, failureResponses, levelFailures } from './failure-documents.ts';
import type { ErrorCode } from './failures.ts';
import { refusesUnknownNames } from './specified.ts';

/** Marks members with a default as optional: the checked value always has them. */
const withOptionalDefaults = <Q extends TSchema>(query: Q): Q => {
  if (!KindGuard.IsObject(query)) return query;
  const hasDefault = (name: string): boolean => 'default' in Object(query.properties[name]);
  const required = (query.required ?? []).filter((name) => !hasDefault(name));
  return { ...query, required };
};

/** Headers that tell the age of a read. */
const readHeaders = {
  Age: {
    type: 'integer',
    description: 'Seconds since its reading at the campus began; missing when it was read for this call.',
  },
  'Cache-Status': { type: 'string', description: 'Where the value came from (RFC 9211).' },
  'Cache-Control': {
    type: 'string',
    description: '`private, no-cache`; `no-store` on a value older than its freshness.',
  },
  ETag: { type: 'string', description: 'For `If-None-Match`; missing on a value older than its freshness.' },
};

const ifNoneMatch: HeaderParameter = {
  description: 'The `ETag` of the answer that the client has: 304 while it is the same.',
  schema: { type: 'string' },
};

/** How old a read may be, as the caller says it. */
const readParameters: Readonly<Record<string, HeaderParameter>> = {
  'Cache-Control': {
    description:
      'How old the answer may be: `no-cache`, `no-store`, `only-if-cached`, and in seconds `max-age`, `max-stale`, `stale-if-error`, `stale-while-revalidate`.',
    schema: { type: 'string' },
  },
  'X-Copy': {
    description: '`only`: as `only-if-cached`, for clients that keep that one to themselves.',
    schema: { type: 'string' },
  },
  'If-None-Match': ifNoneMatch,
};

/** For what is delivered with an ETag. */
export const deliveryParameters: Readonly<Record<string, HeaderParameter>> = { 'If-None-Match': ifNoneMatch };

const readDescription =
  'A read with an age: `Cache-Control` of the request may hold `no-cache`, `max-age`, `max-stale`, `only-if-cached`, ' +
  '`stale-if-error`, `stale-while-revalidate` and `no-store`; `X-Copy: only` stands for `only-if-cached`. A value older than its freshness says so ' +
  'at the end of `message`. See `docs/use/freshness.md`.';

/** The schema of one route: it documents and checks requests, and documents and serializes answers. */
export const operationSchema = <B extends TSchema, P extends TSchema, Q extends TSchema>(
  operation: Described<B, P, Q>,
  envelopes: Envelopes,
): FastifySchema & { readonly body?: B; readonly params?: P; readonly querystring?: Q } => {
  const {
    level,
    route,
    scope,
    operationId,
    tag,
    summary,
    description,
    body,
    params,
    query,
    data,
    message,
    example: { body: bodyExample, data: dataExample = exampleOf(data) } = {},
    failures = [],
    answerHeaders,
  } = operation;
  const isRead = level === 'TU' && route.startsWith('GET ') && operation.ageless !== true;
  const refusedCodes = operation.refusals?.cases.map(({ code }) => code) ?? [];
  const scopeFailures: readonly ErrorCode[] = scope === undefined || scope === 'any' ? [] : ['INSUFFICIENT_SCOPE'];
  const codes: ErrorCode[] = [
    ...levelFailures[level],
    ...scopeFailures,
    ...(operation.wording === 'applications' ? (['UNKNOWN'] as const) : []),
    ...(operation.needs?.length ? (['NOT_OFFERED'] as const) : []),
    ...failures,
    ...refusedCodes,
    ...everywhere,
  ];
  if (isRead) codes.push('NO_COPY');
  if (body) codes.push('BODY_TOO_LARGE', 'VALIDATION_ERROR');
  // A path value that is over-long or cannot be decoded is an unknown path.
  if (params) codes.push('EMPTY_PATH', 'NOT_FOUND');
  const [, path] = routeOf(route);
  if (exampleDetails(operation).length > 0 || refusesUnknownNames(path)) codes.push('VALIDATION_ERROR');
  const success = { ...envelopes.success(message, dataExample), timestamp: exampleTimestamp };
  const texts = [description, isRead ? readDescription : undefined].filter((text) => text !== undefined);
  const described = texts.length === 0 ? {} : { description: texts.join('\n\n') };
  const { refused } = operation;
  const refusal = refused && {
    refused: { value: { ...envelopes.decision(false, refused.message, refused.data), timestamp: exampleTimestamp } },
  };
  return {
    ...(operation.hidden ? { hide: true } : {}),
    operationId,
    tags: [tag],
    ...inLanguages(summary),
    ...described,
    ...securityOf(scope, operation.optionalToken === true),
    ...(operation.needs?.length ? { [neededCapabilities]: operation.needs } : {}),
    ...{ [headerParameters]: isRead ? readParameters : operation.requestHeaders },
    ...(operation.bodyOptional ? { [optionalBody]: true } : {}),
    ...(body ? { body: { ...body, 'x-examples': { request: { value: bodyExample ?? exampleOf(body) } } } } : {}),
    ...(params ? { params } : {}),
    ...(query ? { querystring: withOptionalDefaults(query) } : {}),
    response: {
      200: {
        ...(refused ? decisionEnvelope(data) : successEnvelope(data)),
        'x-response-description': message,
        'x-examples': { success: { value: success }, ...refusal },
        ...(isRead || answerHeaders ? { headers: { ...(isRead ? readHeaders : {}), ...answerHeaders } } : {}),
      },
      ...(isRead
        ? { 304: { description: 'The client has this answer already.', type: 'null', headers: readHeaders } }
        : {}),
      ...failureResponses(codes, operation, envelopes),
    },
  };
};

/** The same for what is delivered as it is: its successes are `delivered`, and nothing of its request is refused. */
export const deliverySchema = (
  operation: Omit<Described, 'data' | 'message'>,
  delivered: Readonly<Record<number, unknown>>,
  envelopes: Envelopes,
): FastifySchema => {
  const json = { data: Type.Unknown(), message: '', example: { data: null } };
  const { response, ...described } = operationSchema({ ...operation, ...json }, envelopes);
  const { 200: _json, 400: _empty, 422: _invalid, ...failures } = Object(response);
  return { ...described, response: { ...delivered, ...failures } };
};

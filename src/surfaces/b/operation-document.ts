import { KindGuard, type TSchema } from '@sinclair/typebox';
import type { FastifySchema } from 'fastify';
import { exampleOf } from '../../domain/record.ts';
import {
  type HeaderParameter,
  headerParameters,
  inLanguages,
  neededCapabilities,
  optionalBody,
  securityOf,
} from '../../http/docs/openapi.ts';
import { exampleAnswer, type Told, type Worded } from '../common/operation.ts';
import { type DescribedB, type Route, refusesUnknownNames, routeOf } from './described.ts';
import { decisionEnvelope, type Envelopes, successEnvelope } from './envelope.ts';
import type { ErrorCode } from './error-codes.ts';
import {
  exampleDetails,
  failureResponses,
  levelFailures,
  reservedResponses,
  shownEnvelope,
} from './failure-documents.ts';

/** Marks members with a default as optional: the checked value always has them. */
const withOptionalDefaults = <Q extends TSchema>(query: Q): Q => {
  if (!KindGuard.IsObject(query)) return query;
  const hasDefault = (name: string): boolean => 'default' in Object(query.properties[name]);
  const required = (query.required ?? []).filter((name) => !hasDefault(name));
  return { ...query, required };
};

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

export const ifNoneMatch: HeaderParameter = {
  description: 'The `ETag` of the answer that the client has: 304 while it is the same.',
  schema: { type: 'string' },
};

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

const readDescription =
  'A read with an age: `Cache-Control` of the request may hold `no-cache`, `max-age`, `max-stale`, `only-if-cached`, ' +
  '`stale-if-error`, `stale-while-revalidate` and `no-store`; `X-Copy: only` stands for `only-if-cached`. A value older than its freshness says so ' +
  'at the end of `message`. See `docs/use/freshness.md`.';

const failureCodes = (route: Route, operation: DescribedB): ErrorCode[] => {
  const { level, scope, wording, needs, failures = [], toldInData, refusals, body, params } = operation;
  const codes: ErrorCode[] = [...levelFailures[level]];
  if (scope !== undefined && scope !== 'any') codes.push('INSUFFICIENT_SCOPE');
  if (wording === 'applications') codes.push('UNKNOWN');
  if (needs?.length) codes.push('NOT_OFFERED');
  codes.push(...failures, ...(refusals?.cases ?? []).map(({ code }) => code), 'SERVER_ERROR', 'SERVICE_UNAVAILABLE');
  if (isRead(route, operation)) codes.push('NO_COPY');
  if (body) codes.push('BODY_TOO_LARGE', 'VALIDATION_ERROR');
  // A path value that is over-long or cannot be decoded is an unknown path.
  if (params) codes.push('EMPTY_PATH', 'NOT_FOUND');
  const [, path] = routeOf(route);
  if (exampleDetails(operation).length > 0 || refusesUnknownNames(path)) codes.push('VALIDATION_ERROR');
  return codes.filter((code) => !toldInData?.includes(code));
};

const isRead = (route: Route, { level, ageless }: DescribedB): boolean =>
  level === 'TU' && route.startsWith('GET ') && ageless !== true;

const successAnswer = (isRead: boolean, operation: DescribedB, shown: Told<unknown>, envelopes: Envelopes) => {
  const { data, refused, answerHeaders } = operation;
  return {
    ...(refused ? decisionEnvelope(data) : successEnvelope(data)),
    'x-response-description': shown.message,
    'x-examples': {
      success: shownEnvelope(envelopes.success(shown.message, shown.data)),
      ...(refused ? { refused: shownEnvelope(envelopes.decision(false, refused.message, refused.data)) } : {}),
    },
    ...(isRead || answerHeaders ? { headers: { ...(isRead ? readHeaders : {}), ...answerHeaders } } : {}),
  };
};

/** The schema of one route: it documents and checks requests, and documents and serializes answers. */
export const operationSchema = <B extends TSchema, P extends TSchema, Q extends TSchema, D extends TSchema>(
  route: Route,
  operationId: string,
  operation: DescribedB<B, P, Q, D> & Worded<D>,
  envelopes: Envelopes,
): FastifySchema & { readonly body?: B; readonly params?: P; readonly querystring?: Q } => {
  const { scope, needs, body, params, query, example } = operation;
  const hasAge = isRead(route, operation);
  const texts = [operation.description, hasAge ? readDescription : undefined].filter((text) => text !== undefined);
  const schema = {
    operationId,
    tags: [operation.tag],
    ...inLanguages(operation.summary),
    ...(texts.length === 0 ? {} : { description: texts.join('\n\n') }),
    ...securityOf(scope, operation.optionalToken === true),
    ...(needs?.length ? { [neededCapabilities]: needs } : {}),
    [headerParameters]: hasAge ? readParameters : operation.requestHeaders,
    ...(operation.bodyOptional ? { [optionalBody]: true } : {}),
    ...(body ? { body: { ...body, 'x-examples': { request: { value: example?.body ?? exampleOf(body) } } } } : {}),
    ...(params ? { params } : {}),
    ...(query ? { querystring: withOptionalDefaults(query) } : {}),
    response: {
      200: successAnswer(hasAge, operation, exampleAnswer(operation), envelopes),
      ...(hasAge
        ? { 304: { description: 'The client has this answer already.', type: 'null', headers: readHeaders } }
        : {}),
      ...reservedResponses(operation),
      ...failureResponses(failureCodes(route, operation), route, operation, envelopes),
    },
  };
  return schema;
};

import { KindGuard, type Static, type TSchema } from '@sinclair/typebox';
import type { FastifySchema } from 'fastify';
import { optionalBody } from '../../platform/openapi.ts';
import { retryAfter } from '../../platform/openapi-answers.ts';
import type { Detail, Envelopes } from './envelope.ts';
import { checkTheResult, type ErrorCode, errorTable, type Messages, partMessages, type WordedPart } from './errors.ts';
import type { RefusalAnswer } from './refusal.ts';
import {
  coolDownEnvelope,
  decisionEnvelope,
  FailureEnvelope,
  InvalidEnvelope,
  refusalEnvelope,
  successEnvelope,
} from './schemas/envelope.ts';

/** `-` no header; `T` a token known to storage; `TU` also a session at the campus, made on demand by the domain. */
export type Level = '-' | 'T' | 'TU';

/** What every operation of a level may answer. */
const levelFailures: Readonly<Record<Level, readonly ErrorCode[]>> = {
  '-': ['COOLDOWN'],
  T: ['INVALID_AUTHENTICATION', 'COOLDOWN'],
  TU: [
    'INVALID_AUTHENTICATION',
    'USER_NEED_RESET_PASSWORD',
    'COOLDOWN',
    'REMOTE_SERVICE_ERROR',
    'NULL_RESPONSE',
    'TIMEOUT',
  ],
};

const everywhere: readonly ErrorCode[] = ['SERVER_ERROR', 'SERVICE_UNAVAILABLE'];

/** Statuses that may, and for 429 and 503 do, say when to come back. */
const waitStatuses = new Set([429, 502, 503]);

const challenge = { 'WWW-Authenticate': { type: 'string', description: 'Always `Bearer`.' } };

const exampleTraceId = '0123456789abcdef0123456789abcdef';
const exampleTimestamp = '2026-03-18 10:00:00';
const exampleDetails = [{ loc: ['body', 'userid'], msg: 'Field required', type: 'missing' }];
const exampleQueryDetails = [
  { loc: ['query', 'page_index'], msg: 'Input should be a valid integer', type: 'int_parsing' },
];
const examplePathDetails = [
  { loc: ['path', 'term_code'], msg: 'String should match pattern', type: 'string_pattern_mismatch' },
];

const detailsFor = ({ body, query, details }: Described): readonly Detail[] => {
  if (details) return details;
  if (body) return exampleDetails;
  return query ? exampleQueryDetails : examplePathDetails;
};

/** What a 429 of an operation shows beyond the usual: the model of its `data`, and one as example. */
export interface CoolDown {
  readonly title: string;
  readonly data: TSchema;
  readonly example: { readonly message: string; readonly data: unknown };
}

/** How an operation words its own refusals. */
export interface Refusals {
  /** Name and `data` of the 409 answers. */
  readonly conflict: { readonly title: string; readonly data: TSchema };
  readonly cases: ReadonlyArray<RefusalAnswer & { readonly name: string }>;
}

const casesOf = (code: ErrorCode, { refusals }: Described): Refusals['cases'] =>
  refusals?.cases.filter((each) => each.code === code) ?? [];

/** What an operation may say for a code beside its usual words, each by a name. */
const furtherWords = (code: ErrorCode, operation: Described): ReadonlyArray<[string, string]> => {
  const { parts = [], writes = false } = operation;
  const unknown: [string, string][] = writes ? [[`${code} outcome unknown`, checkTheResult]] : [];
  if (code === 'TIMEOUT') return unknown;
  if (code !== 'REMOTE_SERVICE_ERROR') return [];
  return [...parts.map((part): [string, string] => [`${code} ${part}`, partMessages[part] ?? '']), ...unknown];
};

const failureResponses = (
  codes: readonly ErrorCode[],
  operation: Described,
  envelopes: Envelopes,
): Record<string, unknown> => {
  const { coolDown, refusals, messages = {}, statusInstead = {} } = operation;
  const details = detailsFor(operation);
  const statusOf = (code: ErrorCode): number => statusInstead[errorTable[code].status] ?? errorTable[code].status;
  const messageOf = (code: ErrorCode): string => messages[code] ?? errorTable[code].message;
  const byStatus = Map.groupBy(new Set(codes), statusOf);
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, group]) => [
        String(status),
        {
          ...(status === 422 ? InvalidEnvelope : FailureEnvelope),
          ...(status === 429 && coolDown ? coolDownEnvelope(coolDown.title, coolDown.data) : {}),
          ...(status === 409 && refusals ? refusalEnvelope(refusals.conflict.title, refusals.conflict.data) : {}),
          'x-response-description': group
            .map((code) => {
              const own = casesOf(code, operation).map(({ message }) => message);
              // A conflict has no usual words: what the operation says is all there is.
              const usual = status === 409 && own.length > 0 ? [] : [messageOf(code)];
              const words = new Set([...usual, ...own, ...furtherWords(code, operation).map(([, text]) => text)]);
              return `\`${code}\` ${[...words].join(' / ')}`;
            })
            .join('; '),
          ...(waitStatuses.has(status) ? { headers: retryAfter } : {}),
          ...(status === 401 ? { headers: challenge } : {}),
          'x-examples': Object.fromEntries(
            group.flatMap((code) => {
              const special = code === 'COOLDOWN' ? coolDown?.example : undefined;
              const message = messageOf(code);
              const entry = {
                code,
                message,
                traceId: exampleTraceId,
                ...special,
                ...(status === 422 ? { details } : {}),
              };
              const shown = (more: object) => ({
                value: { ...envelopes.failure({ ...entry, ...more }), timestamp: exampleTimestamp },
              });
              const further = furtherWords(code, operation).map(([name, text]) => [name, shown({ message: text })]);
              const own = casesOf(code, operation).map(({ name, message, data }) => [
                `${code} ${name}`,
                shown({ message, data }),
              ]);
              return status === 409 && own.length > 0 ? own : [[code, shown({})], ...own, ...further];
            }),
          ),
        },
      ]),
  );
};

/** What has a default need not be sent, though the checked value always has it. */
const withOptionalDefaults = <Q extends TSchema>(query: Q): Q => {
  if (!KindGuard.IsObject(query)) return query;
  const hasDefault = (name: string): boolean => 'default' in Object(query.properties[name]);
  const required = (query.required ?? []).filter((name) => !hasDefault(name));
  return { ...query, required };
};

/** What tells the age of a read. */
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

const readDescription =
  'A read with an age: `Cache-Control` of the request may hold `no-cache`, `max-age`, `max-stale`, `only-if-cached`, ' +
  '`stale-if-error` and `no-store`; `X-Copy: only` stands for `only-if-cached`. A value older than its freshness says so ' +
  'at the end of `message`. See `docs/freshness.md`.';

/** What is said and checked of an operation. */
export interface Described<
  B extends TSchema = TSchema,
  P extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  D extends TSchema = TSchema,
> {
  readonly method?: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Left out: the operation ignores whatever body is sent. */
  readonly body?: B;
  /** No body, or one of no bytes, is an empty object. */
  readonly bodyOptional?: boolean;
  readonly params?: P;
  /** Members with a default may be left out by the client. */
  readonly query?: Q;
  readonly data: D;
  /** The envelope's `message` on success. */
  readonly message: string;
  readonly example: { readonly data: Static<D>; readonly body?: Static<B> };
  /** Failures beyond those of the level. */
  readonly failures?: readonly ErrorCode[];
  /** Where a 429 of the operation itself has data. */
  readonly coolDown?: CoolDown;
  /** What it refuses by itself, each case in words of its own. */
  readonly refusals?: Refusals;
  /** Messages of failures, by code, where this operation finds its own words. */
  readonly messages?: Messages;
  /** Parts of the campus's data whose loss this operation words by itself. */
  readonly parts?: readonly WordedPart[];
  /** It changes something at the campus. */
  readonly writes?: boolean;
  /** For a status that this operation may not answer, the one it answers instead. */
  readonly statusInstead?: Readonly<Record<number, number>>;
  /** What a 422 shows as example, where the usual one would mislead. */
  readonly details?: readonly Detail[];
  /** A GET at the campus that is not a read with an age: it concerns no single student, or goes with a task. */
  readonly ageless?: boolean;
  /** Served and not described: an old name of another operation. */
  readonly hidden?: boolean;
  /** Set where the answer may be the campus's refusal, of which this is an example. */
  readonly refused?: { readonly message: string; readonly data: Static<D> };
}

/** The schema of one route: it documents and checks requests, and documents and serializes answers. */
export const operationSchema = <B extends TSchema, P extends TSchema, Q extends TSchema>(
  operation: Described<B, P, Q>,
  level: Level,
  envelopes: Envelopes,
): FastifySchema & { readonly body?: B; readonly params?: P; readonly querystring?: Q } => {
  const {
    operationId,
    tag,
    summary,
    description,
    body,
    params,
    query,
    data,
    message,
    example,
    failures = [],
  } = operation;
  const isRead = level === 'TU' && operation.method === 'GET' && operation.ageless !== true;
  const refusedCodes = operation.refusals?.cases.map(({ code }) => code) ?? [];
  const codes: ErrorCode[] = [...levelFailures[level], ...failures, ...refusedCodes, ...everywhere];
  if (isRead) codes.push('NO_COPY');
  if (body) codes.push('BODY_TOO_LARGE', 'VALIDATION_ERROR');
  // A path value that is over-long or cannot be decoded is an unknown path.
  if (params) codes.push('EMPTY_PATH', 'NOT_FOUND', 'VALIDATION_ERROR');
  if (query) codes.push('VALIDATION_ERROR');
  const success = { ...envelopes.success(message, example.data), timestamp: exampleTimestamp };
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
    summary,
    ...described,
    security: level === '-' ? [] : [{ bearer: [] }],
    ...(operation.bodyOptional ? { [optionalBody]: true } : {}),
    ...(body ? { body: { ...body, 'x-examples': { request: { value: example.body } } } } : {}),
    ...(params ? { params } : {}),
    ...(query ? { querystring: withOptionalDefaults(query) } : {}),
    response: {
      200: {
        ...(refused ? decisionEnvelope(data) : successEnvelope(data)),
        'x-response-description': message,
        'x-examples': { success: { value: success }, ...refusal },
        ...(isRead ? { headers: readHeaders } : {}),
      },
      ...(isRead
        ? { 304: { description: 'The client has this answer already.', type: 'null', headers: readHeaders } }
        : {}),
      ...failureResponses(codes, operation, envelopes),
    },
  };
};

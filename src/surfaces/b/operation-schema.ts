import { type TSchema, Type } from '@sinclair/typebox';
import type { FastifySchema } from 'fastify';
import type { Envelopes } from './envelope.ts';
import { type ErrorCode, errorTable } from './errors.ts';
import { FailureEnvelope, InvalidEnvelope, successEnvelope } from './schemas/envelope.ts';

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
const retryAfter = { 'Retry-After': { type: 'integer', description: 'Whole seconds.' } };

const exampleTraceId = '0123456789abcdef0123456789abcdef';
const exampleTimestamp = '2026-03-18 10:00:00';
const exampleDetails = [{ loc: ['body', 'userid'], msg: 'Field required', type: 'missing' }];
const examplePathDetails = [
  { loc: ['path', 'term_code'], msg: 'String should match pattern', type: 'string_pattern_mismatch' },
];

const failureResponses = (
  codes: readonly ErrorCode[],
  withBody: boolean,
  envelopes: Envelopes,
): Record<string, unknown> => {
  const byStatus = Map.groupBy(new Set(codes), (code) => errorTable[code].status);
  const details = withBody ? exampleDetails : examplePathDetails;
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, group]) => [
        String(status),
        {
          ...(status === 422 ? InvalidEnvelope : FailureEnvelope),
          'x-response-description': group.map((code) => `\`${code}\` ${errorTable[code].message}`).join('; '),
          ...(waitStatuses.has(status) ? { headers: retryAfter } : {}),
          'x-examples': Object.fromEntries(
            group.map((code) => {
              const entry = { code, traceId: exampleTraceId, ...(status === 422 ? { details } : {}) };
              return [code, { value: { ...envelopes.failure(entry), timestamp: exampleTimestamp } }];
            }),
          ),
        },
      ]),
  );
};

interface Described {
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly body?: TSchema;
  readonly params?: TSchema;
  readonly data: TSchema;
  readonly message: string;
  readonly example: { readonly data: unknown; readonly body?: unknown };
  readonly failures?: readonly ErrorCode[];
}

/**
 * The schema of one route: it documents requests and answers, and serializes answers. The checks are the operation's
 * own, so that a body is typed by the check that let it pass.
 */
export const operationSchema = (operation: Described, level: Level, envelopes: Envelopes): FastifySchema => {
  const { operationId, tag, summary, description, body, params, data, message, example, failures = [] } = operation;
  const codes: ErrorCode[] = [...levelFailures[level], ...failures, ...everywhere];
  if (body) codes.push('BODY_TOO_LARGE', 'VALIDATION_ERROR');
  if (params) codes.push('EMPTY_PATH', 'VALIDATION_ERROR');
  const success = { ...envelopes.success(message, example.data), timestamp: exampleTimestamp };
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    security: level === '-' ? [] : [{ bearer: [] }],
    ...(body ? { body: { ...body, 'x-examples': { request: { value: example.body } } } } : {}),
    params: params ?? Type.Object({}),
    response: {
      200: {
        ...successEnvelope(data),
        'x-response-description': message,
        'x-examples': { success: { value: success } },
      },
      ...failureResponses(codes, body !== undefined, envelopes),
    },
  };
};

import { KindGuard, type TSchema, Type } from '@sinclair/typebox';
import type { FastifyRequest } from 'fastify';
import { type CampusSystem, campusSystems, type Failure, signInSteps } from '../../domain/errors.ts';
import { enumOf, object, orNull, text } from '../../domain/record.ts';
import type { Language } from '../../http/languages.ts';
import type { LimitDetail, RequestFinding } from '../../http/requests/findings.ts';
import type { ProblemKind, ProblemShape } from '../../http/server/problems.ts';
import { type Clock, createTimestamper } from '../../lib/time.ts';
import { PersonNeeded } from '../common/challenges.ts';
import { type ErrorCode, errorTable, type FailureReason, failureReasons } from './error-codes.ts';
import { failureFactsOf, kindOfOperation, type OperationKind } from './failures.ts';

const timestamp = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$',
  description: 'Campus time, no zone designator: the moment the answer was built.',
});

const message = text('Text for people; programs must not parse it.');
const nothing = Type.Null({ description: 'Always null.' });

/** `AcademicInfo` → `AcademicInfoEnvelope`, and for a list of them `AcademicInfoListEnvelope`. */
const nameOf = (data: TSchema): string => {
  if (KindGuard.IsArray(data)) return `${data.items.title}ListEnvelope`;
  // A union of the payload and null.
  return `${KindGuard.IsUnion(data) ? data.anyOf[0]?.title : data.title}Envelope`;
};

const answerEnvelope = (success: TSchema, data: TSchema, description: string) =>
  Type.Object({ success, message, data, error: nothing, timestamp }, { title: nameOf(data), description });

export const successEnvelope = (data: TSchema) =>
  answerEnvelope(Type.Literal(true, { description: 'Always true.' }), data, 'A success with its payload.');

export const decisionEnvelope = (data: TSchema) =>
  answerEnvelope(
    Type.Boolean({ description: 'False: the campus refused, `data.code` is not 0.' }),
    data,
    'What the campus decided, with its payload.',
  );

export const failureEnvelope = (title: string, data: TSchema = nothing, error: TSchema = ErrorModel) =>
  Type.Object(
    { success: Type.Literal(false, { description: 'Always false.' }), message, data, error, timestamp },
    { title, description: 'A failure; `message` repeats `error.message`.' },
  );

const codes = Object.keys(errorTable) as ErrorCode[];
const reasons = Object.entries(failureReasons).map(([reason, words]) => `\`${reason}\`: ${words}`);
const reasonNames = Object.keys(failureReasons) as FailureReason[];

const errorMembers = {
  message: text('Text for people.'),
  code: enumOf(codes, { title: 'ErrorCode', description: 'What failed, for programs. New ones may be added.' }),
  trace_id: Type.String({ pattern: '^[0-9a-f]{32}$', description: 'Also in the header `X-Trace-Id`.' }),
};

const retryable = Type.Boolean({
  description: 'The same call, sent once more after `Retry-After` or a few seconds, may succeed and does no harm.',
});

const ErrorModel = object('ErrorModel', 'What failed.', {
  ...errorMembers,
  retryable,
  system: Type.Optional(
    enumOf([...signInSteps, ...campusSystems], {
      title: 'FailedSystem',
      description: 'Where at the campus it failed. New ones may be added.',
    }),
  ),
  reason: Type.Optional(
    enumOf(reasonNames, {
      title: 'FailureReason',
      description: `Why, where the code alone leaves it open. ${reasons.join('; ')}. There are no others.`,
    }),
  ),
});

const length = (description: string) => Type.Optional(Type.Integer({ minimum: 0, description }));

const BrokenLimit = object('BrokenLimit', 'The limit that was broken.', {
  ge: Type.Optional(Type.Number({ description: 'Smallest value.' })),
  le: Type.Optional(Type.Number({ description: 'Largest value.' })),
  min_length: length('Fewest characters or items.'),
  max_length: length('Most characters or items.'),
  pattern: Type.Optional(text('Regular expression of the form.')),
  expected: Type.Optional(Type.Array(Type.String(), { description: 'The values to choose from.' })),
});

const ValidationErrorDetail = object('ValidationErrorDetail', 'One defect of a request.', {
  loc: Type.Array(Type.Union([Type.String(), Type.Integer()], { description: 'Source, member name or array index.' }), {
    description: 'Source (`body`, `query`, `path`, `header`), then member names and array indexes.',
  }),
  msg: text('What is wrong, for developers; in Chinese where `Accept-Language` wants it.'),
  type: text('Machine-readable kind, e.g. `missing`, `string_type`, `json_invalid`.'),
  ctx: Type.Optional(BrokenLimit),
});

const ValidationErrorModel = object('ValidationErrorModel', 'What is wrong with the request.', {
  ...errorMembers,
  details: Type.Array(ValidationErrorDetail, {
    minItems: 1,
    description: 'Every defect of the request, at most 50.',
  }),
  retryable,
});

export const FailureEnvelope = failureEnvelope('FailureEnvelope');

/** The envelope of a 403 that may be `PERSON_NEEDED`. */
export const PersonEnvelope = failureEnvelope(
  'ForbiddenEnvelope',
  orNull(PersonNeeded, 'With `PERSON_NEEDED`; else null.'),
);

export const ChallengeEnvelope = failureEnvelope('LoginChallengeEnvelope', PersonNeeded);

export const InvalidEnvelope = failureEnvelope('ValidationFailureEnvelope', nothing, ValidationErrorModel);

/** One defect of a request as it is sent, in the language of the client. */
export interface Detail extends Pick<RequestFinding, 'loc' | 'type'> {
  readonly msg: string;
  readonly ctx?: LimitDetail | undefined;
}

export const detailOf = ({ loc, msg, type, ctx }: RequestFinding, language: Language): Detail => ({
  loc,
  msg: msg[language],
  type,
  // The text of an error is for surface A, whose validator has one.
  ctx: ctx?.error === undefined ? ctx : undefined,
});

interface FailureEntry {
  readonly code: ErrorCode;
  readonly operation: OperationKind;
  /** Left out: the request itself is refused. */
  readonly failure?: Failure | undefined;
  /** Left out: that of the code. */
  readonly message?: string | undefined;
  readonly traceId: string;
  readonly details?: readonly Detail[] | undefined;
  readonly data?: unknown;
}

/** The form of every JSON answer. Timestamps are campus time, never the host's. */
export class Envelopes {
  readonly #now: () => string;
  readonly #ownLogin: CampusSystem | null;

  /** `ownLogin`: the application that stands in for the unified login. */
  constructor(clock: Clock, timeZone: string, ownLogin: CampusSystem | null = null) {
    this.#ownLogin = ownLogin;
    const at = createTimestamper(timeZone);
    this.#now = () => at(clock.now());
  }

  /** Not accepted: the campus refused, which is no failure of the call. */
  decision<D, S extends boolean>(success: S, message: string, data: D) {
    return { success, message, data, error: null, timestamp: this.#now() };
  }

  success<D>(message: string, data: D) {
    return this.decision(true as const, message, data);
  }

  failure(entry: FailureEntry) {
    const { code, operation, failure, message = errorTable[code].message, traceId, details, data = null } = entry;
    const facts = failureFactsOf(errorTable[code].status, operation, failure, this.#ownLogin);
    const error = { message, code, trace_id: traceId, details, ...facts };
    return { success: false as const, message, data, error, timestamp: this.#now() };
  }
}

const problemCodes: Readonly<Record<ProblemKind, ErrorCode>> = {
  'not-found': 'NOT_FOUND',
  'method-not-allowed': 'METHOD_NOT_ALLOWED',
  'too-many-requests': 'COOLDOWN',
  unavailable: 'SERVICE_UNAVAILABLE',
  internal: 'SERVER_ERROR',
};

export const operationKindOf = ({ method, routeOptions }: FastifyRequest): OperationKind =>
  kindOfOperation(method, routeOptions.config?.described?.credentials);

/** How this surface words what the platform answers by itself. */
export const problemShapeB =
  (envelopes: Envelopes): ProblemShape =>
  ({ kind }, request) =>
    envelopes.failure({ code: problemCodes[kind], operation: operationKindOf(request), traceId: request.id });

import { KindGuard, type TSchema } from '@sinclair/typebox';
import { type Failure, failures } from '../../domain/errors.ts';
import { exampleOf, orNull } from '../../domain/record.ts';
import { retryAfter } from '../../http/docs/openapi-answers.ts';
import { missing, unknownName, type Wrong, wrongAt, wrongText } from '../../http/requests/findings.ts';
import { LoginChallenge, presentWanted } from '../common/challenges.ts';
import { personText } from '../common/texts.ts';
import { type DescribedB, type Level, type Route, routeOf } from './described.ts';
import {
  ChallengeEnvelope,
  type Detail,
  detailOf,
  type Envelopes,
  FailureEnvelope,
  failureEnvelope,
  InvalidEnvelope,
  PersonEnvelope,
} from './envelope.ts';
import { checkTheResult, type ErrorCode, errorTable, partMessages } from './error-codes.ts';
import { answerOf, kindOfOperation } from './failures.ts';

type Source = 'body' | 'query' | 'path';

/** The fault of the worst value that a client can send for a member; null when any value fits. */
const worst = (member: TSchema, source: Source): Wrong | null => {
  if (source === 'body') return wrongAt(member, {}, {}, 'strict');
  if (!KindGuard.IsString(member)) return wrongAt(member, '?', '?', 'text');
  const longest = Number(member.maxLength ?? 0);
  return wrongText(member, '?') ?? (longest > 0 ? wrongText(member, '?'.repeat(longest + 1)) : null);
};

const firstIn = (schema: TSchema | undefined, source: Source): readonly Detail[] => {
  if (schema === undefined || !KindGuard.IsObject(schema)) return [];
  const required = source === 'path' ? [] : (schema.required ?? []);
  for (const [name, member] of Object.entries(schema.properties)) {
    const mustBeSent = required.includes(name) && member.default === undefined;
    const wrong = mustBeSent ? missing : worst(member, source);
    if (wrong) return [detailOf({ ...wrong, loc: [source, name] }, 'en')];
  }
  return [];
};

type RequestSchemas = Pick<DescribedB, 'body' | 'query' | 'params'>;

/** A defect that a request of these schemas can have; none where every request fits. */
export const exampleDetails = ({ body, query, params }: RequestSchemas): readonly Detail[] => {
  const found = [firstIn(body, 'body'), firstIn(query, 'query'), firstIn(params, 'path')];
  return found.find((details) => details.length > 0) ?? [];
};

/** Falls back to a query name that the operation does not know. */
const shownDetails = (parts: RequestSchemas): readonly Detail[] => {
  const details = exampleDetails(parts);
  return details.length > 0 ? details : [detailOf({ ...unknownName, loc: ['query', 'page'] }, 'en')];
};

/** Every operation of a level may answer these; the levels are explained in described.ts. */
export const levelFailures: Readonly<Record<Level, readonly ErrorCode[]>> = {
  '-': ['COOLDOWN'],
  T: ['INVALID_AUTHENTICATION', 'COOLDOWN'],
  TU: [
    'INVALID_AUTHENTICATION',
    'USER_NEED_RESET_PASSWORD',
    'PERSON_NEEDED',
    'COOLDOWN',
    'REMOTE_SERVICE_ERROR',
    'NULL_RESPONSE',
    'TIMEOUT',
  ],
};

/** Statuses that may, and for 429 and 503 do, say when to come back. */
const waitStatuses = new Set([429, 502, 503]);

const challenge = {
  'WWW-Authenticate': {
    type: 'string',
    description: '`Bearer`; for a missing scope with `error` and `scope` (RFC 6750).',
  },
};

const exampleTraceId = '0123456789abcdef0123456789abcdef';
const exampleTimestamp = '2026-03-18 10:00:00';

/** An operation whose failures are described. */
type FailingOperation = Omit<DescribedB, 'tag' | 'summary' | 'data'>;

/** A failure with that code, for `system` and `reason` of the example. */
const failureFor = (code: ErrorCode, { level, wording }: FailingOperation): Failure | undefined => {
  switch (code) {
    case 'CREDENTIALS_INVALID':
      return wording === 'login' ? failures.userUnknown() : failures.accountProofRefused();
    case 'REMOTE_CREDENTIALS_INVALID':
    case 'EC_PASSWORD_ERROR':
      return failures.credentialsRefused('portal');
    case 'UAAP_PASSWORD_ERROR':
      return failures.credentialsRefused('unified-login');
    case 'USER_NEED_RESET_PASSWORD':
      return failures.storedCredentialsRefused('portal');
    case 'REMOTE_SERVICE_ERROR':
      return level === 'TU' ? failures.signInUnavailable('portal') : failures.imageStoreFailed();
    case 'TIMEOUT':
      return failures.timedOut(undefined, level === 'TU' ? { step: 'portal' } : {});
    case 'NO_COPY':
      return failures.noCopy();
    default:
      return undefined;
  }
};

interface FailureExample {
  readonly name: string;
  /** In the description of the status; also those of the example, unless it has others. */
  readonly words: string;
  readonly message?: string | undefined;
  readonly data?: unknown;
  readonly failure: Failure | undefined;
}

const specialOf = (code: ErrorCode, operation: FailingOperation): Pick<FailureExample, 'message' | 'data'> => {
  const { coolDown, messages, wording } = operation;
  switch (code) {
    case 'REMOTE_SERVICE_ERROR': {
      const failure = failureFor(code, operation);
      return failure && !messages?.[code] ? { message: answerOf(failure, wording).message } : {};
    }
    case 'COOLDOWN':
      return coolDown?.example ?? {};
    case 'PERSON_NEEDED':
      return { message: personText('sms'), data: { challenge: presentWanted('portal', 'sms', null) } };
    case 'LOGIN_CHALLENGE': {
      const shown = exampleOf(LoginChallenge);
      return { message: shown.message, data: { challenge: shown } };
    }
    default:
      return {};
  }
};

const furtherAnswers = (
  code: ErrorCode,
  { parts = [], writes = false }: FailingOperation,
): readonly FailureExample[] => {
  const lost = failures.outcomeUnknown('labor-club');
  const unknown = writes ? [{ name: `${code} outcome unknown`, words: checkTheResult, failure: lost }] : [];
  if (code === 'TIMEOUT') return unknown;
  if (code !== 'REMOTE_SERVICE_ERROR') return [];
  const ofParts = parts.map((part) => ({
    name: `${code} ${part}`,
    words: partMessages[part],
    failure: part === 'busy' ? failures.campusBusy('academics') : failures.upstreamUnavailable('academics'),
  }));
  return [...ofParts, ...unknown];
};

const answersOf = (code: ErrorCode, operation: FailingOperation): readonly FailureExample[] => {
  const { messages, refusals } = operation;
  const failure = failureFor(code, operation);
  const own = (refusals?.cases ?? [])
    .filter((each) => each.code === code)
    .map(({ name, message, data }) => ({ name: `${code} ${name}`, words: message, data, failure }));
  // A conflict has no usual words: the operation's own are all there are.
  if (errorTable[code].status === 409 && own.length > 0) return own;
  const words = messages?.[code] ?? errorTable[code].message;
  return [{ name: code, words, failure, ...specialOf(code, operation) }, ...own, ...furtherAnswers(code, operation)];
};

const envelopeOf = (status: number, codes: readonly ErrorCode[], { coolDown, refusals }: FailingOperation): TSchema => {
  if (status === 429 && coolDown) {
    const data = orNull(coolDown.data, 'The cool-down of the operation; null for the general limits.');
    return failureEnvelope(coolDown.title, data);
  }
  if (status === 409 && refusals) return failureEnvelope(refusals.conflict.title, refusals.conflict.data);
  if (status === 422) return InvalidEnvelope;
  if (codes.includes('PERSON_NEEDED')) return PersonEnvelope;
  return codes.includes('LOGIN_CHALLENGE') ? ChallengeEnvelope : FailureEnvelope;
};

const headersOf = (status: number, codes: readonly ErrorCode[]): object => {
  if (status === 401 || codes.includes('INSUFFICIENT_SCOPE')) return { headers: challenge };
  return waitStatuses.has(status) ? { headers: retryAfter } : {};
};

export const shownEnvelope = (envelope: object) => ({ value: { ...envelope, timestamp: exampleTimestamp } });

export const reservedResponses = ({ reserved = {} }: FailingOperation): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(reserved).map(([status, words]) => [
      status,
      { ...FailureEnvelope, 'x-response-description': words },
    ]),
  );

export const failureResponses = (
  codes: readonly ErrorCode[],
  route: Route,
  operation: FailingOperation,
  envelopes: Envelopes,
): Record<number, unknown> => {
  const kind = kindOfOperation(routeOf(route)[0], operation.credentials);
  const example = (code: ErrorCode, status: number, { words, message = words, data, failure }: FailureExample) => {
    const details = status === 422 ? { details: operation.details ?? shownDetails(operation) } : {};
    const entry = { code, operation: kind, failure, message, data, traceId: exampleTraceId };
    return shownEnvelope(envelopes.failure({ ...entry, ...details }));
  };
  const responseOf = (status: number, group: readonly ErrorCode[]) => {
    const shown = group.map((code) => ({ code, answers: answersOf(code, operation) }));
    const described = shown.map(({ code, answers }) => {
      const words = new Set(answers.map((each) => each.words));
      return `\`${code}\` ${[...words].join(' / ')}`;
    });
    const examples = shown.flatMap(({ code, answers }) =>
      answers.map((each) => [each.name, example(code, status, each)] as const),
    );
    return {
      ...envelopeOf(status, group, operation),
      ...headersOf(status, group),
      'x-response-description': described.join('; '),
      'x-examples': Object.fromEntries(examples),
    };
  };
  const byStatus = Map.groupBy(new Set(codes), (code) => errorTable[code].status);
  const sorted = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(sorted.map(([status, group]) => [status, responseOf(status, group)]));
};

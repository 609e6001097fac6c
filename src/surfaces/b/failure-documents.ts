import { KindGuard, type TSchema } from '@sinclair/typebox';
import { Failure } from '../../domain/errors.ts';
import { exampleOf } from '../../domain/record.ts';
import { retryAfter } from '../../platform/docs/openapi-answers.ts';
import { missing, unknownName, type Wrong, wrongAt, wrongText } from '../../platform/requests/findings.ts';
import { LoginChallenge, presentWanted } from '../common/challenges.ts';
import { personText } from '../common/texts.ts';
import { type Described, type Level, type Refusals, routeOf } from './described.ts';
import {
  ChallengeEnvelope,
  coolDownEnvelope,
  type Detail,
  detailOf,
  type Envelopes,
  FailureEnvelope,
  InvalidEnvelope,
  PersonEnvelope,
  refusalEnvelope,
} from './envelope.ts';
import { checkTheResult, type ErrorCode, errorTable, factsOf, kindOf, partMessages } from './failures.ts';

type Source = 'body' | 'query' | 'path';

/** Breaks a member as badly as possible and returns the fault; null when any value fits. */
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

/** A finding that requests of these schemas really can have; none where all of them fit. */
export const exampleDetails = (parts: {
  readonly body?: TSchema;
  readonly query?: TSchema;
  readonly params?: TSchema;
}): readonly Detail[] => {
  const inBody = firstIn(parts.body, 'body');
  if (inBody.length > 0) return inBody;
  const inQuery = firstIn(parts.query, 'query');
  return inQuery.length > 0 ? inQuery : firstIn(parts.params, 'path');
};

/** The same, or a name that the operation does not know. */
const shownDetails = (operation: Parameters<typeof exampleDetails>[0]): readonly Detail[] => {
  const details = exampleDetails(operation);
  return details.length > 0 ? details : [detailOf({ ...unknownName, loc: ['query', 'page'] }, 'en')];
};

/** Every operation of a level may answer these. */
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

export const everywhere: readonly ErrorCode[] = ['SERVER_ERROR', 'SERVICE_UNAVAILABLE'];

/** Statuses that may, and for 429 and 503 do, say when to come back. */
const waitStatuses = new Set([429, 502, 503]);

const challenge = {
  'WWW-Authenticate': {
    type: 'string',
    description: '`Bearer`; for a missing scope with `error` and `scope` (RFC 6750).',
  },
};

const exampleTraceId = '0123456789abcdef0123456789abcdef';

export const exampleTimestamp = '2026-03-18 10:00:00';

const casesOf = (code: ErrorCode, { refusals }: Described): Refusals['cases'] =>
  refusals?.cases.filter((each) => each.code === code) ?? [];

interface FurtherWords {
  readonly name: string;
  readonly text: string;
  /** Whose answer it is. */
  readonly failure: Failure;
}

/** Lists further words that an operation may use for a code. */
const furtherWords = (code: ErrorCode, { parts = [], writes = false }: Described): readonly FurtherWords[] => {
  const lost = new Failure('outcome-unknown', { system: 'labor-club' });
  const unknown = writes ? [{ name: `${code} outcome unknown`, text: checkTheResult, failure: lost }] : [];
  if (code === 'TIMEOUT') return unknown;
  if (code !== 'REMOTE_SERVICE_ERROR') return [];
  const failureOf = (part: string) =>
    new Failure(part === 'busy' ? 'campus-busy' : 'upstream-unavailable', { system: 'academics' });
  const words = parts.map((part) => ({
    name: `${code} ${part}`,
    text: partMessages[part],
    failure: failureOf(part),
  }));
  return [...words, ...unknown];
};

/** A failure with that code, for what its answer tells besides; none where it is a refusal of the request itself. */
const failureFor = (code: ErrorCode, { level, wording }: Described): Failure | undefined => {
  const portal = { step: 'portal' } as const;
  switch (code) {
    case 'CREDENTIALS_INVALID':
      return new Failure(wording === 'login' ? 'user-unknown' : 'account-proof-refused');
    case 'REMOTE_CREDENTIALS_INVALID':
    case 'EC_PASSWORD_ERROR':
      return new Failure('credentials-refused', portal);
    case 'UAAP_PASSWORD_ERROR':
      return new Failure('credentials-refused', { step: 'unified-login' });
    case 'USER_NEED_RESET_PASSWORD':
      return new Failure('stored-credentials-refused', portal);
    case 'REMOTE_SERVICE_ERROR':
      return level === 'TU' ? new Failure('sign-in-unavailable', portal) : new Failure('image-store-failed');
    case 'TIMEOUT':
      return new Failure('timed-out', level === 'TU' ? portal : {});
    case 'NO_COPY':
      return new Failure('no-copy');
    default:
      return undefined;
  }
};

const exampleChallenge = {
  message: LoginChallenge.properties.message.examples?.[0],
  data: { challenge: exampleOf(LoginChallenge) },
};

/** Message and data of a failure that has some. */
const specialOf = (code: ErrorCode, { coolDown }: Described): object | undefined => {
  if (code === 'COOLDOWN') return coolDown?.example;
  if (code === 'PERSON_NEEDED')
    return { message: personText('sms'), data: { challenge: presentWanted('portal', 'sms', null) } };
  return code === 'LOGIN_CHALLENGE' ? exampleChallenge : undefined;
};

export const failureResponses = (
  codes: readonly ErrorCode[],
  operation: Described,
  envelopes: Envelopes,
): Record<string, unknown> => {
  const { coolDown, refusals, messages = {}, statusInstead = {} } = operation;
  const kind = kindOf(routeOf(operation.route)[0], operation.credentials);
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
          ...(group.includes('PERSON_NEEDED') ? PersonEnvelope : {}),
          ...(group.includes('LOGIN_CHALLENGE') ? ChallengeEnvelope : {}),
          ...(status === 429 && coolDown ? coolDownEnvelope(coolDown.title, coolDown.data) : {}),
          ...(status === 409 && refusals ? refusalEnvelope(refusals.conflict.title, refusals.conflict.data) : {}),
          // Made when the document is: a start waits for none of it.
          get 'x-response-description'() {
            return group
              .map((code) => {
                const own = casesOf(code, operation).map(({ message }) => message);
                // A conflict has no usual words: what the operation says is all there is.
                const usual = status === 409 && own.length > 0 ? [] : [messageOf(code)];
                const words = new Set([...usual, ...own, ...furtherWords(code, operation).map(({ text }) => text)]);
                return `\`${code}\` ${[...words].join(' / ')}`;
              })
              .join('; ');
          },
          ...(waitStatuses.has(status) ? { headers: retryAfter } : {}),
          ...(status === 401 || group.includes('INSUFFICIENT_SCOPE') ? { headers: challenge } : {}),
          get 'x-examples'() {
            return Object.fromEntries(
              group.flatMap((code) => {
                const special = specialOf(code, operation);
                const message = messageOf(code);
                const factsFor = (failure?: Failure) => factsOf(errorTable[code].status, kind, failure);
                const entry = {
                  code,
                  facts: factsFor(failureFor(code, operation)),
                  message,
                  traceId: exampleTraceId,
                  ...special,
                  ...(status === 422 ? { details: operation.details ?? shownDetails(operation) } : {}),
                };
                const shown = (more: object) => ({
                  value: { ...envelopes.failure({ ...entry, ...more }), timestamp: exampleTimestamp },
                });
                const further = furtherWords(code, operation).map(({ name, text, failure }) => [
                  name,
                  shown({ message: text, facts: factsFor(failure) }),
                ]);
                const own = casesOf(code, operation).map(({ name, message, data }) => [
                  `${code} ${name}`,
                  shown({ message, data }),
                ]);
                return status === 409 && own.length > 0 ? own : [[code, shown({})], ...own, ...further];
              }),
            );
          },
        },
      ]),
  );
};

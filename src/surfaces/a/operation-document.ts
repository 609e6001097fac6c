import { KindGuard, type Static, type TObject, type TSchema, Type } from '@sinclair/typebox';
import type { FastifySchema } from 'fastify';
import { missingScope } from '../../domain/accounts/tokens/personal-tokens.ts';
import { type Failure, type FailureKind, failureOf, failures, signInSteps } from '../../domain/errors.ts';
import { exampleOf } from '../../domain/record.ts';
import { inLanguages, neededCapabilities, tokenScope } from '../../http/docs/openapi.ts';
import { retryAfter } from '../../http/docs/openapi-answers.ts';
import { type DescribedOperation, exampleAnswer, type Worded } from '../common/operation.ts';
import { AuthStatus, asV1, ErrorResponse, envelope, failureEnvelope, HttpValidationError } from './envelope.ts';
import { findingItemOf, malformedJsonFinding } from './error-handler.ts';
import { answerOf, type OperationGroup, type Overrides } from './failures.ts';

export interface DescribedA<B extends TObject = TObject, D extends TSchema = TSchema> extends DescribedOperation<B, D> {
  readonly group: OperationGroup;
  readonly body: B;
  readonly response: string;
  /** Name of the envelope of failures that have a payload; the payload of a success is then never null. */
  readonly failure?: string;
  /** Failures to show besides those of every operation of the group. */
  readonly fails?: readonly FailureKind[];
  readonly overrides?: Overrides;
  /** Payload of failures whose code is 401, where the operation has one. */
  readonly signedOutData?: Static<D>;
  /** Typed answers that are neither success nor failure. */
  readonly refusals?: ReadonlyArray<{
    readonly name: string;
    readonly code: number;
    readonly message: string;
    readonly data: Static<D>;
  }>;
  /** Payload of other failures, where it is not null. */
  readonly failedData?: Static<D>;
}

const campusFails: readonly FailureKind[] = [
  'token-unknown',
  'token-user-gone',
  'stored-credentials-refused',
  'person-needed',
  'sign-in-unavailable',
  'upstream-unavailable',
  'storage-failed',
];

const groupFails: Readonly<Record<OperationGroup, readonly FailureKind[]>> = {
  user: ['storage-failed'],
  academics: campusFails,
  'activity-score': campusFails,
  evaluation: ['token-unknown', 'token-user-gone', 'storage-failed'],
};

const failureExamples = ({
  group,
  needs,
  scope,
  fails = [],
  overrides,
  signedOutData = null,
  refusals = [],
  failedData = null,
}: DescribedA) => {
  const examples: Record<string, { value: unknown }> = {};
  for (const { name, ...value } of refusals) examples[name] = { value };
  const show = (name: string, failure: Failure): void => {
    const { variant, code, message } = answerOf(failure, group, overrides);
    const data = code === 401 ? signedOutData : failedData;
    examples[name] = { value: variant === 'auth-status' ? { code, message } : { code, message, data } };
  };
  for (const kind of [...fails, ...groupFails[group]]) {
    if (kind === 'credentials-refused' || kind === 'stored-credentials-refused') {
      for (const step of signInSteps) show(`${kind}: ${step}`, failureOf(kind, { step }));
    } else show(kind, failureOf(kind));
  }
  if (needs?.length) show('not-offered', failures.notOffered(undefined));
  if (scope !== undefined && scope !== 'any') show('scope-missing', missingScope(scope));
  return examples;
};

const envelopesOf = ({ data, response, failure }: DescribedA): readonly [TObject, TObject] => {
  if (failure === undefined) return [envelope(response, data), ErrorResponse];
  const payload: TSchema = KindGuard.IsUnion(data) ? (data.anyOf[0] ?? data) : data;
  return [envelope(response, payload), failureEnvelope(failure, payload)];
};

export const routeSchema = <B extends TObject, D extends TSchema>(
  operationId: string,
  operation: DescribedA<B, D> & Worded<D>,
): Omit<FastifySchema, 'body'> & { readonly body: B } => {
  const { tag, summary, description, group, body, example = {} } = operation;
  const { message, data } = exampleAnswer(operation);
  const variants = [...envelopesOf(operation), ...(group === 'user' ? [] : [AuthStatus])];
  const title = operation.response.replace(/(?:Response|Envelope)$/, 'Answer');
  const success = { value: { code: 200, message, data } };
  return {
    operationId,
    tags: [tag],
    ...inLanguages(summary),
    description,
    security: operation.optionalToken ? [{}, { bearer: [] }] : [],
    ...(operation.scope === undefined ? {} : { [tokenScope]: operation.scope }),
    ...(operation.needs?.length ? { [neededCapabilities]: operation.needs } : {}),
    body: { ...asV1(body), 'x-examples': { request: { value: example.body ?? exampleOf(body) } } },
    response: {
      200: {
        'x-response-description': 'Success, or a failure told by `code`.',
        headers: retryAfter,
        ...asV1(
          Type.Union(variants, { title, description: 'Told apart by `code`; without `data`: a credential problem.' }),
        ),
        'x-examples': { success, ...failureExamples(operation) },
      },
      422: {
        'x-response-description': 'The body does not validate; all defects at once.',
        ...asV1(HttpValidationError),
        'x-examples': {
          'body missing': {
            value: { detail: [{ type: 'missing', loc: ['body'], msg: 'Field required', input: null }] },
          },
          'malformed JSON': { value: { detail: [findingItemOf(malformedJsonFinding(0), false, 'en')] } },
        },
      },
      503: {
        'x-response-description': 'Overloaded or shutting down.',
        headers: retryAfter,
        ...asV1(ErrorResponse),
        'x-examples': { overloaded: { value: { code: 503, message: '服务繁忙，请稍后重试', data: null } } },
      },
    },
  };
};

import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox';
import type { FastifySchema } from 'fastify';
import { Failure, type FailureKind, type SignInStep } from '../../domain/errors.ts';
import { retryAfter } from '../../platform/openapi-answers.ts';
import { answerOf, type OperationGroup, type Overrides } from './failures.ts';
import { itemOf, malformedJson } from './invalid-body.ts';
import { AuthStatus, ErrorResponse, HttpValidationError } from './schemas/envelope.ts';

/** What is said and checked of an operation. */
export interface OperationDocument<B extends TObject = TObject, D extends TSchema = TSchema> {
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly group: OperationGroup;
  readonly body: B;
  /** The envelope of a success. */
  readonly response: TObject;
  /** The envelope of failures, where they have a payload. */
  readonly failure?: TObject;
  /** A complete request body, and what `data` answers to it. */
  readonly example: { readonly body: Static<B>; readonly message: string; readonly data: Static<D> };
  /** Failures of its own worth showing; what every operation of the group can answer is added. */
  readonly fails: readonly FailureKind[];
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

const steps: readonly SignInStep[] = ['portal', 'unified-login'];

/** Examples are made by the same table that answers, so they cannot tell another story. */
const failureExamples = ({
  group,
  fails,
  overrides,
  signedOutData = null,
  refusals = [],
  failedData = null,
}: OperationDocument) => {
  const examples: Record<string, { value: unknown }> = {};
  for (const { name, ...value } of refusals) examples[name] = { value };
  const show = (name: string, failure: Failure): void => {
    const { variant, code, message } = answerOf(failure, group, overrides);
    const data = code === 401 ? signedOutData : failedData;
    examples[name] = { value: variant === 'auth-status' ? { code, message } : { code, message, data } };
  };
  for (const kind of [...fails, ...groupFails[group]]) {
    if (kind === 'credentials-refused' || kind === 'stored-credentials-refused') {
      for (const step of steps) show(`${kind}: ${step}`, new Failure(kind, { step }));
    } else show(kind, new Failure(kind));
  }
  return examples;
};

/** The schema of one route as the framework and the document generator take it. */
export const routeSchema = <B extends TObject>(
  document: OperationDocument<B>,
): Omit<FastifySchema, 'body'> & { readonly body: B } => {
  const { operationId, tag, summary, description, group, body, response, example } = document;
  const variants = [response, document.failure ?? ErrorResponse, ...(group === 'user' ? [] : [AuthStatus])];
  const title = String(response.title).replace(/Response$/, 'Answer');
  const success = { value: { code: 200, message: example.message, data: example.data } };
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    security: [],
    body: { ...body, 'x-examples': { request: { value: example.body } } },
    response: {
      200: {
        'x-response-description': 'Success, or a failure told by `code`.',
        headers: retryAfter,
        ...Type.Union(variants, { title, description: 'Told apart by `code`; without `data`: a credential problem.' }),
        'x-examples': { success, ...failureExamples(document) },
      },
      422: {
        'x-response-description': 'The body does not validate; all defects at once.',
        ...HttpValidationError,
        'x-examples': {
          'body missing': {
            value: { detail: [{ type: 'missing', loc: ['body'], msg: 'Field required', input: null }] },
          },
          'malformed JSON': { value: { detail: [itemOf(malformedJson(0), false, 'en')] } },
        },
      },
      503: {
        'x-response-description': 'Overloaded or shutting down.',
        headers: retryAfter,
        ...ErrorResponse,
        'x-examples': { overloaded: { value: { code: 503, message: '服务繁忙，请稍后重试', data: null } } },
      },
    },
  };
};

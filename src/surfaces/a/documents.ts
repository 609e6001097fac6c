import { type TObject, Type } from '@sinclair/typebox';
import type { FastifySchema } from 'fastify';
import { Failure, type FailureKind, type SignInStep } from '../../domain/errors.ts';
import { retryAfter } from '../../platform/openapi-answers.ts';
import { answerOf, type OperationGroup, type Overrides } from './failures.ts';
import { itemOf, malformedJson } from './invalid-body.ts';
import { AuthStatus, ErrorResponse, HttpValidationError } from './schemas/envelope.ts';

export interface OperationDocument<B extends TObject = TObject> {
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string | undefined;
  readonly group: OperationGroup;
  readonly body: B;
  readonly response: TObject;
  /** The envelope of failures that have a payload. */
  readonly failure?: TObject | undefined;
  /** A complete request body, and what `data` answers to it. */
  readonly example: { readonly body: unknown; readonly message: string; readonly data: unknown };
  /** Failures of this operation worth showing, beside those of its group. */
  readonly fails: readonly FailureKind[];
  readonly overrides?: Overrides | undefined;
  readonly signedOutData?: unknown;
  /** Further answers of this operation that are no failure of the group: typed, with a code and a payload of their own. */
  readonly refusals?: readonly {
    readonly name: string;
    readonly code: number;
    readonly message: string;
    readonly data: unknown;
  }[];
  /** Payload of this operation's failures other than null. */
  readonly failedData?: unknown;
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

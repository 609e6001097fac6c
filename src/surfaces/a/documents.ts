import type { TObject, TSchema } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { Failure, type FailureKind, type SignInStep } from '../../domain/errors.ts';
import { answerOf, type OperationGroup, type Overrides } from './failures.ts';
import { malformedJson } from './invalid-body.ts';
import { AuthStatus, ErrorResponse, HttpValidationError } from './schemas/envelope.ts';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A copy in which every named schema below the root is a reference. */
const withReferences = (node: unknown, root = true): unknown => {
  if (Array.isArray(node)) return node.map((item: unknown) => withReferences(item, false));
  if (!isRecord(node)) return node;
  if (!root && typeof node.$id === 'string') return { $ref: `${node.$id}#` };
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, withReferences(value, false)]));
};

/** The component itself is a reference too: nothing named is ever written out in an operation. */
export const referenceTo = (schema: TSchema): unknown => withReferences(schema, schema.$id === undefined);

/** Makes every named schema within `schema` known to the scope, once. */
export const addComponents = (scope: FastifyInstance, schema: unknown): void => {
  if (Array.isArray(schema)) for (const item of schema) addComponents(scope, item);
  if (!isRecord(schema)) return;
  const { $id } = schema;
  if (typeof $id === 'string') {
    if (scope.getSchema($id) !== undefined) return;
    scope.addSchema(withReferences(schema));
  }
  for (const value of Object.values(schema)) addComponents(scope, value);
};

export interface OperationDocument {
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string | undefined;
  readonly group: OperationGroup;
  readonly body: TObject;
  readonly response: TObject;
  /** A complete request body, and what `data` answers to it. */
  readonly example: { readonly body: unknown; readonly message: string; readonly data: unknown };
  /** Failures of this operation worth showing, beside those of its group. */
  readonly fails: readonly FailureKind[];
  readonly overrides?: Overrides | undefined;
  readonly signedOutData?: unknown;
}

const groupFails: Readonly<Record<OperationGroup, readonly FailureKind[]>> = {
  user: ['storage-failed'],
  academics: [
    'token-unknown',
    'token-user-gone',
    'stored-credentials-refused',
    'sign-in-unavailable',
    'upstream-unavailable',
    'storage-failed',
  ],
};

const steps: readonly SignInStep[] = ['portal', 'unified-login'];

/** Examples are made by the same table that answers, so they cannot tell another story. */
const failureExamples = ({ group, fails, overrides, signedOutData = null }: OperationDocument) => {
  const examples: Record<string, { value: unknown }> = {};
  const show = (name: string, failure: Failure): void => {
    const { variant, code, message } = answerOf(failure, group, overrides);
    const data = code === 401 ? signedOutData : null;
    examples[name] = { value: variant === 'auth-status' ? { code, message } : { code, message, data } };
  };
  for (const kind of [...fails, ...groupFails[group]]) {
    if (kind === 'credentials-refused' || kind === 'stored-credentials-refused') {
      for (const step of steps) show(`${kind}: ${step}`, new Failure(kind, { step }));
    } else show(kind, new Failure(kind));
  }
  return examples;
};

const retryAfter = {
  'Retry-After': { type: 'integer', description: 'Seconds; with every 429 and 503, and with a 500 that knows them.' },
};

/** Examples beside a bare reference would be dropped, hence the list of one. */
const only = (schema: TSchema) => ({ allOf: [referenceTo(schema)] });

/** The schema of one route as the framework and the document generator take it. */
export const routeSchema = (document: OperationDocument) => {
  const { operationId, tag, summary, description, group, body, response, example } = document;
  const variants = group === 'user' ? [response] : [response, AuthStatus, ErrorResponse];
  const success = { value: { code: 200, message: example.message, data: example.data } };
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    security: [],
    body: { ...only(body), 'x-examples': { request: { value: example.body } } },
    response: {
      200: {
        description: 'Success, or a failure told by `code`.',
        headers: retryAfter,
        anyOf: variants.map(referenceTo),
        'x-examples': { success, ...failureExamples(document) },
      },
      422: {
        description: 'The body does not validate; all defects at once.',
        ...only(HttpValidationError),
        'x-examples': {
          'body missing': {
            value: { detail: [{ type: 'missing', loc: ['body'], msg: 'Field required', input: null }] },
          },
          'malformed JSON': { value: { detail: [malformedJson(0)] } },
        },
      },
      503: {
        description: 'Overloaded or shutting down.',
        headers: retryAfter,
        ...only(ErrorResponse),
        'x-examples': { overloaded: { value: { code: 503, message: '服务繁忙，请稍后重试', data: null } } },
      },
    },
  };
};

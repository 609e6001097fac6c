import type { TObject, TSchema } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import type { OperationGroup } from './failures.ts';
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
  /** Failures worth an example: name → code and message. */
  readonly failures: Readonly<Record<string, { readonly code: number; readonly message: string; data?: unknown }>>;
}

const invalidExample = {
  detail: [{ type: 'missing', loc: ['body', 'token'], msg: 'Field required', input: {} }],
};

const envelopeExamples = (document: OperationDocument) => {
  const { group, example, failures } = document;
  const signIn =
    group === 'user'
      ? {}
      : {
          'unknown token': { value: { code: 401, message: '无效的令牌或用户不存在' } },
          'stored passwords refused': { value: { code: 400, message: 'VPN登录失败，请检查用户名和密码' } },
          'campus unavailable': { value: { code: 500, message: '教务系统暂不可用，请稍后重试', data: null } },
        };
  return {
    success: { value: { code: 200, message: example.message, data: example.data } },
    ...signIn,
    ...Object.fromEntries(
      Object.entries(failures).map(([name, { code, message, data = null }]) => [
        name,
        { value: { code, message, data } },
      ]),
    ),
  };
};

/** The schema of one route as the framework and the document generator take it. */
export const routeSchema = (document: OperationDocument) => {
  const variants = document.group === 'user' ? [document.response] : [document.response, AuthStatus, ErrorResponse];
  return {
    operationId: document.operationId,
    tags: [document.tag],
    summary: document.summary,
    ...(document.description === undefined ? {} : { description: document.description }),
    security: [],
    body: { ...asObject(referenceTo(document.body)), 'x-examples': { request: { value: document.example.body } } },
    response: {
      200: {
        description: 'Success, or a failure told by `code`.',
        anyOf: variants.map(referenceTo),
        'x-examples': envelopeExamples(document),
      },
      422: {
        description: 'The body does not validate; all defects at once.',
        ...asObject(referenceTo(HttpValidationError)),
        'x-examples': { 'missing member': { value: invalidExample } },
      },
      503: {
        description: 'Overloaded or shutting down; see `Retry-After`.',
        ...asObject(referenceTo(ErrorResponse)),
        'x-examples': { overloaded: { value: { code: 503, message: '服务繁忙，请稍后重试', data: null } } },
      },
    },
  };
};

const asObject = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});

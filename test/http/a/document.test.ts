import { FormatRegistry, type TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import fastify from 'fastify';
import { beforeAll, describe, expect, it } from 'vitest';
import { addCallContext } from '../../../src/http/call/call-context.ts';
import { addOpenApi } from '../../../src/http/docs/openapi.ts';
import { AuthStatus, ErrorResponse, HttpValidationError } from '../../../src/surfaces/a/envelope.ts';
import { registerSurfaceA } from '../../../src/surfaces/a/index.ts';
import { testConfig } from '../../support/app.ts';
import { fakeServices } from '../../support/fake-services.ts';
import { withExamples } from '../../support/openapi-operations.ts';
import { depsOf, surfaceA, typedOperations } from './support.ts';

interface Media {
  readonly schema: { readonly $ref: string };
  readonly examples: Record<string, { readonly value: Record<string, unknown> }>;
}

interface AnswerObject {
  readonly $ref?: string;
  readonly content: { readonly 'application/json': Media };
}

interface OperationObject {
  readonly operationId: string;
  readonly requestBody: { readonly content: { readonly 'application/json': Media } };
  readonly responses: Record<string, AnswerObject>;
}

interface DocumentObject {
  readonly paths: Record<string, { readonly post: OperationObject }>;
  readonly components: {
    readonly schemas: Record<string, { readonly anyOf?: { $ref: string }[] }>;
    readonly responses: Record<string, AnswerObject>;
  };
}

/** The answers of each path: success, failure, and on most paths a credential problem. */
const variants = new Map<string, readonly TSchema[]>();

let document: DocumentObject;

beforeAll(async () => {
  FormatRegistry.Set('date-time', (text) => /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(Z|[+-]\d{2}:\d{2})$/.test(text));
  const app = fastify();
  await addOpenApi(app, { ...testConfig.server, tags: [], tokens: testConfig.accounts, build: null, docsUrl: null });
  addCallContext(app, 1_000);
  app.addHook('onRoute', ({ url, schema }) => {
    variants.set(url, Object(schema?.response)[200]?.anyOf);
  });
  await registerSurfaceA(app, depsOf(fakeServices()));
  await app.ready();
  document = withExamples(app.swagger());
  await app.close();
});

describe('the interface document', () => {
  it('lists exactly the operations of the surface, each under its own id', () => {
    expect(Object.keys(document.paths).sort()).toEqual(typedOperations.map(([path]) => `/api/v1${path}`).sort());
    const ids = Object.values(document.paths).map(({ post }) => post.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('names every component with the prefix of this surface', () => {
    const names = Object.keys(document.components.schemas);
    expect(names).toContain('V1AcademicInfo');
    expect(names).toContain('V1HTTPValidationError');
    expect(names.filter((name) => !/^V1[A-Z]/.test(name))).toEqual([]);
  });

  it('does not ask for members that have a default', () => {
    expect(document.components.schemas.V1FetchTermScoreRequest).toMatchObject({
      required: ['term_id'],
      properties: { page_size: { minimum: 1, maximum: 100, default: 50 }, page_num: { minimum: 1, default: 1 } },
    });
  });
});

it('says of settings that come as JSON text that the text holds an object', () => {
  const { properties } = Object(document.components.schemas.V1UpdateUserProfileRequest);
  const { pattern } = properties.settings.anyOf.find((variant: object) => 'pattern' in variant);
  const matching = ['', 'null', '[]', '"{}"', '1', '{}', ' \t\r\n{"theme":"light"}'].filter((text) =>
    new RegExp(pattern).test(text),
  );
  expect(matching).toEqual(['{}', ' \t\r\n{"theme":"light"}']);
});

describe.each(typedOperations)('%s', (path, body) => {
  const operation = () => document.paths[`/api/v1${path}`]!.post;
  const [success, failure] = [() => variants.get(`/api/v1${path}`)![0]!, () => variants.get(`/api/v1${path}`)![1]!];
  const media = (status: string) => {
    const answer = operation().responses[status]!;
    const shared = answer.$ref?.split('/').at(-1);
    return (shared === undefined ? answer : document.components.responses[shared]!).content['application/json'];
  };

  it('documents a request that the operation accepts', async () => {
    const { post, services } = await surfaceA();
    services.accounts.authenticate.returns({ userid: '2023000001' });
    const { request } = operation().requestBody.content['application/json'].examples;
    expect((await post(path, request!.value)).json().code).toBe(200);
  });

  it('answers what it documents', async () => {
    const { post } = await surfaceA();
    expect([...Value.Errors(success(), (await post(path, body)).json())]).toEqual([]);
  });

  it('documents its variants, and every failure example fits one of them', () => {
    const union = document.components.schemas[media('200').schema.$ref.split('/').at(-1) ?? ''];
    const refs = union?.anyOf?.map(({ $ref }) => $ref.split('/').at(-1));
    const all = [success().title, failure().title, 'V1AuthStatus'];
    expect(refs).toEqual(all.slice(0, path.startsWith('/user/') ? 2 : 3));
    const examples = Object.values(media('200').examples).map(({ value }) => value);
    expect(examples.length).toBeGreaterThan(1);
    for (const value of examples) {
      const schema = 'data' in value ? (value.code === 200 ? success() : failure()) : AuthStatus;
      expect([...Value.Errors(schema, value)]).toEqual([]);
    }
    const bare = examples.filter((value) => !('data' in value));
    expect(bare.length > 0).toBe(!path.startsWith('/user/'));
  });

  it('documents the invalid body and overload with examples', () => {
    for (const { value } of Object.values(media('422').examples)) {
      expect([...Value.Errors(HttpValidationError, value)]).toEqual([]);
    }
    expect(Object.values(media('422').examples).length).toBeGreaterThan(1);
    for (const { value } of Object.values(media('503').examples)) {
      expect([...Value.Errors(ErrorResponse, value)]).toEqual([]);
    }
  });
});

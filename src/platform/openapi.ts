import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { isRecord } from '../lib/records.ts';
import { shareAnswers } from './openapi-answers.ts';
import { createSchemas } from './openapi-schemas.ts';

/** That of package.json; a test compares. */
export const version = '1.0.0';

type Json = Record<string, unknown>;

const mapValues = (node: unknown, change: (value: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(Object(node)).map(([key, value]) => [key, change(value)]));

/** Replaces what stands at `schema` and leaves examples, which are data, alone. */
const withSchemas = (node: unknown, use: (schema: unknown) => unknown): unknown => {
  if (Array.isArray(node)) return node.map((item) => withSchemas(item, use));
  if (!isRecord(node)) return node;
  const entries = Object.entries(node).map(([key, value]) => {
    if (key === 'schema') return [key, use(value)];
    return [key, key === 'examples' || key === 'example' ? value : withSchemas(value, use)];
  });
  return Object.fromEntries(entries);
};

/** Marks the operations whose body may be left out, for which the framework has no word. */
export const optionalBody = 'x-optional-body';

const withOptionalBodies = (paths: unknown): unknown =>
  mapValues(paths, (methods) =>
    mapValues(methods, (operation) => {
      if (!isRecord(operation) || operation[optionalBody] !== true) return operation;
      const { [optionalBody]: _, requestBody, ...rest } = operation;
      return { ...rest, requestBody: { ...Object(requestBody), required: false } };
    }),
  );

/** The document as generators of clients take it: named schemas, plain types, nothing said twice. */
const published = (generated: Json): Json => {
  const { use, components } = createSchemas();
  const own = isRecord(generated.components) ? generated.components : {};
  const paths = withOptionalBodies(withSchemas(generated.paths, use));
  // A schema that holds itself is registered under its own name, without a title.
  for (const [title, schema] of Object.entries(Object(own.schemas))) use({ ...Object(schema), title });
  return { ...generated, paths, components: { ...own, ...shareAnswers(paths), schemas: components() } };
};

export interface OpenApiSettings {
  /** Address clients reach the service at; null: relative to the document. */
  readonly publicUrl: string | null;
  /** What the operations are grouped by, in the order of the document. */
  readonly tags?: readonly Tag[];
  /** How long tokens live. */
  readonly tokens?: { readonly tokenTtlMs: number; readonly tokenMaxMs: number } | undefined;
  /** Calls per minute. */
  readonly limits?: { readonly callsPerToken: number; readonly callsPerAddress: number };
}

export interface Tag {
  readonly name: string;
  readonly description: string;
}

const dayMs = 86_400_000;

const descriptionOf = ({ tokens, limits }: OpenApiSettings): string =>
  [
    'One API over a campus: portal and unified login, academic affairs and more, on two surfaces over one domain.',
    '**Paths below `/api/v1`**: POST with a JSON body, token in the body, answers `{code, message, data}`. HTTP status ' +
      '200 for success and failure alike: `code` is 200 for success and nothing else.',
    '**All other paths**: `Authorization: Bearer <token>`, answers `{success, message, data, error, timestamp}`. The ' +
      'HTTP status tells success from failure, and `error.code` one failure from another.',
    'A **token** works on both. A student has at most five; a sixth login ends the oldest.' +
      (tokens
        ? ` One that nobody uses ends after ${tokens.tokenTtlMs / dayMs} days, any after ${tokens.tokenMaxMs / dayMs}.`
        : ''),
    ...(limits
      ? [
          `**Limits**: ${limits.callsPerToken} calls per minute with one valid token, ${limits.callsPerAddress} per ` +
            'minute without one from one address; logins, registrations and uploads have limits of their own. Beyond ' +
            'them the answer is 429, or code 429 below `/api/v1`, with `Retry-After`.',
        ]
      : []),
    'New members and new codes may be added, so clients ignore what they do not know. `message` is for people and may ' +
      'change.',
  ].join('\n\n');

/** Must be registered before the first route. The document is made once, at the first request for it. */
export const addOpenApi = async (app: FastifyInstance, settings: OpenApiSettings): Promise<void> => {
  const { publicUrl, tags = [] } = settings;
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Campus Gateway',
        version,
        description: descriptionOf(settings),
        contact: { name: 'The operator of this service', ...(publicUrl === null ? {} : { url: publicUrl }) },
        license: { name: 'MIT', identifier: 'MIT' },
      },
      tags: tags.map((tag) => ({ ...tag })),
      servers: [{ url: publicUrl ?? '/' }],
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'Token of `/auth/login/next`; 43 characters, opaque.',
          },
        },
      },
    },
    stripBasePath: false,
    convertConstToEnum: false,
    // A shared schema is a component of its own name.
    refResolver: { buildLocalReference: (json, _base, _fragment, at) => String(json.$id ?? `def-${at}`) },
    transformObject: (made) => {
      if (!('openapiObject' in made)) throw new Error('an OpenAPI document was asked for');
      return published({ ...made.openapiObject });
    },
  });
};

import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import type { Need } from '../../domain/scopes.ts';
import { type Build, version } from '../../lib/build.ts';
import { isRecord } from '../../lib/text.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { Words } from '../languages.ts';
import { STUDENT_FACTOR } from '../limits/limits.ts';
import { linkDocuments, type OpenApiObject, operationsOf, shareAnswers } from './openapi-answers.ts';
import { createSchemas, mapValues } from './openapi-schemas.ts';

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

/** Names the need of an operation: a scope, `login` or `any`. Also where the token is in the body. */
export const tokenScope = 'x-token-scope';

/** Names the capabilities that an operation needs, by the names of `GET /campus`. */
export const neededCapabilities = 'x-capabilities';

/** `need` undefined: no token is needed. An optional one is named too: generators ignore a parameter `Authorization`. */
export const securityOf = (
  need: Need | undefined,
  optionalToken: boolean,
): { readonly security: ReadonlyArray<Record<string, readonly string[]>>; readonly [tokenScope]?: Need } => {
  if (need === undefined) return { security: optionalToken ? [{}, { bearer: [] }] : [] };
  return { security: [{ bearer: need === 'any' || need === 'login' ? [] : [need] }], [tokenScope]: need };
};

export const NO_OPERATOR = 'The operator of this service';

/** Where the Chinese summary of an operation stands until `describeIn` has chosen one. */
export const chineseSummary = 'x-summary-zh';

export const inLanguages = ({ en, zh }: Words) => ({ summary: en, [chineseSummary]: zh });

/** Names the headers that a request may have. They are not checked: what is not understood in them means nothing. */
export const headerParameters = 'x-header-parameters';

/** Without example or values to choose from: the page of the documents would send them with every try. */
export interface HeaderParameter {
  readonly description: string;
  readonly schema: { readonly type: 'string' };
}

/** Describes each header once, or with each operation where they differ. Changes `paths`, and returns the components. */
const shareHeaders = (paths: unknown): OpenApiObject => {
  const operations = operationsOf(paths).map((operation) => ({
    operation,
    headers: Object.entries(Object(operation[headerParameters])),
  }));
  const meanings = new Map<string, Set<string>>();
  for (const [name, said] of operations.flatMap(({ headers }) => headers)) {
    meanings.set(name, (meanings.get(name) ?? new Set()).add(JSON.stringify(said)));
  }
  const shared: OpenApiObject = {};
  for (const { operation, headers } of operations) {
    const { parameters } = operation;
    delete operation[headerParameters];
    const described = headers.map(([name, said]) => {
      const parameter = { name, in: 'header', required: false, ...Object(said) };
      if (meanings.get(name)?.size !== 1) return parameter;
      const component = `${name.replaceAll('-', '')}Header`;
      shared[component] = parameter;
      return { $ref: `#/components/parameters/${component}` };
    });
    if (described.length > 0) operation.parameters = [...(Array.isArray(parameters) ? parameters : []), ...described];
  }
  return shared;
};

/** A campus that does not offer all of it leaves groups without operations. */
const usedTags = (tags: unknown, paths: unknown): unknown[] => {
  const used = new Set(operationsOf(paths).flatMap((operation) => operation.tags ?? []));
  return Array.isArray(tags) ? tags.filter(({ name }) => used.has(name)) : [];
};

/** The document as generators of clients take it: named schemas, plain types, nothing said twice. */
const publish = (generated: OpenApiObject, docsUrl: string | null, build: Build | null): OpenApiObject => {
  const { use, components } = createSchemas();
  const own = isRecord(generated.components) ? generated.components : {};
  const paths = withOptionalBodies(withSchemas(generated.paths, use));
  // A schema that holds itself is registered under its own name, without a title.
  for (const [title, schema] of Object.entries(Object(own.schemas))) use({ ...Object(schema), title });
  const parameters = shareHeaders(paths);
  if (docsUrl !== null) linkDocuments(paths, docsUrl);
  const tags = usedTags(generated.tags, paths);
  return {
    ...generated,
    ...(build ? { 'x-build': { ...build } } : {}),
    tags,
    paths,
    components: { ...own, parameters, ...shareAnswers(paths), schemas: components() },
  };
};

/** Who runs the service, as far as the settings say it. */
export interface Operator {
  readonly name: string | null;
  /** `mailto:` or `https:`. */
  readonly contact: string | null;
}

export interface OpenApiSettings {
  /** Address clients reach the service at; null: relative to the document. */
  readonly publicUrl: string | null;
  readonly tags: readonly Tag[];
  readonly tokens: { readonly tokenTtlMs: number; readonly tokenMaxMs: number };
  readonly operator: Operator;
  /** Where the documents of this service are; null: they are not served. */
  readonly docsUrl: string | null;
  /** Of the running service; null in a document that is checked in. */
  readonly build: Build | null;
  /** Calls per minute. */
  readonly limits: { readonly callsPerToken: number; readonly callsPerAddress: number };
}

export interface Tag {
  readonly name: string;
  readonly description: string;
}

const contactOf = ({ operator, publicUrl }: OpenApiSettings): Readonly<Record<string, string>> => {
  const name = operator.name ?? NO_OPERATOR;
  const address = operator.contact ?? publicUrl;
  if (address === null) return { name };
  const [, mail] = /^mailto:(.+)$/.exec(address) ?? [];
  return mail === undefined ? { name, url: address } : { name, email: mail };
};

const descriptionOf = ({ tokens, limits }: OpenApiSettings): string =>
  [
    'One API over a campus: portal and unified login, academic affairs and more, on two surfaces over one domain.',
    '**Paths below `/api/v1`**: POST with a JSON body, token in the body, answers `{code, message, data}`. HTTP status ' +
      '200 also where the operation failed, or a limit was met: `code` is 200 for success and nothing else. A body that does not fit is ' +
      '422, what no operation has 404 or 405, an overloaded service 503.',
    '**All other paths**: `Authorization: Bearer <token>`, answers `{success, message, data, error, timestamp}`. The ' +
      'HTTP status tells success from failure, `error.code` one failure from another, and `error.retryable` whether the ' +
      'same call may be sent once more. What the campus itself refused, as a sign-up that is full, is no failure: 200 ' +
      'with `success: false`, `error: null`, and its words in `message` and `data`.',
    'A **token** works on both. A student has at most five; a sixth login ends the oldest. An unused one ends after ' +
      `${tokens.tokenTtlMs / DAY_MS} days, any after ${tokens.tokenMaxMs / DAY_MS}.`,
    `**Limits**: ${limits.callsPerToken} calls per minute with one valid token, ${Math.floor(limits.callsPerToken * STUDENT_FACTOR)} of ` +
      `one student (listing and ending sessions and tokens, and logout, count for their token alone), ${limits.callsPerAddress} per minute without one from one address; 16 calls at once with one ` +
      'token, where 64 more wait; logins, registrations and uploads have their own limits. Beyond ' +
      'them the answer is 429, or code 429 below `/api/v1`, with `Retry-After`.',
    'New members and new codes may be added, so clients ignore what they do not know. `message` is for people and may ' +
      'change.',
  ].join('\n\n');

/** Must be registered before the first route. */
export const addOpenApi = async (app: FastifyInstance, settings: OpenApiSettings): Promise<void> => {
  const { publicUrl, tags, docsUrl, build } = settings;
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Campus Gateway',
        version,
        description: descriptionOf(settings),
        contact: contactOf(settings),
        license: { name: 'MIT', identifier: 'MIT' },
      },
      tags: tags.map((tag) => ({ ...tag })),
      servers: [{ url: publicUrl ?? '/' }],
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'Token of `/auth/login/next`, or a personal one of `/auth/tokens`; opaque.',
          },
        },
      },
    },
    stripBasePath: false,
    convertConstToEnum: false,
    refResolver: { buildLocalReference: (json, _base, _fragment, at) => String(json.$id ?? `def-${at}`) },
    transformObject: (made) => {
      if (!('openapiObject' in made)) throw new Error('an OpenAPI document was asked for');
      return publish({ ...made.openapiObject }, docsUrl, build);
    },
  });
};

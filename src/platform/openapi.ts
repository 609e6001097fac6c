import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { isRecord } from './records.ts';

/** That of package.json; a test compares. */
export const version = '1.0.0';

/**
 * Every schema with a `title` becomes a component of that name and is referred to from everywhere else. Two different
 * schemas of one title would silently describe each other, so they end the start.
 */
const hoistTitled = (document: Record<string, unknown>): void => {
  const components = isRecord(document.components) ? document.components : {};
  const schemas: Record<string, unknown> = isRecord(components.schemas) ? components.schemas : {};
  const seen = new Map<string, string>();

  const visit = (node: unknown, isSchema: boolean): unknown => {
    if (Array.isArray(node)) return node.map((item) => visit(item, isSchema));
    if (!isRecord(node)) return node;
    const copy: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(node)) {
      copy[key] = isData(key, isSchema) ? value : visit(value, isSchema || key === 'schema' || key === 'schemas');
    }
    const { title } = copy;
    if (!isSchema || typeof title !== 'string' || !isSchemaObject(copy)) return copy;
    const text = JSON.stringify(copy);
    const known = seen.get(title);
    if (known !== undefined && known !== text) throw new Error(`two different schemas are called ${title}`);
    seen.set(title, text);
    schemas[title] = copy;
    return { $ref: `#/components/schemas/${title}` };
  };

  document.paths = visit(document.paths, false);
  components.schemas = Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
  document.components = components;
};

/** Members of a schema that are data, not schemas. */
const isData = (key: string, isSchema: boolean): boolean =>
  key === 'example' || key === 'examples' || (isSchema && (key === 'default' || key === 'enum' || key === 'const'));

/** A property that happens to be called `title` is a record, not a text; a titled schema states what it is. */
const isSchemaObject = (node: Record<string, unknown>): boolean =>
  typeof node.type === 'string' || Array.isArray(node.anyOf) || Array.isArray(node.enum);

export interface OpenApiSettings {
  /** Address clients reach the service at; null: relative to the document. */
  readonly publicUrl: string | null;
}

const description = [
  'One API over a campus: portal and unified login, academic affairs and more, on two surfaces over one domain.',
  '',
  '**Paths below `/api/v1`**: POST with a JSON body, token in the body, answers `{code, message, data}`.',
  '',
  '**All other paths**: `Authorization: Bearer <token>`, answers `{success, message, data, error, timestamp}`.',
  '',
  'A token works on both. Every answer carries `X-Trace-Id` and `X-Process-Time`.',
].join('\n');

/** Must be registered before the first route. The document is made once, at the first request for it. */
export const addOpenApi = async (app: FastifyInstance, { publicUrl }: OpenApiSettings): Promise<void> => {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Campus Gateway', version, description, license: { name: 'MIT', identifier: 'MIT' } },
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
    // A shared schema is a component of its own name.
    refResolver: { buildLocalReference: (json, _base, _fragment, at) => String(json.$id ?? `def-${at}`) },
    transformObject: (made) => {
      if (!('openapiObject' in made)) throw new Error('an OpenAPI document was asked for');
      const document: Record<string, unknown> = { ...made.openapiObject };
      hoistTitled(document);
      return document;
    },
  });
};

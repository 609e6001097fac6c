import type { FastifyInstance } from 'fastify';

// biome-ignore lint/suspicious/noExplicitAny: a generic document, walked by its own structure
type Json = any;

/** One operation of the interface document, ready to be called. */
export interface DocumentedOperation {
  readonly surface: 'a' | 'b';
  readonly method: string;
  /** As in the document: `/jwc/score/{term_code}/list`. */
  readonly path: string;
  readonly parameters: ReadonlyArray<{ name: string; in: string; schema: Json; example: Json }>;
  /** Resolved schema of the JSON body, null when there is none. */
  readonly bodySchema: Json;
  /** The documented example of the body. */
  readonly bodyExample: Json;
  readonly multipart: boolean;
  readonly needsToken: boolean;
  /** Capabilities that the campus has to supply. */
  readonly capabilities: readonly string[];
  /** Status → schema of its JSON answer; undefined where the answer is no JSON. */
  readonly answers: ReadonlyMap<string, Json>;
}

const resolve = (document: Json, schema: Json): Json => {
  if (schema?.allOf?.length === 1) return resolve(document, schema.allOf[0]);
  if (schema?.$ref === undefined) return schema;
  return resolve(document, document.components.schemas[schema.$ref.split('/').pop()]);
};

/** A response itself, also where it refers to one that several operations share. */
const answerOf = (document: Json, response: Json): Json =>
  response.$ref === undefined ? response : document.components.responses[response.$ref.split('/').pop()];

/** The document with every example where it is referred to. */
export const withExamples = (document: Json): Json =>
  JSON.parse(
    JSON.stringify(document).replace(/\{"\$ref":"#\/components\/examples\/([^"]+)"\}/g, (_, name) =>
      JSON.stringify(document.components.examples[name]),
    ),
  );

const methods = ['get', 'post', 'put', 'delete', 'patch'];

/** Such an answer never ends: it has its own test. */
const isStream = ({ responses }: Json): boolean => responses[200]?.content?.['text/event-stream'] !== undefined;

/** Every operation of the published document, in its order. */
export const documentedOperations = (app: FastifyInstance): { document: Json; operations: DocumentedOperation[] } => {
  const document: Json = withExamples(app.swagger());
  const operations = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    methods
      .filter((method) => item[method] !== undefined && !isStream(item[method]))
      .map((method): DocumentedOperation => {
        const operation = item[method];
        const content = operation.requestBody?.content ?? {};
        const json = content['application/json'];
        const [example]: Json[] = Object.values(json?.examples ?? {});
        const surface = path.startsWith('/api/v1/') ? 'a' : 'b';
        const bodyExample = example?.value ?? json?.example ?? json?.schema?.example ?? null;
        return {
          surface,
          method: method.toUpperCase(),
          path,
          // Headers are shared by reference, and none has to be sent.
          parameters: (operation.parameters ?? [])
            .filter((p: Json) => p.$ref === undefined)
            .map((p: Json) => ({
              name: p.name,
              in: p.in,
              schema: p.schema,
              example: p.example ?? p.schema?.example ?? Object.values<Json>(p.examples ?? {})[0]?.value,
            })),
          bodySchema: json ? resolve(document, json.schema) : null,
          bodyExample,
          multipart: content['multipart/form-data'] !== undefined,
          needsToken:
            surface === 'a'
              ? JSON.stringify(bodyExample ?? {}).includes('"token"')
              : (operation.security ?? []).some((each: Json) => each.bearer) &&
                operation.security.every((each: Json) => each.bearer),
          capabilities: operation['x-capabilities'] ?? [],
          answers: new Map(
            Object.entries<Json>(operation.responses).map(([status, answer]) => [
              status,
              answerOf(document, answer).content?.['application/json']?.schema,
            ]),
          ),
        };
      }),
  );
  return { document, operations };
};

/** The example body with the caller's own token wherever a token stands. */
export const withToken = (body: Json, token: string): Json => {
  if (Array.isArray(body)) return body.map((item) => withToken(item, token));
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [key, key === 'token' ? token : withToken(value, token)]),
  );
};

import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { buildApp } from '../../../src/composition/app.ts';
import { version } from '../../../src/lib/build.ts';
import { wholeCampus } from '../../support/addresses-of.ts';
import { appUnderTest, testConfig } from '../../support/app.ts';
import { fakeServices } from '../../support/fake-services.ts';
import { withExamples } from '../../support/openapi-operations.ts';

interface Schema {
  description?: string;
  $ref?: string;
  enum?: unknown[];
  properties?: Record<string, Schema>;
}
interface Media {
  schema: Record<string, unknown>;
  examples?: Record<string, { value: unknown }>;
}
interface Answer {
  description: string;
  headers?: Record<string, unknown>;
  content?: Record<string, Media>;
}
interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  security: unknown[];
  'x-token-scope'?: string;
  parameters?: Array<{ name: string; in: string; description?: string; $ref?: string }>;
  requestBody?: { required: boolean; content: Record<string, Media> };
  responses: Record<string, Answer>;
}
interface Document {
  openapi: string;
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  tags: Array<{ name: string; description: string }>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, Answer>;
    parameters: Record<string, { name?: string; in?: string; $ref?: string }>;
    headers: Record<string, { description: string }>;
    securitySchemes: Record<string, unknown>;
  };
}

const load = async (): Promise<Document> => {
  const { app } = await appUnderTest();
  return withExamples((await app.inject('/openapi.json')).json());
};
const document = await load();

/** Follows a reference into the components. */
const target = <T>(components: Record<string, T>, value: T): T => {
  const { $ref } = Object(value);
  if (typeof $ref !== 'string') return value;
  const found = components[$ref.split('/').at(-1) ?? ''];
  if (found === undefined) throw new Error(`nothing is called ${$ref}`);
  return found;
};
const resolved = (operation: Operation): Operation => ({
  ...operation,
  responses: Object.fromEntries(
    Object.entries(operation.responses).map(([status, answer]) => [
      status,
      target(document.components.responses, answer),
    ]),
  ),
});

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    id: `${method.toUpperCase()} ${path}`,
    path,
    operation: resolved(operation),
  })),
);
const own = operations.filter(({ path }) => !path.startsWith('/api/v1'));
const examplesOf = (operation: Operation | undefined, status: string) =>
  (operation && resolved(operation).responses[status])?.content?.['application/json']?.examples ?? {};
/** An example is named by its code, and by a second word where a code has several texts. */
const codesOf = (operation: Operation, status: string) => [
  ...new Set(Object.keys(examplesOf(operation, status)).map((name) => name.split(' ')[0])),
];

const references = (node: unknown): string[] => {
  if (Array.isArray(node)) return node.flatMap(references);
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) =>
    key === '$ref' && typeof value === 'string' ? [value] : references(value),
  );
};

/** These operations answer with a file. */
const isDelivery = (path: string): boolean => path.startsWith('/files/') || /(?:\.ics|\/export|\/stream)$/.test(path);

const ajv = new Ajv2020({ strict: false });

describe('the interface description', () => {
  it('is OpenAPI 3.1 of the version that runs, the same at every start', async () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.info.version).toBe(version);
    expect(JSON.stringify(await load())).toBe(JSON.stringify(document));
  });

  it('says which build serves it, where that is known', async () => {
    const build = { version, revision: 'abc1234def', date: '2026-03-18' };
    const app = await buildApp(testConfig, fakeServices(), { build });
    expect((await app.inject('/openapi.json')).json()['x-build']).toEqual(build);
    expect(document).not.toHaveProperty('x-build');
    await app.close();
  });

  it('leaves out what the campus does not offer, down to a single read', async () => {
    const services = fakeServices();
    services.campus = { ...wholeCampus, capabilities: new Set(['academics.terms']) };
    const app = await buildApp(testConfig, services);
    const { paths } = (await app.inject('/openapi.json')).json();
    const ofCampus = Object.keys(paths).filter((path) => /^(?:\/api\/v1)?\/(?:jwc|aac|isim|ldjlb|card)\//.test(path));
    expect(ofCampus).toEqual(['/jwc/term/all', '/api/v1/jwc/fetch_all_terms']);
    expect(Object.keys(paths['/calendar/feeds'])).toEqual(['get']);
    await app.close();
  });

  it('describes the other surface too, under separate names', () => {
    expect(operations.some(({ path }) => path.startsWith('/api/v1/'))).toBe(true);
    const names = Object.keys(document.components.schemas);
    expect(names).toEqual(expect.arrayContaining(['AcademicInfo', 'V1AcademicInfo', 'ScheduleData', 'V1ScheduleData']));
    expect(names.every((name) => /^[A-Za-z][A-Za-z0-9]*$/.test(name))).toBe(true);
  });

  it('refers to nothing that is not there, and leaves no generator words behind', () => {
    const targets = new Set(references(document));
    expect(targets.size).toBeGreaterThan(20);
    for (const each of targets) expect(document).toHaveProperty(each.replace('#/', '').split('/'));
    expect(JSON.stringify(document)).not.toMatch(/"(def-\d+|\$id|x-examples|x-response-description|nullable)"/);
  });

  it('gives no example of an answer twice', async () => {
    const { app } = await appUnderTest();
    const { paths, components } = (await app.inject('/openapi.json')).json();
    const answers = [
      ...Object.values<Record<string, Operation>>(paths).flatMap((methods) => Object.values(methods)),
      { responses: components.responses as Record<string, Answer> },
    ].flatMap(({ responses }) => Object.values(responses).flatMap(({ content }) => Object.values(content ?? {})));
    const said = answers.flatMap(({ examples = {} }) => Object.entries(examples).map((each) => JSON.stringify(each)));
    const inline = said.filter((each) => !each.includes('#/components/examples/'));
    expect([said.length > inline.length, new Set(inline).size]).toEqual([true, inline.length]);
  });

  it.each(own.filter(({ path }) => path !== '/'))(
    '$id: every answer and body has an example',
    ({ path, operation }) => {
      expect(operation.summary).not.toBe('');
      expect(operation.tags).toHaveLength(1);
      for (const [status, answer] of Object.entries(operation.responses)) {
        expect(answer.description).not.toBe('Default Response');
        const media = answer.content?.['application/json'];
        const isReserved = path.endsWith('/scan_sign') && status === '400';
        if (isReserved || status === '304' || (isDelivery(path) && status === '200'))
          expect(media?.examples).toBeUndefined();
        else expect(Object.keys(media?.examples ?? {}).length).toBeGreaterThan(0);
        for (const { value } of Object.values(media?.examples ?? {})) {
          expect(Object.keys(Object(value))).toEqual(['success', 'message', 'data', 'error', 'timestamp']);
        }
      }
      if (operation.requestBody && !path.endsWith('/upload')) {
        expect(operation.requestBody.content['application/json']?.examples?.request?.value).toBeTypeOf('object');
      }
    },
  );

  it.each(own.filter(({ path }) => path.includes('{') && !isDelivery(path)))(
    '$id: describes its path values',
    ({ path, operation }) => {
      const inPath = operation.parameters?.filter((parameter) => parameter.in === 'path');
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(inPath).toEqual(names.map((name) => expect.objectContaining({ name, required: true })));
      expect(codesOf(operation, '400')).toEqual(['EMPTY_PATH']);
      // Answers a value over 100 characters, or one that cannot be decoded.
      expect(codesOf(operation, '404')).toContain('NOT_FOUND');
    },
  );

  it('gives a status that never comes neither a code nor a link', () => {
    const scan = own.find(({ path }) => path.endsWith('/scan_sign'))?.operation;
    expect(scan && codesOf(scan, '400')).toEqual([]);
    expect(scan?.responses['400']?.description).toBe('保留的回答，不会出现');
    const pathless = own.filter(({ path }) => !path.includes('{'));
    expect(pathless.filter(({ operation }) => codesOf(operation, '400').includes('EMPTY_PATH'))).toEqual([]);
  });

  it('describes every operation, group, header, schema and member', () => {
    const { schemas, responses, headers } = document.components;
    const isSaid = (schema: Schema): boolean =>
      (schema.description ?? target(schemas, schema).description ?? '') !== '';
    const members = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties).map(([member, schema]): [string, Schema] => [`${name}.${member}`, schema]),
    );
    expect(members.length).toBeGreaterThan(500);
    expect(members.flatMap(([name, schema]) => (isSaid(schema) ? [] : name))).toEqual([]);
    for (const { operation } of operations) {
      expect(operation, operation.operationId).toHaveProperty('description', expect.stringMatching(/\.$/));
      expect(document.tags.map(({ name }) => name)).toEqual(expect.arrayContaining(operation.tags));
    }
    for (const { description } of [...document.tags, ...Object.values(headers), ...Object.values(responses)]) {
      expect(description).not.toBe('');
    }
  });

  /** Every object of the description but the examples, which are data, with its place. */
  const nodesOf = (node: unknown, path = ''): Array<[object, string]> => {
    if (typeof node !== 'object' || node === null) return [];
    const members = Object.entries(node).filter(([key]) => !/^examples?$/.test(key));
    return [[node, path], ...members.flatMap(([key, value]) => nodesOf(value, `${path}/${key}`))];
  };

  it('has no type that generators do not know, and widens no answer by a default', () => {
    const placesOf = (matches: (node: object) => boolean, allowed: RegExp) =>
      nodesOf(document).flatMap(([node, path]) => (matches(node) && !allowed.test(path) ? [path] : []));
    // Beside a reference, which has no type to add null to, it is what generators expect.
    expect(placesOf((node) => 'type' in node && node.type === 'null', /anyOf\/1$/)).toEqual([]);
    expect(placesOf((node) => 'default' in node, /FetchTermScoreRequest|\/parameters\//)).toEqual([]);
  });

  it('has no enumeration of truth values, which do not compile as one, and no member of any type', () => {
    const nodes = [document.paths, document.components].flatMap((part) => nodesOf(part).map(([node]) => node));
    const truths = nodes.filter(
      (node) => 'enum' in node && [node.enum].flat().some((each) => /^(true|false)$/.test(`${each}`)),
    );
    expect(truths).toEqual([]);
    const members = nodes.flatMap((node) => ('properties' in node ? Object.entries(Object(node.properties)) : []));
    const untyped = members.filter(([, member]) => !['type', '$ref', 'anyOf'].some((word) => word in Object(member)));
    expect(untyped).toEqual([]);
    expect(document.paths['/jwc/plan/current']?.get?.parameters).toContainEqual(
      expect.objectContaining({
        name: 'estimate',
        schema: expect.objectContaining({ type: 'boolean', default: false }),
      }),
    );
  });

  it('has an example for every value of a path and a query, which fits its schema', () => {
    let seen = 0;
    const unfit = operations.flatMap(({ id, operation: { parameters = [] } }) =>
      parameters.flatMap((parameter) => {
        const { name, in: place, example, schema, $ref } = Object(parameter);
        if ($ref !== undefined || place === 'header') return [];
        seen += 1;
        const fits = ajv.validate(Object(target(document.components.schemas, schema)), example);
        return example !== undefined && fits ? [] : `${id}: ${name}`;
      }),
    );
    expect(seen).toBeGreaterThan(20);
    expect(unfit).toEqual([]);
  });

  it('calls no schema as generators call the constructor of another', () => {
    const names = Object.keys(document.components.schemas);
    expect(names.filter((name) => names.includes(name.replace(/^New(?=[A-Z])/, '')) && name.startsWith('New'))).toEqual(
      [],
    );
  });

  it('calls no schema as an answer or another component, and none as generators call the answer of an operation', () => {
    const { schemas, responses, parameters, headers } = Object(document.components);
    const others = [responses, parameters, headers].flatMap((each) => Object.keys(each));
    const operations = Object.values(document.paths ?? {}).flatMap((item) => Object.values(Object(item)));
    const made = operations.map((each) => {
      const id = String(Object(each).operationId);
      return `${id.charAt(0).toUpperCase()}${id.slice(1)}Response`;
    });
    expect([...others, ...made].filter((name) => Object.hasOwn(schemas, name))).toEqual([]);
  });

  it('promises of /home no failure that it tells of a part, and describes the export like every JSON answer', () => {
    const paths = Object(document.paths);
    const home = paths['/home'].get.responses;
    expect(Object.keys(home)).toEqual(expect.not.arrayContaining(['502', '504']));
    expect(JSON.stringify(home['403'])).not.toContain('PERSON_NEEDED');
    expect(Object.keys(paths['/account/export'].get.responses['200'].content)).toEqual(['application/json']);
    expect(JSON.stringify(paths['/ldjlb/labor/scan_sign'].post.responses['400'])).toContain('保留的回答，不会出现');
  });

  it('calls no schema but one as generators call the parameters of another operation', () => {
    const { schemas } = document.components;
    for (const { operation } of operations) {
      const name = Object.keys(schemas).find(
        (each) => each.toLowerCase() === `${operation.operationId}request`.toLowerCase(),
      );
      // The one name that the interface gives: the fetch generator is told to call its parameters otherwise.
      if (name === undefined || name === 'V1FetchTermScoreRequest') continue;
      // Its own body: generators see that one, and choose another name for the parameters.
      expect(JSON.stringify(operation.requestBody)).toContain(`"#/components/schemas/${name}"`);
    }
  });

  it('says what every answer carries, and when to come back', () => {
    for (const { operation } of operations) {
      for (const [status, { headers }] of Object.entries(operation.responses)) {
        expect(headers).toHaveProperty('X-Trace-Id');
        expect(headers).toHaveProperty('X-Process-Time');
        if (status === '401') expect(headers).toHaveProperty('WWW-Authenticate');
        if (status === '429' || status === '503') expect(headers, operation.operationId).toHaveProperty('Retry-After');
      }
    }
  });

  it('names the address of the service when it is configured', async () => {
    const { app } = await appUnderTest({}, { publicUrl: 'https://campus.example' });
    expect((await app.inject('/openapi.json')).json().servers).toEqual([{ url: 'https://campus.example' }]);
  });
});

describe('the documentation page', () => {
  it('loads everything from this service and nothing from elsewhere', async () => {
    const { app } = await appUnderTest();
    const page = await app.inject('/docs');
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    const sources = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source]) => source);
    expect(sources.filter((source) => source?.includes('.js'))).toEqual([
      expect.stringMatching(/^\/docs\/reference\.js\?v=[\w-]{27}$/),
      expect.stringMatching(/^\/docs\/start\.js\?lang=en&v=[\w-]{27}$/),
    ]);
    expect(page.body).not.toMatch(/https?:|<script>/);
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
    const start = await app.inject('/docs/start.js');
    expect(start.body).not.toMatch(/https?:/);
    expect(start.body).toContain('"withDefaultFonts":false');
    expect((await app.inject('/favicon.ico')).headers['content-type']).toBe('image/svg+xml');
    expect((await app.inject('/docs/')).headers.location).toBe('/docs');
    expect(start.body).toContain('"telemetry":false');
  });

  it('has a separate origin, except where a list of origins would shut it out', async () => {
    const policyWith = async (corsOrigins: string[]) => {
      const config = { ...testConfig, server: { ...testConfig.server, corsOrigins } };
      const app = await buildApp(config, fakeServices());
      const { headers } = await app.inject('/docs');
      await app.close();
      return String(headers['content-security-policy']);
    };
    expect(await policyWith(['*'])).toMatch(/sandbox allow-scripts/);
    expect(await policyWith(['*'])).not.toContain('allow-same-origin');
    expect(await policyWith(['https://app.example.edu'])).not.toContain('sandbox');
  });

  it('comes with its script, which a browser need not load twice', async () => {
    const { app } = await appUnderTest();
    const script = await app.inject('/docs/reference.js');
    expect(script.statusCode).toBe(200);
    expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(script.body).toContain('createApiReference');
    const again = await app.inject({ url: '/docs/reference.js', headers: { 'if-none-match': script.headers.etag } });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  it('is gone when it is switched off, with the description', async () => {
    const { app } = await appUnderTest({}, {}, { enabled: false, url: 'https://docs.example' });
    for (const url of ['/docs', '/docs/start.js', '/docs/reference.js', '/openapi.json']) {
      const answer = await app.inject(url);
      expect([answer.statusCode, answer.json().error.code]).toEqual([404, 'NOT_FOUND']);
    }
    expect((await app.inject('/')).headers.location).toBe('https://docs.example');
  });
});

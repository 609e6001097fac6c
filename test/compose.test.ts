import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../src/config/config.ts';
import { keyFiles } from '../src/config/process-files.ts';
import { withoutCreating } from '../src/config/secrets.ts';
import { campusCommand } from './support/campus-command.ts';
import { workingDirectory } from './support/service-process.ts';

const root = join(import.meta.dirname, '..');
// A package of the documentation page: its own copy, wherever it lies.
const { parse } = createRequire(createRequire(import.meta.url).resolve('@fastify/swagger'))('yaml') as {
  parse(text: string, options: { merge: boolean }): unknown;
};

// The compose specification's members that our files use, and no others: a misspelt one is found.
const strict = { additionalProperties: false };
const optional = Type.Optional;
const duration = Type.String({ pattern: '^([0-9]+(us|ms|s|m|h))+$' });
const bytes = Type.String({ pattern: '^[0-9]+(b|k|m|g|kb|mb|gb)$' });
const strings = Type.Array(Type.String(), { uniqueItems: true });
const settings = Type.Record(Type.String({ pattern: '^[A-Z_]+$' }), Type.Union([Type.String(), Type.Null()]));
const address = Type.Object({ ipv4_address: Type.String() }, strict);
const Service = Type.Object(
  {
    image: Type.String(),
    build: optional(Type.Object({ context: Type.String(), args: optional(settings) }, strict)),
    command: optional(strings),
    profiles: optional(Type.Array(Type.String({ pattern: '^[a-zA-Z0-9][a-zA-Z0-9_.-]+$' }), { minItems: 1 })),
    environment: optional(settings),
    secrets: optional(strings),
    read_only: optional(Type.Boolean()),
    tmpfs: optional(strings),
    cap_drop: optional(strings),
    cap_add: optional(strings),
    security_opt: optional(strings),
    pids_limit: optional(Type.Integer()),
    ulimits: optional(Type.Object({ core: Type.Literal(0) }, strict)),
    mem_limit: optional(bytes),
    shm_size: optional(bytes),
    restart: optional(Type.String({ pattern: '^(no|always|on-failure|unless-stopped)$' })),
    stop_signal: optional(Type.String({ pattern: '^SIG[A-Z0-9]+$' })),
    stop_grace_period: optional(duration),
    logging: optional(
      Type.Object({ driver: Type.String(), options: Type.Record(Type.String(), Type.String()) }, strict),
    ),
    volumes: optional(
      Type.Array(Type.String({ pattern: '^(\\./|[a-z_]+:)[^:]*(:/[^:]+)?(:ro)?$' }), { uniqueItems: true }),
    ),
    ports: optional(Type.Array(Type.String({ pattern: '^([0-9.]+:)?[0-9]+:[0-9]+(/udp)?$' }))),
    depends_on: optional(
      Type.Record(
        Type.String(),
        Type.Object(
          { condition: Type.String({ pattern: '^service_(started|healthy|completed_successfully)$' }) },
          strict,
        ),
      ),
    ),
    healthcheck: optional(
      Type.Object({ test: strings, interval: duration, timeout: duration, retries: Type.Integer() }, strict),
    ),
    networks: optional(Type.Record(Type.String(), Type.Union([address, Type.Null()]))),
  },
  strict,
);
const subnet = Type.Object({ subnet: Type.String(), gateway: optional(Type.String()) }, strict);
const Network = Type.Object(
  { ipam: optional(Type.Object({ config: Type.Array(subnet) }, strict)), internal: optional(Type.Boolean()) },
  strict,
);
const File = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z0-9][a-z0-9_-]*$' }),
    services: Type.Record(Type.String(), Service),
    networks: optional(Type.Record(Type.String(), Network)),
    secrets: optional(Type.Record(Type.String(), Type.Object({ file: Type.String() }, strict))),
    volumes: optional(Type.Record(Type.String(), Type.Null())),
  },
  strict,
);

/** `${NAME}` and `${NAME:-default}`; a dollar that begins neither is an error to compose. */
const interpolated = (value: unknown, env: Readonly<Record<string, string | undefined>>): unknown => {
  if (typeof value === 'string') {
    const text = value.replaceAll(/\$\{([A-Z_]+)(?::-([^}]*))?\}/g, (_, name, other = '') => env[name] || other);
    if (text.includes('$')) throw new Error(`compose cannot read ${value}`);
    return text;
  }
  if (Array.isArray(value)) return value.map((item) => interpolated(item, env));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, interpolated(item, env)]));
};

/** The file as compose takes it with a file `.env` of these settings. */
const composeFile = (path: string, env: Readonly<Record<string, string | undefined>> = {}) => {
  const document = parse(readFileSync(join(root, path), 'utf8'), { merge: true });
  const file = interpolated(document, env);
  // Members that begin with x- are for anchors.
  const known = Object.fromEntries(Object.entries(Object(file)).filter(([key]) => !key.startsWith('x-')));
  const wrong = [...Value.Errors(File, known)].map((error) => `${error.path}: ${error.message}`);
  if (!Value.Check(File, known)) throw new Error(wrong.join('\n'));
  return known;
};

/** The settings with which a service starts: those without a value come from `.env`; secrets lie in a folder. */
const settingsOf = (
  service: (typeof Service)['static'] | undefined,
  env: Readonly<Record<string, string | undefined>>,
  secrets: string,
) =>
  Object.fromEntries(
    Object.entries(service?.environment ?? {}).flatMap(([key, value]) => {
      const given = value ?? env[key];
      return given === undefined ? [] : [[key, given.replace('/run/secrets', secrets)]];
    }),
  );

describe('compose.yaml', () => {
  it('is what the compose specification allows, and names nothing that is not declared', () => {
    const { services, secrets = {}, networks = {}, volumes = {} } = composeFile('compose.yaml');
    for (const { secrets: used = [], networks: joined = {}, volumes: mounted = [], depends_on = {} } of Object.values(
      services,
    )) {
      expect(Object.keys(secrets)).toEqual(expect.arrayContaining(used));
      expect(Object.keys(networks)).toEqual(expect.arrayContaining(Object.keys(joined)));
      expect(Object.keys(services)).toEqual(expect.arrayContaining(Object.keys(depends_on)));
      const named = mounted.map((mount) => mount.split(':')[0] ?? '').filter((name) => !name.startsWith('./'));
      expect(Object.keys(volumes)).toEqual(expect.arrayContaining(named));
    }
    expect(() => composeFile('compose.yaml', { STOP_GRACE_PERIOD: 'long' })).toThrow('stop_grace_period');
  });

  it('gives every service a profile, and every profile all that its services wait for', () => {
    const { services } = composeFile('compose.yaml');
    const of = (profile: string) => Object.keys(services).filter((name) => services[name]?.profiles?.includes(profile));
    expect([of('single'), of('tls'), of('scale')]).toEqual([
      ['gateway'],
      ['gateway', 'caddy'],
      ['replica-a', 'replica-b', 'proxy', 'postgres'],
    ]);
    expect(of('demo')).toEqual(['demo-campus']);
    for (const profile of ['single', 'tls', 'scale']) {
      for (const name of of(profile)) {
        expect(of(profile)).toEqual(expect.arrayContaining(Object.keys(services[name]?.depends_on ?? {})));
      }
    }
    expect(Object.values(services).filter(({ profiles }) => profiles === undefined)).toEqual([]);
  });

  it.each([
    ['single', []],
    ['tls', ['--domain', 'api.example.edu']],
    ['scale', ['--profile', 'scale']],
  ])('starts with what `campus init` has made for the profile %s', async (profile, args) => {
    const folder = workingDirectory();
    expect((await campusCommand(['init', ...args, folder], {})).code).toBe(0);
    const env = parseEnv(readFileSync(join(folder, '.env'), 'utf8'));
    expect(env.COMPOSE_PROFILES).toBe(profile === 'scale' ? 'scale,demo' : profile);
    const { services, secrets = {}, networks } = composeFile('compose.yaml', env);
    for (const { file } of Object.values(secrets)) expect(existsSync(join(folder, file))).toBe(true);
    const gateway = services[profile === 'scale' ? 'replica-a' : 'gateway'];
    const given = { NODE_ENV: 'production', HOST: '0.0.0.0', ...settingsOf(gateway, env, join(folder, 'secrets')) };
    const config = loadConfig(given, withoutCreating(keyFiles));
    expect(config.warnings).toEqual([]);
    expect(config.storage.kind).toBe(profile === 'scale' ? 'postgres' : 'sqlite');
    // One demo campus for both replicas, under the name of its container.
    expect(config.demoHost).toEqual(profile === 'scale' ? { host: 'demo-campus', firstPort: 8100 } : null);
    expect(services['demo-campus']?.environment?.DEMO_HOST).toBe('demo-campus');
    // The addresses that are believed are those of the proxies, and of this machine where it may have one.
    const at = (name: string) => services[name]?.networks?.front?.ipv4_address;
    const host = networks?.front?.ipam?.config[0]?.gateway;
    expect(config.server.trustedProxies).toEqual(profile === 'scale' ? [at('proxy')] : [host, at('caddy')]);
    expect(services.caddy?.environment?.DOMAIN).toBe(profile === 'tls' ? 'api.example.edu' : 'localhost');
  });

  it('lets only this machine reach a service without a proxy', () => {
    const { services } = composeFile('compose.yaml', { PORT: '8080' });
    expect(services.gateway?.ports).toEqual(['127.0.0.1:8080:3000']);
    const open = Object.keys(services).filter((name) =>
      services[name]?.ports?.some((port) => !port.startsWith('127.0.0.1:')),
    );
    expect(open).toEqual(['caddy', 'proxy']);
  });

  it('gives every process of the service the files that settings name', () => {
    const { services } = composeFile('compose.yaml');
    for (const name of ['gateway', 'replica-a', 'replica-b']) {
      expect(services[name]?.volumes).toContain('./config:/app/config:ro');
    }
  });
});

describe('compose.demo.yaml', () => {
  it('needs no setting, no secret and no file, and answers on this machine only', () => {
    const text = readFileSync(join(root, 'compose.demo.yaml'), 'utf8');
    const { services, secrets, volumes } = composeFile('compose.demo.yaml');
    expect([Object.keys(services), secrets, Object.keys(volumes ?? {})]).toEqual([['demo'], undefined, ['demo']]);
    expect(text.match(/\$\{\w+/g)).toEqual(['${NODE_IMAGE']);
    const { demo } = services;
    expect(demo?.image).toBe(composeFile('compose.yaml').services.gateway?.image);
    expect([demo?.ports, demo?.volumes]).toEqual([['127.0.0.1:3000:3000'], ['demo:/app/data']]);
    const given = { HOST: '0.0.0.0', PORT: '3000', ...settingsOf(demo, {}, '') };
    const { campus, environment, storage, secretKeys } = loadConfig(given, withoutCreating(keyFiles));
    expect([campus.kind, environment, storage]).toEqual([
      'demo',
      'development',
      { kind: 'sqlite', path: './data/demo.db' },
    ]);
    // Made beside the database, which is in the volume.
    expect(secretKeys).toHaveLength(1);
  });
});

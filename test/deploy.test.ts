import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keyFiles } from '../src/config/key-files.ts';
import { loadConfig } from '../src/config/load.ts';
import { settings } from '../src/config/schema.ts';
import { secretFileKeys } from '../src/config/secret-files.ts';
import { withoutCreating } from '../src/config/secret-key.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const dockerfile = read('Dockerfile');
const compose = read('compose.yaml');
const keys = Object.keys(settings.properties);

/** First groups of all matches. */
const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, group = '']) => group);

/** What a compose file sets by upper-case name, and what it takes from the caller's environment. */
const named = (text: string): string[] => all(text, /^\s+([A-Z][A-Z0-9_]*):/gm);
const taken = (text: string): string[] => all(text, /\$\{([A-Z][A-Z0-9_]*)/g);

const section = (name: string): string =>
  new RegExp(`^x-${name}:[^\\n]*\\n((?:  [^\\n]*\\n|\\n)+)`, 'm').exec(compose)?.[1] ?? '';

describe('the Dockerfile', () => {
  const sources = all(dockerfile, /^COPY (?!--from)(.+) \S+$/gm).flatMap((list) => list.split(' '));
  const programs = all(dockerfile, /"(src\/[^"]+)"/g);

  it('copies and runs only what exists', () => {
    expect(sources).toContain('src');
    expect(programs).toEqual(['src/cli/health.ts', 'src/main.ts']);
    expect([...sources, ...programs].filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('starts without the inspector that SIGUSR1 would open, like every other way to start', () => {
    const starts = [
      /^CMD (.+)$/m.exec(dockerfile)?.[1],
      /"start": (.+),/.exec(read('package.json'))?.[1],
      /"campus": ("node .+),/.exec(read('package.json'))?.[1],
      read('src/cli/campus.ts').split('\n')[0],
    ];
    expect(starts.filter((line) => !line?.includes('--disable-sigusr1'))).toEqual([]);
  });

  it('copies only what .dockerignore lets through, and that lets nothing else through', () => {
    const rules = read('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(rules[0]).toBe('*');
    expect(rules.slice(1).toSorted()).toEqual([...new Set(sources)].map((path) => `!${path}`).toSorted());
  });

  it('takes the line of Node with which the tests run', () => {
    const [line] = all(dockerfile, /^ARG NODE_IMAGE=node:(\d+)-[a-z]+-slim$/gm);
    expect(line).toBe(process.versions.node.split('.')[0]);
  });

  it('sets real configuration keys, with which production starts once it has a key and a campus', () => {
    const [block = ''] = all(dockerfile, /^ENV ((?:.*\\\n)*.*)$/gm);
    const env = Object.fromEntries(all(block, /([A-Z_]+=\S+)/g).map((pair) => pair.split('=')));
    expect(Object.keys(env).filter((key) => !keys.includes(key))).toEqual([]);
    const files = withoutCreating(keyFiles);
    const config = loadConfig({ ...env, SECRET_KEY: Buffer.alloc(32, 3).toString('base64'), CAMPUS: 'demo' }, files);
    expect(config.environment).toBe('production');
    expect(config.storage).toEqual({ kind: 'sqlite', path: './data/demo.db' });
    expect(dockerfile).toContain('\nWORKDIR /app\n');
    expect(dockerfile).toContain('VOLUME ["/app/data"]');
  });

  it('asks for health without a shell and runs nothing as root', () => {
    expect(dockerfile).toMatch(/^HEALTHCHECK .* CMD \["node", "src\/cli\/health\.ts"\]$/m);
    expect(dockerfile).toMatch(/^CMD \["node", "--disable-sigusr1", "src\/main\.ts"\]$/m);
    expect(dockerfile).toMatch(/^USER 1000:1000$/m);
  });

  it('needs no package of development: nothing in src imports one', () => {
    const { devDependencies } = JSON.parse(read('package.json'));
    const imported = globSync('src/**/*.ts', { cwd: root }).flatMap((path) =>
      all(read(path), /^(?:import|export) (?!type )[^;]*?from '([^'.][^']*)';$/gm),
    );
    expect(imported).toContain('fastify');
    expect(imported.filter((name) => Object.hasOwn(devDependencies, name))).toEqual([]);
  });
});

describe('the ways to run without compose', () => {
  const unit = read('docs/deploy/campus-gateway.service');
  const manifest = read('docs/deploy/kubernetes.yaml');
  const { version, engines } = JSON.parse(read('package.json'));

  it('name the version of package.json', () => {
    expect(all(dockerfile, /image\.version="([^"]+)"/g)).toEqual([version]);
    expect(all(manifest, /image: campus-gateway:(\S+)/g)).toEqual([version]);
    expect(unit).toContain(`Needs Node ${/\d+/.exec(engines.node)?.[0]} or newer`);
  });

  it('set real configuration keys', () => {
    const set = [...all(unit, /^Environment=([A-Z_]+)=/gm), ...named(manifest).map((key) => key.replace(/_FILE$/, ''))];
    expect(set).toContain('DATABASE_URL');
    expect(set.filter((key) => !keys.includes(key))).toEqual([]);
  });

  it('start like the image: without the inspector, with time to end, as somebody who is not root', () => {
    const [grace] = all(section('service'), /stop_grace_period: (\d+)s/g);
    expect(unit).toMatch(/^ExecStart=\/usr\/bin\/node --disable-sigusr1 src\/main\.ts$/m);
    expect(all(unit, /^TimeoutStopSec=(\d+)$/gm)).toEqual([grace]);
    expect(all(manifest, /terminationGracePeriodSeconds: (\d+)$/gm)).toEqual([grace]);
    expect(unit).toMatch(/^User=campus$/m);
    expect(manifest).toContain('runAsUser: 1000');
  });

  it('are accepted by systemd', ({ skip }) => {
    skip(
      spawnSync('systemd-analyze', ['--version']).status !== 0 || !existsSync('/usr/bin/node'),
      'needs systemd and a system Node',
    );
    const { status, stderr } = spawnSync(
      'systemd-analyze',
      ['verify', join(root, 'docs/deploy/campus-gateway.service')],
      { encoding: 'utf8' },
    );
    expect({ status, wrong: stderr.split('\n').filter((line) => line.includes('campus-gateway.service')) }).toEqual({
      status: 0,
      wrong: [],
    });
  });
});

describe('compose.yaml', () => {
  it('mounts only files that exist', () => {
    const mounted = all(compose, /^\s+- (\.\/[^:]+):/gm);
    expect(mounted).toEqual(['./docs/deploy/nginx.conf', './docs/deploy/postgres-role.sh']);
    expect(mounted.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('sets and takes only real configuration keys, those of the database image and the folder of certificates', () => {
    const others = ['POSTGRES_PASSWORD_FILE', 'TLS_DIR', 'SECRETS_DIR', 'NODE_IMAGE', 'NGINX_IMAGE', 'POSTGRES_IMAGE'];
    const known = [...keys, ...secretFileKeys.keys(), ...others];
    const unknown = [...named(compose), ...taken(compose)].filter((key) => !known.includes(key));
    expect(unknown).toEqual([]);
  });

  it('passes every setting on, but for what the image, the topology and the grace time decide', () => {
    const decided = ['NODE_ENV', 'HOST', 'PORT', 'DATABASE_URL', 'TRUSTED_PROXIES'];
    const tied = ['REQUEST_TIMEOUT_SECONDS', 'SHUTDOWN_DRAIN_SECONDS'];
    const passed = named(section('settings')).map((key) => secretFileKeys.get(key) ?? key);
    expect(passed.toSorted()).toEqual(keys.filter((key) => ![...decided, ...tied].includes(key)).toSorted());
  });

  it('waits longer for the end of the service than the service takes for it', () => {
    const secretKey = Buffer.alloc(32, 3).toString('base64');
    const { shutdown, server } = loadConfig(
      { NODE_ENV: 'production', CAMPUS: 'demo', SECRET_KEY: secretKey },
      withoutCreating(keyFiles),
    );
    const [grace] = all(section('service'), /stop_grace_period: (\d+)s/g);
    // Draining, the longest call, and what closing may take besides.
    expect(Number(grace) * 1000).toBeGreaterThan(shutdown.drainMs + server.requestTimeoutMs + 4000);
  });

  it('starts the single service by default and everything else with the profile', () => {
    const services = compose.slice(compose.indexOf('\nservices:\n'), compose.indexOf('\nnetworks:\n'));
    const blocks = services.split(/^ {2}(?=[a-z-]+:\n)/m).slice(1);
    const profiled = Object.fromEntries(
      blocks.map((block) => [block.split(':')[0], /profiles:\n\s+- scale|<<: \*replica/.test(block)]),
    );
    expect(profiled).toEqual({ gateway: false, 'replica-a': true, 'replica-b': true, proxy: true, postgres: true });
  });

  it('runs everything without capabilities it could do without, in bounded memory, on a root that cannot be written', () => {
    const services = compose.slice(compose.indexOf('\nservices:\n'), compose.indexOf('\nnetworks:\n'));
    const blocks = [
      compose.slice(compose.indexOf('x-service:'), compose.indexOf('x-settings:')),
      ...services.split(/^ {2}(?=[a-z-]+:\n)/m).slice(1),
    ];
    const own = blocks.filter((block) => !/<<: \*(service|replica)/.test(block));
    expect(own).toHaveLength(3);
    for (const block of own) {
      expect(block).toMatch(/^ +read_only: true$/m);
      expect(block).toMatch(/^ +mem_limit: /m);
      expect(block).toMatch(/^ +pids_limit: /m);
      expect(block).toMatch(/^ +cap_drop:\n +- ALL$/m);
      expect(block).toMatch(/^ +security_opt:\n +- no-new-privileges:true$/m);
    }
  });

  it('keeps every secret in a file, and the database where nothing leads out', () => {
    expect(compose).not.toMatch(/^\s+(SECRET_KEY|DATABASE_URL|\w*PASSWORD):/m);
    const mounted = new Set(all(compose, /^ {4,6}- (\w+_(?:key|url|password))$/gm));
    expect([...mounted].toSorted()).toEqual(all(compose, /^ {2}(\w+_(?:key|url|password)):$/gm).toSorted());
    expect(compose).toMatch(/^ {2}inner:\n {4}internal: true$/m);
    const postgres = compose.slice(compose.indexOf('\n  postgres:\n'), compose.indexOf('\nnetworks:\n'));
    expect(postgres).toMatch(/^ {4}networks:\n {6}inner:\n/m);
    expect(postgres).not.toMatch(/front|ports:/);
  });

  it('names every image by a variable, so that a digest can be pinned', () => {
    const images = [...all(compose, /^\s+image: (.+)$/gm), ...all(compose, /NODE_IMAGE: (.+)$/gm)];
    expect(images.filter((image) => !/^\$\{[A-Z]+_IMAGE:-[a-z]+:\S+\}$/.test(image))).toEqual(['campus-gateway:1.0.0']);
    expect(compose).toContain(`\${NODE_IMAGE:-${/^ARG NODE_IMAGE=(\S+)$/m.exec(dockerfile)?.[1]}}`);
  });

  it('gives the replicas the address of the proxy as the only one to believe', () => {
    const [trusted] = all(compose, /TRUSTED_PROXIES: (\S+)/g);
    const proxy = compose.slice(compose.indexOf('\n  proxy:\n'), compose.indexOf('\n  postgres:\n'));
    expect(all(proxy, /ipv4_address: (\S+)/g)).toEqual([trusted]);
  });
});

describe('docs/deploy/Caddyfile', () => {
  it('is accepted by Caddy', ({ skip }) => {
    // It would keep certificates in the home of whoever runs the tests.
    const env = { PATH: process.env.PATH ?? '', HOME: tmpdir() };
    const caddy = (args: string[]) => spawnSync('caddy', args, { env, encoding: 'utf8' });
    skip(caddy(['version']).status !== 0, 'needs caddy');
    const { status, stderr } = caddy([
      'validate',
      '--adapter',
      'caddyfile',
      '--config',
      join(root, 'docs/deploy/Caddyfile'),
    ]);
    expect({ status, warnings: stderr.match(/"level":"(warn|error)".*/g) }).toEqual({ status: 0, warnings: null });
  });

  it('gives the same paths the same sizes as nginx does', () => {
    const caddy = read('docs/deploy/Caddyfile');
    const paths = all(caddy, /^\t@(?:images|uploads|courses) path (.+)$/gm).flatMap((list) => list.split(' '));
    const upload = /location ~ (\S+upload\$) \{/.exec(read('docs/deploy/nginx.conf'))?.[1] ?? '';
    expect(paths).toHaveLength(5);
    for (const path of paths.slice(1, 4)) expect(path).toMatch(new RegExp(upload));
    for (const at of [0, 4]) expect(read('docs/deploy/nginx.conf')).toContain(`location = ${paths[at]} {`);
    expect(all(caddy, /max_size (\d+[KM])iB/g)).toEqual(['16M', '6M', '1M', '128K']);
    expect(all(read('docs/deploy/nginx.conf'), /client_max_body_size (\d+[km]);/g)).toEqual([
      '128k',
      '16m',
      '6m',
      '1m',
    ]);
  });
});

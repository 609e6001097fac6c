import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../src/config/config.ts';
import { keyFiles } from '../src/config/process-files.ts';
import { settingsByKey } from '../src/config/schema.ts';
import { secretFileKeys, withoutCreating } from '../src/config/secrets.ts';
import { version } from '../src/lib/build.ts';
import { writeMigratedDatabase } from './support/migrated-database.ts';
import { nginxCommand, works } from './support/nginx.ts';
import { workingDirectory } from './support/service-process.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const dockerfile = read('Dockerfile');
const compose = read('compose.yaml');
const keys = [...settingsByKey.keys()];

/** First groups of all matches. */
const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, group = '']) => group);

/** Upper-case names that a compose file sets, and those that it takes from the caller's environment. */
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
    expect(read('.nvmrc').trim()).toBe(line);
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
  const backupUnit = read('docs/deploy/campus-backup.service');
  const firstHour = read('docs/run/first-hour.md');
  const manifest = read('docs/deploy/kubernetes.yaml');
  const { version, engines } = JSON.parse(read('package.json'));

  it('name the version of package.json', () => {
    expect(all(dockerfile, /image\.version="([^"]+)"/g)).toEqual([version]);
    expect([...new Set(all(manifest, /image: campus-gateway:(\S+)/g))]).toEqual([version]);
    expect(unit.replaceAll(/\s+# /g, ' ')).toContain(`needs Node ${/\d+/.exec(engines.node)?.[0]} or newer`);
    expect(firstHour).toContain(`/latest-v${/\d+/.exec(engines.node)?.[0]}.x/`);
  });

  it('set real configuration keys', () => {
    const set = [
      ...all(firstHour, /^([A-Z]+(?:_[A-Z]+)+)=/gm),
      ...named(manifest).map((key) => key.replace(/_FILE$/, '')),
    ];
    expect(set).toContain('DATABASE_URL');
    expect(set.filter((key) => !keys.includes(key))).toEqual([]);
  });

  it('give the service and the commands of its operator one file of settings, which names the database', () => {
    expect(unit).not.toMatch(/^Environment=/m);
    const service = /^EnvironmentFile=(\S+)$/m.exec(unit)?.[1];
    const operator = / --env-file=(\S+) /.exec(read('docs/deploy/campus'))?.[1];
    const [, filled, settings = ''] = /^cat >> (\S+) <<END\n(.*?)^END$/ms.exec(firstHour) ?? [];
    expect([service, operator, filled]).toEqual(Array(3).fill('/etc/campus-gateway.env'));
    const given = parseEnv(
      settings.replace('$DOMAIN', 'api.example.edu').replace(/\$\(.*\)/, Buffer.alloc(32, 3).toString('base64')),
    );
    const { environment, storage, warnings } = loadConfig(given, withoutCreating(keyFiles));
    expect(warnings).toEqual([]);
    const folder = /^StateDirectory=(\S+)$/m.exec(unit)?.[1];
    expect([environment, storage]).toEqual(['production', { kind: 'sqlite', path: `/var/lib/${folder}/demo.db` }]);
    // A database belongs to one campus: one line takes out the demo and its database.
    const [, program = ''] = /^sed -i '(.*)' \/etc/m.exec(firstHour) ?? [];
    const { stdout } = spawnSync('sed', [program], { input: settings, encoding: 'utf8' });
    expect(parseEnv(stdout)).toEqual({
      ...parseEnv(settings),
      CAMPUS: undefined,
      DATABASE_URL: `sqlite:/var/lib/${folder}/campus.db`,
    });
  });

  it('leave no dump of the memory', () => {
    expect([unit, backupUnit].map((text) => all(text, /^LimitCORE=(.*)$/gm))).toEqual([['0'], ['0']]);
    expect(section('service')).toMatch(/^ {2}ulimits:\n {4}core: 0$/m);
    expect(read('compose.demo.yaml')).toMatch(/^ {4}ulimits:\n {6}core: 0$/m);
    expect(read('docs/deploy/campus')).toContain('\nulimit -c 0\n');
  });

  it('serve the metrics where no Service leads, and believe no network that holds more than the ingress', () => {
    const env = Object.fromEntries(
      [...manifest.matchAll(/^ {2}([A-Z_]+): "?([^"\n]+)"?$/gm)].map(([, key, value]) => [key, value]),
    );
    const { SECRET_KEY_FILE: _key, DATABASE_URL_FILE: _url, ...given } = env;
    const config = loadConfig(
      { ...given, SECRET_KEY: Buffer.alloc(32, 3).toString('base64') },
      withoutCreating(keyFiles),
    );
    expect([config.metrics, config.warnings]).toEqual([{ enabled: true, port: 9464 }, []]);
    const service = manifest.split('\n---\n').find((part) => /^kind: Service$/m.test(part));
    expect(all(service ?? '', /targetPort: (\d+)/g)).toEqual(['3000']);
    expect(manifest).toContain('{ name: metrics, containerPort: 9464 }');
  });

  it('start like the image: without the inspector, with time to end, as a user who is not root', () => {
    const [grace] = all(section('service'), /stop_grace_period: \$\{STOP_GRACE_PERIOD:-(\d+)s\}/g);
    expect(unit).toMatch(/^ExecStart=\/usr\/bin\/env node --disable-sigusr1 src\/main\.ts$/m);
    expect(all(unit, /^TimeoutStopSec=(\d+)$/gm)).toEqual([grace]);
    expect(all(manifest, /terminationGracePeriodSeconds: (\d+)$/gm)).toEqual([grace]);
    expect(unit).toMatch(/^User=campus$/m);
    expect(manifest).toContain('runAsUser: 1000');
  });

  it('are accepted by systemd', ({ skip }) => {
    skip(spawnSync('systemd-analyze', ['--version']).status !== 0, 'needs systemd');
    const units = ['campus-gateway.service', 'campus-backup.service', 'campus-backup.timer'];
    const { status, stderr } = spawnSync(
      'systemd-analyze',
      ['verify', ...units.map((name) => join(root, 'docs/deploy', name))],
      { encoding: 'utf8' },
    );
    const wrong = stderr.split('\n').filter((line) => units.some((name) => line.includes(name)));
    expect({ status, wrong }).toEqual({ status: 0, wrong: [] });
  });

  const backupLines = [
    ['Kubernetes', / {16}- \|\n((?: {18}.*\n)+)/.exec(manifest)?.[1] ?? '', '/backups'],
    [
      'systemd',
      /^ExecStart=\/bin\/sh -c '(.*)'$/m.exec(backupUnit)?.[1]?.replaceAll('%%', '%') +
        `\n${/^ExecStartPost=(.*)$/m.exec(backupUnit)?.[1]}`,
      '/var/lib/campus-gateway/backups',
    ],
    ['compose', /sh -ec '(.*)'$/m.exec(firstHour)?.[1]?.replaceAll('\\%', '%') ?? '', 'data/backups'],
  ] as const;

  it.each(backupLines)(
    'make a backup with %s, and delete those of before a fortnight after it',
    async (_, line, folder) => {
      const there = mkdtempSync(join(tmpdir(), 'campus-deploy-'));
      onTestFinished(() => rmSync(there, { recursive: true, force: true }));
      const backups = join(there, 'backups');
      mkdirSync(backups);
      const [old, young] = ['campus-2026-01-01.db', 'campus-2026-01-20.db'].map((name) => join(backups, name));
      for (const [file = '', days] of [
        [old, 16],
        [young, 3],
      ] as const) {
        writeFileSync(file, '');
        utimesSync(file, Date.now() / 1000 - days * 86_400, Date.now() / 1000 - days * 86_400);
      }
      const env = {
        ...process.env,
        DATABASE_URL: `sqlite:${join(there, 'campus.db')}`,
        SECRET_KEY: randomBytes(32).toString('base64'),
      };
      const script = line
        .replaceAll(folder, backups)
        .replaceAll('/usr/bin/node', process.execPath)
        .replaceAll(/(?<!\S)node /g, `${process.execPath} `)
        .replaceAll('exec ', '');
      const run = () => spawnSync('sh', ['-ec', script], { cwd: root, env, encoding: 'utf8' });
      env.DATABASE_URL = `sqlite:${join(there, 'none', 'x'.repeat(300))}`;
      expect(run().status).not.toBe(0);
      expect(existsSync(old ?? '')).toBe(true);

      env.DATABASE_URL = `sqlite:${join(there, 'campus.db')}`;
      await writeMigratedDatabase(join(there, 'campus.db'));
      const { status, stderr } = run();
      expect({ status, stderr }).toMatchObject({ status: 0 });
      expect(readdirSync(backups).sort()).toEqual([
        'campus-2026-01-20.db',
        expect.stringMatching(/^campus-20\d\d-\d\d-\d\d.*\.db$/),
      ]);
    },
  );
});

describe('compose.yaml', () => {
  it('mounts only files that exist', () => {
    const mounted = all(compose, /^\s+- (\.\/[^:]+):/gm);
    const files = mounted.filter((path) => path !== './config');
    expect(files).toEqual(['./docs/deploy/Caddyfile', './docs/deploy/nginx.conf', './docs/deploy/postgres-role.sh']);
    expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('sets and takes only real configuration keys, those of other images and what is said of folders and times', () => {
    const images = ['NODE_IMAGE', 'CADDY_IMAGE', 'NGINX_IMAGE', 'POSTGRES_IMAGE', 'POSTGRES_PASSWORD_FILE'];
    const others = [
      ...images,
      'DOMAIN',
      'UPSTREAMS',
      'TLS_DIR',
      'SECRETS_DIR',
      'STOP_GRACE_PERIOD',
      'REVISION',
      'DATE',
    ];
    const known = [...keys, ...secretFileKeys.keys(), ...others];
    const unknown = [...named(compose), ...taken(compose)].filter((key) => !known.includes(key));
    expect(unknown).toEqual([]);
  });

  it('passes every setting on, but for what the image and the topology decide', () => {
    const decided = ['NODE_ENV', 'HOST', 'PORT', 'DATABASE_URL', 'TRUSTED_PROXIES', 'DEMO_HOST'];
    const passed = named(section('settings')).map((key) => secretFileKeys.get(key) ?? key);
    expect(passed.toSorted()).toEqual(keys.filter((key) => !decided.includes(key)).toSorted());
  });

  it('waits longer for the end of the service than the service takes for it', () => {
    const secretKey = Buffer.alloc(32, 3).toString('base64');
    const { shutdown, server } = loadConfig(
      { NODE_ENV: 'production', CAMPUS: 'demo', SECRET_KEY: secretKey },
      withoutCreating(keyFiles),
    );
    const [grace] = all(section('service'), /stop_grace_period: \$\{STOP_GRACE_PERIOD:-(\d+)s\}/g);
    // Draining, the longest call, and what closing may take besides.
    expect(Number(grace) * 1000).toBeGreaterThan(shutdown.drainMs + server.requestTimeoutMs + 4000);
  });

  it('runs everything without capabilities it could do without, in bounded memory, on a root that cannot be written', () => {
    const services = compose.slice(compose.indexOf('\nservices:\n'), compose.indexOf('\nnetworks:\n'));
    const blocks = [
      compose.slice(compose.indexOf('x-service:'), compose.indexOf('x-settings:')),
      ...services.split(/^ {2}(?=[a-z-]+:\n)/m).slice(1),
    ];
    const own = blocks.filter((block) => !/<<: \*(service|replica)/.test(block));
    expect(own).toHaveLength(4);
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
    expect(images.filter((image) => !/^\$\{[A-Z]+_IMAGE:-[a-z]+:\S+\}$/.test(image))).toEqual([
      `campus-gateway:${version}`,
    ]);
    expect(compose).toContain(`\${NODE_IMAGE:-${/^ARG NODE_IMAGE=(\S+)$/m.exec(dockerfile)?.[1]}}`);
  });
});

describe('docs/deploy/nginx-site.conf', () => {
  const rulesOf = (path: string): string[] =>
    read(path)
      .split('\n')
      .map((line) => line.replace(/#.*/, '').trim())
      .filter((line) => line !== '')
      .map((line) => line.replaceAll('campus_', '').replace('$campus_caller', '$caller'));

  it('says of one service what nginx.conf says of two, and nothing else', () => {
    const [site, whole] = [rulesOf('docs/deploy/nginx-site.conf'), rulesOf('docs/deploy/nginx.conf')];
    const own = site.filter((line) => !whole.includes(line));
    expect(own).toEqual([
      'server 127.0.0.1:3000 max_fails=0;',
      ...Array(2).fill('server_name campus.example.edu;'),
      // There is no other replica to ask.
      'proxy_next_upstream off;',
    ]);
    const places =
      /^(location|client_max_body_size|limit_(req|conn) |proxy_set_header|proxy_(read|send|connect)_timeout)/;
    expect(site.filter((line) => places.test(line))).toEqual(whole.filter((line) => places.test(line)));
  });

  it('is accepted by nginx in the place that sites have', ({ skip }) => {
    skip(nginxCommand === undefined || !works('openssl', ['version']), 'needs nginx and openssl');
    const folder = workingDirectory();
    const [certificate, key] = [join(folder, 'fullchain.pem'), join(folder, 'privkey.pem')];
    const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
    spawnSync('openssl', [...made, '-subj', '/CN=localhost', '-keyout', key, '-out', certificate]);
    const site = read('docs/deploy/nginx-site.conf')
      .replaceAll('/etc/nginx/tls', folder)
      .replaceAll(/listen (\[::\]:)?(80|443)/g, (_, six = '', port) => `listen ${six}${Number(port) + 20_000}`);
    writeFileSync(join(folder, 'site.conf'), site);
    writeFileSync(join(folder, 'nginx.conf'), `events {}\nhttp {\ninclude ${folder}/site.conf;\n}\n`);
    const args = ['-t', '-p', folder, '-c', join(folder, 'nginx.conf'), '-g', `pid ${folder}/pid;`];
    const { status, stderr } = spawnSync(nginxCommand ?? '', args, { encoding: 'utf8' });
    expect({ status, warnings: stderr.match(/\[(warn|error|emerg)\].*/g) }).toEqual({ status: 0, warnings: null });
  });
});

describe('docs/deploy/Caddyfile', () => {
  it.for<[string, NodeJS.ProcessEnv]>([
    ['two replicas', {}],
    ['one service under the name that compose gives it', { DOMAIN: 'localhost', UPSTREAMS: 'gateway:3000' }],
  ])('is accepted by Caddy in front of %s', ([, own], { skip }) => {
    // It would keep certificates in the home of the user who runs the tests.
    const env = { PATH: process.env.PATH ?? '', HOME: tmpdir(), ...own };
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

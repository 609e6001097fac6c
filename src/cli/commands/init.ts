import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exampleEnvironment } from '../../config/schema.ts';
import { command, UsageError } from '../command.ts';
import type { World } from '../world.ts';

const inviteFrom = (service: string): string => `docker compose exec ${service} campus invite create --uses 50`;
const up = 'docker compose up --detach';

/** The commands that follow, by profile of compose.yaml. */
const nextSteps = {
  single: [up, inviteFrom('gateway')],
  tls: [up, inviteFrom('gateway')],
  scale: [
    'put fullchain.pem and privkey.pem into the folder tls (or set TLS_DIR in .env)',
    up,
    inviteFrom('replica-a'),
  ],
} as const;
type Profile = keyof typeof nextSteps;

const isProfile = (name: string): name is Profile => Object.hasOwn(nextSteps, name);

/** The file `.env` of compose.yaml: which profile to start, the demo campus, and every other setting commented out. */
const environment = (
  profile: Profile,
  domain: string,
): string => `# Settings of compose.yaml, which lies beside this file.

# Which services start: single (SQLite at 127.0.0.1), tls (the same behind Caddy), scale (two replicas over PostgreSQL, nginx).
# demo is the demo campus of both replicas: take it out for a campus of yours.
COMPOSE_PROFILES=${profile}${profile === 'scale' ? ',demo' : ''}

# Profile tls: the public name, for which Caddy gets a certificate.
${domain === '' ? '# DOMAIN=api.example.edu' : `DOMAIN=${domain}`}

# The address under which clients reach the service: those of images and calendar feeds begin with it.
PUBLIC_URL=${profile === 'single' && domain === '' ? 'http://127.0.0.1:3000' : `https://${domain || 'localhost'}`}

# Profile scale: the folder with fullchain.pem and privkey.pem.
# TLS_DIR=./tls

# The demo campus. For yours remove this line and give all the addresses below. Its database is another then: a file by itself, with the
# profile scale by putting campus in the place of campus_demo in secrets/database_url.
CAMPUS=demo

# compose.yaml itself decides NODE_ENV, HOST, DATABASE_URL and SECRET_KEY (the latter two from the folder secrets). Files that a
# setting names lie in the folder config: CALENDAR_ADJUSTMENTS=config/adjustments.json. Everything else can be set here:

${exampleEnvironment().replace(/^(#.*\n)+\n/, '')}`;

const prepare = (folder: string, profile: Profile, domain: string, world: Pick<World, 'out' | 'err'>): void => {
  let made = 0;
  /** Leaves a file that exists as it is, and returns its content, so that what belongs to it fits. */
  const provide = (name: string, mode: number, content: () => string): string => {
    const path = join(folder, name);
    if (existsSync(path)) {
      world.err(`kept  ${path}`);
      return readFileSync(path, 'utf8').trim();
    }
    const written = content();
    writeFileSync(path, `${written}\n`, { flag: 'wx', mode });
    world.out(`made  ${path}`);
    made += 1;
    return written;
  };
  // The containers have their own users: no other gets through the folder, and the files in it can be read.
  mkdirSync(join(folder, 'secrets'), { recursive: true, mode: 0o700 });
  mkdirSync(join(folder, 'config'), { recursive: true });
  provide('secrets/secret_key', 0o444, () => randomBytes(32).toString('base64'));
  provide('secrets/postgres_password', 0o444, () => randomBytes(24).toString('hex'));
  const password = provide('secrets/database_password', 0o444, () => randomBytes(24).toString('hex'));
  provide('secrets/database_url', 0o444, () => `postgres://campus:${password}@postgres:5432/campus_demo`);
  provide('.env', 0o600, () => environment(profile, domain));
  if (made > 0)
    world.err('keep secrets/secret_key in a safe place as well: without it no stored password can be opened');
  for (const line of nextSteps[profile]) world.err(`next: ${line}`);
};

export const init = command({
  name: 'init',
  argument: '[FOLDER]',
  options: { profile: 'single|tls|scale', domain: 'NAME' },
  does: `Prepares a folder for compose.yaml: secrets, a folder for files that settings name, and .env with every setting.
Leaves what exists as it is.`,
  async run({ argument, options: { profile, domain = '' } }, world) {
    const chosen = profile ?? (domain === '' ? 'single' : 'tls');
    if (!isProfile(chosen)) {
      throw new UsageError(`--profile takes ${Object.keys(nextSteps).join(', ')}, not '${chosen}'`);
    }
    if (!/^[a-z0-9.-]*$/i.test(domain)) throw new UsageError('--domain takes a name such as api.example.edu');
    prepare(argument || '.', chosen, domain, world);
  },
});

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** The tools that the tests of the proxy need; null when one is missing. Debian keeps nginx out of a user's path. */
export const proxyTools = (): { nginx: string } | null => {
  const works = (command: string, args: string[]) => spawnSync(command, args).status === 0;
  const nginx = ['nginx', '/usr/sbin/nginx'].find((command) => works(command, ['-v']));
  return nginx !== undefined && works('openssl', ['version']) ? { nginx } : null;
};

export const freePort = async (): Promise<number> => {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const address = holder.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  holder.close();
  await once(holder, 'close');
  return address.port;
};

/** Replaces texts that must stand in the file exactly once, so that the rest of it is proven as it is. */
const replaced = (text: string, changes: ReadonlyArray<readonly [from: string, to: string]>): string =>
  changes.reduce((result, [from, to]) => {
    if (result.split(from).length !== 2) throw new Error(`docs/deploy/nginx.conf does not say once: ${from}`);
    return result.replace(from, to);
  }, text);

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => socket.destroy()).once('error', () => resolve(false));
    socket.once('close', (failed) => resolve(!failed));
  });

export interface Nginx {
  readonly http: number;
  readonly https: number;
  /** Certificate to trust. */
  readonly certificate: string;
  /** What `nginx -t` says about the file. */
  readonly checked: { readonly status: number | null; readonly said: string };
}

/** Runs docs/deploy/nginx.conf with addresses of this machine in front of two replicas; it ends with the test. */
export const startNginx = async (command: string, replicas: readonly [number, number]): Promise<Nginx> => {
  const folder = mkdtempSync(join(tmpdir(), 'campus-nginx-'));
  chmodSync(folder, 0o755);
  const [http, https] = [await freePort(), await freePort()];
  const [certificate, key] = [join(folder, 'fullchain.pem'), join(folder, 'privkey.pem')];
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  execFileSync(
    'openssl',
    [...made, '-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', certificate],
    { stdio: 'ignore' },
  );
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${join(folder, kind)};`,
  );
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    replaced(readFileSync(join(root, 'docs/deploy/nginx.conf'), 'utf8'), [
      ['http {\n', `http {\n${temporary.join('\n')}\n`],
      ['server replica-a:3000 ', `server 127.0.0.1:${replicas[0]} `],
      ['server replica-b:3000 ', `server 127.0.0.1:${replicas[1]} `],
      ['listen 80;', `listen 127.0.0.1:${http};`],
      ['listen [::]:80;', ''],
      ['listen 443 ssl;', `listen 127.0.0.1:${https} ssl;`],
      ['listen [::]:443 ssl;', ''],
      ['/etc/nginx/tls/fullchain.pem', certificate],
      ['/etc/nginx/tls/privkey.pem', key],
    ]),
  );
  const args = ['-p', folder, '-c', file, '-g', `daemon off; pid ${join(folder, 'pid')};`];
  const { status, stderr } = spawnSync(command, ['-t', ...args], { encoding: 'utf8' });
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const ended = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  while (!(await answers(https))) {
    if (child.exitCode !== null) throw new Error(`nginx ended:\n${said}`);
  }
  const trusted = readFileSync(certificate, 'utf8');
  return { http, https, certificate: trusted, checked: { status, said: stderr } };
};

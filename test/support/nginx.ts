import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { request as secure } from 'node:https';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { onTestFinished, type TestContext, vi } from 'vitest';
import type { AtEnd } from './service-process.ts';

const root = join(import.meta.dirname, '../..');

export const works = (command: string, args: string[]): boolean => spawnSync(command, args).status === 0;

/** Debian keeps nginx out of a user's path. */
export const nginxCommand = ['nginx', '/usr/sbin/nginx'].find((command) => works(command, ['-v']));

/** Before each test with nginx: where a tool is missing the test is reported as skipped, with the reason. */
export const needsNginx = ({ skip }: Pick<TestContext, 'skip'>): void =>
  skip(
    nginxCommand === undefined || !works('openssl', ['version']),
    'needs nginx and openssl: apt-get install nginx-light openssl',
  );

/** Connections that are kept open to a port must not meet another service there. */
const given = new Set<number>();

export const freePort = async (): Promise<number> => {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const address = holder.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  holder.close();
  await once(holder, 'close');
  if (given.has(address.port)) return freePort();
  given.add(address.port);
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

const workersOf = (master = 0): string[] =>
  readFileSync(`/proc/${master}/task/${master}/children`, 'utf8').trim().split(' ').filter(Boolean);

export interface Nginx {
  readonly http: number;
  readonly https: number;
  /** Certificate to trust. */
  readonly certificate: string;
  /** The verdict of `nginx -t` on the file. */
  /** Its error log. */
  errors(): string;
  readonly checked: { readonly status: number | null; readonly said: string };
  /** Marks a replica as `down` in the file and has nginx reload it; resolves when no process of the old file is left. */
  takeOut(replica: 0 | 1): Promise<void>;
  /** All replicas take part again. */
  takeAll(): Promise<void>;
}

export interface ProxyAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Bytes as they came. */
  readonly length: number;
}

export interface ProxyCall {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  /** Loopback address to call from. */
  readonly from?: string;
}

/** One call through nginx, over its own connection. */
export const askProxy = ({ https, certificate }: Nginx, call: ProxyCall): Promise<ProxyAnswer> =>
  new Promise((resolve, reject) => {
    const { method = call.body === undefined ? 'GET' : 'POST', path, headers, body, from } = call;
    const asked = secure(
      {
        host: '127.0.0.1',
        port: https,
        ca: certificate,
        agent: false,
        method,
        path,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }) },
        ...(from === undefined ? {} : { localAddress: from }),
      },
      (answer) => {
        buffer(answer).then((bytes) => {
          const { statusCode = 0, headers: received } = answer;
          resolve({ status: statusCode, headers: received, text: bytes.toString(), length: bytes.length });
        }, reject);
      },
    );
    asked.once('error', reject);
    asked.end(body);
  });

/** Runs docs/deploy/nginx.conf with addresses of this machine in front of two replicas; it ends with the test. */
export const startNginx = async (
  replicas: readonly [number, number],
  atEnd: AtEnd = onTestFinished,
): Promise<Nginx> => {
  const command = nginxCommand ?? '';
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
  const written = replaced(readFileSync(join(root, 'docs/deploy/nginx.conf'), 'utf8'), [
    ['http {\n', `http {\n${temporary.join('\n')}\n`],
    ['server replica-a:3000 ', `server 127.0.0.1:${replicas[0]} `],
    ['server replica-b:3000 ', `server 127.0.0.1:${replicas[1]} `],
    ['listen 80;', `listen 127.0.0.1:${http};`],
    ['listen [::]:80;', ''],
    ['listen 443 ssl;', `listen 127.0.0.1:${https} ssl;`],
    ['listen [::]:443 ssl;', ''],
    ['/etc/nginx/tls/fullchain.pem', certificate],
    ['/etc/nginx/tls/privkey.pem', key],
  ]);
  writeFileSync(file, written);
  const args = ['-p', folder, '-c', file, '-g', `daemon off; pid ${join(folder, 'pid')};`];
  const { status, stderr } = spawnSync(command, ['-t', ...args], { encoding: 'utf8' });
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const ended = once(child, 'close');
  atEnd(async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  while (!(await answers(https))) {
    if (child.exitCode !== null) throw new Error(`nginx ended:\n${said}`);
  }
  const reload = async (text: string): Promise<void> => {
    const before = workersOf(child.pid);
    writeFileSync(file, text);
    child.kill('SIGHUP');
    await vi.waitFor(() => {
      const now = workersOf(child.pid);
      if (now.length === 0 || now.some((worker) => before.includes(worker))) throw new Error('still the old workers');
    });
  };
  return {
    http,
    https,
    certificate: readFileSync(certificate, 'utf8'),
    errors: () => said,
    checked: { status, said: stderr },
    takeOut: (replica) => {
      const server = `server 127.0.0.1:${replicas[replica]} `;
      return reload(replaced(written, [[server, `${server}down `]]));
    },
    takeAll: () => reload(written),
  };
};

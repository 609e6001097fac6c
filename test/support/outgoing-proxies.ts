import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { onTestFinished, type TestContext, vi } from 'vitest';
import { freePort, works } from './nginx.ts';
import { workingDirectory } from './service-process.ts';

/** Real proxies, as a VPN client opens them next to the service. */
export const proxyPrograms = ['tinyproxy', 'microsocks'] as const;
export type ProxyProgram = (typeof proxyPrograms)[number];

/** Where one is missing the test is reported as skipped, with the reason. */
export const needsProxy = (program: ProxyProgram, { skip }: Pick<TestContext, 'skip'>): void =>
  skip(!works('sh', ['-c', `command -v ${program}`]), `needs ${program}: apt-get install ${program}`);

const listens = async (port: number): Promise<void> => {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.destroy();
};

interface Given {
  /** `user:password` */
  readonly authorization?: string;
  /** The only ports to which the HTTP proxy opens a tunnel. */
  readonly tunnels?: number;
}

/** Starts one on loopback, and ends it with the test. Resolves with its address. */
export const startProxy = async (program: ProxyProgram, { authorization = '', tunnels }: Given = {}) => {
  const port = await freePort();
  const [user = '', password = ''] = authorization.split(':');
  const file = join(workingDirectory(), 'tinyproxy.conf');
  const lines = [
    `Port ${port}`,
    'Listen 127.0.0.1',
    'Timeout 60',
    'MaxClients 20',
    ...(user === '' ? [] : [`BasicAuth ${user} ${password}`]),
    ...(tunnels === undefined ? [] : [`ConnectPort ${tunnels}`]),
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  const args =
    program === 'tinyproxy'
      ? ['-d', '-c', file]
      : ['-i', '127.0.0.1', '-p', `${port}`, ...(user === '' ? [] : ['-u', user, '-P', password])];
  const child = spawn(program, args, { stdio: 'ignore' });
  onTestFinished(async () => {
    const ended = once(child, 'exit');
    if (child.kill('SIGKILL')) await ended;
  });
  await vi.waitFor(() => listens(port), { timeout: 20_000, interval: 20 });
  return `${program === 'tinyproxy' ? 'http' : 'socks5'}://127.0.0.1:${port}`;
};

import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import {
  launchService,
  npmStart,
  type ServiceProcess,
  startProcess,
  startService,
  workingDirectory,
} from '../support/service-process.ts';

const student = { userid: '2023000001', password: 'demo-password', vpn_password: 'demo-vpn' };

interface Answer {
  readonly success: boolean;
  readonly data: { readonly token: string; readonly invite_token: string };
}

const post = async (url: string, body: unknown): Promise<Answer> => {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as Answer;
};

const register = async (address: string): Promise<string> => {
  const invite = await post(`${address}/auth/register/invite`, { invite_code: 'DEMO-2026' });
  const entry = await post(`${address}/auth/register/next`, { ...student, invite_token: invite.data.invite_token });
  expect(entry.success).toBe(true);
  return entry.data.token;
};

const status = async (url: string, token: string): Promise<number> => {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  await answer.arrayBuffer();
  return answer.status;
};

/** By the time of each line: a pipe that is full for a moment may get two lines of one millisecond in another order. */
const lastOf = (stdout: string): string | undefined =>
  [...stdout.matchAll(/^\{.*"time":"([^"]+)".*"msg":"([^"]+)"\}$/gm)]
    .sort(([, a = ''], [, b = '']) => (a < b ? -1 : 1))
    .at(-1)?.[2];

/** With every line, also those of calls that were answered a moment before. */
const endsCleanly = async ({ ended }: ServiceProcess, signal: string): Promise<void> => {
  const { code, stdout, stderr } = await ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(new RegExp(`"signal":"${signal}".*"closing"`));
  expect(lastOf(stdout)).toBe('closed');
};

describe('the end of the process', () => {
  it('comes with that of its launcher, which was killed without a word', async () => {
    const service = launchService({ PORT: '0', DATABASE_URL: `sqlite:${workingDirectory()}/campus.db` });
    const [, address = ''] = await service.printed(/"address":"(http:[^"]+)"/);
    expect((await fetch(`${address}/alive`)).status).toBe(200);
    service.kill('SIGKILL');
    // Its output is closed once the service, which writes to it as well, has ended too.
    const { signal, stdout } = await service.ended;
    expect(signal).toBe('SIGKILL');
    expect(stdout).toMatch(/"signal":"SIGTERM".*"closing"[\s\S]*"closed"/);
    await expect(fetch(`${address}/alive`)).rejects.toThrow();
  });

  it('after an uncaught defect says which it was, and nothing of its text', async () => {
    const throwing =
      "process.on('SIGWINCH', () => { throw new Error('password marker', { cause: new TypeError('ours') }); })";
    const NODE_OPTIONS = `--import=data:text/javascript;base64,${Buffer.from(throwing).toString('base64')}`;
    const service = await startService(workingDirectory(), { NODE_OPTIONS });
    service.kill('SIGWINCH');
    const { code, stdout, stderr } = await service.ended;
    expect(code).toBe(1);
    // The guide for newcomers goes to the same pipe, in its own order.
    const [line = ''] = /\{"level":"fatal".*"unexpected failure"\}/.exec(stdout) ?? [];
    expect(JSON.parse(line)).toMatchObject({
      level: 'fatal',
      err: { name: 'Error', frames: expect.any(Array), cause: { name: 'TypeError', message: 'ours' } },
    });
    expect(stdout + stderr).not.toContain('marker');
  });

  it('comes with the end of npm start, so that no process is left behind', async () => {
    const folder = workingDirectory();
    const service = npmStart({ PORT: '0', DATABASE_URL: `sqlite:${folder}/campus.db`, HOME: folder });
    const [, address = ''] = await service.printed(/"address":"(http:[^"]+)"/);
    service.kill('SIGTERM');
    const { stdout } = await service.ended;
    expect(lastOf(stdout)).toBe('closed');
    await expect(fetch(`${address}/alive`)).rejects.toThrow();
  });

  it('waits for a call in flight, answers it and closes its connection', async () => {
    const service = await startService(workingDirectory());
    const { hostname, port } = new URL(service.address);
    const socket = connect(Number(port), hostname);
    let received = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      received += text;
    });
    const body = JSON.stringify({ invite_code: 'DEMO-2026' });
    socket.write(
      `POST /auth/register/invite HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
    );
    // The interim answer proves that the call has begun.
    await once(socket, 'data');
    expect(received).toContain('100 Continue');
    service.kill('SIGTERM');
    await service.printed(/"closing"/);
    socket.write(body);
    await once(socket, 'close');
    expect(received).toContain('HTTP/1.1 200 OK');
    expect(received.toLowerCase()).toContain('connection: close');
    expect(received).toContain('invite_token');
    await endsCleanly(service, 'SIGTERM');
  });

  it('comes at once at the second signal', async () => {
    const service = await startService(workingDirectory());
    const { hostname, port } = new URL(service.address);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.write(
      'POST /auth/login/next HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n',
    );
    await once(socket, 'data');
    service.kill('SIGINT');
    await service.printed(/"closing"/);
    service.kill('SIGINT');
    expect((await service.ended).code).toBe(1);
  });
});

describe('a start on a port in use', () => {
  it('says so in one line and exits with 1', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const address = holder.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const { code, stderr } = await startProcess(workingDirectory(), { PORT: String(port) }).ended;
    holder.close();
    expect(code).toBe(1);
    expect(stderr).toBe(
      `Port ${port} on 127.0.0.1 is in use; stop what listens there, or set PORT to another one (0: any free one).\n`,
    );
  });
});

describe('a restart', () => {
  it('after kill -9 keeps the student, the token and the stored passwords; Ctrl-C ends it cleanly, SIGUSR1 not at all', async () => {
    const cwd = workingDirectory();
    const first = await startService(cwd);
    const token = await register(first.address);
    first.kill('SIGKILL');
    expect((await first.ended).signal).toBe('SIGKILL');

    const second = await startService(cwd);
    expect(await status(`${second.address}/auth/authme/token`, token)).toBe(200);
    expect(await status(`${second.address}/jwc/academic/info`, token)).toBe(200);
    expect(await status(`${second.address}/auth/authme/token`, 'A'.repeat(43))).toBe(401);

    // It neither ends the process nor opens an inspector.
    second.kill('SIGUSR1');
    for (let turn = 0; turn < 5; turn += 1) expect(await status(`${second.address}/alive`, token)).toBe(200);
    second.kill('SIGINT');
    await endsCleanly(second, 'SIGINT');
  });
});

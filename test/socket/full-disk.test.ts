import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { cleanEnvironment, workingDirectory } from '../support/service-process.ts';
import { mayMount, smallDisk } from '../support/small-disk.ts';

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
};

describe.runIf(mayMount)('a disk that is full', () => {
  it('is answered with 503 and a time to come back on both surfaces, and seen by /ready and /status', async () => {
    const disk = smallDisk('8m');
    const clock = new ManualClock();
    const gateway = await startGateway({ clock, env: { DATABASE_URL: `sqlite:${join(disk.folder, 'campus.db')}` } });
    onTestFinished(() => gateway.close());
    const token = await gateway.register();
    const service = async () => {
      const ready = await gateway.b('GET', '/ready');
      const { service } = (await gateway.b('GET', '/status')).body.data;
      return [ready.status, ready.headers.get('retry-after'), service];
    };
    expect(await service()).toEqual([200, null, 'works']);
    disk.fill();
    clock.advance(5_000);
    expect(await service()).toEqual([503, '5', 'fails']);
    const b = await gateway.b('POST', '/calendar/feeds', { token, body: { name: '课表', include: ['classes'] } });
    expect([b.status, b.headers.get('retry-after'), b.body.error.code]).toEqual([503, '5', 'SERVICE_UNAVAILABLE']);
    const a = await gateway.a('/user/profile/update', { token, nickname: '新昵称' });
    expect([a.status, a.body.code, a.headers.get('retry-after')]).toEqual([503, 503, '5']);
    // What needs no write goes on.
    expect((await gateway.b('GET', '/auth/authme/token', { token })).status).toBe(200);
    disk.free();
    clock.advance(5_000);
    expect(await service()).toEqual([200, null, 'works']);
    expect((await gateway.b('POST', '/auth/logout', { token })).status).toBe(200);
  });

  it('below the log neither stops the process, which serves and ends as asked, nor is kept from being seen', async () => {
    const disk = smallDisk('64k');
    const log = openSync(join(disk.folder, 'log'), 'a');
    onTestFinished(() => closeSync(log));
    disk.fill();
    const port = await freePort();
    const cwd = workingDirectory();
    const env = { PORT: String(port), METRICS: 'on', DATABASE_URL: `sqlite:${join(cwd, 'campus.db')}` };
    const main = join(import.meta.dirname, '../../src/main.ts');
    const service = spawn(process.execPath, ['--disable-sigusr1', main], {
      ...{ cwd, env: cleanEnvironment(env) },
      stdio: ['ignore', log, log],
    });
    onTestFinished(() => void service.kill('SIGKILL'));
    const ended = once(service, 'exit');
    const get = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
    await expect.poll(() => get('/alive').catch(() => ''), { timeout: 20_000 }).toContain('service is alive');
    for (let call = 0; call < 20; call += 1) await get('/campus');
    const dropped = async () => Number(/^campus_log_lines_dropped_total (\d+)$/m.exec(await get('/metrics'))?.[1]);
    await expect.poll(dropped).toBeGreaterThan(20);
    service.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { campusCommand } from '../support/campus-command.ts';
import { first } from '../support/campus-rig.ts';
import { freshPostgresUrl } from '../support/postgres.ts';
import { call, enroll } from '../support/replicas.ts';
import { cleanEnvironment, startService, workingDirectory } from '../support/service-process.ts';

const DEMO_DATE = '2026-06-25';
const program = join(import.meta.dirname, '../../src/cli/demo-campus.ts');

/** The first of eight ports in a row that are free at this moment. */
const freePorts = async (): Promise<number> => {
  const isFree = (port: number) =>
    new Promise<boolean>((resolve) => {
      const server = createServer().once('error', () => resolve(false));
      server.listen(port, '0.0.0.0', () => server.close(() => resolve(true)));
    });
  for (let port = 20_000; port < 60_000; port += 8) {
    const free = await Promise.all(Array.from({ length: 8 }, (_, at) => isFree(port + at)));
    if (free.every(Boolean)) return port;
  }
  throw new Error('no eight ports are free');
};

it('two replicas in front of one demo campus answer every read', async () => {
  const DEMO_HOST = `127.0.0.1:${await freePorts()}`;
  const demo = spawn(process.execPath, [program], {
    cwd: workingDirectory(),
    env: cleanEnvironment({ DEMO_HOST, DEMO_DATE }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    demo.kill();
    if (demo.exitCode === null) await once(demo, 'exit');
  });
  const [said] = await once(demo.stdout, 'data');
  expect(String(said)).toContain('the demo campus listens at http://127.0.0.1:');
  const env = {
    CAMPUS: 'demo',
    ...{ DEMO_HOST, DEMO_DATE },
    DATABASE_URL: await freshPostgresUrl(),
    SECRET_KEY: Buffer.alloc(32, 5).toString('base64'),
    FRESH_SECONDS: '0',
    REVALIDATE_SECONDS: '0',
  };
  const replicas = [await startService(workingDirectory(), env), await startService(workingDirectory(), env)];
  const token = await enroll(replicas[0]?.address ?? '', first, 'DEMO-2026');
  const statuses = [];
  for (let at = 0; at < 8; at += 1) {
    const { status } = await call(replicas[at % 2]?.address ?? '', 'GET', '/jwc/academic/info', { token });
    statuses.push(status);
  }
  expect(statuses).toEqual(Array(8).fill(200));
  // The campus has the day of those who ask it.
  const term = await call(replicas[1]?.address ?? '', 'GET', '/jwc/term/current', { token });
  expect(term.body.data).toMatchObject({ term_code: '2025-2026-2-1', week_number: 17 });

  const { code, out } = await campusCommand(['doctor'], env);
  expect([code, out]).toEqual([0, expect.stringMatching(/ok {7}portal {2,}http:\/\/127\.0\.0\.1:\d+ answers \d+/)]);
  demo.kill();
  await once(demo, 'exit');
  expect((await campusCommand(['doctor'], env)).out).toMatch(/FAILED {3}portal /);
  const alone = { CAMPUS: 'demo', DATABASE_URL: env.DATABASE_URL, SECRET_KEY: env.SECRET_KEY };
  expect((await campusCommand(['doctor'], alone)).out).toContain('each replica has its own demo campus');
});

it('a demo campus by itself says what keeps it from starting', async () => {
  const startsWith = async (env: Record<string, string>) => {
    const child = spawn(process.execPath, [program], { cwd: workingDirectory(), env: cleanEnvironment(env) });
    const ended = once(child, 'close');
    const [said] = await once(child.stderr, 'data');
    return [String(said), (await ended)[0]];
  };
  expect(await startsWith({})).toEqual([expect.stringContaining('DEMO_HOST is missing'), 1]);
  const server = createServer().listen(0, '0.0.0.0');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const taken = port < 65_500 ? port : port - 7;
  expect(await startsWith({ DEMO_HOST: `127.0.0.1:${taken}` })).toEqual([
    expect.stringMatching(/cannot start: .*EADDRINUSE/),
    1,
  ]);
});

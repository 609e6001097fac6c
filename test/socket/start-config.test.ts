import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { silentLog } from '../../src/domain/context.ts';
import { registered } from '../storage/databases.ts';
import { call } from '../support/replicas.ts';
import { startProcess, startService, workingDirectory } from '../support/service-process.ts';
import { createStorage } from '../support/storage.ts';

const secretKey = Buffer.from('0123456789abcdef0123456789abcdef').toString('base64');

/** The metrics of a service that serves them at their own port alone. */
const readMetrics = async ({ address, printed }: Awaited<ReturnType<typeof startService>>): Promise<string> => {
  const [, metrics = ''] = await printed(/"address":"(http:[^"]+)","msg":"metrics at their own port"/);
  expect(metrics).not.toBe(address);
  expect((await call(address, 'GET', '/metrics')).status).toBe(404);
  expect((await fetch(`${metrics}/alive`)).status).toBe(404);
  expect((await fetch(`${metrics}/metrics`, { method: 'POST', body: 'x' })).status).toBe(404);
  const answer = await fetch(`${metrics}/metrics?format=text`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ]);
  return answer.text();
};

describe('a start with a wrong configuration', () => {
  it('prints every problem at once, creates nothing and exits with 1', async () => {
    const cwd = workingDirectory();
    const { code, stdout, stderr } = await startProcess(cwd, {
      PORT: '99999',
      LOG_LEVEL: 'loud',
      SECRET_KEY: 'hunter2-marker',
      CAMPUS_JWC_URL: 'http://127.0.0.1:8102',
      CAMPUS_COLOUR: 'blue',
    }).ended;
    expect(code).toBe(1);
    expect(stdout).toBe('');
    for (const name of ['PORT', 'LOG_LEVEL', 'SECRET_KEY', 'CAMPUS_VPN_URL', 'CAMPUS_ISIM_URL']) {
      expect(stderr).toMatch(new RegExp(`^  ${name}: `, 'm'));
    }
    expect(stderr).toMatch(/^ {2}warning: CAMPUS_COLOUR: /m);
    expect(stderr).not.toContain('CAMPUS_JWC_URL:');
    expect(stderr).not.toContain('hunter2');
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('ends with 1 where the port of the metrics is taken', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const taken = String((holder.address() as AddressInfo).port);
    const env = { PORT: '0', METRICS: 'on', METRICS_PORT: taken };
    const { code, stderr } = await startProcess(workingDirectory(), env).ended;
    holder.close();
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(new RegExp(`^Port ${taken} .* set METRICS_PORT to `, 'm')),
    ]);
  });

  it('serves the demo in production on purpose, with secrets of files of which it prints none, and metrics at their own port', async () => {
    const cwd = workingDirectory();
    const secrets = { SECRET_KEY: secretKey, INVITE_CODES: 'CODE-OF-A-FILE:5', DATABASE_URL: 'sqlite:of-a-file.db' };
    const env: Record<string, string> = {
      ...{ CAMPUS: 'demo', NODE_ENV: 'production', SHUTDOWN_DRAIN_SECONDS: '0' },
      ...{ METRICS: 'on', METRICS_PORT: '0' },
    };
    for (const [name, text] of Object.entries(secrets)) {
      const path = join(cwd, name.toLowerCase());
      writeFileSync(path, `${text}\n`);
      env[`${name}_FILE`] = path;
    }
    const service = await startService(cwd, env);
    const invite = await call(service.address, 'POST', '/auth/register/invite', {
      body: { invite_code: 'CODE-OF-A-FILE' },
    });
    expect(invite.status).toBe(200);
    // In production there is no start without a key, and none is made.
    expect(
      readdirSync(cwd)
        .filter((name) => !/^of-a-file\.db/.test(name))
        .toSorted(),
    ).toEqual(['database_url', 'invite_codes', 'secret_key']);
    expect(readdirSync(cwd)).toContain('of-a-file.db');
    expect(await readMetrics(service)).toMatch(/campus_http_request_duration_seconds_count\{[^}]*status="404"\} 1\n/);
    // A scraper keeps its connection, which must not hold the end up.
    service.kill('SIGTERM');
    const { code, stdout, stderr } = await service.ended;
    expect(code).toBe(0);
    for (const secret of [secretKey, 'CODE-OF-A-FILE']) expect(stdout + stderr).not.toContain(secret);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.filter((line) => !/^\{.*\}$/.test(line))).toEqual([]);
  });
});

describe('--check-config', () => {
  it('says OK, reads .env and the environment above it, creates nothing and exits with 0', async () => {
    const cwd = workingDirectory();
    writeFileSync(join(cwd, '.env'), 'HOST=127.0.0.2\nPORT=4001\n');
    const { code, stdout, stderr } = await startProcess(cwd, { PORT: '4002' }, ['--check-config']).ended;
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: 'OK: development, demo campus, sqlite, 127.0.0.2:4002\n',
      stderr: '',
    });
    expect(readdirSync(cwd)).toEqual(['.env']);
  });
});

describe('a start that cannot continue', () => {
  it('answers unknown arguments with the usage and exits with 2', async () => {
    const { code, stderr } = await startProcess(workingDirectory(), {}, ['--chekc-config']).ended;
    expect(code).toBe(2);
    expect(stderr).toContain('Usage: npm start');
  });

  it('names the setting, the database, the reason and the hint, without its password', async () => {
    const { code, stdout, stderr } = await startProcess(workingDirectory(), {
      DATABASE_URL: 'postgres://campus:hunter2@127.0.0.1:1/campus',
      SECRET_KEY: secretKey,
    }).ended;
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'The service cannot start: DATABASE_URL: PostgreSQL 127.0.0.1:1/campus cannot be opened (ECONNREFUSED); ' +
        'check that the database server runs, and its host and port\n',
    });
  });

  it('says when another key than before is given, and serves all the same', async () => {
    const cwd = workingDirectory();
    const storage = await createStorage({
      url: `sqlite:${join(cwd, 'campus.db')}`,
      keys: [randomBytes(32)],
      log: silentLog,
    });
    await registered(storage);
    await storage.close();
    const service = await startService(cwd, { DATABASE_URL: 'sqlite:campus.db', SECRET_KEY: secretKey });
    expect(service.stdout()).toMatch(/"level":"warn".*"students":1.*none of the keys opens/);
    expect((await fetch(`${service.address}/ready`)).status).toBe(200);
  });

  it('refuses a .env with a line that would be skipped', async () => {
    const cwd = workingDirectory();
    writeFileSync(join(cwd, '.env'), 'PORT=0\nCAMPUS demo\n');
    const { code, stderr } = await startProcess(cwd).ended;
    expect(code).toBe(1);
    expect(stderr).toContain('.env: line 2 is no assignment; write NAME=value, or # before a comment');
  });

  it('leaves a file alone that is no database', async () => {
    const cwd = workingDirectory();
    writeFileSync(join(cwd, 'notes.txt'), 'not a database\n'.repeat(100));
    const { code, stderr } = await startProcess(cwd, { DATABASE_URL: 'sqlite:notes.txt' }).ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The service cannot start: DATABASE_URL: SQLite notes.txt .*; name another file; this one/);
  });
});

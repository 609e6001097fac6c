import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startDemoCampus } from '../../src/demo/demo-campus.ts';
import type { DemoCampus } from '../../src/demo/types.ts';
import { first } from '../support/campus-rig.ts';
import { cleanEnvironment, startProcess, startService, workingDirectory } from '../support/service-process.ts';
import { wiringEnv } from '../support/wiring-env.ts';
import { TEST_KEY_PEM } from '../unit/demo/test-key.ts';

const campusEntry = join(import.meta.dirname, '../../src/cli/campus.ts');
const secretKey = Buffer.from('0123456789abcdef0123456789abcdef').toString('base64');
const database = { DATABASE_URL: 'sqlite:campus.db', SECRET_KEY: secretKey };

/** A campus that counts what reaches it: the real one, as far as the service can tell. */
const realCampus = async (): Promise<DemoCampus> => {
  const campus = await startDemoCampus({ portalKeyPem: TEST_KEY_PEM });
  onTestFinished(() => campus.close());
  return campus;
};

const post = async (url: string, body: object): Promise<{ status: number; text: string }> => {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, text: await answer.text() };
};

const memberOf = (text: string, member: string): string => new RegExp(`"${member}":"([^"]+)"`).exec(text)?.[1] ?? '';

/** A demo student's login with both passwords. */
const pair = { userid: first.userid, password: first.password, vpn_password: first.vpnPassword };

/** Serves the demo campus over that database, registers a demo student, and ends. Gives the student's token. */
const tryTheDemo = async (cwd: string): Promise<string> => {
  const service = await startService(cwd, database);
  const invite = await post(`${service.address}/auth/register/invite`, { invite_code: 'DEMO-2026' });
  const registered = await post(`${service.address}/auth/register/next`, {
    ...pair,
    invite_token: memberOf(invite.text, 'invite_token'),
  });
  service.kill('SIGTERM');
  await service.ended;
  const token = memberOf(registered.text, 'token');
  expect(token).not.toBe('');
  return token;
};

const campusCommand = (cwd: string, env: Record<string, string>, ...args: string[]) =>
  new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      [campusEntry, ...args],
      { cwd, env: cleanEnvironment(env) },
      (_, out, err) => resolve({ code: child.exitCode, out, err }),
    );
  });

it('a database tried with the demo campus is refused with real addresses, and no demo password leaves', async () => {
  const cwd = workingDirectory();
  await tryTheDemo(cwd);
  const campus = await realCampus();
  const env = { ...database, ...wiringEnv(campus.wiring) };

  const { code, stdout, stderr } = await startProcess(cwd, { PORT: '0', ...env }).ended;
  expect({ code, stdout: stdout.split('\n').filter((line) => !line.includes('begins with http://')) }).toEqual({
    code: 1,
    stdout: [''],
  });
  expect(stderr).toBe(
    'The service cannot start: DATABASE_URL: SQLite campus.db belongs to the demo campus, and the settings name the ' +
      `campus at ${campus.wiring.vpnUrl}; name another database, or take this one over: \`campus adopt\` says what ` +
      'that changes\n',
  );
  for (const secret of [secretKey, first.password, first.vpnPassword]) expect(stderr).not.toContain(secret);
  expect(campus.requests()).toEqual([]);
  expect((await campusCommand(cwd, env, 'doctor')).out).toContain('FAILED   database');
});

it('once taken over, the demo’s code, student and token are gone, and its passwords go nowhere', async () => {
  const cwd = workingDirectory();
  const token = await tryTheDemo(cwd);
  const campus = await realCampus();
  const env = { ...database, ...wiringEnv(campus.wiring) };

  expect(await campusCommand(cwd, env, 'adopt')).toMatchObject({ code: 1 });
  expect((await startProcess(cwd, { PORT: '0', ...env }).ended).code).toBe(1);
  const adopted = await campusCommand(cwd, env, 'adopt', '--yes');
  expect(adopted).toMatchObject({ code: 0 });
  expect(adopted.out).toContain('deleted: 1 demo students, 1 invite codes');

  const { address } = await startService(cwd, env);
  const read = await fetch(`${address}/jwc/academic/info`, { headers: { authorization: `Bearer ${token}` } });
  expect(read.status).toBe(401);
  expect(await post(`${address}/auth/register/invite`, { invite_code: 'DEMO-2026' })).not.toMatchObject({
    status: 200,
  });
  expect(await post(`${address}/auth/login/next`, pair)).not.toMatchObject({ status: 200 });
  expect(campus.requests()).toEqual([]);
});

it('a database of real addresses is refused by the demo campus and by other addresses, and left as it is', async () => {
  const cwd = workingDirectory();
  const [campus, other] = [await realCampus(), await realCampus()];
  const env = { ...database, ...wiringEnv(campus.wiring) };
  const service = await startService(cwd, env);
  service.kill('SIGTERM');
  await service.ended;

  const demo = await startProcess(cwd, { PORT: '0', ...database }).ended;
  expect(demo.code).toBe(1);
  expect(demo.stderr).toMatch(
    /belongs to the campus at http:\S+, and the settings name the demo campus; leave DATABASE/,
  );
  const moved = await startProcess(cwd, { PORT: '0', ...env, CAMPUS_CAS_URL: other.wiring.casUrl }).ended;
  expect(moved.code).toBe(1);
  expect(moved.stderr).toContain(
    `CAMPUS_CAS_URL was ${new URL(campus.wiring.casUrl).origin} and is ${new URL(other.wiring.casUrl).origin} now`,
  );
  const again = await startService(cwd, env);
  expect((await fetch(`${again.address}/ready`)).status).toBe(200);
});

it('the demo campus keeps a file of its own, and points at the one it no longer uses', async () => {
  const cwd = workingDirectory();
  const service = await startService(cwd);
  service.kill('SIGTERM');
  expect((await service.ended).stdout).not.toContain('left as it is');
  expect([existsSync(join(cwd, 'data/demo.db')), existsSync(join(cwd, 'data/campus.db'))]).toEqual([true, false]);

  const former = workingDirectory();
  await startService(former, { DATABASE_URL: 'sqlite:./data/campus.db' }).then((first) => {
    first.kill('SIGTERM');
    return first.ended;
  });
  const second = await startService(former);
  expect(second.stdout()).toMatch(/"key":"DATABASE_URL".*\.\/data\/campus\.db is left as it is/);
});

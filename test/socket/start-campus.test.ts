import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startDemoCampus } from '../../src/demo/demo-campus.ts';
import type { DemoCampus } from '../../src/demo/types.ts';
import { silentLog } from '../../src/domain/context.ts';
import { createStorage } from '../../src/storage/storage.ts';
import { campusCommand } from '../support/campus-command.ts';
import { first } from '../support/campus-rig.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { startProcess, startService, workingDirectory } from '../support/service-process.ts';
import { wiringEnv } from '../support/wiring-env.ts';
import { TEST_KEY_PEM } from '../unit/demo/test-key.ts';

const secretKey = Buffer.from('0123456789abcdef0123456789abcdef').toString('base64');

/** A campus that counts what reaches it: the real one, as far as the service can tell. */
const realCampus = async (): Promise<DemoCampus> => {
  const campus = await startDemoCampus({ portalKeyPem: TEST_KEY_PEM });
  onTestFinished(() => campus.close());
  return campus;
};

/** A demo student's login with both passwords. */
const pair = { userid: first.userid, password: first.password, vpn_password: first.vpnPassword };

const settingsIn = (cwd: string) => ({ DATABASE_URL: `sqlite:${cwd}/campus.db`, SECRET_KEY: secretKey });

/** The service over that database for as long as `work` takes, in this process. */
const served = async <T>(env: Record<string, string>, work: (gateway: Gateway) => Promise<T>): Promise<T> => {
  const gateway = await startGateway({ env });
  try {
    return await work(gateway);
  } finally {
    await gateway.close();
  }
};

/** Serves the demo campus over that database, registers a demo student, and ends. Gives the student's token. */
const tryTheDemo = (cwd: string): Promise<string> => served(settingsIn(cwd), (gateway) => gateway.register(first));

it('a database tried with the demo campus is refused with real addresses, and no demo password leaves', async () => {
  const cwd = workingDirectory();
  await tryTheDemo(cwd);
  const campus = await realCampus();
  const env = { ...settingsIn(cwd), ...wiringEnv(campus.wiring) };

  const { code, stdout, stderr } = await startProcess(cwd, { PORT: '0', ...env }).ended;
  expect({ code, stdout: stdout.split('\n').filter((line) => !line.includes('begins with http://')) }).toEqual({
    code: 1,
    stdout: [''],
  });
  expect(stderr).toBe(
    `The service cannot start: DATABASE_URL: SQLite ${cwd}/campus.db belongs to the demo campus, and the settings name the ` +
      `campus at ${campus.wiring.vpnUrl}; name another database, or take this one over: \`campus adopt\` says what ` +
      'that changes\n',
  );
  for (const secret of [secretKey, first.password, first.vpnPassword]) expect(stderr).not.toContain(secret);
  expect(campus.requests()).toEqual([]);
  expect((await campusCommand(['doctor'], env)).out).toContain('FAILED   database');
});

it('once taken over, the demo’s code, student and token are gone, and its passwords go nowhere', async () => {
  const cwd = workingDirectory();
  const token = await tryTheDemo(cwd);
  const campus = await realCampus();
  const env = { ...settingsIn(cwd), ...wiringEnv(campus.wiring) };

  expect(await campusCommand(['adopt'], env)).toMatchObject({ code: 1 });
  await expect(served(env, async () => {})).rejects.toThrow('belongs to the demo campus');
  const adopted = await campusCommand(['adopt', '--yes'], env);
  expect(adopted).toMatchObject({ code: 0 });
  expect(adopted.out).toContain('deleted: 1 demo students, 1 invite codes');

  await served(env, async ({ b }) => {
    expect((await b('GET', '/jwc/academic/info', { token })).status).toBe(401);
    const invite = await b('POST', '/auth/register/invite', { body: { invite_code: 'DEMO-2026' } });
    expect(invite.status).not.toBe(200);
    expect((await b('POST', '/auth/login/next', { body: pair })).status).not.toBe(200);
  });
  expect(campus.requests()).toEqual([]);
});

it('a database of real addresses is refused by the demo campus and by other addresses, and left as it is', async () => {
  const cwd = workingDirectory();
  const [campus, other] = [await realCampus(), await realCampus()];
  const env = { ...settingsIn(cwd), ...wiringEnv(campus.wiring) };
  const isServed = (settings: Record<string, string>) =>
    served(settings, async ({ b }) => expect((await b('GET', '/ready')).status).toBe(200));
  await isServed(env);
  await expect(isServed(settingsIn(cwd))).rejects.toThrow(
    /belongs to the campus at http:\S+, and the settings name the demo campus/,
  );
  await expect(isServed({ ...env, CAMPUS_CAS_URL: other.wiring.casUrl })).rejects.toThrow(
    `CAMPUS_CAS_URL was ${new URL(campus.wiring.casUrl).origin} and is ${new URL(other.wiring.casUrl).origin} now`,
  );
  await isServed(env);
});

it('the demo campus points at the file that it no longer uses', async () => {
  const former = workingDirectory();
  mkdirSync(join(former, 'data'));
  const path = join(former, 'data/campus.db');
  await (await createStorage({ url: `sqlite:${path}`, keys: [randomBytes(32)], log: silentLog })).close();
  const second = await startService(former);
  expect(second.stdout()).toMatch(/"key":"DATABASE_URL".*\.\/data\/campus\.db is left as it is/);
});

import { expect, it, onTestFinished } from 'vitest';
import { startDemoCampus } from '../../src/demo/demo-campus.ts';
import type { DemoCampus } from '../../src/demo/types.ts';
import { campusCommand } from '../support/campus-command.ts';
import { entryOf, first } from '../support/campus-rig.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { startProcess, workingDirectory } from '../support/service-process.ts';
import { wiringEnv } from '../support/wiring-env.ts';
import { TEST_KEY_PEM } from '../unit/demo/test-key.ts';

const secretKey = Buffer.from('0123456789abcdef0123456789abcdef').toString('base64');

/** A campus that counts what reaches it: the real one, as far as the service can tell. */
const realCampus = async (): Promise<DemoCampus> => {
  const campus = await startDemoCampus({ portalKeyPem: TEST_KEY_PEM });
  onTestFinished(() => campus.close());
  return campus;
};

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

it('a database tried with the demo campus is refused with real addresses, also with --same-campus, and no demo password leaves', async () => {
  const cwd = workingDirectory();
  await served(settingsIn(cwd), (gateway) => gateway.register(first));
  const campus = await realCampus();
  const env = { ...settingsIn(cwd), ...wiringEnv(campus.wiring) };

  const { code, stdout, stderr } = await startProcess(cwd, { PORT: '0', ...env }).ended;
  expect({ code, stdout: stdout.split('\n').filter((line) => !line.includes('begins with http://')) }).toEqual({
    code: 1,
    stdout: [''],
  });
  expect(stderr).toBe(
    `The service cannot start: DATABASE_URL: SQLite ${cwd}/campus.db belongs to the demo campus, and the settings name the ` +
      `campus at ${campus.wiring.vpnUrl}; name another database\n`,
  );
  for (const secret of [secretKey, first.password, first.vpnPassword]) expect(stderr).not.toContain(secret);
  expect(campus.requests()).toEqual([]);
  const moved = await startProcess(cwd, { PORT: '0', ...env }, ['--same-campus']).ended;
  expect([moved.code, moved.stderr]).toEqual([1, expect.stringContaining('belongs to the demo campus')]);
  expect(campus.requests()).toEqual([]);
  expect((await campusCommand(['doctor'], env)).out).toContain('FAILED   database');
});

it('a campus that has moved is served once the operator says so: accounts and tokens stay, sessions go, passwords are set aside', async () => {
  const cwd = workingDirectory();
  const [former, now] = [await realCampus(), await realCampus()];
  const settings = { ...settingsIn(cwd), INVITE_CODES: 'DEMO-2026' };
  const before = { ...settings, ...wiringEnv(former.wiring) };
  const after = { ...settings, ...wiringEnv(now.wiring) };
  const token = await served(before, (gateway) => gateway.register(first));
  await expect(served(after, async () => {})).rejects.toThrow('start once with --same-campus');
  const asked = former.requests().length;

  const moved = startProcess(cwd, { PORT: '0', ...after }, ['--same-campus']);
  await moved.printed(/"students":1,"changes":\["CAMPUS_VPN_URL was .*the campus has moved/);
  await moved.printed(/"msg":"started"/);
  moved.kill('SIGTERM');
  await moved.ended;

  await served(after, async ({ b }) => {
    // No stored password goes to the new place before the student has logged in there.
    expect((await b('GET', '/jwc/academic/info', { token })).status).toBe(403);
    expect(now.requests()).toEqual([]);
    expect((await b('POST', '/auth/login/next', { body: entryOf(first) })).status).toBe(200);
    expect((await b('GET', '/jwc/academic/info', { token })).status).toBe(200);
  });
  expect(former.requests()).toHaveLength(asked);
  expect(now.requests().length).toBeGreaterThan(0);

  const again = startProcess(cwd, { PORT: '0', ...after }, ['--same-campus']);
  await again.printed(/start without --same-campus from now on/);
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

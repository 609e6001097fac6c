import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startDemoCampus } from '../../src/demo/demo-campus.ts';
import { onBothDatabases } from '../storage/databases.ts';
import { entryOf } from '../support/campus-rig.ts';
import { startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { newcomer } from '../support/replicas.ts';
import { startService, workingDirectory } from '../support/service-process.ts';
import { wiringEnv } from '../support/wiring-env.ts';
import { TEST_KEY_PEM } from '../unit/demo/test-key.ts';

const program = join(import.meta.dirname, '../support/die-at.ts');
const MINUTE = 60_000;
const [home, elsewhere] = ['198.51.100.7', '203.0.113.9'];

onBothDatabases('a process that is killed while the campus judges a password', (database) => {
  it('has booked it: the next one sends no further guess of a stranger, and the owner gets in', async () => {
    const demo = await startDemoCampus({ portalKeyPem: TEST_KEY_PEM });
    onTestFinished(() => demo.close());
    const env = {
      DATABASE_URL: database.url(),
      SECRET_KEY: Buffer.alloc(32, 11).toString('base64'),
      INVITE_CODES: 'SCALE-OF-TEN:10',
      TRUSTED_PROXIES: '127.0.0.1',
      // The campus may refuse one password that a stranger sends.
      CAMPUS_REFUSALS_PER_DAY: '3',
      ...wiringEnv(demo.wiring),
    };
    const pair = entryOf(newcomer(demo));
    const { userid } = pair;
    const guess = (vpn_password: string) => ({ ...pair, vpn_password });
    const passwordsSent = () => demo.requests({ userid, path: '/por/login_psw.csp' }).length;
    let address = '';
    const post = (from: string, path: string, body: object, headers: Record<string, string> = {}) =>
      fetch(address + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': from, ...headers },
        body: JSON.stringify(body),
      });

    const killed = await startService(workingDirectory(), env, onTestFinished, program);
    address = killed.address;
    const invite = await post(home, '/auth/register/invite', { invite_code: 'SCALE-OF-TEN' });
    const { invite_token } = Object((await invite.json()) as object).data;
    const registered = await post(home, '/auth/register/next', { ...pair, invite_token });
    expect(registered.status).toBe(200);
    const sent = passwordsSent();
    const dying = { 'x-die-at': 'after /por/login_psw.csp' };
    await expect(post(elsewhere, '/auth/login/next', guess('wrong-1'), dying)).rejects.toThrow();
    expect((await killed.ended).signal).toBe('SIGKILL');
    expect(passwordsSent()).toBe(sent + 1);

    await database.pass(MINUTE);
    const next = await startGateway({ demo, env, clock: new ManualClock(Date.now() + MINUTE) });
    onTestFinished(() => next.close());
    address = next.url;
    for (const secret of ['wrong-1', 'wrong-2']) {
      const answer = await post(elsewhere, '/auth/login/next', guess(secret));
      expect([secret, answer.status]).toEqual([secret, 429]);
    }
    expect(passwordsSent()).toBe(sent + 1);
    expect((await post(home, '/auth/login/next', pair)).status).toBe(200);
  });
});

import { afterEach, describe, expect, it } from 'vitest';
import { sha256 } from '../../src/lib/hash.ts';
import { damaged, entryOf, first, second } from '../support/campus-rig.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';

let gateway: Gateway | undefined;

const start = async (): Promise<Gateway> => {
  gateway = await startGateway();
  return gateway;
};

afterEach(async () => {
  await gateway?.close();
  gateway = undefined;
});

/** Members of all lines with this message, in the order of writing. */
const lines = ({ log }: Gateway, message: string): Record<string, unknown>[] =>
  log()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === message);

describe('the log', () => {
  it('has one line per outcome of a login, which names the student by a tag only', async () => {
    const gateway = await start();
    const token = await gateway.register();
    await gateway.a('/user/login', entryOf(first));
    await gateway.b('POST', '/auth/login/next', { body: entryOf(second) });
    await gateway.a('/user/login', { ...entryOf(first), password: 'wrong-password' });
    await gateway.b('POST', '/auth/login/next', { body: { ...entryOf(first), password: 'other-password' } });
    expect(lines(gateway, 'registration').map(({ outcome }) => outcome)).toEqual(['created']);
    const logins = lines(gateway, 'login');
    expect(logins.map(({ outcome }) => outcome)).toEqual([
      expect.stringMatching(/^[a-z-]+$/),
      'user-unknown',
      'credentials-refused',
      'login-cool-down',
    ]);
    const [own, other] = logins.map(({ student }) => student);
    expect(logins.map(({ student }) => student)).toEqual([own, other, own, own]);
    expect(other).not.toBe(own);
    for (const line of logins) {
      for (const tag of [line.student, line.network]) expect(tag).toMatch(/^[0-9a-f]{12}$/);
      // A reader with a list of student ids must not be able to compute it.
      expect(line.student).not.toBe(sha256(`student:${first.userid}`).slice(0, 12));
    }
    // The same in the lines of requests, so that one search finds everything of a student.
    await gateway.b('GET', '/jwc/term/all', { token });
    await gateway.a('/user/authme', { token });
    const [readLine, askLine] = lines(gateway, 'request').slice(-2);
    expect([readLine?.student, askLine?.student]).toEqual([own, own]);
    for (const line of logins) expect(line.trace_id).toMatch(/^[0-9a-f]{32}$/);
    for (const { userid } of [first, second]) expect(gateway.log()).not.toContain(userid);
  });

  it('has no warning for the first start of an app, which asks for copies alone', async () => {
    const gateway = await start();
    const token = await gateway.register();
    const headers = { authorization: `Bearer ${token}`, 'x-copy': 'only' };
    const answer = await fetch(`${gateway.url}/jwc/term/all`, { headers });
    expect([answer.status, await answer.text()]).toEqual([504, expect.stringContaining('NO_COPY')]);
    expect(lines(gateway, 'call failed')).toEqual([]);
    expect(lines(gateway, 'request').at(-1)).toMatchObject({ status: 504, failure: 'no-copy' });
  });

  it('says of a portal that is down which status it answered', async () => {
    const gateway = await start();
    await gateway.register();
    gateway.demo.fault({ system: 'vpn', fault: { kind: 'status', status: 503 } });
    const { userid, password, vpnPassword } = first;
    await gateway.a('/user/login', { userid, password, vpn_password: `${vpnPassword}x` });
    expect(lines(gateway, 'login').at(-1)).toMatchObject({
      outcome: 'sign-in-unavailable',
      step: 'portal',
      reason: 'status 503',
    });
  });

  it('has one line per change of a breaker', async () => {
    const gateway = await start();
    const tokens = [];
    for (const student of [first, second, damaged]) tokens.push(await gateway.register(student));
    gateway.demo.fault({ system: 'jwc', fault: { kind: 'status', status: 500 } });
    for (let call = 0; call < 9; call += 1) {
      await gateway.b('GET', '/jwc/academic/info', { token: tokens[call % 3] ?? '' });
    }
    expect(lines(gateway, 'breaker changed')).toEqual([
      expect.objectContaining({ level: 'warn', system: 'academics', breaker: 'open' }),
    ]);
  });
});

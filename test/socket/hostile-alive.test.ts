import { Agent, get } from 'node:http';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startDemoCampus } from '../../src/demo/demo-campus.ts';
import { startAttack } from '../support/attack-thread.ts';
import { type AttackName, attacks, type Order } from '../support/attacks.ts';
import { first } from '../support/campus-rig.ts';
import { freePort } from '../support/nginx.ts';
import { call, enroll } from '../support/replicas.ts';
import { type AtEnd, afterAllTests, startProcess, workingDirectory } from '../support/service-process.ts';
import { wiringEnv } from '../support/wiring-env.ts';
import { TEST_KEY_PEM } from '../unit/demo/test-key.ts';

/** How long the service may take under attack, compared with itself when idle. */
const timesIdle = 20;
/** `/alive` of a fresh process. One that has been attacked before is warm, and twice as quick when idle. */
const freshMs = 0.3;
/** Calls of `/alive` for one median. */
const PROBES = 31;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

const once = (port: number, agent: Agent): Promise<number> =>
  new Promise((resolve, reject) => {
    const started = performance.now();
    get({ host: '127.0.0.1', port, path: '/alive', agent }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`/alive answered ${answer.statusCode}`));
      answer.resume().once('end', () => resolve(performance.now() - started));
    }).once('error', reject);
  });

/** Milliseconds that `/alive` takes, one call after the other. */
const probe = async (port: number, calls: number): Promise<number> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const taken: number[] = [];
  for (let n = 0; n < calls; n += 1) taken.push(await once(port, agent));
  agent.destroy();
  return median(taken);
};

/** A real service in its own process; its portal listens at `portalPort`, if that is given. */
const startVictim = async (portalPort: number | undefined, atEnd: AtEnd): Promise<number> => {
  const demo = await startDemoCampus({ portalKeyPem: TEST_KEY_PEM });
  atEnd(() => demo.close());
  const port = await freePort();
  const wiring = portalPort === undefined ? demo.wiring : { ...demo.wiring, vpnUrl: `http://127.0.0.1:${portalPort}` };
  const env = { PORT: String(port), LOG_LEVEL: 'error', INVITE_CODES: 'SCALE:100', ...wiringEnv(wiring) };
  startProcess(workingDirectory(atEnd), { SECRET_KEY: Buffer.alloc(32, 12).toString('base64'), ...env }, [], atEnd);
  await vi.waitFor(() => call(`http://127.0.0.1:${port}`, 'GET', '/ready'), { timeout: 25_000, interval: 100 });
  return port;
};

/**
 * The statuses that an attack may get, and those that show that it took place. A flooding client waits for each
 * answer, so `/alive` waits behind as many calls as there are connections: with four of them one call may cost four
 * times `/alive`.
 */
const answers: Readonly<
  Record<AttackName, { readonly some: string; readonly allowed: readonly string[]; readonly lines?: number }>
> = {
  'JSON bodies of 1 MB': { some: '413|200|closed', allowed: ['413', '200', 'closed', '503'] },
  'JSON bodies of 60 kB of many members': { some: '413', allowed: ['413', '200', 'closed', '503'] },
  'bodies that trickle': { some: 'opened', allowed: ['opened', '408', 'closed'] },
  'large bodies announced and never sent': { some: 'opened', allowed: ['opened', '408', '200', 'closed'] },
  'pages of a hostile portal': { some: 'page', allowed: ['page', '200', 'closed', '503'] },
  'made-up tokens': { some: '401', allowed: ['401', '200', '429', '503'], lines: 4 },
  'guesses at passwords': { some: '403|429', allowed: ['403', '404', '429', '200', '502', '503'] },
  'downloads of the documentation': { some: '200', allowed: ['200', '429', '503'] },
};

const names = Object.keys(attacks).filter((name): name is AttackName => name in attacks);

describe('while it is attacked, the service answers in at most twenty times the time it takes when idle', () => {
  const atEnd = afterAllTests();
  let usual: Promise<number> | undefined;
  /** A service with a campus and a student: the same for all attacks, each of which comes from its own network. */
  const usualVictim = (): Promise<number> => {
    usual ??= startVictim(undefined, atEnd).then(async (port) => {
      await enroll(`http://127.0.0.1:${port}`, first);
      return port;
    });
    return usual;
  };

  it.each(names)(
    '%s',
    async (name) => {
      const portalPort = name === 'pages of a hostile portal' ? await freePort() : undefined;
      const port = portalPort === undefined ? await usualVictim() : await startVictim(portalPort, onTestFinished);
      const address = `http://127.0.0.1:${port}`;
      const network = names.indexOf(name);
      let order: Order = { port, network, lines: answers[name].lines ?? 16, sockets: 300, pauseMs: 0 };
      if (portalPort !== undefined) {
        const invite = await call(address, 'POST', '/auth/register/invite', { body: { invite_code: 'SCALE' } });
        order = { ...order, portalPort, inviteToken: invite.body.data.invite_token };
      }
      const { some, allowed } = answers[name];
      let times = Number.POSITIVE_INFINITY;
      // A neighbour on the same machine slows a round down, never all three.
      for (let round = 1; round <= 3 && times > timesIdle; round += 1) {
        await probe(port, PROBES);
        const idle = Math.max(freshMs, await probe(port, PROBES));
        const attack = await startAttack({ name, order, startedAfter: 32, atMost: 100_000 });
        const attacked = await probe(port, PROBES);
        const outcomes = await attack.stop();
        times = attacked / idle;
        process.stdout.write(
          `${name}: ${idle.toFixed(2)} ms → ${attacked.toFixed(2)} ms, ${JSON.stringify(outcomes)}\n`,
        );
        expect(Object.keys(outcomes).filter((outcome) => !allowed.includes(outcome))).toEqual([]);
        expect(Object.keys(outcomes).some((outcome) => some.split('|').includes(outcome))).toBe(true);
      }
      expect(times).toBeLessThanOrEqual(timesIdle);
    },
    60_000,
  );
});

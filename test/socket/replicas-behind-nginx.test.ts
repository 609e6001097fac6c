import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { DemoCampus } from '../../src/demo/types.ts';
import { entryOf, first } from '../support/campus-rig.ts';
import { askProxy, freePort, type Nginx, needsNginx, startNginx } from '../support/nginx.ts';
import { call, cluster, enroll, newcomer, type Replica } from '../support/replicas.ts';
import { afterAllTests } from '../support/service-process.ts';

const json = { 'content-type': 'application/json' };
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Lines that a replica wrote about finished requests of a route. */
const served = ({ stdout }: Replica, route: string): number => stdout().split(`"route":"${route}"`).length - 1;

// The first of them starts both.
describe('two replicas behind docs/deploy/nginx.conf', { timeout: 90_000 }, () => {
  beforeEach(needsNginx);

  const atEnd = afterAllTests();
  const begin = async () => {
    const { demo, start } = await cluster(atEnd);
    const ports = [await freePort(), await freePort()] as const;
    const startReplica = (which: 0 | 1) =>
      start({
        TRUSTED_PROXIES: '127.0.0.1',
        SHUTDOWN_DRAIN_SECONDS: '1',
        METRICS: 'on',
        PORT: String(ports[which]),
      });
    const replicas = await Promise.all([startReplica(0), startReplica(1)]);
    return { demo, replicas, startReplica, nginx: await startNginx(ports, atEnd) };
  };
  let begun: ReturnType<typeof begin> | undefined;
  const killed = new Set<0 | 1>();
  /** The same two for all tests: one that was killed is started again for the next. */
  const behindNginx = async () => {
    begun ??= begin();
    const both = await begun;
    for (const which of killed) {
      await both.replicas[which].ended;
      both.replicas[which] = await both.startReplica(which);
    }
    killed.clear();
    return both;
  };

  const untilBothServed = async (replicas: readonly Replica[], route: string, ask: () => Promise<unknown>) => {
    const before = replicas.map((replica) => served(replica, route));
    await vi.waitFor(async () => {
      await ask();
      for (const [i, replica] of replicas.entries()) expect(served(replica, route)).toBeGreaterThan(before[i] ?? 0);
    });
  };

  it('a student logs in once and is served by both', async () => {
    const { demo, replicas, nginx } = await behindNginx();
    const token = await enroll(replicas[0].address, first);
    const read = async () => {
      const { status, text } = await askProxy(nginx, { path: '/jwc/academic/info', headers: bearer(token) });
      expect([status, JSON.parse(text).data.completed_courses]).toEqual([200, 50]);
    };
    demo.resetRequests();
    await untilBothServed(replicas, '/jwc/academic/info', read);
    expect(new Set(demo.requests().map(({ path }) => path))).toEqual(new Set(['/main/academicInfo']));
  });

  /** Calls allowed in all: below what the limits per minute grant ten tokens. */
  const callsAtMost = 5_000;

  /** Reads and POSTs on both surfaces, two at a time, until told to stop. */
  const load = (nginx: Nginx, tokens: readonly string[]) => {
    const outcomes: string[] = [];
    let over = false;
    const one = (i: number) => {
      const token = tokens[i % tokens.length] ?? '';
      if (i % 2 === 0) return { path: '/api/v1/user/authme', headers: json, body: JSON.stringify({ token }) };
      return { path: i % 3 === 0 ? '/jwc/term/all' : '/auth/authme/token', headers: bearer(token) };
    };
    const line = async () => {
      while (!over && outcomes.length < callsAtMost) {
        const call = one(outcomes.length);
        const outcome = await askProxy(nginx, call).then(
          ({ status, text }) => `${status} ${/"code":200|"success":true/.test(text) ? 'good' : text}`,
          (error: Error) => error.message,
        );
        outcomes.push(`${call.path} ${outcome}`);
        // The processes that are starting need the processor more.
        await pause(20);
      }
    };
    const lines = Promise.all([line(), line()]);
    return {
      outcomes,
      /** Resolves when so many more calls have been answered. */
      more: (calls: number) => {
        const wanted = outcomes.length + calls;
        return vi.waitFor(() => expect(outcomes.length).toBeGreaterThanOrEqual(wanted), { timeout: 20_000 });
      },
      end: async () => {
        over = true;
        await lines;
      },
    };
  };

  /** Five tokens each of two students: as many as a student can have. */
  const tenTokens = async (demo: DemoCampus, address: string): Promise<string[]> => {
    const tokens: string[] = [];
    for (const student of [newcomer(demo), newcomer(demo)]) {
      tokens.push(await enroll(address, student));
      for (let more = 0; more < 4; more += 1) {
        tokens.push((await call(address, 'POST', '/auth/login/next', { body: entryOf(student) })).body.data.token);
      }
    }
    return tokens;
  };

  it('a rolling restart under load loses no call: the first taken out of the proxy before, the second by SIGTERM alone', async () => {
    const { demo, replicas, startReplica, nginx } = await behindNginx();
    const { outcomes, more, end } = load(nginx, await tenTokens(demo, replicas[0].address));
    const lost = () => outcomes.filter((outcome) => !outcome.endsWith(' 200 good'));
    await more(40);
    for (const which of [0, 1] as const) {
      if (which === 0) await nginx.takeOut(which);
      replicas[which].kill('SIGTERM');
      expect((await replicas[which].ended).code).toBe(0);
      await more(20);
      replicas[which] = await startReplica(which);
      expect((await call(replicas[which].address, 'GET', '/ready')).status).toBe(200);
      if (which === 0) await nginx.takeAll();
      await vi.waitFor(() => expect(served(replicas[which], '/api/v1/user/authme')).toBeGreaterThan(0));
      if (which === 0) expect(lost()).toEqual([]);
    }
    await more(40);
    await end();
    expect(lost().filter((outcome) => !outcome.startsWith('/api/v1/user/authme 502 '))).toEqual([]);
    // A POST on its way in the very instant in which the port closes is the one thing nginx neither keeps nor repeats.
    expect(lost().length).toBeLessThanOrEqual(1);
  }, 90_000);

  /** The replica that waits for an answer of academic affairs. */
  const busyOf = async (replicas: readonly Replica[]): Promise<0 | 1> => {
    const states = await Promise.all(replicas.map(async ({ address }) => (await fetch(`${address}/metrics`)).text()));
    const busy = ([0, 1] as const).filter((i) => states[i]?.includes('campus_line_active{line="academics"} 1'));
    if (busy.length !== 1 || busy[0] === undefined) throw new Error(`${busy.length} replicas are at it`);
    return busy[0];
  };

  it.each([
    { what: 'a read that was under way is asked again', status: 200, asked: 2, post: false },
    { what: 'a POST that was under way is not sent twice', status: 502, asked: 1, post: true },
  ])('when a replica is killed, $what', async ({ status, asked, post }) => {
    const { demo, replicas, nginx } = await behindNginx();
    const token = await enroll(replicas[0].address, newcomer(demo));
    demo.fault({ system: 'jwc', fault: { kind: 'hang' }, times: 1 });
    demo.resetRequests();
    const summary = post
      ? { path: '/api/v1/jwc/fetch_academic_info', headers: json, body: JSON.stringify({ token }) }
      : { path: '/jwc/academic/info', headers: bearer(token) };
    const answer = askProxy(nginx, summary);
    const atAcademics = () => demo.requests({ system: 'jwc', path: '/main/academicInfo' });
    await vi.waitFor(() => expect(atAcademics()).toHaveLength(1));
    const busy = await busyOf(replicas);
    killed.add(busy);
    replicas[busy].kill('SIGKILL');
    expect((await answer).status).toBe(status);
    expect(atAcademics()).toHaveLength(asked);
    await replicas[busy].ended;
  });
});

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'undici';
import { call, enroll } from '../../test/support/replicas.ts';
import { wiringEnv } from '../../test/support/wiring-env.ts';
import { benchStudents } from './load.ts';
import { MeasuredProcess } from './measured-process.ts';

const MEASURED_MS = 20_000;
/** Twice as seldom as a token may be used, so that none of them is refused for its own sake. */
const PROBE_EVERY_MS = 100;
const TOKENS = 5;
const FEEDS = 10;
const ALLOWED_MS = 50;

interface Probed {
  readonly p50: number;
  readonly p95: number;
  readonly refused: number;
  readonly calls: number;
}

/** Token checks of one student, one every 100 ms, under any load. */
const probe = async (origin: string, token: string): Promise<Probed> => {
  const client = new Client(origin);
  const times: number[] = [];
  let refused = 0;
  const headers = { authorization: `Bearer ${token}` };
  for (const until = performance.now() + MEASURED_MS; performance.now() < until; await pause(PROBE_EVERY_MS)) {
    const began = performance.now();
    const { statusCode, body } = await client.request({ method: 'GET', path: '/auth/authme/token', headers });
    await body.dump();
    times.push(performance.now() - began);
    if (statusCode !== 200) refused += 1;
  }
  await client.close();
  times.sort((a, b) => a - b);
  const at = (part: number): number => times[Math.floor(times.length * part)] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95), refused, calls: times.length };
};

const lineOf = (name: string, { p50, p95, refused, calls }: Probed, more = ''): string =>
  `${name.padEnd(22)} p50 ${p50.toFixed(1).padStart(7)} ms, p95 ${p95.toFixed(1).padStart(7)} ms, ${refused} of ${calls} refused${more}`;

/** The same probe without and with the crowd. */
const measured = async (
  name: string,
  server: MeasuredProcess,
  other: string,
  tokens: readonly string[],
  feeds: readonly string[],
) => {
  const origin = server.url;
  const idle = await probe(origin, other);
  const crowd = fork(join(import.meta.dirname, 'fair-share-crowd.ts'), [origin, tokens.join(), feeds.join()]);
  await once(crowd, 'message');
  const before = await server.processorTime();
  const crowded = await probe(origin, other);
  const processor = (await server.processorTime()) - before;
  crowd.send('over');
  const [statuses] = await once(crowd, 'message');
  const calls = Object.values<number>(statuses).reduce((sum, each) => sum + each, 0);
  const cost = `${(processor / calls).toFixed(0)} µs of processor time each`;
  const lines = [
    lineOf(`${name}, idle`, idle),
    lineOf(`${name}, crowded`, crowded, `; the crowd got ${JSON.stringify(statuses)}, ${cost}`),
  ];
  return { added: crowded.p95 - idle.p95, refused: crowded.refused, lines };
};

const measure = async (name: string, limits: 'on' | 'off'): Promise<string[]> => {
  const campus = fork(join(import.meta.dirname, 'campus-process.ts'));
  const [wiring] = await once(campus, 'message');
  const gateway = await MeasuredProcess.start('server-gateway.ts', {
    ...wiringEnv(wiring),
    SECRET_KEY: Buffer.alloc(32, 3).toString('base64'),
    INVITE_CODES: 'SCALE:10',
    BENCH_LIMITS: limits,
  });
  try {
    const { url } = gateway;
    const [crowd, other] = benchStudents;
    if (!crowd || !other) throw new Error('no students');
    const otherToken = await enroll(url, other);
    const tokens = [await enroll(url, crowd)];
    const [first = ''] = tokens;
    const pair = { userid: crowd.userid, password: crowd.password, vpn_password: crowd.vpnPassword };
    for (let n = 1; n < TOKENS; n += 1) {
      tokens.push((await call(url, 'POST', '/auth/login/next', { token: first, body: pair })).body.data.token);
    }
    const feeds: string[] = [];
    for (let n = 0; n < FEEDS; n += 1) {
      const body = { name: `feed ${n}`, include: ['classes', 'exams', 'activities'] };
      const made = await call(url, 'POST', '/calendar/feeds', { token: first, body });
      feeds.push(new URL(made.body.data.url, url).pathname);
    }
    const ours = await measured('the service', gateway, otherToken, tokens, feeds);
    const refusing = await MeasuredProcess.start('server-refusing.ts', { BENCH_TOKEN: otherToken });
    const bare = await measured('a server that refuses', refusing, otherToken, tokens, feeds);
    await refusing.stop();
    const beyond = ours.added - bare.added;
    const verdict = beyond <= ALLOWED_MS && ours.refused === 0 ? 'kept' : 'not kept';
    return [
      name,
      ...ours.lines,
      ...bare.lines,
      `added to p95 beyond the bare server: ${beyond.toFixed(1)} ms (at most ${ALLOWED_MS}, and no one else refused: ${verdict})`,
    ];
  } finally {
    await gateway.stop();
    campus.disconnect();
  }
};

/**
 * Measures how one student's crowd of calls delays another student's token check, beside a bare server that refuses
 * the same crowd: with the limits of a default installation, and without those per minute, where every call of the
 * crowd is work. Campus, service, crowd and probe have a process each.
 */
export const measureFairShare = async (): Promise<string[]> => [
  ...(await measure('With the limits of a default installation', 'on')),
  ...(await measure('Without limits per minute', 'off')),
];

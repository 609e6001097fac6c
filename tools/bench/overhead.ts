import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Pool } from 'undici';
import type { DemoWiring } from '../../src/demo/types.ts';
import { enroll } from '../../test/support/replicas.ts';
import { wiringEnv } from '../../test/support/wiring-env.ts';
import { lineOf } from './http.ts';
import { benchStudents } from './load.ts';
import { MeasuredProcess } from './measured-process.ts';

const ROUNDS = 10;
/** Before it: sessions with the application, connections, and compiled code. */
const WARM_ROUNDS = 5;
/** The time that the campus takes for the measured page. */
const CALL_MS = 500;
/** Every one of 400 students calls once in this time: 200 calls are in flight, and one that takes longer delays no other. */
const PERIOD_MS = 1_000;
/** When in it, the same for the campus and for us: the golden section spreads any number of students without a pattern. */
const phaseOf = (index: number): number => (index * 0.618_034) % 1;

const start = async <T>(file: string): Promise<[ChildProcess, T]> => {
  const child = fork(join(import.meta.dirname, file), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [said] = await once(child, 'message');
  return [child, said];
};

interface Target {
  readonly origin: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly status: number;
}

/**
 * Milliseconds of every call. Each student calls again and again, at his own moments, which the answers do not move: students who call as
 * soon as they are answered fall into step, and then a queue is measured and not a call.
 */
const measure = async (target: Target, tokens: readonly string[], rounds = ROUNDS): Promise<number[]> => {
  const { origin, method, path, status } = target;
  const pool = new Pool(origin, { connections: tokens.length });
  const times: number[] = [];
  const began = performance.now();
  const student = async (token: string, index: number): Promise<void> => {
    for (let round = 0; round < rounds; round += 1) {
      const due = began + (round + phaseOf(index)) * PERIOD_MS;
      await setTimeout(Math.max(0, due - performance.now()));
      const called = performance.now();
      const { statusCode, body } = await pool.request({ method, path, headers: { authorization: `Bearer ${token}` } });
      await body.dump();
      if (statusCode !== status) throw new Error(`${origin}${path}: ${statusCode}`);
      times.push(performance.now() - called);
    }
  };
  await Promise.all(tokens.map(student));
  await pool.close();
  return times.toSorted((a, b) => a - b);
};

const median = (sorted: readonly number[]): number => sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;

/**
 * The time that the service adds to a call that asks the campus once, with 200 such calls in flight. Most of it is
 * waiting: campus, service and students share the machine. Its own work is its processor time.
 */
export const measureOverhead = async (isProfiled = false): Promise<string[]> => {
  const [campus, wiring] = await start<DemoWiring>('campus-process.ts');
  const gateway = await MeasuredProcess.start('server-gateway.ts', {
    ...wiringEnv(wiring),
    SECRET_KEY: Buffer.alloc(32, 3).toString('base64'),
    INVITE_CODES: 'SCALE:1000',
    FRESH_SECONDS: '0',
    CAMPUS_CONNECTIONS: '256',
  });
  const { url } = gateway;
  try {
    const tokens: string[] = [];
    for (const student of benchStudents) tokens.push(await enroll(url, student));
    campus.send(CALL_MS);
    await once(campus, 'message');
    const page = '/main/academicInfo';
    const direct = median(await measure({ origin: wiring.jwcUrl, method: 'POST', path: page, status: 302 }, tokens));
    const ours: Target = { origin: url, method: 'GET', path: '/jwc/academic/info', status: 200 };
    await measure(ours, tokens, WARM_ROUNDS);
    const before = await gateway.processorTime();
    const through = median(await measure(ours, tokens));
    const each = ((await gateway.processorTime()) - before) / (ROUNDS * tokens.length);
    const dear = isProfiled ? await gateway.profile(() => measure(ours, tokens)) : [];
    return [
      ...dear.map(lineOf),
      `${'processor time of the service'.padEnd(30)} ${each.toFixed(0)} µs per call`,
      `${'median call, 200 in flight'.padEnd(30)} campus ${direct.toFixed(1)} ms, through us ${through.toFixed(1)} ms, added ${(through - direct).toFixed(1)} ms`,
    ];
  } finally {
    await gateway.stop();
    campus.disconnect();
  }
};

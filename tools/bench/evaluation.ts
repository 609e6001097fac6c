import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { createServices, type RunningServices } from '../../src/composition/services.ts';
import { loadConfig } from '../../src/config/config.ts';
import type { DemoWiring } from '../../src/demo/types.ts';
import { silentLog } from '../../src/domain/context.ts';
import { callContext } from '../../test/support/campus-rig.ts';
import { wiringEnv } from '../../test/support/wiring-env.ts';
import { enroll } from './enrolled.ts';

const RUNS = 200;
const COURSES = 5;
const WAIT_SECONDS = 20;

type CampusMessage = { readonly wiring: DemoWiring } | { readonly once: number; readonly more: number };

const hear = async (campus: ChildProcess): Promise<CampusMessage> => {
  const [message]: CampusMessage[] = await once(campus, 'message');
  if (message === undefined) throw new Error('the campus said nothing');
  return message;
};

const heap = (): number => {
  if (!globalThis.gc) throw new Error('run with --expose-gc');
  globalThis.gc();
  return process.memoryUsage().heapUsed;
};

const ms = (nanoseconds: number): string => `${(nanoseconds / 1e6).toFixed(1)} ms`;

const openServices = (wiring: DemoWiring): Promise<RunningServices> => {
  const env = {
    ...wiringEnv(wiring),
    DATABASE_URL: `sqlite:${join(mkdtempSync(join(tmpdir(), 'campus-bench-')), 'campus.db')}`,
    SECRET_KEY: Buffer.alloc(32, 3).toString('base64'),
    INVITE_CODES: `bench:${RUNS}`,
    EVALUATION_WAIT_SECONDS: String(WAIT_SECONDS),
    EVALUATION_OPEN_EVERY_SECONDS: '2',
    EVALUATION_MAX_RUNNING: String(RUNS),
  };
  const config = loadConfig(env, {
    read: () => null,
    exists: () => false,
    createOnce: (_path, text) => text,
    freshKey: () => '',
  });
  return createServices(config, { log: silentLog });
};

/**
 * 200 runs at once, each followed by its student once a second, in front of a campus in a separate process. The
 * wait is a seventh of the real one, so campus and service have seven times the work of real runs.
 */
export const measureEvaluation = async (): Promise<string[]> => {
  const campus = fork(join(import.meta.dirname, 'server-campus.ts'), [RUNS, COURSES, WAIT_SECONDS - 2].map(String));
  const hello = await hear(campus);
  if (!('wiring' in hello)) throw new Error('the campus did not say where it is');
  const services = await openServices(hello.wiring);
  const { evaluation } = services;
  const students = Array.from({ length: RUNS }, (_, at) => ({ userid: `bench${at}` }));
  try {
    for (const { userid } of students) await enroll(services.storage, userid, 'bench');
    // Few at a time, as students come: all at once would measure the queue before the login.
    for (let at = 0; at < RUNS; at += 5) {
      await Promise.all(students.slice(at, at + 5).map((student) => evaluation.initialize(student, callContext())));
    }
    const idle = heap();
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const began = performance.now();
    const cpuBefore = process.cpuUsage();
    await Promise.all(students.map((student) => evaluation.start(student)));
    let held = 0;
    while (evaluation.running > 0) {
      await Promise.all(students.map((student) => evaluation.status(student)));
      // In the countdown of all courses, when every page is open.
      if (held === 0 && performance.now() - began > (WAIT_SECONDS - 5) * 1000) {
        delay.disable();
        held = heap();
        delay.enable();
      }
      await pause(1_000);
    }
    delay.disable();
    const seconds = (performance.now() - began) / 1000;
    const { user, system } = process.cpuUsage(cpuBefore);
    campus.send('count');
    const end = await hear(campus);
    if (!('once' in end)) throw new Error('the campus did not count');
    const line = (name: string, value: string): string => `${name.padEnd(30)} ${value}`;
    return [
      line('evaluated exactly once', `${end.once} of ${RUNS * COURSES} courses, ${end.more} more often`),
      line('all runs together', `${seconds.toFixed(1)} s of at least ${(COURSES - 1) * 2 + WAIT_SECONDS} s`),
      line('processor time of the service', `${((user + system) / 1000 / end.once).toFixed(1)} ms per course`),
      line('memory of a run', `${Math.round((held - idle) / RUNS)} bytes of heap, ${COURSES} pages open`),
      line(
        'event-loop delay',
        `p50 ${ms(delay.percentile(50))}, p99 ${ms(delay.percentile(99))}, max ${ms(delay.max)}`,
      ),
    ];
  } finally {
    campus.disconnect();
    await services.close();
  }
};

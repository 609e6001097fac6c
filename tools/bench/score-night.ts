import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { startPostgres } from '../../test/support/postgres-server.ts';
import { wiringEnv } from '../../test/support/wiring-env.ts';
import { enrollAll, secretKey, tokenOf } from './enrolled.ts';
import { MeasuredProcess } from './measured-process.ts';
import type { NightOrder } from './score-night-campus.ts';
import { type Call, crowdLine, RECOVERS_AT_MS, summary } from './score-night-summary.ts';

/** Between two calls of a student; more students than that call more seldom, so that the calls of a second stay the same. */
const pollMsOf = (students: number): number => Math.max(3_000, students * 1.5);
const NIGHT_MS = 60_000;
const CAMPUS_MS = 150;
const FAILS_AT_MS = 22_500;
const SIGN_INS_AT_ONCE = 16;
/** Times that a student comes back after a busy machine refused. */
const PATIENCE = 20;
/** A student who waits this long has put the phone away. */
const GIVEN_UP_MS = 60_000;
const path = '/jwc/score/2025-2026-1-1/list';

interface Setting {
  readonly name: string;
  readonly freshSeconds: number;
  /** `Cache-Control` of every call; left out: none. */
  readonly says?: string;
  /** Time of the campus for a page; left out: 150 ms. */
  readonly campusMs?: number;
  /** The campus does not fail in the middle. */
  readonly holds?: boolean;
  /** One student more sends 200 calls at once, again and again. */
  readonly crowd?: boolean;
  /** Processes of the service over one PostgreSQL; left out: one over SQLite. */
  readonly replicas?: number;
}

class Night {
  readonly #campus: ChildProcess;
  readonly #gateways: readonly MeasuredProcess[];
  readonly #pools: readonly Pool[];
  readonly #students: number;
  #beganAt = performance.now();

  constructor(campus: ChildProcess, gateways: readonly MeasuredProcess[], students: number) {
    this.#campus = campus;
    this.#gateways = gateways;
    this.#students = students;
    this.#pools = gateways.map(({ url }) => new Pool(url, { connections: students, headersTimeout: GIVEN_UP_MS }));
  }

  get #since(): number {
    return performance.now() - this.#beganAt;
  }

  /** All are signed in at the campus, and have seen the earlier scores. */
  async signInAll(): Promise<void> {
    let next = 0;
    const line = async (): Promise<void> => {
      for (let at = next++; at < this.#students; at = next++) {
        let { status } = await this.#call(at, {}, false);
        for (let again = 0; status === 503 && again < PATIENCE; again += 1) {
          await pause(1_000);
          ({ status } = await this.#call(at, {}, false));
        }
        if (status !== 200) throw new Error(`student ${at}: ${status}`);
      }
    };
    await Promise.all(Array.from({ length: SIGN_INS_AT_ONCE }, line));
  }

  async measure({ says, campusMs = CAMPUS_MS, holds = false, crowd = false }: Setting): Promise<string> {
    const headers: Record<string, string> = says === undefined ? {} : { 'cache-control': says };
    await this.#tell({ delayMs: campusMs, resets: true });
    this.#beganAt = performance.now();
    const calls: Call[] = [];
    const pollMs = pollMsOf(this.#students);
    const processorBefore = await this.#processor();
    const polling = Array.from({ length: this.#students }, async (_, at) => {
      const first = (at / this.#students) * pollMs;
      for (let due = first; due < NIGHT_MS; due += pollMs) {
        // A student who still waits does not ask again.
        if (due < this.#since - pollMs) continue;
        await pause(Math.max(0, due - this.#since));
        const inOutage = !holds && this.#since >= FAILS_AT_MS && this.#since < RECOVERS_AT_MS;
        calls.push(await this.#call(at, headers, inOutage));
      }
    });
    const crowded = crowd ? this.#crowd() : Promise.resolve([]);
    let peak = 0;
    const outage = holds ? null : await this.#outage();
    for (; this.#since < NIGHT_MS; await pause(1_000)) peak = Math.max(peak, await this.#memory());
    await Promise.all(polling);
    const seconds = this.#since / 1000;
    const processor = ((await this.#processor()) - processorBefore) / 1e6 / seconds;
    peak = Math.max(peak, await this.#memory());
    const requests = { ...outage, all: await this.#tell({}) };
    return [summary(calls, requests, processor, peak), ...crowdLine(await crowded)].join('; ');
  }

  /** One student's 200 calls at once, each of which wants the campus, and again when they are over. */
  async #crowd(): Promise<Call[]> {
    const all: Call[] = [];
    const asked = { 'cache-control': 'no-cache' };
    while (this.#since < NIGHT_MS) {
      all.push(...(await Promise.all(Array.from({ length: 200 }, () => this.#call(this.#students, asked, false)))));
      await pause(1_000);
    }
    return all;
  }

  /** Requests at the campus before its outage and until its end. */
  async #outage(): Promise<{ before: number; until: number }> {
    await pause(FAILS_AT_MS - this.#since);
    const before = await this.#tell({ status: 503 });
    await pause(RECOVERS_AT_MS - this.#since);
    return { before, until: await this.#tell({ delayMs: CAMPUS_MS }) };
  }

  async #call(student: number, headers: Record<string, string>, inOutage: boolean): Promise<Call> {
    const began = performance.now();
    const call = { student, inOutage };
    const ended = () => ({ ms: performance.now() - began, endedAt: this.#since });
    try {
      const pool = this.#pools[student % this.#pools.length];
      if (pool === undefined) throw new Error('no service');
      const answer = await pool.request({
        method: 'GET',
        path,
        headers: { ...headers, authorization: `Bearer ${tokenOf(student)}` },
      });
      await answer.body.dump();
      const isOld = answer.statusCode === 200 && answer.headers['cache-control'] === 'no-store';
      return { ...call, ...ended(), status: answer.statusCode, isOld };
    } catch {
      return { ...call, ...ended(), status: 0, isOld: false };
    }
  }

  async #tell(order: NightOrder): Promise<number> {
    this.#campus.send(order);
    const [{ requests }] = await once(this.#campus, 'message');
    return requests;
  }

  async #processor(): Promise<number> {
    const all = await Promise.all(this.#gateways.map((gateway) => gateway.processorTime()));
    return all.reduce((sum, each) => sum + each, 0);
  }

  async #memory(): Promise<number> {
    return Math.max(...(await Promise.all(this.#gateways.map((gateway) => gateway.memory()))));
  }

  async close(): Promise<void> {
    await Promise.all(this.#pools.map((pool) => pool.close()));
    await Promise.all(this.#gateways.map((gateway) => gateway.stop()));
  }
}

const DAY = 86_400;

/** In the middle of the night, all of whose students want a page each 12 s where copies are fresh for 10. */
const settings: readonly Setting[] = [
  { name: 'fresh 0, nothing said', freshSeconds: 0 },
  { name: 'fresh 0, stale-if-error', freshSeconds: 0, says: `stale-if-error=${DAY}` },
  { name: 'fresh 10, nothing said', freshSeconds: 10 },
  { name: 'fresh 10, stale-if-error', freshSeconds: 10, says: `stale-if-error=${DAY}` },
  {
    name: 'fresh 10, copies allowed',
    freshSeconds: 10,
    says: `stale-while-revalidate=${DAY}, stale-if-error=${DAY}`,
  },
  // 32 connections and 320 ms: 100 of the 167 requests a second that all want.
  { name: 'campus at 60 %, nothing said', freshSeconds: 10, campusMs: 320, holds: true },
  { name: 'one student with 200 calls', freshSeconds: 10, holds: true, crowd: true },
  { name: 'PostgreSQL, two replicas', freshSeconds: 10, replicas: 2 },
];

/**
 * The evening on which scores appear: that many students look every 3 s for a minute, at a campus that takes 150 ms and fails
 * for 15 s in the middle. Campus and service have a process each; the settings are those of a default installation, but
 * for the limits of callers. `wanted`: rows whose names contain it.
 */
export const measureScoreNight = async (students: number, wanted = ''): Promise<string[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'campus-night-'));
  // One more, who has a crowd of calls.
  const campus = fork(join(import.meta.dirname, 'score-night-campus.ts'), [String(students + 1)], {
    // Each has pages of 160 kB.
    execArgv: [...process.execArgv, '--max-old-space-size=8192'],
  });
  const [{ wiring }] = await once(campus, 'message');
  const lines: string[] = [];
  const enrolled = new Set<string>();
  const rows = settings.filter(({ name }) => name.includes(wanted));
  const postgres = rows.some(({ replicas }) => replicas !== undefined) ? await startPostgres() : null;
  try {
    for (const row of rows) {
      const url = row.replicas !== undefined && postgres ? postgres.url : `sqlite:${join(folder, 'campus.db')}`;
      const isNew = !enrolled.has(url);
      if (isNew) await enrollAll(url, students + 1);
      enrolled.add(url);
      const gateways: MeasuredProcess[] = [];
      for (let at = 0; at < (row.replicas ?? 1); at += 1) {
        const env = {
          ...wiringEnv(wiring),
          SECRET_KEY: secretKey.toString('base64'),
          BENCH_DATABASE_URL: url,
          FRESH_SECONDS: String(row.freshSeconds),
        };
        gateways.push(await MeasuredProcess.start('server-gateway.ts', env));
      }
      const night = new Night(campus, gateways, students);
      if (isNew) await night.signInAll();
      lines.push(`${row.name.padEnd(28)} ${await night.measure(row)}`);
      process.stderr.write(`${lines.at(-1)}\n`);
      await night.close();
    }
    return lines;
  } finally {
    campus.disconnect();
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};

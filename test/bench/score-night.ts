import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { silentLog } from '../../src/domain/context.ts';
import { sha256 } from '../../src/lib/hash.ts';
import { createStorage } from '../../src/storage/storage.ts';
import { wiringEnv } from '../support/wiring-env.ts';
import { MeasuredProcess } from './measured-process.ts';

const POLL_MS = 3_000;
const NIGHT_MS = 60_000;
const CAMPUS_MS = 150;
const FAILS_AT_MS = 22_500;
const FAILS_FOR_MS = 15_000;
const SIGN_INS_AT_ONCE = 16;
/** Times that a student whom a busy machine turned away comes back. */
const PATIENCE = 20;
/** Whoever waits this long has put the phone away. */
const GIVEN_UP_MS = 60_000;
const secretKey = Buffer.alloc(32, 3);
const path = '/jwc/score/2025-2026-1-1/list';

const tokenOf = (student: number): string => Buffer.alloc(32, `night${student} `).toString('base64url');

const enrollAll = async (url: string, students: number): Promise<void> => {
  const storage = await createStorage({ url, keys: [secretKey], log: silentLog });
  const now = Date.now();
  const later = now + 86_400_000;
  await storage.invites.createCode({ code: 'night', maxUses: null, expiresAt: null, now });
  for (let at = 0; at < students; at += 1) {
    const inviteTokenHash = sha256(`invite-${at}`);
    await storage.invites.insertToken({ hash: inviteTokenHash, code: 'night', expiresAt: later, now });
    await storage.accounts.register({
      userid: `night${at}`,
      pair: { password: 'bench', vpnPassword: 'bench' },
      inviteTokenHash,
      tokenHash: sha256(tokenOf(at)),
      tokenExpiresAt: later,
      tokenEndsAt: later,
      tokenNetwork: '192.0.2.0/24',
      now,
    });
  }
  await storage.close();
};

interface Setting {
  readonly freshSeconds: number;
  readonly staleIfError: boolean;
}

/** One call: how long it took, how it ended, and whether the campus was failing when it began. */
interface Call {
  readonly ms: number;
  readonly status: number;
  readonly isOld: boolean;
  readonly inOutage: boolean;
}

class Night {
  readonly #campus: ChildProcess;
  readonly #gateway: MeasuredProcess;
  readonly #pool: Pool;
  readonly #students: number;

  constructor(campus: ChildProcess, gateway: MeasuredProcess, students: number) {
    this.#campus = campus;
    this.#gateway = gateway;
    this.#students = students;
    this.#pool = new Pool(gateway.url, { connections: students, headersTimeout: GIVEN_UP_MS });
  }

  /** Everybody is signed in at the campus, and has seen the scores of before. */
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

  async measure({ staleIfError }: Setting): Promise<string> {
    const headers: Record<string, string> = staleIfError ? { 'cache-control': 'stale-if-error=86400' } : {};
    await this.#tell('begin');
    const beganAt = performance.now();
    const since = (): number => performance.now() - beganAt;
    const calls: Call[] = [];
    const processorBefore = await this.#gateway.processorTime();
    const polling = Array.from({ length: this.#students }, async (_, at) => {
      const first = (at / this.#students) * POLL_MS;
      for (let due = first; due < NIGHT_MS; due += POLL_MS) {
        // Whoever still waits for an answer does not ask again.
        if (due < since() - POLL_MS) continue;
        await pause(Math.max(0, due - since()));
        const inOutage = since() >= FAILS_AT_MS && since() < FAILS_AT_MS + FAILS_FOR_MS;
        calls.push(await this.#call(at, headers, inOutage));
      }
    });
    let peak = 0;
    const requests = await this.#outage(since);
    for (; since() < NIGHT_MS; await pause(1_000)) peak = Math.max(peak, await this.#gateway.memory());
    await Promise.all(polling);
    const seconds = since() / 1000;
    const processor = ((await this.#gateway.processorTime()) - processorBefore) / 1e6 / seconds;
    peak = Math.max(peak, await this.#gateway.memory());
    return summary(calls, { ...requests, all: await this.#tell('count') }, processor, peak);
  }

  /** Requests at the campus before its outage and until its end. */
  async #outage(since: () => number): Promise<{ before: number; until: number }> {
    await pause(FAILS_AT_MS - since());
    const before = await this.#tell('fail');
    await pause(FAILS_AT_MS + FAILS_FOR_MS - since());
    return { before, until: await this.#tell('recover') };
  }

  async #call(student: number, headers: Record<string, string>, inOutage: boolean): Promise<Call> {
    const began = performance.now();
    try {
      const {
        statusCode,
        headers: said,
        body,
      } = await this.#pool.request({
        method: 'GET',
        path,
        headers: { ...headers, authorization: `Bearer ${tokenOf(student)}` },
      });
      await body.dump();
      const isOld = String(said['cache-status']).includes('fwd=stale');
      return { ms: performance.now() - began, status: statusCode, isOld, inOutage };
    } catch {
      return { ms: performance.now() - began, status: 0, isOld: false, inOutage };
    }
  }

  async #tell(command: string): Promise<number> {
    this.#campus.send(command);
    const [{ requests }] = await once(this.#campus, 'message');
    return requests;
  }

  async close(): Promise<void> {
    await this.#pool.close();
    await this.#gateway.stop();
  }
}

const quantile = (sorted: readonly number[], share: number): string =>
  `${(sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN).toFixed(0)} ms`;
const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;

const summary = (
  calls: readonly Call[],
  requests: { readonly before: number; readonly until: number; readonly all: number },
  processor: number,
  memory: number,
): string => {
  const isAnswered = ({ status }: Call): boolean => status === 200;
  const outage = calls.filter(({ inOutage }) => inOutage);
  const times = calls.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const failures = Map.groupBy(
    calls.filter((call) => !isAnswered(call)),
    ({ status }) => status,
  );
  return [
    `${calls.length} calls, answered ${percent(calls.filter(isAnswered).length, calls.length)}`,
    `in the outage ${percent(outage.filter(isAnswered).length, outage.length)} (old, and said so: ${calls.filter(({ isOld }) => isOld).length} calls)`,
    `failures ${[...failures].map(([status, those]) => `${those.length} × ${status || 'none'}`).join(', ') || 'none'}`,
    `p50 ${quantile(times, 0.5)}, p99 ${quantile(times, 0.99)}`,
    `campus ${requests.all} requests, ${requests.until - requests.before} of them in the outage`,
    `processor ${percent(processor, 1)} of a core, memory ${(memory / 2 ** 20).toFixed(0)} MiB`,
  ].join('; ');
};

const settings: readonly Setting[] = [
  { freshSeconds: 0, staleIfError: false },
  { freshSeconds: 0, staleIfError: true },
  { freshSeconds: 10, staleIfError: false },
  { freshSeconds: 10, staleIfError: true },
];

/**
 * The evening on which scores appear: that many students look every 3 s for a minute, at a campus that takes 150 ms and fails
 * for 15 s in the middle. Campus and service have a process each; the settings are those of a default installation, but
 * for the limits of callers.
 */
export const measureScoreNight = async (students: number): Promise<string[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'campus-night-'));
  const url = `sqlite:${join(folder, 'campus.db')}`;
  const campus = fork(join(import.meta.dirname, 'score-night-campus.ts'), [students, CAMPUS_MS].map(String));
  const [{ wiring }] = await once(campus, 'message');
  const lines: string[] = [];
  try {
    await enrollAll(url, students);
    for (const [at, setting] of settings.entries()) {
      const gateway = await MeasuredProcess.start('server-gateway.ts', {
        ...wiringEnv(wiring),
        SECRET_KEY: secretKey.toString('base64'),
        BENCH_DATABASE_URL: url,
        FRESH_SECONDS: String(setting.freshSeconds),
      });
      const night = new Night(campus, gateway, students);
      if (at === 0) await night.signInAll();
      const name = `FRESH_SECONDS=${setting.freshSeconds}, ${setting.staleIfError ? 'stale-if-error' : 'nothing said'}`;
      lines.push(`${name.padEnd(34)} ${await night.measure(setting)}`);
      await night.close();
    }
    return lines;
  } finally {
    campus.disconnect();
    rmSync(folder, { recursive: true, force: true });
  }
};

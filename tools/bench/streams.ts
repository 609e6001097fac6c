import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { Client } from 'undici';
import { silentLog } from '../../src/domain/context.ts';
import { keptIn } from '../../test/support/kept.ts';
import { startPostgres } from '../../test/support/postgres-server.ts';
import { createStorage } from '../../test/support/storage.ts';
import { wiringEnv } from '../../test/support/wiring-env.ts';
import { enrollAll, secretKey, useridOf } from './enrolled.ts';
import { MeasuredProcess, placeOfServers } from './measured-process.ts';
import { news } from './news.ts';
import type { Arrival } from './streams-crowd.ts';

const PER_STUDENT = 3;
const WARM_UP = 300;
const PROBE_EVERY_MS = 20;
/** Comments of all streams twice, and one look at all tokens. */
const REST_MS = 65_000;
/** An event that has not come by then is lost. */
const GIVEN_UP_MS = 15_000;

const at = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
const spread = (times: readonly number[]): string => {
  const sorted = times.toSorted((a, b) => a - b);
  const parts = [0.5, 0.95, 0.99, 1].map((part) => at(sorted, part).toFixed(1));
  return `p50 ${parts[0]}, p95 ${parts[1]}, p99 ${parts[2]}, most ${parts[3]} ms`;
};

/** How long `/alive` takes while `work` runs. */
const besides = async <T>(url: string, work: () => Promise<T>): Promise<readonly [T, string]> => {
  const client = new Client(url);
  const times: number[] = [];
  let isOver = false;
  const probing = (async () => {
    while (!isOver) {
      const began = performance.now();
      const { body } = await client.request({ method: 'GET', path: '/alive' });
      await body.dump();
      times.push(performance.now() - began);
      await pause(PROBE_EVERY_MS);
    }
  })();
  const done = await work();
  isOver = true;
  await probing;
  await client.close();
  return [done, `/alive: ${spread(times)}`];
};

const openCrowd = async (url: string, streams: number): Promise<{ crowd: ChildProcess; open: number }> => {
  const crowd = fork(join(import.meta.dirname, 'streams-crowd.ts'), [url, String(streams)]);
  const [open] = await once(crowd, 'message');
  return { crowd, open: Number(open) };
};

/** How long each event of a student took to each of the student's listeners, in ms. */
const delays = async (crowd: ChildProcess, streams: number, began: readonly number[]): Promise<readonly number[]> => {
  const all: number[] = [];
  for (const until = Date.now() + GIVEN_UP_MS; all.length < streams && Date.now() < until; await pause(50)) {
    crowd.send('what came');
    const [arrivals]: readonly Arrival[][] = await once(crowd, 'message');
    for (const [student, arrived] of arrivals ?? []) all.push(arrived - (began[student] ?? 0));
  }
  return all;
};

const ended = async (crowd: ChildProcess): Promise<void> => {
  crowd.disconnect();
  await once(crowd, 'exit');
};

/**
 * That many open streams at one process of the service, three for each student: what each costs in memory, how soon news of
 * the process itself and of another one reach all, and `/alive` under it. Campus, service and listeners have a
 * process each.
 */
export const measureStreams = async (wanted: number, onPostgres: boolean): Promise<string[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'campus-streams-'));
  const campus = fork(join(import.meta.dirname, 'campus-process.ts'));
  const [wiring] = await once(campus, 'message');
  const postgres = onPostgres ? await startPostgres() : null;
  const url = postgres?.url ?? `sqlite:${join(folder, 'campus.db')}`;
  const students = Array.from({ length: Math.ceil(wanted / PER_STUDENT) }, (_, student) => useridOf(student));
  await enrollAll(url, students.length);
  const server = await MeasuredProcess.start('server-streams.ts', {
    ...wiringEnv(wiring),
    SECRET_KEY: secretKey.toString('base64'),
    BENCH_DATABASE_URL: url,
    MAX_CONNECTIONS: String(2 * wanted + 1_000),
  });
  const replica = await createStorage({ url, keys: [secretKey], log: silentLog });
  try {
    const lines = [`${placeOfServers}, ${postgres ? 'PostgreSQL' : 'SQLite'}`];
    const say = (name: string, line: string): void => {
      lines.push(`${name.padEnd(28)} ${line}`);
      process.stderr.write(`${lines.at(-1)}\n`);
    };
    await ended((await openCrowd(server.url, Math.min(WARM_UP, wanted))).crowd);
    const [, idle] = await besides(server.url, () => pause(3_000));
    say('no streams', idle);

    const before = await server.settledMemory();
    const [{ crowd, open }, opening] = await besides(server.url, () => openCrowd(server.url, wanted));
    say('while they are opened', opening);
    const each = ((await server.settledMemory()) - before) / open;
    say(`${open} streams open`, `${(each / 1_000).toFixed(1)} kB of the process each (at most 25)`);

    const processorBefore = await server.processorTime();
    const [, quiet] = await besides(server.url, () => pause(REST_MS));
    const processor = ((await server.processorTime()) - processorBefore) / REST_MS / 10;
    say('no news for a minute', `${quiet}; ${processor.toFixed(1)} % of a core`);

    const tell = async (name: string, most: number, append: () => Promise<readonly number[]>): Promise<void> => {
      const [all, alive] = await besides(server.url, async () => delays(crowd, open, await append()));
      say(name, `${all.length} of ${open} told, ${spread(all)} (at most ${most}); ${alive}`);
    };
    await tell('own news of each student', 1_000, async () => (await server.order({ news: students })) as number[]);
    await tell("another replica's news", 3_000, async () => {
      const began: number[] = [];
      for (const userid of students) {
        began.push(Date.now());
        await keptIn(replica).journal.append(userid, [news]);
        await nextTurn();
      }
      return began;
    });
    await ended(crowd);
    return lines;
  } finally {
    await replica.close();
    await server.stop();
    campus.disconnect();
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};

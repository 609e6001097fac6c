import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, expect, it, vi } from 'vitest';
import { startAttack } from '../support/attack-thread.ts';
import { type AttackName, attacks } from '../support/attacks.ts';
import { entryOf, first, second } from '../support/campus-rig.ts';
import { askProxy, freePort, type Nginx, needsNginx, type ProxyCall, startNginx } from '../support/nginx.ts';
import { call, cluster, enroll } from '../support/replicas.ts';
import { startProcess, workingDirectory } from '../support/service-process.ts';

/** `npm run soak -- --minutes N`; two seconds of it in every run of the tests. */
const minutes = Number(process.env.SOAK_MINUTES ?? '0.035');
const mebibyte = 1_048_576;
/** Of one replica, while a mebibyte of body or page is in hand for each of some dozens of callers. */
const memoryCeiling = 512 * mebibyte;
/** Pages of a portal need their own campus, and would rightly fail the good calls. */
const names = Object.keys(attacks).filter(
  (name): name is AttackName => name in attacks && name !== 'pages of a hostile portal',
);

interface Reading {
  readonly resident: number;
  readonly heap: number;
  readonly started: number;
}

const readingOf = async (address: string): Promise<Reading> => {
  const text = await (await fetch(`${address}/metrics`)).text();
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  return {
    resident: value('process_resident_memory_bytes'),
    heap: value('nodejs_heap_size_used_bytes'),
    started: value('process_start_time_seconds'),
  };
};

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

const jsonType = { 'content-type': 'application/json' };

beforeEach(needsNginx);

/** How many of the good calls may be told to come again by a replica that is overloaded, and were served then. */
const postponedAtMost = 0.01;

/**
 * Good clients until `over`. They do as `docs/use/errors.md` says: after a 503 they wait for `Retry-After` and ask again.
 * `lost` is every call that was not served, with its answer.
 */
const goodClients = (nginx: Nginx, tokens: readonly string[], device: string, over: () => boolean) => {
  const lost: string[] = [];
  const taken: number[] = [];
  let postponed = 0;
  const make = async (wanted: ProxyCall, again = true): Promise<string> => {
    const started = performance.now();
    const answer = await askProxy(nginx, wanted).catch((error: Error) => error);
    taken.push(performance.now() - started);
    if (answer instanceof Error) {
      lost.push(`${wanted.path} ${answer.message}`);
      return '';
    }
    const { status, text, headers } = answer;
    const seconds = Number(headers['retry-after']);
    if (status === 503 && again && seconds > 0) {
      postponed += 1;
      await pause(seconds * 1_000);
      return make(wanted, false);
    }
    if (status === 200 && /"code":200|"success":true/.test(text)) return text;
    lost.push(`${wanted.path} ${status} ${text.slice(0, 300)}`);
    return '';
  };
  const read = (turn: number): ProxyCall => {
    const token = tokens[turn % tokens.length] ?? '';
    const authorization = `Bearer ${token}`;
    if (turn % 3 === 0) return { path: '/api/v1/user/authme', headers: jsonType, body: JSON.stringify({ token }) };
    return { path: turn % 3 === 1 ? '/jwc/academic/info' : '/auth/authme/token', headers: { authorization } };
  };
  const reader = async (line: number) => {
    // Not faster than a token may call.
    for (let turn = line; !over(); turn += 2) {
      await make(read(turn));
      await pause(40);
    }
  };
  const returning = async () => {
    for (let token = device; !over(); await pause(21_000 * Math.min(1, minutes))) {
      const headers = { ...jsonType, authorization: `Bearer ${token}` };
      const text = await make({ path: '/auth/login/next', headers, body: JSON.stringify(entryOf(second)) });
      token = /"token":"([^"]+)"/.exec(text)?.[1] ?? token;
    }
  };
  return { lost, taken, postponed: () => postponed, ended: Promise.all([reader(0), reader(1), returning()]) };
};

it(
  `${minutes} minutes of hostile clients at two replicas behind nginx: no restart, flat memory, no good call lost`,
  async () => {
    const { env } = await cluster();
    const ports = [await freePort(), await freePort()] as const;
    const addresses = ports.map((port) => `http://127.0.0.1:${port}`);
    const quiet = { ...env, TRUSTED_PROXIES: '127.0.0.1', METRICS: 'on', LOG_LEVEL: 'error' };
    for (const port of ports) startProcess(workingDirectory(), { ...quiet, PORT: String(port) });
    for (const address of addresses) {
      await vi.waitFor(() => call(address, 'GET', '/ready'), { timeout: 25_000, interval: 100 });
    }
    const nginx = await startNginx(ports);
    const address = addresses[0] ?? '';
    const tokens = [await enroll(address, first)];
    const login = async (student: typeof first): Promise<string> =>
      (await call(address, 'POST', '/auth/login/next', { body: entryOf(student) })).body.data.token;
    while (tokens.length < 5) tokens.push(await login(first));
    const device = await enroll(address, second);

    let over = false;
    const before = await Promise.all(addresses.map(readingOf));
    const good = goodClients(nginx, tokens, device, () => over);
    const { https: port, certificate } = nginx;
    const order = { port, certificate, lines: 2, sockets: 40, pauseMs: 50 };
    const hostile = await Promise.all(
      names.map((name) => startAttack({ name, order, startedAfter: 8, atMost: 1_000_000 })),
    );
    const readings: Reading[][] = addresses.map(() => []);
    const until = performance.now() + minutes * 60_000;
    while (performance.now() < until) {
      await pause(1_000);
      for (const [i, each] of addresses.entries()) readings[i]?.push(await readingOf(each));
    }
    const outcomes = Object.fromEntries(await Promise.all(hostile.map(async (one, i) => [names[i], await one.stop()])));
    over = true;
    await good.ended;

    const inQuarter = (each: readonly Reading[], quarter: number, what: 'resident' | 'heap') => {
      const length = Math.ceil(each.length / 4);
      return median(each.slice(quarter * length, (quarter + 1) * length).map((reading) => reading[what]));
    };
    const memory = readings.map((each) => ({
      resident: [0, 1, 2, 3].map((quarter) => Math.round(inQuarter(each, quarter, 'resident') / mebibyte)),
      heap: [0, 1, 2, 3].map((quarter) => Math.round(inQuarter(each, quarter, 'heap') / mebibyte)),
      most: Math.round(Math.max(...each.map(({ resident }) => resident)) / mebibyte),
    }));
    const figures = {
      minutes,
      good: good.taken.length,
      postponed: good.postponed(),
      medianMs: Math.round(median(good.taken)),
      outcomes,
      memory,
    };
    process.stdout.write(`${JSON.stringify(figures, null, 1)}\n`);

    expect(good.lost).toEqual([]);
    expect(good.postponed()).toBeLessThanOrEqual(Math.ceil(postponedAtMost * good.taken.length));
    expect(good.taken.length).toBeGreaterThan(minutes * 100);
    for (const name of names) expect(Object.keys(outcomes[name] ?? {})).not.toEqual([]);
    for (const [i, each] of addresses.entries()) {
      expect((await readingOf(each)).started).toBe(before[i]?.started);
      const all = readings[i] ?? [];
      expect(Math.max(...all.map(({ resident }) => resident))).toBeLessThan(memoryCeiling);
      // In the first minutes memory grows to what the work needs; after that it must not.
      if (minutes < 5) continue;
      const grown = inQuarter(all, 3, 'resident') - inQuarter(all, 1, 'resident');
      expect(grown).toBeLessThan(0.2 * inQuarter(all, 1, 'resident'));
    }
  },
  minutes * 60_000 + 120_000,
);

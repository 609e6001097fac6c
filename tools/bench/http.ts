import autocannon from 'autocannon';
import { alternate, medianAndSpread, ratios, type Settled } from './alternating.ts';
import { benchToken } from './load.ts';
import { MeasuredProcess, placeOfServers } from './measured-process.ts';
import type { DearFunction } from './meter.ts';

const ROUND_SECONDS = 0.3;
const ROUNDS = 17;
const WARM_UP_CALLS = 30_000;
const PROFILED_ROUNDS = 8;

interface Case {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly isLarge?: boolean;
  /** The client has the answer already, and says so. */
  readonly isKnown?: boolean;
}

const cases: readonly Case[] = [
  { name: 'GET /alive', method: 'GET', path: '/alive', headers: {} },
  {
    name: 'POST /api/v1/user/authme',
    method: 'POST',
    path: '/api/v1/user/authme',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: benchToken }),
  },
  {
    name: 'GET a kept total',
    method: 'GET',
    path: '/aac/credit/info',
    headers: { authorization: `Bearer ${benchToken}` },
  },
  {
    name: 'GET a kept total, 304',
    method: 'GET',
    path: '/aac/credit/info',
    headers: { authorization: `Bearer ${benchToken}` },
    isKnown: true,
  },
  {
    name: 'GET score page of 500 rows',
    method: 'GET',
    path: '/jwc/score/2025-2026-1-1/list',
    headers: { authorization: `Bearer ${benchToken}` },
    isLarge: true,
  },
];

export const casesNamed = (part: string): readonly Case[] => cases.filter(({ name }) => name.includes(part));

/** Headers of the case, with the tag that this server gives the answer where the client has it. */
const headersOf = async (server: MeasuredProcess, one: Case): Promise<Record<string, string>> => {
  if (!one.isKnown) return one.headers;
  const { headers } = await fetch(server.url + one.path, { headers: one.headers });
  return { ...one.headers, 'if-none-match': headers.get('etag') ?? '' };
};

/** Keeps this process awake. To wake a sleeping client costs a server 12 µs a write, which only the slower of two would pay. */
const stayAwake = (): (() => void) => {
  let isWanted = true;
  const turn = (): void => {
    if (isWanted) setImmediate(turn);
  };
  turn();
  return () => {
    isWanted = false;
  };
};

/** Sends as much as the server takes for one round, or so many calls; microseconds of its processor time per answer. */
export const round = async (server: MeasuredProcess, one: Case, calls?: number): Promise<number> => {
  const headers = await headersOf(server, one);
  const before = await server.processorTime();
  const sleep = stayAwake();
  const result = await autocannon({
    url: server.url + one.path,
    connections: 20,
    ...(calls === undefined ? { duration: ROUND_SECONDS, sampleInt: 100 } : { amount: calls }),
    method: one.method,
    headers,
    ...(one.body === undefined ? {} : { body: one.body }),
  });
  sleep();
  const others = result.non2xx - (one.isKnown ? result['3xx'] : 0);
  if (others + result.errors > 0) throw new Error(`${one.name}: not every answer was good`);
  return ((await server.processorTime()) - before) / result.requests.total;
};

const line = (name: string, { pairs, warmUp, isSettled }: Settled): string => {
  const bare = medianAndSpread(
    pairs.map((pair) => pair.bare),
    0,
  );
  const ours = medianAndSpread(
    pairs.map((pair) => pair.ours),
    0,
  );
  const rounds = `${pairs.length} rounds after ${warmUp}${isSettled ? '' : ', NOT settled'}`;
  return `${name.padEnd(28)} ratio ${medianAndSpread(ratios(pairs), 2)}; µs per call: bare ${bare}, ours ${ours}; ${rounds}`;
};

const withServers = async <T>(work: (bare: MeasuredProcess, ours: MeasuredProcess) => Promise<T>): Promise<T> => {
  const bare = await MeasuredProcess.start('server-bare.ts');
  const ours = await MeasuredProcess.start('server-ours.ts');
  try {
    return await work(bare, ours);
  } finally {
    await Promise.all([bare.stop(), ours.stop()]);
  }
};

/**
 * Processor time per call of each case, bare against ours: unlike the calls per second, it is hardly touched by what else
 * the machine does.
 */
export const measureHttp = (wanted = ''): Promise<string[]> =>
  withServers(async (bare, ours) => {
    const lines: string[] = [placeOfServers];
    for (const one of casesNamed(wanted)) {
      await Promise.all([warmUp(bare, one), warmUp(ours, one)]);
      const settled = await alternate(ROUNDS, { bare: () => round(bare, one), ours: () => round(ours, one) });
      lines.push(line(one.name, settled));
    }
    return lines;
  });

/** A server is compiled as far as it will be: how far that is depends on calls, not on time. */
export const warmUp = async (server: MeasuredProcess, one: Case): Promise<void> => {
  await round(server, one, one.isLarge ? WARM_UP_CALLS / 10 : WARM_UP_CALLS);
};

export const lineOf = ({ name, place, percent }: DearFunction): string =>
  `  ${percent.toFixed(1).padStart(5)} %  ${name}  ${place}`;

/** The most expensive functions of ours in each case. */
export const profileHttp = (wanted = ''): Promise<string[]> =>
  withServers(async (_bare, ours) => {
    const lines: string[] = [placeOfServers];
    for (const one of casesNamed(wanted)) {
      await warmUp(ours, one);
      const dear = await ours.profile(async () => {
        for (let i = 0; i < PROFILED_ROUNDS; i += 1) await round(ours, one);
      });
      lines.push(one.name, ...dear.map(lineOf));
    }
    return lines;
  });

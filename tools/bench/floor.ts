import { median, medianAndSpread } from './alternating.ts';
import { duties } from './duties.ts';
import { casesNamed, round, warmUp } from './http.ts';
import { MeasuredProcess, placeOfServers } from './measured-process.ts';

const ROUNDS = 11;

/** Which sides are measured of a call: how many duties, or ours. */
const all = duties.length;
const sidesOf: Readonly<Record<string, readonly (number | 'ours')[]>> = {
  'GET /alive': [0, 1, 2, 3, 'ours'],
  'POST /api/v1/user/authme': [0, 1, 2, 3, 4, 5, 6, 7, 'ours'],
  'GET a kept total': [0, 3, all, 'ours'],
  'GET a kept total, 304': [0, 3, all, 'ours'],
};

const nameOf = (side: number | 'ours'): string => {
  if (side === 'ours') return 'the whole service';
  return side === 0 ? 'bare Fastify' : `+ ${duties[side - 1]}`;
};

/**
 * What a call costs on a bare server, on one with more and more of the duties that cannot be left out, and on ours: how much
 * of the distance belongs to the promises, and how much to us.
 */
export const measureFloor = async (wanted = ''): Promise<string[]> => {
  const servers = new Map<number | 'ours', MeasuredProcess>();
  const lines = [placeOfServers];
  try {
    for (const one of casesNamed(wanted)) {
      const sides = sidesOf[one.name] ?? [];
      const times = new Map(sides.map((side) => [side, Array.of<number>()]));
      for (const side of sides) {
        const file = side === 'ours' ? 'server-ours.ts' : 'server-bare.ts';
        const server = servers.get(side) ?? (await MeasuredProcess.start(file, { BENCH_DUTIES: String(side) }));
        servers.set(side, server);
        await warmUp(server, one);
      }
      for (let at = 0; at < ROUNDS; at += 1) {
        // Who goes first changes with each round.
        for (const side of [...sides.slice(at % sides.length), ...sides.slice(0, at % sides.length)]) {
          const server = servers.get(side);
          if (server) times.get(side)?.push(await round(server, one));
        }
      }
      const bare = times.get(0) ?? [];
      const floor = times.get(sides.at(-2) ?? 0) ?? [];
      for (const [side, taken] of times) {
        const ratio = median(taken.map((time, at) => (bare[at] ?? Number.NaN) / time));
        const share = taken.map((time, at) => (floor[at] ?? Number.NaN) / time);
        const ofFloor = side === 'ours' ? `, share of the floor ${medianAndSpread(share, 2)}` : '';
        lines.push(
          `${one.name.padEnd(26)} ${nameOf(side).padEnd(42)} ${median(taken).toFixed(1)} µs, ratio ${ratio.toFixed(2)}${ofFloor}`,
        );
      }
    }
    return lines;
  } finally {
    await Promise.all([...servers.values()].map((server) => server.stop()));
  }
};

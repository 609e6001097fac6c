import { median } from './alternating.ts';
import { duties } from './duties.ts';
import { casesNamed, round, warmUp } from './http.ts';
import { MeasuredProcess, placeOfServers } from './measured-process.ts';

const ROUNDS = 5;
/** Of ours and its floors alone: single rounds differ by half on a shared machine. */
const SHARE_ROUNDS = 41;

const floors = [duties.length];

/** How many duties the servers have that are measured beside ours, and which of them are its floors. */
const sidesOf: Readonly<Record<string, { readonly steps: readonly number[]; readonly floors: readonly number[] }>> = {
  'GET /alive': { steps: [0, 1, 2], floors: [3] },
  'POST /api/v1/user/authme': { steps: [0, 1, 2, 3, 4, 5, 6, 7, 8], floors },
  'GET a kept total': { steps: [0, 3], floors },
  'GET a kept total, 304': { steps: [0, 3], floors },
};

type Side = number | 'ours';

const nameOf = (side: Side): string => {
  if (side === 'ours') return 'the whole service';
  return side === 0 ? 'bare Fastify' : `+ ${duties[side - 1]}`;
};

/** Microseconds per call of each side, by rounds; who goes first changes with each round. */
const inTurn = async (
  rounds: number,
  sides: readonly Side[],
  measure: (side: Side) => Promise<number>,
): Promise<Map<Side, number[]>> => {
  const times = new Map(sides.map((side) => [side, Array.of<number>()]));
  for (let at = 0; at < rounds; at += 1) {
    const first = at % sides.length;
    for (const side of [...sides.slice(first), ...sides.slice(0, first)]) times.get(side)?.push(await measure(side));
  }
  return times;
};

const shareOf = (floor: readonly number[], ours: readonly number[]): string => {
  const shares = floor.map((time, at) => time / (ours[at] ?? Number.NaN)).toSorted((a, b) => a - b);
  const quartile = (of: number) => (shares[Math.floor((of * shares.length) / 4)] ?? Number.NaN).toFixed(2);
  return `${median(shares).toFixed(2)}, half of the rounds ${quartile(1)} – ${quartile(3)}`;
};

/**
 * Measures what a call costs on a bare server, on one with more and more of the duties that cannot be left out, and on ours: how much
 * of the distance belongs to the promises, and how much to us.
 */
export const measureFloor = async (wanted = ''): Promise<string[]> => {
  const servers = new Map<Side, MeasuredProcess>();
  const lines = [placeOfServers];
  const serverOf = async (side: Side): Promise<MeasuredProcess> => {
    const file = side === 'ours' ? 'server-ours.ts' : 'server-bare.ts';
    const server = servers.get(side) ?? (await MeasuredProcess.start(file, { BENCH_DUTIES: String(side) }));
    servers.set(side, server);
    return server;
  };
  try {
    for (const one of casesNamed(wanted).filter(({ name }) => name in sidesOf)) {
      const { steps = [], floors = [] } = sidesOf[one.name] ?? {};
      const measure = async (side: Side) => round(await serverOf(side), one);
      const sides: Side[] = [...steps, ...floors, 'ours'];
      for (const side of sides) await warmUp(await serverOf(side), one);
      const times = await inTurn(ROUNDS, sides, measure);
      const say = (side: Side, what: string) => lines.push(`${one.name.padEnd(26)} ${nameOf(side).padEnd(48)} ${what}`);
      for (const [side, taken] of times) {
        const ratio = median((times.get(0) ?? []).map((bare, at) => bare / (taken[at] ?? Number.NaN)));
        say(side, `${median(taken).toFixed(1)} µs, ratio ${ratio.toFixed(2)}`);
      }
      const shared = await inTurn(SHARE_ROUNDS, [...floors, 'ours'], measure);
      for (const floor of floors) {
        say(floor, `share of this floor: ${shareOf(shared.get(floor) ?? [], shared.get('ours') ?? [])}`);
      }
    }
    return lines;
  } finally {
    await Promise.all([...servers.values()].map((server) => server.stop()));
  }
};

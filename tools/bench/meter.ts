import { Session } from 'node:inspector/promises';

/** One function of a profile with its share of the processor time, in percent. */
export interface DearFunction {
  readonly name: string;
  readonly place: string;
  readonly percent: number;
}

export type MeterRequest = 'processor time' | 'memory' | 'settled memory' | 'start profile' | 'stop profile';
/** Microseconds so far, or what was profiled; null for a start. */
export type MeterReply = number | readonly DearFunction[] | null;

const LISTED = 10;
/** Not work: the process waits, or is being profiled. */
const isOther = ({ functionName, url }: { functionName: string; url: string }): boolean =>
  ['(idle)', '(root)', '(program)'].includes(functionName) || url === 'node:inspector';

const placeOf = (url: string, line: number): string => {
  if (url === '') return 'native';
  const [, path = url] = /.*?\/((?:src|test|tools|node_modules)\/.*)/.exec(url) ?? [];
  return `${path}:${line + 1}`;
};

let session: Session | null = null;

const start = async (): Promise<null> => {
  session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.start');
  return null;
};

/** By the time spent in the function itself, not in what it calls. */
const stop = async (): Promise<readonly DearFunction[]> => {
  if (!session) return [];
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  const places = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));
  const spent = new Map<string, { name: string; place: string; time: number }>();
  let total = 0;
  for (const [index, id] of (profile.samples ?? []).entries()) {
    const frame = places.get(id);
    const time = profile.timeDeltas?.[index] ?? 0;
    if (!frame || isOther(frame)) continue;
    const place = placeOf(frame.url, frame.lineNumber);
    const key = `${frame.functionName} ${place}`;
    const entry = spent.get(key) ?? { name: frame.functionName || '(anonymous)', place, time: 0 };
    entry.time += time;
    total += time;
    spent.set(key, entry);
  }
  return [...spent.values()]
    .toSorted((a, b) => b.time - a.time)
    .slice(0, LISTED)
    .map(({ name, place, time }) => ({ name, place, percent: (100 * time) / total }));
};

const processorTime = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

const answer = async (request: MeterRequest): Promise<MeterReply> => {
  if (request === 'settled memory') globalThis.gc?.();
  if (request === 'memory' || request === 'settled memory') return process.memoryUsage().rss;
  if (request === 'start profile') return start();
  return request === 'stop profile' ? stop() : processorTime();
};

/** Lets the parent of a measured process ask how much processor time it has used, and for what. */
export const addMeter = (): void => {
  process.on('message', (request: MeterRequest | object) => {
    // Orders are for the server.
    if (typeof request !== 'string') return;
    answer(request).then((reply) => process.send?.({ reply }));
  });
  // The parent disconnects when it has measured enough.
  process.on('disconnect', () => process.exit());
};

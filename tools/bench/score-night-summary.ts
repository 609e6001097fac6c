/** Of the night: its campus answers again from then on. */
export const RECOVERS_AT_MS = 37_500;

/** One call: how long it took, how it ended, and whether the campus was failing when it began. */
export interface Call {
  readonly student: number;
  readonly ms: number;
  /** Of the night, in milliseconds. */
  readonly endedAt: number;
  readonly status: number;
  readonly isOld: boolean;
  readonly inOutage: boolean;
}

const quantile = (sorted: readonly number[], share: number): string =>
  `${(sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN).toFixed(0)} ms`;
const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;

/** When the last of them all had an answer again, in seconds after the outage. */
const allAnswered = (calls: readonly Call[]): string => {
  const first = new Map<number, number>();
  for (const { student, status, endedAt } of calls) {
    if (status !== 200 || endedAt < RECOVERS_AT_MS) continue;
    first.set(student, Math.min(first.get(student) ?? Number.POSITIVE_INFINITY, endedAt));
  }
  return `${((Math.max(...first.values()) - RECOVERS_AT_MS) / 1000).toFixed(1)} s (${first.size} students)`;
};

export const crowdLine = (calls: readonly Call[]): string[] => {
  if (calls.length === 0) return [];
  const statuses = Map.groupBy(calls, ({ status }) => status);
  return [
    `the crowd got ${[...statuses].map(([status, those]) => `${those.length} × ${status || 'none'}`).join(', ')}`,
  ];
};

/** Says in one line how the calls of a night ended. */
export const summary = (
  calls: readonly Call[],
  requests: { readonly before?: number; readonly until?: number; readonly all: number },
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
  const inOutage = [
    `in the outage ${percent(outage.filter(isAnswered).length, outage.length)}`,
    `all answered again after ${allAnswered(calls)}`,
    `in the outage ${(requests.until ?? 0) - (requests.before ?? 0)} requests`,
  ];
  return [
    `${calls.length} calls, answered ${percent(calls.filter(isAnswered).length, calls.length)}`,
    `old, and said so: ${percent(calls.filter(({ isOld }) => isOld).length, calls.length)}`,
    ...(outage.length === 0 ? [] : inOutage),
    `failures ${[...failures].map(([status, those]) => `${those.length} × ${status || 'none'}`).join(', ') || 'none'}`,
    `p50 ${quantile(times, 0.5)}, p95 ${quantile(times, 0.95)}, p99 ${quantile(times, 0.99)}`,
    `campus ${requests.all} requests`,
    `processor ${percent(processor, 1)} of a core, memory ${(memory / 2 ** 20).toFixed(0)} MiB`,
  ].join('; ');
};

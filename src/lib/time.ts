export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The only source of time: tests move it instead of waiting for it. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds since some fixed moment of this process; never set back, unlike the time of day. */
  monotonic(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it is aborted first. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
  /** Runs `action` after `ms` unless the returned function is called first: for limits that are seldom reached. */
  timer(ms: number, action: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  wait: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const onAbort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      }, ms);
      signal?.addEventListener('abort', onAbort, { once: true });
    }),
  timer: (ms, action) => {
    const timer = setTimeout(action, ms);
    return () => clearTimeout(timer);
  },
};

/** Aborts its signal after `ms`, unless it is disposed of before. */
export const abortAfter = (
  clock: Pick<Clock, 'timer'>,
  ms: number,
  reason?: () => unknown,
): Disposable & { readonly signal: AbortSignal } => {
  const late = new AbortController();
  const stop = clock.timer(ms, () => late.abort(reason?.()));
  return { signal: late.signal, [Symbol.dispose]: stop };
};

/** The same, but for the time of day, which is `ms` ahead. */
export const movedClock = (clock: Clock, ms: number): Clock => ({ ...clock, now: () => clock.now() + ms });

/** Waits for `ms`, or until `signal` is aborted, which is no error here. */
export const pause = async (clock: Clock, ms: number, signal: AbortSignal): Promise<void> => {
  if (ms <= 0) return;
  await clock.wait(ms, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
};

export const waitForAbort = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** A point in monotonic time after which waiting is pointless. */
export class Deadline {
  readonly #endsAt: number;

  /** @param from by the monotonic clock; left out: now */
  constructor(ms: number, from = performance.now()) {
    this.#endsAt = from + ms;
  }

  remaining(): number {
    return Math.max(0, this.#endsAt - performance.now());
  }

  get passed(): boolean {
    return this.remaining() === 0;
  }
}

const formatters = new Map<string, Intl.DateTimeFormat>();

const formatterOf = (timeZone: string): Intl.DateTimeFormat => {
  const cached = formatters.get(timeZone);
  if (cached) return cached;
  const made = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  formatters.set(timeZone, made);
  return made;
};

const wallTime = (epochMs: number, timeZone: string) => {
  const parts: Record<string, number> = {};
  for (const { type, value } of formatterOf(timeZone).formatToParts(epochMs)) parts[type] = Number(value);
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts;
  return { year, month, day, hour, minute, second };
};

const two = (n: number): string => String(n).padStart(2, '0');

/** `YYYY-MM-DD` in the campus time zone. */
export const campusDate = (epochMs: number, timeZone: string): string => {
  const { year, month, day } = wallTime(epochMs, timeZone);
  return `${year}-${two(month)}-${two(day)}`;
};

/** Milliseconds that the wall clock of the zone is ahead of UTC at that instant. */
export const offsetAt = (epochMs: number, timeZone: string): number => {
  const { year, month, day, hour, minute, second } = wallTime(epochMs, timeZone);
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(epochMs / 1000) * 1000;
};

/** ISO 8601 with the offset of the time zone at that moment, to the second: `YYYY-MM-DDTHH:MM:SS+08:00`. */
export const campusDateTime = (epochMs: number, timeZone: string): string => {
  const offset = Math.round(offsetAt(epochMs, timeZone) / 60_000);
  const sign = offset < 0 ? '-' : '+';
  const zone = `${sign}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`;
  return `${campusTimestamp(epochMs, timeZone).replace(' ', 'T')}${zone}`;
};

/** `YYYY-MM-DD HH:MM:SS` in the campus time zone: the envelope timestamp of surface B. */
export const campusTimestamp = (epochMs: number, timeZone: string): string => {
  const { year, month, day, hour, minute, second } = wallTime(epochMs, timeZone);
  return `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}:${two(second)}`;
};

/** `campusTimestamp` for the hot path: every answer carries one, so the text of the running second is kept. */
export const createTimestamper = (timeZone: string): ((epochMs: number) => string) => {
  let second = Number.NaN;
  let text = '';
  return (epochMs) => {
    const now = Math.floor(epochMs / 1000);
    if (now !== second) {
      text = campusTimestamp(epochMs, timeZone);
      second = now;
    }
    return text;
  };
};

/** Calendar days without a time zone: whole days since 1970-01-01, to reckon with. */

/** The day that `YYYY-MM-DD` names; null when there is no such day. */
export const dayNumber = (text: string): number | null => {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  if (year === undefined || month === undefined || day === undefined) return null;
  const number = Date.UTC(Number(year), Number(month) - 1, Number(day)) / DAY_MS;
  // February 30 would otherwise be a day in March.
  return dayText(number) === text ? number : null;
};

/** `YYYY-MM-DD`. */
export const dayText = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** 0 Monday … 6 Sunday. */
export const weekdayOf = (day: number): number => (((day + 3) % 7) + 7) % 7;

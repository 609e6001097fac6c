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

/** Wall-clock parts of an instant in a time zone. */
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

/**
 * `campusTimestamp` for the hot path: every answer carries one, so the text of the running second is kept. Each
 * surface makes its own.
 */
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

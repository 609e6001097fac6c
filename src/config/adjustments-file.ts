import { dayNumber, dayText } from '../lib/calendar-day.ts';
import { isRecord } from '../lib/records.ts';
import { itemsOf, jsonFileReader, shown } from './json-file.ts';

const MOST_ENTRIES = 1_000;
/** Of one range; a year of holidays is a wrong year. */
const MOST_DAYS = 100;

/** Days are `YYYY-MM-DD`. */
export interface CalendarAdjustments {
  /** Without classes. */
  readonly daysOff: readonly string[];
  /** The classes of `from` are held on `to`. */
  readonly moved: ReadonlyArray<{ readonly from: string; readonly to: string }>;
}

type Read<T> = { readonly value: T } | { readonly fault: string };

const isDay = (value: unknown): value is string => typeof value === 'string' && dayNumber(value) !== null;

/** `2026-05-01`, or `2026-05-01/2026-05-05` for all days from one to the other. */
const daysOf = (value: unknown): Read<readonly string[]> => {
  const [first, last, ...rest] = typeof value === 'string' ? value.split('/') : [];
  const from = dayNumber(first ?? '');
  const to = last === undefined ? from : dayNumber(last);
  if (from === null || to === null || rest.length > 0)
    return { fault: `${shown(value)} is no day and no range of days` };
  if (to < from) return { fault: `${shown(value)} ends before it begins` };
  if (to - from >= MOST_DAYS) return { fault: `${shown(value)} has more than ${MOST_DAYS} days` };
  return { value: Array.from({ length: to - from + 1 }, (_, index) => dayText(from + index)) };
};

const moveOf = (value: unknown): Read<{ readonly from: string; readonly to: string }> => {
  if (!isRecord(value)) return { fault: `${shown(value)} is no object with from and to` };
  const { from, to, ...rest } = value;
  if (Object.keys(rest).length > 0) return { fault: `${shown(value)} has more members than from and to` };
  if (!isDay(from) || !isDay(to)) return { fault: `${shown(value)} does not move one day to another` };
  return from === to ? { fault: `${shown(value)} moves a day to itself` } : { value: { from, to } };
};

const contradictions = ({ daysOff, moved }: CalendarAdjustments): string[] => {
  const off = new Set(daysOff);
  const seen = new Set<string>();
  return moved.flatMap(({ from, to }, at) => {
    const again = seen.has(from);
    seen.add(from);
    return [
      ...(again ? [`moved[${at}]: ${from} is moved twice`] : []),
      ...(off.has(to) ? [`moved[${at}]: ${to} is among days_off`] : []),
    ];
  });
};

/** Days of the campus that differ from its timetable. */
export const readAdjustmentsFile = jsonFileReader<CalendarAdjustments>(
  'CALENDAR_ADJUSTMENTS',
  ['days_off', 'moved'],
  { daysOff: [], moved: [] },
  (members) => {
    const off = itemsOf('days_off', members.get('days_off'), MOST_ENTRIES, daysOf);
    const moved = itemsOf('moved', members.get('moved'), MOST_ENTRIES, moveOf);
    const value = { daysOff: [...new Set(off.values.flat())], moved: moved.values };
    return { value, faults: [...off.faults, ...moved.faults, ...contradictions(value)] };
  },
);

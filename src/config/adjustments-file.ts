import { dayNumber, dayText } from '../lib/calendar-day.ts';
import { isRecord } from '../lib/records.ts';
import type { CalendarAdjustments, Finding } from './config.ts';
import { readJsonFile } from './json-file.ts';
import type { ConfigFiles } from './secret-key.ts';

const KEY = 'CALENDAR_ADJUSTMENTS';
const members = ['days_off', 'moved'];
const MOST_ENTRIES = 1_000;
/** Of one range; a year of holidays is a wrong year. */
const MOST_DAYS = 100;

type Found = { readonly adjustments: CalendarAdjustments } | { readonly problems: readonly Finding[] };
type Read<T> = { readonly value: T } | { readonly fault: string };

const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 60) ?? 'nothing';

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

/** The items of a list, each fault with its place. */
const listOf = <T>(
  name: string,
  list: unknown,
  read: (item: unknown) => Read<T>,
): { values: T[]; faults: string[] } => {
  if (list === undefined) return { values: [], faults: [] };
  if (!Array.isArray(list)) return { values: [], faults: [`${name} is no list`] };
  if (list.length > MOST_ENTRIES) return { values: [], faults: [`${name} has more than ${MOST_ENTRIES} entries`] };
  const reads = list.map((item: unknown) => read(item));
  return {
    values: reads.flatMap((item) => ('value' in item ? [item.value] : [])),
    faults: reads.flatMap((item, at) => ('fault' in item ? [`${name}[${at}]: ${item.fault}`] : [])),
  };
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

/** Reads the days of the campus that differ from its timetable from a JSON file. All problems are told at once. */
export const readAdjustmentsFile = (path: string, files: ConfigFiles): Found => {
  const problems = (faults: readonly string[], hint: string): Found => ({
    problems: faults.map((fault) => ({ key: KEY, problem: `${path}: ${fault}`, hint })),
  });
  const file = readJsonFile(path, files, members.join(', '));
  if ('fault' in file) return problems([file.fault], file.hint);
  const unknown = [...file.members.keys()].filter((name) => !members.includes(name));
  const off = listOf('days_off', file.members.get('days_off'), daysOf);
  const moved = listOf('moved', file.members.get('moved'), moveOf);
  const adjustments = { daysOff: [...new Set(off.values.flat())], moved: moved.values };
  const faults = [
    ...unknown.map((name) => `${shown(name)} is not one of ${members.join(', ')}`),
    ...off.faults,
    ...moved.faults,
    ...contradictions(adjustments),
  ];
  return faults.length > 0 ? problems(faults, 'correct it in the file') : { adjustments };
};

import { type CommentFault, commentFault, isRecord, SHORTEST_COMMENT } from '../lib/text.ts';
import { dayNumber, dayText } from '../lib/time.ts';
import type { Finding } from './finding.ts';
import type { ConfigFiles } from './secrets.ts';

const LONGEST_FILE = 1_000_000;

/** The value of a file; with problems, it is the value that holds without a file. */
interface FileReading<T> {
  readonly value: T;
  readonly problems: readonly Finding[];
}

/** Reads the text, or says why it cannot be read. */
const contentOf = (path: string, files: ConfigFiles): { text: string } | { fault: string } => {
  try {
    const text = files.read(path);
    if (text === null) return { fault: 'does not exist' };
    return text.length > LONGEST_FILE ? { fault: `has more than ${LONGEST_FILE} characters` } : { text };
  } catch {
    return { fault: 'cannot be read' };
  }
};

const membersOf = (text: string): ReadonlyMap<string, unknown> | null => {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return isRecord(value) ? new Map<string, unknown>(Object.entries(value)) : null;
  } catch {
    return null;
  }
};

export const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 60) ?? 'nothing';

/**
 * Makes a reader for a JSON object in a file that the operator wrote. It reports all problems at once.
 * @param without what holds without a file
 * @param read of the members, each of which is one of `names`: their value, or what is wrong in words that name the place
 * @param instead what to do where there is no such file
 */
export const jsonFileReader =
  <T>(
    key: string,
    names: readonly string[],
    without: T,
    read: (members: ReadonlyMap<string, unknown>) => { readonly value: T; readonly faults: readonly string[] },
    instead = 'give the path of a readable JSON file, or remove the key',
  ) =>
  (path: string | null, files: ConfigFiles): FileReading<T> => {
    if (path === null) return { value: without, problems: [] };
    const refused = (faults: readonly string[], hint: string): FileReading<T> => ({
      value: without,
      problems: faults.map((fault) => ({ key, problem: `${path}: ${fault}`, hint })),
    });
    const content = contentOf(path, files);
    if ('fault' in content) return refused([content.fault], instead);
    const members = membersOf(content.text);
    if (members === null) return refused(['is no JSON object'], `write an object with ${names.join(', ')}`);
    const { value, faults } = read(members);
    const strange = [...members.keys()]
      .filter((name) => !names.includes(name))
      .map((name) => `${shown(name)} is not one of ${names.join(', ')}`);
    const all = [...strange, ...faults];
    return all.length > 0 ? refused(all, 'correct it in the file') : { value, problems: [] };
  };

/** One part of a file, read or refused. */
export type Read<T> = { readonly value: T } | { readonly fault: string };

/** Reads a list that may be missing, and names the place of each fault. */
export const itemsOf = <T>(
  name: string,
  list: unknown,
  most: number,
  read: (item: unknown) => Read<T>,
): { readonly values: readonly T[]; readonly faults: readonly string[] } => {
  if (list === undefined) return { values: [], faults: [] };
  if (!Array.isArray(list)) return { values: [], faults: [`${name} is no list`] };
  if (list.length > most) return { values: [], faults: [`${name} has more than ${most} entries`] };
  const reads = list.map((item: unknown) => read(item));
  return {
    values: reads.flatMap((item) => ('value' in item ? [item.value] : [])),
    faults: reads.flatMap((item, at) => ('fault' in item ? [`${name}[${at}]: ${item.fault}`] : [])),
  };
};

const kinds = ['overall', 'inspiration', 'suggestion'] as const;
const SHARE = 'full_mark_share';
const LONGEST_TEXT = 500;
const MOST_TEXTS = 100;

/** Answers of the evaluation as an operator has written them; null: the built-in ones. */
export interface AnswerPools extends Readonly<Record<(typeof kinds)[number], readonly string[] | null>> {
  /** Share of ratings with the full mark, 0 to 1. */
  readonly fullMarkShare: number | null;
}

const commentFaults: Readonly<Record<CommentFault, string>> = {
  'too-short': `has less than ${SHORTEST_COMMENT} characters`,
  repeats: 'has one character three times in a row',
};

const textOf = (text: unknown): Read<string> => {
  if (typeof text !== 'string') return { fault: 'is no text' };
  if (text.length > LONGEST_TEXT) return { fault: `has more than ${LONGEST_TEXT} characters` };
  const fault = commentFault(text);
  return fault === null ? { value: text } : { fault: commentFaults[fault] };
};

const isShare = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= 1;

/** The answers of the evaluation. What the file leaves out is null. */
export const readAnswersFile = jsonFileReader<AnswerPools | null>(
  'EVALUATION_ANSWERS',
  [...kinds, SHARE],
  null,
  (members) => {
    const faults: string[] = [];
    const textsOf = (kind: string): readonly string[] | null => {
      const list = members.get(kind);
      if (list === undefined) return null;
      const texts = itemsOf(kind, list, MOST_TEXTS, textOf);
      faults.push(...texts.faults, ...(Array.isArray(list) && list.length === 0 ? [`${kind} is empty`] : []));
      return texts.values;
    };
    const [overall, inspiration, suggestion] = [textsOf('overall'), textsOf('inspiration'), textsOf('suggestion')];
    const share = members.get(SHARE);
    const fullMarkShare = isShare(share) ? share : null;
    if (share !== undefined && fullMarkShare === null) faults.push(`${SHARE} is no number from 0 to 1`);
    return { value: { overall, inspiration, suggestion, fullMarkShare }, faults };
  },
);

const MOST_ENTRIES = 1_000;
/** Limits one range: holidays of a year are a mistyped year. */
const MOST_DAYS = 100;

/** Days are `YYYY-MM-DD`. */
export interface CalendarAdjustments {
  /** Without classes. */
  readonly daysOff: readonly string[];
  /** The classes of `from` are held on `to`. */
  readonly moved: ReadonlyArray<{ readonly from: string; readonly to: string }>;
}

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

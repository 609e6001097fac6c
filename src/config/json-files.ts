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

const contentOf = (path: string, files: ConfigFiles): { text: string } | { fault: string } => {
  try {
    const text = files.read(path);
    if (text === null) return { fault: 'does not exist' };
    return text.length > LONGEST_FILE ? { fault: `has more than ${LONGEST_FILE} characters` } : { text };
  } catch {
    return { fault: 'cannot be read' };
  }
};

const objectIn = (text: string): Readonly<Record<string, unknown>> | null => {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
};

export const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 60) ?? 'nothing';

export type Read<T> = { readonly value: T } | { readonly fault: string };

/** Reads the members of a file one by one, and collects all faults, each with its place. */
export class Members {
  readonly faults: string[];
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(values: Readonly<Record<string, unknown>>, names: readonly string[]) {
    this.#values = values;
    this.faults = Object.keys(values)
      .filter((name) => !names.includes(name))
      .map((name) => `${shown(name)} is not one of ${names.join(', ')}`);
  }

  has(name: string): boolean {
    return this.#values[name] !== undefined;
  }

  /** `otherwise` stands for what cannot be read. */
  one<T>(name: string, read: (value: unknown) => Read<T>, otherwise: T): T {
    const found = read(this.#values[name]);
    if ('value' in found) return found.value;
    this.faults.push(`${name}: ${found.fault}`);
    return otherwise;
  }

  /** Reads a list that may be missing. Items that cannot be read are left out, or replaced by `otherwise`. */
  list<T>(name: string, most: number, read: (item: unknown) => Read<T>, otherwise?: T): readonly T[] {
    const { [name]: list = [] } = this.#values;
    if (!Array.isArray(list) || list.length > most) {
      this.faults.push(`${name}: ${Array.isArray(list) ? `has more than ${most} entries` : 'is no list'}`);
      return [];
    }
    return list.flatMap((item: unknown, at): T[] => {
      const found = read(item);
      if ('value' in found) return [found.value];
      this.faults.push(`${name}[${at}]: ${found.fault}`);
      return otherwise === undefined ? [] : [otherwise];
    });
  }
}

/**
 * Makes a reader for a JSON file that the operator wrote, which reports all problems at once.
 * @param without what holds without a file
 */
export const jsonFileReader =
  <T>(
    key: string,
    names: readonly string[],
    without: T,
    read: (members: Members) => T,
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
    const object = objectIn(content.text);
    if (object === null) return refused(['is no JSON object'], `write an object with ${names.join(', ')}`);
    const members = new Members(object, names);
    const value = read(members);
    return members.faults.length > 0 ? refused(members.faults, 'correct it in the file') : { value, problems: [] };
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

const shareOf = (value: unknown): Read<number | null> => {
  if (value === undefined) return { value: null };
  const isShare = typeof value === 'number' && value >= 0 && value <= 1;
  return isShare ? { value } : { fault: 'is no number from 0 to 1' };
};

export const readAnswersFile = jsonFileReader<AnswerPools | null>(
  'EVALUATION_ANSWERS',
  [...kinds, SHARE],
  null,
  (members) => {
    const textsOf = (kind: string): readonly string[] | null => {
      if (!members.has(kind)) return null;
      const before = members.faults.length;
      const texts = members.list(kind, MOST_TEXTS, textOf);
      if (texts.length === 0 && members.faults.length === before) members.faults.push(`${kind}: is empty`);
      return texts;
    };
    const [overall, inspiration, suggestion] = [textsOf('overall'), textsOf('inspiration'), textsOf('suggestion')];
    return { overall, inspiration, suggestion, fullMarkShare: members.one(SHARE, shareOf, null) };
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

export const readAdjustmentsFile = jsonFileReader<CalendarAdjustments>(
  'CALENDAR_ADJUSTMENTS',
  ['days_off', 'moved'],
  { daysOff: [], moved: [] },
  (members) => {
    const off = members.list('days_off', MOST_ENTRIES, daysOf);
    const value = { daysOff: [...new Set(off.flat())], moved: members.list('moved', MOST_ENTRIES, moveOf) };
    members.faults.push(...contradictions(value));
    return value;
  },
);

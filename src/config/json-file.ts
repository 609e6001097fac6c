import { isRecord } from '../lib/records.ts';
import type { Finding } from './finding.ts';
import type { ConfigFiles } from './secrets.ts';

const LONGEST_FILE = 1_000_000;

/** What a file says, or everything that is wrong with it; then the value is what holds without a file. */
export interface FileReading<T> {
  readonly value: T;
  readonly problems: readonly Finding[];
}

/** The text of the file, or what keeps it from being one. */
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
 * How a JSON file with an object is read that the operator wrote. All problems are told at once.
 * @param without what holds without a file
 * @param read of the members, each of which is one of `known`: their value, or what is wrong in words that name the place
 * @param instead what to do where there is no such file
 */
export const jsonFileReader =
  <T>(
    key: string,
    known: readonly string[],
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
    if (members === null) return refused(['is no JSON object'], `write an object with ${known.join(', ')}`);
    const { value, faults } = read(members);
    const strange = [...members.keys()]
      .filter((name) => !known.includes(name))
      .map((name) => `${shown(name)} is not one of ${known.join(', ')}`);
    const all = [...strange, ...faults];
    return all.length > 0 ? refused(all, 'correct it in the file') : { value, problems: [] };
  };

/** The items of a list that may be missing, each fault with its place. */
export const itemsOf = <T>(
  name: string,
  list: unknown,
  most: number,
  read: (item: unknown) => { readonly value: T } | { readonly fault: string },
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

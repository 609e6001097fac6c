import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FaultPlace } from './kinds.ts';
import type { OperationRows } from './matrix.ts';

const folder = join(import.meta.dirname, '../../docs/reference');

/** Set to have the run write its tables instead of comparing them. */
const writes = process.env.FAULTS === 'write';

const systemNames: Readonly<Record<string, string>> = {
  jwc: 'academics',
  aac: 'activity score',
  ldjlb: 'labor club',
  isim: 'electricity',
  competition: 'competitions',
  card: 'campus card',
};

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** Items under the same key, in order of first appearance. */
export const groupBy = <T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> => {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
};

const places: readonly FaultPlace[] = ['application', 'portal', 'unified login'];

/** Faults whose answers are the same at every place share a row. */
const rowsOf = ({ rows }: OperationRows): readonly (readonly string[])[] => {
  const byFault = [...groupBy(rows, ({ fault }) => fault)].map(([fault, cells]) => ({
    fault,
    answers: places.map((place) => cells.find((cell) => cell.place === place)?.outcome ?? '–'),
  }));
  return [...groupBy(byFault, ({ answers }) => answers.join('|')).values()].map((same) => [
    same.map(({ fault }) => fault).join(', '),
    ...(same[0]?.answers ?? []),
  ]);
};

const list = (operations: readonly OperationRows[]): string =>
  operations.map(({ operation }) => `- \`${operation}\``).join('\n');

const asking = (operations: readonly OperationRows[]): string[] => {
  const alike = groupBy(operations, (each) => JSON.stringify([each.system, rowsOf(each)]));
  return [...alike.values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];
    const name = systemNames[first.system] ?? first.system;
    return [
      list(same),
      table(['Fault', `at the application (${name})`, 'at the portal', 'at the unified login'], rowsOf(first)),
    ];
  });
};

const notAsking = (operations: readonly OperationRows[]): string[] => {
  const alike = groupBy(operations, ({ rows }) => JSON.stringify([...new Set(rows.map(({ outcome }) => outcome))]));
  return [...alike.values()].flatMap((same) => {
    const outcomes = [...new Set(same[0]?.rows.map(({ outcome }) => outcome))].join(', ');
    return [`Whatever fault all systems of the campus have at once: ${outcomes}.`, list(same)];
  });
};

/** The section of one surface. */
export const matrixSection = (operations: readonly OperationRows[]): string =>
  [
    ...notAsking(operations.filter(({ system }) => system === '')),
    ...asking(operations.filter(({ system }) => system !== '')),
  ].join('\n\n');

/**
 * The section under that heading as the document of that name holds it. With `FAULTS=write` in the environment it is first replaced
 * by `made`.
 */
export const documented = (heading: string, made: string, name = 'faults.md'): string => {
  const file = join(folder, name);
  const text = readFileSync(file, 'utf8');
  const start = text.indexOf(`\n## ${heading}\n`);
  if (start < 0) throw new Error(`docs/reference/${name} has no section ${heading}`);
  const from = start + `\n## ${heading}\n`.length;
  const next = text.indexOf('\n## ', from);
  const to = next < 0 ? text.length : next;
  if (!writes) return text.slice(from, to).trim();
  writeFileSync(file, `${text.slice(0, from)}\n${made}\n${text.slice(to)}`);
  return made;
};

import { DAY_MS, dayText } from '../../lib/time.ts';
import type { CopyKey } from './ports.ts';
import { isLaterPage, type ReadRow } from './types.ts';

/** Limits for the copies of one student. */
export const copyLimits = {
  copies: 128,
  /** Length of the sealed text. */
  characters: 4 * 1024 * 1024,
  ofOneRead: 16,
  /** Most bytes in the JSON of one value. */
  bytesOfOne: 1024 * 1024,
};

export interface MeasuredCopy extends Pick<CopyKey, 'read' | 'params'> {
  /** Length of the sealed text. */
  readonly characters: number;
  readonly readAt: number;
  /** A calendar feed is made of it. */
  readonly used: boolean;
}

type RowsByName = ReadonlyMap<string, Pick<ReadRow<never>, 'pages' | 'goes' | 'termAt'>>;

/** The earliest term that can be current on a day, or still gets its scores. */
const earliestTerm = (now: number): string => {
  const [year, month] = dayText(Math.floor(now / DAY_MS))
    .split('-')
    .map(Number);
  if (year === undefined || month === undefined) throw new Error('today is no day');
  const from = month >= 9 ? year : year - 1;
  return `${from}-${from + 1}-${month >= 3 && month < 9 ? 2 : 1}`;
};

/** From what goes first to what goes last. */
const worths = ['later-page', 'detail', 'past-term', 'usual', 'needed', 'of-a-feed'] as const;

const worthOf = ({ read, params, used }: MeasuredCopy, rows: RowsByName, earliest: string): (typeof worths)[number] => {
  if (used) return 'of-a-feed';
  const row = rows.get(read) ?? {};
  const values: readonly string[] = JSON.parse(params);
  if (isLaterPage(row, values)) return 'later-page';
  if (row.goes === 'first') return 'detail';
  const term = row.termAt === undefined ? undefined : values[row.termAt];
  if (term !== undefined && /^\d{4}-\d{4}-\d/.test(term) && term < earliest) return 'past-term';
  return row.goes === 'last' ? 'needed' : 'usual';
};

/** Sorts copies in the order of deletion; the oldest of each worth first. */
const inDeletionOrder = (copies: readonly MeasuredCopy[], rows: RowsByName, now: number): MeasuredCopy[] => {
  const earliest = earliestTerm(now);
  const worth = new Map(copies.map((copy) => [copy, worths.indexOf(worthOf(copy, rows, earliest))]));
  const of = (copy: MeasuredCopy): number => worth.get(copy) ?? 0;
  return copies.toSorted((a, b) => of(a) - of(b) || a.readAt - b.readAt);
};

/**
 * The copies of a student that have to be deleted. Without a limit of each read, paging through a list would push out
 * terms, timetable and exams, which are needed when the campus is down.
 */
export const surplusCopies = (copies: readonly MeasuredCopy[], rows: RowsByName, now: number): MeasuredCopy[] => {
  const reads = new Map<string, number>();
  for (const { read } of copies) reads.set(read, (reads.get(read) ?? 0) + 1);
  let characters = copies.reduce((sum, copy) => sum + copy.characters, 0);
  let left = copies.length;
  const gone = new Set<MeasuredCopy>();
  const remove = (copy: MeasuredCopy): void => {
    gone.add(copy);
    left -= 1;
    characters -= copy.characters;
  };
  const ordered = inDeletionOrder(copies, rows, now);
  for (const copy of ordered) {
    const ofRead = reads.get(copy.read) ?? 0;
    if (ofRead <= copyLimits.ofOneRead) continue;
    reads.set(copy.read, ofRead - 1);
    remove(copy);
  }
  for (const copy of ordered) {
    if (left <= copyLimits.copies && characters <= copyLimits.characters) break;
    if (!gone.has(copy)) remove(copy);
  }
  return [...gone];
};

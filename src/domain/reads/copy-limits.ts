import { isLaterPage, type ReadRow } from './types.ts';

/** Limits for the copies of one student. */
export const copyLimits = {
  copies: 64,
  /** Length of the sealed text. */
  characters: 4 * 1024 * 1024,
  ofOneRead: 16,
  /** Most bytes in the JSON of one value. */
  bytesOfOne: 1024 * 1024,
};

export interface MeasuredCopy {
  readonly read: string;
  /** JSON of the list of parameters. */
  readonly params: string;
  /** Length of the sealed text. */
  readonly characters: number;
  readonly readAt: number;
  /** A calendar feed is made of it. */
  readonly used: boolean;
}

type RowsByName = ReadonlyMap<string, Pick<ReadRow<never>, 'pages'>>;

/** Sorts copies in the order of deletion: later pages, what no feed is made of, the rest; the oldest of each first. */
const inDeletionOrder = (copies: readonly MeasuredCopy[], rows: RowsByName): MeasuredCopy[] => {
  const isLater = ({ read, params }: MeasuredCopy): boolean => {
    const row = rows.get(read);
    return row?.pages !== undefined && isLaterPage(row, JSON.parse(params));
  };
  const worth = new Map(copies.map((copy) => [copy, copy.used ? 2 : isLater(copy) ? 0 : 1]));
  const of = (copy: MeasuredCopy): number => worth.get(copy) ?? 0;
  return copies.toSorted((a, b) => of(a) - of(b) || a.readAt - b.readAt);
};

/**
 * The copies of a student that have to be deleted. Without a limit of each read, paging through a list would push out
 * terms, timetable and exams, which are needed when the campus is down.
 */
export const surplusCopies = (copies: readonly MeasuredCopy[], rows: RowsByName): MeasuredCopy[] => {
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
  const ordered = inDeletionOrder(copies, rows);
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

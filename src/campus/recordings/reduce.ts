import { verdictOf } from '../../domain/academics/score-marks.ts';
import { type Atoms, classOfMember, kindOf, type Member, numberKey } from './atoms.ts';
import { type Cell, type Doc, leavesOf } from './cells.ts';
import type { Learned } from './learn.ts';
import { saysNothing } from './ledger.ts';
import { isData, type PageOf } from './pages.ts';

/** Rows of one shape that stay. */
const mostAlike = 3;

interface Looking {
  readonly atoms: Atoms;
  readonly learned: Learned;
  readonly isKept: (word: string) => boolean;
  /** Shapes that a person has left out. */
  readonly leftOut: ReadonlySet<string>;
  /** Shapes that were met, in words. */
  readonly shapes: Set<string>;
}

/** What may be told of a value: never the value. */
const formOf = (
  { kind, value }: Cell,
  members: ReadonlySet<Member> | undefined,
  { atoms, isKept }: Looking,
): string => {
  const text = value.trim();
  if (kind === 'name') return isKept(text) ? text : 'x';
  if (saysNothing(text)) return text === '' ? 'blank' : text;
  if (members === undefined) return 'unread';
  const key = kindOf(atoms, text, members) === undefined ? numberKey(text) : text;
  const found = kindOf(atoms, key, members);
  if (found === 'mark') {
    const verdict = verdictOf(text);
    const decimals = text.split('.')[1]?.length ?? 0;
    return verdict === null
      ? 'mark'
      : `${verdict.passes ? 'passed' : 'not passed'} ${verdict.number === null ? 'in words' : decimals}`;
  }
  if (found === 'closed' && /^\d{1,2}$/.test(text)) return text;
  if (text === 'true' || text === 'false') return text;
  return isKept(text) ? text : (found ?? 'text');
};

/** Whether it can hardly be the same as another text by accident. */
const isTelling = (text: string): boolean => /\p{L}|\d{4}/u.test(text);

/** The cells that lie in a part of a text, found by halves: they stand in their order. */
const within = (cells: readonly Cell[], from: number, to: number): readonly Cell[] => {
  const firstFrom = (place: number): number => {
    let [low, high] = [0, cells.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((cells[middle]?.from ?? place) < place) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return cells.slice(firstFrom(from), firstFrom(to)).filter((cell) => cell.to <= to);
};

/** The ranges of rows to leave out, and how many stay of each list. */
const cutsOf = ({ doc, place }: { readonly doc: Doc; readonly place: string }, looking: Looking) => {
  const cuts: { from: number; to: number }[] = [];
  const left: { readonly had: number; readonly has: number }[] = [];
  for (const list of doc.lists) {
    const shapes = list.map(({ from, to }) => {
      const own = within(doc.cells, from, to).filter(
        (cell) => !cuts.some((cut) => cell.from >= cut.from && cell.to <= cut.to),
      );
      const texts: string[] = [];
      return own
        .flatMap((cell) => (cell.inner === null ? [cell] : leavesOf(cell.inner)))
        .filter(({ kind }) => kind !== 'hidden')
        .map((cell) => {
          const members = looking.learned(place, cell.group);
          const form = formOf(cell, members, looking);
          // Its label will be gone as well, where nobody reads that either.
          if (isData(cell) && members === undefined) return `${cell.group.replace(/#\d.*$/s, '#')} ${form}`;
          if (!isData(cell) || !isTelling(cell.value)) return `${cell.group} ${form}`;
          const same = texts.indexOf(cell.value);
          if (same < 0) texts.push(cell.value);
          return `${cell.group} ${form} ${same < 0 ? '' : same}`;
        })
        .join('\n');
    });
    const counts = new Map<string, number>();
    const stays = list.map((_, at) => {
      const shape = shapes[at] ?? '';
      const count = (counts.get(shape) ?? 0) + 1;
      counts.set(shape, count);
      if (list.length > mostAlike) looking.shapes.add(inWords(shape, place));
      return count <= mostAlike && !looking.leftOut.has(inWords(shape, place));
    });
    const has = stays.filter(Boolean).length;
    left.push({ had: list.length, has });
    if (has === list.length) continue;
    const isScript = doc.text.slice(list[0]?.to, list[1]?.from).includes(',');
    for (const [at, part] of list.entries()) {
      if (stays[at]) continue;
      const next = list[at + 1];
      const before = list[at - 1];
      const anyBefore = stays.slice(0, at).some(Boolean);
      if (!isScript) cuts.push(part);
      else if (anyBefore && before !== undefined) cuts.push({ from: before.to, to: part.to });
      else cuts.push({ from: part.from, to: next?.from ?? part.to });
    }
  }
  return { cuts, left };
};

/** A shape as a person reads it: what it is a row of, and what of it is not usual. */
const inWords = (shape: string, place: string): string => {
  const words = shape
    .split('\n')
    .map((line) => line.split(/[.>[\]@#!]/).at(-1) ?? '')
    .filter((line) => /blank|passed|in words|\p{Script=Han}/u.test(line));
  return `${place.split(' ').slice(0, 3).join(' ')}: ${[...new Set(words)].join(', ').slice(0, 200)}`;
};

export interface Reduced {
  readonly text: string;
  readonly left: ReadonlyArray<{ readonly had: number; readonly has: number }>;
}

/** The text without the rows that show nothing new. */
export const reducedText = ({ doc, place }: PageOf, looking: Looking): Reduced | null => {
  if (doc === null) return null;
  const { cuts, left } = cutsOf({ doc, place }, looking);
  const parts: string[] = [];
  let at = 0;
  for (const { from, to } of cuts.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    if (to <= at) continue;
    parts.push(doc.text.slice(at, Math.max(from, at)));
    at = to;
  }
  return { text: parts.join('') + doc.text.slice(at), left };
};

/** Members that state how many rows a list has. */
export const statesCount = (members: ReadonlySet<Member> | undefined): boolean =>
  [...(members ?? [])].some((member) => classOfMember(member) === 'left');

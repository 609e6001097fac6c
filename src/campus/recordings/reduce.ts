import { scoreVerdictOf } from '../../domain/academics/score-marks.ts';
import { isRecord } from '../../lib/text.ts';
import { atomsOf, classOfAtom, classOfMember, type Member, numberKey } from './atoms.ts';
import { type DocCell, type DocPart, leavesOf } from './cells.ts';
import { isData, type ParsedExchange, parseExchange, withCells } from './pages.ts';
import type { RecordedPage, Replay } from './recording.ts';
import { isShortCode, saysNothing } from './texts.ts';
import type { ScrubWork } from './work.ts';

/** Rows of one shape that stay. */
const mostAlike = 3;

interface Looking extends Pick<ScrubWork, 'atoms' | 'learned' | 'isKept'> {
  /** Shapes that a person has left out. */
  readonly leftOut: ReadonlySet<string>;
  /** Shapes that were met, in words. */
  readonly shapes: Set<string>;
}

/** What may be told of a value: never the value. */
const formOf = (
  { kind, value }: DocCell,
  members: ReadonlySet<Member> | undefined,
  { atoms, isKept }: Looking,
): string => {
  const text = value.trim();
  if (kind === 'name') return isKept(text) ? text : 'x';
  if (saysNothing(text)) return text === '' ? 'blank' : text;
  if (members === undefined) return 'unread';
  const key = classOfAtom(atoms, text, members) === undefined ? numberKey(text) : text;
  const found = classOfAtom(atoms, key, members);
  if (found === 'mark') {
    const verdict = scoreVerdictOf(text);
    const decimals = text.split('.')[1]?.length ?? 0;
    return verdict === null
      ? 'mark'
      : `${verdict.passes ? 'passed' : 'not passed'} ${verdict.number === null ? 'in words' : decimals}`;
  }
  if (found === 'closed' && isShortCode(text)) return text;
  if (text === 'true' || text === 'false') return text;
  return isKept(text) ? text : (found ?? 'text');
};

/** Whether it can hardly be the same as another text by accident. */
const isTelling = (text: string): boolean => /\p{L}|\d{4}/u.test(text);

/** The cells that lie in a part of a text, found by halves: they stand in their order. */
const cellsWithin = (cells: readonly DocCell[], from: number, to: number): readonly DocCell[] => {
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

/** A shape as a person reads it: what it is a row of, and what of it is not usual. */
const inWords = (shape: string, place: string): string => {
  const words = shape
    .split('\n')
    .map((line) => line.split(/[.>[\]@#!]/).at(-1) ?? '')
    .filter((line) => /blank|passed|in words|\p{Script=Han}/u.test(line));
  return `${place.split(' ').slice(0, 3).join(' ')}: ${[...new Set(words)].join(', ').slice(0, 200)}`;
};

/** What a row shows: what its cells hold, and which of them hold the same. */
const wordShapeOf = (cells: readonly DocCell[], place: string, looking: Looking): string => {
  const texts = new Map<string, number>();
  return cells
    .flatMap((cell) => (cell.inner === null ? [cell] : leavesOf(cell.inner)))
    .filter(({ kind }) => kind !== 'hidden')
    .map((cell) => {
      const members = looking.learned(place, cell.group);
      const form = formOf(cell, members, looking);
      // Its label will be gone as well, where nobody reads that either.
      if (isData(cell) && members === undefined) return `${cell.group.replace(/#\d.*$/s, '#')} ${form}`;
      if (!isData(cell) || !isTelling(cell.value)) return `${cell.group} ${form}`;
      const same = texts.get(cell.value);
      if (same === undefined) texts.set(cell.value, texts.size);
      return `${cell.group} ${form} ${same ?? ''}`;
    })
    .join('\n');
};

/** How often a cell may be compared on the average, as part of a row in a row: no page nests so many. */
const mostLevels = 12;

interface ShapeCount {
  readonly had: number;
  readonly has: number;
}

export interface Reduced {
  readonly text: string;
  /** How many rows stay of each list. */
  readonly left: readonly ShapeCount[];
}

/** The text without the rows that show nothing new. */
export const reduceText = ({ doc, place }: Pick<ParsedExchange, 'doc' | 'place'>, looking: Looking): Reduced | null => {
  if (doc === null) return null;
  const cuts: DocPart[] = [];
  const left: ShapeCount[] = [];
  const gone = new Set<DocCell>();
  let steps = doc.cells.length * mostLevels;
  for (const list of doc.lists) {
    const rows = list.map(({ from, to }) => cellsWithin(doc.cells, from, to));
    steps -= rows.reduce((sum, { length }) => sum + length, 0);
    if (steps < 0) break;
    const counts = new Map<string, number>();
    const stays = rows.map((cells) => {
      const shape = wordShapeOf(
        cells.filter((cell) => !gone.has(cell)),
        place,
        looking,
      );
      const count = (counts.get(shape) ?? 0) + 1;
      counts.set(shape, count);
      const words = inWords(shape, place);
      if (list.length > mostAlike) looking.shapes.add(words);
      return count <= mostAlike && !looking.leftOut.has(words);
    });
    left.push({ had: list.length, has: stays.filter(Boolean).length });
    const isScript = doc.text.slice(list[0]?.to, list[1]?.from).includes(',');
    let isBehind = false;
    for (const [at, part] of list.entries()) {
      if (stays[at]) isBehind = true;
      else {
        // A comma goes with each.
        const from = isScript && isBehind ? list[at - 1]?.to : undefined;
        const to = isScript && !isBehind ? list[at + 1]?.from : undefined;
        cuts.push({ from: from ?? part.from, to: to ?? part.to });
        for (const cell of rows[at] ?? []) gone.add(cell);
      }
    }
  }
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
const statesCount = (members: ReadonlySet<Member> | undefined): boolean =>
  [...(members ?? [])].some((member) => classOfMember(member) === 'left');

export interface ReducedWork extends ScrubWork {
  readonly shapes: ReadonlySet<string>;
  /** What the lists hold that are left. */
  readonly left: ReadonlySet<number>;
}

/** Leaves out rows that show nothing new, and lets the pages state what is left. */
export const reduce = async (work: ScrubWork, replay: Replay, leftOut: ReadonlySet<string>): Promise<ReducedWork> => {
  const { recorded, pages, isKept } = work;
  const shapes = new Set<string>();
  const left = new Set<number>();
  const cut = pages.map((page) => reduceText(page, { ...work, leftOut, shapes }));
  const exchanges = pages.map((page, at) => {
    const { exchange, place } = page;
    const reduced = cut[at] ?? null;
    if (reduced === null || exchange.page === 'sign-in') return exchange;
    const lists = cut
      .filter((_, other) => pages[other]?.place === place && pages[other]?.exchange.page === exchange.page)
      .map((each) => (each?.left ?? []).toSorted((a, b) => b.had - a.had)[0] ?? { had: 0, has: 0 });
    const has = lists.reduce((sum, each) => sum + each.has, 0);
    const had = lists.reduce((sum, each) => sum + each.had, 0);
    const next = parseExchange({ ...exchange, text: reduced.text }, isKept);
    return withCells(next, (cell) => {
      if (!isData(cell) || !statesCount(work.learned(place, cell.group))) return null;
      const stated = Number(cell.value) >= had ? has : Math.min(has, Number(cell.value));
      left.add(stated);
      return String(stated);
    });
  });
  const first = await replay(exchanges, recorded.readings, recorded);
  // A page that cannot be read any more without some of its rows stays whole.
  const broken = new Set<RecordedPage>(
    recorded.readings.flatMap(({ page, failure }, at) => (first[at]?.failure === failure ? [] : [page])),
  );
  const kept = exchanges.map((exchange, at) => (broken.has(exchange.page) && recorded.exchanges[at]) || exchange);
  const readings = broken.size === 0 ? first : await replay(kept, recorded.readings, recorded);
  for (const { record } of readings)
    if (isRecord(record) && typeof record.total_count === 'number') left.add(record.total_count);
  return {
    ...work,
    recorded: { ...recorded, exchanges: kept, readings },
    pages: kept.map((exchange) => parseExchange(exchange, isKept)),
    atoms: atomsOf(readings),
    shapes,
    left,
  };
};

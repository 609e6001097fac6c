import { hash } from 'node:crypto';
import { isNewer } from '../reads/decide.ts';
import { vanishedIn } from '../reads/vanished.ts';
import type { Found, Item, Kept, NewsPart, Tale } from './ports.ts';

/** Stored as JSON, with short names: there may be hundreds. */
interface Entry {
  /** Start of the first reading that showed it. */
  readonly a: number;
  /** It was told. */
  t?: 1;
  /** Print of what it says, by source. */
  readonly c: Record<string, number>;
  /** The first reading that did not show it. */
  g?: number;
  k?: Kept;
}

/** What is known under a scope. */
export interface Known {
  /** Start of the last reading, by source. */
  readonly read: Record<string, number>;
  /** By hashes of keys; several where they bear the same one, such as an exam and its resit. */
  readonly items: Record<string, Entry[]>;
}

/** What a part is compared by. */
interface Reading {
  readonly readAt: number;
  /** When the copy was read that was there before; 0: none was. */
  readonly beforeAt: number;
  /** The same part of it, where it may be needed; null: it had none that could be compared. */
  readonly before: readonly Item[] | null;
  readonly now: number;
}

interface Compared {
  readonly known: Known;
  readonly tales: readonly Tale[];
  /** Something waits for a second reading that agrees. */
  readonly inDoubt: boolean;
}

const nameOf = (key: string): string => hash('sha256', key, 'base64url').slice(0, 16);

/** FNV-1a: 32 bits tell a mark from the one before. A digest would take longer than all the rest. */
const printOf = (content: string): number => {
  let print = 0x811c9dc5;
  for (let at = 0; at < content.length; at += 1) print = Math.imul(print ^ content.charCodeAt(at), 0x01000193);
  return print;
};

/** More than any student has; what has more is no list to compare. */
const MOST_ITEMS = 1_000;

const saidByOthers = ({ c }: Entry, source: string, content: number): boolean =>
  Object.entries(c).some(([other, said]) => other !== source && said === content);

/** One reading of a source, compared with `known`, which becomes what is known from now on. */
class Comparison {
  readonly #known: Known;
  readonly #source: string;
  readonly #readAt: number;
  /** When the source was read before; undefined: never, and what it shows is where it begins. */
  readonly #last: number | undefined;
  readonly #seen = new Set<Entry>();
  readonly found: Found<Item> = { added: [], changed: [], gone: [] };

  constructor(known: Known, source: string, readAt: number, last: number | undefined) {
    this.#known = known;
    this.#source = source;
    this.#readAt = readAt;
    this.#last = last;
  }

  take(items: readonly Item[]): void {
    const left: Array<readonly [entries: Entry[], item: Item, content: number]> = [];
    for (const item of items) {
      const name = nameOf(item.key);
      this.#known.items[name] ??= [];
      const entries = this.#known.items[name];
      const content = printOf(item.content);
      const same = entries.find((entry) => !this.#seen.has(entry) && entry.c[this.#source] === content);
      if (same) this.#see(same);
      else left.push([entries, item, content]);
    }
    // Those that say what they said are out of the way: of several of one name, only the others can have changed.
    for (const [entries, item, content] of left) this.#place(entries, item, content);
  }

  #place(entries: Entry[], item: Item, content: number): void {
    const source = this.#source;
    const free = entries.filter((entry) => !this.#seen.has(entry));
    const shown = free.find((entry) => entry.c[source] === undefined && saidByOthers(entry, source, content));
    const own = shown ? undefined : free.find((entry) => entry.c[source] !== undefined);
    const match = shown ?? own ?? free[0];
    if (match === undefined) {
      if (item.onlyIfKnown) return;
      const entry: Entry = { a: this.#readAt, c: { [source]: content } };
      entries.push(entry);
      this.#remember(entry, item);
      this.#publish(entry, item);
      return;
    }
    const isOld = own !== undefined && saidByOthers(match, source, content);
    if (own && !isOld && this.#last !== undefined) this.found.changed.push({ item, before: match.k ?? null });
    match.c[source] = content;
    this.#remember(match, item);
    // Another read has shown it, before this one was last read: that it shows it now as well is no news.
    if (!own && match.a > (this.#last ?? Number.POSITIVE_INFINITY)) this.#publish(match, item);
  }

  /** What is already there at the first reading is not news. */
  #publish(entry: Entry, item: Item): void {
    if (this.#last === undefined || entry.t) return;
    entry.t = 1;
    this.found.added.push(item);
  }

  #remember(entry: Entry, { keep }: Item): void {
    this.#see(entry);
    if (keep) entry.k = keep;
  }

  #see(entry: Entry): void {
    this.#seen.add(entry);
    if (entry.g !== undefined) delete entry.g;
  }

  /** Returns whether something waits for a second reading. */
  leave(vanished: NewsPart['vanished']): boolean {
    if (vanished === 'kept') return false;
    let inDoubt = false;
    for (const [name, entries] of Object.entries(this.#known.items)) {
      const left = entries.filter((entry) => this.#stays(entry, vanished));
      if (left.length === 0) delete this.#known.items[name];
      else this.#known.items[name] = left;
      inDoubt ||= left.some(({ g }) => g !== undefined);
    }
    return inDoubt;
  }

  #stays(entry: Entry, vanished: NewsPart['vanished']): boolean {
    if (this.#seen.has(entry)) return true;
    const { since, agreed } = vanishedIn(entry.g ?? null, this.#readAt);
    entry.g = since;
    if (vanished === 'agreed' && !agreed) return true;
    this.found.gone.push(entry.k ?? {});
    return false;
  }
}

const takeIn = (known: Known, part: NewsPart, items: readonly Item[], readAt: number, last: number | undefined) => {
  const comparison = new Comparison(known, part.source, readAt, last);
  comparison.take(items);
  const inDoubt = comparison.leave(part.vanished);
  known.read[part.source] = readAt;
  return { found: comparison.found, inDoubt };
};

/**
 * The events that a reading makes of what is `known`, by the identity of what it shows. Without anything known, and
 * without a copy that was there before, it is where everything begins and makes none. `known` becomes what is known from
 * now on. Null: the reading is older than what is known, or no list to compare.
 */
export const compare = (
  stored: Known | null,
  part: NewsPart,
  { readAt, beforeAt, before, now }: Reading,
): Compared | null => {
  const { source, items } = part;
  if (items.length > MOST_ITEMS) return null;
  const isFull = stored !== null && Object.keys(stored.items).length > 2 * MOST_ITEMS;
  const known: Known = stored === null || isFull ? { read: {}, items: {} } : stored;
  if (isNewer(known.read[source] ?? 0, readAt, now)) return null;
  if (known.read[source] === undefined && before !== null && beforeAt <= readAt)
    takeIn(known, part, before, beforeAt, undefined);
  const read = known.read[source];
  const last = read === undefined ? undefined : Math.max(read, beforeAt);
  const { found, inDoubt } = takeIn(known, part, items, readAt, last);
  return { known, tales: part.tell(found), inDoubt };
};

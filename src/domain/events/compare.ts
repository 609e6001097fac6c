import { hash } from 'node:crypto';
import { confirmRemoval } from '../reads/confirm-removal.ts';
import { isNewer } from '../reads/decide.ts';
import type { EventDraft, Found, Item, Kept, NewsPart } from './ports.ts';

/** One thing that readings have shown. */
interface Entry {
  /** Start of the first reading that showed it. */
  readonly firstAt: number;
  readonly isTold: boolean;
  /** Fingerprint of what each source last said of it. */
  readonly said: Readonly<Record<string, number>>;
  /** The first of the readings that do not show it any more; null: the last one did. */
  readonly goneSince: number | null;
  readonly keep: Kept | null;
}

/** The entries that are known under a scope. */
export interface Known {
  /** Start of the last reading, by source. */
  readonly read: Readonly<Record<string, number>>;
  /** By hashes of keys; several where they bear the same one, such as an exam and its resit. */
  readonly items: Readonly<Record<string, readonly Entry[]>>;
}

/** An entry as it is stored: with short names, for there may be hundreds, and without what says nothing. */
interface StoredEntry {
  readonly a: number;
  readonly t?: 1;
  readonly c: Readonly<Record<string, number>>;
  readonly g?: number;
  readonly k?: Kept;
}

const fromStored = ({ a, t, c, g, k }: StoredEntry): Entry => ({
  firstAt: a,
  isTold: t === 1,
  said: c,
  goneSince: g ?? null,
  keep: k ?? null,
});

const toStored = ({ firstAt, isTold, said, goneSince, keep }: Entry): StoredEntry => ({
  a: firstAt,
  c: said,
  ...(isTold ? { t: 1 } : {}),
  ...(goneSince === null ? {} : { g: goneSince }),
  ...(keep === null ? {} : { k: keep }),
});

const eachEntry = <A, B>(items: Readonly<Record<string, readonly A[]>>, change: (entry: A) => B) =>
  Object.fromEntries(Object.entries(items).map(([name, entries]) => [name, entries.map(change)]));

export const knownIn = (text: string): Known => {
  const { read, items } = JSON.parse(text);
  return { read, items: eachEntry<StoredEntry, Entry>(items, fromStored) };
};

export const storedKnown = ({ read, items }: Known): string =>
  JSON.stringify({ read, items: eachEntry(items, toStored) });

/** A reading of a part, beside the copy that was there before. */
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
  readonly drafts: readonly EventDraft[];
  /** Something waits for a second reading that agrees. */
  readonly inDoubt: boolean;
}

/** One reading of one source, as each item is compared under it. */
interface Look {
  readonly source: string;
  readonly vanished: NewsPart['vanished'];
  readonly readAt: number;
  /** When the source was read before; null: never, and what it shows is where it begins. */
  readonly lastAt: number | null;
}

const nameOf = (key: string): string => hash('sha256', key, 'base64url').slice(0, 16);

/** FNV-1a: 32 bits tell a mark from the one before. A digest would take longer than all the rest. */
const fingerprintOf = (content: string): number => {
  let print = 0x811c9dc5;
  for (let at = 0; at < content.length; at += 1) print = Math.imul(print ^ content.charCodeAt(at), 0x01000193);
  return print;
};

/** More than any student has; what has more is no list to compare. */
const MOST_ITEMS = 1_000;

const saidByOthers = ({ said }: Entry, source: string, print: number): boolean =>
  Object.entries(said).some(([other, own]) => other !== source && own === print);

/** Compares all items of one key with the entries of that key, each entry once. */
class ItemDifference {
  readonly #look: Look;
  readonly #left: Set<Entry>;
  readonly #next: Entry[] = [];
  readonly found: Found<Item> = { added: [], changed: [], gone: [] };

  constructor(look: Look, entries: readonly Entry[]) {
    this.#look = look;
    this.#left = new Set(entries);
  }

  /** Those that say what they said come first: of several of one name, only the others can have changed. */
  take(items: readonly Item[]): void {
    const { source } = this.#look;
    const others = items.filter((item) => {
      const print = fingerprintOf(item.content);
      const same = [...this.#left].find(({ said }) => said[source] === print);
      if (same !== undefined) this.#stays(same, { goneSince: null });
      return same === undefined;
    });
    for (const item of others) this.#place(item);
  }

  /** Gives the entries that are known from now on. Those that were not shown have vanished, wait for a second reading, or are kept in mind. */
  finish(): readonly Entry[] {
    const { vanished, readAt } = this.#look;
    for (const entry of this.#left) {
      if (vanished === 'kept') this.#next.push(entry);
      else {
        const { since, agreed } = confirmRemoval(entry.goneSince, readAt);
        if (vanished === 'agreed' && !agreed) this.#next.push({ ...entry, goneSince: since });
        else this.found.gone.push(entry.keep ?? {});
      }
    }
    return this.#next;
  }

  #stays(entry: Entry, change: Partial<Entry>): void {
    this.#left.delete(entry);
    this.#next.push({ ...entry, ...change });
  }

  #place(item: Item): void {
    const { source, lastAt } = this.#look;
    const print = fingerprintOf(item.content);
    const left = [...this.#left];
    const shown = left.find((entry) => entry.said[source] === undefined && saidByOthers(entry, source, print));
    const own = shown === undefined ? left.find(({ said }) => said[source] !== undefined) : undefined;
    const match = shown ?? own ?? left[0];
    if (match === undefined) {
      if (item.onlyIfKnown !== true) this.#begin(item, { [source]: print });
      return;
    }
    const isChanged = own !== undefined && !saidByOthers(match, source, print) && lastAt !== null;
    if (isChanged) this.found.changed.push({ item, before: match.keep });
    // Where another read has shown it before this one was last read, that this one shows it as well is no news.
    const isNew = own === undefined && lastAt !== null && match.firstAt > lastAt && !match.isTold;
    if (isNew) this.found.added.push(item);
    this.#stays(match, {
      said: { ...match.said, [source]: print },
      isTold: match.isTold || isNew,
      goneSince: null,
      keep: item.keep ?? match.keep,
    });
  }

  /** Items that are there at the first reading are no news. */
  #begin(item: Item, said: Entry['said']): void {
    const { readAt, lastAt } = this.#look;
    const isNew = lastAt !== null;
    this.#next.push({ firstAt: readAt, isTold: isNew, said, goneSince: null, keep: item.keep ?? null });
    if (isNew) this.found.added.push(item);
  }
}

interface Difference {
  readonly known: Known;
  readonly found: Found<Item>;
}

/** How the items of a reading differ from what is known, item by item, in the order in which the reading shows them. */
const differenceOf = (known: Known, look: Look, items: readonly Item[]): Difference => {
  const shown = Map.groupBy(items, ({ key }) => nameOf(key));
  const names = new Set([...Object.keys(known.items), ...shown.keys()]);
  const found: Found<Item> = { added: [], changed: [], gone: [] };
  const next: Record<string, readonly Entry[]> = {};
  for (const name of names) {
    const difference = new ItemDifference(look, known.items[name] ?? []);
    difference.take(shown.get(name) ?? []);
    const entries = difference.finish();
    if (entries.length > 0) next[name] = entries;
    found.added.push(...difference.found.added);
    found.changed.push(...difference.found.changed);
    found.gone.push(...difference.found.gone);
  }
  const place = new Map(items.map((item, at) => [item, at]));
  const at = (item: Item): number => place.get(item) ?? 0;
  found.added.sort((a, b) => at(a) - at(b));
  found.changed.sort((a, b) => at(a.item) - at(b.item));
  return { known: { read: { ...known.read, [look.source]: look.readAt }, items: next }, found };
};

/**
 * The events that a reading makes of what is `known`, by the identity of what it shows. Pure. Without anything known, and
 * without a copy that was there before, it is where everything begins and makes none. Null: the reading is older than
 * what is known, or no list to compare.
 */
export const compare = (
  stored: Known | null,
  part: NewsPart,
  { readAt, beforeAt, before, now }: Reading,
): Compared | null => {
  const { source, vanished, items } = part;
  if (items.length > MOST_ITEMS) return null;
  const isFull = stored !== null && Object.keys(stored.items).length > 2 * MOST_ITEMS;
  let known: Known = stored === null || isFull ? { read: {}, items: {} } : stored;
  if (isNewer(known.read[source] ?? 0, readAt, now)) return null;
  if (known.read[source] === undefined && before !== null && beforeAt <= readAt)
    ({ known } = differenceOf(known, { source, vanished, readAt: beforeAt, lastAt: null }, before));
  const last = known.read[source];
  const lastAt = last === undefined ? null : Math.max(last, beforeAt);
  const difference = differenceOf(known, { source, vanished, readAt, lastAt }, items);
  const inDoubt =
    vanished !== 'kept' &&
    Object.values(difference.known.items).some((entries) => entries.some(({ goneSince }) => goneSince !== null));
  return { known: difference.known, drafts: part.tell(difference.found), inDoubt };
};

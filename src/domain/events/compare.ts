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

/**
 * One reading of a source, compared with `known`, which becomes what is known from now on.
 * @param last when the source was read before; undefined: never, and what it shows is where it begins
 */
const takeIn = (
  known: Known,
  { source, vanished }: NewsPart,
  items: readonly Item[],
  readAt: number,
  last: number | undefined,
) => {
  const seen = new Set<Entry>();
  const found: Found<Item> = { added: [], changed: [], gone: [] };

  const see = (entry: Entry): void => {
    seen.add(entry);
    delete entry.g;
  };
  const remember = (entry: Entry, { keep }: Item): void => {
    see(entry);
    if (keep) entry.k = keep;
  };
  /** What is already there at the first reading is not news. */
  const publish = (entry: Entry, item: Item): void => {
    if (last === undefined || entry.t) return;
    entry.t = 1;
    found.added.push(item);
  };
  const place = (entries: Entry[], item: Item, content: number): void => {
    const free = entries.filter((entry) => !seen.has(entry));
    const shown = free.find((entry) => entry.c[source] === undefined && saidByOthers(entry, source, content));
    const own = shown ? undefined : free.find((entry) => entry.c[source] !== undefined);
    const match = shown ?? own ?? free[0];
    if (match === undefined) {
      if (item.onlyIfKnown) return;
      const entry: Entry = { a: readAt, c: { [source]: content } };
      entries.push(entry);
      remember(entry, item);
      publish(entry, item);
      return;
    }
    const isOld = own !== undefined && saidByOthers(match, source, content);
    if (own && !isOld && last !== undefined) found.changed.push({ item, before: match.k ?? null });
    match.c[source] = content;
    remember(match, item);
    // Another read has shown it, before this one was last read: that it shows it now as well is no news.
    if (!own && match.a > (last ?? Number.POSITIVE_INFINITY)) publish(match, item);
  };
  const stays = (entry: Entry): boolean => {
    if (seen.has(entry)) return true;
    const { since, agreed } = vanishedIn(entry.g ?? null, readAt);
    entry.g = since;
    if (vanished === 'agreed' && !agreed) return true;
    found.gone.push(entry.k ?? {});
    return false;
  };

  const changed = items.flatMap((item) => {
    const name = nameOf(item.key);
    known.items[name] ??= [];
    const entries = known.items[name];
    const content = printOf(item.content);
    const same = entries.find((entry) => !seen.has(entry) && entry.c[source] === content);
    if (same === undefined) return { entries, item, content };
    see(same);
    return [];
  });
  // Those that say what they said are out of the way: of several of one name, only the others can have changed.
  for (const { entries, item, content } of changed) place(entries, item, content);
  known.read[source] = readAt;
  if (vanished === 'kept') return { found, inDoubt: false };
  for (const [name, entries] of Object.entries(known.items)) {
    const left = entries.filter(stays);
    if (left.length === 0) delete known.items[name];
    else known.items[name] = left;
  }
  const inDoubt = Object.values(known.items).some((entries) => entries.some(({ g }) => g !== undefined));
  return { found, inDoubt };
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

import { hash } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import { campusDate } from '../../lib/time.ts';
import { isNewer } from '../reads/decide.ts';
import { confirmRemoval } from '../reads/listed-in.ts';
import type { CopyToKeep } from '../reads/ports.ts';
import { type RecordOf, stateReader, storedRecord } from '../record.ts';
import type { Item, ItemDifferences, Kept, NewEvent, NewsPart, ReadEvents } from './ports.ts';

interface KnownItem {
  /** Start of the first reading that showed it. */
  readonly firstAt: number;
  readonly isTold: boolean;
  /** Fingerprint of its last content, by source. */
  readonly said: Readonly<Record<string, number>>;
  /** Start of the first reading that did not show it any more; null: the last one showed it. */
  readonly goneSince: number | null;
  readonly keep: Kept | null;
}

export interface KnownItems {
  /** Start of the last reading, by source. */
  readonly read: Readonly<Record<string, number>>;
  /** Keyed by hash of the item's key; several where items share it, such as an exam and its resit. */
  readonly items: Readonly<Record<string, readonly KnownItem[]>>;
}

/** An entry as it is stored: there may be hundreds, so names are short and defaults are left out, as for later members. */
const StoredEntry = Type.Object({
  a: Type.Number(),
  c: Type.Record(Type.String(), Type.Number()),
  t: Type.Optional(Type.Literal(1)),
  g: Type.Optional(Type.Number()),
  k: Type.Optional(Type.Record(Type.String(), Type.String())),
});
type StoredEntry = RecordOf<typeof StoredEntry>;

const storedIn = stateReader(
  storedRecord<'read' | 'items'>()({
    read: Type.Record(Type.String(), Type.Number()),
    items: Type.Record(Type.String(), Type.Array(StoredEntry)),
  }),
);

const fromStored = ({ a, t, c, g, k }: StoredEntry): KnownItem => ({
  firstAt: a,
  isTold: t === 1,
  said: c,
  goneSince: g ?? null,
  keep: k ?? null,
});

const toStored = ({ firstAt, isTold, said, goneSince, keep }: KnownItem): StoredEntry => ({
  a: firstAt,
  c: said,
  ...(isTold ? { t: 1 } : {}),
  ...(goneSince === null ? {} : { g: goneSince }),
  ...(keep === null ? {} : { k: keep }),
});

const eachEntry = <A, B>(items: Readonly<Record<string, readonly A[]>>, change: (entry: A) => B) =>
  Object.fromEntries(Object.entries(items).map(([name, entries]) => [name, entries.map(change)]));

/** Null for a text that does not fit: the next reading is the baseline, and makes no events. */
export const readKnown = (text: string): KnownItems | null => {
  const known = storedIn(text);
  return known && { read: known.read, items: eachEntry<StoredEntry, KnownItem>(known.items, fromStored) };
};

export const storedKnown = ({ read, items }: KnownItems): string =>
  JSON.stringify({ read, items: eachEntry(items, toStored) });

/** A reading that is stored as a copy, and the copy before it in the same shape. */
export interface KeptReading {
  readonly copy: CopyToKeep;
  /** Null: none, or it cannot be opened. */
  readonly before: { readonly text: string; readonly readAt: number } | null;
  /** The value is another than before. */
  readonly changed: boolean;
}

/** One reading, ready to be compared with what is known under each scope. */
export interface ReadNews {
  readonly scopes: readonly string[];
  /** Returns null if the reading is older than what is known, or its list too long. */
  compare(scope: string, stored: KnownItems | null, now: number): Compared | null;
}

interface Compared {
  readonly known: KnownItems;
  readonly events: readonly NewEvent[];
  /** Something waits for a second reading that agrees. */
  readonly inDoubt: boolean;
}

interface SourceReading {
  readonly source: string;
  readonly vanished: NewsPart['vanished'];
  readonly readAt: number;
  /** When the source was read before; null: never, and this reading is the baseline. */
  readonly lastAt: number | null;
}

const nameOf = (key: string): string => hash('sha256', key, 'base64url').slice(0, 16);

/** FNV-1a: 32 bits tell a mark from the one before, and a digest would take longer than everything else here. */
const fingerprintOf = (content: string): number => {
  let fingerprint = 0x811c9dc5;
  for (let at = 0; at < content.length; at += 1)
    fingerprint = Math.imul(fingerprint ^ content.charCodeAt(at), 0x01000193);
  return fingerprint;
};

/** More than any student has; a longer list is not compared. */
const MOST_ITEMS = 1_000;

const isSaidByOthers = ({ said }: KnownItem, source: string, fingerprint: number): boolean =>
  Object.entries(said).some(([other, own]) => other !== source && own === fingerprint);

/** Compares the items of one key with its entries, each entry once. */
class ItemDifference {
  readonly #reading: SourceReading;
  readonly #left: Set<KnownItem>;
  readonly #next: KnownItem[] = [];
  readonly found: ItemDifferences<Item> = { added: [], changed: [], gone: [] };

  constructor(reading: SourceReading, entries: readonly KnownItem[]) {
    this.#reading = reading;
    this.#left = new Set(entries);
  }

  /** Unchanged items come first: of several with one key only the others can have changed. */
  take(items: readonly Item[]): void {
    const { source } = this.#reading;
    const others = items.filter((item) => {
      const fingerprint = fingerprintOf(item.content);
      const same = [...this.#left].find(({ said }) => said[source] === fingerprint);
      if (same !== undefined) this.#keep(same, { goneSince: null });
      return same === undefined;
    });
    for (const item of others) this.#place(item);
  }

  /** Returns the new entries. Those that were not shown have vanished, wait for a second reading, or stay known. */
  finish(): readonly KnownItem[] {
    const { vanished, readAt } = this.#reading;
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

  #keep(entry: KnownItem, change: Partial<KnownItem>): void {
    this.#left.delete(entry);
    this.#next.push({ ...entry, ...change });
  }

  #place(item: Item): void {
    const { source, lastAt } = this.#reading;
    const fingerprint = fingerprintOf(item.content);
    const left = [...this.#left];
    const shown = left.find((entry) => entry.said[source] === undefined && isSaidByOthers(entry, source, fingerprint));
    const own = shown === undefined ? left.find(({ said }) => said[source] !== undefined) : undefined;
    const match = shown ?? own ?? left[0];
    if (match === undefined) {
      if (item.onlyIfKnown !== true) this.#begin(item, { [source]: fingerprint });
      return;
    }
    const isChanged = own !== undefined && !isSaidByOthers(match, source, fingerprint) && lastAt !== null;
    if (isChanged) this.found.changed.push({ item, before: match.keep });
    // No news where another read has shown it before this one was last read.
    const isNew = own === undefined && lastAt !== null && match.firstAt > lastAt && !match.isTold;
    if (isNew) this.found.added.push(item);
    this.#keep(match, {
      said: { ...match.said, [source]: fingerprint },
      isTold: match.isTold || isNew,
      goneSince: null,
      keep: item.keep ?? match.keep,
    });
  }

  /** Items of the first reading are no news. */
  #begin(item: Item, said: KnownItem['said']): void {
    const { readAt, lastAt } = this.#reading;
    const isNew = lastAt !== null;
    this.#next.push({ firstAt: readAt, isTold: isNew, said, goneSince: null, keep: item.keep ?? null });
    if (isNew) this.found.added.push(item);
  }
}

/** Lists the differences in the order of the reading. */
const differenceOf = (known: KnownItems, reading: SourceReading, items: readonly Item[]) => {
  const shown = Map.groupBy(items, ({ key }) => nameOf(key));
  const names = new Set([...Object.keys(known.items), ...shown.keys()]);
  const found: ItemDifferences<Item> = { added: [], changed: [], gone: [] };
  const next: Record<string, readonly KnownItem[]> = {};
  for (const name of names) {
    const difference = new ItemDifference(reading, known.items[name] ?? []);
    difference.take(shown.get(name) ?? []);
    const entries = difference.finish();
    if (entries.length > 0) next[name] = entries;
    found.added.push(...difference.found.added);
    found.changed.push(...difference.found.changed);
    found.gone.push(...difference.found.gone);
  }
  const positions = new Map(items.map((item, at) => [item, at]));
  const at = (item: Item): number => positions.get(item) ?? 0;
  found.added.sort((a, b) => at(a) - at(b));
  found.changed.sort((a, b) => at(a.item) - at(b.item));
  return { known: { read: { ...known.read, [reading.source]: reading.readAt }, items: next }, found };
};

/**
 * Compares a reading with what is known, by the identity of its items. A reading with nothing known and no copy before it
 * is the baseline, and makes no events. `events` belongs to the row of the read. Pure.
 * @throws what parsing a senseless value throws
 */
export const newsOf = (
  events: ReadEvents<never>,
  { copy, before }: Omit<KeptReading, 'changed'>,
  { timeZone, thresholds }: { readonly timeZone: string; readonly thresholds: readonly number[] },
): ReadNews => {
  const { readAt, about = {} } = copy;
  const params: readonly string[] = JSON.parse(copy.params);
  const reading = { params, about, today: campusDate(readAt, timeZone), thresholds };
  // A copy of the row's shape is a value of that row.
  const partsIn = (text: string): readonly NewsPart[] | null => events(JSON.parse(text) as never, reading);
  const parts = new Map(partsIn(copy.text)?.map((part) => [part.scope, part]));
  return {
    scopes: [...parts.keys()],
    compare(scope, stored, now) {
      const part = parts.get(scope);
      if (part === undefined || part.items.length > MOST_ITEMS) return null;
      const { source, vanished, items } = part;
      const isFull = stored !== null && Object.keys(stored.items).length > 2 * MOST_ITEMS;
      let known: KnownItems = stored === null || isFull ? { read: {}, items: {} } : stored;
      if (isNewer(known.read[source] ?? 0, readAt, now)) return null;
      if (before !== null && before.readAt <= readAt && stored?.read[source] === undefined) {
        const earlier = partsIn(before.text);
        // A term that the list did not name was empty.
        const shown = earlier?.find((each) => each.scope === scope)?.items ?? [];
        const baseline = { source, vanished, readAt: before.readAt, lastAt: null };
        if (earlier !== null) ({ known } = differenceOf(known, baseline, shown));
      }
      const last = known.read[source];
      const lastAt = last === undefined ? null : Math.max(last, before?.readAt ?? 0);
      const difference = differenceOf(known, { source, vanished, readAt, lastAt }, items);
      const entries = Object.values(difference.known.items).flat();
      return {
        known: difference.known,
        events: part.tell(difference.found).map((draft) => ({ ...draft, readAt })),
        inDoubt: vanished !== 'kept' && entries.some(({ goneSince }) => goneSince !== null),
      };
    },
  };
};

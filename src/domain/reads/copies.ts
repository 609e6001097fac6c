import { LRUCache } from 'lru-cache';
import { boundSizeAndAge } from '../../lib/text.ts';
import type { Clock } from '../../lib/time.ts';
import type { Log, Student } from '../context.ts';
import { asFailure, isFailure } from '../errors.ts';
import { ageOf, isNewer } from './decide.ts';
import type { Copy, CopyKey, CopyStore, CopyToKeep, FoundCopy } from './ports.ts';
import type { ReadRequest } from './shared-reading.ts';
import { isLaterPage, LONGEST_FRESH_SECONDS, type ReadRow, type TimedValue } from './types.ts';

/** A value, and the copy that is stored of it. */
export interface CacheEntry<V = unknown> extends Copy {
  readonly value: V;
  /** An earlier version has stored it without some members, of which its null tells nothing. */
  readonly isCompleted?: boolean;
}

/** Most characters of JSON that one process caches for all students. */
const MOST_CHARACTERS = 64 * 1024 * 1024;
/** A longer value is stored, and not cached. */
const LONGEST = 1024 * 1024;

interface WaitingCopies {
  readonly student: Student;
  readonly generation: number;
  readonly copies: Map<string, CopyToKeep>;
}

/** Writes copies after the answers, a student's in one transaction. A copy that cannot be written is lost. */
export class CopyWriter {
  readonly #store: Pick<CopyStore, 'keep'>;
  readonly #log: Log;
  readonly #waiting = new Map<string, WaitingCopies>();
  readonly #writing = new Map<string, Promise<void>>();

  constructor(store: Pick<CopyStore, 'keep'>, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  keep(student: Student, generation: number, copy: CopyToKeep): void {
    const key = `${student.userid} ${generation}`;
    const waiting = this.#waiting.get(key) ?? { student, generation, copies: new Map() };
    waiting.copies.set(`${copy.read} ${copy.params}`, copy);
    this.#waiting.set(key, waiting);
    if (!this.#writing.has(key)) this.#writing.set(key, this.#write(key));
  }

  async idle(): Promise<void> {
    while (this.#writing.size > 0) await Promise.all(this.#writing.values());
  }

  async #write(key: string): Promise<void> {
    for (let next = this.#take(key); next !== undefined; next = this.#take(key)) {
      const { userid, tag } = next.student;
      try {
        await this.#store.keep(userid, next.generation, [...next.copies.values()]);
      } catch (error) {
        const { kind, reason, cause } = asFailure(error);
        const defect = kind === 'internal' ? { err: cause } : {};
        this.#log.warn({ student: tag, failure: kind, reason, ...defect }, 'copies not written');
      }
    }
    this.#writing.delete(key);
  }

  #take(key: string): WaitingCopies | undefined {
    const next = this.#waiting.get(key);
    this.#waiting.delete(key);
    return next;
  }
}

/** Only this service seals, so a copy of a shape is a value of that shape. Undefined: of one that is no longer read. */
export const storedValue = <V>(
  { shape, earlierShapes, complete }: Pick<ReadRow<V>, 'shape' | 'earlierShapes' | 'complete'>,
  copy: Pick<FoundCopy, 'shape' | 'text'>,
): V | undefined => {
  const value = JSON.parse(copy.text);
  if (copy.shape === shape) return value;
  const convert = earlierShapes?.[copy.shape];
  return convert === undefined ? complete?.(value) : convert(value as never);
};

/** Longer parameters are no terms, pages or ids. */
const LONGEST_PARAMS = 256;

/** Whether a copy of the value is kept. */
export const isKept = <V>(
  { row, isFreeText, params = [] }: Omit<ReadRequest<V>, 'ask'>,
  name: string,
  value: V,
): boolean => {
  if (isFreeText || name.length > LONGEST_PARAMS || row.isComplete?.(value) === false) return false;
  // There is no end to the numbers of pages that a list does not have.
  return row.pages === undefined || !(isLaterPage(row, params) && row.pages.isEmpty(value));
};

/** An entry is found under the name of its read. */
export const ofRow = <V>(_row: ReadRow<V>, entry: CacheEntry): CacheEntry<V> => entry as CacheEntry<V>;

interface CopiesDeps {
  readonly copies: CopyStore;
  readonly clock: Clock;
  readonly log: Log;
  /** If false, a student's values are only cached in memory. */
  readonly keepsStudents: boolean;
}

interface CopyPlace {
  readonly key: CopyKey;
  /** Name of the cache entry. */
  readonly name: string;
}

/** Values that were read, cached in this process and stored. No student who left hours ago is found in memory. */
export class ReadCopies {
  readonly #deps: CopiesDeps;
  readonly #cache: LRUCache<string, CacheEntry>;
  readonly #writer: CopyWriter;

  constructor(deps: CopiesDeps) {
    this.#deps = deps;
    this.#cache = new LRUCache<string, CacheEntry>({
      ...boundSizeAndAge(MOST_CHARACTERS, LONGEST_FRESH_SECONDS * 1000, deps.clock),
      maxEntrySize: LONGEST,
      sizeCalculation: ({ text }) => text.length,
    });
    this.#writer = new CopyWriter(deps.copies, deps.log);
  }

  readCached<V>(row: ReadRow<V>, name: string): CacheEntry<V> | null {
    const entry = this.#cache.get(name);
    return entry === undefined ? null : ofRow(row, entry);
  }

  /** An older reading never replaces a newer one. */
  cache(name: string, entry: CacheEntry): void {
    const before = this.#cache.peek(name);
    if (before !== undefined && isNewer(before.readAt, entry.readAt, this.#deps.clock.now())) return;
    this.#cache.set(name, entry);
  }

  /** Opens and caches the copy, if it was read after `after`. */
  async load<V>(row: ReadRow<V>, { key, name }: CopyPlace, after?: number): Promise<CacheEntry<V> | null> {
    const stored = await this.#find(key, after);
    if (stored === null) return null;
    const value = storedValue(row, stored);
    if (value === undefined) return null;
    const entry = { ...stored, value, isCompleted: stored.shape !== row.shape };
    this.cache(name, entry);
    return entry;
  }

  /** Opens the stored copy, and does not cache it. */
  async readStored<V>(row: ReadRow<V>, key: CopyKey): Promise<TimedValue<V> | null> {
    const copy = await this.#find(key);
    const value = copy && storedValue(row, copy);
    return copy === null || value === undefined || value === null ? null : { value, readAt: copy.readAt };
  }

  /** The newest values of one read for everybody. Storage is asked about those that are older here than `freshMs`. */
  async several<V>(
    row: ReadRow<V>,
    params: readonly string[],
    freshMs: number,
  ): Promise<ReadonlyMap<string, CacheEntry<V>>> {
    const { name: read, shape } = row;
    const found = new Map<string, CacheEntry<V>>();
    const unsure: string[] = [];
    for (const each of params) {
      const entry = this.readCached(row, `${read} ${each}`);
      if (entry !== null) found.set(each, entry);
      const age = entry && ageOf(entry.readAt, this.#deps.clock.now());
      if (age === null || age >= freshMs) unsure.push(each);
    }
    if (unsure.length === 0) return found;
    for (const [each, readAt] of await this.#deps.copies.timesForAll({ read, shape }, unsure)) {
      if (readAt <= (found.get(each)?.readAt ?? 0)) continue;
      const key = { userid: null, read, params: each, shape };
      const stored = await this.load(row, { key, name: `${read} ${each}` });
      if (stored !== null) found.set(each, stored);
    }
    return found;
  }

  keep(student: Student, generation: number, copy: CopyToKeep): void {
    if (this.#deps.keepsStudents) this.#writer.keep(student, generation, copy);
  }

  /** Resolves once the next caller, on any replica, finds it. */
  async keepForAll(copy: CopyToKeep): Promise<void> {
    try {
      await this.#deps.copies.keepForAll(copy);
    } catch (error) {
      if (!isFailure(error, 'storage-failed')) throw error;
      this.#deps.log.warn({ read: copy.read, failure: error.kind, reason: error.reason }, 'not kept for others');
    }
  }

  sweep(): void {
    this.#cache.purgeStale();
  }

  idle(): Promise<void> {
    return this.#writer.idle();
  }

  async #find(key: CopyKey, after?: number) {
    if (key.userid !== null && !this.#deps.keepsStudents) return null;
    return this.#deps.copies.find(key, after);
  }
}

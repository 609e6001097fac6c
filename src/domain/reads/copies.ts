import type { Clock } from '../../lib/time.ts';
import type { Log, Student } from '../context.ts';
import { asFailure, isFailure } from '../errors.ts';
import { ageOf, isNewer } from './decide.ts';
import type { Copy, CopyKey, CopyStore, CopyToKeep, FoundCopy } from './ports.ts';
import { type Found, LONGEST_FRESH_SECONDS, type ReadRow } from './types.ts';

/** A value as it was read, and how it is stored. */
export interface Held<V = unknown> extends Copy {
  readonly value: V;
}

/** Characters of JSON that one process holds of all students. */
const MOST_CHARACTERS = 64 * 1024 * 1024;
/** Beyond this a value is stored, not held. */
const LONGEST = 1024 * 1024;

interface Entry {
  readonly held: Held;
  readonly putAt: number;
}

/**
 * Values that this process has read or opened lately, for the longest freshness in seconds: no student should be found
 * in memory who left hours ago. The one that was put in first goes first.
 */
export class EntryCache {
  readonly #clock: Clock;
  readonly #holdMs: number;
  readonly #entries = new Map<string, Entry>();
  #characters = 0;

  constructor(clock: Clock, holdMs: number) {
    this.#clock = clock;
    this.#holdMs = holdMs;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): Held | null {
    const entry = this.#entries.get(key);
    if (entry === undefined) return null;
    if (!this.#isOver(entry)) return entry.held;
    this.#drop(key);
    return null;
  }

  /** An older reading never replaces a newer one. */
  put(key: string, held: Held): void {
    this.sweep();
    const entry = this.#entries.get(key);
    if (entry !== undefined && isNewer(entry.held.readAt, held.readAt, this.#clock.now())) return;
    this.#drop(key);
    if (held.text.length > LONGEST) return;
    this.#entries.set(key, { held, putAt: this.#clock.monotonic() });
    this.#characters += held.text.length + key.length;
    for (const first of this.#entries.keys()) {
      if (this.#characters <= MOST_CHARACTERS) break;
      this.#drop(first);
    }
  }

  /** Leaves nothing behind whose time is over. */
  sweep(): void {
    for (const [first, entry] of this.#entries) {
      if (!this.#isOver(entry)) break;
      this.#drop(first);
    }
  }

  #isOver({ putAt }: Entry): boolean {
    return this.#clock.monotonic() - putAt >= this.#holdMs;
  }

  #drop(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#characters -= entry.held.text.length + key.length;
  }
}

interface Waiting {
  readonly student: Student;
  readonly generation: number;
  readonly copies: Map<string, CopyToKeep>;
}

/**
 * Writes copies behind the answers, all that wait for one student at once. A copy that cannot be written is lost: the
 * answer has been given, and the next reading brings another.
 */
export class CopyWriter {
  readonly #store: Pick<CopyStore, 'keep'>;
  readonly #log: Log;
  readonly #waiting = new Map<string, Waiting>();
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

  /** Resolves when nothing waits any more. */
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

  #take(key: string): Waiting | undefined {
    const next = this.#waiting.get(key);
    this.#waiting.delete(key);
    return next;
  }
}

/** Only this service can seal what was stored under a shape, and a changed shape has another number. */
const storedValue = <V>({ shape, former }: ReadRow<V>, copy: FoundCopy): V => {
  const value = JSON.parse(copy.text);
  if (copy.shape === shape) return value;
  const become = former?.[copy.shape];
  if (become === undefined) throw new Error('a copy of a shape that was not asked for');
  return become(value as never);
};

/** A value in memory or on its way is found under the name of its read, and so is one of this read. */
export const ofRow = <V>(_row: ReadRow<V>, held: Held): Held<V> => held as Held<V>;

interface CopiesDeps {
  readonly copies: CopyStore;
  readonly clock: Clock;
  readonly log: Log;
  /** False: what is read of a student is held in memory alone. */
  readonly keepsStudents: boolean;
}

/** Where a value is kept. */
interface Place {
  readonly key: CopyKey;
  /** In memory. */
  readonly name: string;
}

/** Keeps what was read, in the memory of this process and in storage. */
export class ReadCopies {
  readonly #deps: CopiesDeps;
  readonly #memory: EntryCache;
  readonly #keeper: CopyWriter;

  constructor(deps: CopiesDeps) {
    this.#deps = deps;
    this.#memory = new EntryCache(deps.clock, LONGEST_FRESH_SECONDS * 1000);
    this.#keeper = new CopyWriter(deps.copies, deps.log);
  }

  held<V>(row: ReadRow<V>, name: string): Held<V> | null {
    const held = this.#memory.get(name);
    return held && ofRow(row, held);
  }

  hold(name: string, held: Held): void {
    this.#memory.put(name, held);
  }

  /** A stored copy that is not newer than the `own` in memory is neither sent nor unsealed. */
  async newest<V>(row: ReadRow<V>, place: Place, own: Held<V> | null): Promise<Held<V> | null> {
    return (await this.load(row, place, own?.readAt)) ?? own;
  }

  /** Out of storage into memory: what was read after `after`, or at any time. */
  async load<V>(row: ReadRow<V>, { key, name }: Place, after?: number): Promise<Held<V> | null> {
    const stored = await this.#find(row, key, after);
    if (stored === null) return null;
    const opened = { ...stored, value: storedValue(row, stored) };
    this.#memory.put(name, opened);
    return opened;
  }

  /** Out of storage alone. */
  async stored<V>(row: ReadRow<V>, key: CopyKey): Promise<Found<V> | null> {
    const copy = await this.#find(row, key);
    return copy && { value: storedValue(row, copy), readAt: copy.readAt };
  }

  /** Of several values of one read for everybody the newest there are; storage is asked where one is not `freshMs` young. */
  async several<V>(row: ReadRow<V>, params: readonly string[], freshMs: number): Promise<ReadonlyMap<string, Held>> {
    const { name: read, shape } = row;
    const found = new Map<string, Held>();
    const unsure: string[] = [];
    for (const each of params) {
      const held = this.#memory.get(`${read} ${each}`);
      if (held !== null) found.set(each, held);
      const age = held && ageOf(held.readAt, this.#deps.clock.now());
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

  /** Written behind the answer. */
  keep(student: Student, generation: number, copy: CopyToKeep): void {
    if (this.#deps.keepsStudents) this.#keeper.keep(student, generation, copy);
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

  /** Lets go of values in memory that are not fresh any more. */
  sweep(): void {
    this.#memory.sweep();
  }

  /** Resolves when nothing waits to be written. */
  idle(): Promise<void> {
    return this.#keeper.idle();
  }

  #find({ former }: { readonly former?: object | undefined }, key: CopyKey, after?: number): Promise<FoundCopy | null> {
    if (key.userid !== null && !this.#deps.keepsStudents) return Promise.resolve(null);
    return this.#deps.copies.find(former ? { ...key, former: Object.keys(former).map(Number) } : key, after);
  }
}

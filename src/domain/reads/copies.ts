import type { Clock } from '../../lib/clock.ts';
import type { Log, Student } from '../context.ts';
import { isFailure } from '../errors.ts';
import { ageOf } from './decide.ts';
import { CopyKeeper } from './keeper.ts';
import { type Held, ReadMemory } from './memory.ts';
import type { CopyKey, CopyStore, CopyToKeep, FoundCopy } from './ports.ts';
import { type Found, LONGEST_FRESH_SECONDS, type ReadRow } from './types.ts';

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
  readonly #memory: ReadMemory;
  readonly #keeper: CopyKeeper;

  constructor(deps: CopiesDeps) {
    this.#deps = deps;
    this.#memory = new ReadMemory(deps.clock, LONGEST_FRESH_SECONDS * 1000);
    this.#keeper = new CopyKeeper(deps.copies, deps.log);
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

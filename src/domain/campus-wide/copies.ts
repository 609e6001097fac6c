import { LRUCache } from 'lru-cache';
import { boundedFor } from '../../lib/bounded.ts';
import type { Clock } from '../../lib/clock.ts';
import { sha256 } from '../../lib/hash.ts';
import type { Log, Student } from '../context.ts';
import { isFailure } from '../errors.ts';
import { ageOf } from '../reads/decide.ts';
import { keptLimits } from '../reads/kept.ts';
import { type Held, ReadMemory } from '../reads/memory.ts';
import type { CampusWideKey, CampusWideRow, CampusWideStore } from './ports.ts';

const TEN_MINUTES_MS = 600_000;
const MOST_SEEN = 500;

interface Seen {
  readonly userid: string;
  readonly digest: string;
}

/**
 * Whether the campus shows two students the same. Until two readings of a kind within ten
 * minutes are alike, a value is for the student alone who has read it. Once per process.
 */
class SameForAll {
  readonly #log: Log;
  readonly #seen: LRUCache<string, Seen>;
  readonly #verified = new Set<string>();

  constructor(clock: Clock, log: Log) {
    this.#log = log;
    this.#seen = new LRUCache(boundedFor(MOST_SEEN, TEN_MINUTES_MS, clock));
  }

  isProven(read: string): boolean {
    return this.#verified.has(read);
  }

  /** @param shown what both must be shown alike; undefined: a value that says nothing either way */
  note(read: string, params: string, userid: string, shown: unknown): void {
    if (shown === undefined || this.isProven(read)) return;
    const name = `${read} ${params}`;
    const digest = sha256(JSON.stringify(shown));
    const before = this.#seen.get(name);
    this.#seen.set(name, { userid, digest });
    if (before === undefined || before.userid === userid) return;
    if (before.digest === digest) this.#verified.add(read);
    else this.#log.warn({ read }, 'two students were shown different things; each keeps to what was shown to them');
  }
}

const HOUR_MS = 3_600_000;

interface CopiesDeps {
  readonly store: CampusWideStore;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Values in memory and in storage. Until two students were shown the same, a value is in memory alone for its reader: who
 * has read what is in storage is not known.
 */
export class CampusWideCopies {
  readonly #deps: CopiesDeps;
  readonly #memory: ReadMemory;
  readonly #proof: SameForAll;

  constructor(deps: CopiesDeps) {
    this.#deps = deps;
    this.#memory = new ReadMemory(deps.clock, HOUR_MS);
    this.#proof = new SameForAll(deps.clock, deps.log);
  }

  isShared(read: string): boolean {
    return this.#proof.isProven(read);
  }

  /** The newest that this student may be shown, of any age; storage is asked where memory has none that is fresh. */
  async newest(row: CampusWideRow<never>, key: CampusWideKey, student: Student): Promise<Held | null> {
    const held = this.#memory.get(this.#nameOf(key, student));
    const age = held && ageOf(held.readAt, this.#deps.clock.now());
    const isFresh = age !== null && age < row.freshSeconds * 1000;
    if (isFresh || !this.isShared(key.read)) return held;
    return (await this.load(key, age === null ? undefined : held?.readAt)) ?? held;
  }

  /** The same of several values of one read, by their parameters. */
  async all(
    row: CampusWideRow<never>,
    params: readonly string[],
    student: Student,
  ): Promise<ReadonlyMap<string, Held>> {
    const { store, clock } = this.#deps;
    const keyOf = (name: string): CampusWideKey => ({ read: row.name, params: name, shape: row.shape });
    const found = new Map<string, Held>();
    const unsure: string[] = [];
    for (const name of params) {
      const held = this.#memory.get(this.#nameOf(keyOf(name), student));
      if (held !== null) found.set(name, held);
      const age = held && ageOf(held.readAt, clock.now());
      if (age === null || age >= row.freshSeconds * 1000) unsure.push(name);
    }
    if (unsure.length === 0 || !this.isShared(row.name)) return found;
    for (const [name, readAt] of await store.times(keyOf(''), unsure)) {
      if (readAt <= (found.get(name)?.readAt ?? 0)) continue;
      const stored = await this.load(keyOf(name));
      if (stored !== null) found.set(name, stored);
    }
    return found;
  }

  /** Out of storage: what was read after `after`, or at any time. */
  async load(key: CampusWideKey, after?: number): Promise<Held | null> {
    const stored = await this.#deps.store.find(key, after);
    if (stored === null) return null;
    const held: Held = { ...stored, writes: 0, value: JSON.parse(stored.text) };
    this.#memory.put(`${key.read} ${key.params}`, held);
    return held;
  }

  /** What was read for that student. Resolves once the next caller, on any replica, finds it. */
  async keep(key: CampusWideKey, held: Held, student: Student): Promise<void> {
    this.#memory.put(this.#nameOf(key, student), held);
    const { text, readAt } = held;
    if (Buffer.byteLength(text) > keptLimits.bytesOfOne) return;
    try {
      await this.#deps.store.keep(key, { text, readAt });
    } catch (error) {
      if (!isFailure(error, 'storage-failed')) throw error;
      this.#deps.log.warn({ read: key.read, failure: error.kind, reason: error.reason }, 'not kept for others');
    }
  }

  /** That student was shown this. */
  compare<V>(row: CampusWideRow<V>, { params }: CampusWideKey, value: V, { userid }: Student): void {
    this.#proof.note(row.name, params, userid, row.alike(value));
  }

  sweep(): void {
    this.#memory.sweep();
  }

  #nameOf({ read, params }: CampusWideKey, { userid }: Student): string {
    return this.isShared(read) ? `${read} ${params}` : `${read} ${params} ${userid}`;
  }
}

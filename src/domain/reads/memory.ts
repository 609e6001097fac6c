import type { Clock } from '../../lib/clock.ts';
import { isNewer } from './decide.ts';
import type { Copy } from './ports.ts';

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
export class ReadMemory {
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

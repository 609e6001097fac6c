import type { Copy } from './ports.ts';

/** A value as it was read, and how it is stored. */
export interface Held<V = unknown> extends Copy {
  readonly value: V;
}

/** Characters of JSON that one process holds of all students. */
const MOST_CHARACTERS = 64 * 1024 * 1024;
/** Beyond this a value is stored, not held. */
const LONGEST = 1024 * 1024;

/**
 * Values that this process has read or opened lately, for the seconds of their freshness. The one that was put in first
 * goes first.
 */
export class ReadMemory {
  readonly #held = new Map<string, Held>();
  #characters = 0;

  get(key: string): Held | null {
    return this.#held.get(key) ?? null;
  }

  /** An older reading never replaces a newer one. */
  put(key: string, held: Held): void {
    const known = this.#held.get(key);
    if (known !== undefined && known.readAt > held.readAt) return;
    this.#drop(key);
    if (held.text.length > LONGEST) return;
    this.#held.set(key, held);
    this.#characters += held.text.length + key.length;
    for (const first of this.#held.keys()) {
      if (this.#characters <= MOST_CHARACTERS) break;
      this.#drop(first);
    }
  }

  #drop(key: string): void {
    const known = this.#held.get(key);
    if (known === undefined) return;
    this.#held.delete(key);
    this.#characters -= known.text.length + key.length;
  }
}

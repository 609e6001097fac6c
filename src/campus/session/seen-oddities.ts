import type { Oddity } from '../parsing/oddities.ts';

/** More different ones tell an operator nothing new. */
const mostSeen = 1_000;

/** What this process has seen on pages that it did not expect. */
export class SeenOddities {
  readonly #seen = new Set<string>();

  /** True once for each system, page, kind and name. */
  isNew(system: string, page: string, { kind, name }: Pick<Oddity, 'kind' | 'name'>): boolean {
    const key = JSON.stringify([system, page, kind, name]);
    if (this.#seen.has(key) || this.#seen.size >= mostSeen) return false;
    this.#seen.add(key);
    return true;
  }
}

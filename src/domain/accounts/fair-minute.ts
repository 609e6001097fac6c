import { LRUCache } from 'lru-cache';
import { bounded } from '../../lib/bounded.ts';
import type { Clock } from '../../lib/clock.ts';
import { guardNumbers } from './guard/numbers.ts';

const MINUTE = 60_000;

/**
 * G8, for the whole process: while few refusals are told in a minute every network is told its own; beyond, only those
 * above their fair part of that minute are held back, and never one where a login or registration succeeded lately.
 */
export class FairMinute {
  readonly #clock: Clock;
  #since = Number.NEGATIVE_INFINITY;
  #told = 0;
  /** Of this minute; what is under way counts as told. */
  readonly #byNetwork = new Map<string, number>();
  readonly #succeeded = new LRUCache<string, number>(bounded(20_000));

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds for which this network is to wait; 0: it may go on. */
  wait(network: string): number {
    const now = this.#begin();
    const { processMost, fairLeast, succeededMs } = guardNumbers.address;
    if (this.#told < processMost) return 0;
    const part = Math.max(fairLeast, Math.floor(processMost / Math.max(1, this.#byNetwork.size)));
    if ((this.#byNetwork.get(network) ?? 0) < part) return 0;
    if ((this.#succeeded.get(network) ?? Number.NEGATIVE_INFINITY) > now - succeededMs) return 0;
    return this.#since + MINUTE - now;
  }

  /** Counts an attempt of this network; what is returned takes it back, when nothing was told. */
  count(network: string): () => void {
    this.#begin();
    const minute = this.#since;
    this.#add(network, 1);
    return () => {
      if (this.#since === minute) this.#add(network, -1);
    };
  }

  succeeded(network: string): void {
    this.#succeeded.set(network, this.#clock.now());
  }

  #add(network: string, one: 1 | -1): void {
    this.#told += one;
    const count = (this.#byNetwork.get(network) ?? 0) + one;
    if (count > 0) this.#byNetwork.set(network, count);
    else this.#byNetwork.delete(network);
  }

  #begin(): number {
    const now = this.#clock.now();
    // Also where the clock was set back.
    if (now >= this.#since + MINUTE || now < this.#since) {
      this.#since = now;
      this.#told = 0;
      this.#byNetwork.clear();
    }
    return now;
  }
}

import { LRUCache } from 'lru-cache';
import { bounded } from '../../lib/bounded.ts';
import type { Clock } from '../../lib/clock.ts';
import { Failure } from '../errors.ts';

const uploadsPerWindow = 20;
const windowMs = 3_600_000;
const studentsKept = 20_000;

/** Counts the uploads of each student in the memory of this process; the student not seen for longest is forgotten. */
export class UploadRate {
  readonly #clock: Clock;
  readonly #uploads = new LRUCache<string, readonly number[]>(bounded(studentsKept));

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Counts one upload, whatever becomes of it.
   * @throws Failure `rate-limited` {retryAfterSeconds} after 20 within an hour; that one is not counted
   */
  admit(userid: string): void {
    const now = this.#clock.now();
    const recent = (this.#uploads.get(userid) ?? []).filter((at) => at > now - windowMs);
    const [oldest] = recent;
    if (oldest !== undefined && recent.length >= uploadsPerWindow) {
      throw new Failure('rate-limited', { retryAfterSeconds: Math.ceil((oldest + windowMs - now) / 1_000) });
    }
    this.#uploads.set(userid, [...recent, now]);
  }
}

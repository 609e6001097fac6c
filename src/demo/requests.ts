import type { DemoRequest } from './types.ts';

const LIMIT = 200_000;
/** Old entries are removed in slices, so that a full log does not shift its whole array on every request. */
const SLICE = 20_000;

/** The campus's own log of requests, from which tests read what an operation costs. */
export class RequestLog {
  #entries: DemoRequest[] = [];

  add(request: DemoRequest): void {
    if (this.#entries.length >= LIMIT) this.#entries = this.#entries.slice(SLICE);
    this.#entries.push(Object.freeze({ ...request }));
  }

  list(filter: Partial<DemoRequest> = {}): readonly DemoRequest[] {
    return this.#entries.filter(
      (entry) =>
        (filter.system === undefined || entry.system === filter.system) &&
        (filter.method === undefined || entry.method === filter.method) &&
        (filter.path === undefined || entry.path === filter.path) &&
        (filter.userid === undefined || entry.userid === filter.userid),
    );
  }

  reset(): void {
    this.#entries = [];
  }
}

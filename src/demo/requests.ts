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
    const names = (['system', 'method', 'path', 'userid'] as const).filter((name) => filter[name] !== undefined);
    return this.#entries.filter((entry) => names.every((name) => entry[name] === filter[name]));
  }

  reset(): void {
    this.#entries = [];
  }
}

import type { ManualClock } from './manual-clock.ts';

/** More turns of the event loop than a request to the campus takes: only what waits for time notices that it moves. */
const TURNS = 200;
const STEP_MS = 500;

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * A clock that moves while calls are under way, and only then: what waits for an answer that never comes, or pauses
 * before it asks again, has waited in a few thousandths of a second.
 */
export class MovingTime {
  readonly #clock: ManualClock;
  #open = 0;

  constructor(clock: ManualClock) {
    this.#clock = clock;
  }

  async during<T>(work: Promise<T>): Promise<T> {
    this.#open += 1;
    if (this.#open === 1) void this.#move();
    try {
      return await work;
    } finally {
      this.#open -= 1;
    }
  }

  async #move(): Promise<void> {
    for (let turns = 1; this.#open > 0; turns += 1) {
      await turn();
      if (turns % TURNS === 0) this.#clock.advance(STEP_MS);
    }
  }
}

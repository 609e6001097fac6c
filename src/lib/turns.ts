/**
 * One piece of work begins per turn of the event loop, in order of arrival. What takes a good part of a millisecond
 * then never holds up all other calls, however many send it at once.
 */
export class Turns {
  readonly #waiting: Array<() => void> = [];

  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === 1) this.#schedule();
    });
  }

  #schedule(): void {
    setImmediate(() => {
      const begin = this.#waiting.shift();
      if (this.#waiting.length > 0) this.#schedule();
      begin?.();
    });
  }
}

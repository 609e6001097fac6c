import type { DestinationStream } from 'pino';

/** Beyond this nothing waits. */
const MOST = 65_536;
/** Between two writes, where lines come fast. */
const PAUSE_MS = 10;

/**
 * Writes the lines of one turn of the event loop together, and where turn follows turn, those of 10 ms: a write takes two
 * threads and a system call, which is more than all else about a line. Whoever ends the process calls `flush` first.
 */
export class TurnLines implements DestinationStream {
  readonly #out: DestinationStream;
  #lines = '';
  #writtenAt = Number.NEGATIVE_INFINITY;

  constructor(out: DestinationStream) {
    this.#out = out;
  }

  write(line: string): void {
    if (this.#lines === '') this.#flushLater();
    this.#lines += line;
    if (this.#lines.length > MOST) this.flush();
  }

  flush(): void {
    const lines = this.#lines;
    this.#lines = '';
    if (lines === '') return;
    this.#writtenAt = performance.now();
    this.#out.write(lines);
  }

  #flushLater(): void {
    const wait = this.#writtenAt + PAUSE_MS - performance.now();
    if (wait > 0) setTimeout(() => this.flush(), wait);
    else setImmediate(() => this.flush());
  }
}

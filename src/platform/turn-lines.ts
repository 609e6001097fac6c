import type { DestinationStream } from 'pino';

/** Beyond this nothing waits for the end of the turn. */
const MOST = 65_536;

/**
 * Writes the lines of one turn of the event loop together: a line costs a system call, and that is more than all else
 * about it. Whoever ends the process calls `flush` first.
 */
export class TurnLines implements DestinationStream {
  readonly #out: DestinationStream;
  #lines = '';

  constructor(out: DestinationStream) {
    this.#out = out;
  }

  write(line: string): void {
    if (this.#lines === '') setImmediate(() => this.flush());
    this.#lines += line;
    if (this.#lines.length > MOST) this.flush();
  }

  flush(): void {
    const lines = this.#lines;
    this.#lines = '';
    if (lines !== '') this.#out.write(lines);
  }
}

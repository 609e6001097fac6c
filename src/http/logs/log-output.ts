import { write, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

/** A write costs more than everything else about a line, so lines are written together. */
const BATCH_CHARACTERS = 16_384;
const FLUSH_MS = 50;
/** A disk that is slower than the service loses lines, not memory. */
const MOST_WAITING = 4_194_304;
const NEWLINE = 0x0a;

const linesIn = (text: string): number => text.split('\n').length - 1;

const isPipeBusy = (error: NodeJS.ErrnoException): boolean => error.code === 'EAGAIN' || error.code === 'EBUSY';

interface Batch {
  readonly bytes: Buffer;
  /** Where its first line begins: behind the end of one that was cut. */
  readonly begins: number;
}

/**
 * Writes log lines in batches. Lines that cannot be written, as on a full disk, are dropped and counted: neither the
 * service nor its end waits for them. (The destination of the library repeats such a write for ever, synchronously once a
 * line is fatal.)
 */
export class LogOutput implements DestinationStream {
  readonly #fd: number;
  #waiting = '';
  #isWriting = false;
  #timer: NodeJS.Timeout | undefined;
  #dropped = 0;
  #untold = 0;
  /** The last line was written in part. */
  #isCut = false;
  #whenIdle: Array<() => void> = [];
  /** Told once lines can be written again after some were dropped. */
  onDropped: (lines: number) => void = () => {};

  constructor(fd: number) {
    this.#fd = fd;
  }

  /** Lines that were dropped so far. */
  get dropped(): number {
    return this.#dropped;
  }

  write(line: string): void {
    if (this.#waiting.length + line.length > MOST_WAITING) {
      this.#drop(1);
      return;
    }
    this.#waiting += line;
    if (this.#waiting.length >= BATCH_CHARACTERS) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), FLUSH_MS);
  }

  /** Begins to write what waits. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#isWriting) return;
    if (this.#waiting === '') {
      for (const resolve of this.#whenIdle.splice(0)) resolve();
      return;
    }
    this.#isWriting = true;
    this.#send(this.#take(), 0);
  }

  /** Resolves once all lines are written or dropped, at the latest after `ms`. */
  async end(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    this.#whenIdle.push(resolve);
    this.flush();
    await promise;
    clearTimeout(timer);
  }

  /** One try at what waits, for the end of a process. A write under way may never end, so none is made behind it. */
  writeRest(): void {
    if (this.#isWriting || this.#waiting === '') return;
    try {
      writeSync(this.#fd, this.#take().bytes);
    } catch {
      // There is no one left to tell.
    }
  }

  #take(): Batch {
    const begins = this.#isCut ? 1 : 0;
    const bytes = Buffer.from('\n'.repeat(begins) + this.#waiting);
    this.#waiting = '';
    return { bytes, begins };
  }

  #send(batch: Batch, from: number): void {
    const { bytes } = batch;
    write(this.#fd, bytes, from, bytes.length - from, null, (error, written) => {
      if (error !== null && isPipeBusy(error)) {
        setTimeout(() => this.#send(batch, from), FLUSH_MS);
        return;
      }
      const at = from + (error === null ? written : 0);
      if (error === null && at < bytes.length) return this.#send(batch, at);
      if (from > 0 || error === null) this.#isCut = bytes[at - 1] !== NEWLINE;
      if (error === null) this.#tell();
      else this.#drop(linesIn(bytes.toString('utf8', Math.max(from, batch.begins))));
      this.#isWriting = false;
      this.flush();
    });
  }

  #drop(lines: number): void {
    this.#dropped += lines;
    this.#untold += lines;
  }

  #tell(): void {
    const lines = this.#untold;
    this.#untold = 0;
    if (lines > 0) this.onDropped(lines);
  }
}

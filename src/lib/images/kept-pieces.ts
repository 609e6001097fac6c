/** Whether the bytes of the Latin-1 text `name` stand there. */
export const hasName = (bytes: Buffer, at: number, name: string): boolean =>
  bytes.toString('latin1', at, at + name.length) === name;

/** Names of four letters as the numbers that stand in a file, big-endian. */
export const codesOf = (names: string): ReadonlySet<number> =>
  new Set(names.split('|').map((name) => Buffer.from(name, 'latin1').readUInt32BE()));

/** A file with more gaps costs more memory than its own size, and no camera or painting program makes one. */
const mostPieces = 20_000;

/** The kept parts of a file in order: ranges of it, of which neighbours are one piece, and pieces that were rewritten. */
export class KeptPieces {
  readonly #file: Buffer;
  readonly #pieces: Uint8Array[] = [];
  /** The range that may still grow. */
  #from = 0;
  #to = 0;
  #size = 0;

  constructor(file: Buffer) {
    this.#file = file;
  }

  /** In bytes. */
  get size(): number {
    return this.#size;
  }

  /** Adds a range; false once there are too many pieces. */
  keep(from: number, to: number): boolean {
    if (from !== this.#to) {
      this.#close();
      this.#from = from;
    }
    this.#to = to;
    this.#size += to - from;
    return this.#pieces.length < mostPieces;
  }

  write(piece: Uint8Array): boolean {
    this.#close();
    this.#pieces.push(piece);
    this.#size += piece.length;
    return this.#pieces.length < mostPieces;
  }

  all(): readonly Uint8Array[] {
    this.#close();
    return this.#pieces;
  }

  #close(): void {
    if (this.#from < this.#to) this.#pieces.push(this.#file.subarray(this.#from, this.#to));
    this.#from = 0;
    this.#to = 0;
  }
}

export interface Segment {
  readonly end: number;
  /** `all` of it is kept, or `none`, or this is written in its place. */
  readonly kept: 'all' | 'none' | Uint8Array;
  /** Nothing behind it belongs to the picture. */
  readonly isLast?: boolean;
}

/**
 * Walks from segment to segment and keeps what each says, until one is the last or `to` is reached. False: one cannot
 * be read or leads beyond `to`, or there are too many pieces.
 */
export const keepSegments = (
  kept: KeptPieces,
  from: number,
  to: number,
  segmentAt: (at: number) => Segment | null,
): boolean => {
  for (let at = from; at < to; ) {
    const segment = segmentAt(at);
    if (segment === null || segment.end > to) return false;
    const isKept =
      segment.kept === 'none' || (segment.kept === 'all' ? kept.keep(at, segment.end) : kept.write(segment.kept));
    if (!isKept) return false;
    if (segment.isLast === true) return true;
    at = segment.end;
  }
  return true;
};

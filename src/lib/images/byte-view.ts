/** Reads numbers and names at places of a file that may end anywhere: what lies beyond its end is `null`. */
export class ByteView {
  readonly bytes: Uint8Array;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get length(): number {
    return this.bytes.length;
  }

  #has(at: number, size: number): boolean {
    return at >= 0 && at + size <= this.bytes.length;
  }

  u8(at: number): number | null {
    return this.#has(at, 1) ? this.#view.getUint8(at) : null;
  }

  u16(at: number, littleEndian = false): number | null {
    return this.#has(at, 2) ? this.#view.getUint16(at, littleEndian) : null;
  }

  /** Three bytes, the lowest first. */
  u24le(at: number): number | null {
    return this.#has(at, 3) ? this.#view.getUint16(at, true) + this.#view.getUint8(at + 2) * 0x1_0000 : null;
  }

  u32(at: number, littleEndian = false): number | null {
    return this.#has(at, 4) ? this.#view.getUint32(at, littleEndian) : null;
  }

  /** Whether the Latin-1 text `name` stands there; names of chunks and segments are ASCII. */
  hasName(at: number, name: string): boolean {
    if (!this.#has(at, name.length)) return false;
    for (let index = 0; index < name.length; index += 1) {
      if (this.bytes[at + index] !== name.charCodeAt(index)) return false;
    }
    return true;
  }

  slice(from: number, to: number): Uint8Array {
    return this.bytes.subarray(from, to);
  }
}

/** Names of four letters as the numbers that stand in a file, big-endian. */
export const codesOf = (names: string): ReadonlySet<number> =>
  new Set(names.split('|').map((name) => Buffer.from(name, 'latin1').readUInt32BE()));

/** No camera or painting program leaves so many gaps; a file made of them costs more memory than its own size. */
const mostPieces = 20_000;

/** The kept parts of a file in order: ranges of it, of which neighbours are one piece, and pieces that were rewritten. */
export class KeptPieces {
  readonly #file: Uint8Array;
  readonly #pieces: Uint8Array[] = [];
  /** The range that may still grow. */
  #from = 0;
  #to = 0;
  #size = 0;

  constructor(file: Uint8Array) {
    this.#file = file;
  }

  /** Bytes in all. */
  get size(): number {
    return this.#size;
  }

  /** Both add a piece, and say false once there are too many. */
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

/** Decides about the bytes of a file from one place on. */
export interface Segment {
  readonly end: number;
  /** `all` of it is kept, or `none`, or this is written in its place. */
  readonly kept: 'all' | 'none' | Uint8Array;
  /** Nothing behind it belongs to the picture. */
  readonly isLast?: boolean;
}

/**
 * Walks through the segments of a file until one is the last, or `to` is reached, and keeps what each says.
 * False: one of them cannot be read or leads beyond `to`, or there are too many pieces.
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

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

  /** `size` bytes as Latin-1 text; names of chunks and segments are ASCII. */
  name(at: number, size: number): string | null {
    return this.#has(at, size) ? String.fromCharCode(...this.bytes.subarray(at, at + size)) : null;
  }

  slice(from: number, to: number): Uint8Array {
    return this.bytes.subarray(from, to);
  }
}

/** Joins pieces of a file in order. */
export const joined = (pieces: readonly Uint8Array[]): Uint8Array => {
  const total = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const result = new Uint8Array(total);
  let at = 0;
  for (const piece of pieces) {
    result.set(piece, at);
    at += piece.length;
  }
  return result;
};

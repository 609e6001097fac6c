/** Texts back to bytes, in the charsets of campuses: the platform only encodes UTF-8. */

/** Those in which a body is recorded, as decoders call them. */
export const charsets = ['utf-8', 'gb18030', 'utf-16le', 'utf-16be'] as const;

const from = (first: number, last: number): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at);

/** Every sequence of GB18030 that may be a character of the first plane, but for the end of a line. */
const sequences = (): readonly (readonly number[])[] => [
  ...from(0, 255).flatMap((byte) => (byte === 0x0a ? [] : [[byte]])),
  ...from(0x81, 0xfe).flatMap((first) => from(0x40, 0xfe).map((second) => [first, second])),
  ...from(0x81, 0x84).flatMap((first) =>
    from(0x30, 0x39).flatMap((second) =>
      from(0x81, 0xfe).flatMap((third) => from(0x30, 0x39).map((last) => [first, second, third, last])),
    ),
  ),
];

const made: { table?: ReadonlyMap<string, Uint8Array> } = {};

const tableOf = (): ReadonlyMap<string, Uint8Array> => {
  if (made.table !== undefined) return made.table;
  const all = sequences();
  // Decoded at once: a decoder that throws for each of them takes ten seconds.
  const lines = Uint8Array.from(all.flatMap((bytes) => [...bytes, 0x0a]));
  const texts = new TextDecoder('gb18030').decode(lines).split('\n');
  const table = new Map([['\n', Uint8Array.of(0x0a)]]);
  for (const [at, bytes] of all.entries()) {
    const text = texts[at] ?? '';
    if ([...text].length === 1 && text !== '\uFFFD' && !table.has(text)) table.set(text, Uint8Array.from(bytes));
  }
  made.table = table;
  return table;
};

/** GB18030 beyond the first plane counts through. */
const encodeBeyondBmp = (sign: string): Uint8Array | undefined => {
  const at = (sign.codePointAt(0) ?? 0) - 0x10000;
  if (at < 0) return undefined;
  const digits = [0x90 + Math.floor(at / 12_600), 0x30 + (Math.floor(at / 1_260) % 10)];
  return Uint8Array.of(...digits, 0x81 + (Math.floor(at / 10) % 126), 0x30 + (at % 10));
};

/** Null for a character that the charset lacks, and for every other charset: a body in it is not recorded. */
export const encodeText = (text: string, charset: string): Uint8Array | null => {
  if (charset === 'utf-8') return Buffer.from(text);
  if (charset === 'utf-16le') return Buffer.from(text, 'utf16le');
  if (charset === 'utf-16be') return Buffer.from(text, 'utf16le').swap16();
  if (charset !== 'gb18030') return null;
  const table = tableOf();
  const parts = Array.from(text, (sign) => table.get(sign) ?? encodeBeyondBmp(sign));
  return parts.every((part) => part !== undefined) ? Buffer.concat(parts) : null;
};

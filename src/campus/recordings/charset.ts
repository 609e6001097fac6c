/** Texts back to bytes, in the charsets that decoders know: the platform only encodes UTF-8. */

const tables = new Map<string, ReadonlyMap<string, Uint8Array>>();

const from = (first: number, last: number): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at);

/** Every sequence of a legacy charset; of GB18030 those of four bytes too, as far as they are in the first plane. */
const sequencesOf = (charset: string): readonly (readonly number[])[] => [
  ...from(0, 255).map((byte) => [byte]),
  ...from(0x81, 0xfe).flatMap((first) => from(0x40, 0xfe).map((second) => [first, second])),
  ...(charset === 'gb18030'
    ? from(0x81, 0x84).flatMap((first) =>
        from(0x30, 0x39).flatMap((second) =>
          from(0x81, 0xfe).flatMap((third) => from(0x30, 0x39).map((last) => [first, second, third, last])),
        ),
      )
    : []),
];

const tableOf = (charset: string): ReadonlyMap<string, Uint8Array> => {
  const known = tables.get(charset);
  if (known !== undefined) return known;
  const sequences = sequencesOf(charset).filter(([first]) => first !== 0x0a);
  // Decoded at once: a decoder that throws for each of them takes ten seconds.
  const texts = new TextDecoder(charset)
    .decode(Uint8Array.from(sequences.flatMap((bytes) => [...bytes, 0x0a])))
    .split('\n');
  const table = new Map([['\n', Uint8Array.of(0x0a)]]);
  for (const [at, bytes] of sequences.entries()) {
    const text = texts[at] ?? '';
    if ([...text].length === 1 && text !== '\uFFFD' && !table.has(text)) table.set(text, Uint8Array.from(bytes));
  }
  tables.set(charset, table);
  return table;
};

/** GB18030 beyond the first plane counts through. */
const beyond = (sign: string): Uint8Array | undefined => {
  const at = (sign.codePointAt(0) ?? 0) - 0x10000;
  if (at < 0) return undefined;
  const digits = [0x90 + Math.floor(at / 12_600), 0x30 + (Math.floor(at / 1_260) % 10)];
  return Uint8Array.of(...digits, 0x81 + (Math.floor(at / 10) % 126), 0x30 + (at % 10));
};

/** Null where a character is none of the charset. */
export const encodeText = (text: string, charset: string): Uint8Array | null => {
  if (charset === 'utf-8') return Buffer.from(text);
  if (charset === 'utf-16le') return Buffer.from(text, 'utf16le');
  if (charset === 'utf-16be') return Buffer.from(text, 'utf16le').swap16();
  const name = charset === 'gbk' ? 'gb18030' : charset;
  const table = tableOf(name);
  const parts: Uint8Array[] = [];
  for (const sign of text) {
    const bytes = table.get(sign) ?? (name === 'gb18030' ? beyond(sign) : undefined);
    if (bytes === undefined) return null;
    parts.push(bytes);
  }
  return Buffer.concat(parts);
};

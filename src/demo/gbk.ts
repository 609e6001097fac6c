/** The two-byte codes of GBK by character, read from the platform's decoder: it has no encoder. */
const gbkCodes = (): ReadonlyMap<string, readonly [number, number]> => {
  const decoder = new TextDecoder('gbk');
  const codes = new Map<string, readonly [number, number]>();
  for (let lead = 0x81; lead <= 0xfe; lead += 1) {
    for (let trail = 0x40; trail <= 0xfe; trail += 1) {
      if (trail === 0x7f) continue;
      const character = decoder.decode(Uint8Array.of(lead, trail));
      if ([...character].length === 1 && character !== '\uFFFD') codes.set(character, [lead, trail]);
    }
  }
  return codes;
};

let known: ReturnType<typeof gbkCodes> | undefined;

export const encodeGbk = (text: string): Buffer => {
  // Twenty-four thousand characters: read once, and only when needed.
  known ??= gbkCodes();
  const codes = known;
  const bytes = [...text].flatMap((character): readonly number[] => {
    const code = character.codePointAt(0) ?? 0;
    return code < 0x80 ? [code] : (codes.get(character) ?? [0x3f]);
  });
  return Buffer.from(bytes);
};

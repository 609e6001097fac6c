import type { DemoReply } from './exchange.ts';

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

const encodeGbk = (text: string): Buffer => {
  // Twenty-four thousand characters: read once, and only when needed.
  known ??= gbkCodes();
  const codes = known;
  const bytes = [...text].flatMap((character): readonly number[] => {
    const code = character.codePointAt(0) ?? 0;
    return code < 0x80 ? [code] : (codes.get(character) ?? [0x3f]);
  });
  return Buffer.from(bytes);
};

const textOf = (answer: DemoReply): string => answer.body.toString();

const typeOf = (answer: DemoReply): string => String(answer.headers['Content-Type'] ?? '');

const brokenText = (text: string): string => {
  const first = text.trimStart()[0];
  if (first === '{' || first === '[') return `${text.trimEnd().slice(0, -1)},`;
  if (text.startsWith('<?xml')) return text.replaceAll('</', '<');
  return text
    .replace(/\b(id|name|value|class|method)=/g, '$1-x=')
    .replace(/(<script\b[^>]*>)([\s\S]*?)(<\/script>)/g, (_all, open: string, code: string, close: string) => {
      return `${open}${code.replaceAll('/', '\\').replaceAll('var ', 'let ')}${close}`;
    });
};

/** The real answer with its structure broken: JSON that does not parse, unexpected tags and attributes. */
export const malform = (answer: DemoReply): DemoReply =>
  answer.headers.Location === undefined
    ? { ...answer, body: brokenText(textOf(answer)) }
    : { ...answer, headers: { ...answer.headers, Location: 'http://[broken/' } };

export const truncate = (answer: DemoReply): DemoReply => {
  const bytes = Buffer.from(answer.body);
  return { ...answer, body: bytes.subarray(0, Math.floor(bytes.length / 2)) };
};

export const inGbk = (answer: DemoReply): DemoReply => ({
  ...answer,
  headers: { ...answer.headers, 'Content-Type': typeOf(answer).replace(/UTF-8/i, 'GBK') },
  body: encodeGbk(
    textOf(answer)
      .replace(/(<meta charset=")UTF-8(")/i, '$1GBK$2')
      .replace(/(encoding=")utf-8(")/i, '$1GBK$2'),
  ),
});

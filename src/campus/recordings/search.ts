import { createHash } from 'node:crypto';
import { leavesOf } from './cells.ts';
import { encodeText } from './charset.ts';
import { docOf } from './doc.ts';
import type { Exchange, Landed, RecordedPage, RecordedReading } from './recording.ts';

/** Long enough that it stands nowhere by accident. */
const tells = (text: string): boolean => /\p{Script=Han}{3}|[A-Za-z]{5}|\d{5}/u.test(text.normalize('NFKC'));

const each = (text: string, write: (code: number) => string): string =>
  Array.from({ length: text.length }, (_, at) => write(text.charCodeAt(at))).join('');

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');

/** Percent-encoded: every byte, and only those that need it. */
const inPercents = (bytes: Uint8Array): readonly string[] => {
  const all = [...bytes].map((byte) => `%${hex(byte, 2)}`);
  return [all, all.map((written, at) => ((bytes[at] ?? 0) < 128 ? String.fromCharCode(bytes[at] ?? 0) : written))].map(
    (parts) => parts.join(''),
  );
};

/** The part of a Base64 text that is the same whatever stands around, in each of the three alignments. */
const inBase64 = (bytes: Buffer): readonly string[] =>
  [0, 1, 2].flatMap((offset) => {
    const first = Math.ceil((offset * 8) / 6);
    const last = Math.floor(((offset + bytes.length) * 8) / 6);
    const core = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .slice(first, last);
    return core.length < 6 ? [] : [core];
  });

/** Everything a text may have become on its way into a page; in lower case, but for Base64. */
const writingsOf = (text: string): { readonly anyCase: readonly string[]; readonly exact: readonly string[] } => {
  const plain = [text, text.toUpperCase(), text.toLowerCase()];
  const usual = text.normalize('NFKC');
  const utf8 = Buffer.from(text);
  const gbk = Buffer.from(encodeText(text, 'gb18030') ?? []);
  const percents = [utf8, gbk].flatMap(inPercents);
  const escapes = [
    each(text, (code) => `\\u${hex(code, 4)}`),
    each(text, (code) => (code < 128 ? String.fromCharCode(code) : `\\u${hex(code, 4)}`)),
  ];
  const entities = [
    Array.from(text, (sign) => `&#${sign.codePointAt(0)};`).join(''),
    Array.from(text, (sign) => `&#x${sign.codePointAt(0)?.toString(16)};`).join(''),
  ];
  const hashes = plain.flatMap((one) =>
    ['md5', 'sha1', 'sha256'].map((name) => createHash(name).update(one).digest('hex')),
  );
  const once = [...percents, ...escapes, ...escapes.map((one) => one.replaceAll('\\', '%')), ...entities];
  const reversed = [...usual].toReversed().join('');
  const anyCase = [usual, reversed, ...once, ...hashes, utf8.toString('hex'), gbk.toString('hex')];
  return {
    anyCase: [...new Set(anyCase.filter((one) => one !== '').map((one) => one.toLowerCase()))],
    exact: plain.flatMap((one) => inBase64(Buffer.from(one))),
  };
};

/** A number inside a longer one is another number. */
const isWhole = (text: string, at: number, one: string): boolean =>
  !/^\d+$/.test(one) || !(/\d/.test(text[at - 1] ?? '') || /\d/.test(text[at + one.length] ?? ''));

/** In usual characters, as digits of full width are not, and as if it had been escaped once where it was several times. */
const unescapeRepeats = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\\{2,}/g, '\\')
    .replace(/%(?:25)+/g, '%')
    .replace(/&(?:amp;)+/g, '&');

/** Three characters of Han are the shortest text that is looked for. */
const KEY = 3;

/** Looks for many texts at once, by how they begin. */
class Needles {
  readonly #byStart = new Map<string, string[]>();

  add(text: string): void {
    const key = text.slice(0, KEY);
    const known = this.#byStart.get(key);
    if (known === undefined) this.#byStart.set(key, [text]);
    else known.push(text);
  }

  isIn(text: string): boolean {
    for (let at = 0; at + KEY <= text.length; at += 1) {
      const found = this.#byStart.get(text.slice(at, at + KEY));
      if (found?.some((one) => text.startsWith(one, at) && isWhole(text, at, one))) return true;
    }
    return false;
  }
}

/** Numbers and addresses of persons, whoever they are: nothing of ours looks like them. */
const personal =
  /(?<![\d.-])1[3-9]\d{9}(?!\d)|(?<![\d-])(?![01]+(?!\d))\d{15,19}[Xx]?(?!\d)|[\w.+-]+@[\w-]+\.[a-z]{2,}/i;

export interface Searched {
  readonly exchanges: readonly Exchange[];
  readonly readings: readonly RecordedReading[];
  readonly landed: Landed;
  /** Secrets of the person, which may be short. */
  readonly secrets: readonly string[];
  /** Texts that were replaced and may not be found again. */
  readonly replaced: Iterable<string>;
}

/** Where a text of the person is left, in any encoding, without the text; null: nowhere. */
export const findLeak = ({
  exchanges,
  readings,
  landed,
  secrets,
  replaced,
}: Searched): { page: RecordedPage; member: string } | null => {
  const [anyCase, exact] = [new Needles(), new Needles()];
  for (const text of new Set([...secrets, ...[...replaced].filter(tells)].map((one) => one.trim()))) {
    if (text.length < KEY) continue;
    const writings = writingsOf(text);
    for (const one of writings.anyCase) anyCase.add(one);
    for (const one of writings.exact) exact.add(one);
  }
  const isLeak = (text: string): boolean => {
    const usual = unescapeRepeats(text);
    return personal.test(usual) || anyCase.isIn(usual.toLowerCase()) || exact.isIn(text);
  };
  for (const { page, path, query, form, text, location, contentType } of exchanges) {
    if ([path, location ?? '', ...query.flat(), ...form.flat()].some(isLeak)) return { page, member: 'request' };
    if (contentType.startsWith('image/') || !isLeak(text)) continue;
    const leaf = leavesOf(docOf(text, () => false)).find(({ value }) => isLeak(value));
    return { page, member: leaf?.group ?? 'body' };
  }
  if (isLeak(JSON.stringify(landed))) return { page: 'sign-in', member: 'landed' };
  const reading = readings.find(({ parameters, record }) => isLeak(JSON.stringify([parameters, record])));
  return reading === undefined ? null : { page: reading.page, member: 'record' };
};

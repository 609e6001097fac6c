import { describe, expect, it } from 'vitest';
import { decodeBody } from '../../../src/campus/transport/body-text.ts';
import { isFailure } from '../../../src/domain/errors.ts';
import { registeredReaders } from './registered-readers.ts';

type Read = (text: string) => unknown;

/** The value of a reader, or null where it refuses the page. */
const readOrNull = (read: Read, text: string): unknown => {
  try {
    return read(text);
  } catch (error) {
    if (isFailure(error)) return null;
    throw error;
  }
};

const parsers = registeredReaders.filter(
  ({ name, read, sample }) => name.startsWith('parse') && readOrNull(read, sample) !== null,
);

/** The bytes of GB18030 by character, as the platform decodes them. */
const gbk = new Map<string, readonly number[]>();
for (let lead = 0x81; lead <= 0xfe; lead += 1)
  for (let trail = 0x40; trail <= 0xfe; trail += 1) {
    const sign = new TextDecoder('gb18030').decode(Uint8Array.of(lead, trail));
    if ([...sign].length === 1 && sign !== '\uFFFD') gbk.set(sign, [lead, trail]);
  }
const inGbk = (text: string): Buffer | null => {
  const bytes = [...text].map((sign) => (sign < '\u0080' ? [sign.charCodeAt(0)] : gbk.get(sign)));
  return bytes.includes(undefined) ? null : Buffer.from(bytes.flatMap((each) => [...(each ?? [])]));
};

type Leaves = ReadonlyMap<string, ReadonlySet<string>>;

/** Texts and numbers of a value by the name of their member. */
const leavesOf = (value: unknown, name = '', found = new Map<string, Set<string>>()): Leaves => {
  if (typeof value === 'string' || typeof value === 'number') {
    found.set(name, (found.get(name) ?? new Set()).add(String(value)));
  } else if (typeof value === 'object' && value !== null)
    for (const [key, each] of Object.entries(value)) leavesOf(each, Array.isArray(value) ? name : key, found);
  return found;
};

/** Texts that are none of the original's, but for what says nothing. */
const foreign = (value: unknown, original: Leaves): string[] =>
  [...leavesOf(value)].flatMap(([name, texts]) =>
    [...texts].filter((text) => !/^0*$/.test(text) && !original.get(name)?.has(text)).map((text) => `${name}: ${text}`),
  );

describe.each(parsers)('$name', ({ read, sample }) => {
  it('gives the same for its page in every charset', () => {
    const text = sample.trim();
    const expected = readOrNull(read, text);
    const utf8 = Buffer.from(text);
    const sent: Array<readonly [Buffer | null, string | undefined]> = [
      [utf8, 'text/html; charset=UTF-8'],
      [utf8, 'text/html; charset=GBK'],
      [utf8, 'text/html; charset=ISO-8859-1'],
      [utf8, undefined],
      [Buffer.concat([Buffer.from('\r\n \uFEFF'), utf8, Buffer.from('\n')]), 'text/html; charset=GBK'],
      [inGbk(text), 'text/html; charset=UTF-8'],
      [inGbk(text), 'text/html; charset=GBK'],
      [inGbk(text), 'text/html; charset=us-ascii'],
    ];
    for (const [bytes, type] of sent) {
      if (bytes === null) continue;
      const got = decodeBody(bytes, type);
      const value = got === null ? null : readOrNull(read, got);
      // Where a charset is a guess, the page may be refused, or a cell of it be empty.
      if (bytes === utf8 || JSON.stringify(value) === JSON.stringify(expected)) expect(value, type).toEqual(expected);
      else expect(foreign(value, leavesOf(expected)), type).toEqual([]);
    }
  });
});

/** Where values meet one another: they say how many there are, or repeat what others say. */
const counts = /count|total|received|dropped|index|sequence|nodes|courses|number|page|level|times|dates|weekmask|kind/i;

/** Texts that the page has under another member. */
const misplaced = (value: unknown, original: Leaves): string[] => {
  const wrong: string[] = [];
  for (const [name, texts] of leavesOf(value)) {
    const own = [...(original.get(name) ?? [])];
    for (const text of texts) {
      if (text.length < 2 || counts.test(name) || own.some((each) => each.includes(text))) continue;
      const elsewhere = [...original].some(([other, all]) => other !== name && !counts.test(other) && all.has(text));
      if (elsewhere) wrong.push(`${name}: ${text}`);
    }
  }
  return wrong;
};

const mostMutations = 150;

/** The JSON without one member, and with a row twice. The cells of a row that is a list have no labels. */
function* mutatedJson(text: string): Generator<string> {
  const paths: Array<Array<string | number>> = [];
  const walk = (value: unknown, path: Array<string | number>): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const key of Object.keys(value)) {
      const each: unknown = Reflect.get(value, key);
      const isCell = Array.isArray(value) && (typeof each !== 'object' || each === null);
      if (isCell) continue;
      const at = Array.isArray(value) ? Number(key) : key;
      paths.push([...path, at]);
      walk(Reflect.get(value, key), [...path, at]);
    }
  };
  walk(JSON.parse(text), []);
  const edited = (
    path: ReadonlyArray<string | number>,
    edit: (holder: object, key: string | number) => void,
  ): string => {
    const copy: unknown = JSON.parse(text);
    let holder = copy;
    for (const key of path.slice(0, -1)) holder = Reflect.get(Object(holder), key);
    edit(Object(holder), path.at(-1) ?? '');
    return JSON.stringify(copy);
  };
  for (const path of paths.slice(0, mostMutations)) {
    yield edited(path, (holder, key) => {
      if (!Array.isArray(holder)) Reflect.deleteProperty(holder, key);
      else holder.splice(Number(key), 1, holder[Number(key)], holder[Number(key)]);
    });
  }
}

/** The page without one of its texts, and with one of its blocks twice. */
function* mutatedPage(page: string): Generator<string> {
  const parts = page.match(/<script[\s\S]*?<\/script>|<[^>]+>|[^<]+/g) ?? [];
  const spread = Math.max(1, Math.ceil(parts.length / mostMutations));
  for (let at = 0; at < parts.length; at += spread) {
    const part = parts[at] ?? '';
    if (part.startsWith('<script') || part.trim() === '') continue;
    if (!part.startsWith('<')) yield parts.toSpliced(at, 1).join('');
    const name = /^<(li|tr|div|label|option|p|form|table|button)\b/.exec(part)?.[1];
    if (name === undefined) continue;
    const end = parts.findIndex((each, after) => after > at && each.startsWith(`</${name}`));
    if (end > at) yield parts.toSpliced(end + 1, 0, ...parts.slice(at, end + 1)).join('');
  }
}

const isJson = (text: string): boolean => {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
};

describe.each(parsers)('$name, its page with a label removed or a block doubled,', ({ name, read, sample }) => {
  it('gives no value that the page has in another place', () => {
    const original = leavesOf(readOrNull(read, sample));
    const wrong = new Set<string>();
    for (const text of isJson(sample) ? mutatedJson(sample) : mutatedPage(sample)) {
      for (const each of misplaced(readOrNull(read, text), original)) wrong.add(each);
    }
    expect([...wrong], name).toEqual([]);
  });
});

import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type PageReader, placeOf } from '../../../../src/campus/parsing/page-reader.ts';
import { fixture } from '../jwc/fixtures.ts';

const folder = new URL('../../../../src/campus/', import.meta.url);

const nameOf = (value: unknown): string | null => {
  try {
    return placeOf(value as PageReader).name;
  } catch {
    return null;
  }
};

const named: Array<[name: string, read: (text: string) => unknown]> = [];
for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  if (!/(?:^|\/)(?:parse-[^/]+|form)\.ts$/.test(file)) continue;
  const module: Record<string, PageReader> = await import(new URL(file, folder).href);
  for (const read of Object.values(module)) {
    const name = nameOf(read);
    if (name !== null) named.push([name, read]);
  }
}

const down = '{"message":"系统维护中"}';
const json = ['null', '3', '"x"', '{', '[', '{}', down];
const texts = ['', ' ', ...json, '<html><body>系统维护中</body></html>', fixture('login-page.html')];

const elsewhere = new Set(['parseBound', 'parsePaymentPage', 'schemeDataAlive']);
/** Parsers to which these texts mean something: no such page, a stale address, a term without scores. */
const meant: Readonly<Record<string, string>> = { parseSchemeIndex: '', parseSchemeScores: '', parseScoreData: down };

const those = (form: RegExp) => named.filter(([name]) => form.test(name) && !elsewhere.has(name));

describe('a text that is no page of the campus', () => {
  it.each(those(/^parse/))('is unreadable to %s, never empty', (name, parse) => {
    for (const text of texts.filter((each) => each !== meant[name])) {
      expect(() => parse(text), text).toThrow(expect.objectContaining({ kind: 'upstream-unreadable' }));
    }
  });

  it.each(those(/Alive$/))('is no sign of a live session to %s', (_, isAlive) => {
    expect(texts.filter(isAlive)).toEqual([]);
  });
});

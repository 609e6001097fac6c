import { describe, expect, it } from 'vitest';
import { fixture } from '../products/urp/fixtures.ts';
import { registeredReaders } from '../registered-readers.ts';

const down = '{"message":"系统维护中"}';
const json = ['null', '3', '"x"', '{', '[', '{}', down];
const texts = ['', ' ', ...json, '<html><body>系统维护中</body></html>', fixture('login-page.html')];

const elsewhere = new Set(['parseBound', 'parsePaymentPage', 'schemeDataAlive', 'dataAlive']);
/** Parsers to which these texts mean something: no such page, a stale address, a term without scores. */
const meant: Readonly<Record<string, string>> = { parseSchemeIndex: '', parseSchemeScores: '', parseScoreData: down };

const named = new Map(registeredReaders.map(({ name, read }) => [name, read]));
const those = (form: RegExp) => [...named].filter(([name]) => form.test(name) && !elsewhere.has(name));

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

import { describe, expect, it } from 'vitest';
import { exceedsStructure, isSmallJson } from '../../../src/http/limits/json-structure.ts';

const exceeds = (text: string, most: number) => exceedsStructure(Buffer.from(text), most);

/** Counts as the standard says, slowly: what is left when every text is taken out. */
const structureOf = (json: string): number =>
  json.replaceAll(/"(?:[^"\\]|\\.)*"/gs, '').replaceAll(/[^{}[\]:,]/g, '').length;

/** Always the same numbers, so that a failure can be repeated. */
const randomOf = (seed: number) => () => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return seed / 2_147_483_648;
};

const texts = ['', 'a', '{[:,]}', '"', '\\', '\\"', 'x\\\\"', '中文，：', '\u{1F600}', '\n', '\\u0022', '"}{"'];

const someJson = (random: () => number, depth: number): unknown => {
  const text = texts[Math.floor(random() * texts.length)] ?? '';
  const kind = random();
  if (depth === 0 || kind < 0.4) return kind < 0.1 ? Math.round(random() * 1e6) : kind < 0.15 ? null : text;
  const many = Array.from({ length: Math.floor(random() * 5) });
  return kind < 0.7
    ? many.map(() => someJson(random, depth - 1))
    : Object.fromEntries(many.map((_, at) => [`${text}${at}`, someJson(random, depth - 1)]));
};

describe('the structure of a JSON body', () => {
  it('counts exactly the characters outside texts, in any spelling', () => {
    const random = randomOf(7);
    let largest = 0;
    for (let round = 0; round < 2_000; round += 1) {
      const json = JSON.stringify(someJson(random, 5), null, round % 3);
      const structure = structureOf(json);
      largest = Math.max(largest, structure);
      expect([exceeds(json, structure), structure > 0 && exceeds(json, structure - 1)], json).toEqual([
        false,
        structure > 0,
      ]);
    }
    expect(largest).toBeGreaterThan(100);
  });

  it.each([
    ['brackets', '['.repeat(11)],
    ['members', '{"a":1,"b":2,"c":3,"d":4,"e":5}'],
    ['members behind an escaped quote', '{"\\"":1,"b":2,"c":3,"d":4,"e":5}'],
    ['blanks', ' '.repeat(65_537)],
    ['digits between texts', `["x",${'1'.repeat(65_537)}`],
  ])('is too much: %s', (_name, text) => expect(exceeds(text, 10)).toBe(true));

  it.each([
    ['a long text full of brackets', `{"a":"${'{[:,]}'.repeat(100_000)}"}`],
    ['a long text of escaped quotes', `{"a":"${'\\"'.repeat(100_000)}"}`],
    ['a text that does not end', `"${'{'.repeat(100_000)}`],
    ['a text that ends in an escape', '"\\'],
    ['texts side by side, where the parser gives up', `"a" "b" ${'{'.repeat(100)}`],
    ['nothing', ''],
  ])('is fine: %s', (_name, text) => expect(exceeds(text, 10)).toBe(false));

  it('of a text that holds JSON ends at 8 KiB, counted in bytes, and at 200 characters of structure', () => {
    const ofBytes = (bytes: number, character: string) =>
      `"${character.repeat((bytes - 2) / Buffer.byteLength(character))}"`;
    expect([isSmallJson(ofBytes(8_192, 'x')), isSmallJson(ofBytes(8_192, 'é'))]).toEqual([true, true]);
    expect([isSmallJson(ofBytes(8_193, 'x')), isSmallJson(ofBytes(8_194, 'é'))]).toEqual([false, false]);
    expect([isSmallJson('['.repeat(200)), isSmallJson('['.repeat(201))]).toEqual([true, false]);
  });
});

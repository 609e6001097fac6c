import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import lists from '../../src/campus/recordings/words.json' with { type: 'json' };
import { demoStudents, recordDemo } from '../support/recorded-demos.ts';
import { listOf, wordsSeen } from '../support/seen-words.ts';

const file = join(import.meta.dirname, '../../src/campus/recordings/words.json');

/** A run of its own, before the recordings that are made with the lists: `npm run recordings`. */
it.runIf(process.env.GOLDEN === 'write')('the kept words are written', { timeout: 120_000 }, async () => {
  const made = Object.entries(demoStudents).flatMap(([campus, students]) =>
    students.map((student) => recordDemo(campus, student)),
  );
  const seen = wordsSeen((await Promise.all(made)).map(({ recorded }) => recorded));
  const { everywhere, markup, ...products } = lists;
  const shared = new Set([...everywhere, ...markup]);
  const next = Object.entries(products).map(
    ([product, before]) => [product, listOf(product, before, seen.get(product) ?? new Set(), shared)] as const,
  );
  const all = Object.entries({ ...Object.fromEntries(next), everywhere, markup });
  const sorted = Object.fromEntries(all.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`);
  expect(next.filter(([, words]) => words.length > 300)).toEqual([]);
});

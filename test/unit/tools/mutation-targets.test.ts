import { globSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sourcesOf, targets, testsOf } from '../../../tools/mutate/targets.ts';

it.each(targets)('the area "$area" names sources and tests that exist', (target) => {
  expect(sourcesOf(target).length).toBeGreaterThan(0);
  for (const step of target.steps) expect(testsOf(step).length).toBeGreaterThan(0);
});

it('every file of the service but the demo campus, the migrations and the entry files belongs to an area', () => {
  const known = new Set(targets.flatMap(sourcesOf));
  const left = globSync('src/**/*.ts').filter(
    (path) => !known.has(path) && !/^src\/(?:demo|storage\/migrations|main\.ts|campuses)/.test(path),
  );
  expect(left).toEqual([]);
});

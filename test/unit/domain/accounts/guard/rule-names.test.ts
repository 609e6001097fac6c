import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { limitRules } from '../../../../../src/domain/accounts/guard/verdict.ts';

it('the threat model has a row for each rule, under the names that logs and metrics use', () => {
  const rows = readFileSync('docs/run/threat-model.md', 'utf8').matchAll(/^\| (R\d) ((?:`[a-z-]+`(?:, )?)+) \|/gm);
  const told = [...rows].flatMap(([, rule, names = '']) =>
    [...names.matchAll(/[a-z-]+/g)].map(([name]) => [name, rule] as const),
  );
  const ruled = Object.entries(limitRules).filter(([, rule]) => rule !== null);
  expect(Object.fromEntries(told)).toEqual(Object.fromEntries(ruled));
});

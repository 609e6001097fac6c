import { expect, it } from 'vitest';
import { differences } from './recording.ts';

it('surface B answers, and asks the campus, as recorded', async () => {
  const found = await differences('b');
  expect(Object.keys(found), Object.values(found).join('\n\n')).toEqual([]);
}, 600_000);

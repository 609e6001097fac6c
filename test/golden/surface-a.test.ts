import { expect, it } from 'vitest';
import { differences } from './recording.ts';

it('surface A answers, and asks the campus, as recorded', async () => {
  expect(await differences('a')).toEqual({});
}, 600_000);

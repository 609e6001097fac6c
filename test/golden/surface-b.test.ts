import { expect, it } from 'vitest';
import { differences } from './recording.ts';

it('surface B answers, and asks the campus, as recorded', async () => {
  expect(await differences('b')).toEqual({});
}, 600_000);

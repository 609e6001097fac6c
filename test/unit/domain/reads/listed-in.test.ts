import { expect, it } from 'vitest';
import { type FailureKind, failureOf } from '../../../../src/domain/errors.ts';
import { isListedIn } from '../../../../src/domain/reads/listed-in.ts';

const names = (list: readonly string[]): boolean => list.includes('one');

it('a stored list that names the thing is enough; where it does not, the list is read', async () => {
  const unread = () => Promise.reject(new Error('read'));
  expect(await isListedIn(async () => ({ value: ['one'] }), unread, names)).toBe(true);
  for (const kept of [null, { value: ['two'] }]) {
    for (const name of ['one', 'two']) {
      const isListed = await isListedIn(
        async () => kept,
        async () => [name],
        names,
      );
      expect(isListed).toBe(name === 'one');
    }
  }
});

it.each<FailureKind>(['upstream-unavailable', 'rate-limited', 'no-copy', 'overloaded', 'stored-credentials-refused'])(
  'a list that is not to be had (%s) denies nothing, and takes nothing away that was read',
  async (kind) => {
    const read = () => Promise.reject(failureOf(kind));
    expect(await isListedIn(async () => null, read, names)).toBe(true);
  },
);

it('a defect of ours is thrown, and not taken for a list', async () => {
  const read = () => Promise.reject(new TypeError('defect'));
  await expect(isListedIn(async () => null, read, names)).rejects.toThrow(TypeError);
});

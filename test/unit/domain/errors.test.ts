import { expect, it } from 'vitest';
import { asFailure, failures } from '../../../src/domain/errors.ts';

it('an error while something held is given back is told as what it is, whatever went wrong before', async () => {
  const held = {
    [Symbol.asyncDispose]: () => Promise.reject(failures.storageFailed('full')),
  };
  const work = async (): Promise<void> => {
    await using _ = held;
    throw failures.internal('first');
  };
  const error: unknown = await work().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(SuppressedError);
  expect(asFailure(error)).toMatchObject({ kind: 'storage-failed' });
});

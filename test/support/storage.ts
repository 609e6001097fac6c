import { storeNumbers } from '../../src/domain/store-numbers.ts';
import { createStorage as create } from '../../src/storage/storage.ts';

type Options = Parameters<typeof create>[0];

/** A storage with the numbers that the service hands it. */
export const createStorage = (options: Omit<Options, 'numbers'>): ReturnType<typeof create> =>
  create({ numbers: storeNumbers, ...options });

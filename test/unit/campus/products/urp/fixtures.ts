import { readFileSync } from 'node:fs';
import { type Failure, isFailure } from '../../../../../src/domain/errors.ts';

export const fixture = (name: string): string =>
  readFileSync(new URL(`../../../../fixtures/urp/${name}`, import.meta.url), 'utf8');

/** Small pages and answers of other campuses. */
export const fieldInput = (name: string): string =>
  readFileSync(new URL(`../../../../fixtures/field/${name}`, import.meta.url), 'utf8');

/** The failure that `work` throws; anything else it does fails the test. */
export const failureOf = (work: () => unknown): Failure => {
  try {
    work();
  } catch (error) {
    if (isFailure(error)) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
};

/** The failure that a promise rejects with. */
export const rejection = async (promise: Promise<unknown>): Promise<Failure> => {
  const error: unknown = await promise.then(
    () => new Error('nothing was thrown'),
    (reason: unknown) => reason,
  );
  if (isFailure(error)) return error;
  throw error;
};

export const unreadablePage = { kind: 'upstream-unreadable', system: 'academics' };

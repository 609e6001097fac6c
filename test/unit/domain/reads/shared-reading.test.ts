import { expect, it } from 'vitest';
import type { CallContext } from '../../../../src/domain/context.ts';
import { SharedReading } from '../../../../src/domain/reads/shared-reading.ts';
import { callContext } from '../../../support/campus-rig.ts';

const start = () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  let context: CallContext | undefined;
  const reading = new SharedReading(
    callContext(),
    (given) => {
      context = given.context;
      return promise;
    },
    { userid: 'student' },
  );
  const waiter = () => {
    const leaving = new AbortController();
    const outcome = reading.wait(leaving.signal).catch((reason: unknown) => reason);
    return { outcome, leave: (reason: string) => leaving.abort(new Error(reason)) };
  };
  return { reading, waiter, finish: resolve, signal: () => context?.signal };
};

it('a reading runs while a caller waits for it, and ends for the reason of the last one that leaves', async () => {
  const { reading, waiter, signal } = start();
  const [first, second] = [waiter(), waiter()];
  first.leave('first');
  expect(await first.outcome).toEqual(new Error('first'));
  expect([reading.abandoned, signal()?.aborted]).toEqual([false, false]);
  second.leave('second');
  expect(await second.outcome).toEqual(new Error('second'));
  expect([reading.abandoned, signal()?.aborted]).toEqual([true, true]);
  expect(signal()?.reason).toEqual(new Error('second'));
});

it('a reading answers all callers that still wait, and is not ended by that', async () => {
  const { reading, waiter, finish, signal } = start();
  const [first, second, third] = [waiter(), waiter(), waiter()];
  first.leave('first');
  finish('value');
  expect(await Promise.all([second.outcome, third.outcome])).toEqual(['value', 'value']);
  expect([reading.abandoned, signal()?.aborted]).toEqual([false, false]);
});

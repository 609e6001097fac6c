import { expect, it } from 'vitest';
import { allReads } from '../../../../src/domain/all-reads.ts';
import { silentLog } from '../../../../src/domain/context.ts';
import { CopyWriter } from '../../../../src/domain/reads/copies.ts';
import { callContext } from '../../../support/campus-rig.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { plainMarks } from '../../../support/student-marks.ts';
import { testReads } from '../../../support/test-reads.ts';

/** Reads of one student, under one generation or another. */
const readsOf = () => {
  const reads = testReads(new ManualClock(), { freshSeconds: 600 });
  return (generation: number, ask: () => Promise<number>) =>
    reads.read({ userid: '2023000001', marks: plainMarks({ generation }) }, callContext(), {
      row: allReads.finishedCount,
      ask,
    });
};

it('a value in memory is never answered to a later generation of its student', async () => {
  const read = readsOf();
  let asked = 0;
  const ask = async () => {
    asked += 1;
    return asked;
  };
  expect([await read(1, ask), await read(1, ask), await read(2, ask), await read(2, ask)]).toEqual([1, 1, 2, 2]);
});

it('a reading under way is not joined by a later generation of its student', async () => {
  const read = readsOf();
  const first = Promise.withResolvers<number>();
  const older = read(1, () => first.promise);
  expect(await read(2, async () => 2)).toBe(2);
  first.resolve(1);
  expect(await older).toBe(1);
});

it('copies of two generations of a student are never written as those of one', async () => {
  const written: number[] = [];
  const keep = async (_userid: string, generation: number) => {
    written.push(generation);
  };
  const keeper = new CopyWriter({ keep }, silentLog);
  const copy = { read: 'summary', params: '[]', shape: 1, text: '1', writes: 0, readAt: 0 };
  for (const generation of [1, 1, 2]) keeper.keep({ userid: '2023000001', tag: 't' }, generation, copy);
  await keeper.idle();
  expect([...new Set(written)]).toEqual([1, 2]);
});

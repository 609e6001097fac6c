import { expect, it } from 'vitest';
import { noteReads } from '../../../../src/domain/reads/call-reads.ts';
import { readRows } from '../../../../src/domain/reads/rows.ts';
import { nothingSaid, type ReadWish } from '../../../../src/domain/reads/types.ts';
import { failureOf } from '../../../support/accounts-rig.ts';
import { callContext } from '../../../support/campus-rig.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { plainMarks } from '../../../support/student-marks.ts';
import { testReads } from '../../../support/test-reads.ts';

it('a pair that is set aside is told before any copy; what is still open is asked, unless copies alone are wanted', async () => {
  const reads = testReads(new ManualClock(), { freshSeconds: 60 });
  let asked = 0;
  const read = (more: Partial<ReadWish>, refusedStep: 'portal' | null) =>
    reads.read(
      { userid: '2023000001', marks: plainMarks({ refusedStep }) },
      { ...callContext(), reads: noteReads({ ...nothingSaid, ...more }, (work) => work()) },
      {
        row: readRows.finishedCount,
        ask: async () => {
          asked += 1;
          return asked;
        },
      },
    );
  expect(await read({}, null)).toBe(1);
  expect(await read({ onlyIfCached: true }, null)).toBe(1);
  expect(await read({}, 'portal')).toBe(2);
  expect(await failureOf(read({ onlyIfCached: true }, 'portal'))).toBe('stored-credentials-refused portal');
  expect(asked).toBe(2);
});

it('a value stays in memory as long as it is fresh, without storage too', async () => {
  const clock = new ManualClock();
  const reads = testReads(clock, { freshSeconds: 600 });
  let asked = 0;
  const ask = async () => {
    asked += 1;
    return asked;
  };
  const read = () => reads.read({ userid: '2023000001' }, callContext(), { row: readRows.finishedCount, ask });
  expect(await read()).toBe(1);
  clock.advance(599_999);
  reads.sweep();
  expect(await read()).toBe(1);
  clock.advance(1);
  expect(await read()).toBe(2);
});

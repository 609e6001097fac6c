import { beforeEach, expect, it } from 'vitest';
import { Erasure } from '../../../src/storage/database/erasure.ts';
import { recordingLog } from '../../support/campus-rig.ts';
import { ManualClock } from '../../support/manual-clock.ts';

let clock: ManualClock;
let log: ReturnType<typeof recordingLog>;
/** Cleanings that have begun; each waits to be told how it went. */
let cleanings: Array<PromiseWithResolvers<boolean>>;
beforeEach(() => {
  clock = new ManualClock();
  log = recordingLog();
  cleanings = [];
});

const build = (gatherMs = 0): Erasure =>
  new Erasure({
    clean: () => {
      const cleaning = Promise.withResolvers<boolean>();
      cleanings.push(cleaning);
      return cleaning.promise;
    },
    clock,
    log,
    gatherMs,
  });
const settled = () => new Promise((resolve) => setImmediate(resolve));
const end = async (cleaned: boolean): Promise<void> => {
  cleanings.at(-1)?.resolve(cleaned);
  await settled();
};

it('deletions during a cleaning share the next one', async () => {
  const erasure = build();
  erasure.request();
  for (let more = 0; more < 5; more += 1) erasure.request();
  expect(cleanings).toHaveLength(1);
  await end(true);
  expect(cleanings).toHaveLength(2);
  await end(true);
  expect(cleanings).toHaveLength(2);
});

it('a cleaning that a reader holds up is repeated, less and less often', async () => {
  const erasure = build();
  erasure.request();
  const waits = [];
  for (const next of [20, 40, 80, 160, 320, 640, 1_000, 1_000]) {
    await end(false);
    const before = cleanings.length;
    clock.advance(next - 1);
    await settled();
    expect(cleanings).toHaveLength(before);
    clock.advance(1);
    await settled();
    waits.push(cleanings.length - before);
  }
  expect(waits).toEqual(Array(8).fill(1));
  await end(true);
  expect(clock.waiting).toBe(0);
});

it('a cleaning that never succeeds gives up, logs it, and starts again when it is asked', async () => {
  const erasure = build();
  erasure.request();
  for (let more = 0; more < 30; more += 1) {
    await end(false);
    clock.advance(1_000);
    await settled();
  }
  expect(cleanings).toHaveLength(14);
  expect(log.lines).toMatchObject([{ level: 'warn', message: 'deleted data not cleaned up yet' }]);
  erasure.resume();
  expect(cleanings).toHaveLength(15);
  await end(true);
  erasure.resume();
  expect(cleanings).toHaveLength(15);
});

it('one that fails is due again and tells no value of the statement', async () => {
  const erasure = build();
  erasure.request();
  cleanings[0]?.reject(Object.assign(new Error('near hunter2'), { code: 'ERR_SQLITE_ERROR' }));
  await settled();
  expect(JSON.stringify(log.lines.map(({ fields }) => String(fields.err)))).toMatch(/clean up.*ERR_SQLITE_ERROR/);
  expect(JSON.stringify(log.lines.map(({ fields }) => String(fields.err)))).not.toContain('hunter2');
  erasure.resume();
  expect(cleanings).toHaveLength(2);
});

it('deletions within the time to gather share one cleaning', async () => {
  const erasure = build(30_000);
  for (let more = 0; more < 5; more += 1) {
    erasure.request();
    clock.advance(5_000);
    await settled();
  }
  expect(cleanings).toHaveLength(0);
  clock.advance(5_000);
  await settled();
  expect(cleanings).toHaveLength(1);
  await end(true);
  expect([cleanings.length, clock.waiting]).toEqual([1, 0]);
});

it('closing cleans up what is due without gathering, and begins nothing otherwise', async () => {
  const erasure = build(30_000);
  erasure.request();
  const closed = erasure.close();
  await settled();
  expect(cleanings).toHaveLength(1);
  await end(true);
  await closed;
  erasure.request();
  await build().close();
  expect(cleanings).toHaveLength(1);
});

it('closing waits for the cleaning that is running, and tries a few times at most', async () => {
  const erasure = build();
  erasure.request();
  const closed = erasure.close();
  for (let more = 0; more < 10; more += 1) {
    await end(false);
    clock.advance(1_000);
    await settled();
  }
  await closed;
  expect(cleanings).toHaveLength(1 + 4);
});

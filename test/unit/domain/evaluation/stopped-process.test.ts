import { expect, it } from 'vitest';
import { callContext } from '../../../support/campus-rig.ts';
import { MortalProcess } from '../../../support/mortal-process.ts';
import { student, World } from './world.ts';

/** Stops a process at its `moment`, as a signal would, until another has seen it dead, and wakes it. False: it was not stopped. */
const stopAndWake = async (moment: number): Promise<boolean> => {
  const world = new World(3);
  const life = new MortalProcess();
  const first = world.process('overlapped', life);
  await world.begin(first);
  life.dieAt(moment);
  await world.until(() => life.dead || first.running === 0);
  if (!life.dead) {
    await world.close();
    return false;
  }
  const second = world.process();
  const told = `stopped at moment ${moment}`;
  const ended = await world.finished(second);
  // Stopped right after the last note there is nothing to interrupt.
  if (ended?.status !== 'completed') expect(ended, told).toMatchObject({ status: 'failed', fault: 'interrupted' });
  const sent = world.campus.submissions.length;
  life.wake();
  await world.until(() => first.running === 0);
  expect(await first.status(student), told).toEqual(await second.status(student));
  // Stopped at the moment of the sending itself, that one leaves on waking, and nothing after it.
  expect(world.campus.submissions.length, told).toBeLessThanOrEqual(sent + 1);
  expect(Math.max(0, ...world.campus.submissions), told).toBeLessThanOrEqual(1);
  await world.close();
  return true;
};

it('a process that is stopped at any moment of a run and wakes a minute later sends nothing more', async () => {
  let moment = 1;
  while (await stopAndWake(moment)) moment += 1;
  expect(moment).toBeGreaterThan(30);
}, 120_000);

it('a process that stood still right after it had noted a submission does not send it', async () => {
  const world = new World(2);
  const process = world.process();
  let left = 1;
  world.store.afterWrite = ({ snapshot }) => {
    if (snapshot.includes('submitting') && left-- > 0) world.clock.advance(11_000);
  };
  expect((await process.initialize(student, callContext())).kind).toBe('loaded');
  await process.start(student);
  expect(await world.finished(process)).toMatchObject({ status: 'completed', successCount: 1, failCount: 1 });
  expect(world.campus.submissions).toEqual([1]);
  await world.close();
});

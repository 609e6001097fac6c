import { expect, it } from 'vitest';
import { MortalProcess } from '../../../support/mortal-process.ts';
import { student, World } from './world.ts';

/** Stops a process at its `moment`, as a signal would, lets others go on, and wakes it. False: it was not stopped. */
const stopAndWake = async (moment: number, secondDiesAt: number | null): Promise<boolean> => {
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
  const secondLife = new MortalProcess();
  const second = world.process('overlapped', secondLife);
  const told = `stopped at moment ${moment}, the second at ${secondDiesAt}`;
  if (secondDiesAt === null) {
    expect(await world.finished(second), told).toMatchObject({ status: 'completed' });
    life.wake();
  } else {
    secondLife.dieAt(secondDiesAt);
    await world.until(async () => secondLife.dead || (await second.status(student))?.status !== 'running');
    life.wake();
    expect(await world.finished(first), told).toMatchObject({ status: 'completed' });
    secondLife.wake();
  }
  await world.until(() => first.running + second.running === 0);
  const view = await first.status(student);
  expect(view, told).toMatchObject({ status: 'completed' });
  expect(Math.max(...world.campus.submissions), told).toBe(1);
  // Stopped between the note and the sending, a course counts as failed although it is sent on waking.
  const evaluated = world.campus.courseList.filter(({ evaluated }) => evaluated === '是').length;
  expect(view?.successCount ?? 0, told).toBeGreaterThanOrEqual(evaluated - (secondDiesAt === null ? 1 : 2));
  await world.close();
  return true;
};

it('a process that is stopped at any moment of a run and wakes after another has ended it sends nothing twice', async () => {
  let moment = 1;
  while (await stopAndWake(moment, null)) moment += 1;
  expect(moment).toBeGreaterThan(30);
}, 120_000);

it('nor does one that takes the run back from another that had worked on it and is stopped in its turn', async () => {
  for (const moment of [4, 9, 14, 19]) {
    for (const secondDiesAt of [5, 11, 17]) await stopAndWake(moment, secondDiesAt);
  }
}, 120_000);

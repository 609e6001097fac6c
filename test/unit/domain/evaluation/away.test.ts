import { expect, it, onTestFinished } from 'vitest';
import { type Log, silentLog } from '../../../../src/domain/context.ts';
import { World } from './world.ts';

it('storage that is away is said once, and once more when it was back in between', async () => {
  const warned: string[] = [];
  const log: Log = { ...silentLog, warn: (_fields: Record<string, unknown>, message: string) => warned.push(message) };
  const world = new World(0);
  let [away, looks] = [true, 0];
  world.store.beforeLook = () => {
    looks += 1;
    if (away) throw new Error('no database');
  };
  world.process('overlapped', undefined, 5, log);
  onTestFinished(() => world.close());

  await world.until(() => looks >= 4);
  expect(warned).toEqual(['evaluation runs not checked']);
  away = false;
  await world.until(() => looks >= 6);
  away = true;
  await world.until(() => looks >= 9);
  expect(warned).toHaveLength(2);
});

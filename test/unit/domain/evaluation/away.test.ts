import { expect, it, onTestFinished } from 'vitest';
import { type Log, silentLog } from '../../../../src/domain/context.ts';
import { World } from './world.ts';

it('a storage that fails is logged once, and once more after it has answered again', async () => {
  const warned: string[] = [];
  const log: Log = { ...silentLog, warn: (_fields: Record<string, unknown>, message: string) => warned.push(message) };
  const world = new World(1);
  world.campus.onOpen = () => new Promise(() => {});
  let away = true;
  world.store.beforeBeat = () => {
    if (away) throw new Error('no database');
  };
  await world.begin(world.process('overlapped', undefined, 5, log));
  onTestFinished(() => world.close());

  await world.until(() => world.store.beats >= 4);
  expect(warned).toEqual(['evaluation runs not checked']);
  away = false;
  await world.until(() => world.store.beats >= 6);
  away = true;
  await world.until(() => world.store.beats >= 9);
  expect(warned).toHaveLength(2);
});

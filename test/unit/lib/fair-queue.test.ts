import { expect, it } from 'vitest';
import { FairQueue } from '../../../src/lib/queues.ts';
import { ManualClock } from '../../support/manual-clock.ts';

/** A line whose works end when they are told to, by their names. */
const start = ({ limit = 1, most = 100 } = {}) => {
  const clock = new ManualClock();
  const line = new FairQueue(limit, most, clock);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (owner: string, name = owner, remaining?: () => number, signal = new AbortController().signal) => {
    const work = async (): Promise<string> => {
      using _place = await line.enter({ owner, signal, remaining });
      begun.push(name);
      return await new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    };
    return { outcome: work().catch((error: Error) => error.name) };
  };
  const end = async (name: string, ms = 0): Promise<void> => {
    clock.advance(ms);
    ends.get(name)?.();
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  };
  return { clock, line, begun, ask, end };
};

const next = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
};

it('the tenth work of one owner comes after the first of all others', async () => {
  const { begun, ask, end, line } = start();
  for (let n = 1; n <= 10; n += 1) ask('greedy', `greedy ${n}`);
  for (const owner of ['one', 'two', 'three']) ask(owner);
  await next();
  expect([line.active, line.waiting]).toEqual([1, 12]);
  for (let at = 0; at < 13; at += 1) await end(begun[at] ?? '');
  const rest = Array.from({ length: 8 }, (_, at) => `greedy ${at + 3}`);
  expect(begun).toEqual(['greedy 1', 'greedy 2', 'one', 'two', 'three', ...rest]);
  expect([line.active, line.waiting]).toEqual([0, 0]);
});

it('who cannot be served in time is told at once, by what works have taken lately', async () => {
  const { begun, ask, end } = start();
  ask('first');
  await next();
  await end('first', 1_000);
  ask('second');
  ask('third');
  ask('third', 'third again');
  await next();
  // A work under way and one before its own, of one second each.
  expect(await ask('fourth', 'fourth', () => 2_999).outcome).toBe('QueueFull');
  const fourth = ask('fourth', 'fourth', () => 3_000);
  // The second of the same owner comes after the first and the second of all others.
  expect(await ask('third', 'third for the third time', () => 4_999).outcome).toBe('QueueFull');
  await end('second');
  await end('third');
  await end('fourth');
  expect(await fourth.outcome).toBe('fourth');
  expect(begun).toEqual(['first', 'second', 'third', 'fourth', 'third again']);
});

it('what can only come too late is not begun when its turn comes', async () => {
  const { begun, ask, end } = start();
  ask('first');
  await next();
  await end('first', 1_000);
  ask('second');
  await next();
  let left = 3_000;
  const late = ask('late', 'late', () => left);
  const patient = ask('patient');
  left = 999;
  await end('second', 1_000);
  expect(await late.outcome).toBe('QueueFull');
  await end('patient');
  expect(await patient.outcome).toBe('patient');
  expect(begun).not.toContain('late');
});

it('who leaves gives back a place in the line, and the line has an end', async () => {
  const { line, begun, ask, end } = start({ most: 2 });
  const leaving = new AbortController();
  ask('first');
  const left = ask('second', 'second', undefined, leaving.signal);
  ask('third');
  await next();
  expect(await ask('fourth').outcome).toBe('QueueFull');
  leaving.abort(Object.assign(new Error('gone'), { name: 'Gone' }));
  expect([await left.outcome, line.waiting]).toEqual(['Gone', 1]);
  const fourth = ask('fourth');
  for (const name of ['first', 'third', 'fourth']) await end(name);
  expect([await fourth.outcome, begun]).toEqual(['fourth', ['first', 'third', 'fourth']]);
  leaving.abort();
  expect(await ask('gone', 'gone', undefined, leaving.signal).outcome).toBe('Gone');
});

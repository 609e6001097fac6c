import { expect, it } from 'vitest';
import { EntryCache } from '../../../../src/domain/reads/copies.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const HOLD_MS = 300_000;
const held = (text: string, readAt = 0) => ({ value: text, text, writes: 0, readAt });
const memory = () => {
  const clock = new ManualClock();
  return { clock, memory: new EntryCache(clock, HOLD_MS) };
};

it('a value is held for its time and no longer, whatever the time of day says', () => {
  const { clock, memory: values } = memory();
  values.put('a', held('1'));
  clock.correct(-86_400_000);
  clock.advance(HOLD_MS - 1);
  expect(values.get('a')?.value).toBe('1');
  clock.advance(1);
  expect(values.get('a')).toBeNull();
  expect(values.size).toBe(0);
});

it('what nobody asks for any more leaves with the next value, and with the sweep', () => {
  const { clock, memory: values } = memory();
  values.put('a', held('1'));
  values.put('b', held('2'));
  clock.advance(HOLD_MS - 1);
  values.put('b', held('3', 1));
  clock.advance(1);
  values.put('c', held('4'));
  expect([values.size, values.get('b')?.value]).toEqual([2, '3']);
  clock.advance(HOLD_MS);
  values.sweep();
  expect(values.size).toBe(0);
});

it('a reading of a time when the clock was ahead is replaced', () => {
  const { clock, memory: values } = memory();
  values.put('a', held('ahead', clock.now()));
  clock.correct(-86_400_000);
  values.put('a', held('now', clock.now()));
  expect(values.get('a')?.value).toBe('now');
});

it('an older reading never replaces a newer one', () => {
  const { memory: values } = memory();
  values.put('a', held('new', 2));
  values.put('a', held('old', 1));
  expect(values.get('a')?.value).toBe('new');
});

it('all values together have 64 Mi characters at most, the latest, and no single one more than 1 Mi', () => {
  const { memory: values } = memory();
  const text = 'x'.repeat(1024 * 1024);
  for (let at = 0; at < 70; at += 1) values.put(`${at}`, held(text));
  expect([values.size, values.get('6'), values.get('7')?.text.length]).toEqual([63, null, text.length]);
  values.put('huge', held(`${text}x`));
  expect(values.get('huge')).toBeNull();
  const { memory: again } = memory();
  again.put('first', held(text));
  for (let at = 0; at < 70; at += 1) again.put('a', held(text, at));
  expect(again.size, 'what is read again counts once').toBe(2);
});

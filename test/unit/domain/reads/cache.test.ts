import { expect, it } from 'vitest';
import { allReads } from '../../../../src/domain/all-reads.ts';
import { silentLog } from '../../../../src/domain/context.ts';
import { ReadCopies } from '../../../../src/domain/reads/copies.ts';
import { LONGEST_FRESH_SECONDS } from '../../../../src/domain/reads/types.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { noCopies } from '../../../support/test-reads.ts';

const HOLD_MS = LONGEST_FRESH_SECONDS * 1000;
const entry = (text: string, readAt = 0) => ({ value: text, text, writes: 0, readAt });
const cache = () => {
  const clock = new ManualClock();
  const copies = new ReadCopies({ copies: noCopies, clock, log: silentLog, keepsStudents: true });
  const get = (name: string) => copies.readCached(allReads.finishedCount, name)?.text ?? null;
  return { clock, put: copies.cache.bind(copies), get };
};

it('an entry is cached for the longest freshness and no longer, also when the clock is corrected', () => {
  const { clock, put, get } = cache();
  put('a', entry('1'));
  clock.correct(-86_400_000);
  clock.advance(HOLD_MS - 1);
  expect(get('a')).toBe('1');
  clock.advance(1);
  expect(get('a')).toBeNull();
});

it('a reading of a time when the clock was ahead is replaced', () => {
  const { clock, put, get } = cache();
  put('a', entry('ahead', clock.now()));
  clock.correct(-86_400_000);
  put('a', entry('now', clock.now()));
  expect(get('a')).toBe('now');
});

it('an older reading never replaces a newer one', () => {
  const { put, get } = cache();
  put('a', entry('new', 2));
  put('a', entry('old', 1));
  expect(get('a')).toBe('new');
});

it('all entries together have 64 Mi characters at most, the latest, and no single one more than 1 Mi', () => {
  const { put, get } = cache();
  const text = 'x'.repeat(1024 * 1024);
  for (let at = 0; at < 70; at += 1) put(`${at}`, entry(text));
  expect([get('5'), get('6')?.length]).toEqual([null, text.length]);
  put('huge', entry(`${text}x`));
  expect(get('huge')).toBeNull();
});

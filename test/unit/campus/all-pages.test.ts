import { expect, it } from 'vitest';
import { readAllPages, rowsOfPages } from '../../../src/campus/all-pages.ts';
import { failureOf } from '../../support/accounts-rig.ts';

/** Pages of two rows at most; the last one comes again for ever. */
const walk = (total: number | null, pages: readonly string[], repeatsLast = true) => {
  const numbers: number[] = [];
  const paging = { system: 'labor-club', what: 'row', size: 2, mostPages: 5, repeatsLast } as const;
  const all = readAllPages(paging, async (number) => {
    numbers.push(number);
    const rows = [...(pages[Math.min(number, pages.length) - 1] ?? '')].map((ID) => ({ ID }));
    return { rows, received: rows.length, total };
  });
  return {
    numbers,
    asked: all.then(({ asked }) => asked),
    ids: all.then((read) =>
      rowsOfPages(read.pages)
        .map(({ ID }) => ID)
        .join(''),
    ),
  };
};

it.each([
  ['a page that is not full', ['ab', 'c'], 'abc', 2],
  ['an empty page', ['ab', ''], 'ab', 2],
  ['a page that repeats the one before', ['ab', 'cd'], 'abcd', 3],
])('without a total the pages end with %s', async (_, pages, ids, requests) => {
  const { numbers, asked, ids: found } = walk(null, pages);
  expect([await found, await asked]).toEqual([ids, requests]);
  expect(numbers).toHaveLength(requests);
});

it('a total ends them too, and a page that comes again before it is reached is an error', async () => {
  const whole = walk(4, ['ab', 'cd']);
  expect(await whole.ids).toBe('abcd');
  expect(whole.numbers).toEqual([1, 2]);
  expect(await failureOf(walk(9, ['ab', 'cd']).ids)).toBe('upstream-unreadable');
  // One row is a page as well.
  expect(await failureOf(walk(9, ['a']).ids)).toBe('upstream-unreadable');
});

it.each([
  ['where an application shows no last page again, one that comes again', null, ['ab', 'cd'], false],
  ['no rows although some are counted', 3, [''], true],
  ['pages that do not end', null, ['ab', 'cd', 'ef', 'gh', 'ij', 'kl'], true],
  ['more rows than pages can hold', null, ['abcdefghijk'], true],
])('is unreadable: %s', async (_, total, pages, repeatsLast) => {
  expect(await failureOf(walk(total, pages, repeatsLast).ids)).toBe('upstream-unreadable');
});

it('a row that slid over a page break is taken once', async () => {
  expect(await walk(null, ['ab', 'bc', 'd']).ids).toBe('abcd');
});

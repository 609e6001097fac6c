import { expect, it } from 'vitest';
import { readAllPages } from '../../../../src/campus/ldjlb/all-pages.ts';
import { failureOf } from '../../../support/accounts-rig.ts';

/** Pages of two rows at most; the last one comes again for ever. */
const walk = (total: number | null, ...pages: readonly string[]) => {
  const asked: number[] = [];
  const all = readAllPages(2, async (number) => {
    asked.push(number);
    const rows = [...(pages[Math.min(number, pages.length) - 1] ?? '')].map((id) => ({ id }));
    return { rows, received: rows.length, total };
  });
  return { asked, ids: all.then(({ rows }) => rows.map(({ id }) => id).join('')) };
};

it.each([
  ['a page that is not full', ['ab', 'c'], 'abc', 2],
  ['an empty page', ['ab', ''], 'ab', 2],
  ['a page that repeats the one before', ['ab', 'cd'], 'abcd', 3],
])('without a total the pages end with %s', async (_, pages, ids, requests) => {
  const { asked, ids: found } = walk(null, ...pages);
  expect(await found).toBe(ids);
  expect(asked).toHaveLength(requests);
});

it('a total ends them too, and a page that comes again before it is reached is an error', async () => {
  const whole = walk(4, 'ab', 'cd');
  expect(await whole.ids).toBe('abcd');
  expect(whole.asked).toEqual([1, 2]);
  expect(await failureOf(walk(9, 'ab', 'cd').ids)).toBe('upstream-unreadable');
  // One row is a page as well.
  expect(await failureOf(walk(9, 'a').ids)).toBe('upstream-unreadable');
});

it('a row that slid over a page break is taken once', async () => {
  expect(await walk(null, 'ab', 'bc', 'd').ids).toBe('abcd');
});

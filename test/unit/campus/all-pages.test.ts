import { expect, it } from 'vitest';
import { readAllPages, rowsOfPages } from '../../../src/campus/contract/kit.ts';
import { failureOf } from '../../support/accounts-rig.ts';

/** Pages of two rows at most; the last one comes again for ever. The numbers of the pages asked for gather in `numbers`. */
const walk = async (total: number | null, pages: readonly string[], repeatsLast = true, numbers: number[] = []) => {
  const paging = { system: 'labor-club', what: 'row', size: 2, mostPages: 5, repeatsLast } as const;
  const read = await readAllPages(paging, async (number) => {
    numbers.push(number);
    const rows = [...(pages[Math.min(number, pages.length) - 1] ?? '')].map((ID) => ({ ID }));
    return { rows, received: rows.length, total };
  });
  const ids = rowsOfPages(read.pages).map(({ ID }) => ID);
  return { ids: ids.join(''), asked: read.asked, numbers };
};

it.each([
  ['a page that is not full', ['ab', 'c'], 'abc', 2],
  ['an empty page', ['ab', ''], 'ab', 2],
  ['a page that repeats the one before', ['ab', 'cd'], 'abcd', 3],
])('without a total the pages end with %s', async (_, pages, ids, requests) => {
  const { numbers, ...found } = await walk(null, pages);
  expect(found).toEqual({ ids, asked: requests });
  expect(numbers).toHaveLength(requests);
});

it('a total ends them too, and a page that comes again before it is reached is an error', async () => {
  expect(await walk(4, ['ab', 'cd'])).toMatchObject({ ids: 'abcd', numbers: [1, 2] });
  expect(await failureOf(walk(9, ['ab', 'cd']))).toBe('upstream-unreadable');
  // A total that the rows prove wrong says nothing of further pages; one that they never come up to ends with an empty page.
  expect(await walk(1, ['ab', 'c'])).toMatchObject({ ids: 'abc', asked: 2 });
  expect(await walk(9, ['ab', ''])).toMatchObject({ ids: 'ab', asked: 2 });
  // One row is a page as well.
  expect(await failureOf(walk(9, ['a']))).toBe('upstream-unreadable');
});

it.each([
  ['where an application shows no last page again, one that comes again', null, ['ab', 'cd'], false],
  ['no rows although some are counted', 3, [''], true],
  ['pages that do not end', null, ['ab', 'cd', 'ef', 'gh', 'ij', 'kl'], true],
  ['more rows than pages can hold', null, ['abcdefghijk'], true],
])('is unreadable: %s', async (_, total, pages, repeatsLast) => {
  expect(await failureOf(walk(total, pages, repeatsLast))).toBe('upstream-unreadable');
});

it('a row that slid over a page break is taken once', async () => {
  expect(await walk(null, ['ab', 'bc', 'd'])).toMatchObject({ ids: 'abcd' });
});

import { unreadable } from '../parsing/unreadable.ts';
import { checkFirstPage } from './page-info.ts';

/** One page as paging sees it. */
export interface Page<T> {
  readonly rows: readonly T[];
  readonly received: number;
  /** Rows over all pages; null when the answer does not say. */
  readonly total: number | null;
}

interface AllRows<T> {
  readonly rows: readonly T[];
  readonly pages: number;
  readonly total: number;
}

const usuallyMostPages = 50;

/**
 * Reads pages, from 1, until the stated total was received or a page is empty; without a usable total, until a page is not
 * full or repeats the one before. A row that slid over a page break while we read is taken once.
 * @throws Failure `upstream-unreadable` when there are no rows although some were promised, when the same page comes again
 *   although more were, and when the pages do not end: a list is never cut silently
 */
export const readAllPages = async <T extends { readonly id: string }>(
  pageSize: number,
  read: (page: number) => Promise<Page<T>>,
  mostPages = usuallyMostPages,
): Promise<AllRows<T>> => {
  const rows: T[] = [];
  const seen = new Set<string>();
  let received = 0;
  let previous = '';
  for (let number = 1; number <= mostPages; number += 1) {
    const page = await read(number);
    if (number === 1) checkFirstPage(page.received, page.total);
    const content = JSON.stringify(page.rows);
    const repeated = number > 1 && page.rows.length > 0 && content === previous;
    if (repeated && page.total !== null) throw unreadable('labor-club', 'page repeats itself');
    previous = content;
    received += page.received;
    const fresh = repeated ? [] : page.rows.filter(({ id }) => number === 1 || id === '' || !seen.has(id));
    for (const { id } of fresh) seen.add(id);
    // Not spread over the arguments of a call: there is no end to what a page may hold.
    for (const row of fresh) rows.push(row);
    // A total that the rows prove wrong says nothing about further pages.
    const isStated = page.total !== null && page.total >= received;
    const complete = page.received === 0 || repeated || (isStated ? received === page.total : page.received < pageSize);
    if (complete) return { rows, pages: number, total: Math.max(page.total ?? 0, rows.length) };
  }
  throw unreadable('labor-club', 'pages do not end');
};

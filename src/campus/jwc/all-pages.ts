import { unreadable } from '../parsing/unreadable.ts';

/** One page of a list that the campus hands out in pages. */
export interface ListPage<T> {
  readonly rows: readonly T[];
  /** Rows on the page, unusable ones included: what paging has to count. */
  readonly received: number;
  /** Rows of all pages as stated, null where the campus does not say. */
  readonly total: number | null;
}

const mostPages = 40;

const complete = (page: ListPage<unknown>, received: number, pageSize: number): boolean => {
  if (page.received === 0) return true;
  // Without a total, or with one that the rows prove wrong, a full page may have another one behind it.
  const isStated = page.total !== null && page.total >= received;
  return isStated ? received === page.total : page.received < pageSize;
};

/**
 * Reads pages, from 1, until the stated total was received or a page is empty.
 * @param what names the list in the log, e.g. `score`
 * @throws Failure `upstream-unreadable` when that does not come to an end: a list is never cut silently; and when there
 *   are no rows although a total is stated
 */
export const readAllPages = async <T>(
  what: string,
  pageSize: number,
  read: (page: number) => Promise<ListPage<T>>,
): Promise<readonly T[]> => {
  const rows: T[] = [];
  let received = 0;
  let previous = '';
  for (let number = 1; number <= mostPages; number += 1) {
    const page = await read(number);
    received += page.received;
    // Later pages may be empty, because rows go meanwhile; no rows at all and a total contradict each other.
    if (received === 0 && (page.total ?? 0) > 0) throw unreadable('academics', `no ${what} rows in spite of a total`);
    // A student has a few hundred rows at most; more come from a page that ignores what it is asked.
    if (received > mostPages * pageSize) throw unreadable('academics', `more ${what} rows than pages can hold`);
    // An upstream that ignores the page number would otherwise be shown as the first page many times over.
    const content = JSON.stringify(page.rows);
    if (page.rows.length > 0 && content === previous) throw unreadable('academics', `${what} page repeats itself`);
    previous = content;
    rows.push(...page.rows);
    if (complete(page, received, pageSize)) return rows;
  }
  throw unreadable('academics', `${what} pages do not end`);
};

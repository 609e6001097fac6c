import type { PageInfo } from '../../domain/labor-club/types.ts';
import { isRecord } from '../../lib/records.ts';
import { int, type JsonObject } from '../parsing/scalars.ts';
import { unreadable } from '../parsing/unreadable.ts';

/** What a list answer says of its pages. */
export interface StatedPage {
  /** Null when the answer has none. */
  readonly page: PageInfo | null;
  /** Rows over all pages; null when the answer does not state them. */
  readonly total: number | null;
}

/** `{pageInfo: {TotalItemCount, PageSize, CurrentPageIndex}}` of a whole answer. */
export const pageInfoOf = ({ pageInfo }: JsonObject): StatedPage => {
  if (!isRecord(pageInfo)) return { page: null, total: null };
  const { TotalItemCount, PageSize, CurrentPageIndex } = pageInfo;
  const stated = int(TotalItemCount, -1);
  return {
    page: { total: int(TotalItemCount), size: int(PageSize, 20), index: int(CurrentPageIndex, 1) },
    total: stated >= 0 ? stated : null,
  };
};

/** @throws Failure `upstream-unreadable` for a first page that counts rows and has none: an empty list would hide them */
export const checkFirstPage = (received: number, total: number | null): void => {
  if (received === 0 && (total ?? 0) > 0) throw unreadable('labor-club', 'no rows in spite of a total');
};

/** Without a word from the campus, what is known is: the pages before were full. */
export const guessedPage = (index: number, size: number, received: number): PageInfo => ({
  total: received === 0 ? 0 : (index - 1) * size + received,
  size,
  index,
});

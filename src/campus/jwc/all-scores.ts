import type { ScoreRecord } from '../../domain/academics/types.ts';
import { unreadable } from '../parsing/unreadable.ts';
import type { ScoreAnswer } from './parse-score-data.ts';

export const pageSize = 50;
const mostPages = 40;

type Page = Extract<ScoreAnswer, { kind: 'page' }>;

/** A student has a few hundred scores at most; more rows than this come from a page that ignores what it is asked. */
const mostRows = mostPages * pageSize;

const complete = (page: Page, received: number): boolean => {
  if (page.received === 0) return true;
  // Without a total, a full page may have another one behind it.
  return page.totalStated ? received >= page.page.totalCount : page.received < pageSize;
};

/**
 * Reads pages, from 1, until the stated total was received or a page is empty.
 * @throws Failure `upstream-unreadable` when that does not come to an end: a list is never cut silently
 */
export const readAllPages = async (read: (page: number) => Promise<Page>): Promise<readonly ScoreRecord[]> => {
  const records: ScoreRecord[] = [];
  let received = 0;
  let previous = '';
  for (let number = 1; number <= mostPages; number += 1) {
    const page = await read(number);
    received += page.received;
    if (received > mostRows) throw unreadable('academics', 'more scores than pages can hold');
    // An upstream that ignores the page number would otherwise be shown as the first page many times over.
    const content = JSON.stringify(page.page.records);
    if (page.page.records.length > 0 && content === previous)
      throw unreadable('academics', 'score page repeats itself');
    previous = content;
    records.push(...page.page.records);
    if (complete(page, received)) return records;
  }
  throw unreadable('academics', 'score pages do not end');
};

import { type CampusSystem, Failure } from '../domain/errors.ts';
import type { PageReader } from './parsing/page-reader.ts';
import { unreadable } from './parsing/values.ts';
import type { UpstreamRequest, UpstreamSession } from './session/upstream-session.ts';

/** Parses the answer to a request, and reports unusable rows. */
export const readAnswer = async <T>(
  session: UpstreamSession,
  request: UpstreamRequest,
  parser: PageReader<T>,
): Promise<T> => {
  const answer = await session.parse(parser, await session.text(request));
  const isCounted = typeof answer === 'object' && answer !== null && 'dropped' in answer;
  if (isCounted && typeof answer.dropped === 'number') session.dropped(request.page, answer.dropped);
  return answer;
};

/**
 * All values, or one error after every work has ended: nothing of this call is still under way when it ends or is
 * repeated. What is not a `Failure` goes first, because it is the session core's own signal (a dead session).
 */
export const allEnded = async <T extends readonly unknown[] | []>(
  works: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> => {
  const outcomes = await Promise.allSettled(works);
  const errors: unknown[] = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  if (errors.length > 0) throw errors.find((error) => !(error instanceof Failure)) ?? errors[0];
  return Promise.all(works);
};

/** One page of a list that the campus hands out in pages. */
export interface ListPage<T> {
  readonly rows: readonly T[];
  /** Rows on the page, unusable ones included: what paging has to count. */
  readonly received: number;
  /** Rows of all pages as stated, null where the campus does not say. */
  readonly total: number | null;
}

interface Paging {
  readonly system: CampusSystem;
  /** Names the list in the log, e.g. `score`. */
  readonly what: string;
  /** Rows that a page is asked for. */
  readonly size: number;
  readonly mostPages: number;
  /** The application shows its last page for every number after it: without a total that is where the list ends. */
  readonly repeatsLast?: boolean;
}

interface AllPages<T> {
  readonly pages: ReadonlyArray<readonly T[]>;
  /** Pages asked for. */
  readonly asked: number;
  /** As the last page states it. */
  readonly total: number | null;
}

/**
 * Reads pages, from 1, until the stated total was received or a page is empty; without a usable total, until a page is
 * not full.
 * @throws Failure `upstream-unreadable` when that does not come to an end or a page comes again: a list is never cut
 *   silently; and when there are no rows although a total is stated
 */
export const readAllPages = async <T>(
  { system, what, size, mostPages, repeatsLast = false }: Paging,
  read: (page: number) => Promise<ListPage<T>>,
): Promise<AllPages<T>> => {
  const pages: Array<readonly T[]> = [];
  let received = 0;
  let previous = '';
  for (let asked = 1; asked <= mostPages; asked += 1) {
    const { rows, total, ...page } = await read(asked);
    received += page.received;
    // Later pages may be empty, because rows go in between; no rows at all and a total contradict each other.
    if (received === 0 && (total ?? 0) > 0) throw unreadable(system, `no ${what} rows in spite of a total`);
    // More come from an upstream that ignores the page size.
    if (received > mostPages * size) throw unreadable(system, `more ${what} rows than pages can hold`);
    // An upstream that ignores the page number would otherwise be shown as the first page many times over.
    const content = JSON.stringify(rows);
    const repeated = rows.length > 0 && content === previous;
    if (repeated && repeatsLast && total === null) return { pages, asked, total };
    if (repeated) throw unreadable(system, `${what} page repeats itself`);
    previous = content;
    pages.push(rows);
    // A total that the rows contradict says nothing about further pages.
    const isLast = total !== null && total >= received ? received === total : page.received < size;
    if (page.received === 0 || isLast) return { pages, asked, total };
  }
  throw unreadable(system, `${what} pages do not end`);
};

/** The rows of all pages. A row that slid over a page break while they were read is taken once. */
export const rowsOfPages = <T extends { readonly ID: string }>(pages: ReadonlyArray<readonly T[]>): T[] => {
  const earlier = new Set<string>();
  return pages.flatMap((rows) => {
    const fresh = rows.filter(({ ID }) => ID === '' || !earlier.has(ID));
    for (const { ID } of fresh) earlier.add(ID);
    return fresh;
  });
};

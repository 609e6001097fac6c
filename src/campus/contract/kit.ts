import { type CampusSystem, type Failure, type FailureKind, isFailure } from '../../domain/errors.ts';
import { type PageReader, unreadable } from '../parsing/reading.ts';
import type { UpstreamRequest, UpstreamSession } from './upstream-session.ts';

/** Asks, parses the answer, and reports unusable rows. */
export const readAnswer = async <T>(
  session: UpstreamSession,
  request: UpstreamRequest,
  parser: PageReader<T>,
): Promise<T> => {
  const answer = await session.parse(parser, await session.text(request));
  const isCounted = typeof answer === 'object' && answer !== null && 'dropped' in answer;
  if (isCounted && typeof answer.dropped === 'number') session.noteDropped(request.page, answer.dropped);
  return answer;
};

/** Failures that concern one answer. A failed sign-in, a client that left and the like concern the whole call. */
const ofOneAnswer: FailureKind[] = [
  'upstream-unavailable',
  'upstream-unreadable',
  'upstream-refused',
  'upstream-empty',
  'timed-out',
];

const withPart = (cause: Failure, part: string): Failure => cause.with({ part, cause });

/** True if the failure concerns this answer alone: others of the same call may still be good. */
export const isOfOneAnswer = (error: unknown): error is Failure => isFailure(error, ...ofOneAnswer);

/** Makes the failure of `work` tell which part of the operation it was; of the given kinds, or of any answer. */
export const nameFailures = async <T>(part: string, work: Promise<T>, kinds = ofOneAnswer): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (isFailure(error, ...kinds) && error.part === undefined) throw withPart(error, part);
    throw error;
  }
};

/** Waits for all work, then throws; a non-`Failure` first, because it is the session core's sign of a dead session. */
export const awaitAll = async <T extends readonly unknown[] | []>(
  works: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> => {
  const outcomes = await Promise.allSettled(works);
  const errors: unknown[] = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  if (errors.length > 0) throw errors.find((error) => !isFailure(error)) ?? errors[0];
  return Promise.all(works);
};

/** One page of a list that comes in pages. */
export interface ListPage<T> {
  readonly rows: readonly T[];
  /** Rows on the page, unusable ones included. */
  readonly received: number;
  /** Rows of all pages; null: the campus does not say. */
  readonly total: number | null;
}

interface ListPaging {
  readonly system: CampusSystem;
  /** The name of the list in the log, e.g. `score`. */
  readonly what: string;
  readonly size: number;
  readonly mostPages: number;
  /** The application repeats its last page for every number after it. */
  readonly repeatsLast?: boolean;
}

interface AllPages<T> {
  readonly pages: ReadonlyArray<readonly T[]>;
  readonly asked: number;
  /** Stated by the last page. */
  readonly total: number | null;
}

/**
 * Reads pages from 1 until the stated total was received or a page is empty; without a usable total, until one is not
 * full.
 * @throws Failure `upstream-unreadable` where pages do not end or come again, because a list is never cut silently
 */
export const readAllPages = async <T>(
  { system, what, size, mostPages, repeatsLast = false }: ListPaging,
  read: (page: number) => Promise<ListPage<T>>,
): Promise<AllPages<T>> => {
  const pages: Array<readonly T[]> = [];
  let received = 0;
  let previous = '';
  for (let asked = 1; asked <= mostPages; asked += 1) {
    const { rows, total, ...page } = await read(asked);
    received += page.received;
    // Later pages may be empty, because rows are deleted in between.
    if (received === 0 && (total ?? 0) > 0) throw unreadable(system, `no ${what} rows in spite of a total`);
    // The upstream ignores the page size.
    if (received > mostPages * size) throw unreadable(system, `more ${what} rows than pages can hold`);
    // The upstream ignores the page number, and its first page would be shown many times.
    const content = JSON.stringify(rows);
    const repeated = rows.length > 0 && content === previous;
    if (repeated && repeatsLast && total === null) return { pages, asked, total };
    if (repeated) throw unreadable(system, `${what} page repeats itself`);
    previous = content;
    pages.push(rows);
    // A total below the received rows says nothing about further pages.
    const isLast = total !== null && total >= received ? received === total : page.received < size;
    if (page.received === 0 || isLast) return { pages, asked, total };
  }
  throw unreadable(system, `${what} pages do not end`);
};

/** Joins the rows of all pages. A row that slid over a page break between two requests counts once. */
export const rowsOfPages = <T extends { readonly ID: string }>(pages: ReadonlyArray<readonly T[]>): T[] => {
  const earlier = new Set<string>();
  return pages.flatMap((rows) => {
    const fresh = rows.filter(({ ID }) => ID === '' || !earlier.has(ID));
    for (const { ID } of fresh) earlier.add(ID);
    return fresh;
  });
};

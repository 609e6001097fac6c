import { failures, isFailure } from '../../../domain/errors.ts';
import { readAnswer } from '../../contract/kit.ts';
import type { PageText, UpstreamRequest, UpstreamSession } from '../../contract/upstream-session.ts';
import type { PageReader } from '../../parsing/reading.ts';

/** Tells the campus gateway that a script asks; its position differs from request to request. */
export const ajax = ['sf_request_type', 'ajax'] as const;

type RequestExtras = Pick<UpstreamRequest, 'method' | 'slow' | 'whole' | 'write' | 'once' | 'referer'>;

/** Builds a request that a script of the site would send; with a form it is a POST. */
export const dataRequest = (
  page: string,
  path: string,
  form?: UpstreamRequest['form'],
  more: Partial<RequestExtras> = {},
): UpstreamRequest => ({
  page,
  method: form ? 'POST' : 'GET',
  path,
  form,
  headers: {
    accept: 'application/json, text/javascript, */*; q=0.01',
    'x-requested-with': 'XMLHttpRequest',
  },
  expect: 'json',
  ...more,
});

/** A page of the site as a browser asks for it. */
export const pageRequest = (
  page: string,
  path: string,
  alive: UpstreamRequest['alive'],
  more: Partial<RequestExtras> & Pick<UpstreamRequest, 'form'> = {},
): UpstreamRequest => ({
  page,
  method: 'GET',
  path,
  headers: { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' },
  expect: 'page',
  alive,
  ...more,
});

/** A page that hands out the segment which its data address needs. */
export interface SegmentPage {
  /** Its `page` names the stored segment, and the queue in which loads of this page wait for each other. */
  readonly request: UpstreamRequest;
  readonly parse: PageReader<string>;
}

/** The segment is no longer good, or the application refused. */
export const staleAnswer = (message = '') => ({ kind: 'stale', message }) as const;

type Stale = ReturnType<typeof staleAnswer>;

/** Needs the queue of this page: of two loads at once the second would retire the segment of the first. */
const loadSegment = async (session: UpstreamSession, page: SegmentPage): Promise<string> => {
  const segment = await readAnswer(session, page.request, page.parse);
  session.memo.set(page.request.page, segment);
  return segment;
};

const segmentOf = async (session: UpstreamSession, page: SegmentPage): Promise<string> => {
  const known = session.memo.get(page.request.page);
  if (known !== undefined) return known;
  using _turn = await session.takeTurn(page.request.page);
  return session.memo.get(page.request.page) ?? (await loadSegment(session, page));
};

/** Loads the page for what else is on it. Every load retires the earlier segment, so the new one is stored, if any. */
export const loadPage = async (session: UpstreamSession, page: SegmentPage): Promise<PageText> => {
  using _turn = await session.takeTurn(page.request.page);
  const text = await session.text(page.request);
  const retired = session.memo.get(page.request.page);
  if (retired !== undefined) session.memo.drop(page.request.page, retired);
  try {
    session.memo.set(page.request.page, await session.parse(page.parse, text));
  } catch (error) {
    if (!isFailure(error, 'upstream-unreadable')) throw error;
  }
  return text;
};

const isStale = (answer: { readonly kind: string }): answer is Stale => answer.kind === 'stale';

/**
 * Asks with the stored segment of the session; a stale answer is asked once more with a new one. The second time no other
 * call loads the page in between: the list of terms is on it too, and would retire the new segment.
 * @throws Failure `upstream-refused` when the answer to a new segment is stale as well
 */
export const withSegment = async <A extends { readonly kind: string }>(
  session: UpstreamSession,
  page: SegmentPage,
  ask: (segment: string) => Promise<A | Stale>,
): Promise<A> => {
  const segment = await segmentOf(session, page);
  const first = await ask(segment);
  if (!isStale(first)) return first;
  using _turn = await session.takeTurn(page.request.page);
  const known = session.memo.get(page.request.page);
  if (known === segment) session.memo.drop(page.request.page, segment);
  const newer = known === undefined || known === segment ? await loadSegment(session, page) : known;
  const second = await ask(newer);
  if (!isStale(second)) return second;
  throw failures.upstreamRefused('academics', `${page.request.page} refused twice`, {
    upstreamMessage: second.message || undefined,
  });
};

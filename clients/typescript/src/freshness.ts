/** How old an answer may be; docs/use/freshness.md has the meaning of each word. Seconds. */
export interface Freshness {
  /** A copy younger than this will do. */
  readonly maxAge?: number;
  /** Beyond its freshness a copy may be so much older; `true`: any. */
  readonly maxStale?: number | true;
  /** When the campus fails, a copy up to so old; 0 refuses the one that the operator allows. */
  readonly staleIfError?: number;
  /** A copy so much beyond its freshness is answered at once, and read again behind the answer; 0: never. */
  readonly staleWhileRevalidate?: number;
  /** Ask the campus. Sent as `max-age=0`: `fetch` adds `no-cache` by itself to calls with `If-None-Match`. */
  readonly noCache?: boolean;
  /** A copy or nothing: the campus is not asked, and without a copy the code is `NO_COPY`. */
  readonly onlyIfCached?: boolean;
  /** What is read is not kept. */
  readonly noStore?: boolean;
}

/**
 * The headers of a call. `only-if-cached` goes as `X-Copy`, because some HTTP libraries answer the directive themselves.
 */
export const freshnessHeaders = (freshness: Freshness = {}): Record<string, string> => {
  const { maxAge, maxStale, staleIfError, staleWhileRevalidate, noCache, onlyIfCached, noStore } = freshness;
  const directives = [
    noStore ? 'no-store' : '',
    noCache ? 'max-age=0' : maxAge === undefined ? '' : `max-age=${maxAge}`,
    maxStale === undefined ? '' : maxStale === true ? 'max-stale' : `max-stale=${maxStale}`,
    staleIfError === undefined ? '' : `stale-if-error=${staleIfError}`,
    staleWhileRevalidate === undefined ? '' : `stale-while-revalidate=${staleWhileRevalidate}`,
  ].filter((directive) => directive !== '');
  return {
    ...(directives.length === 0 ? {} : { 'Cache-Control': directives.join(', ') }),
    ...(onlyIfCached ? { 'X-Copy': 'only' } : {}),
  };
};

import type { IncomingHttpHeaders } from 'node:http';
import { type CacheDirectives, noDirectives } from '../../domain/context.ts';

const LONGEST = 1_024;
const MOST_SECONDS = 2_147_483_648;

/** Matches a name between commas with its optional argument, which may be quoted. */
const directive =
  /(?<=^|,)\s*([!#$%&'*+.^_`|~0-9a-z-]+)(?:=(?:"((?:[^"\\]|\\.)*)"|([!#$%&'*+.^_`|~0-9a-z-]+)))?[ \t]*(?=,|$)/gi;

/** Maps names in lower case to their first argument (null: none), ignoring what is not in the form of a directive. */
const directivesOf = (header: string): ReadonlyMap<string, string | null> => {
  const found = new Map<string, string | null>();
  for (const [, name = '', quoted, token] of header.toLowerCase().matchAll(directive)) {
    if (!found.has(name)) found.set(name, quoted ?? token ?? null);
  }
  return found;
};

const secondsOf = (text: string | null | undefined): number | null =>
  text !== null && text !== undefined && /^\d{1,16}$/.test(text) ? Math.min(Number(text), MOST_SECONDS) : null;

/** True if the headers are no more than what `fetch` adds to a call with `If-None-Match`. */
const isFromFetch = (headers: IncomingHttpHeaders): boolean =>
  headers['cache-control'] === 'no-cache' && headers.pragma === 'no-cache' && headers['if-none-match'] !== undefined;

/** Parses `Cache-Control` (RFC 9111, RFC 5861) and `X-Copy`, ignoring what is unknown or malformed. */
export const cacheDirectivesOf = (headers: IncomingHttpHeaders): CacheDirectives => {
  const { 'cache-control': control, 'x-copy': copy } = headers;
  const copyOnly = typeof copy === 'string' && copy.trim().toLowerCase() === 'only';
  if (control === undefined || control.length > LONGEST) {
    return copyOnly ? { ...noDirectives, onlyIfCached: true } : noDirectives;
  }
  const said = directivesOf(control);
  const flag = (name: string) => said.get(name) === null;
  return {
    noCache: flag('no-cache'),
    noCacheOfFetch: isFromFetch(headers),
    maxAge: secondsOf(said.get('max-age')),
    maxStale: flag('max-stale') ? Number.POSITIVE_INFINITY : secondsOf(said.get('max-stale')),
    onlyIfCached: copyOnly || flag('only-if-cached'),
    staleIfError: secondsOf(said.get('stale-if-error')),
    staleWhileRevalidate: secondsOf(said.get('stale-while-revalidate')),
    noStore: flag('no-store'),
  };
};

import type { IncomingHttpHeaders } from 'node:http';
import { nothingSaid, type ReadWish } from '../../domain/reads/types.ts';

/** A header of this length says nothing that is known. */
const LONGEST = 1_024;
const MOST_SECONDS = 2_147_483_648;

const directive =
  /[\s,]*([!#$%&'*+.^_`|~0-9a-z-]+)(?:=(?:"((?:[^"\\]|\\.)*)"|([!#$%&'*+.^_`|~0-9a-z-]+)))?[ \t]*(?=,|$)/iy;

/** Names in lower case, each with its argument (null: none). What has not the form of a directive is left out. */
const directivesOf = (header: string): Map<string, string | null> => {
  const found = new Map<string, string | null>();
  for (let at = 0; at < header.length; ) {
    directive.lastIndex = at;
    const match = directive.exec(header);
    if (match === null) {
      const comma = header.indexOf(',', at + 1);
      if (comma === -1) break;
      at = comma;
      continue;
    }
    at = directive.lastIndex;
    const name = match[1]?.toLowerCase() ?? '';
    if (!found.has(name)) found.set(name, match[2] ?? match[3] ?? null);
  }
  return found;
};

const secondsOf = (text: string | null | undefined): number | null =>
  text !== null && text !== undefined && /^\d{1,16}$/.test(text) ? Math.min(Number(text), MOST_SECONDS) : null;

/** The pair that `fetch` adds to a call with `If-None-Match`, and nothing else. */
const isOfFetch = (headers: IncomingHttpHeaders): boolean =>
  headers['cache-control'] === 'no-cache' && headers.pragma === 'no-cache' && headers['if-none-match'] !== undefined;

/**
 * What the request directives of RFC 9111 and RFC 5861 in `Cache-Control`, and `X-Copy`, ask for. What is unknown or
 * malformed is ignored.
 */
export const readWishOf = (headers: IncomingHttpHeaders): ReadWish => {
  const { 'cache-control': control, 'x-copy': copy } = headers;
  const copyOnly = typeof copy === 'string' && copy.trim().toLowerCase() === 'only';
  if (control === undefined || control.length > LONGEST) {
    return copyOnly ? { ...nothingSaid, onlyIfCached: true } : nothingSaid;
  }
  const said = directivesOf(control);
  const flag = (name: string) => said.get(name) === null;
  return {
    noCache: flag('no-cache'),
    noCacheOfFetch: isOfFetch(headers),
    maxAge: secondsOf(said.get('max-age')),
    maxStale: flag('max-stale') ? Number.POSITIVE_INFINITY : secondsOf(said.get('max-stale')),
    onlyIfCached: copyOnly || flag('only-if-cached'),
    staleIfError: secondsOf(said.get('stale-if-error')),
    staleWhileRevalidate: secondsOf(said.get('stale-while-revalidate')),
    noStore: flag('no-store'),
  };
};

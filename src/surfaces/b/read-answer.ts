import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { nothingSaid, type ReadWish } from '../../domain/context.ts';
import type { ReadSummary } from '../../domain/reads/call-reads.ts';
import type { EntityTags } from '../../domain/reads/entity-tags.ts';
import { isKnownTo, KnownAnswers } from '../../platform/call/read-answers.ts';
import type { Envelopes } from './envelope.ts';

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
 * Reads the wishes of a call from `Cache-Control` (RFC 9111, RFC 5861) and `X-Copy`. What is unknown or
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

interface Deps {
  readonly envelopes: Envelopes;
  readonly entityTags: EntityTags;
}

const isEmpty = (value: unknown): boolean => {
  for (const _ in Object(value)) return false;
  return true;
};

/** Path and query as one text. */
const askedOf = ({ params, query }: FastifyRequest): string =>
  isEmpty(params) && isEmpty(query) ? '[{},{}]' : JSON.stringify([params, query]);

/**
 * Answers that are not older than their freshness: with a tag, and 304 to clients that have them, words included.
 *
 * @param ofOneRead the data is made of the value of one read, path and query, and of nothing else
 */
export const createReadAnswers = ({ envelopes, entityTags }: Deps, operationId: string, ofOneRead: boolean) => {
  const answers = new KnownAnswers();
  return (
    request: FastifyRequest,
    reply: FastifyReply,
    { only, source }: ReadSummary,
    { accepted, message, data }: { readonly accepted: boolean; readonly message: string; readonly data: unknown },
  ): unknown => {
    const asked = askedOf(request);
    const { userid } = request.call.student;
    // Most of what is read at the campus is answered once; a copy is answered again.
    const value = ofOneRead && source === 'copy' ? only : null;
    const answer = answers.of(value, `${userid} ${asked}`, () => {
      return `W/"${entityTags(userid, [operationId, asked, JSON.stringify([accepted, message, data])])}"`;
    });
    reply.header('cache-control', 'private, no-cache').header('etag', answer.tag);
    if (reply.hasHeader('vary')) reply.vary('Authorization');
    else reply.header('vary', 'Authorization');
    if (isKnownTo(request.headers['if-none-match'], answer.tag)) {
      reply.code(304);
      return undefined;
    }

    const envelope = envelopes.decision(accepted, message, data);
    if (value === null) return envelope;
    // Every answer ends with its time.
    const text = answer.text(`${envelope.timestamp}"}`, () => reply.serialize(envelope));
    if (text === null) return envelope;
    reply.header('content-type', 'application/json; charset=utf-8');
    return text;
  };
};

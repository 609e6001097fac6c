import type { FastifyInstance } from 'fastify';
import { refuseStructure } from '../../platform/limits/json-structure.ts';
import { RequestInvalid } from '../../platform/requests/findings.ts';
import { unreadBody } from '../../platform/requests/validation.ts';
import { malformedJson } from './error-handler.ts';

export type ReceivedBody =
  | { readonly kind: 'absent' }
  | { readonly kind: 'json'; readonly value: unknown }
  /** `offset` counts characters from 0; 0 when the place is unknown. */
  | { readonly kind: 'malformed'; readonly offset: number }
  /** Another content type than JSON. The text itself is of no use and may hold secrets, so it is not kept. */
  | { readonly kind: 'text' };

const jsonType = /^\s*application\/(?:json|[^\s;,]+\+json)\s*(?:;|$)/i;
const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Where the runtime's parser gave up. Its message quotes the body in some variants, so only the fixed tail is read:
 * a number inside a quotation must not pass for a position.
 */
const offsetOf = (error: unknown, text: string): number => {
  const message = error instanceof Error ? error.message : '';
  if (message === 'Unexpected end of JSON input') return text.length;
  const place = / in JSON at position (\d+)(?: \(line \d+ column \d+\))?$/.exec(message)?.[1];
  return place === undefined ? 0 : Math.min(Number(place), text.length);
};

/** Bytes and content type in, body out; never throws. A missing content type counts as JSON. */
export const receiveBody = (bytes: Uint8Array, contentType: string | undefined): ReceivedBody => {
  if (bytes.length === 0) return { kind: 'absent' };
  if (contentType !== undefined && contentType.trim() !== '' && !jsonType.test(contentType)) return { kind: 'text' };
  let text: string;
  try {
    // A byte order mark is dropped by the decoder.
    text = decoder.decode(bytes);
  } catch {
    return { kind: 'malformed', offset: 0 };
  }
  try {
    const value: unknown = JSON.parse(text);
    return { kind: 'json', value };
  } catch (error) {
    return { kind: 'malformed', offset: offsetOf(error, text) };
  }
};

/** Returns the value to validate. Malformed JSON does not throw, because the framework ends the connection after a parser's error. */
export const bodyValue = (body: ReceivedBody): unknown => {
  switch (body.kind) {
    case 'json':
      return body.value;
    case 'absent':
      return null;
    case 'text':
      return unreadBody;
    case 'malformed':
      return new RequestInvalid([malformedJson(body.offset)]);
  }
};

/** Replaces the framework's parsers: it answers 400 and 415 where this surface owes a list of validation errors. */
export const readBodiesOf = (scope: FastifyInstance): void => {
  scope.removeAllContentTypeParsers();
  // Named beside all others because the framework remembers the parser of a type that has a name.
  scope.addContentTypeParser<Buffer>(['application/json', '*'], { parseAs: 'buffer' }, (request, bytes, done) => {
    const refusal = refuseStructure(request, bytes);
    if (refusal) done(refusal, undefined);
    else done(null, bodyValue(receiveBody(bytes, request.headers['content-type'])));
  });
};

import type { FastifyInstance } from 'fastify';
import { refuseStructure } from '../../platform/limits/json-structure.ts';
import { RequestInvalid } from '../../platform/requests/findings.ts';
import { unreadBody } from '../../platform/requests/validation.ts';
import { malformedJson } from './error-handler.ts';

const jsonType = /^\s*application\/(?:json|[^\s;,]+\+json)\s*(?:;|$)/i;
const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Where the runtime's parser gave up, in characters from 0; 0 when the place is unknown. Its message quotes the body in
 * some variants, so only the fixed tail is read: a number inside a quotation must not pass for a position.
 */
const offsetOf = (error: unknown, text: string): number => {
  const message = error instanceof Error ? error.message : '';
  if (message === 'Unexpected end of JSON input') return text.length;
  const place = / in JSON at position (\d+)(?: \(line \d+ column \d+\))?$/.exec(message)?.[1];
  return place === undefined ? 0 : Math.min(Number(place), text.length);
};

/**
 * The value to validate; a missing content type counts as JSON. Malformed JSON is returned and not thrown, because the
 * framework ends the connection after a parser's error. The text of another type may hold secrets, so it is not kept.
 */
export const receiveBody = (bytes: Uint8Array, contentType: string | undefined): unknown => {
  if (bytes.length === 0) return null;
  if (contentType !== undefined && contentType.trim() !== '' && !jsonType.test(contentType)) return unreadBody;
  let text = '';
  try {
    // A byte order mark is dropped by the decoder.
    text = decoder.decode(bytes);
    return JSON.parse(text);
  } catch (error) {
    return new RequestInvalid([malformedJson(offsetOf(error, text))]);
  }
};

/** Replaces the framework's parsers: it answers 400 and 415 where this surface owes a list of validation errors. */
export const readBodiesOf = (scope: FastifyInstance): void => {
  scope.removeAllContentTypeParsers();
  // Named beside all others because the framework remembers the parser of a type that has a name.
  scope.addContentTypeParser<Buffer>(['application/json', '*'], { parseAs: 'buffer' }, (request, bytes, done) => {
    const refusal = refuseStructure(request, bytes);
    if (refusal) done(refusal, undefined);
    else done(null, receiveBody(bytes, request.headers['content-type']));
  });
};

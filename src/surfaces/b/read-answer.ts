import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ReadSummary } from '../../domain/reads/call-reads.ts';
import type { EntityTags } from '../../domain/reads/entity-tags.ts';
import { isKnownTo } from '../../platform/call/entity-tag.ts';
import { KnownAnswers } from '../../platform/call/known-answers.ts';
import type { Envelopes } from './envelope.ts';

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
 * Answers that are not older than their freshness: with a tag, and 304 to whoever has them already, words included.
 *
 * @param ofOneRead the data is made of the value of one read, path and query, and of nothing else
 */
export const createReadAnswers = ({ envelopes, entityTags }: Deps, operationId: string, ofOneRead: boolean) => {
  const known = new KnownAnswers();
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
    const answer = known.of(value, `${userid} ${asked}`, () => {
      return `W/"${entityTags(userid, [operationId, asked, JSON.stringify([accepted, message, data])])}"`;
    });
    reply.header('Cache-Control', 'private, no-cache').header('ETag', answer.tag);
    if (reply.hasHeader('Vary')) reply.vary('Authorization');
    else reply.header('Vary', 'Authorization');
    if (isKnownTo(request.headers['if-none-match'], answer.tag)) return reply.code(304).send();

    const envelope = envelopes.decision(accepted, message, data);
    if (value === null) return envelope;
    // Every answer ends with its time.
    const text = answer.text(`${envelope.timestamp}"}`, () => reply.serialize(envelope));
    if (text === null) return envelope;
    reply.header('Content-Type', 'application/json; charset=utf-8');
    return text;
  };
};

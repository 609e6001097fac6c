import { Type } from '@sinclair/typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CalendarFeeds, Poll } from '../../../domain/calendar/feeds.ts';
import { isFailure } from '../../../domain/errors.ts';
import { isRecord } from '../../../lib/records.ts';
import { raceSignal } from '../../../lib/single-flight.ts';
import { contextOf } from '../../../platform/call-context.ts';
import { isKnownTo } from '../../../platform/entity-tag.ts';
import type { RequestLimits } from '../../../platform/limits.ts';
import { noteForLog } from '../../../platform/request-log.ts';
import { uncheckedRoute } from '../../../platform/validation.ts';
import type { Envelopes } from '../envelope.ts';
import { operationSchema } from '../operation-schema.ts';

const params = Type.Object({ secret: Type.String({ description: 'Out of the address of the feed.' }) });

const headers = {
  ETag: { type: 'string', description: 'Of the version; for `If-None-Match`.' },
  'Cache-Control': { type: 'string', description: 'Always `private, no-cache`.' },
};

const schemaOf = (envelopes: Envelopes) => {
  const { response, ...described } = operationSchema(
    {
      operationId: 'getCalendar',
      tag: 'Calendar feeds',
      summary: 'A calendar feed',
      description:
        'The iCalendar text (RFC 5545, RFC 7986) of a feed, for calendar programs; the address is all that is needed. Made of what is stored, the campus is not asked. While nothing has been read yet, a calendar without events that says so; when what was shown is lost, 503 and never a calendar without events.',
      params,
      data: Type.Unknown(),
      message: '',
      example: { data: null },
      failures: ['NOT_FOUND'],
    },
    '-',
    envelopes,
  );
  const { 200: _success, 400: _empty, 422: _invalid, ...failures } = Object(response);
  return {
    ...described,
    response: {
      200: { description: 'The calendar.', headers, content: { 'text/calendar': { schema: { type: 'string' } } } },
      304: { description: 'The program has this version already.', headers, type: 'null' },
      ...failures,
    },
  };
};

interface CalendarFileDeps {
  readonly calendarFeeds: CalendarFeeds;
  readonly limits: RequestLimits;
  readonly envelopes: Envelopes;
}

/**
 * Delivers feeds by their secret addresses. A good one is limited by itself, any other counts against its sender, for
 * whom the search for it waits in a line once he is over his limit.
 */
export const addCalendarFile = (
  scope: FastifyInstance,
  { calendarFeeds, limits, envelopes }: CalendarFileDeps,
): void => {
  const poll = async (request: FastifyRequest, secret: string): Promise<Poll> => {
    const isKnown = (tag: string): boolean => isKnownTo(request.headers['if-none-match'], tag);
    const { signal } = contextOf(request);
    try {
      return await limits.lookUp(request, () => raceSignal(calendarFeeds.poll(secret, isKnown), signal));
    } catch (error) {
      if (isFailure(error, 'feed-unknown')) limits.anonymous(request);
      throw error;
    }
  };
  const deliver = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    reply.header('X-Robots-Tag', 'noindex, nofollow');
    const secret = isRecord(request.params) ? String(request.params.secret) : '';
    const { id, tag, calendar } = await poll(request, secret);
    noteForLog(request, { feed: id });
    limits.known(secret);
    reply.header('ETag', tag).header('Cache-Control', 'private, no-cache');
    if (calendar === null) return reply.code(304).send();
    return reply.type('text/calendar; charset=utf-8').send(calendar);
  };
  const options = { schema: schemaOf(envelopes), validatorCompiler: uncheckedRoute, config: { bodyless: true } };
  scope.get('/calendar/:secret.ics', options, deliver);
};

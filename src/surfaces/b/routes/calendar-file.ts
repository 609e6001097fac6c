import { Type } from '@sinclair/typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CalendarFeeds, FoundFeed, Poll } from '../../../domain/calendar/feeds.ts';
import { isFailure } from '../../../domain/errors.ts';
import { text } from '../../../domain/record.ts';
import { isRecord } from '../../../lib/records.ts';
import { raceSignal } from '../../../lib/single-flight.ts';
import { isKnownTo } from '../../../platform/call/entity-tag.ts';
import type { RequestLimits } from '../../../platform/limits/limits.ts';
import { noteForLog } from '../../../platform/logs/request-log.ts';
import { uncheckedRoute } from '../../../platform/requests/validation.ts';
import { routeOf } from '../described.ts';
import type { Envelopes } from '../envelope.ts';
import { deliveryParameters, operationSchema } from '../operation-document.ts';

const params = Type.Object({
  secret: text('Out of the address of the feed.', 'ZXhhbXBsZS1zZWNyZXQtZm9yLXRoZS1kb2N1bWVudC0xMjM'),
});

const headers = {
  ETag: { type: 'string', description: 'Of the version; for `If-None-Match`.' },
  'Cache-Control': { type: 'string', description: 'Always `private, no-cache`.' },
};

const route = 'GET /calendar/:secret.ics';

const schemaOf = (envelopes: Envelopes) => {
  const { response, ...described } = operationSchema(
    {
      level: '-',
      route,
      operationId: 'getCalendar',
      tag: 'Calendar feeds',
      summary: 'A calendar feed',
      description:
        'The iCalendar text (RFC 5545, RFC 7986) of a feed, for calendar programs; the address is all that is needed. Made of what is stored, the campus is not asked. While nothing has been read yet, a calendar without events that says so; when what was shown is lost, 503 and never a calendar without events.',
      params,
      data: Type.Unknown(),
      message: '',
      example: { data: null },
      requestHeaders: deliveryParameters,
      failures: ['NOT_FOUND'],
    },
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

/**
 * Delivers feeds by their secret addresses. How often a good one is polled is limited by itself, any other counts against
 * its sender, for whom the search for it waits in a line once he is over his limit.
 */
export const addCalendarFile = (
  scope: FastifyInstance,
  calendarFeeds: CalendarFeeds,
  limits: RequestLimits,
  envelopes: Envelopes,
): void => {
  const find = async (request: FastifyRequest, secret: string): Promise<FoundFeed> => {
    try {
      return await limits.lookUp(request, () => request.call.race(calendarFeeds.find(secret)));
    } catch (error) {
      if (isFailure(error, 'feed-unknown')) limits.anonymous(request);
      throw error;
    }
  };
  const poll = async (request: FastifyRequest, secret: string): Promise<Poll> => {
    const isKnown = (tag: string): boolean => isKnownTo(request.headers['if-none-match'], tag);
    const { signal } = request.call;
    const feed = await find(request, secret);
    const { id, userid, name } = feed.stored;
    request.call.accessor = { userid, source: 'feed', id, name };
    noteForLog(request, { feed: id });
    await limits.turn(request, { userid, credential: id });
    return raceSignal(calendarFeeds.poll(feed, isKnown), signal);
  };
  const deliver = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    reply.header('X-Robots-Tag', 'noindex, nofollow');
    const secret = isRecord(request.params) ? String(request.params.secret) : '';
    const { tag, calendar } = await poll(request, secret);
    reply.header('ETag', tag).header('Cache-Control', 'private, no-cache');
    if (calendar === null) return reply.code(304).send();
    return reply.type('text/calendar; charset=utf-8').send(calendar);
  };
  const options = {
    schema: schemaOf(envelopes),
    validatorCompiler: uncheckedRoute,
    config: { bodyless: true, findsStudent: true, operation: 'getCalendar' },
  };
  scope.get(routeOf(route)[1], options, deliver);
};

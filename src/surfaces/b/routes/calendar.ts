import { Type } from '@sinclair/typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FoundFeed, Poll } from '../../../domain/calendar/feeds.ts';
import { type Feed, feedKinds, feedParts, offeredParts } from '../../../domain/calendar/kinds.ts';
import { isFailure } from '../../../domain/errors.ts';
import { literals, object, text, textOrNull } from '../../../domain/record.ts';
import { isKnownTo } from '../../../http/call/call.ts';
import { noteForLog } from '../../../http/logs/logger.ts';
import { raceSignal } from '../../../lib/single-flight.ts';
import { isRecord } from '../../../lib/text.ts';
import { campusTimestamp } from '../../../lib/time.ts';
import { delivery } from '../delivery.ts';
import type { SurfaceBDeps } from '../described.ts';
import { type Operation, operation } from '../operation.ts';
import { ifNoneMatch } from '../operation-document.ts';
import { Done, tellDone } from './account.ts';

const name = text('What calendar programs call it.', '我的课表', { minLength: 1, maxLength: 50 });

const parts = (limits: object, names = feedParts) =>
  Type.Array(literals(names), {
    ...limits,
    examples: [['classes', 'exams']],
    description: `What it holds, each once: ${names.map((part) => feedKinds[part].holds).join(', ')}.`,
  });

const alarm = {
  description: 'Minutes before the beginning at which programs remind of it; null: never.',
  examples: [15],
};

const feedMembers = {
  id: text('Names the feed; of no use for reading it.', '7d1f0a94c2b85e36'),
  name,
  include: parts({}),
  alarm_minutes: Type.Union([Type.Integer(), Type.Null()], alarm),
  created_at: text('In campus time.', '2026-03-18 10:00:00'),
};

const defaults = { level: 'T', tag: 'Calendar feeds', scope: 'login' } as const;

export const calendarOperations = ({ services, timeZone, publicUrl }: SurfaceBDeps): Operation[] => {
  const { calendarFeeds, campus } = services;
  const offered = offeredParts(campus);
  const names = offered.length > 0 ? offered : feedParts;
  const present = ({ id, name, parts, alarmMinutes, createdAt }: Feed) => ({
    id,
    name,
    include: [...parts],
    alarm_minutes: alarmMinutes,
    created_at: campusTimestamp(createdAt, timeZone),
  });
  return [
    operation('POST /calendar/feeds', 'createFeed', {
      ...defaults,
      summary: { en: 'New calendar feed', zh: '新建日历订阅' },
      description:
        'Makes a secret address that calendar programs can subscribe to; see `docs/use/calendar.md`. A feed shows what calls of the student have read lately and never asks the campus. It goes on after a logout, until it is deleted. At most ten.',
      needs: offered.length > 0 ? [] : feedKinds.classes.needs,
      body: object('FeedRequest', 'A calendar feed to be made.', {
        name,
        include: parts({ minItems: 1, maxItems: names.length, uniqueItems: true }, names),
        alarm_minutes: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 1440 }), Type.Null()], alarm)),
      }),
      data: object('CreatedFeed', 'A calendar feed with its address.', {
        ...feedMembers,
        url: text(
          'The address to subscribe to. It is a secret, and shown this once.',
          'https://campus.example.edu/calendar/ZXhhbXBsZS1zZWNyZXQtZm9yLXRoZS1kb2N1bWVudC0xMjM.ics',
        ),
      }),
      message: '日历订阅创建成功',
      failures: ['FEED_LIMIT'],
      run: async (call) => {
        const { name, include, alarm_minutes: alarmMinutes = null } = call.body;
        const { feed, secret } = await calendarFeeds.create(call.student, { name, parts: include, alarmMinutes });
        return { ...present(feed), url: `${publicUrl() ?? ''}/calendar/${secret}.ics` };
      },
    }),
    operation('GET /calendar/feeds', 'listFeeds', {
      ...defaults,
      summary: { en: 'Calendar feeds of the student', zh: '我的日历订阅' },
      description: 'Without their addresses, which are told once, when a feed is made.',
      data: object('FeedList', 'The calendar feeds of the student.', {
        feeds: Type.Array(
          object('Feed', 'A calendar feed.', {
            ...feedMembers,
            last_polled_at: textOrNull(
              'When a program last asked for it, to the hour and not before `created_at`; null: never.',
              '2026-03-18 09:00:00',
            ),
          }),
          { description: 'The oldest first.' },
        ),
      }),
      message: '获取日历订阅成功',
      run: async (call) => {
        const feeds = await calendarFeeds.list(call.student);
        return {
          feeds: feeds.map((feed) => ({
            ...present(feed),
            last_polled_at: feed.polledAt === null ? null : campusTimestamp(feed.polledAt, timeZone),
          })),
        };
      },
    }),
    operation('DELETE /calendar/feeds/:id', 'deleteFeed', {
      ...defaults,
      summary: { en: 'Delete a calendar feed', zh: '删除日历订阅' },
      description: 'Its address answers 404 from then on.',
      params: Type.Object({ id: text('Id of a feed.', '7d1f0a94c2b85e36') }),
      data: Done,
      message: '日历订阅已删除',
      run: async (call) => tellDone(await calendarFeeds.revoke(call.student, call.params.id)),
    }),
  ];
};

const params = Type.Object({
  secret: text('Out of the address of the feed.', 'ZXhhbXBsZS1zZWNyZXQtZm9yLXRoZS1kb2N1bWVudC0xMjM'),
});

const headers = {
  ETag: { type: 'string', description: 'Of the version; for `If-None-Match`.' },
  'Cache-Control': { type: 'string', description: 'Always `private, no-cache`.' },
};

const described = {
  level: '-',
  tag: 'Calendar feeds',
  summary: { en: 'A calendar feed', zh: '日历订阅的内容' },
  description:
    'The iCalendar text (RFC 5545, RFC 7986) of a feed, for calendar programs; the address is all that is needed. Made of what is stored, the campus is not asked. While nothing has been read yet, a calendar without events that says so; when what was shown is lost, 503 and never a calendar without events.',
  params,
  requestHeaders: { 'If-None-Match': ifNoneMatch },
  delivered: {
    200: { description: 'The calendar.', headers, content: { 'text/calendar': { schema: { type: 'string' } } } },
    304: { description: 'The program has this version already.', headers, type: 'null' },
  },
} as const;

/** A valid address has its own limit. Any other counts against its sender, whose look-ups wait once over the limit. */
export const addCalendarFile = (scope: FastifyInstance, deps: SurfaceBDeps): void => {
  const { calendarFeeds } = deps.services;
  const { limits } = deps.http;
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
    const { id, userid } = feed.stored;
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
  const declared = { ...described, config: { findsStudent: true }, handler: deliver };
  delivery('GET /calendar/:secret.ics', 'getCalendar', declared).add(scope, deps);
};

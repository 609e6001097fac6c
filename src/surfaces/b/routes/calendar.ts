import { Type } from '@sinclair/typebox';
import type { CalendarFeeds } from '../../../domain/calendar/feeds.ts';
import { type Feed, type FeedPart, feedKinds, feedParts, offeredParts } from '../../../domain/calendar/kinds.ts';
import type { CampusFacts } from '../../../domain/capabilities.ts';
import { object, text, textOrNull } from '../../../domain/record.ts';
import { campusTimestamp } from '../../../lib/campus-time.ts';
import { type Operation, operation } from '../operation.ts';
import { Done } from './account.ts';

const name = Type.String({ minLength: 1, maxLength: 50, description: 'What calendar programs call it.' });

const parts = (limits: object, names = feedParts) =>
  Type.Array(Type.Union(names.map((part) => Type.Literal(part))), {
    ...limits,
    description: `What it holds, each once: ${names.map((part) => feedKinds[part].holds).join(', ')}.`,
  });

const alarmDescription = 'Minutes before the beginning at which programs remind of it; null: never.';

const feedRequest = (names: readonly FeedPart[]) =>
  object('FeedRequest', 'A calendar feed to be made.', {
    name,
    include: parts({ minItems: 1, maxItems: names.length, uniqueItems: true }, names),
    alarm_minutes: Type.Optional(
      Type.Union([Type.Integer({ minimum: 0, maximum: 1440 }), Type.Null()], { description: alarmDescription }),
    ),
  });

const feedMembers = {
  id: text('Names the feed; of no use for reading it.', '7d1f0a94c2b85e36'),
  name,
  include: parts({}),
  alarm_minutes: Type.Union([Type.Integer(), Type.Null()], { description: alarmDescription }),
  created_at: text('In campus time.', '2026-03-18 10:00:00'),
};

const CreatedFeed = object('CreatedFeed', 'A calendar feed with its address.', {
  ...feedMembers,
  url: text(
    'The address to subscribe to. It is a secret, and shown this once.',
    'https://campus.example.edu/calendar/ZXhhbXBsZS1zZWNyZXQtZm9yLXRoZS1kb2N1bWVudC0xMjM.ics',
  ),
});

const FeedList = object('FeedList', 'The calendar feeds of the student.', {
  feeds: Type.Array(
    object('Feed', 'A calendar feed.', {
      ...feedMembers,
      last_polled_at: textOrNull(
        'When a program last asked for it, to the hour and not before `created_at`; null: never.',
      ),
    }),
    { description: 'The oldest first.' },
  ),
});

const FeedPath = Type.Object({ id: text('Id of a feed.', '7d1f0a94c2b85e36') });
const shared = { level: 'T', tag: 'Calendar feeds' } as const;
const done = { success: true };

const exampleFeed = {
  id: '7d1f0a94c2b85e36',
  name: '我的课表',
  include: ['classes' as const, 'exams' as const],
  alarm_minutes: 15,
  created_at: '2026-03-18 10:00:00',
};

const exampleUrl = 'https://campus.example.edu/calendar/ZXhhbXBsZS1zZWNyZXQtZm9yLXRoZS1kb2N1bWVudC0xMjM.ics';

export const calendarOperations = (
  calendarFeeds: CalendarFeeds,
  campus: CampusFacts,
  timeZone: string,
  publicUrl: () => string | null,
): Operation[] => {
  const offered = offeredParts(campus);
  const present = ({ id, name, parts, alarmMinutes, createdAt }: Feed) => ({
    id,
    name,
    include: [...parts],
    alarm_minutes: alarmMinutes,
    created_at: campusTimestamp(createdAt, timeZone),
  });
  return [
    operation({
      ...shared,
      route: 'POST /calendar/feeds',
      operationId: 'createFeed',
      scope: 'login',
      summary: 'New calendar feed',
      description:
        'Makes a secret address that calendar programs can subscribe to; see `docs/use/calendar.md`. A feed shows what calls of the student have read lately and never asks the campus. It goes on after a logout, until it is deleted. At most ten.',
      needs: offered.length > 0 ? [] : feedKinds.classes.needs,
      body: feedRequest(offered.length > 0 ? offered : feedParts),
      data: CreatedFeed,
      message: '日历订阅创建成功',
      example: {
        body: { name: '我的课表', include: ['classes', 'exams'], alarm_minutes: 15 },
        data: { ...exampleFeed, url: exampleUrl },
      },
      failures: ['FEED_LIMIT'],
      run: async (call) => {
        const { name, include, alarm_minutes: alarmMinutes = null } = call.body;
        const { feed, secret } = await calendarFeeds.create(call.student, { name, parts: include, alarmMinutes });
        return { ...present(feed), url: `${publicUrl() ?? ''}/calendar/${secret}.ics` };
      },
    }),
    operation({
      ...shared,
      route: 'GET /calendar/feeds',
      operationId: 'listFeeds',
      scope: 'login',
      summary: 'Calendar feeds of the student',
      description: 'Without their addresses, which nobody knows but who was told.',
      data: FeedList,
      message: '获取日历订阅成功',
      example: { data: { feeds: [{ ...exampleFeed, last_polled_at: '2026-03-18 09:00:00' }] } },
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
    operation({
      ...shared,
      route: 'DELETE /calendar/feeds/:id',
      operationId: 'deleteFeed',
      scope: 'login',
      summary: 'Delete a calendar feed',
      description: 'Its address answers 404 from then on.',
      params: FeedPath,
      data: Done,
      message: '日历订阅已删除',
      failures: ['NOT_FOUND'],
      run: async (call) => {
        await calendarFeeds.revoke(call.student, call.params.id);
        return done;
      },
    }),
  ];
};

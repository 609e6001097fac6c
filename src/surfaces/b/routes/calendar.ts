import type { CalendarFeeds } from '../../../domain/calendar/feeds.ts';
import type { Feed } from '../../../domain/calendar/types.ts';
import { campusTimestamp } from '../../../lib/campus-time.ts';
import { type Operation, studentOperation } from '../operation.ts';
import { Done } from '../schemas/auth.ts';
import { FeedList, FeedPath, FeedRequest, NewFeed } from '../schemas/calendar.ts';

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

interface CalendarOperationDeps {
  readonly calendarFeeds: CalendarFeeds;
  readonly timeZone: string;
  /** Where clients reach the service; null while nobody knows. */
  readonly publicUrl: () => string | null;
}

export const calendarOperations = ({ calendarFeeds, timeZone, publicUrl }: CalendarOperationDeps): Operation[] => {
  const present = ({ id, name, parts, alarmMinutes, createdAt }: Feed) => ({
    id,
    name,
    include: [...parts],
    alarm_minutes: alarmMinutes,
    created_at: campusTimestamp(createdAt, timeZone),
  });
  return [
    studentOperation({
      ...shared,
      method: 'POST',
      url: '/calendar/feeds',
      operationId: 'createFeed',
      summary: 'New calendar feed',
      description:
        'Makes a secret address that calendar programs can subscribe to; see `docs/calendar.md`. A feed shows what calls of the student have read lately and never asks the campus. It goes on after a logout, until it is deleted. At most ten.',
      body: FeedRequest,
      data: NewFeed,
      message: '日历订阅创建成功',
      example: {
        body: { name: '我的课表', include: ['classes', 'exams'], alarm_minutes: 15 },
        data: { ...exampleFeed, url: exampleUrl },
      },
      details: [{ loc: ['body', 'include'], msg: 'List should have at least 1 item', type: 'too_short' }],
      failures: ['FEED_LIMIT'],
      run: async ({ body, student }) => {
        const { name, include, alarm_minutes: alarmMinutes = null } = body;
        const { feed, secret } = await calendarFeeds.create(student, { name, parts: include, alarmMinutes });
        return { ...present(feed), url: `${publicUrl() ?? ''}/calendar/${secret}.ics` };
      },
    }),
    studentOperation({
      ...shared,
      method: 'GET',
      url: '/calendar/feeds',
      operationId: 'listFeeds',
      summary: 'Calendar feeds of the student',
      description: 'Without their addresses, which nobody knows but who was told.',
      data: FeedList,
      message: '获取日历订阅成功',
      example: { data: { feeds: [{ ...exampleFeed, last_polled_at: '2026-03-18 09:00:00' }] } },
      run: async ({ student }) => {
        const feeds = await calendarFeeds.list(student);
        return {
          feeds: feeds.map((feed) => ({
            ...present(feed),
            last_polled_at: feed.polledAt === null ? null : campusTimestamp(feed.polledAt, timeZone),
          })),
        };
      },
    }),
    studentOperation({
      ...shared,
      method: 'DELETE',
      url: '/calendar/feeds/:id',
      operationId: 'deleteFeed',
      summary: 'Delete a calendar feed',
      description: 'Its address answers 404 from then on.',
      params: FeedPath,
      data: Done,
      message: '日历订阅已删除',
      example: { data: done },
      failures: ['NOT_FOUND'],
      run: async ({ params, student }) => {
        await calendarFeeds.revoke(student, params.id);
        return done;
      },
    }),
  ];
};

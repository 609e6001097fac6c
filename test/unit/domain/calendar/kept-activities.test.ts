import { expect, it } from 'vitest';
import { buildCalendar } from '../../../../src/domain/calendar/build.ts';
import { FeedService } from '../../../../src/domain/calendar/feeds.ts';
import type { FeedSources, FeedStore, StoredFeed } from '../../../../src/domain/calendar/kinds.ts';
import { createCalendarWriter } from '../../../../src/icalendar/write.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { activity, asPlanned, feed } from './support.ts';

const timeZone = 'Asia/Shanghai';

/** A feed whose activities and versions were kept under this form; its copies are gone. */
const keptUnder = (form: string) => {
  const clock = new ManualClock();
  const activities = { value: [activity()], term: '', readAt: clock.now(), emptySince: null };
  const sources: FeedSources = { classes: null, exams: null, activities };
  const own = { ...feed, parts: ['activities' as const] };
  const made = buildCalendar(own, sources, null, { timeZone, heldOn: asPlanned, now: clock.now() });
  const stamped = Object.entries(made.versions.events).map(([uid, [digest, at]]) => [uid, [digest, at, 2]]);
  const versions = { ...made.versions, events: Object.fromEntries(stamped) };
  const kept = JSON.stringify({ form, sources, versions });
  const stored: StoredFeed = {
    ...own,
    userid: 'x',
    scheduleParams: '',
    revision: 3,
    had: ['activities'],
  };
  const store: FeedStore = {
    create: async () => 'created',
    list: async () => [own],
    delete: async () => true,
    bySecret: async () => stored,
    contents: async () => kept,
    update: async () => true,
    polled: async () => {},
    outlines: async () => [],
  };
  const feeds = new FeedService({
    store,
    reads: { lastCopy: async () => null },
    write: createCalendarWriter(timeZone),
    clock,
    timeZone,
    adjustments: { daysOff: [], moved: [] },
    observer: { feedPolled: () => {} },
  });
  clock.advance(86_400_000);
  return { versions, poll: async () => feeds.poll(await feeds.find('secret'), () => false) };
};

it.each([
  ['the copy of its activities has another shape now', '1 1.1.1'],
  ['the service knew fewer kinds when it was made', '1 1.1'],
])('a calendar keeps its uids, stamps and sequence numbers where %s', async (_, form) => {
  const { versions, poll } = keptUnder(form);
  const { calendar } = await poll();
  expect(calendar?.match(/SEQUENCE:\d+/g)).toEqual(['SEQUENCE:2', 'SEQUENCE:2']);
  for (const uid of Object.keys(versions.events)) expect(calendar).toContain(`UID:${uid}`);
});

it.each(['1 1.1.11', '1 2.1.1', '2 1.1.1', '1 1.1.1.1'])(
  'what was kept under the form %s is of another version',
  async (form) => {
    await expect(keptUnder(form).poll()).rejects.toMatchObject({ kind: 'feed-lost' });
  },
);

import { expect, it } from 'vitest';
import { FeedService } from '../../../../src/domain/calendar/feeds.ts';
import type { FeedPart, FeedStore, StoredFeed } from '../../../../src/domain/calendar/kinds.ts';
import { failureOf } from '../../../support/accounts-rig.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { feed } from './support.ts';

const stored: StoredFeed = {
  ...feed,
  userid: '2023000001',
  scheduleParams: '',
  revision: 0,
  had: [],
};

const emptyStore: FeedStore = {
  create: async () => 'created',
  list: async () => [feed],
  delete: async () => true,
  bySecret: async () => stored,
  contents: async () => null,
  update: async () => true,
  polled: async () => {},
  outlines: async () => [],
};

const deps = {
  reads: { lastCopy: async () => null },
  write: () => 'BEGIN:VCALENDAR',
  clock: new ManualClock(),
  timeZone: 'Asia/Shanghai',
  adjustments: { daysOff: [], moved: [] },
  observer: { feedPolled: () => {} },
};

/** A store in which somebody else changes the feed whenever it is about to be kept, `others` times. */
const contested = (others: number) => {
  const looks: string[] = [];
  const store: FeedStore = {
    ...emptyStore,
    bySecret: async (hash) => {
      looks.push(hash);
      return stored;
    },
    update: async () => looks.length > others,
  };
  const told: string[] = [];
  const feeds = new FeedService({ ...deps, store, observer: { feedPolled: (outcome) => told.push(outcome) } });
  return { looks, told, poll: async () => feeds.poll(await feeds.find('secret'), () => false) };
};

it('a calendar that others make at the same time is looked at anew, four times at most', async () => {
  const busy = contested(3);
  expect(await busy.poll()).toMatchObject({
    calendar: 'BEGIN:VCALENDAR',
    tag: expect.stringMatching(`^"${feed.id}\\.[\\w-]{22}"$`),
  });
  expect([busy.looks.length, busy.told]).toEqual([4, ['sent']]);
  const busier = contested(4);
  expect(await failureOf(busier.poll())).toBe('overloaded');
  expect([busier.looks.length, busier.told]).toEqual([4, ['overloaded']]);
});

it('a calendar that has lost a part waits for it, unless the campus does not offer it any more', async () => {
  const lost = (offered: readonly FeedPart[]) => {
    const store: FeedStore = {
      ...emptyStore,
      bySecret: async () => ({ ...stored, parts: ['exams', 'activities'], had: ['activities'] }),
    };
    const feeds = new FeedService({ ...deps, store, offered, write: ({ description }) => description });
    return feeds.find('secret').then((found) => feeds.poll(found, () => false));
  };
  expect(await failureOf(lost(['classes', 'exams', 'activities']))).toBe('feed-lost 3600s');
  const { calendar } = await lost(['classes', 'exams']);
  expect(calendar).toMatch(/^尚无考试安排：.*\n劳动活动：本服务未接入该校园系统$/);
});

import { describe, expect, it } from 'vitest';
import { allReads } from '../../../../src/domain/all-reads.ts';
import { buildCalendar } from '../../../../src/domain/calendar/build.ts';
import { contentsForm } from '../../../../src/domain/calendar/contents.ts';
import { FeedService } from '../../../../src/domain/calendar/feeds.ts';
import type { FeedPart, FeedSources, FeedStore, StoredFeed } from '../../../../src/domain/calendar/kinds.ts';
import type { Adjustments } from '../../../../src/domain/calendar/types.ts';
import { createCalendarWriter } from '../../../../src/icalendar/write.ts';
import { failureOf } from '../../../support/accounts-rig.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { activity, asPlanned, course, feed, firstDay, noSources, place, timetable } from './support.ts';

const timeZone = 'Asia/Shanghai';
const noAdjustments: Adjustments = { daysOff: [], moved: [] };
const stored: StoredFeed = { ...feed, userid: '2023000001', scheduleParams: '', revision: 0, had: [] };

const storeWith = (more: Partial<FeedStore> = {}): FeedStore => ({
  create: async () => 'created',
  list: async () => [feed],
  delete: async () => true,
  bySecret: async () => stored,
  contents: async () => null,
  update: async () => true,
  notePoll: async () => {},
  outlines: async () => [],
  ...more,
});

const serviceWith = (store: FeedStore, more: Partial<ConstructorParameters<typeof FeedService>[0]> = {}) =>
  new FeedService({
    store,
    reads: { lastCopy: async () => null },
    write: createCalendarWriter(timeZone),
    clock: new ManualClock(),
    timeZone,
    adjustments: noAdjustments,
    observer: { feedPolled: () => {} },
    ...more,
  });

const poll = async (feeds: FeedService, isKnown: (tag: string) => boolean = () => false) =>
  feeds.poll(await feeds.find('secret'), isKnown);

/** A store in which another replica changes the feed whenever it is about to be stored, `others` times. */
const contested = (others: number) => {
  const looks: string[] = [];
  const told: string[] = [];
  const store = storeWith({
    bySecret: async (hash) => {
      looks.push(hash);
      return stored;
    },
    update: async () => looks.length > others,
  });
  return { looks, told, feeds: serviceWith(store, { observer: { feedPolled: (outcome) => told.push(outcome) } }) };
};

it('a calendar that others make at the same time is looked at again, four times at most', async () => {
  const busy = contested(3);
  expect((await poll(busy.feeds)).tag).toMatch(new RegExp(`^"${feed.id}\\.[\\w-]{22}"$`));
  expect([busy.looks.length, busy.told]).toEqual([4, ['sent']]);
  const busier = contested(4);
  expect(await failureOf(poll(busier.feeds))).toBe('overloaded');
  expect([busier.looks.length, busier.told]).toEqual([4, ['overloaded']]);
});

it('sixty polls of a feed in an hour are answered; one more costs storage nothing, and guesses count nothing', async () => {
  const clock = new ManualClock();
  let looks = 0;
  const store = storeWith({
    bySecret: async () => {
      looks += 1;
      return looks <= 5 ? null : stored;
    },
  });
  const feeds = serviceWith(store, { clock });
  for (let at = 0; at < 5; at += 1) expect(await failureOf(feeds.find('secret'))).toBe('feed-unknown');
  const outcomes = await Promise.all(Array.from({ length: 70 }, () => failureOf(feeds.find('secret'))));
  expect(outcomes.filter((outcome) => outcome === 'no failure')).toHaveLength(60);
  const before = looks;
  clock.advance(600_000);
  expect(await failureOf(feeds.find('secret'))).toBe('rate-limited 3000s');
  expect(looks).toBe(before);
  clock.advance(3_000_000);
  expect((await feeds.find('secret')).stored.id).toBe(feed.id);
});

it('a calendar that has lost a part waits for it, unless the campus does not offer it any more', async () => {
  const lost = (offered: readonly FeedPart[]) => {
    const bySecret = async (): Promise<StoredFeed> => ({
      ...stored,
      parts: ['exams', 'activities'],
      had: ['activities'],
    });
    return poll(serviceWith(storeWith({ bySecret }), { offered, write: ({ description }) => description }));
  };
  expect(await failureOf(lost(['classes', 'exams', 'activities']))).toBe('feed-lost 3600s');
  const { calendar } = await lost(['classes', 'exams']);
  expect(calendar).toMatch(/^尚无考试安排：.*\n劳动活动：本服务未接入该校园系统$/);
});

it('new days off and moved days reach a feed whose copies have not changed, also a program that has its tag', async () => {
  const { term, schedule } = timetable([course([place()])]);
  const copies: Readonly<Record<string, unknown>> = {
    [allReads.currentTerm.name]: {
      text: { academicYear: '2025-2026', season: '春', week: 1, speaksOfEnd: false },
      code: '2025-2026-2-1',
      start: { firstDay, weeks: 18 },
      stated: [],
    },
    [allReads.terms.name]: [{ term_code: term, term_name: term, is_current: true }],
    [allReads.schedule.name]: { ...schedule, totalCredits: 3.5 },
  };
  const clock = new ManualClock();
  let now: StoredFeed = { ...stored, parts: ['classes'] };
  let contents: string | null = null;
  const store = storeWith({
    bySecret: async () => now,
    contents: async () => contents,
    update: async (_feed, { contents: next, ...update }) => {
      now = { ...now, ...update, revision: now.revision + 1 };
      contents = next;
      return true;
    },
    outlines: async () => [{ read: allReads.schedule.name, params: '[]', digest: 'the same', readAt: 0 }],
  });
  const lastCopy = async (_userid: string, { name }: { readonly name: string }) => ({
    value: JSON.parse(JSON.stringify(copies[name])),
    readAt: 0,
  });
  /** After a start with these adjustments. */
  const pollAfter = (adjustments: Adjustments, isKnown?: (tag: string) => boolean) =>
    poll(serviceWith(store, { reads: { lastCopy }, clock, adjustments }), isKnown);
  const before = await pollAfter(noAdjustments);
  expect(before.calendar).toContain('DTSTART;TZID=Asia/Shanghai:20260302T080000');
  const has = (tag: string) => tag === before.tag;
  expect((await pollAfter(noAdjustments, has)).calendar).toBeNull();
  // A feed is made at most once in some minutes.
  clock.advance(3_600_000);
  const moved = await pollAfter({ daysOff: [], moved: [{ from: firstDay, to: '2026-03-07' }] }, has);
  expect(moved.tag).not.toBe(before.tag);
  expect(moved.calendar).toContain('DTSTART;TZID=Asia/Shanghai:20260307T080000');
});

describe('a feed whose activities were stored by an earlier version, and whose copies are gone', () => {
  const plainly = createCalendarWriter(timeZone);
  // The description once more, without breaks within its lines.
  const storedUnder = (form: string, change: (contents: object) => object = (contents) => contents) => {
    const clock = new ManualClock();
    const activities = { value: [activity()], term: '', readAt: clock.now(), emptySince: null };
    const sources: FeedSources = { ...noSources, activities };
    const own: StoredFeed = { ...stored, parts: ['activities'], revision: 3, had: ['activities'] };
    const made = buildCalendar(own, sources, null, { timeZone, heldOn: asPlanned, now: clock.now() });
    const stamped = Object.entries(made.versions.events).map(([uid, [digest, at]]) => [uid, [digest, at, 2]]);
    const versions = { ...made.versions, events: Object.fromEntries(stamped) };
    const contents = async () => JSON.stringify(change({ form, sources, versions }));
    const write: typeof plainly = (calendar) => `${calendar.description}\n${plainly(calendar)}`;
    const feeds = serviceWith(storeWith({ bySecret: async () => own, contents }), { clock, write });
    clock.advance(86_400_000);
    return { versions, feeds };
  };

  it.each([
    ['the copy of its activities has another shape now', contentsForm],
    ['the service knew fewer kinds when it was made', '1 1.1'],
  ])('keeps its uids, stamps and sequence numbers where %s', async (_, form) => {
    const { versions, feeds } = storedUnder(form);
    const { calendar } = await poll(feeds);
    expect(calendar?.match(/SEQUENCE:\d+/g)).toEqual(['SEQUENCE:2', 'SEQUENCE:2']);
    for (const uid of Object.keys(versions.events)) expect(calendar).toContain(`UID:${uid}`);
  });

  it('keeps them where the contents lack what a later version may leave null, and hold what it does not know', async () => {
    const { feeds } = storedUnder(contentsForm, (contents) => {
      const { sources, ...others }: { sources?: { activities?: object } } = { ...contents };
      const { emptySince: _, ...activities }: { emptySince?: null } = { ...sources?.activities };
      return { ...others, sources: { activities: { ...activities, later: 1 } } };
    });
    const { calendar } = await poll(feeds);
    expect(calendar?.match(/SEQUENCE:\d+/g)).toEqual(['SEQUENCE:2', 'SEQUENCE:2']);
    expect(calendar).not.toContain('最近一次读取为空');
  });

  it.each([`${contentsForm}1`, '1 2.1.1', '2 1.1.1', `${contentsForm}.1`])(
    'is lost under the form %s',
    async (form) => {
      await expect(poll(storedUnder(form).feeds)).rejects.toMatchObject({ kind: 'feed-lost' });
    },
  );
});

import { expect, it } from 'vitest';
import { readRows } from '../../../../src/domain/all-reads.ts';
import { FeedService } from '../../../../src/domain/calendar/feeds.ts';
import type { FeedStore, StoredFeed } from '../../../../src/domain/calendar/kinds.ts';
import type { Adjustments } from '../../../../src/domain/calendar/types.ts';
import { createCalendarWriter } from '../../../../src/icalendar/write.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { course, feed, firstDay, place, timetable } from './support.ts';

const term = timetable([]).term;
const { schedule } = timetable([course([place()])]);
const copies: Readonly<Record<string, unknown>> = {
  [readRows.currentTerm.name]: {
    text: { academicYear: '2025-2026', season: '春', week: 1, speaksOfEnd: false },
    start: { firstDay, weeks: 18 },
  },
  [readRows.terms.name]: [{ term_code: term, term_name: term, is_current: true }],
  [readRows.schedule.name]: { ...schedule, totalCredits: 3.5 },
};

/** One feed that is stored over restarts, and the copies it is made of. */
const storedFeed = () => {
  const clock = new ManualClock();
  let stored: StoredFeed = {
    ...feed,
    parts: ['classes'],
    userid: '2023000001',
    scheduleParams: '',
    revision: 0,
    had: [],
  };
  let kept: string | null = null;
  const store: FeedStore = {
    create: async () => 'created',
    list: async () => [feed],
    delete: async () => true,
    bySecret: async () => stored,
    contents: async () => kept,
    update: async (_feed, { contents, ...update }) => {
      stored = { ...stored, ...update, revision: stored.revision + 1 };
      kept = contents;
      return true;
    },
    polled: async () => {},
    outlines: async () => [{ read: readRows.schedule.name, params: '[]', digest: 'the same', readAt: 0 }],
  };
  /** The service after a start with these adjustments. */
  const started = (adjustments: Adjustments) =>
    new FeedService({
      store,
      reads: {
        lastCopy: async (_userid, { name }) => ({ value: JSON.parse(JSON.stringify(copies[name])), readAt: 0 }),
      },
      write: createCalendarWriter('Asia/Shanghai'),
      clock,
      timeZone: 'Asia/Shanghai',
      adjustments,
      observer: { feedPolled: () => {} },
    });
  const poll = async (adjustments: Adjustments, isKnown: (tag: string) => boolean) => {
    const feeds = started(adjustments);
    return feeds.poll(await feeds.find('secret'), isKnown);
  };
  return { clock, poll };
};

it('new days off and moved days reach a feed whose copies have not changed, also a program that has its tag', async () => {
  const { clock, poll } = storedFeed();
  const none: Adjustments = { daysOff: [], moved: [] };
  const before = await poll(none, () => false);
  expect(before.calendar).toContain('DTSTART;TZID=Asia/Shanghai:20260302T080000');
  const has = (tag: string) => tag === before.tag;
  expect((await poll(none, has)).calendar).toBeNull();
  // A feed is made at most once in some minutes.
  clock.advance(3_600_000);
  const moved = await poll({ daysOff: [], moved: [{ from: firstDay, to: '2026-03-07' }] }, has);
  expect(moved.tag).not.toBe(before.tag);
  expect(moved.calendar).toContain('DTSTART;TZID=Asia/Shanghai:20260307T080000');
});

import { campusDate } from '../../lib/campus-time.ts';
import { sha256 } from '../../lib/hash.ts';
import { activityEvents } from './activities.ts';
import type { DayOfClasses } from './adjustments.ts';
import { classEvents, coursesWithoutTime } from './classes.ts';
import { examEvents, examsWithoutDay } from './exams.ts';
import type { FeedSources, Source } from './sources.ts';
import type { Calendar, CalendarEvent, Feed, FeedPart, Stamp, StampedEvent } from './types.ts';

/** What the last calendar of a feed held, so that what has not changed is not told as new. */
export interface Versions {
  /** Of any of its events, epoch ms. */
  readonly changedAt: number;
  /** By uid: a digest of the event, and its stamp. */
  readonly events: Readonly<Record<string, readonly [digest: string, changedAt: number, sequence: number]>>;
}

interface BuildOptions {
  readonly timeZone: string;
  readonly heldOn: DayOfClasses;
  /** Epoch ms. */
  readonly now: number;
}

/** Of an event of one feed. Two feeds of a student in one program do not take each other's events for their own. */
const uidOf = (feed: Feed, { key }: CalendarEvent): string =>
  sha256(JSON.stringify([feed.id, feed.createdAt, key])).slice(0, 32);

const stamped = (
  feed: Feed,
  event: CalendarEvent,
  before: Versions | null,
  now: number,
): StampedEvent & { digest: string } => {
  const uid = uidOf(feed, event);
  const digest = sha256(JSON.stringify(event)).slice(0, 12);
  const known = before?.events[uid];
  const stamp: Stamp =
    known === undefined
      ? { changedAt: now, sequence: 0 }
      : known[0] === digest
        ? { changedAt: known[1], sequence: known[2] }
        : { changedAt: now, sequence: known[2] + 1 };
  return { ...event, ...stamp, uid, digest };
};

const names: Readonly<Record<FeedPart, string>> = { classes: '课表', exams: '考试', activities: '劳动活动' };
/** A term of a student has some hundreds; a page of the campus may hold anything. */
const MOST_EVENTS = 3_000;
/** Of a list in a description, which nobody reads to its end. */
const mostNamed = 20;

const missing: Readonly<Record<FeedPart, string>> = {
  classes: '尚无课表：请在应用中打开一次当前学期和本学期课表。',
  exams: '尚无考试安排：请在应用中打开一次考试安排。',
  activities: '尚无劳动活动：请在应用中打开一次已报名的劳动活动。',
};

const listing = (words: string, items: readonly string[]): string[] => {
  if (items.length === 0) return [];
  const more = items.length > mostNamed ? ` 等${items.length}项` : '';
  return [`${words}：${items.slice(0, mostNamed).join('、')}${more}`];
};

/** What a reader has to know: how old it is, what is not in it, and why. */
const describe = (feed: Feed, sources: FeedSources, tooMany: boolean, timeZone: string): string => {
  const age = (part: FeedPart, source: Source<unknown>): string[] => [
    `${names[part]}更新于 ${campusDate(source.readAt, timeZone)}`,
    ...(source.emptySince === null
      ? []
      : [`${names[part]}最近一次读取为空（${campusDate(source.emptySince, timeZone)}），暂时保留此前的内容`]),
  ];
  const { classes, exams } = sources;
  return [
    ...feed.parts.flatMap((part) => {
      const source = sources[part];
      return source === null ? [missing[part]] : age(part, source);
    }),
    ...(tooMany ? [`日程过多，只列出其中${MOST_EVENTS}项`] : []),
    ...listing('没有上课时间的课程', classes === null ? [] : coursesWithoutTime(classes.value.schedule)),
    ...listing('日期未定的考试', exams === null ? [] : examsWithoutDay(exams.value)),
  ].join('\n');
};

/** The calendar of a feed out of what it goes by. Events that have not changed keep their stamps. */
export const buildCalendar = (
  feed: Feed,
  sources: FeedSources,
  before: Versions | null,
  { timeZone, heldOn, now }: BuildOptions,
): { readonly calendar: Calendar; readonly versions: Versions } => {
  const { classes, exams, activities } = sources;
  const found = [
    ...(exams === null ? [] : examEvents(exams.value)),
    ...(activities === null ? [] : activityEvents(activities.value)),
    ...(classes === null ? [] : classEvents(classes.value, heldOn, MOST_EVENTS)),
  ];
  const events = found.slice(0, MOST_EVENTS).map((event) => stamped(feed, event, before, now));
  const uids = new Set(events.map(({ uid }) => uid));
  const lacksSome = before !== null && Object.keys(before.events).some((uid) => !uids.has(uid));
  const isNew = before === null || lacksSome || events.some(({ changedAt }) => changedAt === now);
  const changedAt = isNew ? now : before.changedAt;
  const { name, alarmMinutes } = feed;
  return {
    calendar: {
      name,
      description: describe(feed, sources, found.length > MOST_EVENTS, timeZone),
      alarmMinutes,
      changedAt,
      events: events.map(({ digest: _, ...event }) => event),
    },
    versions: {
      changedAt,
      events: Object.fromEntries(events.map((event) => [event.uid, [event.digest, event.changedAt, event.sequence]])),
    },
  };
};

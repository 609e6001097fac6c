import { sha256 } from '../../lib/hash.ts';
import { campusDate } from '../../lib/time.ts';
import { type Feed, type FeedPart, type FeedSources, feedKinds, feedParts } from './kinds.ts';
import type { Calendar, CalendarEvent, DayOfClasses, Stamp, StampedEvent } from './types.ts';

/** The versions of the last calendar, so that an unchanged event is not sent as a new one. */
export interface Versions {
  /** When any of its events last changed, epoch ms. */
  readonly changedAt: number;
  /** Digest and stamp of each event, keyed by uid. */
  readonly events: Readonly<Record<string, readonly [digest: string, changedAt: number, sequence: number]>>;
}

interface BuildOptions {
  readonly timeZone: string;
  /** Parts that the campus does not offer. */
  readonly notOffered?: readonly FeedPart[];
  readonly heldOn: DayOfClasses;
  /** Epoch ms. */
  readonly now: number;
}

/** Differs by feed: two feeds of a student in one program do not take each other's events for their own. */
const uidOf = (feed: Feed, { key }: CalendarEvent): string =>
  sha256(JSON.stringify([feed.id, feed.createdAt, key])).slice(0, 32);

const stamp = (
  feed: Feed,
  event: CalendarEvent,
  before: Versions | null,
  now: number,
): StampedEvent & { digest: string } => {
  const uid = uidOf(feed, event);
  const digest = sha256(JSON.stringify(event)).slice(0, 12);
  const last = before?.events[uid];
  const stamp: Stamp =
    last === undefined
      ? { changedAt: now, sequence: 0 }
      : last[0] === digest
        ? { changedAt: last[1], sequence: last[2] }
        : { changedAt: now, sequence: last[2] + 1 };
  return { ...event, ...stamp, uid, digest };
};

/** A term of a student has some hundreds. */
const MOST_EVENTS = 3_000;
/** Most names in the list of a description, which no one reads to its end. */
const mostNamed = 20;

const listLines = (words: string, items: readonly string[]): string[] => {
  if (items.length === 0) return [];
  const more = items.length > mostNamed ? ` 等${items.length}项` : '';
  return [`${words}：${items.slice(0, mostNamed).join('、')}${more}`];
};

/** How old the calendar is, what is missing in it, and why. */
const describe = (
  feed: Feed,
  sources: FeedSources,
  tooMany: boolean,
  { timeZone, notOffered = [] }: Pick<BuildOptions, 'timeZone' | 'notOffered'>,
): string => {
  const stateOf = (part: FeedPart): string[] => {
    const source = sources[part];
    const { title, missing } = feedKinds[part];
    const isOffered = !notOffered.includes(part);
    if (source === null) return [isOffered ? missing : `${title}：本服务未接入该校园系统`];
    const age = `${title}更新于 ${campusDate(source.readAt, timeZone)}`;
    if (!isOffered) return [age, `${title}不再更新：本服务已不再接入该校园系统`];
    if (source.emptySince === null) return [age];
    return [age, `${title}最近一次读取为空（${campusDate(source.emptySince, timeZone)}），暂时保留此前的内容`];
  };
  return [
    ...feed.parts.flatMap(stateOf),
    ...(tooMany ? [`日程过多，只列出其中${MOST_EVENTS}项`] : []),
    ...feedParts.flatMap((part) => {
      const source = sources[part];
      const left = source && feedKinds[part].left?.(source.value);
      return left ? listLines(...left) : [];
    }),
  ].join('\n');
};

/** Kinds that may have more events than a calendar holds come last. */
const inOrder = feedParts.toSorted((a, b) => Number(feedKinds[a].many ?? false) - Number(feedKinds[b].many ?? false));

export const buildCalendar = (
  feed: Feed,
  sources: FeedSources,
  before: Versions | null,
  { heldOn, now, ...options }: BuildOptions,
): { readonly calendar: Calendar; readonly versions: Versions } => {
  const how = { heldOn, timeZone: options.timeZone, most: MOST_EVENTS };
  const found = inOrder.flatMap((part) => {
    const source = sources[part];
    return source === null ? [] : feedKinds[part].events(source.value, how);
  });
  const events = found.slice(0, MOST_EVENTS).map((event) => stamp(feed, event, before, now));
  const uids = new Set(events.map(({ uid }) => uid));
  const lacksSome = before !== null && Object.keys(before.events).some((uid) => !uids.has(uid));
  const isNew = before === null || lacksSome || events.some(({ changedAt }) => changedAt === now);
  const changedAt = isNew ? now : before.changedAt;
  const { name, alarmMinutes } = feed;
  return {
    calendar: {
      name,
      description: describe(feed, sources, found.length > MOST_EVENTS, options),
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

import { Type } from '@sinclair/typebox';
import { momentIn } from '../../lib/moments.ts';
import { allReads } from '../all-reads.ts';
import type { LaborActivity } from '../labor-club/records.ts';
import { type RecordOf, storedRecord } from '../record.ts';
import { type FeedKind, nextSource } from './sources.ts';
import type { CalendarEvent } from './types.ts';

type ActivityMember = 'id' | 'title' | 'startsAt' | 'endsAt' | 'signUpUntil' | 'clubName' | 'leaderName';

/** The members of an activity that a feed stores. */
const FeedActivity = storedRecord<ActivityMember>()({
  id: Type.String(),
  title: Type.String(),
  startsAt: Type.String(),
  endsAt: Type.String(),
  signUpUntil: Type.String(),
  clubName: Type.String(),
  leaderName: Type.String(),
});
export type FeedActivity = RecordOf<typeof FeedActivity>;

/** Keeps the newest; a student joins only a few in a term. */
const mostActivities = 500;

export const feedActivities = (activities: readonly LaborActivity[]): FeedActivity[] =>
  activities
    .toSorted((a, b) => (a.StartTime < b.StartTime ? 1 : a.StartTime > b.StartTime ? -1 : 0))
    .slice(0, mostActivities)
    .map((activity) => ({
      id: activity.ID,
      title: activity.Title,
      startsAt: activity.StartTime,
      endsAt: activity.EndTime,
      signUpUntil: activity.SignUpEndTime,
      clubName: activity.ClubName,
      leaderName: activity.ChargeUserName,
    }));

/** Leaves out the activity's state, which may have changed by the time the calendar is looked at. */
const describe = ({ clubName, leaderName }: FeedActivity): string =>
  [clubName === '' ? null : `俱乐部：${clubName}`, leaderName === '' ? null : `负责人：${leaderName}`]
    .filter((line) => line !== null)
    .join('\n');

/** Joined activities, and the moments at which their sign-up ends. */
export const activityCalendarEvents = (activities: readonly FeedActivity[], timeZone: string): CalendarEvent[] => {
  const momentOf = (text: string): string | null => momentIn(text, timeZone);
  const byId = new Map(activities.map((activity) => [activity.id, activity]));
  return [...byId.values()].flatMap((activity) => {
    const { id, title } = activity;
    const event = { category: '劳动' as const, place: '', description: describe(activity) };
    const starts = momentOf(activity.startsAt);
    const ends = momentOf(activity.endsAt);
    const signUpEnds = momentOf(activity.signUpUntil);
    const events: CalendarEvent[] = [];
    if (starts !== null) {
      const end = ends !== null && ends > starts ? ends : null;
      events.push({ ...event, key: JSON.stringify(['activity', id]), start: starts, end, title: `劳动：${title}` });
    }
    if (signUpEnds !== null) {
      const key = JSON.stringify(['sign-up', id]);
      events.push({ ...event, key, start: signUpEnds, end: null, title: `报名截止：${title}` });
    }
    return events;
  });
};

export const activitiesFeed: FeedKind<readonly FeedActivity[]> = {
  title: '劳动活动',
  missing: '尚无劳动活动：请在应用中打开一次已报名的劳动活动。',
  holds: '`activities` of the labor club that were joined and the ends of their sign-up',
  needs: ['laborClub.joinedActivities'],
  reads: [allReads.joinedActivities.name],
  shape: 1,
  stored: Type.Array(FeedActivity),
  async read(copies) {
    const joined = await copies.last(allReads.joinedActivities);
    return joined && { value: feedActivities(joined.value.data), term: '', readAt: joined.readAt };
  },
  next: (source, read) => nextSource(source, read, (before, now) => before.length > 0 && now.length === 0),
  events: (value, { timeZone }) => activityCalendarEvents(value, timeZone),
};

import type { Item, NewsPart, ReadEvents, Tale } from '../events/ports.ts';
import type { LaborActivities, LaborActivity } from './records.ts';

interface ActivityItem extends Item {
  readonly activity: LaborActivity;
}

const ask = '/ldjlb/labor/joined/activities';

/** A joined activity that is told again says so. That the student has joined or left one is no news. */
export const activityEvents: ReadEvents<LaborActivities> = ({ data }, { today }) => {
  const items = data.map((activity): ActivityItem => {
    const { ID: id, Title: title, StartTime: starts, EndTime: ends } = activity;
    return { key: id, content: `${title}\n${starts}\n${ends}`, keep: { id, title, ends }, activity };
  });
  const part: NewsPart<ActivityItem> = {
    scope: 'activities',
    source: '',
    vanished: 'agreed',
    items,
    tell: ({ changed, gone }) => [
      ...changed.map(({ item: { activity } }): Tale => {
        const { ID: activity_id, Title: activity_title, StartTime: starts_at, EndTime: ends_at } = activity;
        const about = { activity_id, activity_title, change: 'changed' };
        return { type: 'activity.changed', about, ask, detail: { starts_at, ends_at } };
      }),
      ...gone
        .filter(({ ends = '' }) => ends.slice(0, 10) >= today)
        .map(({ id = '', title = '' }): Tale => {
          const about = { activity_id: id, activity_title: title, change: 'gone' };
          return { type: 'activity.changed', about, ask, detail: {} };
        }),
    ],
  };
  return [part];
};

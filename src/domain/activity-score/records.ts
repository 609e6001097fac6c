import { ofRecord, SELDOM_SECONDS } from '../read-row.ts';
import type { PortOf } from '../reads/plain-reads.ts';
import { decimal, flag, integer, listOf, object, type RecordOf, text } from '../record.ts';

export interface ActivityTotal extends RecordOf<typeof ActivityTotal> {}
export const ActivityTotal = object('CreditInfo', 'The total of the activity score.', {
  TotalScore: decimal('The total, as the campus has computed it.', 7.5),
  IsTypeAdopt: flag('The requirement for graduation is met.', false),
  TypeAdoptResult: text('Why it is not met.', '示例类别不足'),
});

export interface ActivityItem extends RecordOf<typeof ActivityItem> {}
export const ActivityItem = object('CreditItem', 'An item of the activity score.', {
  ID: text('Id at the campus.', 'i1'),
  Title: text('The activity.', '示例活动'),
  TypeName: text('Its category.', '示例类别'),
  UserNo: text('Student number.', '20990001'),
  Score: decimal('Points.', 2.5),
  AddTime: text('As the campus writes it: `2024-03-15 10:30:00` or `2024/09/02`.', '2098-10-01 10:00:00'),
});

export interface ActivityCategory extends RecordOf<typeof ActivityCategory> {}
export const ActivityCategory = object('CreditCategory', 'A category of the activity score with its items.', {
  ID: text('Id at the campus.', 't1'),
  ShowNum: integer('Number to show.', 1),
  TypeName: text('The category.', '示例类别'),
  TotalScore: decimal('Sum of its items.', 2.5),
  children: listOf(ActivityItem, 'Its items.'),
});

export const ActivityCategories = listOf(ActivityCategory, 'All categories.');

export const activityScoreReads = {
  total: ofRecord(ActivityTotal, 'activity-total', 'activity-score', { fresh: SELDOM_SECONDS }),
  /** All categories in upstream order; empty for a student without any. */
  categories: ofRecord(ActivityCategories, 'activity-categories', 'activity-score'),
} as const;

/**
 * Implemented by campus/products/aac. Failures: sign-in kinds, `ticket-unavailable`, `upstream-unavailable`,
 * `upstream-unreadable`, `upstream-refused` {upstreamMessage}, `upstream-empty`, `session-lost`, `timed-out`.
 */
export interface ActivityScoreCampus extends PortOf<typeof activityScoreReads> {}

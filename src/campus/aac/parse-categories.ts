import type { ActivityCategory, ActivityItem } from '../../domain/activity-score/types.ts';
import { Failure } from '../../domain/errors.ts';
import { isRecord } from '../../lib/records.ts';
import { knownElementsOf, rowsOf, text } from '../parsing/cells.ts';
import { int, type JsonObject, num } from '../parsing/scalars.ts';

/** One page of categories. */
export interface CategoryPage {
  readonly categories: readonly ActivityCategory[];
  /** Rows on the page, unusable ones included: what paging has to count. */
  readonly received: number;
}

const system = 'activity-score';

const rowMembers = ['ID', 'TypeName', 'TotalScore'];

const itemOf = (row: JsonObject): ActivityItem => ({
  id: text(row.ID),
  title: text(row.Title),
  category: text(row.TypeName),
  studentId: text(row.UserNo),
  score: num(row.Score),
  addedAt: text(row.AddTime),
});

const categoryOf = (row: JsonObject): ActivityCategory => ({
  id: text(row.ID),
  displayNumber: int(row.ShowNum),
  name: text(row.TypeName),
  score: num(row.TotalScore),
  items: rowsOf(row.children, system, 'children').map(itemOf),
});

/**
 * `[{ID, ShowNum, TypeName, TotalScore, children: [{ID, Title, TypeName, UserNo, Score, AddTime}]}]`; odd cells become
 * their default and the row stays.
 * @throws Failure `upstream-empty` for null and missing, because a student without rows has an empty list;
 *   `upstream-unreadable` for anything else that is no list of categories
 */
export const parseCategories = (data: unknown): CategoryPage => {
  if (data === null || data === undefined) throw new Failure('upstream-empty', { system, reason: 'no score list' });
  const rows = knownElementsOf(data, system, 'score list', rowMembers);
  return { categories: rows.filter(isRecord).map(categoryOf), received: rows.length };
};

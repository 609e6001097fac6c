import { Type } from '@sinclair/typebox';
import {
  ActivityCategory,
  ActivityItem,
  type ActivityScoreCampus,
  ActivityTotal,
} from '../../../domain/activity-score/records.ts';
import { type Failure, failures } from '../../../domain/errors.ts';
import { isRecord } from '../../../lib/text.ts';
import { address, application, service } from '../../contract/driver.ts';
import { readAllPages } from '../../contract/kit.ts';
import { type TicketAccess, TicketApplication } from '../../contract/ticket-application.ts';
import type { UpstreamRequest } from '../../contract/upstream-session.ts';
import { ticketRow } from '../../contract/upstreams.ts';
import { isOtherNumber } from '../../parsing/owners.ts';
import {
  belowRows,
  hasAnyOf,
  type ParsedRows,
  readRows,
  records,
  statedNumber,
  unreadable,
} from '../../parsing/reading.ts';
import { rowReader, subjectOf } from '../../parsing/row-reader.ts';

const system = 'activity-score';

const emptyFailure = (reason: string): Failure => failures.upstreamEmpty(system, reason);

const totalOf = rowReader(ActivityTotal, {
  TotalScore: (data) => statedNumber(data.TotalScore, system, 'total'),
});

/**
 * `{TotalScore, IsTypeAdopt, TypeAdoptResult}`. The total is the campus's own; it is never added up from the list.
 * @throws Failure `upstream-empty` for null, missing and `{}`; `upstream-unreadable`
 */
export const parseTotal = (data: unknown): ActivityTotal => {
  const nothing = data === null || data === undefined || (isRecord(data) && Object.keys(data).length === 0);
  if (nothing) throw emptyFailure('no total');
  if (!isRecord(data)) throw unreadable(system, 'total is no object');
  // Single members may be missing, but an object with none of them would be shown as a score of 0.
  if (!hasAnyOf(data, Object.keys(ActivityTotal.properties))) throw unreadable(system, 'total without its members');
  return totalOf(data);
};

const itemOf = rowReader(ActivityItem);
const items = records({ system, what: 'score items' }, [], (row) => subjectOf(itemOf(row), 'ID', 'Title'));
const categoryOf = rowReader(ActivityCategory, {
  children: (row) => readRows(belowRows(row.children), items).rows,
});

/**
 * One page of `[{ID, ShowNum, TypeName, TotalScore, children: [{ID, Title, TypeName, UserNo, Score, AddTime}]}]`.
 * @throws Failure `upstream-empty` for null and missing, because a student without rows has an empty list;
 *   `upstream-unreadable` for anything but a list of categories
 */
export const parseCategories = (data: unknown): ParsedRows<ActivityCategory> => {
  if (data === null || data === undefined) throw emptyFailure('no score list');
  const kind = records({ system, what: 'score categories' }, ['ID', 'TypeName', 'TotalScore'], (row) =>
    subjectOf(categoryOf(row), 'ID', 'TypeName'),
  );
  return readRows(belowRows(data), kind);
};

interface Merged extends ActivityCategory {
  readonly children: ActivityItem[];
}

/** The categories of all pages. One that a page break cuts in two is on both pages and is merged. */
export const mergeCategories = (pages: ReadonlyArray<readonly ActivityCategory[]>): readonly ActivityCategory[] => {
  const merged: Merged[] = [];
  /** Keyed by category id: its first appearance on the pages so far, with the ids of its items. */
  const known = new Map<string, { readonly category: Merged; readonly ids: Set<string> }>();
  for (const categories of pages) {
    const before = merged.length;
    for (const category of categories) {
      const earlier = known.get(category.ID);
      if (earlier === undefined) {
        merged.push({ ...category, children: [...category.children] });
        continue;
      }
      // Items without an id cannot be told apart and all stay; so do those that one page names twice.
      const fresh = category.children.filter(({ ID }) => ID === '' || !earlier.ids.has(ID));
      for (const item of fresh) {
        earlier.category.children.push(item);
        earlier.ids.add(item.ID);
      }
    }
    for (const category of merged.slice(before)) {
      const ids = new Set(category.children.map(({ ID }) => ID));
      if (category.ID !== '' && !known.has(category.ID)) known.set(category.ID, { category, ids });
    }
  }
  return merged;
};

/** The answers do not say how many categories there are. */
const paging = { system: 'activity-score', what: 'category', size: 100, mostPages: 20, repeatsLast: true } as const;

const totalRequest: UpstreamRequest = {
  page: 'total',
  method: 'POST',
  path: '/User/Center/DoGetScoreInfo?sf_request_type=ajax',
  expect: 'json',
};

const categoriesRequest = (page: number): UpstreamRequest => ({
  page: 'categories',
  method: 'POST',
  path: '/User/Center/DoGetScoreList?sf_request_type=ajax',
  form: [
    ['pageIndex', String(page)],
    ['pageSize', String(paging.size)],
  ],
  expect: 'json',
});

/** The reads of the activity score application. */
export const createAacClient = (access: TicketAccess): ActivityScoreCampus => {
  const tickets = new TicketApplication('aac', 'activity-score', access);
  return {
    total: (student, context) =>
      tickets.read(student, context, (ask) => ask(totalRequest, ({ data }) => parseTotal(data))),
    categories: (student, context) =>
      tickets.read(student, context, async (ask) => {
        const { pages } = await readAllPages(paging, async (number) => {
          const page = await ask(categoriesRequest(number), ({ data }) => parseCategories(data));
          // More than was asked for is all of it.
          return { ...page, total: page.received > paging.size ? page.received : null };
        });
        const merged = mergeCategories(pages);
        const owners = merged.flatMap(({ children }) => children.map(({ UserNo }) => UserNo.trim())).filter(Boolean);
        // One of them may have been entered under another number.
        if (owners.length > 0 && owners.every((owner) => isOtherNumber(owner, student.userid)))
          throw unreadable(system, 'score items of another student');
        return merged;
      }),
  };
};

/** The activity score application. */
export const aac = application({
  options: Type.Object({ url: address, service }),
  row: { ...ticketRow, system: 'activity-score' },
  supplies: (access) => ({ activityScore: createAacClient(access) }),
});

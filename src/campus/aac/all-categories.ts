import type { ActivityCategory, ActivityItem } from '../../domain/activity-score/types.ts';
import { unreadable } from '../parsing/unreadable.ts';
import type { CategoryPage } from './parse-categories.ts';
import { pageSize } from './requests.ts';

const mostPages = 20;

/** The items of both, each once. Items without an id cannot be told apart and all stay. */
const mergeItems = (known: readonly ActivityItem[], more: readonly ActivityItem[]): ActivityItem[] => {
  const ids = new Set(known.map(({ id }) => id));
  return [...known, ...more.filter(({ id }) => id === '' || !ids.has(id))];
};

/** A category that a page break has cut in two appears on both pages. */
const mergePage = (known: readonly ActivityCategory[], page: readonly ActivityCategory[]): ActivityCategory[] => {
  const merged = [...known];
  for (const category of page) {
    const at =
      category.id === '' ? -1 : merged.findIndex(({ id }, index) => index < known.length && id === category.id);
    const first = merged[at];
    if (first === undefined) merged.push(category);
    else merged[at] = { ...first, items: mergeItems(first.items, category.items) };
  }
  return merged;
};

/**
 * Reads pages, from 1, until one is not full or repeats the one before (the answers do not say how many there are).
 * @throws Failure `upstream-unreadable` when they do not end: a list is never cut silently
 */
export const readAllCategories = async (
  read: (page: number) => Promise<CategoryPage>,
): Promise<readonly ActivityCategory[]> => {
  let merged: ActivityCategory[] = [];
  let previous = '';
  for (let number = 1; number <= mostPages; number += 1) {
    const { categories, received } = await read(number);
    const content = JSON.stringify(categories);
    if (content === previous) return merged;
    previous = content;
    merged = mergePage(merged, categories);
    if (received !== pageSize) return merged;
  }
  throw unreadable('activity-score', 'score pages do not end');
};

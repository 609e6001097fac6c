import type { ActivityCategory, ActivityItem } from '../../domain/activity-score/types.ts';
import { unreadable } from '../parsing/unreadable.ts';
import type { CategoryPage } from './parse-categories.ts';
import { pageSize } from './requests.ts';

const mostPages = 20;

interface Merged extends ActivityCategory {
  readonly items: ActivityItem[];
}

/** Adds the items that are not there yet. Items without an id cannot be told apart and all stay. */
const itemAdder = (category: Merged) => {
  const ids = new Set(category.items.map(({ id }) => id));
  return (more: readonly ActivityItem[]): void => {
    // What a category of one page names twice stays twice: only earlier ones say what is known.
    const fresh = more.filter(({ id }) => id === '' || !ids.has(id));
    for (const item of fresh) category.items.push(item);
    for (const { id } of fresh) ids.add(id);
  };
};

/**
 * Reads pages, from 1, until one is not full or repeats the one before (the answers do not say how many there are). A
 * category that a page break has cut in two appears on both pages and is made one again.
 * @throws Failure `upstream-unreadable` when they do not end: a list is never cut silently
 */
export const readAllCategories = async (
  read: (page: number) => Promise<CategoryPage>,
): Promise<readonly ActivityCategory[]> => {
  const merged: Merged[] = [];
  /** Adds to the category of that id, the first of all earlier pages. */
  const known = new Map<string, (more: readonly ActivityItem[]) => void>();
  let previous = '';
  for (let number = 1; number <= mostPages; number += 1) {
    const { categories, received } = await read(number);
    const content = JSON.stringify(categories);
    if (content === previous) return merged;
    previous = content;
    const before = merged.length;
    for (const category of categories) {
      const addItems = known.get(category.id);
      if (addItems === undefined) merged.push({ ...category, items: [...category.items] });
      else addItems(category.items);
    }
    if (received !== pageSize) return merged;
    for (const category of merged.slice(before)) {
      if (category.id !== '' && !known.has(category.id)) known.set(category.id, itemAdder(category));
    }
  }
  throw unreadable('activity-score', 'score pages do not end');
};

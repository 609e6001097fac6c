import type { PlanCategory, PlanCompletion, PlanCourse } from '../../domain/academics/plan-completion.ts';
import { unreadable } from '../parsing/unreadable.ts';
import type { PlanNode } from './plan-nodes.ts';
import { categoryText, courseText, plainCourseText } from './plan-texts.ts';

const root = '-1';
/** No plan is nested deeper; a tree that is could not be written out again. */
const deepest = 2_000;

interface OpenCategory extends PlanCategory {
  readonly subcategories: OpenCategory[];
  readonly courses: PlanCourse[];
}

type Tree = Omit<PlanCompletion, 'planId' | 'plan'>;

const toCourse = (node: PlanNode): PlanCourse => ({
  ...(node.flagType === 'kch' ? courseText(node.name) : plainCourseText(node.name)),
  flagId: node.flagId,
  flagType: node.flagType,
  parentId: node.parentId,
  // The campus numbers the parts of a plan 0 and 1; a course of another kind has no level of its own.
  level: node.flagType === 'kch' ? 2 : 0,
});

const toCategory = (node: PlanNode, courses: PlanCourse[] = []): OpenCategory => ({
  flagId: node.flagId,
  ...categoryText(node.name),
  subcategories: [],
  courses,
});

/** A course at the root stands in a category of its own name, so that it is neither lost nor shown as a category. */
const rootOf = (node: PlanNode): OpenCategory => {
  if (node.flagType !== 'kch') return toCategory(node);
  const course = toCourse(node);
  return { ...toCategory({ ...node, name: '' }, [course]), name: course.name };
};

const countCourses = (roots: readonly PlanCategory[]): Omit<Tree, 'categories'> & { nodes: number } => {
  const counts = { passed: 0, failed: 0, unread: 0 };
  let nodes = 0;
  const waiting = roots.map((category) => ({ category, depth: 1 }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { category, depth } = next;
    if (depth > deepest) throw unreadable('academics', 'plan nested too deeply');
    nodes += 1 + category.courses.length;
    for (const { state } of category.courses) counts[state] += 1;
    for (const inner of category.subcategories) waiting.push({ category: inner, depth: depth + 1 });
  }
  const { passed, failed, unread } = counts;
  return {
    nodes,
    totalCourses: passed + failed + unread,
    passedCourses: passed,
    failedCourses: failed,
    unreadCourses: unread,
  };
};

/**
 * The tree out of its flat list, in the order of the list. A repeated id keeps its last node; a missing one is no
 * repetition. What no root leads to is left out: nodes whose parent is missing, and circles.
 * @throws Failure `upstream-unreadable` when no root is left
 */
export const planTree = (list: readonly PlanNode[]): { tree: Tree; dropped: number } => {
  // No id of the page begins with a blank, so nodes without one neither replace each other nor become a parent.
  const named = list.map((node, at) => (node.id === '' ? { ...node, id: ` ${at}` } : node));
  const nodes = new Map(named.map((node) => [node.id, node]));
  const parents = new Set([...nodes.values()].map((node) => node.parentId));
  const categories = new Map<string, OpenCategory>();
  for (const node of nodes.values()) {
    if (node.parentId === root) categories.set(node.id, rootOf(node));
    else if (node.flagType === '001' || node.flagType === '002' || (node.flagType !== 'kch' && parents.has(node.id))) {
      categories.set(node.id, toCategory(node));
    }
  }
  const roots: OpenCategory[] = [];
  for (const node of nodes.values()) {
    const own = categories.get(node.id);
    if (node.parentId === root) {
      if (own) roots.push(own);
      continue;
    }
    const parent = categories.get(node.parentId);
    if (own) parent?.subcategories.push(own);
    else parent?.courses.push(toCourse(node));
  }
  if (roots.length === 0) throw unreadable('academics', 'plan without roots');
  const { nodes: reached, ...counts } = countCourses(roots);
  return { tree: { categories: roots, ...counts }, dropped: Math.max(list.length - reached, 0) };
};

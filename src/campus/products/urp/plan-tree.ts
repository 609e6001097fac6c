import type { PlanCategory, PlanCompletion, PlanCourse } from '../../../domain/academics/plans.ts';
import { failures } from '../../../domain/errors.ts';
import { isRecord } from '../../../lib/text.ts';
import { str } from '../../parsing/cells.ts';
import { readJson, refuseIfMostDropped, unreadable } from '../../parsing/reading.ts';
import { asJson, expressionEnd, withoutComments } from '../../parsing/script-values.ts';
import { categoryText, courseText, plainCourseText } from './plan-texts.ts';

/** A node of the plan tree as the page has it. `name` is markup. */
export interface PlanNode {
  readonly id: string;
  readonly parentId: string;
  readonly flagId: string;
  readonly flagType: string;
  readonly name: string;
}

/** The largest plans have 1,500 nodes. */
const mostNodes = 20_000;
const longestName = 2_000;
/** A page shows one tree; a few more calls of the same name may be in texts and comments. */
const mostCalls = 8;

const call = 'zTree.init(';

/** Source of an array that a variable of this name is set to. */
const arrayNamed = (script: string, name: string): string | null => {
  if (!/^[\w$]{1,64}$/.test(name)) return null;
  const setting = new RegExp(`(?<![\\w$.])${name.replaceAll('$', '\\$')}\\s{0,16}=\\s{0,16}(?=\\[)`).exec(script);
  if (setting === null) return null;
  const start = setting.index + setting[0].length;
  const end = expressionEnd(script, start);
  return end < 0 ? null : script.slice(start, end);
};

/** Third argument of the call that begins at `at`, or the array behind it when it is a name. */
const nodesArgument = (script: string, at: number): string | null => {
  let start = at;
  for (let skipped = 0; skipped < 2; skipped += 1) {
    const end = expressionEnd(script, start);
    if (end < 0 || script[end] !== ',') return null;
    start = end + 1;
  }
  const end = expressionEnd(script, start);
  if (end < 0) return null;
  const argument = script.slice(start, end).trim();
  return argument.startsWith('[') ? argument : arrayNamed(script, argument);
};

/** Parses JSON, or what becomes JSON without comments and trailing commas. */
const parseSource = (source: string): unknown => {
  try {
    const value: unknown = JSON.parse(source);
    return value;
  } catch {
    return readJson(asJson(source), 'academics');
  }
};

const toNode = (item: Readonly<Record<string, unknown>>): PlanNode => ({
  id: str(item.id),
  parentId: str(item.pId),
  flagId: str(item.flagId),
  flagType: str(item.flagType),
  name: typeof item.name === 'string' ? item.name.slice(0, longestName) : '',
});

/** Returns an empty list only if no call has a filled one, and null if none has any. */
const nodesIn = (script: string): PlanNode[] | null => {
  let empty: PlanNode[] | null = null;
  let at = script.indexOf(call);
  for (let tried = 0; at >= 0 && tried < mostCalls; tried += 1) {
    const source = nodesArgument(script, at + call.length);
    if (source?.includes('flagId')) {
      const items = parseSource(source);
      if (!Array.isArray(items)) throw unreadable('academics', 'plan nodes are no list');
      if (items.length > mostNodes) throw unreadable('academics', 'too many plan nodes');
      const nodes = items.filter(isRecord).map(toNode);
      const dropped = items.filter((item) => item !== null).length - nodes.length;
      refuseIfMostDropped('academics', 'plan nodes', { rows: nodes, dropped });
      return nodes;
    }
    if (/^\[\s*\]$/.test(source ?? '')) empty = [];
    at = script.indexOf(call, at + call.length);
  }
  return empty;
};

/**
 * The nodes that a script of the page gives to its tree: as a list in the call, or as the name of a list. What is
 * commented out is not the tree of this student.
 * @throws Failure `upstream-unreadable` when there is none; `upstream-empty` for an empty one: the page of a student
 *   without a plan
 */
export const planNodesIn = (scripts: readonly string[]): PlanNode[] => {
  let isEmpty = false;
  for (const script of scripts) {
    const nodes = script.includes(call) ? nodesIn(withoutComments(script)) : null;
    if (nodes !== null && nodes.length > 0) return nodes;
    isEmpty ||= nodes !== null;
  }
  if (isEmpty) throw failures.upstreamEmpty('academics', 'plan without nodes');
  throw unreadable('academics', 'no plan nodes');
};

const root = '-1';
/** No plan is nested deeper; a deeper tree could not be serialized. */
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
  // The campus numbers the parts of a plan 0 and 1; a course of another kind has no level.
  level: node.flagType === 'kch' ? 2 : 0,
});

const toCategory = (node: PlanNode, courses: PlanCourse[] = []): OpenCategory => ({
  flagId: node.flagId,
  ...categoryText(node.name),
  subcategories: [],
  courses,
});

/** A course at the root gets a category of the same name, so that it is neither lost nor shown as a category. */
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
 * The tree from its flat list, in the order of the list, as the library of the page builds it: a node whose parent is not
 * in the list is a root, and of several nodes with one id the last one has the children. Circles are left out and counted.
 * @throws Failure `upstream-unreadable` when no root is left, or most nodes are in circles
 */
export const planTree = (list: readonly PlanNode[]): { tree: Tree; dropped: number } => {
  const parents = new Set(list.map((node) => node.parentId));
  const lastOf = new Map(list.flatMap((node) => (node.id === '' ? [] : [[node.id, node] as const])));
  const parentOf = (node: PlanNode): PlanNode | undefined =>
    node.parentId === root || node.parentId === node.id ? undefined : lastOf.get(node.parentId);
  const isCategory = (node: PlanNode): boolean => {
    const hasChildren = lastOf.get(node.id) === node && parents.has(node.id);
    return node.flagType === '001' || node.flagType === '002' || (node.flagType !== 'kch' && hasChildren);
  };
  const categories = new Map<PlanNode, OpenCategory>();
  for (const node of list) {
    if (parentOf(node) === undefined) categories.set(node, rootOf(node));
    else if (isCategory(node)) categories.set(node, toCategory(node));
  }
  const roots: OpenCategory[] = [];
  for (const node of list) {
    const own = categories.get(node);
    const parent = parentOf(node);
    if (parent === undefined) {
      if (own) roots.push(own);
      continue;
    }
    const above = categories.get(parent);
    if (own) above?.subcategories.push(own);
    else above?.courses.push(toCourse(node));
  }
  if (roots.length === 0) throw unreadable('academics', 'plan without roots');
  const { nodes: reached, ...counts } = countCourses(roots);
  const dropped = Math.max(list.length - reached, 0);
  refuseIfMostDropped('academics', 'plan nodes', { rows: list.slice(dropped), dropped });
  return { tree: { categories: roots, ...counts }, dropped };
};

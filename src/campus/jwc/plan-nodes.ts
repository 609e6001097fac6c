import { Failure } from '../../domain/errors.ts';
import { isRecord } from '../../lib/records.ts';
import { readJson } from '../parsing/json.ts';
import { str } from '../parsing/scalars.ts';
import { asJson, expressionEnd, withoutComments } from '../parsing/script-values.ts';
import { unreadable } from '../parsing/unreadable.ts';

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
/** A page shows one tree; a few more calls of the same name may stand in texts and comments. */
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

const parsed = (source: string): unknown => {
  try {
    const value: unknown = JSON.parse(source);
    return value;
  } catch {
    return readJson(asJson(source), 'academics');
  }
};

const toNode = (item: unknown): PlanNode | null =>
  isRecord(item)
    ? {
        id: str(item.id),
        parentId: str(item.pId),
        flagId: str(item.flagId),
        flagType: str(item.flagType),
        name: typeof item.name === 'string' ? item.name.slice(0, longestName) : '',
      }
    : null;

/** An empty list only where no call has a filled one; null where none has any. */
const nodesIn = (script: string): PlanNode[] | null => {
  let empty: PlanNode[] | null = null;
  let at = script.indexOf(call);
  for (let tried = 0; at >= 0 && tried < mostCalls; tried += 1) {
    const source = nodesArgument(script, at + call.length);
    if (source?.includes('flagId')) {
      const items = parsed(source);
      if (!Array.isArray(items)) throw unreadable('academics', 'plan nodes are no list');
      if (items.length > mostNodes) throw unreadable('academics', 'too many plan nodes');
      return items.map(toNode).filter((node) => node !== null);
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
  if (isEmpty) throw new Failure('upstream-empty', { system: 'academics', reason: 'plan without nodes' });
  throw unreadable('academics', 'no plan nodes');
};

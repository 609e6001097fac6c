import type { PlanCompletion } from '../../domain/academics/plan-completion.ts';
import { trainingPlanOf } from '../../domain/academics/training-plan.ts';
import { attributeOf, hasClasses, hasEnd, htmlTokens } from '../parsing/html-tokens.ts';
import { collapse, decodeEntities } from '../parsing/text.ts';
import { unreadable } from '../parsing/unreadable.ts';
import { planNodesIn } from './plan-nodes.ts';
import { planTree } from './plan-tree.ts';

/** Either the tree of one plan, or the buttons among which a student with several plans chooses. */
export type PlanAnswer =
  | { readonly kind: 'tree'; readonly completion: PlanCompletion; readonly dropped: number }
  | { readonly kind: 'choice'; readonly planId: string };

/** The page of a live session shows a tree or offers plans. */
export const planPageAlive = (page: string): boolean => page.includes('zTree') || page.includes('getPyfaIndex');

interface Heading {
  readonly planId: string | null;
  text: string;
}

const longestText = 500;

/** Headings and plan buttons with their texts, the scripts, and whether the page was cut inside or behind one. */
const partsOf = (page: string) => {
  const headings: Heading[] = [];
  const scripts: string[] = [];
  let open: { heading: Heading; name: string } | null = null;
  for (const token of htmlTokens(page)) {
    if (token.kind === 'raw') {
      if (token.name === 'script') scripts.push(token.text);
    } else if (token.kind === 'open') {
      const isButton = token.name === 'button' && hasClasses(token.attributes, 'btn-success', 'btn-round');
      const click = isButton ? (attributeOf(token.attributes, 'onclick') ?? '') : '';
      const planId = /getPyfaIndex\(\s{0,4}['"]?(\d{1,20})['"]?\s{0,4}\)/.exec(click)?.[1] ?? null;
      if (token.name !== 'h4' && planId === null) continue;
      open = { heading: { planId, text: '' }, name: token.name };
      headings.push(open.heading);
    } else if (token.kind === 'close') {
      if (token.name === open?.name) open = null;
    } else if (open !== null && open.heading.text.length < longestText) open.heading.text += token.text;
  }
  const read = headings.map(({ planId, text }) => ({ planId, text: collapse(decodeEntities(text)) }));
  const isCut = open !== null || (/<html[\s>]/i.test(page) && !hasEnd(page));
  return { headings: read, scripts, isCut };
};

/** The major plan comes first: neither a minor nor a micro-major; else the first one offered. */
const chosen = (plans: ReadonlyArray<{ planId: string; text: string }>): string | null =>
  (plans.find(({ text }) => !text.includes('辅修') && !text.includes('微专业')) ?? plans[0])?.planId ?? null;

/**
 * A tree page with its node list in a script, or the page that lets a student with several plans choose.
 * @throws Failure `upstream-unreadable` when it is neither, the tree has no nodes, or the choice was cut
 */
export const parsePlanCompletion = (page: string): PlanAnswer => {
  const { headings, scripts, isCut } = partsOf(page);
  if (!scripts.some((script) => script.includes('zTree.init') && script.includes('flagId'))) {
    const planId = chosen(headings.flatMap(({ planId: id, text }) => (id === null ? [] : [{ planId: id, text }])));
    // The major plan may stand behind the cut.
    if (planId !== null && isCut) throw unreadable('academics', 'plan choice without its end');
    if (planId !== null) return { kind: 'choice', planId };
  }
  const { tree, dropped } = planTree(planNodesIn(scripts));
  const title = headings.find(({ planId, text }) => planId === null && text.includes('培养方案'))?.text ?? '';
  return { kind: 'tree', completion: { plan: trainingPlanOf(title), ...tree }, dropped };
};

import type { PlanChoice } from '../../domain/academics/plan-choice.ts';
import type { PlanCompletion } from '../../domain/academics/plan-completion.ts';
import { trainingPlanOf } from '../../domain/academics/training-plan.ts';
import { Failure } from '../../domain/errors.ts';
import { unreadable } from '../parsing/unreadable.ts';
import { planNodesIn } from './plan-nodes.ts';
import { optionOf, partsOf } from './plan-page-parts.ts';
import { planTree } from './plan-tree.ts';

/** Either the tree of one plan, or the plans among which a student with several chooses. */
export type PlanAnswer =
  | { readonly kind: 'tree'; readonly completion: PlanCompletion; readonly dropped: number }
  | { readonly kind: 'choice'; readonly choice: PlanChoice };

/** What the campus says in place of a plan that is asked for too often. */
const tooOften = '请勿频繁刷新';

/**
 * The page of a live session shows a tree or offers plans. The notice in their place is one of a live session too: a new
 * session would meet it again.
 */
export const planPageAlive = (page: string): boolean =>
  ['zTree', 'zNodes', 'getPyfaIndex', tooOften].some((mark) => page.includes(mark));

/** No student has more plans. */
const mostOptions = 100;

/**
 * A tree page with its node list in a script, or the page that lets a student with several plans choose: by buttons, or by
 * links where there are no buttons.
 * @throws Failure `upstream-unreadable` when it is neither, or the choice was cut; `upstream-empty` for a tree without nodes;
 *   `upstream-refused` when the campus wants to be asked less often
 */
export const parsePlanCompletion = (page: string): PlanAnswer => {
  const { title, hint, buttons, links, scripts, isCut } = partsOf(page);
  if (!scripts.some((script) => script.includes('zTree.init') && script.includes('flagId'))) {
    const offers = buttons.length > 0 ? buttons : links;
    // The major plan may stand behind the cut.
    if (offers.length > 0 && isCut) throw unreadable('academics', 'plan choice without its end');
    if (offers.length > mostOptions) throw unreadable('academics', 'too many plans');
    if (offers.length > 0) return { kind: 'choice', choice: { hint, options: offers.map(optionOf) } };
    if (page.includes(tooOften)) {
      throw new Failure('upstream-refused', { system: 'academics', reason: 'too often', upstreamMessage: tooOften });
    }
  }
  const { tree, dropped } = planTree(planNodesIn(scripts));
  return { kind: 'tree', completion: { planId: null, plan: trainingPlanOf(title), ...tree }, dropped };
};

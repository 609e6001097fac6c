import {
  type PlanChoice,
  type PlanCompletion,
  type PlanOption,
  trainingPlanOf,
} from '../../../domain/academics/plans.ts';
import { failures } from '../../../domain/errors.ts';
import { elementsIn, type PageElement, scriptsIn } from '../../parsing/elements.ts';
import { attributeOf, hasCssClasses, hasEnd } from '../../parsing/html-tokens.ts';
import { readersOf, unreadable } from '../../parsing/reading.ts';
import { planNodesIn, planTree } from './plan-tree.ts';

const reader = readersOf(import.meta.url);

/** A plan that the page offers: by buttons, or by links where it has no buttons. */
interface Offer {
  readonly by: 'button' | 'link';
  readonly id: string;
}

type PlanPagePart = 'heading' | 'hint' | Offer;

const partOf = (tag: string, attributes: string): PlanPagePart | null => {
  if (tag === 'h4') return 'heading';
  if (tag === 'button' && hasCssClasses(attributes, 'btn-success', 'btn-round')) {
    const click = attributeOf(attributes, 'onclick') ?? '';
    const id = /getPyfaIndex\(\s{0,4}['"]?(\d{1,20})['"]?\s{0,4}\)/.exec(click)?.[1];
    return id === undefined ? null : { by: 'button', id };
  }
  if (tag === 'a' && attributes.includes('getPyfaIndex')) {
    const id = /\/getPyfaIndex\/(\d{1,20})$/.exec(attributeOf(attributes, 'href')?.trim() ?? '')?.[1];
    return id === undefined ? null : { by: 'link', id };
  }
  return hasCssClasses(attributes, 'alert-warning') ? 'hint' : null;
};

/** Reads the kind from the name: a minor, a micro-major, else a major. */
const optionOf = (id: string, name: string): PlanOption => ({
  id,
  name,
  kind: name.includes('辅修') ? 'minor' : name.includes('微专业') ? 'micro-major' : 'major',
});

/** No student has more plans. */
const mostOptions = 100;

/** Null where the page offers no plans. @throws Failure `upstream-unreadable` when the choice was cut */
const choiceIn = (page: string, parts: ReadonlyArray<PageElement<PlanPagePart>>): PlanChoice | null => {
  const listOffered = (by: Offer['by']): PlanOption[] =>
    parts.flatMap(({ kind, text }) => (typeof kind === 'object' && kind.by === by ? [optionOf(kind.id, text)] : []));
  const buttons = listOffered('button');
  const options = buttons.length > 0 ? buttons : listOffered('link');
  if (options.length === 0) return null;
  // The major plan may be after the cut.
  const isCut = parts.at(-1)?.isClosed === false || (/<html[\s>]/i.test(page) && !hasEnd(page));
  if (isCut) throw unreadable('academics', 'plan choice without its end');
  if (options.length > mostOptions) throw unreadable('academics', 'too many plans');
  return { hint: parts.find(({ kind, text }) => kind === 'hint' && text !== '')?.text ?? null, options };
};

/** Either the tree of one plan, or the plans among which a student with several chooses. */
export type PlanAnswer =
  | { readonly kind: 'tree'; readonly completion: PlanCompletion; readonly dropped: number }
  | { readonly kind: 'choice'; readonly choice: PlanChoice };

/** The campus answers this in place of a plan that is asked for too often. */
const tooOften = '请勿频繁刷新';

/** A live session sees a tree, a choice, or the notice: a new session would meet that again. */
export const planPageAlive = reader('planPageAlive', (page: string): boolean =>
  ['zTree', 'zNodes', 'getPyfaIndex', tooOften].some((mark) => page.includes(mark)),
);

/**
 * Parses a tree page with its node list in a script, or the page where a student with several plans chooses.
 * @throws Failure `upstream-unreadable` when it is neither, or the choice was cut
 * @throws Failure `upstream-empty` for a tree without nodes
 * @throws Failure `upstream-refused` when the campus wants fewer requests
 */
export const parsePlanCompletion = reader('parsePlanCompletion', (page: string): PlanAnswer => {
  const [parts, scripts] = [elementsIn(page, partOf), scriptsIn(page)];
  if (!scripts.some((script) => script.includes('zTree.init') && script.includes('flagId'))) {
    const choice = choiceIn(page, parts);
    if (choice !== null) return { kind: 'choice', choice };
    if (page.includes(tooOften)) {
      throw failures.upstreamRefused('academics', 'too often', { upstreamMessage: tooOften });
    }
  }
  const { tree, dropped } = planTree(planNodesIn(scripts));
  // The heading of a micro-major does not name it.
  const title = parts.find(({ kind, text }) => kind === 'heading' && text.includes('培养方案'))?.text ?? '';
  return { kind: 'tree', completion: { planId: null, plan: trainingPlanOf(title), ...tree }, dropped };
});

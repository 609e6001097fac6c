import { type PlanChoice, type PlanCompletion, type PlanOption, trainingPlanOf } from '../../domain/academics/plans.ts';
import { Failure } from '../../domain/errors.ts';
import { attributeOf, hasClasses, hasEnd, htmlTokens } from '../parsing/html-tokens.ts';
import { readersOf } from '../parsing/page-reader.ts';
import { collapse, decodeEntities } from '../parsing/text.ts';
import { unreadable } from '../parsing/values.ts';
import { planNodesIn, planTree } from './plan-tree.ts';

const reader = readersOf(import.meta.url);

/** A plan that the page offers. */
interface Offer {
  readonly id: string;
  readonly text: string;
}

/** The parts of a plan page, tree or choice. */
interface PlanPageParts {
  /** The heading that names a plan, `""` without one: that of a micro-major does not. */
  readonly title: string;
  readonly hint: string | null;
  readonly buttons: readonly Offer[];
  readonly links: readonly Offer[];
  readonly scripts: readonly string[];
  /** The page ends inside one of its parts or before its own end, or has too many of them. */
  readonly isCut: boolean;
}

/** An open text: it ends with the tag that began it. */
interface Part {
  readonly kind: 'heading' | 'hint' | 'button' | 'link';
  readonly tag: string;
  readonly id: string;
  text: string;
  /** Open tags of the same name inside it. */
  depth: number;
}

const longestText = 500;
/** A page has a few dozen. One with more is not read to its end. */
const mostParts = 1_000;

const opens = (tag: string, attributes: string): Omit<Part, 'tag' | 'text' | 'depth'> | null => {
  if (tag === 'h4') return { kind: 'heading', id: '' };
  if (tag === 'button' && hasClasses(attributes, 'btn-success', 'btn-round')) {
    const click = attributeOf(attributes, 'onclick') ?? '';
    const id = /getPyfaIndex\(\s{0,4}['"]?(\d{1,20})['"]?\s{0,4}\)/.exec(click)?.[1];
    return id === undefined ? null : { kind: 'button', id };
  }
  if (tag === 'a' && attributes.includes('getPyfaIndex')) {
    const id = /\/getPyfaIndex\/(\d{1,20})$/.exec(attributeOf(attributes, 'href')?.trim() ?? '')?.[1];
    return id === undefined ? null : { kind: 'link', id };
  }
  return hasClasses(attributes, 'alert-warning') ? { kind: 'hint', id: '' } : null;
};

export const partsOf = (page: string): PlanPageParts => {
  const parts: Part[] = [];
  const scripts: string[] = [];
  let open: Part | null = null;
  for (const token of htmlTokens(page)) {
    if (parts.length > mostParts) break;
    if (token.kind === 'raw') {
      if (token.name === 'script') scripts.push(token.text);
    } else if (token.kind === 'open') {
      const found = opens(token.name, token.attributes);
      if (found) {
        open = { ...found, tag: token.name, text: '', depth: 0 };
        parts.push(open);
      } else if (open?.kind === 'hint' && token.name === open.tag) open.depth += 1;
    } else if (token.kind === 'close') {
      if (token.name === open?.tag) {
        if (open.depth === 0) open = null;
        else open.depth -= 1;
      }
    } else if (open !== null && open.text.length < longestText) open.text += token.text;
  }
  const texts = (kind: Part['kind']): Offer[] =>
    parts.filter((part) => part.kind === kind).map(({ id, text }) => ({ id, text: collapse(decodeEntities(text)) }));
  const [hint] = texts('hint').filter(({ text }) => text !== '');
  return {
    title: texts('heading').find(({ text }) => text.includes('培养方案'))?.text ?? '',
    hint: hint?.text ?? null,
    buttons: texts('button'),
    links: texts('link'),
    scripts,
    isCut: open !== null || parts.length > mostParts || (/<html[\s>]/i.test(page) && !hasEnd(page)),
  };
};

/** Reads the kind from the name: a minor, a micro-major, else a major. */
export const optionOf = ({ id, text }: Offer): PlanOption => ({
  id,
  name: text,
  kind: text.includes('辅修') ? 'minor' : text.includes('微专业') ? 'micro-major' : 'major',
});

/** Either the tree of one plan, or the plans among which a student with several chooses. */
export type PlanAnswer =
  | { readonly kind: 'tree'; readonly completion: PlanCompletion; readonly dropped: number }
  | { readonly kind: 'choice'; readonly choice: PlanChoice };

/** The campus answers this in place of a plan that is asked for too often. */
const tooOften = '请勿频繁刷新';

/**
 * The page of a live session shows a tree or offers plans. The notice instead is one of a live session too: a new
 * session would meet it again.
 */
export const planPageAlive = reader('planPageAlive', (page: string): boolean =>
  ['zTree', 'zNodes', 'getPyfaIndex', tooOften].some((mark) => page.includes(mark)),
);

/** No student has more plans. */
const mostOptions = 100;

/**
 * A tree page with its node list in a script, or the page that lets a student with several plans choose: by buttons, or by
 * links where there are no buttons.
 * @throws Failure `upstream-unreadable` when it is neither, or the choice was cut; `upstream-empty` for a tree without nodes;
 *   `upstream-refused` when the campus wants to be asked less often
 */
export const parsePlanCompletion = reader('parsePlanCompletion', (page: string): PlanAnswer => {
  const { title, hint, buttons, links, scripts, isCut } = partsOf(page);
  if (!scripts.some((script) => script.includes('zTree.init') && script.includes('flagId'))) {
    const offers = buttons.length > 0 ? buttons : links;
    // The major plan may be after the cut.
    if (offers.length > 0 && isCut) throw unreadable('academics', 'plan choice without its end');
    if (offers.length > mostOptions) throw unreadable('academics', 'too many plans');
    if (offers.length > 0) return { kind: 'choice', choice: { hint, options: offers.map(optionOf) } };
    if (page.includes(tooOften)) {
      throw new Failure('upstream-refused', { system: 'academics', reason: 'too often', upstreamMessage: tooOften });
    }
  }
  const { tree, dropped } = planTree(planNodesIn(scripts));
  return { kind: 'tree', completion: { planId: null, plan: trainingPlanOf(title), ...tree }, dropped };
});

import { attributeOf } from './html-tokens.ts';

// What a page has and does not show: its texts say nothing to a person, and its inputs come last.

const hiddenClass = /(?:^|\s)(?:hidden|hide|none|d-none|layui-hide|ng-hide|is-hidden|invisible|sr-only)(?:\s|$)/i;
const notShown: ReadonlySet<string> = new Set(['title', 'noscript', 'template', 'select', 'svg']);
/** They have no end tag. */
const voidElements: ReadonlySet<string> = new Set([
  'br',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'area',
  'base',
  'col',
  'embed',
  'wbr',
]);
/** Another one ends the first, whether that was closed or not: `<li>` after `<li>`. */
const endedByNext: ReadonlySet<string> = new Set(['p', 'li', 'td', 'th', 'tr', 'option']);

export const isHidden = (tag: string, attributes: string): boolean => {
  if (notShown.has(tag)) return true;
  // Most tags say nothing of it, and reading attributes costs more than a search.
  if (!/hid|none|invisible|sr-only/i.test(attributes)) return false;
  const of = (name: string) => attributeOf(attributes, name);
  if (of('hidden') !== null || of('aria-hidden')?.toLowerCase() === 'true') return true;
  return /display\s*:\s*none|visibility\s*:\s*hidden/i.test(of('style') ?? '') || hiddenClass.test(of('class') ?? '');
};

export const isVoidElement = (tag: string): boolean => voidElements.has(tag);

/** Follows one element to its own end tag, however many of its name lie in it. */
export class ElementScope {
  #tag: string | null = null;
  #depth = 0;

  get isOpen(): boolean {
    return this.#tag !== null;
  }

  begin(tag: string): void {
    this.#tag = tag;
    this.#depth = 0;
  }

  opens(tag: string): void {
    if (tag !== this.#tag) return;
    if (endedByNext.has(tag)) this.#tag = null;
    else this.#depth += 1;
  }

  closes(tag: string): void {
    if (tag !== this.#tag) return;
    if (this.#depth === 0) this.#tag = null;
    else this.#depth -= 1;
  }
}

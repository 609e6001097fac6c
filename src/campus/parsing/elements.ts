import { attributeOf, htmlTokens } from './html-tokens.ts';
import { clean, extend } from './text.ts';

/** No text that a parser looks for is longer. */
const longestText = 2_000;

/** An element that a parser asked for, with all the text inside it. */
export interface PageElement<Kind> {
  readonly kind: Kind;
  /** Decoded, white space collapsed; cut after 2,000 characters. */
  readonly text: string;
  /** False: the page ends inside it. */
  readonly isClosed: boolean;
}

interface OpenElement<Kind> {
  readonly kind: Kind;
  readonly tag: string;
  text: string;
  /** Open tags of the same name inside it. */
  depth: number;
}

/**
 * Collects the elements to which `kindOf` gives a kind, in page order. One that begins inside another ends the other,
 * so no text belongs to two.
 */
export const elementsIn = <Kind>(
  page: string,
  kindOf: (tag: string, attributes: string) => Kind | null,
): PageElement<Kind>[] => {
  const found: OpenElement<Kind>[] = [];
  let open: OpenElement<Kind> | null = null;
  for (const token of htmlTokens(page)) {
    if (token.kind === 'text') {
      if (open !== null) open.text = extend(open.text, token.text, longestText);
    } else if (token.kind === 'open') {
      const kind = kindOf(token.name, token.attributes);
      if (kind !== null) {
        open = { kind, tag: token.name, text: '', depth: 0 };
        found.push(open);
      } else if (token.name === open?.tag) open.depth += 1;
    } else if (token.kind === 'close' && token.name === open?.tag) {
      if (open.depth === 0) open = null;
      else open.depth -= 1;
    }
  }
  return found.map((element) => ({ kind: element.kind, text: clean(element.text), isClosed: element !== open }));
};

/** The sources of the scripts of a page. */
export const scriptsIn = (page: string): string[] =>
  htmlTokens(page)
    .flatMap((token) => (token.kind === 'raw' && token.name === 'script' ? [token.text] : []))
    .toArray();

/** Terms of a campus in a thousand years; a longer selector is not the one we know. */
const mostOptions = 2_000;

export interface Option {
  readonly value: string;
  readonly text: string;
  readonly selected: boolean;
}

/** The options of the first `select` with that id or name; null where the page has none, or only its beginning. */
export const optionsOf = (page: string, wanted: string): Option[] | null => {
  if (!page.includes(wanted)) return null;
  let found: Option[] | null = null;
  let option: { value: string; text: string; selected: boolean } | null = null;
  for (const token of htmlTokens(page)) {
    if (found === null) {
      if (token.kind !== 'open' || token.name !== 'select') continue;
      if (['id', 'name'].some((name) => attributeOf(token.attributes, name) === wanted)) found = [];
    } else if (token.kind === 'text') {
      if (option !== null) option.text = extend(option.text, token.text, longestText);
    } else if (token.name === 'select' && token.kind === 'close') {
      return found.map(({ text, ...rest }) => ({ ...rest, text: clean(text) }));
    } else if (token.name === 'option' || token.name === 'optgroup') {
      option = null;
      if (token.kind !== 'open' || token.name !== 'option') continue;
      if (found.length === mostOptions) return null;
      const value = attributeOf(token.attributes, 'value')?.trim() ?? '';
      option = { value, text: '', selected: attributeOf(token.attributes, 'selected') !== null };
      found.push(option);
    }
  }
  return null;
};
